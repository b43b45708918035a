#!/usr/bin/env python3
"""bench from outside, on the simulated device: test_bench.py WORKBOOK_CLI BUILD_DIR."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CLI, BUILD = sys.argv[1:3]
SCALE = pathlib.Path(__file__).resolve().parent / "scale.cu"
PROGRAM = """#include <cuda_runtime.h>
__global__ void spin(float* d, int rounds) { float v = *d; for (int r = 0; r < rounds; ++r) v = v * 0.5f + 1; *d = v; }
int main(int argc, char**) {
  float* d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4);
  for (int i = 0; i < 20; ++i) spin<<<1, 1>>>(d, ROUNDS);
  cudaDeviceSynchronize();
  return argc == 3 ? 7 : 0;
}
"""


def bench(*arguments):
    environment = dict(os.environ, WORKBOOK_BUILD_DIR=BUILD)
    return subprocess.run([CLI, "bench", "--device", "simulated", *map(str, arguments)], capture_output=True, text=True,
                          env=environment, timeout=600)


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def variant(self, work):
        path = self.folder / f"scale{work}.cu"
        path.write_text(f"#define WORK {work}\n" + SCALE.read_text())
        return path

    def found(self, code, *arguments):
        result = bench("--json", *arguments)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def test_measures_each_combination(self):
        all = self.found(1, "--cold", "--hot", SCALE)  # one of its benchmarks can't be launched
        self.assertEqual(all["schema"], "workbook-bench/1")
        self.assertTrue(all["modelled"])
        rows = [b for b in all["benchmarks"] if b["name"] == "scale"]
        self.assertEqual([(b["parameters"]["n"], b["cache"]) for b in rows],
                         [(1 << 14, "cold"), (1 << 14, "hot"), (1 << 16, "cold"), (1 << 16, "hot")])
        for row in rows:
            self.assertGreater(row["us"], 0.9)
            self.assertLess(row["share_of_memory_roof"], 1)
            self.assertLess(row["share_of_compute_roof"], 1)
        self.assertIn("cudaErrorInvalid", all["benchmarks"][-1]["error"])

    def test_one_value_of_ones_own(self):
        rows = self.found(0, SCALE, "--only", "scale", "--set", "n=1000")["benchmarks"]
        self.assertEqual([r["parameters"] for r in rows], [{"n": 1000}])
        rows = self.found(4, SCALE, "--only", "scale", "--set", "n=0")["benchmarks"]
        self.assertEqual(rows[0]["skipped"], "nothing to do")

    def test_compares_two_files_with_the_same_names(self):
        old, new = self.variant(512), self.variant(256)
        row = self.found(0, new, "--against", old, "--only", "scale", "--set", "n=16384")["comparisons"][0]
        self.assertEqual(row["verdict"], "faster")
        self.assertLess(row["ratio"], 0.85)  # half the rounds; the rest is the launch
        row = self.found(1, old, "--against", new, "--only", "scale", "--set", "n=16384", "--at-most", "1.1")["comparisons"][0]
        self.assertEqual(row["verdict"], "slower")
        row = self.found(0, new, "--against", new, "--only", "scale", "--set", "n=16384", "--trials", "3")["comparisons"][0]
        self.assertEqual((row["trials"], row["no_difference"]), (3, 3))

    def test_page(self):
        result = bench(SCALE, "--only", "scale")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("scale n=16384, cold", result.stdout)
        self.assertIn("Modelled, h200@1", result.stdout)

    def test_benchmarks_of_an_included_file(self):
        more = self.folder / "more.cu"
        more.write_text(f'#include <workbook/bench.h>\n#define WORK 512\n#include "{SCALE}"\n')
        rows = self.found(0, SCALE, "--only", "scale", "--against", more)["comparisons"]
        self.assertEqual({row["verdict"] for row in rows}, {"faster"})

    def test_whole_programs(self):
        fast, slow = self.folder / "fast.cu", self.folder / "slow.cu"
        fast.write_text(PROGRAM.replace("ROUNDS", "10000"))
        slow.write_text(PROGRAM.replace("ROUNDS", "40000"))
        row = self.found(0, fast)["benchmarks"][0]
        self.assertEqual(row["name"], "whole program")
        self.assertEqual(self.found(0, fast, "--against", slow)["comparisons"][0]["verdict"], "faster")
        result = bench(fast, "--", "1", "2")
        self.assertEqual(result.returncode, 3)
        self.assertIn("exit code 7", result.stderr)

    def test_mistakes_in_the_call(self):
        for arguments, words in ((["nothing.cu"], "no file"), ([SCALE, "--trials", "5"], "--against"),
                                 ([SCALE, "--set", "n"], "NAME=NUMBER"), ([SCALE, "--against", "nothing.cu"], "no file"),
                                 ([], "What should be measured?")):
            result = bench(*arguments)
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertIn(words, result.stderr)

    def test_a_file_that_does_not_compile(self):
        broken = self.folder / "broken.cu"
        broken.write_text("#include <workbook/bench.h>\nWORKBOOK_BENCH(x) { nonsense; }\n")
        result = bench(broken)
        self.assertEqual(result.returncode, 1)
        self.assertIn("did not compile", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
