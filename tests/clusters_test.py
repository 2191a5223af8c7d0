"""Bodies of clusters as a user has them: what is refused, cuts and blades, mass to the digit, kills, and conversions."""
import csv
import json
import re
import signal
import subprocess
import time
import unittest

from harness import PLIANT, ROOT, ProgramTest, pliant

PLASTIC = {"young": 1e5, "poisson": 0.45, "plastic": {"yield": 2000, "flow": 20}}
BOX = {"box": {"size": [0.4, 0.2, 0.2]}, "name": "box", "place": [0, 0.12, 0], "material": PLASTIC,
       "method": {"clusters": {"particles": 300}}}
ACROSS = {"point": [0.05, 0, 0], "normal": [1, 0, 0]}
BLADE = {"box": {"size": [0.004, 0.3, 0.4]}, "name": "blade", "cuts": True, "place": [-0.08, 0.4, 0],
         "keyframes": [{"time": 0}, {"time": 0.2, "move": [0, -0.26, 0]}, {"time": 0.3}]}


def body(**changes):
    return {**BOX, **changes}


def material(**plastic):
    return {**PLASTIC, "plastic": {**PLASTIC["plastic"], **plastic}}


# What is wrong: (scene, words the answer must have)
WRONG = {
    "plastic meshless": ({"bodies": [body(method="meshless")]}, ["/bodies/0/material/plastic", "meshless", "cannot flow"]),
    "plastic rigid": ({"bodies": [body(method="rigid")]}, ["/bodies/0/material/plastic", "rigid", "cannot flow"]),
    "fracture of tets": ({"bodies": [body(method="tets", material=material(fracture=0.5))]},
                         ["/bodies/0/material/plastic/fracture", "tets", "do not break"]),
    "static": ({"static": True, "bodies": [BOX]}, ["/bodies/0/method", "clusters", "static"]),
    "start": ({"bodies": [body(start={"scramble": "plane"})]}, ["/bodies/0/start", "clusters"]),
    "attachment": ({"bodies": [BOX], "attachments": [{"body": "box", "to": "world", "region": {"half_space": {"point": [0, 0, 0]}}}]},
                   ["/attachments/0", "box", "flows"]),
    "open surface": ({"bodies": [body(file="open.obj", box=None)]}, ["/bodies/0/file", "open"]),
    "yield below 0": ({"bodies": [body(material={**PLASTIC, "plastic": {"yield": -1}})]},
                      ["/bodies/0/material/plastic/yield", "-1", "at least 0"]),
    "flow below 0": ({"bodies": [body(material=material(flow=-2))]}, ["/bodies/0/material/plastic/flow", "-2", "at least 0"]),
    "few particles": ({"bodies": [body(method={"clusters": {"particles": 100}})]},
                      ["/bodies/0/method/clusters/particles", "100", "at least 200"]),
    "coarse particles": ({"bodies": [body(method={"clusters": {"radius": 0.1}})]}, ["/bodies/0", "at least 200"]),
    "cut of nobody": ({"bodies": [BOX], "cuts": [{"body": "bax", "plane": ACROSS}]}, ["/cuts/0/body", "bax", "box"]),
    "cut of tets": ({"bodies": [{"box": {}, "name": "block", "method": "tets"}], "cuts": [{"body": "block", "plane": ACROSS}]},
                    ["/cuts/0/body", "tets", "cannot be cut"]),
    "cut without a plane": ({"bodies": [BOX], "cuts": [{"body": "box"}]}, ["/cuts/0", "plane", "polygon"]),
    "cut that is not flat": (
        {"bodies": [BOX], "cuts": [{"body": "box", "polygon": [{"point": p} for p in
                                                               ([0, 0, 0], [0, 1, 0], [0.3, 1, 1], [0, 0, 1])]}]},
        ["/cuts/0/polygon", "flat"]),
    "blade that is a ball": ({"bodies": [BOX], "colliders": [{"sphere": {}, "cuts": True}]}, ["/colliders/0/cuts", "box"]),
}


