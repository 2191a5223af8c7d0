"""The same scene gives the same bits, whatever the number of threads, and after any number of kills."""
import hashlib
import random
import signal
import subprocess
import time
import unittest

from harness import PLIANT, ROOT, ProgramTest, pliant

SCENE = ROOT / "scenes" / "drop" / "scene.json"
FRAMES = 60


def fingerprints(folder):
    """File name -> fingerprint, without wall times (columns that end in _ms)."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        data = path.read_bytes()
        if path.name == "metrics.csv":
            lines = [line.split(",") for line in data.decode().splitlines()]
            kept = [i for i, name in enumerate(lines[0]) if not name.endswith("_ms")]
            data = "\n".join(",".join(line[i] for i in kept) for line in lines).encode()
        if path.name.startswith("checkpoint"):  # knows the length of metrics.csv, wall times included
            continue
        found[str(path.relative_to(folder))] = hashlib.sha256(data).hexdigest()
    return found


class Determinism(ProgramTest):
    def hash_of(self, *more):
        return self.run_ok("run", SCENE, "-o", self.folder / "out", "--overwrite", "--frames", 30, "--no-film", "-q",
                           "--hash", *more).strip()

    def test_one_hash_for_1_2_3_and_7_threads_and_from_run_to_run(self):
        hashes = {self.hash_of("--threads", threads) for threads in (1, 2, 3, 7, 2)}
        self.assertEqual(len(hashes), 1, hashes)
        self.assertRegex(hashes.pop(), "^[0-9a-f]{16}$")

    def test_control_points_move_the_same_on_any_number_of_threads_and_after_a_kill(self):
        scene = ROOT / "scenes/nurbs_dumbbell/scene.json"  # CAD faces and triangles, falling on a floor
        command = ["run", scene, "--frames", 24, "--no-film", "-q", "--hash"]
        hashes = {self.run_ok(*command, "-o", self.folder / "out", "--overwrite", "--threads", threads).strip()
                  for threads in (1, 2, 3, 7)}
        self.assertEqual(len(hashes), 1, hashes)
        cut = self.folder / "cut"
        process = subprocess.Popen([PLIANT, *map(str, command), "-o", str(cut)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and not (cut / "checkpoint.bin").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(self.run_ok(*command, "-o", cut, "--resume").strip(), hashes.pop())

    def test_the_hash_tells_scenes_apart(self):
        self.assertNotEqual(self.hash_of(), self.hash_of("--substeps", 11))


class Resume(ProgramTest):
    def command(self, folder, *more, frames=FRAMES):
        return ["run", SCENE, "-o", folder, "--frames", frames, "-q", "--hash", *more]

    def test_ten_kills_at_random_moments_end_in_the_same_files(self):
        started = time.monotonic()
        expected_hash = self.run_ok(*self.command(self.folder / "whole")).strip()
        seconds = time.monotonic() - started
        expected = fingerprints(self.folder / "whole")
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        cut = self.folder / "cut"
        for _ in range(10):
            process = subprocess.Popen([PLIANT, *map(str, self.command(cut, "--resume"))], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.02, 0.5 * seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
        final_hash = self.run_ok(*self.command(cut, "--resume", "--threads", 3)).strip()
        self.assertEqual(final_hash, expected_hash, f"seed {seed}")
        self.assertEqual(fingerprints(cut), expected, f"seed {seed}")

    def test_ctrl_c_ends_after_the_frame_with_everything_valid_and_resumes(self):
        expected_hash = self.run_ok(*self.command(self.folder / "whole", "--no-film")).strip()
        cut = self.folder / "cut"
        process = subprocess.Popen([PLIANT, *map(str, self.command(cut, "--no-film"))], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (cut / "checkpoint.bin").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        for name in ("metrics.csv", "run.json", "checkpoint.bin"):
            self.assertTrue((cut / name).exists(), name)
        code, _, err = pliant(*self.command(cut, "--no-film"))
        self.assertEqual(code, 2)
        self.assertIn("unfinished run", err)
        self.assertEqual(self.run_ok(*self.command(cut, "--no-film", "--resume")).strip(), expected_hash)

    def test_a_damaged_checkpoint_is_noticed_and_the_one_before_is_used(self):
        whole = self.folder / "whole"
        expected_hash = self.run_ok(*self.command(whole, "--no-film", frames=20)).strip()
        data = bytearray((whole / "checkpoint.bin").read_bytes())
        chance = random.Random(1)
        for _ in range(10):
            damaged = bytearray(data)
            damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            (whole / "checkpoint.bin").write_bytes(damaged)
            code, out, err = pliant(*self.command(whole, "--no-film", "--resume", frames=20))
            self.assertEqual(code, 0, err)
            self.assertIn("cannot be used", err)
            self.assertEqual(out.strip(), expected_hash)
            data = bytearray((whole / "checkpoint.bin").read_bytes())

    def test_another_scene_may_not_resume_and_nothing_is_touched(self):
        out = self.folder / "out"
        self.run_ok(*self.command(out, "--no-film", frames=10))
        before = fingerprints(out)
        code, _, err = pliant("run", ROOT / "scenes/bar/scene.json", "-o", out, "--resume", "--no-film")
        self.assertEqual(code, 2)
        self.assertIn("another scene", err)
        self.assertEqual(fingerprints(out), before)


if __name__ == "__main__":
    unittest.main()
