"""Files we write, opened by the programs they are for. Programs that are not installed are skipped with a message; `make deps-check` brings them."""
import json
import math
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

from harness import PLIANT, ROOT, ProgramTest, metrics, pliant

FRAMES = 8
VALIDATOR = """
const validator = require('gltf-validator'), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])), {maxIssues: 100})
  .then(report => console.log(JSON.stringify({issues: report.issues, info: report.info})));
"""
# Debian's glTF add-on uses names that its numpy no longer has.
BLENDER = """
import numpy
for name, kind in (("bool", bool), ("object", object), ("int", int), ("float", float)):
    if not hasattr(numpy, name): setattr(numpy, name, kind)
import bpy, json, sys
out, frames = sys.argv[sys.argv.index("--") + 1:][0], int(sys.argv[-1])
result = {}
def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
def evaluated(thing):
    mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    return [list(thing.matrix_world @ v.co) for v in mesh.vertices]
clear()
bpy.context.scene.render.fps = 60
bpy.ops.import_scene.gltf(filepath=out + "/animation.glb", merge_vertices=False)
thing = [o for o in bpy.data.objects if o.type == "MESH"][0]
result["glb"] = []
result["glb_uv"] = len(thing.data.uv_layers)
for frame in range(frames):
    bpy.context.scene.frame_set(frame)
    result["glb"].append(evaluated(thing))
clear()
bpy.ops.import_mesh.ply(filepath=out + "/ply/ball_0005.ply")
result["ply"] = evaluated(bpy.context.object)
clear()
bpy.ops.import_scene.obj(filepath=out + "/obj/ball_0005.obj", axis_forward="Y", axis_up="Z", split_mode="OFF")
result["obj"] = evaluated(bpy.context.selected_objects[0])
result["obj_uv"] = len(bpy.context.selected_objects[0].data.uv_layers)
clear()
bpy.ops.import_mesh.stl(filepath=out + "/stl/ball_0005.stl")
result["stl"] = evaluated(bpy.context.object)
result["stl_faces"] = len(bpy.context.object.data.polygons)
for kind, name in (("PC2", "ball.pc2"), ("MDD", "ball.mdd")):
    clear()
    bpy.ops.import_scene.obj(filepath=out + "/ball.obj", axis_forward="Y", axis_up="Z", split_mode="OFF")
    thing = bpy.context.selected_objects[0]
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format, cache.filepath = kind, out + "/" + name
    cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    cache.frame_start, cache.play_mode = 0, "SCENE"
    result[name] = []
    for frame in range(frames):
        bpy.context.scene.frame_set(frame)
        result[name].append(evaluated(thing))
clear()
script = out + "/open_in_blender.py"
exec(compile(open(script).read(), script, "exec"), {"__file__": script})
result["fps"] = [bpy.context.scene.render.fps, bpy.context.scene.render.fps_base, bpy.context.scene.frame_end]
bpy.context.scene.frame_set(5)
result["script"] = evaluated([o for o in bpy.data.objects if o.type == "MESH"][0])
json.dump(result, open(out + "/blender.json", "w"))
"""


# Only what is not scaled to nothing is seen.
BLENDER_LONG = BLENDER[:BLENDER.index("out, frames")] + """
path, seen, frames = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 60
bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
result = {}
for frame in json.loads(frames):
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    things = [o.evaluated_get(graph) for o in bpy.data.objects if o.type == "MESH"]
    result[frame] = [[list(o.matrix_world @ v.co) for v in o.to_mesh().vertices] for o in things if o.scale.length > 0]
json.dump(result, open(seen, "w"))
"""


def validate(test, path):
    """By the Khronos validator: neither errors nor warnings. What it found in the file."""
    node = shutil.which("node")
    folders = [os.environ.get("NODE_PATH", ""), os.path.join(os.environ.get("PLIANT_BUILD", ROOT / "build"), "node", "node_modules")]
    found = [folder for folder in folders if folder and (pathlib.Path(folder) / "gltf-validator").exists()]
    if not node or not found:
        test.skipTest("node with gltf-validator is not installed (make deps-check)")
    done = subprocess.run([node, "-e", VALIDATOR, str(path)], capture_output=True, text=True, check=True,
                          env={**os.environ, "NODE_PATH": found[0]})
    report = json.loads(done.stdout)
    test.assertEqual((report["issues"]["numErrors"], report["issues"]["numWarnings"]), (0, 0), report["issues"])
    return report["info"]


