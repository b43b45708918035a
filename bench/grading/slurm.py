#!/usr/bin/env python3
"""Are the grades of a Slurm's the same as those of one machine? With the real checks, on a Slurm that is started here.

    bench/grading/slurm.py [--submissions 6] [--exercises 6]

The class is that of bench.py. Needs root and Debian's slurmctld, slurmd and slurm-client (77 without them).
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "tests/classroom")]
import bench  # noqa: E402
import test_slurm  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--submissions", type=int, default=6)
    parser.add_argument("--exercises", type=int, default=6)
    options = parser.parse_args()
    test_slurm.need_slurm()
    with tempfile.TemporaryDirectory(prefix="slurm") as top:
        cluster = test_slurm.Cluster(top)
        try:
            if not cluster.start():
                test_slurm.skip("Slurm did not come up")
            chosen = bench.exercises(options.exercises)
            distinct = bench.make_class(cluster.top / "class", options.submissions, chosen, 0.5)
            grades = {}
            for engine in ("local", "slurm"):
                began = time.time()
                out = cluster.top / engine
                code = subprocess.run([str(bench.GRADE), "grade", str(cluster.top / "class"), "--class", "--out", str(out), "--engine", engine, "--only",
                                       ",".join(e["id"] for e in chosen)], env=cluster.environment, stdout=subprocess.DEVNULL).returncode
                grades[engine] = bench.essence(out)
                print(f"{engine:<6} {time.time() - began:7.1f} s, exit code {code}", flush=True)
        finally:
            cluster.stop()
    same = grades["local"] == grades["slurm"]
    count = sum(len(rows) for rows in grades["local"].values())
    print(f"{count} grades of {distinct} different answers are {'the same' if same else 'NOT the same'} on one machine and on Slurm")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