class Refused(ProgramTest):
    def test_wrong_scenes(self):
        self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n")
        for name, (scene, words) in WRONG.items():
            with self.subTest(name):
                scene = {**scene, "bodies": [{k: v for k, v in b.items() if v is not None} for b in scene["bodies"]]}
                if name == "open surface":
                    scene["bodies"][0] = {k: v for k, v in scene["bodies"][0].items() if k != "box"}
                path = self.write("scene.json", json.dumps(scene))
                code, out, err = pliant("check", path, timeout=60)
                self.assertEqual(code, 2, out + err)
                for word in ["scene.json", *words]:
                    self.assertIn(word, err)


class Cut(ProgramTest):
    SCENE = {"frames": 24, "bodies": [BOX], "colliders": [{"plane": {}}, BLADE],
             "cuts": [{"body": "box", "time": 0.1, "plane": ACROSS},
                      {"body": "box", "time": 0.2, "plane": {"point": [3, 0, 0], "normal": [1, 0, 0]}},
                      {"body": "box", "time": 9, "plane": ACROSS}],
             "outputs": {"film": False, "picture": False, "glb": False}}

    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.json", json.dumps(self.SCENE))
        self.out = self.folder / "out"
        self.command = ["run", self.scene, "-o", self.out, "--hash"]

    def test_pieces_come_off_and_the_mass_stays_to_the_digit(self):
        code, _, err = pliant(*self.command)
        self.assertEqual(code, 0, err)
        with open(self.out / "metrics.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        pieces = [int(float(row["pieces"])) for row in rows]
        self.assertEqual(sorted(set(pieces)), [1, 2, 3])
        self.assertEqual(pieces, sorted(pieces))
        self.assertEqual(pieces[6:8], [1, 2], "cut after the sixth frame")
        self.assertEqual(len({row["mass_kg"] for row in rows}), 1)
        self.assertIn("cuts/1: nothing was cut at 0.2 s", err)
        self.assertIn("cuts/2: box was not cut", err)
        self.assertNotIn("cuts/0", err)

    def test_the_same_on_any_number_of_threads_and_after_a_kill(self):
        hashes = {self.run_ok(*self.command, "-q", "--overwrite", "--threads", threads).strip() for threads in (1, 2, 3, 7)}
        self.assertEqual(len(hashes), 1, hashes)
        recorded = (self.out / "recording.bin").read_bytes()
        killed = self.folder / "killed"
        command = ["run", self.scene, "-o", killed, "--hash", "-q"]
        process = subprocess.Popen([PLIANT, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (killed / "checkpoint.bin").exists():
            time.sleep(0.02)
        time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(self.run_ok(*command, "--resume").strip(), hashes.pop())
        self.assertEqual((killed / "recording.bin").read_bytes(), recorded)


class Broken(ProgramTest):
    def test_bars_break_the_same_on_other_threads_and_after_a_stop(self):
        scene = ROOT / "scenes/bars/scene.json"  # a bar breaks in frame 32
        whole, stopped = self.folder / "whole", self.folder / "stopped"
        command = ["run", scene, "--no-film", "-q", "--hash"]
        wanted = self.run_ok(*command, "-o", whole, "--frames", 36, "--threads", 1).strip()
        self.run_ok(*command, "-o", stopped, "--frames", 30, "--threads", 3)
        self.assertEqual(self.run_ok(*command, "-o", stopped, "--frames", 36, "--resume").strip(), wanted)
        with open(stopped / "metrics.csv", newline="") as file:
            pieces = [float(row["pieces"]) for row in csv.DictReader(file)]
        self.assertEqual((pieces[30], pieces[-1]), (3, 4))


class Thin(ProgramTest):
    def test_parts_thinner_than_two_radii_are_told(self):
        plate = body(box={"size": [0.4, 0.4, 0.03]})
        finned = body(parts=[{"box": {"size": [0.3, 0.01, 0.3]}, "place": [0.3, 0, 0]}])
        for thin in (plate, finned):
            scene = self.write("scene.json", json.dumps({"bodies": [thin]}))
            code, out, err = pliant("check", scene)
            self.assertEqual(code, 0, err)
            self.assertIn("thinner than two radii", out + err)


def textured_box(sides):
    """A box of 0.4 x 0.2 x 0.2 m with texture coordinates that are places: u = x, v = y + z."""
    points, lines, faces = {}, [], []

    def number(p):
        if p not in points:
            points[p] = len(points) + 1
            lines.append(f"v {p[0]} {p[1]} {p[2]}\nvt {p[0] + 0.5} {p[1] + p[2] + 0.5}")
        return points[p]

    size = (0.4, 0.2, 0.2)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for end in (-1, 1):
            for i in range(sides):
                for j in range(sides):
                    corners = []
                    for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)):
                        p = [0.0, 0.0, 0.0]
                        p[axis], p[u], p[v] = end * size[axis] / 2, size[u] * (a / sides - 0.5), size[v] * (b / sides - 0.5)
                        corners.append(number(tuple(round(c, 9) for c in p)))
                    faces.append(corners if end > 0 else corners[::-1])
    lines.append("g crust")
    return "\n".join(lines + [f"f {' '.join(f'{c}/{c}' for c in face)}" for face in faces]) + "\n"


class Converted(ProgramTest):
    def test_every_frame_is_written_or_the_format_refuses(self):
        self.write("box.obj", textured_box(4))
        elastic = {"young": 1e5, "poisson": 0.4}
        scene = self.write("scene.json", json.dumps({
            "frames": 4, "gravity": [0, 0, 0], "colliders": [],
            "bodies": [{"file": "box.obj", "name": "box", "material": elastic, "method": {"clusters": {"particles": 300}}}],
            "cuts": [{"body": "box", "time": 0.03, "plane": {"point": [0.05, 0, 0], "normal": [1, 0.3, 0]}}],
            "outputs": {"film": False, "picture": False, "glb": False, "surface": "original"}}))
        out = self.folder / "out"
        self.run_ok("run", scene, "-o", out)
        self.run_ok("convert", out, "--to", "glb,usda,ply,obj,vtu", "-o", self.folder / "all")
        for kind in ("ply", "obj", "vtu"):
            self.assertEqual(len(list((self.folder / "all").rglob(f"*.{kind}"))), 5, kind)
        self.assertIn("faceVertexIndices.timeSamples", (self.folder / "all" / "animation.usda").read_text())
        last = sorted((self.folder / "all").rglob("*.obj"))[-1].read_text()
        points, places, group, inside, crust = [], [], "", 0, 0
        for line in last.splitlines():
            word, *rest = line.split()
            if word == "v":
                points.append([float(x) for x in rest])
            elif word == "vt":
                places.append([float(x) for x in rest])
            elif word == "g":
                group = rest[0]
            elif word == "f" and group == "inside":
                inside += 1
            elif word == "f":
                crust += 1
                for corner in rest:
                    v, vt = (int(n) - 1 for n in corner.split("/")[:2])
                    x, y, z = points[v]
                    if abs(x - 0.05 + 0.3 * y) < 0.04:
                        continue  # beside the cut, whose sides were moved apart
                    self.assertLess(abs(places[vt][0] - x - 0.5), 2e-6)
                    self.assertLess(abs(places[vt][1] - y - z - 0.5), 2e-6)
        self.assertGreater(inside, 20)
        self.assertGreater(crust, 100)
        code, _, err = pliant("convert", out, "--to", "pc2", "-o", self.folder / "pc2")
        self.assertEqual(code, 2)
        for word in ("box", "frame", "glb", "usda"):
            self.assertIn(word, err)
        self.assertTrue(re.search(r"frame \d", err), err)


if __name__ == "__main__":
    unittest.main()
