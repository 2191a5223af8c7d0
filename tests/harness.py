"""What whole-program tests share: running pliant as a user does, in folders that disappear."""
import csv
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLIANT = os.environ.get("PLIANT", str(ROOT / "build" / "pliant"))
MODELS = pathlib.Path(os.environ.get("PLIANT_MODELS", ROOT.parent / "shared" / "models"))


def pliant(*arguments, timeout=300, **options):
    """Runs the program and returns (exit code, stdout, stderr)."""
    done = subprocess.run(
        [PLIANT, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, check=False, **options
    )
    return done.returncode, done.stdout, done.stderr


def metrics(folder):
    """Rows of metrics.csv as dictionaries of numbers."""
    with open(pathlib.Path(folder) / "metrics.csv", newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


class ProgramTest(unittest.TestCase):
    """A test case with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pliant_test_"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_ok(self, *arguments, **options):
        code, out, err = pliant(*arguments, **options)
        self.assertEqual(code, 0, f"pliant {' '.join(map(str, arguments))}\n{out}{err}")
        return out
