#!/usr/bin/env python3
"""Whole programs on the simulated device.

    run_programs.py right BUILD_FOLDER CUDART_FOLDER SOURCE_FOLDER [SEED ...]
    run_programs.py wrong BUILD_FOLDER CUDART_FOLDER SOURCE_FOLDER

right: each .cu prints what stands in its .expected, ends with 0, and no fault is reported; with each seed (of the order
of blocks and warps). wrong: a fault is reported; the head of the .cu says of which kind and a word of its sentence, and a
mark `<- here` stands at its line. The time of the whole is kept in mind: it is printed.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

BUDGET = "20000000"  # warp instructions; a wrong program may spin for ever


def run(program, cudart, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WORKBOOK_")}
    environment.update(LD_LIBRARY_PATH=cudart, **more)
    return subprocess.run([program], env=environment, capture_output=True, text=True, timeout=120)


def judge_right(source, done):
    expected = source.with_suffix(".expected").read_text()
    fault = re.search(r"^=== workbook: (.*)$", done.stderr, re.M)
    if fault:
        return f"a fault was reported: {fault.group(1)}\n{done.stderr[:1500]}"
    if done.returncode != 0:
        return f"exit code {done.returncode}\n{done.stdout[-600:]}{done.stderr[-600:]}"
    if done.stdout != expected:
        for number, (got, want) in enumerate(zip(done.stdout.splitlines(), expected.splitlines()), 1):
            if got != want:
                return f"line {number} is\n    {got}\n  and not\n    {want}"
        return "more or fewer lines than expected"
    return None


def judge_wrong(source, done):
    text = source.read_text()
    kind = re.search(r"^// kind: (\S+)", text, re.M).group(1)
    says = re.search(r"^// says: (.*)$", text, re.M).group(1)
    lines = [n for n, line in enumerate(text.splitlines(), 1) if "<- here" in line]
    fault = re.search(r"^=== workbook: (\S+)", done.stderr, re.M)
    if not fault:
        return f"no fault was reported\n{done.stdout[-300:]}{done.stderr[-600:]}"
    if fault.group(1) != kind:
        return f"{fault.group(1)} was reported, not {kind}\n{done.stderr[:800]}"
    if says not in done.stderr:
        return f"nothing says {says!r}\n{done.stderr[:800]}"
    where = re.search(r"^  where +\S*?:(\d+)$", done.stderr, re.M)
    if lines and (not where or int(where.group(1)) not in lines):
        return f"the place is {where and where.group(1)}, not one of {lines}\n{done.stderr[:800]}"
    return None


def main(arguments):
    if len(arguments) < 4 or arguments[0] not in ("right", "wrong"):
        print(__doc__)
        return 2
    what, build, cudart, folder = arguments[:4]
    seeds = arguments[4:] or ["0"]
    sources = sorted(pathlib.Path(folder).glob("*.cu"))

    def one(job):
        source, seed = job
        try:
            more = {"WORKBOOK_SEED": seed}
            if what == "wrong":
                more["WORKBOOK_INSTRUCTION_BUDGET"] = BUDGET
            done = run(pathlib.Path(build) / source.stem, cudart, **more)
        except subprocess.TimeoutExpired:
            return source, seed, "had not ended after 120 s"
        return source, seed, (judge_right if what == "right" else judge_wrong)(source, done)

    failed = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for source, seed, problem in pool.map(one, [(s, seed) for s in sources for seed in seeds]):
            if problem:
                failed += 1
                print(f"FAIL {source.stem} (seed {seed}): {problem}")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(sources)} programs, {failed} failed, {spent.ru_utime + spent.ru_stime:.1f} s of CPU")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