def split_sphere(rings=12, sectors=18, radius=0.3):
    """A ball of quads with a texture seam: the first and last column of vertices share their places."""
    points, uvs, faces = [], [], []
    for i in range(rings + 1):
        for j in range(sectors + 1):
            a, b = math.pi * i / rings, 2 * math.pi * (j % sectors) / sectors
            points.append((radius * math.sin(a) * math.cos(b), radius * math.cos(a), -radius * math.sin(a) * math.sin(b)))
            uvs.append((j / sectors, 1 - i / rings))
    at = lambda i, j: i * (sectors + 1) + j + 1
    for i in range(rings):
        for j in range(sectors):
            corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]
            if i == 0: corners.pop()
            if i == rings - 1: corners.pop(1)
            faces.append(corners)
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points] + [f"vt {u!r} {v!r}" for u, v in uvs]
    return "\n".join(lines + ["f " + " ".join(f"{c}/{c}" for c in face) for face in faces]) + "\n", points


def read_pc2(path, wanted=None):
    """Points by frame: all as a list, or those wanted as a dictionary."""
    with open(path, "rb") as file:
        magic, version, points, _, _, frames = struct.unpack("<12siiffi", file.read(32))
        assert magic == b"POINTCACHE2\0" and version == 1
        assert path.stat().st_size == 32 + 12 * points * frames

        def frame(f):
            file.seek(32 + 12 * points * f)
            numbers = struct.unpack(f"<{3 * points}f", file.read(12 * points))
            return [numbers[3 * p:3 * p + 3] for p in range(points)]

        return [frame(f) for f in range(frames)] if wanted is None else {f: frame(f) for f in wanted}


def read_usda(path):
    """As much of USD's text format as we write: {mesh: (face counts, face indices, {time: points})}."""
    text, meshes = path.read_text(), {}
    assert text.startswith("#usda 1.0")
    assert text.count("{") == text.count("}") and text.count("[") == text.count("]") and text.count("(") == text.count(")")
    for name, body in re.findall(r'def Mesh "(\w+)"\s*\{(.*?)\n    \}', text, re.S):
        numbers = lambda key: json.loads(re.search(rf"int\[\] {key} = (\[.*?\])", body)[1])
        samples = re.search(r"points\.timeSamples = \{(.*?)\n        \}", body, re.S)
        if not samples:  # a rigid one
            continue
        samples = samples[1]
        points = {int(time): json.loads(row.replace("(", "[").replace(")", "]"))
                  for time, row in re.findall(r"(\d+): (\[.*?\]),\n", samples + "\n")}
        meshes[name] = numbers("faceVertexCounts"), numbers("faceVertexIndices"), points
    return meshes


