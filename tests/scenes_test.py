"""Every built-in scene does what its expected.json says.

A check: {"column": "min_J", "at_least": 0.2}              in every frame
         {"column": "tip_y_m", "frame": 240, "at_most": 1}  in one frame; -1 is the last
         {"column": "...", "ever_above": 0.1}               in at least one frame

Drawn surfaces of different bodies cross in no frame by more than contact states, or than "crossing" allows:
         {"at_most": 0.1, "why": "..."} [m]

They must hold from a start next to it as well, with every body a tenth of a millimetre aside: what
collides is chaotic, and a scene may be well by luck.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from harness import ROOT, ProgramTest, metrics


class Scenes(ProgramTest):
    def check(self, rows, rule):
        column = rule["column"]
        values = [row[column] for row in rows]
        if "frame" in rule:
            values = [values[rule["frame"]]]
        said = f"{rule}: found {min(values)} to {max(values)}"
        if "at_least" in rule:
            self.assertGreaterEqual(min(values), rule["at_least"], said)
        if "at_most" in rule:
            self.assertLessEqual(max(values), rule["at_most"], said)
        if "ever_above" in rule:
            self.assertGreater(max(values), rule["ever_above"], said)
        if "ever_below" in rule:
            self.assertLess(min(values), rule["ever_below"], said)
        known = {"column", "frame", "at_least", "at_most", "ever_above", "ever_below", "why"}
        self.assertTrue(set(rule) <= known and len(set(rule) - {"column", "frame", "why"}) > 0, f"odd rule {rule}")


    def check_crossings(self, scene, allowed):
        """How deep recorded surfaces lie inside each other, beside what contact states (tests/drawn_crossings.cpp)."""
        program = pathlib.Path(os.environ.get("PLIANT_BUILD", ROOT / "build")) / "tests" / "drawn_crossings"
        found = subprocess.run([program, scene, self.folder / "out"], capture_output=True, text=True, check=True)
        for line in found.stdout.splitlines():
            one, other, frame, depth, stated = line.split("\t")
            most = max(float(stated), allowed.get("at_most", 0))
            self.assertLessEqual(float(depth), most, f"{one} in {other}, frame {frame}")


def shaken(folder):
    """The scene with every body a little aside, each by another way."""
    scene = json.loads(re.sub(r"^\s*//.*$", "", (folder / "scene.json").read_text(), flags=re.M))
    for k, body in enumerate(scene["bodies"]):
        x, y, z = body.get("place", [0, 0, 0])
        body["place"] = [x + 1e-4 * (1 + 0.1 * (k % 10)), y, z]
    return json.dumps(scene)


def add_test(folder):
    expected = json.loads((folder / "expected.json").read_text())

    def run_and_check(self, scene):
        self.run_ok("run", scene, "-o", self.folder / "out", "--no-film", "-q")
        rows = metrics(self.folder / "out")
        self.assertEqual(len(rows), expected["frames"] + 1)
        for rule in expected["checks"]:
            with self.subTest(**rule):
                self.check(rows, rule)

    def test(self):
        run_and_check(self, folder / "scene.json")
        self.check_crossings(folder / "scene.json", expected.get("crossing", {}))
        self.assertGreater(len(expected["checks"]), 2)
        for name in ("README.md", "picture.png"):
            self.assertTrue((folder / name).exists(), f"{folder.name} has no {name}")

    def test_shaken(self):
        shutil.copytree(folder, self.folder / "scene")  # with what the scene reads
        run_and_check(self, self.write("scene/scene.json", shaken(folder)))

    setattr(Scenes, f"test_{folder.name}", test)
    setattr(Scenes, f"test_{folder.name}_shaken", test_shaken)


for scene in sorted((ROOT / "scenes").iterdir()):
    if (scene / "scene.json").exists():
        add_test(scene)

if __name__ == "__main__":
    unittest.main(argv=sys.argv)
