"""The library installs, is found by find_package(pliant), and a program outside the tree runs against it."""
import os
import re
import subprocess
import unittest

from harness import ROOT, ProgramTest

BUILD = os.environ.get("PLIANT_BUILD", str(ROOT / "build"))


class Install(ProgramTest):
    def call(self, *words):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def embed_a_scene(self, prefix):
        build = self.folder / "scene"
        self.call("cmake", "-S", ROOT / "examples" / "scene", "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                  "-DCMAKE_BUILD_TYPE=Release")
        self.call("cmake", "--build", build)
        good = self.write("good.json", '{"bodies": [{"sphere": {}, "name": "ball", "material": "jelly"}]}')
        out = self.call("env", "-C", self.folder, build / "scene", good, 3)
        self.assertRegex(out, r"ball at 0\.05 s: 0\.4\d m/s")
        self.assertTrue((self.folder / "last.ply").exists())
        bad = self.write("bad.json", '{"bodies": [{"sphere": {}, "materiel": "jelly"}]}')
        done = subprocess.run([build / "scene", bad], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "material"?', done.stdout)

    def test_the_examples_compile_and_run_against_the_installed_library(self):
        prefix = self.folder / "prefix"
        self.call("cmake", "--install", BUILD, "--prefix", prefix)
        build = self.folder / "example"
        self.call("cmake", "-S", ROOT / "examples" / "drop", "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                  "-DCMAKE_BUILD_TYPE=Release")
        self.call("cmake", "--build", build)
        out = self.call(build / "drop")
        heights = [float(x) for x in re.findall(r"lowest point (-?[\d.]+) m", out)]
        self.assertAlmostEqual(heights[0], 0.75, places=2)
        self.assertLess(abs(heights[-1]), 0.02, out)
        self.embed_a_scene(prefix)
        self.call(prefix / "bin" / "pliant", "--version")
        self.assertIn("drop", self.call(prefix / "bin" / "pliant", "scenes"))


if __name__ == "__main__":
    unittest.main()