class Exports(unittest.TestCase):
    """One run, all formats."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant_test_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        text, cls.points = split_sphere()
        (cls.folder / "ball.obj").write_text(text)
        (cls.folder / "scene.json").write_text(json.dumps({
            "frames": FRAMES - 1, "bodies": [{"file": "ball.obj", "method": {"tets": {"cells": 60}}, "material": "jelly",
                                              "velocity": [0, -4, 1], "spin": [0, 0, 300]}],
            "outputs": {"color_by": "von_mises", "fields": ["J", "velocity_x", "velocity_y", "velocity_z"],
                        "surface": "original", "volume": True},
            "colliders": [{"plane": {"point": [0, -0.6, 0]}, "name": "floor"},
                          {"box": {}, "name": "mill", "place": [0, -5, 0], "spin": {"axis": [0, 1, 0], "degrees_per_second": 90}}]}))
        cls.out = cls.folder / "out"
        cls.ok("run", cls.folder / "scene.json", "-o", cls.folder / "run", "--no-film")
        cls.ok("convert", cls.folder / "run", "--to", "glb,usda,pc2,mdd,obj,ply,stl,vtu,csv", "-o", cls.out)
        cls.frames = read_pc2(cls.out / "ball.pc2")

    @staticmethod
    def ok(*words):
        code, out, err = pliant(*words)
        assert code == 0, err
        return out

    def same(self, ours, theirs, what, tolerance=1e-6):
        self.assertEqual(len(ours), len(theirs), what)
        for p, q in zip(ours, theirs):
            self.assertLess(max(abs(a - b) for a, b in zip(p, q)), tolerance, what)

    def test_first_frame_is_the_model_in_its_order(self):
        self.assertEqual(len(self.frames), FRAMES)
        self.same(self.frames[0], self.points, "frame 0")
        self.assertGreater(max(abs(a - b) for a, b in zip(self.frames[7][40], self.frames[0][40])), 0.01, "it moved")

    def test_usda_read_back(self):
        counts, indices, points = read_usda(self.out / "animation.usda")["ball"]
        self.assertEqual(len(counts), 12 * 18)
        self.assertEqual(sum(counts), len(indices))
        self.assertEqual(sorted(set(counts)), [3, 4])
        self.assertEqual(len(points), FRAMES)
        for time, frame in points.items():
            self.same(self.frames[time], frame, f"time {time}")

    def test_usda_has_velocities_colors_and_colliders(self):
        text = (self.out / "animation.usda").read_text()
        self.assertIn("timeCodesPerSecond = 60\n", text)
        ball, mill = text[text.index('def Mesh "ball"'):text.index('def Mesh "mill"')], text[text.index('def Mesh "mill"'):]

        def samples(name):
            rows = re.search(rf"{re.escape(name)}\.timeSamples = \{{(.*?)\n        \}}", ball, re.S)[1]
            return [json.loads(row.replace("(", "[").replace(")", "]")) for row in re.findall(r"\d+: (\[.*?\]),\n", rows + "\n")]

        velocities = samples("vector3f[] velocities")
        self.assertEqual(len(velocities), FRAMES)
        for point in (0, 40):
            between = [60 / 2 * (b - a) for a, b in zip(self.frames[3][point], self.frames[5][point])]
            self.same([velocities[4][point]], [between], "velocity", 1e-3)
        self.assertEqual({len(frame) for frame in samples("color3f[] primvars:displayColor")}, {len(self.points)})
        self.assertEqual({len(frame) for frame in samples("float[] primvars:von_mises")}, {len(self.points)})
        turns = re.findall(r"\d+: \(\(([-\d.e]+), [-\d.e]+, ([-\d.e]+), 0\)", mill)
        self.assertEqual(len(turns), FRAMES)
        for frame, (cos, sin) in enumerate(turns):  # rows are where the axes go
            angle = math.radians(90 * frame / 60)
            self.assertAlmostEqual(float(cos), math.cos(angle), 6)
            self.assertAlmostEqual(float(sin), -math.sin(angle), 6)

    def test_csv(self):
        rows = (self.out / "ball.csv").read_text().splitlines()
        self.assertEqual(rows[0], "frame,time_s,vertex,x_m,y_m,z_m,von_mises,J,velocity_x,velocity_y,velocity_z")
        self.assertEqual(len(rows), 1 + FRAMES * len(self.points))
        for row in rows[1 + 5 * len(self.points):][:20]:
            cells = [float(cell) for cell in row.split(",")]
            self.same([self.frames[5][int(cells[2])]], [cells[3:6]], row)

    def test_khronos_validator(self):
        still = self.folder / "still"
        self.ok("convert", self.folder / "run", "--to", "glb", "-o", still, "--frames", "3")
        for path in (self.out / "animation.glb", self.folder / "run/animation.glb", still / "animation.glb"):
            info = validate(self, path)
            self.assertTrue(info["hasMorphTargets"] or path.parent == still)

    def test_blender(self):
        blender = shutil.which("blender")
        if not blender:
            self.skipTest("blender is not installed (make deps-check)")
        script = self.folder / "look.py"
        script.write_text(BLENDER)
        done = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "7", "--python", script, "--",
                               self.out, str(FRAMES)], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        seen = json.loads((self.out / "blender.json").read_text())
        turned = lambda points: [(x, -z, y) for x, y, z in points]  # y up to Blender's z up
        # Blender drops the two vertices at the poles that no face uses.
        used = [i for i in range(len(self.points)) if i not in (18, 12 * 19)]
        for frame in range(FRAMES):
            self.same(turned([self.frames[frame][i] for i in used]), seen["glb"][frame], f"glb {frame}", 1e-5)
            self.same(self.frames[frame], seen["ball.pc2"][frame], f"pc2 {frame}")
            self.same(self.frames[frame], seen["ball.mdd"][frame], f"mdd {frame}", 1e-5)
        self.same(self.frames[5], seen["ply"], "ply")
        self.same(self.frames[5], seen["obj"], "obj", 1e-5)
        self.assertEqual(seen["fps"], [60, 1, FRAMES - 1])
        self.same([(x, -z, y) for x, y, z in self.frames[5]], seen["script"], "open_in_blender.py", 1e-5)  # z is up there
        self.assertEqual((seen["glb_uv"], seen["obj_uv"]), (1, 1))
        self.assertEqual(seen["stl_faces"], 2 * 11 * 18)
        self.same(sorted(set(self.frames[5])), sorted(map(tuple, seen["stl"])), "stl")  # where it knows points of one place as one

    def test_vtk(self):
        try:
            import vtk
        except ImportError:
            self.skipTest("python3-vtk9 is not installed (make deps-check)")
        listed = re.findall(r'timestep="([^"]+)" part="0" file="([^"]+)"', (self.out / "animation.pvd").read_text())
        self.assertEqual(len(listed), FRAMES)
        for frame, (time, name) in enumerate(listed):
            self.assertAlmostEqual(float(time), frame / 60)
            reader = vtk.vtkXMLUnstructuredGridReader()
            reader.SetFileName(str(self.out / name))
            reader.Update()
            grid = reader.GetOutput()
            self.same(self.frames[frame], [grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())], name)
            data = grid.GetPointData()
            fields = {data.GetArrayName(i): data.GetArray(i).GetNumberOfComponents() for i in range(data.GetNumberOfArrays())}
            self.assertEqual(fields, {"displacement_vector": 3, "velocity": 3, "von_mises": 1, "J": 1})
            moved = data.GetArray("displacement_vector").GetTuple(40)
            self.same([moved], [[a - b for a, b in zip(self.frames[frame][40], self.frames[0][40])]], "displacement")
            if frame == 0:
                continue
            ratio = data.GetArray("J").GetRange()
            self.assertTrue(0.3 < ratio[0] <= ratio[1] < 2, ratio)

    def test_vtk_opens_what_is_inside(self):
        try:
            import vtk
        except ImportError:
            self.skipTest("python3-vtk9 is not installed (make deps-check)")
        listed = re.findall(r'file="([^"]+)"', (self.out / "volume.pvd").read_text())
        self.assertEqual(len(listed), FRAMES)
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.out / listed[5]))
        reader.Update()
        grid = reader.GetOutput()
        self.assertGreaterEqual(grid.GetNumberOfCells(), 60)
        self.assertEqual({grid.GetCellType(i) for i in range(grid.GetNumberOfCells())}, {vtk.VTK_TETRA})
        names = lambda data: {data.GetArrayName(i): data.GetArray(i).GetNumberOfComponents() for i in range(data.GetNumberOfArrays())}
        self.assertEqual(names(grid.GetPointData()), {"displacement": 3, "velocity": 3})
        cells = grid.GetCellData()
        self.assertEqual(names(cells), {"J": 1, "von_mises": 1, "stress": 6, "principal_stress": 3, "plastic_strain": 1})
        for i in range(0, grid.GetNumberOfCells(), 17):
            xx, yy, zz, xy, yz, xz = cells.GetArray("stress").GetTuple(i)
            size = math.sqrt(0.5 * ((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) + 3 * (xy**2 + yz**2 + xz**2))
            self.assertAlmostEqual(cells.GetArray("von_mises").GetValue(i) / size, 1, 3)
            first, second, third = cells.GetArray("principal_stress").GetTuple(i)
            self.assertTrue(first >= second >= third)
            self.assertAlmostEqual((first + second + third) / (xx + yy + zz), 1, 3)

    def test_stl_and_ply_are_read_by_ourselves(self):
        for name in ("stl/ball_0005.stl", "ply/ball_0005.ply", "obj/ball_0005.obj", "animation.glb"):
            found = json.loads(self.ok("inspect", self.out / name, "--json"))
            self.assertTrue(found["closed"], name)
            self.assertTrue(found["makes_a_body"], name)


class LongFilms(unittest.TestCase):
    """A film that is long for its files: cut into pieces, killed on the way, and too large to be kept in memory."""

    FRAMES = 2000

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant_test_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        (cls.folder / "scene.json").write_text(json.dumps({
            "frames": cls.FRAMES - 1, "substeps": 1, "gravity": [0, 0, 0], "bodies": [
                {"name": "ball", "sphere": {"radius": 0.3}, "method": {"tets": {"cells": 60}}, "material": "jelly",
                 "spin": [0, 0, 100], "velocity": [0, 0, 0.2]}],
            "outputs": {"film": False, "picture": False, "ply": False, "glb": False}}))
        cls.run_folder = cls.folder / "run"
        code, _, err = pliant("run", cls.folder / "scene.json", "-o", cls.run_folder)
        assert code == 0, err
        cls.whole = cls.folder / "whole"
        cls.memory = {}
        for format in ("glb", "usda", "csv", "pc2"):
            for frames in (50, cls.FRAMES):
                cls.memory[format, frames] = cls.peak("convert", cls.run_folder, "--to", format, "-q", "-o", cls.whole,
                                                      "--frames", f"0:{frames - 1}")

    @staticmethod
    def peak(*words):
        """Runs the program; the most memory that it had at any moment [bytes]."""
        process = subprocess.Popen([PLIANT, *map(str, words)])
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return 1024 * used.ru_maxrss

    def test_frames_do_not_pile_up_in_memory(self):
        recorded = (self.run_folder / "recording.bin").stat().st_size
        self.assertGreater(recorded, 15e6)
        for format in ("glb", "usda", "csv", "pc2"):
            more = self.memory[format, self.FRAMES] - self.memory[format, 50]
            # What a .glb must say of each frame stands at its beginning, so it is kept until the end.
            self.assertLess(more, 2e6 + (3000 * self.FRAMES if format == "glb" else 0), format)

    def test_killed_and_stopped_conversions_go_on_to_the_same_bytes(self):
        for format, name in (("glb", "animation.glb"), ("usda", "animation.usda"), ("csv", "ball.csv")):
            for sent in (signal.SIGKILL, signal.SIGINT):
                out = self.folder / f"{format}_{sent}"
                words = ["convert", self.run_folder, "--to", format, "-o", out]
                process = subprocess.Popen([PLIANT, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                           text=True)
                part = out / (name + ".part")
                while process.poll() is None and not (part.exists() and part.stat().st_size > 9 << 20):
                    time.sleep(0.001)
                process.send_signal(sent)
                said = process.communicate()[1]
                self.assertEqual(process.returncode, -9 if sent == signal.SIGKILL else 130, said)
                self.assertFalse((out / name).exists(), "half a file under the final name")
                self.assertGreater(part.stat().st_size, 8 << 20)
                self.assertGreater((out / (name + ".frames.part")).stat().st_size, 1000)
                if sent == signal.SIGINT:
                    self.assertIn("--resume goes on", said)
                code, _, err = pliant(*words, "--resume")
                self.assertEqual(code, 0, err)
                self.assertEqual((out / name).read_bytes(), (self.whole / name).read_bytes(), f"{format} {sent}")
                self.assertEqual(sorted(p.name for p in out.iterdir()), sorted((name, "convert.log")))

    def test_a_film_in_pieces_is_the_recorded_one_in_blender(self):
        blender = shutil.which("blender")
        if not blender:
            self.skipTest("blender is not installed (make deps-check)")
        script = self.folder / "look.py"
        script.write_text(BLENDER_LONG)
        frames = [0, 1, 238, 239, 240, 241, 600, 1999]
        done = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "7", "--python", script, "--",
                               self.whole / "animation.glb", self.folder / "seen.json", json.dumps(frames)],
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        expected = read_pc2(self.whole / "ball.pc2", frames)
        for frame, shown in json.loads((self.folder / "seen.json").read_text()).items():
            self.assertEqual(len(shown), 1, f"meshes seen in frame {frame}")
            for (x, y, z), q in zip(expected[int(frame)], shown[0], strict=True):
                self.assertLess(max(abs(a - b) for a, b in zip((x, -z, y), q)), 1e-5, frame)

    def test_khronos_validator(self):
        validate(self, self.whole / "animation.glb")


class Seams(ProgramTest):
    def test_a_ball_with_a_texture_seam_bounces_for_five_seconds_and_keeps_its_volume(self):
        self.write("ball.obj", split_sphere()[0])
        scene = self.write("scene.json", json.dumps({
            "frames": 300, "bodies": [{"file": "ball.obj", "method": {"tets": {"cells": 60}}, "place": [0, 1, 0],
                                       "material": "rubber"}],
            "colliders": [{"plane": {}}], "outputs": {"ply": False, "glb": False}}))
        code, _, err = pliant("run", scene, "-o", self.folder / "run", "--no-film")
        self.assertEqual(code, 0, err)
        self.assertNotIn("open", err)
        rows = metrics(self.folder / "run")
        self.assertEqual(len(rows), 301)
        self.assertGreater(max(row["contacts"] for row in rows), 0)
        for row in rows:
            self.assertLess(abs(row["skin_volume_ratio"] - 1), 0.05, row["frame"])
        self.run_ok("convert", self.folder / "run", "--to", "pc2")
        frames = read_pc2(self.folder / "run/convert/ball.pc2")
        for frame in frames:
            for i in range(13):
                self.assertEqual(frame[i * 19], frame[i * 19 + 18], "the seam opened")


class Inspect(ProgramTest):
    def test_the_table_the_json_and_the_picture(self):
        model = self.write("ball.obj", split_sphere()[0])
        text = self.run_ok("inspect", model, "--picture", self.folder / "ball.png")
        for word in ("closed", "they agree", "tets", "substeps", "count as one", "texture"):
            self.assertIn(word, text)
        self.assertEqual((self.folder / "ball.png").read_bytes()[:4], b"\x89PNG")
        found = json.loads(self.run_ok("inspect", model, "--unit", "mm", "--json"))
        self.assertEqual(found["findings"]["holes"]["count"], 0)
        self.assertGreater(found["findings"]["seams"]["count"], 10)
        self.assertAlmostEqual(found["size_m"][1], 0.0006)

    def test_strict_accepts_a_good_model_and_no_other(self):
        text, _ = split_sphere()
        good = self.write("good.obj", text)
        scene = self.write("scene.json", json.dumps({"frames": 1, "bodies": [{"file": "open.obj"}]}))
        holed = self.write("open.obj", "\n".join(text.splitlines()[:-40]) + "\n")
        for words in (["inspect", holed], ["check", scene], ["run", scene, "-o", self.folder / "a", "--no-film"],
                      [holed, "-o", self.folder / "b", "--no-film", "--frames", "1"]):
            code, _, err = pliant(*words, "--strict")
            self.assertEqual(code, 2, words)
            self.assertIn("open", err)
            self.assertFalse((self.folder / "a").exists() or (self.folder / "b").exists(), "something was written")
            self.assertEqual(pliant(*words)[0], 0, words)
            shutil.rmtree(self.folder / "a", ignore_errors=True)
        self.run_ok("inspect", good, "--strict")

    def test_models_are_converted(self):
        model = self.write("ball.obj", split_sphere()[0])
        for name in ("a.stl", "a.ply", "b.obj"):
            self.run_ok("convert", model, "-o", self.folder / name)
            found = json.loads(self.run_ok("inspect", self.folder / name, "--json"))
            self.assertAlmostEqual(found["volume_m3"], 4 / 3 * math.pi * 0.027, delta=0.008)

    def test_mistakes(self):
        model = self.write("ball.obj", split_sphere()[0])
        for words in (["inspect", "nowhere.obj"], ["inspect", model, "--unit", "ell"], ["convert", self.folder],
                      ["convert", self.folder, "--to", "obj"], ["convert", model], ["convert", model, "-o", "a.fbx"],
                      ["convert", "nowhere", "--to", "obj"]):
            code, _, err = pliant(*words)
            self.assertEqual(code, 2, words)
            self.assertGreater(len(err), 10)


if __name__ == "__main__":
    unittest.main()
