#!/usr/bin/env python3
"""Writes the models of scenes/broken: six surfaces with something wrong, in six ways and five formats.

    tools/make_broken.py scenes/broken
"""
import math
import pathlib
import random
import sys


def globe(rings, sectors, place):
    """A closed surface from place(angle from the pole, angle around): points and triangles facing outwards."""
    points = [place(0, 0)]
    for i in range(1, rings):
        points += [place(math.pi * i / rings, 2 * math.pi * j / sectors) for j in range(sectors)]
    points.append(place(math.pi, 0))
    at = lambda i, j: 0 if i == 0 else len(points) - 1 if i == rings else 1 + (i - 1) * sectors + j % sectors
    triangles = []
    for i in range(rings):
        for j in range(sectors):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            triangles += [(a, b, c)] if b != c else []
            triangles += [(a, c, d)] if a != d else []
    return points, triangles


def ball(rings=12, sectors=18, radius=0.3):
    return globe(rings, sectors, lambda a, b: (radius * math.sin(a) * math.cos(b), radius * math.cos(a), -radius * math.sin(a) * math.sin(b)))


def torus(n=26, m=14, ring=0.26, tube=0.11):
    points = []
    for i in range(n):
        for j in range(m):
            u, v = 2 * math.pi * i / n, 2 * math.pi * j / m
            r = ring + tube * math.cos(v)
            points.append((r * math.cos(u), tube * math.sin(v), r * math.sin(u)))
    at = lambda i, j: i % n * m + j % m
    quads = [(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)) for i in range(n) for j in range(m)]
    return points, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def middle(points, triangle):
    return [sum(points[p][k] for p in triangle) / 3 for k in range(3)]


def number(x):
    return f"{x:.5f}".rstrip("0").rstrip(".") if abs(x) > 5e-6 else "0"


def rows(points):
    return [" ".join(map(number, p)) for p in points]


def obj(points, triangles):
    return ["v " + row for row in rows(points)] + ["f " + " ".join(str(p + 1) for p in t) for t in triangles]


def main():
    folder = pathlib.Path(sys.argv[1])
    dice = random.Random(1)

    points, triangles = ball()  # every triangle with corners of its own, a third of them turned over
    soup = [points[p] for t in triangles for p in t]
    turned = [(3 * i, 3 * i + 2, 3 * i + 1) if dice.random() < 0.33 else (3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(triangles))]
    write = lambda name, lines: (folder / name).write_text("\n".join(lines) + "\n")
    write("soup.obj", obj(soup, turned))

    holes = [t for t in triangles if math.dist(middle(points, t), (0.1, 0.2, 0.2)) > 0.13]  # a bite is missing
    write("bitten.off", ["OFF", f"{len(points)} {len(holes)} 0"] + rows(points) + ["3 " + " ".join(map(str, t)) for t in holes])

    points, triangles = torus()  # faces inwards
    write("inside_out.ply", ["ply", "format ascii 1.0", f"element vertex {len(points)}", "property float x", "property float y",
                             "property float z", f"element face {len(triangles)}", "property list uchar int vertex_indices",
                             "end_header"] + rows(points) + ["3 " + " ".join(map(str, t[::-1])) for t in triangles])

    points, triangles = [], []  # three balls stuck in each other
    for x, y, radius in ((-0.17, -0.1, 0.2), (0.17, -0.1, 0.2), (0, 0.16, 0.22)):
        more, others = ball(10, 14, radius)
        triangles += [tuple(p + len(points) for p in t) for t in others]
        points += [(p[0] + x, p[1] + y, p[2]) for p in more]
    write("cluster.obj", obj(points, triangles))

    egg = [(0.24 * math.sin(a) * math.cos(b), 0.32 * math.cos(a) - 0.06 * math.sin(a) ** 2, 0.24 * math.sin(a) * math.sin(b))
           for a, b in ((math.acos(1 - 2 * (i + 0.5) / 900), 2.399963 * i) for i in range(900))]
    write("cloud.xyz", rows(egg))  # nothing but points

    n = 14  # an open, curved sheet
    points = [(0.6 * (i / n - 0.5), 0.16 * math.cos(math.pi * (i / n - 0.5)) ** 2, 0.6 * (j / n - 0.5)) for j in range(n + 1) for i in range(n + 1)]
    quads = [(i + (n + 1) * j, i + (n + 1) * (j + 1), i + 1 + (n + 1) * (j + 1), i + 1 + (n + 1) * j) for j in range(n) for i in range(n)]
    write("sheet.obj", obj(points, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]))


if __name__ == "__main__":
    main()
