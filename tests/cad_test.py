"""Frames as CAD files, opened by FreeCAD, and damaged CAD files. FreeCAD is skipped with a message where it is not installed (make deps-check)."""
import itertools
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

from harness import MODELS, ProgramTest, metrics, pliant

FRAME = 3
# What FreeCAD makes of files: poles [mm] by face, area [mm^2], whether it finds anything wrong.
LOOK = """
import json, Part
seen = {}
for path in json.load(open("PATHS")):
    shape = Part.Shape()
    shape.read(path)
    seen[path] = {"faces": [[list(p) for row in face.Surface.getPoles() for p in row] for face in shape.Faces],
                  "area": shape.Area, "valid": shape.isValid()}
json.dump(seen, open("SEEN", "w"))
"""


def control_points(run, frame, count):
    """The last `count` points of a frame [m], which is where recordings have control points."""
    data = (run / "recording.bin").read_bytes()
    at = 8
    for _ in range(frame + 1):  # the header, and frames before
        at += 8 + struct.unpack_from("<Q", data, at)[0]
    size = struct.unpack_from("<Q", data, at)[0]
    numbers = struct.unpack_from(f"<{3 * count}d", data, at + 8 + size - 24 * count)
    return [numbers[3 * i:3 * i + 3] for i in range(count)]


def area(path):
    """Of the triangles of an .obj."""
    points, total = [], 0
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            points.append([float(w) for w in words[1:4]])
        if words[:1] == ["f"]:
            p, q, r = (points[int(w.split("/")[0]) - 1] for w in words[1:4])
            a, b = [y - x for x, y in zip(p, q)], [y - x for x, y in zip(p, r)]
            cross = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
            total += sum(c * c for c in cross) ** 0.5 / 2
    return total


class Frames(unittest.TestCase):
    """A box made here, and a chicken with trimmed faces where that model is at hand."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant_test_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        bodies = {"block": {"box": {"size": [0.3, 0.2, 0.1]}}}
        chicken = MODELS / "nurbs/chicken_simple_closed.iges"
        if chicken.exists():
            shutil.copy(chicken, cls.folder)
            bodies["chicken"] = {"file": chicken.name, "scale": 0.1, "up": "z", "rotate": [20, 0, 0]}
        for name, body in bodies.items():
            body.update({"name": name, "material": "rubber", "spin": [100, 0, 300], "method": "nurbs"})
            (cls.folder / f"{name}.json").write_text(json.dumps({
                "frames": FRAME, "substeps": 2, "bodies": [body], "colliders": [],
                "outputs": {"film": False, "picture": False, "ply": False, "glb": False}}))
            for words in (["run", cls.folder / f"{name}.json", "-o", cls.folder / name],
                          ["convert", cls.folder / name, "--to", "step,iges,obj", "--frames", FRAME]):
                code, _, err = pliant(*words)
                assert code == 0, err
        cls.bodies = sorted(bodies)

    def file(self, body, kind):
        return self.folder / body / "convert" / kind / f"{body}_{FRAME:04}.{kind}"

    def test_one_file_a_frame_that_was_asked_for(self):
        for kind in ("step", "iges"):
            self.assertEqual([p.name for p in self.file("block", kind).parent.iterdir()], [f"block_{FRAME:04}.{kind}"])

    def same_places(self, points, others, tolerance):
        """Each point has one of the others near it."""
        step = 10 * tolerance
        cells = {tuple(round(c / step) for c in q): q for q in others}
        self.assertEqual(len(points), len(others))
        for p in points:
            near = [cells.get(tuple(round(c / step) + d for c, d in zip(p, shift)))
                    for shift in itertools.product((-1, 0, 1), repeat=3)]
            self.assertTrue(any(q and math.dist(p, q) < tolerance for q in near), f"nobody is at {p}")

    def test_freecad_sees_the_control_points_that_were_simulated(self):
        freecad = shutil.which("freecadcmd") or shutil.which("FreeCADCmd")
        if not freecad:
            self.skipTest("freecadcmd is not installed (make deps-check)")
        paths = [str(self.file(body, kind)) for body in self.bodies for kind in ("step", "iges")]
        (self.folder / "paths.json").write_text(json.dumps(paths))
        script = self.folder / "look.py"
        script.write_text(LOOK.replace("PATHS", str(self.folder / "paths.json")).replace("SEEN", str(self.folder / "seen.json")))
        done = subprocess.run([freecad, script], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        self.assertTrue((self.folder / "seen.json").exists(), done.stdout[-2000:] + done.stderr[-2000:])
        seen = json.loads((self.folder / "seen.json").read_text())
        for body in self.bodies:
            for kind in ("step", "iges"):
                found = seen[str(self.file(body, kind))]
                self.assertTrue(found["valid"], kind)
                # Welded control points are one, so as many as are told apart.
                poles = sorted({tuple(c / 1000 for c in p) for face in found["faces"] for p in face})
                points = control_points(self.folder / body, FRAME, len(poles))
                size = max(b - a for a, b in zip(map(min, *poles), map(max, *poles)))
                self.same_places(poles, points, 1e-9 * size)
                self.assertAlmostEqual(found["area"] / 1e6 / area(self.file(body, "obj")), 1, delta=0.02, msg=f"{body} {kind}")


class Names(ProgramTest):
    """What a file calls its solids is the name of a group, is shown, and comes back after a simulation."""

    def parts(self, path):
        return json.loads(self.run_ok("inspect", path, "--method", "rigid", "--json"))["cad"]["parts"]

    def test_a_named_solid_is_shown_pinned_and_written_back(self):
        model = self.folder / "block.step"
        self.run_ok("model", "box", "-o", model)
        model.write_text(re.sub(r"PRODUCT\('[^']*',\s*'[^']*'", "PRODUCT('Block 7','Block 7'", model.read_text()))
        expected = [{"name": "Block 7", "faces": [1, 2, 3, 4, 5, 6]}]
        self.assertEqual(self.parts(model), expected)
        self.assertIn('parts      "Block 7": faces 1-6', self.run_ok("inspect", model, "--method", "rigid"))
        scene = {"frames": 1, "substeps": 1,
                 "bodies": [{"file": model.name, "name": "body", "material": "rubber", "method": "nurbs",
                             "pins": [{"region": {"group": "Block 7"}}]}],
                 "outputs": {"film": False, "picture": False, "glb": False}}
        self.run_ok("run", self.write("scene.json", json.dumps(scene)), "-o", self.folder / "out", "-q")
        self.run_ok("convert", self.folder / "out", "--to", "step,iges", "--frames", "1")
        for kind in ("step", "iges"):
            self.assertEqual(self.parts(self.folder / f"out/convert/{kind}/body_0001.{kind}"), expected, kind)
        scene["bodies"][0]["pins"][0]["region"]["group"] = "Block 8"
        code, _, err = pliant("check", self.write("wrong.json", json.dumps(scene)))
        self.assertEqual(code, 2)
        self.assertIn("Block 7", err)


class Authors(ProgramTest):
    """The models of the paper's authors: gaps, overlaps, trims, faces that look the wrong way, an open bottom."""

    STEPS = 100

    def drops(self, path):
        found = json.loads(self.run_ok("inspect", path, "--json"))
        self.assertGreater(len(found["cad"]["faces"]), 5)
        self.assertTrue(found["makes_a_body"], found["refusal"])
        size = max(found["size_m"])
        shutil.copy(path, self.folder)
        # A metre large, thrown at the floor a tenth of a metre below.
        scene = self.write("scene.json", json.dumps({
            "frames": math.ceil(self.STEPS / 8), "substeps": 8, "touch": "bodies",
            "bodies": [{"file": path.name, "up": "z", "name": "body", "scale": 1 / size, "velocity": [0, -2, 0]}],
            "outputs": {"film": False, "picture": False, "ply": False, "glb": False}}))
        self.run_ok("run", scene, "-o", self.folder / "out", "-q", timeout=600)
        rows = metrics(self.folder / "out")
        self.assertTrue(all(math.isfinite(value) for row in rows for value in row.values()))
        self.assertGreater(min(row["volume_ratio"] for row in rows), 0.8)
        self.assertEqual(max(row["inverted"] for row in rows), 0)
        return rows


