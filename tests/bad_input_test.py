"""Bad input is normal input: file and JSON path, what was found, what is allowed; exit code 2; nothing left behind."""
import json
import os
import unittest

from harness import ProgramTest, pliant

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"

# What is wrong: (bodies or whole scene, words the answer must have)
WRONG_BODIES = {
    "misspelt key": ({"file": "model.obj", "metod": "tets"}, ["/bodies/0/metod", "did you mean", "method"]),
    "misspelt nested key": ({"file": "model.obj", "material": {"yong": 1e5}}, ["/bodies/0/material/yong", "young"]),
    "wrong type": ({"file": "model.obj", "scale": "big"}, ["/bodies/0/scale", "big", "number"]),
    "wrong length": ({"file": "model.obj", "place": [1, 2]}, ["/bodies/0/place", "3"]),
    "boolean for number": ({"file": "model.obj", "scale": True}, ["/bodies/0/scale", "number"]),
    "null": ({"file": "model.obj", "material": None}, ["/bodies/0/material", "null"]),
    "Poisson 0.62": ({"file": "model.obj", "material": {"poisson": 0.62}},
                     ["/bodies/0/material/poisson", "0.62", "at most 0.5"]),
    "Poisson -1": ({"file": "model.obj", "material": {"poisson": -1}}, ["/bodies/0/material/poisson", "above -1"]),
    "negative density": ({"file": "model.obj", "material": {"density": -3}},
                         ["/bodies/0/material/density", "-3", "above 0"]),
    "zero stiffness": ({"file": "model.obj", "material": {"young": 0}}, ["/bodies/0/material/young", "above 0"]),
    "unknown preset": ({"file": "model.obj", "material": "unobtainium"}, ["/bodies/0/material", "unobtainium", "rubber"]),
    "missing file": ({"file": "nowhere.obj"}, ["/bodies/0/file", "nowhere.obj"]),
    "folder as file": ({"file": "folder.obj"}, ["/bodies/0/file", "folder"]),
    "unreadable mesh": ({"file": "garbage.obj"}, ["/bodies/0/file", "garbage.obj"]),
    "NaN vertex": ({"file": "nan.obj"}, ["/bodies/0/file", "nan.obj", "line 2"]),
    "index out of range": ({"file": "index.obj"}, ["/bodies/0/file", "index.obj", "line 4"]),
    "empty mesh": ({"file": "empty.obj"}, ["/bodies/0/file", "empty"]),
    "flat mesh": ({"file": "flat.obj"}, ["/bodies/0/file", "volume"]),
    "path out of the folder": ({"file": "../outside.obj"}, ["/bodies/0/file", "../outside.obj", "--allow-path"]),
    "absolute path": ({"file": "/etc/hostname"}, ["/bodies/0/file", "/etc/hostname"]),
    "link out of the folder": ({"file": "link.obj"}, ["/bodies/0/file", "link.obj"]),
    "two shapes": ({"file": "model.obj", "box": {}}, ["/bodies/0", "file", "box"]),
    "no shape": ({"name": "ghost"}, ["/bodies/0"]),
    "negative radius": ({"sphere": {"radius": -1}}, ["/bodies/0/sphere/radius", "-1"]),
    "pin that holds nothing": ({"box": {}, "pins": [{"region": {"sphere": {"centre": [9, 9, 9], "radius": 0.1}}}]},
                               ["/bodies/0/pins/0"]),
    "keyframes out of order": ({"box": {}, "handles": [{"keyframes": [{"time": 1}, {"time": 0.5}]}]},
                               ["/bodies/0/handles/0/keyframes/1"]),
    "unknown method": ({"file": "model.obj", "method": "magic"}, ["/bodies/0/method", "magic", "tets"]),
}

