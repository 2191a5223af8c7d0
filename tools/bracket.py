#!/usr/bin/env python3
"""Writes scenes/bracket/bracket.stl: an angle bracket in millimetres, as a CAD program would. Arms of 60 mm, 10 mm thick,
20 mm wide, with an inner radius of 8 mm.

    tools/bracket.py
"""
import math
import pathlib
import struct

ARM, THICKNESS, RADIUS, WIDTH, PIECES = 60.0, 10.0, 8.0, 20.0, 24


def outline():
    """Points of the inner and of the outer side, one beside the other, from the wall to the end of the arm."""
    start = THICKNESS + RADIUS
    sides = [((THICKNESS, ARM), (0, ARM))]
    for i in range(PIECES + 1):
        angle, along = 0.5 * math.pi * i / PIECES, 2 * i / PIECES
        inner = (start - RADIUS * math.cos(angle), start - RADIUS * math.sin(angle))
        sides.append((inner, (0, start * (1 - along)) if along <= 1 else (start * (along - 1), 0)))
    return sides + [((ARM, THICKNESS), (ARM, 0))]


def quads():
    sides = outline()
    for (a, b), (c, d) in zip(sides, sides[1:]):
        low, high = (lambda p: (*p, 0.0)), (lambda p: (*p, WIDTH))
        yield high(a), high(b), high(d), high(c)  # towards +z
        yield low(a), low(c), low(d), low(b)
        yield low(a), high(a), high(c), low(c)  # inner side
        yield low(b), low(d), high(d), high(b)  # outer side
    for (a, b), turned in ((sides[0], False), (sides[-1], True)):
        face = [(*a, 0.0), (*b, 0.0), (*b, WIDTH), (*a, WIDTH)]
        yield tuple(face[::-1] if turned else face)


def main():
    triangles = [t for a, b, c, d in quads() for t in ((a, b, c), (a, c, d))]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles)
    path = pathlib.Path(__file__).resolve().parent.parent / "scenes" / "bracket" / "bracket.stl"
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(triangles)) + body)


main()
