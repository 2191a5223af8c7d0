#!/usr/bin/env python3
"""Draws who includes whom from the real #include lines, and fails on an arrow that points up or sideways.

Contact's folders are rooms of their own towards each other; its tests may look at all of contact.

    tools/rooms.py          the arrows, one room a line; exit 1 when one is wrong
    tools/rooms.py --dot    the same for graphviz
"""
import pathlib
import re
import sys

# Each room and the rooms it may see besides itself. What is not listed is not allowed.
CORE = ["core"]
MATH = CORE + ["math"]
MESH = MATH + ["geometry/mesh"]
NURBS = ["geometry/nurbs"]
QUERY = MESH + ["geometry/query"]
COARSEN = ["geometry/coarsen"]
SAMPLE = QUERY + ["geometry/cut", "geometry/sample"]
INTAKE = ["geometry/intake"]
BODY = QUERY + NURBS + ["materials", "body"]
WORLD = BODY + ["contact", "world"]
ALLOWED = {
    "core": [],
    "math": CORE,
    "geometry/mesh": MATH,
    "geometry/nurbs": MESH,
    "geometry/query": MESH,
    "geometry/coarsen": QUERY,
    "geometry/cut": QUERY,
    "geometry/sample": QUERY,
    "geometry/track": QUERY + ["geometry/cut"],
    "geometry/intake": QUERY + NURBS,
    "materials": MATH,
    "body": QUERY + COARSEN + NURBS + ["materials"],
    "methods/?": SAMPLE + NURBS + ["geometry/track", "materials", "body", "methods/shared"],  # never another method
    "methods": BODY + ["methods/*"],  # the registry
    "contact": BODY,  # no method
    "world": BODY + ["contact"],  # reaches methods through body/method.h
    "formats": MESH + NURBS,
    "picture": MESH,
    "scene": WORLD + INTAKE + ["methods", "formats"],
    "statics": WORLD + INTAKE + ["methods", "formats", "scene"],
    "play": WORLD + INTAKE + ["methods", "formats", "scene", "statics", "picture"],
    "studies": WORLD + INTAKE + ["geometry/cut", "geometry/sample", "geometry/track", "methods", "methods/*", "picture", "formats", "scene", "statics"],
    "apps/cli": WORLD + INTAKE + ["methods", "formats", "scene", "statics", "picture", "play", "studies"],
}

# The same within contact: each folder and the folders that it may see besides itself.
FRAME = ["data", "motion", "colliders", "surface"]
CONTACT = {
    "data": [],
    "motion": [],
    "colliders": [],
    "surface": ["data", "motion", "colliders"],
    "narrow": FRAME,
    "pairs": FRAME + ["narrow"],
    "self": FRAME + ["narrow"],
    "collider_contacts": FRAME + ["narrow"],
    "bonds": ["data", "colliders"],
    "solve": ["data", "surface"],
    ".": FRAME + ["pairs", "self", "collider_contacts", "bonds", "solve"],
}

ROOT = pathlib.Path(__file__).resolve().parent.parent


def room_of(path):
    """'src/geometry/mesh/x.h' -> 'geometry/mesh'; 'src/methods/tets/x.h' -> 'methods/tets'."""
    parts = pathlib.PurePath(path).parts
    if parts[0] == "src":
        parts = parts[1:]
    if parts[0] in ("geometry", "methods", "apps") and len(parts) > 2:
        return "/".join(parts[:2])
    return parts[0]


def folder_of(path):
    """'src/contact/pairs/x.h' -> 'contact/pairs'; 'src/contact/x.h' -> 'contact/.'."""
    parts = [p for p in pathlib.PurePath(path).parts if p != "src"]
    return f"contact/{parts[1] if len(parts) > 2 else '.'}"


def allowed(room, other):
    if room == other:
        return True
    if room.startswith("contact/"):
        return other.split("/")[1] in CONTACT[room.split("/")[1]]
    key = room if room in ALLOWED else "methods/?"
    rules = ALLOWED[key]
    if other in rules:
        return True
    return "methods/*" in rules and other.startswith("methods/")


def is_test(path):
    return path.name.endswith("_test.cpp") or path.name.startswith("test_")


def main():
    arrows = {}
    wrong = []
    for top in ("src", "apps"):
        for path in sorted((ROOT / top).rglob("*")):
            relative = path.relative_to(ROOT)
            shows_all = relative in (pathlib.Path("src/pliant.h"), pathlib.Path("src/app.h"))
            if path.suffix not in (".h", ".cpp") or shows_all:
                continue
            room = room_of(relative)
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'\s*#include "([^"]+/[^"]+)"', line)
                if not match:
                    continue
                other = room_of(match[1])
                if room == other == "contact" and not is_test(path):
                    here, there = folder_of(relative), folder_of(match[1])
                    if here != there:
                        arrows.setdefault(here, set()).add(there)
                    if not allowed(here, there):
                        wrong.append(f"{relative}:{number}: {here} may not include {there}")
                if other == room:
                    continue
                if not is_test(path):
                    arrows.setdefault(room, set()).add(other)
                if not allowed(room, other):
                    wrong.append(f"{relative}:{number}: {room} may not include {other}")
    if "--dot" in sys.argv:
        print("digraph rooms {")
        for room in sorted(arrows):
            for other in sorted(arrows[room]):
                print(f'  "{room}" -> "{other}";')
        print("}")
    else:
        for room in ALLOWED:
            for actual in sorted(r for r in arrows if r == room or (room == "methods/?" and r.startswith("methods/"))):
                print(f"{actual:25} > {' '.join(sorted(arrows[actual]))}")
        for here in (f"contact/{folder}" for folder in CONTACT):
            print(f"{here:25} > {' '.join(sorted(r.split('/')[1] for r in arrows.get(here, [])))}")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(wrong)} arrows point the wrong way" if wrong else "every arrow points down")
    return 1 if wrong else 0


sys.exit(main())