def add_model(path):
    def test(self):
        self.drops(path)

    setattr(Authors, f"test_{path.stem}", test)


found = sorted((MODELS / "nurbs").glob("*.ig*s"))
for model in found:
    add_model(model)
if not found:
    Authors.test_models = unittest.skip(f"no models at {MODELS}")(lambda self: None)


class Damage(ProgramTest):
    def test_damaged_files_are_one_sentence_and_exit_code_2(self):
        scene = self.write("scene.json", json.dumps({
            "frames": 0, "bodies": [{"name": "a", "box": {"size": [1, 1, 1]}, "method": {"nurbs": {"voxels": 500}}}],
            "outputs": {"film": False, "picture": False}}))
        self.run_ok("run", scene, "-o", self.folder / "run")
        self.run_ok("convert", self.folder / "run", "--to", "step,iges")
        for kind in ("step", "iges"):
            whole = (self.folder / f"run/convert/{kind}/a_0000.{kind}").read_text()
            for name, text in (("empty", ""), ("cut", whole[:len(whole) // 2]), ("words", "Dear Sir or Madam\n" * 20)):
                model = self.write(f"{name}.{kind}", text)
                for command, out in (([model, "-o"], "out"), (["inspect", model, "--picture"], "out.png"),
                                     (["convert", model, "-o"], "out.obj")):
                    code, _, err = pliant(*command, self.folder / out)
                    self.assertEqual(code, 2, f"{command} {name}.{kind}: {err}")
                    self.assertIn(f"{name}.{kind}", err)
                    self.assertFalse((self.folder / out).exists(), "something was written")

    def test_cad_models_are_converted_into_cad_and_triangles_are_not(self):
        scene = self.write("scene.json", json.dumps({
            "frames": 0, "bodies": [{"name": "a", "box": {"size": [1, 1, 1]}, "method": {"nurbs": {"voxels": 500}}}],
            "outputs": {"film": False, "picture": False}}))
        self.run_ok("run", scene, "-o", self.folder / "run")
        self.run_ok("convert", self.folder / "run", "--to", "step")
        self.run_ok("convert", self.folder / "run/convert/step/a_0000.step", "-o", self.folder / "b.iges")
        self.run_ok("convert", self.folder / "b.iges", "-o", self.folder / "c.obj")
        self.assertAlmostEqual(area(self.folder / "c.obj"), 6, delta=1e-6)
        code, _, err = pliant("convert", self.folder / "c.obj", "-o", self.folder / "d.step")
        self.assertEqual(code, 2)
        self.assertIn("is no CAD model", err)


if __name__ == "__main__":
    unittest.main()
