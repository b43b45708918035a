#!/usr/bin/env python3
"""The runner for a GPU, tried without one: with a libcuda.so.1 that runs everything on the simulated device.

    check_gpu_runner.py PTX_ON_GPU FOLDER_OF_THE_PRETENDED_DRIVER
"""
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(program, driver, *names, **more):
    environment = {**os.environ, "LD_LIBRARY_PATH": driver, **more}
    done = subprocess.run([program, str(HERE), "--jobs", "2", *names], env=environment, capture_output=True, text=True,
                          timeout=300)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return done, rows, collections.Counter(row[1] for row in rows)


def complaints(program, driver):
    done, rows, count = run(program, driver)
    if done.returncode != 0 or count["passed"] < 100 or count["simulated"] < 20:
        yield f"every file: exit code {done.returncode}, {dict(count)}\n{done.stderr}"
        yield from ("\t".join(row) for row in rows if row[1] in ("failed", "not run"))
    if len(rows) != len(list(HERE.rglob("*.ptx"))):
        yield f"{len(rows)} rows, and another number of files"
    done, rows, count = run(program, driver, "bits/", "printf", "trap.ptx", WORKBOOK_PRETEND="wrong")
    if done.returncode != 1 or count["passed"] or count["failed"] < 5:
        yield f"kernels that do not run: exit code {done.returncode}, {dict(count)}\n{done.stderr}"
    done, rows, count = run(program, driver, "bits/b", "--seconds", "1", "--jobs", "4", WORKBOOK_PRETEND="hang")
    if done.returncode != 1 or count["failed"] != len(rows) or not all("not done after 1 s" in row[3] for row in rows):
        yield f"kernels that never end: exit code {done.returncode}, {dict(count)}\n{done.stdout}"
    with tempfile.TemporaryDirectory() as nothing:
        done, rows, _ = run(program, nothing)
        here = "was not found" not in done.stderr  # a real driver
        if not here and (done.returncode != 3 or rows):
            yield f"without a driver: exit code {done.returncode}\n{done.stderr}"


def main(arguments):
    if len(arguments) != 2:
        print(__doc__)
        return 2
    found = list(complaints(*arguments))
    print("\n".join(found) or "the runner tells right from wrong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
