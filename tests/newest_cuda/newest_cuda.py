#!/usr/bin/env python3
"""The workbook with the newest nvcc of the Python index in the place of the one it was built with.

    newest_cuda.py BUILD_DIR --fetch            fetches it into .toolchain/cuda-newest (330 MB)
    newest_cuda.py BUILD_DIR names              the library exports every function that the newest one exports
    newest_cuda.py BUILD_DIR solutions [--all]  solutions, compiled by it, pass on the simulated device
    newest_cuda.py BUILD_DIR programs [--all]   the conformance suite and the whole programs, compiled by it

Exit code 77 where it has not been fetched. `--all`: every solution, theme and program, not one of each kind.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "src/harness/tools"), str(ROOT / "tests/programs")]
from run_programs import judge_right, run  # noqa: E402
from try_exercise import Exercise  # noqa: E402

PACKAGES = ["nvidia-cuda-nvcc", "nvidia-cuda-crt", "nvidia-cuda-runtime", "nvidia-cuda-cccl", "nvidia-nvvm", "nvidia-nvtx"]
FOLDER = ROOT / ".toolchain/cuda-newest"
TOOLKIT = FOLDER / "nvidia/cu13"
# What is compiled there is the exercise itself, and the grader alone builds it.
ELSEWHERE = ["4.1", "4.2", "4.3"]
# One of each kind of thing that nvcc or the headers take part in.
SOLUTIONS = ["1.1", "1.5", "5.4", "5.6", "6.1", "7.3", "8.5", "9.3", "10.4", "11.5", "12.2", "13.2"]
THEMES = ["integer", "convert", "warp", "matrix"]
PROGRAMS = ["vector_add", "matrix_multiply_wmma", "graph_capture", "cooperative_reduction"]


def fetch():
    """Whole or not at all: into a folder beside it first."""
    with tempfile.TemporaryDirectory(dir=FOLDER.parent) as folder:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target", folder, *PACKAGES],
                       check=True)
        top = pathlib.Path(folder, "nvidia/cu13")
        (top / "lib64").symlink_to("lib")
        for name in ("libcudart.so.13", "libnvvm.so.4"):
            if (top / "lib" / name).exists():
                (top / "lib" / name.rsplit(".", 1)[0]).symlink_to(name)
        subprocess.run(["rm", "-rf", FOLDER], check=True)
        os.rename(folder, FOLDER)
        os.mkdir(folder)


def version():
    said = subprocess.run([TOOLKIT / "bin/nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"V([\d.]+)", said)[1]


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in lines.splitlines()}


def names(build, _):
    theirs = {name for name in exported(TOOLKIT / "lib/libcudart.so.13") if name.lstrip("_").startswith("cuda")}
    missing = sorted(theirs - exported(build / "lib/simulated/libcudart.so.13"))
    assert len(theirs) > 400, f"only {len(theirs)} functions found in the newest library"
    assert not missing, f"add to src/cudart/exported_names.inc: {', '.join(missing)}"
    print(f"{len(theirs)} functions, each of them here")


def solution_passes(build, tool, entry):
    exercise = Exercise(build, entry["id"])
    exercise.tool = tool
    files = [str(ROOT / "solutions" / entry["chapter"] / f"{entry['stem']}.cu")]
    with tempfile.TemporaryDirectory() as place:
        trouble = exercise.build(files, f"{place}/runner", place)
        if trouble:
            return entry["id"], trouble
        record = f"{place}/record.jsonl"
        subprocess.run(exercise.judge_command(files, f"{place}/runner", record), capture_output=True)
        cases = [json.loads(line) for line in open(record, encoding="utf-8")]
    cases = [case for case in cases if case.get("event") == "case"]
    wrong = [case for case in cases if case["outcome"] not in ("passed", "not_run")]
    if not cases:
        return entry["id"], "the judge said nothing"
    return entry["id"], "; ".join(f"{c['name']}: {c.get('failure', {}).get('headline') or c.get('why', c['outcome'])}" for c in wrong)


def solutions(build, every):
    tool = json.loads((build / "workbook_toolchain.json").read_text())
    tool.update(nvcc=str(TOOLKIT / "bin/nvcc"), cuda_include=str(TOOLKIT / "include"))
    entries = [e for e in tool["exercises"] if e["id"] in SOLUTIONS or (every and e["id"] not in ELSEWHERE)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        report(list(pool.map(lambda entry: solution_passes(build, tool, entry), entries)), "solutions pass")


def report(rows, what):
    for name, trouble in rows:
        if trouble:
            print(f"{name}: {trouble}")
    wrong = sum(bool(trouble) for _, trouble in rows)
    print(f"{len(rows) - wrong} of {len(rows)} {what}")
    assert rows and not wrong


def compiled(command, program):
    done = subprocess.run([TOOLKIT / "bin/nvcc", *command, "-o", program], capture_output=True, text=True)
    return "" if done.returncode == 0 else f"nvcc: {(done.stderr or done.stdout)[:400]}"


def suite_is_right(build, program):
    """A theme of the conformance suite says "ok" of each behaviour. (`fatal` ends each time, as it should: not here.)"""
    ran = run(program, str(build / "lib/simulated"))
    lines = ran.stdout.splitlines()
    wrong = [line for line in lines if not line.startswith("ok")]
    return "" if lines and not wrong and ran.returncode == 0 else f"exit code {ran.returncode}: {wrong[:3]}"


def program_is_right(build, source, folder):
    """A whole program prints what stands beside it, and no fault is reported: as in tests/programs."""
    program = pathlib.Path(folder, source.stem)
    trouble = compiled([*(source.parent / "nvcc_options.txt").read_text().split(), source], program)
    return source.stem, trouble or judge_right(source, run(program, str(build / "lib/simulated")))


def programs(build, every):
    conformance, whole = ROOT / "tests/conformance", ROOT / "tests/programs"
    lists = re.findall(r"set\(themes_(\d+) ([^)]*)\)", (conformance / "CMakeLists.txt").read_text())
    themes = [(theme, arch) for arch, words in lists for theme in words.split() if every or theme in THEMES]
    flags = ["-std=c++17", "-O1", "-cudart", "shared", "-Wno-deprecated-gpu-targets", "-Xcompiler",
             "-frounding-math,-ffp-contract=off"]
    sources = [s for s in sorted(whole.glob("*.cu")) if every or s.stem in PROGRAMS]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        rows = list(pool.map(lambda t: (t[0], compiled([*flags, "-gencode", f"arch=compute_{t[1]},code=compute_{t[1]}",
                                                        conformance / f"{t[0]}.cu"], f"{folder}/{t[0]}")), themes))
        rows += pool.map(lambda t: (f"{t[0]}, run", "" if t[0] == "fatal" else suite_is_right(build, f"{folder}/{t[0]}")), themes)
        rows += pool.map(lambda source: program_is_right(build, source, folder), sources)
    report(rows, "programs are right")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", nargs="?", choices=["names", "solutions", "programs"])
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_intermixed_args()
    if arguments.fetch:
        FOLDER.parent.mkdir(exist_ok=True)
        fetch()
    if not TOOLKIT.exists():
        print("the newest CUDA has not been fetched: not run (newest_cuda.py BUILD_DIR --fetch)")
        sys.exit(77)
    print(f"CUDA {version()}, the newest of the Python index when it was fetched")
    if arguments.what:
        {"names": names, "solutions": solutions, "programs": programs}[arguments.what](arguments.build.resolve(), arguments.all)


if __name__ == "__main__":
    main()