WRONG_TEXTS = {
    "syntax error": ('{"bodies": [}', ["scene.json", "line 1"]),
    "trailing comma": ('{"bodies": ["model.obj"],}', ["line 1"]),
    "duplicate key": ('{"fps": 30, "fps": 60, "bodies": ["model.obj"]}', ["/fps", "twice"]),
    "NaN literal": ('{"fps": NaN, "bodies": ["model.obj"]}', ["line 1"]),
    "too large a number": ('{"fps": 1e999, "bodies": ["model.obj"]}', ["1e999"]),
    "deep nesting": ("[" * 100000, ["scene.json"]),
    "not an object": ("[1, 2]", ["scene.json"]),
    "empty file": ("", ["empty"]),
    "no bodies": ("{}", ["/bodies"]),
    "zero frames per second": ('{"fps": 0, "bodies": ["model.obj"]}', ["/fps"]),
    "zero substeps": ('{"substeps": 0, "bodies": ["model.obj"]}', ["/substeps"]),
    "newer version": ('{"version": 99, "bodies": ["model.obj"]}', ["/version", "99"]),
    "zero normal": ('{"bodies": ["model.obj"], "colliders": [{"plane": {"normal": [0, 0, 0]}}]}',
                    ["/colliders/0/plane/normal"]),
}


class BadInput(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("scene/model.obj", TETRAHEDRON)
        self.write("scene/garbage.obj", "\x00\x01\x02\xff garbage \x00" * 50)
        self.write("scene/nan.obj", TETRAHEDRON.replace("v 1 0 0", "v nan 0 0"))
        self.write("scene/index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n")
        self.write("scene/empty.obj", "")
        self.write("scene/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.write("outside.obj", TETRAHEDRON)
        (self.folder / "scene" / "folder.obj").mkdir()
        os.symlink("../outside.obj", self.folder / "scene" / "link.obj")

    def refused(self, text, words):
        scene = self.write("scene/scene.json", text)
        for command in ("run", "check"):
            more = ["-o", self.folder / "out"] if command == "run" else []
            code, out, err = pliant(command, scene, *more, timeout=60)
            self.assertEqual(code, 2, f"{command}: {out}{err}")
            for word in ["scene.json", *words]:
                self.assertIn(word, err)
            self.assertNotIn("terminate", err)
            self.assertFalse((self.folder / "out").exists(), "an output folder was left behind")

    def test_wrong_bodies(self):
        for name, (body, words) in WRONG_BODIES.items():
            with self.subTest(name):
                self.refused(json.dumps({"bodies": [body]}), words)

    def test_wrong_texts(self):
        for name, (text, words) in WRONG_TEXTS.items():
            with self.subTest(name):
                self.refused(text, words)

    def test_several_problems_are_told_at_once(self):
        scene = {"fpz": 3, "frames": -1, "bodies": [{"file": "nowhere.obj", "material": {"poisson": 0.62}}, {"box": {}, "metod": 1}]}
        self.refused(json.dumps(scene), ["/fpz", "/frames", "/bodies/0/file", "/bodies/0/material/poisson",
                                         "/bodies/1/metod", "5 problems"])

    def test_problems_in_two_models_are_told_at_once(self):
        self.refused(json.dumps({"bodies": ["nan.obj", "index.obj"]}), ["/bodies/0", "/bodies/1", "2 problems"])

    def test_a_path_outside_is_fine_when_the_command_line_allows_it(self):
        scene = self.write("scene/scene.json", json.dumps({"bodies": ["../outside.obj"]}))
        for words in ([scene, "--allow-path", self.folder], ["--allow-path", self.folder, scene]):
            code, _, err = pliant("check", *words)
            self.assertEqual(code, 0, err)

    def test_bad_models_on_the_command_line(self):
        for name in ("garbage.obj", "nan.obj", "index.obj", "empty.obj", "flat.obj", "folder.obj", "missing.obj"):
            with self.subTest(name):
                code, _, err = pliant(self.folder / "scene" / name, "-o", self.folder / "out")
                self.assertEqual(code, 2, err)
                self.assertIn(name, err)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
