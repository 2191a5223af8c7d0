"""What attackers and accidents leave: names that lead elsewhere, numbers beyond all bounds, full disks. One sentence, right code."""
import json
import os
import struct
import subprocess
import unittest

from harness import PLIANT, ProgramTest, metrics, pliant

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
SHEET = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n"


def gltf(name="a.bin", number="0"):
    """A triangle whose buffer is a file."""
    return ('{"asset": {"version": "2.0"}, "buffers": [{"uri": %s, "byteLength": 36}],'
            '"bufferViews": [{"buffer": 0, "byteLength": 36}],'
            '"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],'
            '"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],'
            '"nodes": [{"mesh": 0, "translation": [%s, 0, 0]}], "scenes": [{"nodes": [0]}]}' % (json.dumps(name), number))


class Names(ProgramTest):
    def test_a_model_on_the_command_line_is_a_file_whatever_its_name(self):
        names = [b"a:b.obj", b"~x.obj", b"back\\slash.obj", b"tab\there.obj", b"new\nline.obj", b"latin\xe9.obj", b"-x.obj",
                 "b\u00e4r \u202e.obj".encode(), b"x" * 150 + b".obj", b"...obj"]
        for number, name in enumerate(names):
            with self.subTest(name):
                path = os.fsencode(self.folder) + b"/" + name
                with open(path, "w") as file:
                    file.write(TETRAHEDRON)
                out = self.folder / f"out{number}"
                for words in ((os.fsdecode(path), "--frames", "1", "--no-film", "-o", out), ("inspect", os.fsdecode(path), "--json")):
                    done = subprocess.run([PLIANT, *map(str, words)], capture_output=True, timeout=60, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(json.loads(done.stdout)["makes_a_body"])
                json.loads((out / "run.json").read_text())
                code, _, err = pliant("convert", out, "--to", "obj,pc2")
                self.assertEqual(code, 0, err)

    def test_results_of_a_model_with_an_odd_name_stay_in_the_folder(self):
        (self.folder / "in").mkdir()
        self.write("in/...obj", TETRAHEDRON)
        self.run_ok("...obj", "--frames", 0, "--no-film", cwd=self.folder / "in")
        self.assertEqual(sorted(os.listdir(self.folder / "in")), ["...obj", "pliant-out"])

    def test_buffers_of_a_gltf_have_plain_names(self):
        for folder, _, name in ("sub", "/", "a.bin"), ("sub\u2215..", "/", "a.bin"), ("", "", "a\u202enib.bin"):
            path = self.folder / "model" / folder
            path.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
        self.write("model/good.gltf", gltf("sub/a.bin"))
        self.assertIn("3 vertices", self.run_ok("inspect", self.folder / "model/good.gltf"))
        for name in ("sub\u2215../a.bin", "a\u202enib.bin", "%E2%88%95a.bin", "a\u0007.bin", "%FF.bin", "../a.bin"):
            with self.subTest(name):
                self.write("model/bad.gltf", gltf(name))
                code, _, err = pliant("inspect", self.folder / "model/bad.gltf")
                self.assertEqual(code, 2)
                self.assertIn("buffers must be files in the model's folder", err)


class Numbers(ProgramTest):
    def test_a_number_beyond_all_bounds_in_a_gltf_is_bad_input_with_its_place(self):
        (self.folder / "a.bin").write_bytes(bytes(36))
        model = self.write("a.gltf", gltf(number="1e400"))
        code, _, err = pliant("inspect", model)
        self.assertEqual(code, 2, err)
        self.assertIn("byte ", err)
        self.assertIn("1e400", err)

    def test_tets_without_a_surface_are_refused_and_nothing_is_printed_as_no_number(self):
        mesh = self.write("twice.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
                          "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 1 2 3 4\n$EndElements\n")
        for words in ([mesh, "-o", self.folder / "out"], ["inspect", mesh]):
            code, out, err = pliant(*words)
            self.assertEqual(code, 2, err)
            self.assertIn("no surface", err)
            self.assertNotIn("nan", (out + err).replace("nothing", ""))

    def test_a_flat_model_is_told_the_cure_and_the_cure_works(self):
        sheet = self.write("sheet.obj", SHEET)
        for method in ("tets", "meshless", "rigid"):
            code, _, err = pliant(sheet, "-o", self.folder / "a", "--frames", 0, "--no-film", "--method", method)
            self.assertEqual(code, 2)
            self.assertIn("zero volume", err)
            self.assertIn("--thickness 0.02", err)
        self.run_ok(sheet, "-o", self.folder / "b", "--frames", 0, "--no-film", "--thickness", "0.02")
        scene = self.write("scene.json", '{"bodies": ["sheet.obj"]}')
        self.assertIn('"thickness": 0.02', pliant("check", scene)[2])


class Disks(ProgramTest):
    def test_a_full_disk_behind_standard_output_is_an_io_error(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        model = self.write("a.obj", TETRAHEDRON)
        for words in (["inspect", model, "--json"], ["inspect", model], ["schema"], ["scenes"], ["--version"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PLIANT, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 3, words)
            self.assertIn("cannot write to standard output", done.stderr)
        done = subprocess.run(f"'{PLIANT}' schema | true; exit ${{PIPESTATUS[0]}}", shell=True, executable="/bin/bash", capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""), "a reader that has had enough is fine")


class Balance(ProgramTest):
    """Equilibria that do not exist are told, within a bound, with exit code 4 and everything written."""

    def static(self, body, **more):
        scene = self.write("scene.json", json.dumps({
            "static": True, "bodies": [{"box": {"size": [1, 1, 1]}, "method": {"tets": {"cells": 100}}, "material": "rubber", **body}],
            **more}))
        return pliant("run", scene, "-o", self.folder / "out", "--no-film", "--overwrite", timeout=100)

    def test_what_nothing_holds_has_no_equilibrium_and_is_told_so_at_once(self):
        code, out, err = self.static({})
        self.assertEqual(code, 4, err)
        self.assertIn("no equilibrium was found in 1 of 1 frames", err)
        self.assertIn("run.json", out)
        self.assertEqual(metrics(self.folder / "out")[1]["newton_iterations"], 0)

    def test_what_is_held_has_one_and_one_frame_is_enough(self):
        code, _, err = self.static({"pins": [{"region": "bottom"}], "loads": [{"force": [100, 0, 0], "region": "top"}]})
        self.assertEqual(code, 0, err)
        rows = metrics(self.folder / "out")
        self.assertEqual(len(rows), 2)
        self.assertAlmostEqual(rows[1]["reaction_x_N"], -100, delta=0.1)
        code, _, err = self.static({"pins": [{"region": "bottom"}]}, frames=4)
        self.assertEqual(code, 0, err)
        self.assertEqual([row["newton_iterations"] for row in metrics(self.folder / "out")][2:], [0, 0, 0], "solved once")


class Doubts(ProgramTest):
    """What may be meant but hardly is: a warning each, with its cure."""

    def warned(self, body, *words, more=None):
        scene = self.write("scene.json", json.dumps({"bodies": [{"box": {"size": [1, 1, 1]}, **body}], **(more or {})}))
        code, _, err = pliant("check", scene)
        self.assertEqual(code, 0, err)
        for word in ("warning", *words):
            self.assertIn(word, err)
        self.assertEqual(pliant("check", scene, "--strict")[0], 2)

    def test_each_has_its_warning(self):
        nowhere = {"box": {"low": [5, 5, 5], "high": [6, 6, 6]}}
        left = {"half_space": {"point": [0, 0, 0], "normal": [-1, 0, 0]}}
        self.warned({"regions": [{"region": nowhere, "material": "steel"}]}, "regions/0", "nearest is 7.79 m away")
        self.warned({"handles": [{"region": left}]}, "handles/0", "pins")
        self.warned({"pins": [{"region": left}], "handles": [{"region": left, "spin": {"axis": [1, 0, 0], "degrees_per_second": 9}}]},
                    "pins/0 and handles/0 hold the same")
        self.warned({"material": {"young": 210, "density": 7850}}, "GPa", "2.1e+11")
        self.warned({"material": {"young": 1e6, "density": 7.85}}, "g/cm^3", "7850")
        standing = TETRAHEDRON.replace("v 0 0 0", "v -0.5 -0.5 0").replace("v 1 0 0", "v 0.5 -0.5 0").replace("v 0 1 0", "v 0 0.5 0")
        self.write("standing.obj", standing)
        scene = self.write("up.json", '{"bodies": ["standing.obj"]}')
        self.assertIn('"up": "z"', pliant("check", scene)[2])
        self.assertIn("--up z", pliant("inspect", self.folder / "standing.obj")[1])
        self.assertNotIn("--up z", pliant("inspect", self.folder / "standing.obj", "--up", "z")[1])


if __name__ == "__main__":
    unittest.main()
