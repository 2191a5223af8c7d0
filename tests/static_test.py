"""What an engineer does first: fix one face of an STL, push on another, read the table."""
import csv
import json
import struct
import unittest

from harness import ProgramTest, pliant


def bar_stl(path, size):
    """A box from the origin, in millimetres, as CAD programs write it: two triangles a face."""
    x, y, z = size
    corner = [(a * x, b * y, c * z) for c in (0, 1) for b in (0, 1) for a in (0, 1)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *corner[a], *corner[b], *corner[c], 0) for a, b, c in triangles)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(triangles)) + body)


EIGHT_LINES = """{
  "static": true, "gravity": [0, 0, 0],
  "bodies": [{
    "file": "bar.stl", "unit": "mm", "material": "steel", "method": "meshless",
    "pins": [{"region": "left"}],
    "loads": [{"region": "right", "force": [0, -1000, 0]}]}],
  "outputs": {"color_by": "von_mises", "width": 320, "height": 180}
}"""


class StaticTest(ProgramTest):
    def test_eight_lines_fix_a_face_and_load_another(self):
        bar_stl(self.folder / "bar.stl", (100, 20, 20))
        self.assertEqual(len(EIGHT_LINES.splitlines()), 8)
        scene = self.write("scene.json", EIGHT_LINES)
        code, _, err = pliant("run", scene, "-o", self.folder / "out")
        self.assertEqual(code, 0, err)
        for word in ("largest displacement", "largest von Mises stress", "safety factor", "pins/0 holds with"):
            self.assertIn(word, err)
        self.assertTrue((self.folder / "out" / "last.png").exists())
        said = json.loads((self.folder / "out" / "run.json").read_text())
        self.assertIn("nodes a body", said["resolution"])
        bar = said["static"][0]
        # Beam theory: P L^3 / 3 E I + 1.2 P L / G A, and M c / I a twentieth of the length from the clamp.
        inertia, area = 0.02**4 / 12, 0.02**2
        shear = 2.1e11 / 2 / 1.29
        tip = 1000 * 0.1**3 / 3 / 2.1e11 / inertia + 1.2 * 1000 * 0.1 / shear / area
        self.assertAlmostEqual(bar["largest_displacement_m"]["value"] / tip, 1, delta=0.05)
        stress = 1000 * 0.095 * 0.01 / inertia
        self.assertAlmostEqual(bar["largest_von_mises_Pa"]["value"] / stress, 1, delta=0.07)
        self.assertAlmostEqual(abs(bar["largest_von_mises_Pa"]["at"][1] - 0.01), 0.01, delta=1e-6)
        self.assertAlmostEqual(bar["safety_factor"], 2.35e8 / bar["largest_von_mises_Pa"]["value"], delta=1e-3)
        support = bar["supports"][0]
        self.assertAlmostEqual(support["force_N"][1], 1000, delta=0.1)
        self.assertAlmostEqual(support["moment_N_m"][2], 100, delta=1.5)
        with open(self.folder / "out" / "static.csv", newline="") as file:
            table = {row["figure"]: float(row["value"]) for row in csv.DictReader(file)}
        self.assertAlmostEqual(table["pins/0 force y"], 1000, delta=0.1)
        self.assertEqual(table["largest displacement"], bar["largest_displacement_m"]["value"])

    def test_a_finished_run_resumes_to_the_same_table(self):
        bar_stl(self.folder / "bar.stl", (100, 20, 20))
        scene = self.write("scene.json", EIGHT_LINES.replace('"meshless"', '{"tets": {"cells": 300}}'))
        self.run_ok("run", scene, "-o", self.folder / "out", "--no-film")
        first = [(self.folder / "out" / name).read_text() for name in ("run.json", "static.csv")]
        self.run_ok("run", scene, "-o", self.folder / "out", "--no-film", "--resume")
        self.assertEqual(first, [(self.folder / "out" / name).read_text() for name in ("run.json", "static.csv")])

    def test_all_problems_of_a_scene_are_told_at_once(self):
        bar_stl(self.folder / "bar.stl", (100, 20, 20))
        scene = json.loads(EIGHT_LINES)
        body = scene["bodies"][0]
        body["material"] = {"E": 2.1e11, "nu": 0.3}
        body["pin"] = body.pop("pins")
        body["loads"].append({"region": {"sphere": {"centre": [9, 0, 0], "radius": 0.1}}, "force": [1, 0, 0]})
        scene["outputs"]["color_by"] = "stress"
        code, _, err = pliant("check", self.write("scene.json", json.dumps(scene)))
        self.assertEqual(code, 2)
        for hint in ('did you mean "young"', 'did you mean "poisson"', 'did you mean "pins"',
                     'did you mean "von_mises"', "the nearest is"):
            self.assertIn(hint, err)

    def test_contact_is_refused_in_a_sentence(self):
        bar_stl(self.folder / "bar.stl", (100, 20, 20))
        scene = json.loads(EIGHT_LINES)
        scene["colliders"] = [{"plane": {}}]
        code, _, err = pliant("check", self.write("scene.json", json.dumps(scene)))
        self.assertEqual(code, 2)
        self.assertIn("contact is no part of the balance", err)


if __name__ == "__main__":
    unittest.main()
