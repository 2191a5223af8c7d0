#!/usr/bin/env python3
"""Makes the painted models of scenes/beach_ball: a ball with stripes and a wooden crate, each OBJ, MTL and PNG.

    tools/make_beach_ball.py scenes/beach_ball

Needs only python3.
"""
import math
import pathlib
import random
import struct
import sys
import zlib

STRIPES = [(214, 48, 49), (250, 250, 245), (9, 132, 227), (250, 250, 245), (253, 203, 60), (250, 250, 245)]
ROUND, UP = 30, 20  # faces of the ball around and from pole to pole


def write_png(path, width, height, color):
    """`color(x, y)`: three whole numbers up to 255; y from the top."""
    rows = b"".join(b"\0" + bytes(c for x in range(width) for c in color(x, y)) for y in range(height))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write_mtl(path, name):
    path.write_text(f"newmtl {name}\nKd 0.8 0.8 0.8\nmap_Kd {name}.png\n")


def ball(folder, radius=0.4):
    lines = ["# tools/make_beach_ball.py", "mtllib ball.mtl", "usemtl ball"]
    for j in range(1, UP):
        for i in range(ROUND):
            turn, tilt = 2 * math.pi * i / ROUND, math.pi * j / UP
            lines.append("v {:.5f} {:.5f} {:.5f}".format(radius * math.sin(tilt) * math.cos(turn), radius * math.cos(tilt),
                                                         -radius * math.sin(tilt) * math.sin(turn)))
    lines += [f"v 0 {radius} 0", f"v 0 {-radius} 0"]
    top, bottom = ROUND * (UP - 1) + 1, ROUND * (UP - 1) + 2
    for j in range(UP + 1):
        for i in range(ROUND + 1):
            lines.append(f"vt {(i + (0.5 if j in (0, UP) else 0)) / ROUND:.4f} {1 - j / UP:.4f}")

    def v(i, j):
        return ROUND * (j - 1) + i % ROUND + 1

    def vt(i, j):
        return (ROUND + 1) * j + i + 1

    for i in range(ROUND):
        lines.append(f"f {top}/{vt(i, 0)} {v(i, 1)}/{vt(i, 1)} {v(i + 1, 1)}/{vt(i + 1, 1)}")
        for j in range(1, UP - 1):
            lines.append("f " + " ".join(f"{v(*c)}/{vt(*c)}" for c in ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j))))
        lines.append(f"f {bottom}/{vt(i, UP)} {v(i + 1, UP - 1)}/{vt(i + 1, UP - 1)} {v(i, UP - 1)}/{vt(i, UP - 1)}")
    (folder / "ball.obj").write_text("\n".join(lines) + "\n")
    write_mtl(folder / "ball.mtl", "ball")

    def color(x, y):
        if y < 9 or y >= 119:  # white caps at the poles
            return (250, 250, 245)
        return STRIPES[x * len(STRIPES) // 256]

    write_png(folder / "ball.png", 256, 128, color)


def crate(folder, side=0.6):
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    sides = [(0, 1, 3, 2), (6, 7, 5, 4), (4, 5, 1, 0), (3, 7, 6, 2), (2, 6, 4, 0), (5, 7, 3, 1)]
    lines = ["# tools/make_beach_ball.py", "mtllib crate.mtl", "usemtl crate"]
    lines += ["v " + " ".join(f"{side / 2 * c:g}" for c in p) for p in corners]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    lines += ["f " + " ".join(f"{c + 1}/{k + 1}" for k, c in enumerate(s)) for s in sides]
    (folder / "crate.obj").write_text("\n".join(lines) + "\n")
    write_mtl(folder / "crate.mtl", "crate")
    size, frame, planks = 128, 18, 4
    draw = random.Random(5)
    grain = [[draw.uniform(-9, 9) for _ in range(size)] for _ in range(planks + 2)]
    tint = [draw.uniform(-14, 14) for _ in range(planks)]

    def color(x, y):
        edge = min(x, y, size - 1 - x, size - 1 - y)
        across = abs(x - y) / math.sqrt(2)
        if edge < frame:  # the frame, darker at its seams
            shade = -46 if edge in (0, frame - 1) else grain[planks][y if x in (edge, size - 1 - edge) else x]
        elif across < 10:
            shade = -46 if across > 8.6 else 6 + grain[planks + 1][(x + y) // 2]
        else:
            at = (y - frame) * planks / (size - 2 * frame)
            seam = min(at % 1, 1 - at % 1) < 0.04
            shade = -70 if seam else -18 + tint[int(at)] + grain[int(at)][y] + 4 * math.sin(0.11 * x + 9 * int(at))
        nail = any(math.hypot(x - a, y - b) < 2.2 for a in (9, size - 10) for b in (9, size - 10))
        if nail:
            return (70, 66, 62)
        return tuple(int(max(0, min(255, c + shade))) for c in (196, 148, 92))

    write_png(folder / "crate.png", size, size, color)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    ball(target)
    crate(target)
