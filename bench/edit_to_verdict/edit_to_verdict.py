#!/usr/bin/env python3
"""From save to verdict in watch mode, for exercise 2.1: the median of nine saves, and what part of it nvcc takes.

    bench/edit_to_verdict/edit_to_verdict.py [--exercise 2.1] [--samples 9] [--limit 3.0]

Every save is a text nobody compiled before (a comment with a number is added), so nothing comes from the cache. The
learner's files are those of a temporary copy of the workbook; the build is the checkout's. Prints one object of JSON;
exit code 1 when the median is over the limit, or nvcc is not the largest part.
"""
import argparse
import json
import os
import pathlib
import re
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("WORKBOOK_BUILD_DIR", ROOT / ".build"))


class Watch:
    """The watch mode of the real program, with its output in a pipe."""

    def __init__(self, root, exercise):
        self.exercise = exercise
        environment = {**os.environ, "WORKBOOK_ROOT": str(root), "WORKBOOK_BUILD_DIR": str(BUILD)}
        self.child = subprocess.Popen([str(BUILD / "bin/workbook-cli"), exercise, "--verbose", "--device", "simulated"], env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=root)
        self.text = ""

    def next_page(self, seconds=120):
        """Reads on to the end of the next page; gives it and the moment its verdict was there."""
        end = time.monotonic() + seconds
        while "A save checks again" not in self.text:
            if self.child.poll() is not None or time.monotonic() > end:
                sys.exit(f"watch gave no page: {self.text[-2000:]}")
            if select.select([self.child.stdout], [], [], 0.5)[0]:
                self.text += os.read(self.child.stdout.fileno(), 65536).decode(errors="replace")
        now = time.monotonic()
        page, self.text = self.text.split("A save checks again", 1)
        return page, now

    def close(self):
        self.child.terminate()
        self.child.wait(10)


def copy_of_workbook(folder):
    for part in ("chapters", "solutions", "include", "kernels"):
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy(ROOT / "CMakeLists.txt", folder)
    return folder


def measure(exercise, samples):
    with tempfile.TemporaryDirectory() as name:
        root = copy_of_workbook(pathlib.Path(name))
        listed = json.loads(subprocess.run([str(BUILD / "bin/workbook-cli"), "list", "--json"], stdout=subprocess.PIPE, check=True,
                                           env={**os.environ, "WORKBOOK_ROOT": str(root), "WORKBOOK_BUILD_DIR": str(BUILD)}).stdout)
        file = root / next(e["file"] for e in listed["exercises"] if e["exercise"] == exercise)
        solution = (root / "solutions" / pathlib.Path(*file.parts[-2:])).read_text()
        watch = Watch(root, exercise)
        watch.next_page()
        total, nvcc, link, check = [], [], [], []
        for i in range(samples):
            time.sleep(0.3)
            began = time.monotonic()
            file.write_text(solution + f"// save {i} of {time.time_ns()}\n")
            page, seen = watch.next_page()
            if "passed" not in page.split("\n")[1] and "passed" not in page:
                sys.exit(f"the solution did not pass:\n{page}")
            parts = re.search(r"nvcc ([\d.]+) s, link ([\d.]+) s, check ([\d.]+) s", page)
            total.append(seen - began)
            for series, value in zip((nvcc, link, check), parts.groups()):
                series.append(float(value))
        watch.close()
    return {"exercise": exercise, "samples": samples, "cores": len(os.sched_getaffinity(0)),
            "median_s": round(statistics.median(total), 3), "fastest_s": round(min(total), 3), "slowest_s": round(max(total), 3),
            "nvcc_s": statistics.median(nvcc), "link_s": statistics.median(link), "check_s": statistics.median(check),
            "nvcc_share": round(statistics.median(nvcc) / statistics.median(total), 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exercise", default="2.1")
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--limit", type=float, default=3.0)
    options = parser.parse_args()
    found = measure(options.exercise, options.samples)
    found["limit_s"] = options.limit
    found["ok"] = found["median_s"] <= options.limit and found["nvcc_s"] > max(found["link_s"], found["check_s"])
    print(json.dumps(found, indent=2))
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
