#!/usr/bin/env python3
"""Whether an exercise's answers get the same judgement every time: builds each once, and judges it again and again.

    same_every_time.py BUILD_DIR 10.4 [11.1 ...] [--times 20] [--cores 1,2] [--jobs 1] [--only no_used ...]

Judges the starter, the solution, and every single-file answer of wrong/ and right/ on the simulated device, `--times` times
for each number of cores in `--cores` (by affinity), and compares outcome, code, headline, evidence, places and modelled
times, to the last digit. `--jobs` that many at a time, each on cores of its own. Ends with the number of judgements and of
those that differed; exit code 1 when any did.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile

from try_exercise import Exercise

PASSING = ("wall_ms", "host_ms", "seconds")  # what a clock of this machine says


def answers_of(exercise, only):
    root = pathlib.Path(exercise.tool["source_dir"])
    stem = exercise.entry["stem"]
    tests = root / "tests/exercises" / exercise.entry["chapter"] / stem
    files = [exercise.chapter / f"{stem}.cu", root / "solutions" / exercise.entry["chapter"] / f"{stem}.cu"]
    files += sorted(tests.glob("wrong/*.cu")) + sorted(tests.glob("right/*.cu"))
    return [file for file in files if not only or file.stem in only]


def without_clocks(value):
    if isinstance(value, dict):
        return {k: without_clocks(v) for k, v in value.items() if k not in PASSING}
    if isinstance(value, list):
        return [without_clocks(v) for v in value]
    return value


def judged(exercise, file, runner, cores):
    """The record of one judgement, without what a clock says."""
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/record.jsonl"
        command = exercise.judge_command([str(file)], runner, record)
        subprocess.run(command, capture_output=True, preexec_fn=lambda: os.sched_setaffinity(0, cores))
        lines = [json.loads(line) for line in open(record, encoding="utf-8")]
    cases = [without_clocks(line) for line in lines if line.get("event") == "case"]
    if not cases:
        sys.exit(f"the judge gave no case for {file}: there is nothing to compare")
    return json.dumps(cases, sort_keys=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("exercises", nargs="+")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--cores", default="1,2")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", help="answers, by their names without .cu")
    arguments = parser.parse_args()
    numbers = [int(n) for n in arguments.cores.split(",")]
    mine, most = sorted(os.sched_getaffinity(0)), max(numbers)
    if arguments.jobs * most > len(mine):
        sys.exit(f"{arguments.jobs} jobs of {most} cores need more than the {len(mine)} cores there are: give --jobs or --cores")
    places = queue.Queue()
    for j in range(arguments.jobs):
        places.put(mine[j * most:(j + 1) * most])
    total = differing = 0

    def all_judgements(exercise, file):
        with tempfile.TemporaryDirectory() as folder:
            trouble = exercise.build([str(file)], f"{folder}/runner", folder)
            if trouble:
                return file, collections.Counter({trouble: 1})
            place = places.get()
            try:
                return file, collections.Counter(judged(exercise, file, f"{folder}/runner", set(place[:n]))
                                                 for n, _ in itertools.product(numbers, range(arguments.times)))
            finally:
                places.put(place)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = []
        for name in arguments.exercises:
            exercise = Exercise(arguments.build, name)
            waiting += [pool.submit(all_judgements, exercise, file) for file in answers_of(exercise, arguments.only)]
        for done in concurrent.futures.as_completed(waiting):
            file, seen = done.result()
            total += sum(seen.values())
            rare = sum(seen.values()) - max(seen.values())
            differing += rare
            print(f"{sum(seen.values()):5} times {'the same' if not rare else f'{len(seen)} KINDS':9} {file}", flush=True)
            for text, count in seen.most_common(3) if rare else []:
                print(f"      {count}: {text[:1500]}")
    print(f"{total} judgements of {len(waiting)} answers, {differing} differ from the most frequent one")
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
