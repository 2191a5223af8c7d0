"""The command line, as somebody meets it who has read nothing."""
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from harness import PLIANT, ROOT, ProgramTest, metrics, pliant

COMMANDS = ("run", "check", "inspect", "convert", "scenes", "model", "schema", "papers", "bench", "drop")


class CommandLine(ProgramTest):
    def test_help_and_version_exit_with_0(self):
        self.assertIn("run", self.run_ok("--help"))
        self.assertRegex(self.run_ok("--version"), r"^pliant \d+\.\d+\.\d+")
        for command in COMMANDS:
            self.assertIn("Options", self.run_ok(command, "--help"), command)

    def test_mistakes_on_the_command_line_exit_with_2_and_say_where_help_is(self):
        for words in ([], ["fly"], ["run"], ["run", "--fast", "drop"], ["run", "drop", "--frames", "-3"],
                      ["run", "drop", "--threads", "x"], ["papers", "Z-99"], ["bench", "nothing"],
                      ["run", "drop", "--resume", "--overwrite", "-o", str(self.folder / "x")]):
            code, _, err = pliant(*words)
            self.assertEqual(code, 2, words)
            self.assertGreater(len(err), 10, words)

    def test_without_words_the_help_is_shown(self):
        code, out, err = pliant()
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, self.run_ok("--help"))

    def test_a_model_is_dropped_and_looked_at_with_the_same_words(self):
        sheet = self.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n")
        words = ["--thickness", 0.1, "--method", "groups", "--unit", "cm", "--up", "z", "--weld", 1e-4]
        self.assertIn("groups (asked for)", self.run_ok("inspect", sheet, *words))
        out = self.folder / "out"
        self.run_ok(sheet, *words, "--cells", 50, "-o", out, "--frames", 1, "--no-film")
        body = json.loads((out / "run.json").read_text())["scene"]["bodies"][0]
        self.assertEqual((body["thickness"], body["unit"], body["up"], body["weld"]), (0.1, "cm", "z", 1e-4))
        self.assertEqual(body["method"]["groups"]["cells"], 50)

    def test_a_preview_is_one_picture_and_a_draft_a_small_one(self):
        out = self.folder / "out"
        self.run_ok("run", "bar", "--preview", 2, "--draft", "-o", out)
        self.assertEqual((out / "last.png").read_bytes()[16:24], (640).to_bytes(4, "big") + (360).to_bytes(4, "big"))
        for absent in ("film.mp4", "animation.glb", "ply"):
            self.assertFalse((out / absent).exists(), absent)
        self.assertEqual(len(metrics(out)), 3)  # the start and two frames
        self.assertEqual(pliant("run", "bar", "--preview", 2, "--no-film", "-o", out)[0], 2)

    def test_ctrl_c_ends_a_look_at_a_model_at_once(self):
        rows = 700  # a model that takes seconds
        with open(self.folder / "large.obj", "w") as file:
            for i in range(rows * rows):
                file.write(f"v {i % rows} {(i * i) % 7} {i // rows}\n")
            for i in range(rows * (rows - 1) - 1):
                file.write(f"f {i + 1} {i + 2} {i + rows + 1}\n")
        process = subprocess.Popen([PLIANT, "inspect", self.folder / "large.obj"], stdout=subprocess.DEVNULL)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), -signal.SIGINT)

    def test_an_unknown_command_is_named_and_help_is_a_word_too(self):
        for words in (["rn", "drop"], ["view", "cow.obj"], ["Drop"], ["compare", "drop", "--methods", "tets"]):
            code, _, err = pliant(*words)
            self.assertEqual(code, 2, words)
            self.assertIn(f"{words[0]}: is n", err)
            self.assertIn("commands: drop", err)
        self.assertIn('did you mean "run"?', pliant("rn", "drop")[2])
        self.assertEqual(self.run_ok("help"), self.run_ok("--help"))
        self.assertEqual(self.run_ok("help", "run"), self.run_ok("run", "--help"))

    def test_a_scene_file_alone_is_run(self):
        scene = self.write("scene.json", '{"bodies": [{"sphere": {"radius": 0.2}}], "frames": 1}')
        self.run_ok(scene, "-o", self.folder / "out", "--no-film")
        self.assertEqual(len(metrics(self.folder / "out")), 2)
        code, _, err = pliant(self.folder / "nosuch.json")
        self.assertEqual(code, 2)
        self.assertIn("built-in scene", err)

    def test_run_drops_a_model_and_other_commands_say_what_it_is(self):
        self.write("BALL.OBJ", (ROOT / "scenes/obstacles/ridge.obj").read_text())
        model = self.folder / "BALL.OBJ"
        self.run_ok("run", model, "-o", self.folder / "out", "--frames", 1, "--no-film")
        self.assertEqual(len(metrics(self.folder / "out")), 2)
        code, _, err = pliant("check", model)
        self.assertEqual(code, 2)
        self.assertIn("is a model, not a scene", err)
        scene = self.write("scene.json", '{"bodies": ["BALL.OBJ"]}')
        code, _, err = pliant("inspect", scene)
        self.assertEqual(code, 2)
        self.assertIn("pliant run", err)

    def test_nothing_as_a_name_is_refused(self):
        scene = self.write("scene.json", '{"bodies": [{"sphere": {}}], "frames": 1}')
        for words in (["run", scene, "-o", ""], ["inspect", scene, "--picture", ""],
                      ["convert", self.folder, "--to", "obj", "-o", ""], ["run", scene, "--allow-path", ""]):
            code, _, err = pliant(*words, cwd=self.folder)
            self.assertEqual(code, 2, words)
            self.assertIn("is empty", err)
        self.assertEqual(os.listdir(self.folder), ["scene.json"])
        self.assertEqual(pliant("inspect", ROOT / "scenes/obstacles/ridge.obj", "--picture", "x.jpg")[0], 2)

    def test_a_folder_is_named_by_its_own_name_from_inside(self):
        self.write("fall/scene.json", '{"bodies": [{"sphere": {}}], "frames": 0}')
        self.run_ok("run", ".", "--no-film", cwd=self.folder / "fall")
        self.assertTrue((self.folder / "fall/pliant-out/fall/run.json").exists())

    def test_a_model_of_hundreds_of_metres_is_asked_for_its_unit(self):
        text = "".join(f"v {' '.join(str(200 * float(x)) for x in line.split()[1:4])}\n" if line.startswith("v ") else line
                       for line in (ROOT / "scenes/obstacles/ridge.obj").read_text().splitlines(True))
        model = self.write("big.obj", text)
        out = ["-o", self.folder / "out", "--frames", 0, "--no-film", "--overwrite"]
        self.assertIn("say so: --unit mm", pliant(model, *out)[2])
        self.assertNotIn("say so", pliant(model, "--unit", "mm", *out)[2])
        scene = self.write("scene.json", '{"bodies": ["big.obj"]}')
        self.assertIn('say so: "unit": "mm"', pliant("run", scene, *out)[2])

    def beam_file(self):
        """A CAD model: 18 faces, 1 x 0.2 x 0.2 m."""
        beam = self.folder / "beam.step"
        code, _, err = pliant("model", "beam", "-o", beam)
        if code != 0:
            self.skipTest(err)  # built without OpenCASCADE
        return beam

    def test_a_cad_model_is_told_by_its_faces(self):
        beam = self.beam_file()
        said = self.run_ok("inspect", beam)
        for words in ("CAD model: 18 faces", "mm (as the file says)", "1000 x 200 x 200 mm", "nothing wrong", "right",
                      "nurbs (the default of CAD models", "control points"):
            self.assertIn(words, said)
        picture = self.folder / "found.png"
        found = json.loads(self.run_ok("inspect", beam, "--json", "--method", "rigid", "--picture", picture))
        self.assertGreater(picture.stat().st_size, 10000)
        self.assertTrue(found["closed"])
        faces = found["cad"]["faces"]
        self.assertEqual([face["number"] for face in faces], list(range(1, 19)))
        self.assertAlmostEqual(sum(face["area_m2"] for face in faces), 0.88)
        for face in faces:
            self.assertAlmostEqual(face["thickness_m"], 1 if face["name"] in ("left", "right") else 0.2)
        self.assertEqual(found["cad"]["borders"]["holes"], 0)
        self.assertLess(max(pair["gap_m"] for pair in found["cad"]["borders"]["meetings"]), 1e-9)

    def test_a_cad_model_is_dropped_by_any_method_in_its_own_unit(self):
        beam = self.beam_file()
        out = ["-o", self.folder / "out", "--frames", 1, "--no-film", "--overwrite"]
        said = pliant(beam, *out, "--cells", 1000)[2]
        self.assertIn("18 CAD faces in mm, 1 x 0.2 x 0.2 m; seen and touched as", said)
        self.assertNotIn("warning", said)
        said = pliant(beam, *out, "--method", "tets", "--cells", 50)[2]
        self.assertRegex(said, r"tets takes \d+ triangles within 0.001 m of them")
        said = pliant(beam, *out, "--method", "rigid", "--unit", "m")[2]
        self.assertIn("18 CAD faces in m, 1e+03 x 200 x 200 m", said)

    def test_a_cad_model_held_by_a_face_is_solved(self):
        beam = self.beam_file()
        scene = self.write("scene.json", json.dumps({
            "bodies": [{"file": beam.name, "method": {"nurbs": {"voxels": 1000}}, "material": {"young": 1e7},
                        "pins": [{"region": {"group": "left"}}],
                        "probes": [{"name": "tip", "point": [0.5, 0, 0]}]}],
            "static": True, "frames": 1}))
        self.run_ok("run", scene, "-o", self.folder / "out", "--no-film")
        tip = metrics(self.folder / "out")[-1]["tip_y_m"]
        self.assertAlmostEqual(tip, -0.0368, delta=0.005)  # rho g A L^4 / 8 E I
        wrong = self.write("wrong.json", scene.read_text().replace('"left"', '"lefft"'))
        code, _, err = pliant("check", wrong)
        self.assertEqual(code, 2)
        self.assertIn('"face_1"', err)

    def test_an_unknown_scene_lists_the_known_ones(self):
        code, _, err = pliant("run", "drpo")
        self.assertEqual(code, 2)
        self.assertIn("drop", err)

    def test_scenes_are_listed_and_found_by_name_from_anywhere(self):
        listed = self.run_ok("scenes")
        for folder in (ROOT / "scenes").iterdir():
            self.assertIn(folder.name, listed)
        self.run_ok("check", "drop", cwd=self.folder)

    def test_models_that_pliant_makes_are_listed_and_known_by_name(self):
        listed = [line.split()[0] for line in self.run_ok("model").split("\n\n")[0].splitlines()]
        self.assertIn("bracket", listed)
        for words, said in ((["mgu", "-o", "a.step"], 'did you mean "mug"?'), (["mug"], "-o FILE"), (["-o", "a.step"], "which"),
                            (["mug", "-o", "a.stl"], ".step")):
            code, out, err = pliant("model", *words, cwd=self.folder)
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(said, err)
            self.assertIn("nothing was written", err)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_made_model_from_its_file_is_the_body_that_it_is_by_name(self):
        def start(shape):
            scene = {"bodies": [{**shape, "name": "body", "method": "nurbs", "place": [0, 1, 0]}], "frames": 0}
            self.write("scene.json", json.dumps(scene))
            self.run_ok("run", self.folder / "scene.json", "-o", self.folder / "out", "--overwrite", "--no-film", "-q")
            return metrics(self.folder / "out")[0]["potential_J"]

        for name in ("bracket.step", "torus.iges"):
            code, out, err = pliant("model", name.split(".")[0], "-o", self.folder / name)
            if code == 2 and "built without CAD files" in err:
                self.skipTest("built without CAD files")
            self.assertEqual((code, out.strip()), (0, str(self.folder / name)), err)
            self.assertAlmostEqual(start({"file": name}) / start({"model": name.split(".")[0]}), 1, delta=0.003)

    def test_the_smallest_scene_runs_with_printed_defaults(self):
        self.write("ball.obj", (ROOT / "scenes/obstacles/ridge.obj").read_text())
        scene = self.write("scene.json", '{"bodies": ["ball.obj"]}')
        code, out, err = pliant("run", scene, "-o", self.folder / "out", "--frames", 5)
        self.assertEqual(code, 0, err)
        for word in ("floor", "substeps", "E = ", "cells"):
            self.assertIn(word, err)
        for name in ("metrics.csv", "run.json", "last.png", "film.mp4", "animation.glb"):
            self.assertIn(name, out)
            self.assertGreater((self.folder / "out" / name).stat().st_size, 100, name)
        self.assertFalse((self.folder / "out" / "ply").exists(), "large, and only on request")
        self.write("ply.json", '{"bodies": ["ball.obj"], "outputs": {"ply": true}}')
        said = self.run_ok("run", self.folder / "ply.json", "-o", self.folder / "ply", "--frames", 5, "--no-film", "-q")
        self.assertEqual(said, "")
        self.assertEqual(len(list((self.folder / "ply" / "ply").iterdir())), 6)
        for name in (path.name for path in (self.folder / "out").iterdir() if not path.name.startswith("checkpoint")):
            self.assertIn(name, out, "the list of files is whole")

    def test_run_json_spells_everything_out_and_runs_again_to_the_same_hash(self):
        out = self.folder / "out"
        scene = self.write("scene.json", '{"bodies": [{"sphere": {"radius": 0.2}}], "frames": 8}')
        self.run_ok("run", scene, "-o", out, "--no-film")
        summary = json.loads((out / "run.json").read_text())
        self.assertRegex(summary["hash"], "^[0-9a-f]{16}$")
        self.assertTrue(summary["finished"])
        spelled = self.write("again.json", json.dumps(summary["scene"]))
        self.assertIn("young", json.dumps(summary["scene"]))
        again = self.run_ok("run", spelled, "-o", self.folder / "again", "--no-film", "--hash", "-q").strip()
        self.assertEqual(again, summary["hash"])

    def test_metrics_have_a_row_per_frame_and_finite_numbers(self):
        self.run_ok("run", "drop", "-o", self.folder / "out", "--frames", 10, "--no-film")
        rows = metrics(self.folder / "out")
        self.assertEqual([row["frame"] for row in rows], list(range(11)))
        for key in ("kinetic_J", "elastic_J", "potential_J", "volume_ratio", "min_J", "contacts", "head_y_m", "advance_ms"):
            self.assertIn(key, rows[0])

    def test_quiet_says_nothing_but_the_hash(self):
        code, out, err = pliant("run", "bar", "-o", self.folder / "out", "--frames", 2, "--no-film", "-q", "--hash")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^[0-9a-f]{16}\n$")

    def test_a_folder_with_other_things_is_not_touched(self):
        (self.folder / "precious.txt").write_text("mine")
        code, _, err = pliant("run", "bar", "-o", self.folder, "--frames", 1)
        self.assertEqual(code, 2)
        self.assertIn("other things", err)
        self.assertEqual(os.listdir(self.folder), ["precious.txt"])

    def test_a_finished_run_is_only_replaced_with_overwrite_and_a_longer_one_goes_on(self):
        out = self.folder / "out"
        command = ["run", "bar", "-o", out, "--no-film", "-q", "--hash"]
        self.run_ok(*command, "--frames", 4)
        self.run_ok("convert", out, "--to", "obj")
        before = sorted((str(path), path.read_bytes()) for path in out.rglob("*") if path.is_file())
        for words in (command, ["run", "bar", "-o", out]):
            code, _, err = pliant(*words)
            self.assertEqual(code, 2)
            self.assertIn("holds a finished run", err)
            self.assertIn("--overwrite", err)
        self.assertEqual(before, sorted((str(path), path.read_bytes()) for path in out.rglob("*") if path.is_file()))
        longer = self.run_ok(*command, "--frames", 9, "--resume")
        self.assertEqual(len(metrics(out)), 10)
        self.assertEqual(longer, self.run_ok(*command, "--frames", 9, "--overwrite"))
        self.assertFalse((out / "convert").exists())

    def test_an_ffmpeg_that_fails_takes_nothing_with_it(self):
        for name, script in (("fails", "exit 1"), ("dies", "kill -9 $$"), ("writes nothing", "cat > /dev/null")):
            with self.subTest(name):
                program = self.write(f"{name}/ffmpeg", f"#!/bin/sh\n{script}\n")
                program.chmod(0o755)
                out = self.folder / name / "out"
                code, said, err = pliant("run", "bar", "-o", out, "--frames", 2,
                                         env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"})
                self.assertEqual(code, 3, err)
                self.assertIn("no film", err)
                self.assertTrue(json.loads((out / "run.json").read_text())["finished"])
                for file in ("last.png", "animation.glb", "metrics.csv", "recording.bin", "run.json"):
                    self.assertIn(file, said)
                    self.assertGreater((out / file).stat().st_size, 100, file)
                self.assertEqual([path.name for path in out.glob("film*")], [])

    def test_an_output_folder_that_cannot_be_used_is_bad_input_told_before_any_work(self):
        blocked = self.folder / "file"
        blocked.write_text("")
        run = self.folder / "run"
        self.run_ok("run", "bar", "-o", run, "--frames", 1, "--no-film")
        for out in (blocked, blocked / "out", blocked / "a" / "b"):
            for words in (["run", "drop", "-o", out], ["convert", run, "--to", "ply", "-o", out]):
                code, said, err = pliant(*words)
                self.assertEqual(code, 2, err)
                self.assertIn(f"{blocked}", err)
                self.assertIn("is a file", err)
                self.assertEqual(len((said + err).splitlines()), 2, err)  # no note of what was built
        self.assertEqual(blocked.read_text(), "")

    def test_bad_input_ends_with_what_did_not_happen_in_the_commands_own_words(self):
        nothing = self.folder / "nothing.obj"
        for words, end in ((["run", "nothing"], "1 problem; nothing was simulated."),
                           ([nothing], "1 problem; nothing was simulated."),
                           (["nonsense"], "1 problem; nothing was done."),
                           (["convert", nothing, "-o", "a.ply"], "1 problem; nothing was written."),
                           (["inspect", nothing], "1 problem; nothing was inspected."),
                           (["inspect", nothing, "--picture", "a.jpg"], "1 problem; no picture was made."),
                           (["check", "nothing"], "1 problem."),
                           (["bench", "nothing"], "1 problem; nothing was done.")):
            code, _, err = pliant(*words)
            self.assertEqual(code, 2, err)
            self.assertEqual(err.splitlines()[-1], end, words)

    def test_a_full_disk_is_an_io_error_and_keeps_what_was_there(self):
        full = pathlib.Path("/dev/full")
        if not full.exists():
            self.skipTest("no /dev/full here")
        out = self.folder / "out"
        limited = ["bash", "-c", f"ulimit -f 200; exec '{PLIANT}' run drop -o '{out}' --frames 100 --no-film"]
        done = subprocess.run(limited, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.run_ok("run", "drop", "-o", out, "--frames", 3, "--no-film", "--overwrite")

    def test_the_schema_accepts_every_scene_and_refuses_a_bad_one(self):
        schema = json.loads(self.run_ok("schema"))
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        validator = jsonschema.Draft202012Validator(schema)
        validator.check_schema(schema)
        for path in (ROOT / "scenes").glob("*/scene.json"):
            text = "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("//"))
            validator.validate(json.loads(text))
        validator.validate({"bodies": ["bunny.obj"]})
        for bad in ({}, {"bodies": ["a.obj"], "fpz": 1}, {"bodies": [{"file": "a.obj", "scale": "x"}]},
                    {"bodies": [{"file": "a.obj", "material": {"poisson": 0.62}}]}):
            self.assertFalse(validator.is_valid(bad), bad)

    def test_the_reference_page_in_docs_is_the_one_the_program_prints(self):
        self.assertEqual(self.run_ok("schema", "--reference"), (ROOT / "docs" / "scene.md").read_text())

    def test_tables_have_stable_json(self):
        rows = json.loads(self.run_ok("papers", "C-rest", "--json"))["rows"]
        self.assertEqual(set(rows[0]) >= {"id", "what", "expected", "ours", "met"}, True)
        self.assertTrue(rows[0]["met"], rows)
        rows = json.loads(self.run_ok("bench", "tets", "--quick", "--json"))["rows"]
        self.assertGreater(rows[0]["figures"]["ns/tet"], 0)
        self.assertTrue({"name", "threads", "hash", "benchmark"} <= set(rows[0]))

    def test_decimal_commas_of_the_locale_change_nothing(self):
        command = ["run", "bar", "-o", self.folder / "out", "--frames", 3, "--no-film", "-q", "--hash"]
        plain = self.run_ok(*command)
        local = self.run_ok(*command, "--overwrite", env={**os.environ, "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(plain, local)

    def test_a_closed_pipe_is_no_crash(self):
        done = subprocess.run(f"'{PLIANT}' schema | head -c 10", shell=True, capture_output=True, check=False)
        self.assertEqual(done.stdout[:1], b"{")


if __name__ == "__main__":
    unittest.main()
