#!/usr/bin/env python3
"""Every test of the project, called by ./workbook test after everything is built.

    --quick            what is done within two minutes: no sanitizer build, no long test, verify of two exercises
    --no-sanitizers    everything else
    --until SECONDS    the moment (seconds since 1970) at which all should be over: chapters of verify and the sanitizer
                       build are left out, and said to be not run, when they would not be done by then

Ends with the line "N passed, N failed", or "N passed, N failed, N skipped". Exit code 0 when nothing failed.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("WORKBOOK_BUILD_DIR", ROOT / ".build"))
CORES = str(len(os.sched_getaffinity(0)))
QUICK_EXERCISES = ["1.1", "2.1"]
SANITIZED_SECONDS = 900  # what their build takes one core: about eight minutes, twice that on a slow one
SECONDS_AN_ANSWER = 4.4  # to compile and check, one core
LONG_CHAPTERS = {"13_measure": 10, "14_capstone": 16}  # where an answer takes so many seconds instead
SANITIZED = ("tests/unit/base/", "tests/unit/ptx/", "tests/unit/sim/", "tests/unit/model/", "tests/ptx/")


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, ok, what="", why=""):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            say(f"FAILED  {what}" + (f": {why}" if why else ""))


def say(text):
    print(text, flush=True)


def cmake_tool(name):
    """ctest and cmake of the CMake that configured the build."""
    cache = BUILD / "CMakeCache.txt"
    for line in cache.read_text(errors="replace").splitlines() if cache.is_file() else []:
        if line.startswith("CMAKE_COMMAND:INTERNAL="):
            return str(pathlib.Path(line.split("=", 1)[1]).parent / name)
    return name


def run_ctest(tally, build, extra, title):
    say(f"\n{title}")
    began, failed_before = time.time(), tally.failed
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.xml")
        # The tests choose their own root and build folder, or are given them.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GTEST_")}
        code = subprocess.run([cmake_tool("ctest"), "--test-dir", str(build), "-j", CORES, "--output-on-failure",
                               "--no-tests=error", "--output-junit", str(report), *extra], env=environment).returncode
        if not report.is_file():
            tally.add(False, title, f"ctest gave {code} and no report")
            return
        count = 0
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            count += 1
            status, skipped = case.get("status"), case.find("skipped")
            # ctest calls a test whose program is missing "skipped" too; for us that is a failure.
            if status == "disabled" or (skipped is not None and skipped.get("message", "").startswith("SKIP_")):
                tally.skipped += 1
                say(f"skipped  {case.get('name')}")
            else:
                tally.add(status == "run", case.get("name"), skipped.get("message", "") if skipped is not None else "")
        if code != 0 and tally.failed == failed_before:
            tally.add(False, title, f"ctest gave {code}")
    say(f"{title}: {count} tests, {time.time() - began:.0f} s")


def run_verify(tally, names, until=None):
    began = time.time()
    title = "verify " + " ".join(names) if names else "verify"
    process = subprocess.Popen([str(BUILD / "bin/workbook-cli"), "verify", "--json", *names], stdout=subprocess.PIPE, text=True)
    try:
        output = process.communicate(timeout=max(1, until - time.time()) if until else None)[0]
    except subprocess.TimeoutExpired:
        process.terminate()  # it stops its children
        process.communicate()
        tally.skipped += 1
        say(f"not run: {title}; the time was over before it was done")
        return
    try:
        found = json.loads(output)
    except ValueError:
        tally.add(False, title, f"exit code {process.returncode}, and no JSON: {output[-500:]}")
        return
    for row in found["details"]:
        if row["standing"] == "not_run":
            tally.skipped += 1
        else:
            tally.add(row["standing"] == "ok", f"verify {row['exercise']} {row['answer']} {row['file']}", row.get("remark", ""))
    say(f"{title}: {found['exercises']} exercises, {found['starters_ok']} starters, {found['solutions_ok']} solutions, "
        f"{found['wrong_answers_ok']} of {found['wrong_answers']} wrong and {found['right_answers_ok']} of "
        f"{found['right_answers']} right answers as they should be, {time.time() - began:.0f} s")


def run_sanitized(tally, until):
    title = "unit tests under AddressSanitizer and UndefinedBehaviorSanitizer"
    build = BUILD.with_name(BUILD.name + "-sanitized")
    say(f"\n{title}: building in {build.name}/")
    configuration = [f"-D{line.split('=', 1)[0].split(':')[0]}={line.split('=', 1)[1]}"
                     for line in (BUILD / "CMakeCache.txt").read_text(errors="replace").splitlines()
                     if line.startswith(("CMAKE_CXX_COMPILER:", "CMAKE_MAKE_PROGRAM:", "CMAKE_PREFIX_PATH:", "WORKBOOK_NVCC:"))]
    generator = [line.split("=", 1)[1] for line in (BUILD / "CMakeCache.txt").read_text().splitlines()
                 if line.startswith("CMAKE_GENERATOR:")][0]
    commands = [[cmake_tool("cmake"), "-S", str(ROOT), "-B", str(build), "-G", generator, *configuration,
                 # Compiling takes longer than running here, so it is optimised little.
                 "-DCMAKE_BUILD_TYPE=Sanitize", "-DCMAKE_CXX_FLAGS_SANITIZE=-O1 -g1", "-DWORKBOOK_SANITIZE=address,undefined"]]
    if subprocess.run(commands[0], stdout=subprocess.DEVNULL).returncode != 0:
        tally.add(False, title, "cannot be configured")
        return
    # ctest names the program of a test only where it is built: so ask the build that was tested before.
    listed = json.loads(subprocess.run([cmake_tool("ctest"), "--test-dir", str(BUILD), "--show-only=json-v1"],
                                       stdout=subprocess.PIPE, text=True).stdout)
    chosen = {t["name"]: pathlib.Path(t["command"][0]) for t in listed["tests"]
              if "command" in t and t["command"][0].startswith(tuple(f"{BUILD}/{p}" for p in SANITIZED))}
    if not chosen:
        tally.add(False, title, "no such test found")
        return
    targets = sorted({program.name for program in chosen.values()})
    try:
        built = subprocess.run([commands[0][0], "--build", str(build), "-j", CORES, "--target", *targets], stdout=subprocess.DEVNULL,
                               timeout=max(1, until - time.time()) if until else None)
    except subprocess.TimeoutExpired:
        tally.skipped += 1
        say("not run: the time was over before they were built")
        return
    if built.returncode != 0:
        tally.add(False, title, "does not build")
        return
    os.environ.setdefault("UBSAN_OPTIONS", "halt_on_error=1:print_stacktrace=1")
    run_ctest(tally, build, ["-R", "^(" + "|".join(n.replace(".", r"\.") for n in sorted(chosen)) + ")$"], title)


def answers_of(chapter):
    """How many answers `verify` tries in this chapter, roughly: a starter and a solution for each check."""
    folder = ROOT / "tests/exercises" / chapter.name
    tried = sum(1 for kind in ("wrong", "right") for _ in folder.glob(f"*/{kind}/*"))
    return tried + 2 * sum(1 for _ in folder.glob("[0-9][0-9]_*/"))


def run_what_fits(tally, until):
    """verify by chapters and the sanitizer build, as far as they are done by `until`.

    Where all of it does not fit, the commit decides with which chapter it begins, so that another one is left out each
    time; what is left out is said to be not run.
    """
    cores = int(CORES)
    pieces = [(f"verify of {c.name}", answers_of(c) * LONG_CHAPTERS.get(c.name, SECONDS_AN_ANSWER) / cores,
               lambda n=str(int(c.name[:2])): run_verify(tally, [n], until))
              for c in sorted((ROOT / "chapters").glob("[0-9][0-9]_*"))]
    pieces.append(("the unit tests under sanitizers", SANITIZED_SECONDS / cores, lambda: run_sanitized(tally, until)))
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    first = int(commit[:8] or "0", 16) % len(pieces)
    for title, seconds, work in pieces[first:] + pieces[:first]:
        if time.time() + seconds <= until:
            work()
        else:
            tally.skipped += 1
            say(f"not run: {title}; it takes some {seconds:.0f} s, and there is no time left for it")


def main():
    parser = argparse.ArgumentParser(prog="./workbook test", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-sanitizers", action="store_true")
    parser.add_argument("--until", type=float)
    options = parser.parse_args()
    tally, began = Tally(), time.time()
    run_ctest(tally, BUILD, ["-LE", "long"] if options.quick else [], "tests")
    say("\nverify: do the checks tell right from wrong?")
    if options.quick:
        run_verify(tally, QUICK_EXERCISES)
    elif options.until:
        run_what_fits(tally, options.until)
    else:
        run_verify(tally, [])
        if not options.no_sanitizers:
            run_sanitized(tally, None)
    say(f"\nall of it: {time.time() - began:.0f} s")
    say(f"{tally.passed} passed, {tally.failed} failed" + (f", {tally.skipped} skipped" if tally.skipped else ""))
    return 0 if tally.failed == 0 and tally.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
