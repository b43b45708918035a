#!/usr/bin/env python3
"""Each edge that a loader can lack is missed every time, not once a month.

    every_time.py BUILD_DIR [RUNS] [--device simulated|gpu]

Builds three wrong answers of 10.4 as the check does (no `copied` for the worker, no `used`, no ticket) and judges each
of them RUNS times (default 100), with another seed each time. Says how often it was rejected, and as what. Exit status
1 when one run let one pass, or when the solution was rejected.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

EXERCISE = "10.4"
ROOT = pathlib.Path(__file__).resolve().parents[3]
WRONG = ROOT / "tests/exercises/10_loader_with_workers/04_the_whole_loader/wrong"
ANSWERS = [
    ("no `copied` for the worker", WRONG / "no_copied_for_the_worker.cu"),
    ("no `used` for the copy", WRONG / "no_used.cu"),
    ("no ticket", WRONG / "no_ticket.cu"),
    ("nothing missing", ROOT / "solutions/10_loader_with_workers/04_the_whole_loader.cu"),
]


def build(tool, exercise, source, folder):
    learner, runner = f"{folder}/{source.stem}.o", f"{folder}/{source.stem}"
    includes = [f"-I{d}" for d in tool["include_dirs"]]
    subprocess.run([tool["nvcc"], *tool["nvcc_flags"], *includes, "-c", source, "-o", learner], check=True)
    subprocess.run([tool["cxx"], learner, exercise["driver"], *tool["link_libraries"], *exercise["extra_libraries"],
                    tool["cudart_to_link"], *tool["link_options"], *tool["system_libraries"], "-o", runner], check=True)
    return runner


def judge(tool, exercise, runner, source, device, seed, record):
    library = tool["simulated_cudart_dir"] if device == "simulated" else tool["real_cudart_dir"]
    # Correctness alone: the case about time has nothing to say here.
    subprocess.run([exercise["judge"], "--runner", runner, "--device", device, "--profile", "h200@1", "--record", record,
                    "--seed", str(seed), "--cudart-dir", library, "--learner-file", source, "--chapter",
                    f"{tool['source_dir']}/chapters/{exercise['chapter']}/chapter.toml",
                    "--gtest_filter=-*no_pause*"], capture_output=True, check=False)
    cases = [json.loads(line) for line in open(record, encoding="utf-8")]
    for case in cases:
        if case.get("event") == "case" and case["outcome"] != "passed":
            return case.get("failure", {}).get("code", case["outcome"])
    return "passed" if any(case.get("event") == "end" for case in cases) else "no end"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("runs", nargs="?", type=int, default=100)
    parser.add_argument("--device", default="simulated", choices=["simulated", "gpu"])
    arguments = parser.parse_args()
    tool = json.loads(pathlib.Path(arguments.build, "workbook_toolchain.json").read_text())
    exercise = next(e for e in tool["exercises"] if e["id"] == EXERCISE)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for words, source in ANSWERS:
            runner = build(tool, exercise, source, folder)
            seen = collections.Counter(judge(tool, exercise, runner, source, arguments.device, seed, f"{folder}/record")
                                       for seed in range(1, arguments.runs + 1))
            right = source.parts[-3] == "solutions"
            caught = arguments.runs - seen["passed"]
            failed = failed or caught != (0 if right else arguments.runs)
            print(f"{words:28} rejected in {caught} of {arguments.runs} runs: "
                  + ", ".join(f"{code} {n}" for code, n in sorted(seen.items())), flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
