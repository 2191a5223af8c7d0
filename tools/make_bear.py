#!/usr/bin/env python3
"""Makes the gummy bear of scenes/: a closed surface around smoothly joined ellipsoids.

    tools/make_bear.py [cells across] > scenes/drop/bear.obj

Naive surface nets on a grid, then every vertex is pulled onto the surface along the gradient. Needs only python3.
"""
import math
import sys

# centre, radii [m]; x = its left, y = up, z = front. Halves are mirrored.
MIDDLE = [
    ((0, 0.30, 0.00), (0.205, 0.235, 0.185)),  # belly
    ((0, 0.44, 0.01), (0.170, 0.160, 0.150)),  # chest
    ((0, 0.655, 0.02), (0.165, 0.145, 0.145)),  # head
    ((0, 0.625, 0.150), (0.072, 0.056, 0.060)),  # snout
    ((0, 0.645, 0.205), (0.022, 0.016, 0.014)),  # nose
    ((0, 0.20, -0.185), (0.045, 0.045, 0.045)),  # tail
]
SIDE = [
    ((0.122, 0.775, 0.00), (0.060, 0.060, 0.036)),  # ear
    ((0.205, 0.435, 0.080), (0.072, 0.062, 0.110)),  # arm
    ((0.200, 0.430, 0.185), (0.056, 0.056, 0.050)),  # paw
    ((0.125, 0.095, 0.080), (0.088, 0.085, 0.150)),  # leg
    ((0.130, 0.105, 0.215), (0.078, 0.088, 0.048)),  # foot
]
PARTS = MIDDLE + SIDE + [((-c[0], c[1], c[2]), r) for c, r in SIDE]
BLEND = 0.022  # [m] how softly parts flow into each other


def ellipsoid(p, c, r):
    """About the distance to an ellipsoid, exact to first order at its surface."""
    q = [(p[i] - c[i]) / r[i] for i in range(3)]
    g = [(p[i] - c[i]) / (r[i] * r[i]) for i in range(3)]
    k0 = math.sqrt(sum(x * x for x in q))
    k1 = math.sqrt(sum(x * x for x in g))
    return k0 * (k0 - 1) / k1 if k1 > 0 else -min(r)


def distance(p):
    # Exponential smooth minimum: the same whatever the order of the parts.
    total = sum(math.exp(-ellipsoid(p, c, r) / BLEND) for c, r in PARTS)
    return -BLEND * math.log(total)


def gradient(p, e=1e-5):
    g = []
    for i in range(3):
        a, b = list(p), list(p)
        a[i] += e
        b[i] -= e
        g.append((distance(a) - distance(b)) / (2 * e))
    return g


def main():
    across = int(sys.argv[1]) if len(sys.argv) > 1 else 44
    low, high = (-0.33, -0.04, -0.27), (0.33, 0.88, 0.31)
    h = (high[1] - low[1]) / across
    n = [int((high[i] - low[i]) / h) + 2 for i in range(3)]

    def node(i, j, k):
        # Half a cell off the mirror plane in x, so that the two halves get mirrored triangles.
        return ((i - (n[0] - 1) / 2) * h, low[1] + j * h, low[2] + k * h)

    value = {}
    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                value[i, j, k] = distance(node(i, j, k))

    vertex, points = {}, []
    corners = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    edges = [(p, q) for p in corners for q in corners if p < q and sum(abs(p[t] - q[t]) for t in range(3)) == 1]
    for i in range(n[0] - 1):
        for j in range(n[1] - 1):
            for k in range(n[2] - 1):
                cell = {c: value[i + c[0], j + c[1], k + c[2]] for c in corners}
                if all(v > 0 for v in cell.values()) or all(v <= 0 for v in cell.values()):
                    continue
                crossings = []
                for p, q in edges:
                    if (cell[p] > 0) == (cell[q] > 0):
                        continue
                    s = cell[p] / (cell[p] - cell[q])
                    a, b = node(i + p[0], j + p[1], k + p[2]), node(i + q[0], j + q[1], k + q[2])
                    crossings.append([a[t] + s * (b[t] - a[t]) for t in range(3)])
                x = [sum(c[t] for c in crossings) / len(crossings) for t in range(3)]
                for _ in range(3):
                    g, d = gradient(x), distance(x)
                    gg = sum(t * t for t in g)
                    x = [x[t] - d * g[t] / gg for t in range(3)]
                vertex[i, j, k] = len(points)
                points.append(x)

    triangles = []
    for (i, j, k), v in value.items():
        for axis in range(3):
            step = [0, 0, 0]
            step[axis] = 1
            other = value.get((i + step[0], j + step[1], k + step[2]))
            if other is None or (v > 0) == (other > 0):
                continue
            u, w = (axis + 1) % 3, (axis + 2) % 3
            quad = []
            for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
                c = [i, j, k]
                c[u] -= 1 - a
                c[w] -= 1 - b
                quad.append(vertex[tuple(c)])
            if v > 0:
                quad.reverse()
            if sum((points[quad[0]][t] - points[quad[2]][t]) ** 2 for t in range(3)) <= sum(
                (points[quad[1]][t] - points[quad[3]][t]) ** 2 for t in range(3)
            ):
                triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
            else:
                triangles += [(quad[0], quad[1], quad[3]), (quad[1], quad[2], quad[3])]

    floor = min(p[1] for p in points)
    print("# Gummy bear, metres, y up. Made by tools/make_bear.py")
    print("o bear")
    for p in points:
        print(f"v {p[0]:.5f} {p[1] - floor:.5f} {p[2]:.5f}")
    for t in triangles:
        print(f"f {t[0] + 1} {t[1] + 1} {t[2] + 1}")


main()
