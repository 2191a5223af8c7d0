"""Real models nobody tuned for: each drops to the floor, finite, whole and with its volume kept."""
import unittest

from harness import MODELS, ProgramTest, metrics


class Models(ProgramTest):
    def drops(self, path, frames):
        self.run_ok(path, "-o", self.folder / "out", "--frames", frames, "--no-film", timeout=600)
        rows = metrics(self.folder / "out")
        self.assertEqual(len(rows), frames + 1)
        for row in rows:
            self.assertTrue(abs(row["volume_ratio"] - 1) < 0.05, f"{path.name}: {row}")
            self.assertTrue(abs(row["skin_volume_ratio"] - 1) < 0.05, f"{path.name}: {row}")
        # A hard landing may stop the contact solver at its limit once or twice; it must not become a habit.
        self.assertLessEqual(sum(row["unconverged_substeps"] for row in rows), 5)
        self.assertLess(max(row["max_penetration_m"] for row in rows), 1e-3)
        first, last = rows[0], rows[-1]
        self.assertLess(last["potential_J"], first["potential_J"])
        self.assertGreater(max(row["contacts"] for row in rows), 0, "it never touched the floor")
        top = [row["kinetic_J"] + row["elastic_J"] + row["potential_J"] for row in rows]
        self.assertLess(max(top) - top[0], 0.01 * (top[0] - min(row["potential_J"] for row in rows)), "energy was gained")


def add_test(path):
    def test(self):
        self.drops(path, 120)

    setattr(Models, f"test_{path.stem}", test)


found = sorted((MODELS / "triangles").glob("*.obj")) + sorted((MODELS / "tets").glob("*.node"))
for model in found:
    add_test(model)
if not found:
    Models.test_models = unittest.skip(f"no models at {MODELS}")(lambda self: None)

if __name__ == "__main__":
    unittest.main()
