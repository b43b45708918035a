#!/usr/bin/env python3
"""A class of hostile submissions, with honest ones between them, graded for real.

    test_hostile.py WORKBOOK_GRADE [--device gpu] [--isolation KIND] [--keep FOLDER] [NAME ...]

Each hostile one must come to its outcome under its name, none passes, each honest one passes, and after it all nothing
of the workbook or the machine has changed and no process is left.
"""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from hostile import ALL, Hostile, source_of  # noqa: E402
import hostile_elsewhere  # noqa: E402

FILE = "02_grids_blocks_threads/01_one_thread_per_element.cu"
SOLUTION = (ROOT / "solutions" / FILE).read_text()
RIGHT = ROOT / "tests/exercises" / FILE.removesuffix(".cu") / "right"


def write(folder, text, file=FILE):
    path = folder / "work" / file
    path.parent.mkdir(parents=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def odd_files(top):
    """What a submission's folder may hold in the place of a text."""
    rows = {}

    def one(name):
        path = top / name / "work" / FILE
        path.parent.mkdir(parents=True)
        rows[name] = ("did not compile", "file.refused")
        return path

    one("zz_link_to_another_file").symlink_to(ROOT / "solutions" / FILE)
    os.mkfifo(one("zz_pipe"))
    one("zz_folder").mkdir()
    one("zz_larger_than_a_person_writes").write_text("// long\n" + "x" * (2 << 20))
    one("zz_no_text").write_bytes(b"\x7fELF\x02\x01\x01\x00\x00")
    with open(one("zz_sparse_100_gigabytes"), "wb") as sparse:
        sparse.truncate(100 << 30)
    os.mknod(one("zz_socket"), 0o140644)
    one("zz_link_that_goes_round").symlink_to(top / "zz_link_that_goes_round/work" / FILE)
    os.link(top.parent / "seed", one("zz_hard_link_to_the_seed"))
    rows["zz_hard_link_to_the_seed"] = ("not graded", None)
    name = "zz_name with \n a line\t\x1b[2J and =1+1"
    write(top / name, source_of(next(h for h in ALL if h.name == "does_nothing")) + "// odd name\n")
    deep = top / "zz_deep_and_wide"
    for i in range(3000):
        (deep / str(i)).mkdir(parents=True)
    (deep / "/".join(["d"] * 500)).mkdir(parents=True)
    write(deep, source_of(next(h for h in ALL if h.name == "does_nothing")) + "// deep\n")
    rows["zz_deep_and_wide"] = ("wrong", None)
    folder = top / "zz_linked_chapter" / "work"
    folder.mkdir(parents=True)
    (folder / FILE.split("/")[0]).symlink_to(ROOT / "solutions" / FILE.split("/")[0])
    rows["zz_linked_chapter"] = ("did not compile", "file.refused")
    # Tests, bounds and solutions of its own are not looked at.
    tampered = top / "zz_tampered_tests"
    write(tampered, source_of(next(h for h in ALL if h.name == "does_nothing")) + "// tampered\n")
    (tampered / "chapters/02_grids_blocks_threads").mkdir(parents=True)
    (tampered / "chapters/02_grids_blocks_threads/chapter.toml").write_text("number = 2\n[exercise.bounds.roof]\nat_most = 1e9\n")
    (tampered / "workbook").write_text("#!/bin/sh\nexit 0\n")
    rows["zz_tampered_tests"] = ("wrong", None)
    return rows


def honest(top, count):
    names = []
    answers = [SOLUTION] + [p.read_text() for p in sorted(RIGHT.glob("*.cu"))]
    for i in range(count):
        name = f"{ALL[i * len(ALL) // count].name}_then_honest" if i < count - 1 else "zzz_honest"
        write(top / name, answers[i % len(answers)] + f"// submission {i}\n")
        names.append(name)
    return names


def fingerprint():
    digest = hashlib.sha256()
    for folder in ("solutions", "chapters", "tests/exercises", "src", "include"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def processes():
    found = set()
    for path in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":", 1) for line in path.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if facts["Name"].strip() == "runner" or 64800 <= int(facts["Uid"].split()[0]) < 65000:
            found.add(path.parent.name)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("grade")
    parser.add_argument("--device", default="simulated")
    parser.add_argument("--isolation", default="auto")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    # Some of these kill whatever they reach: never with the rights of whoever runs this test.
    if options.isolation == "auto" and os.geteuid() != 0:
        options.isolation = "bubblewrap"
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        top = folder / "class"
        top.mkdir(parents=True)
        (folder / "seed").write_text("a seed that nobody in this class knows")
        chosen = [h for h in ALL if not options.names or h.name in options.names]
        further = [h for h in hostile_elsewhere.ALL if not options.names or h.name in options.names]
        for entry in further:
            write(top / entry.name, entry.source, entry.path)
            if not (top / f"zz_plain_{entry.exercise}").exists():
                write(top / f"zz_plain_{entry.exercise}", entry.slow, entry.path)
        exercises = sorted({"2.1", *(e.exercise for e in further)})
        for entry in chosen:
            write(top / entry.name, source_of(entry))
        write(top / "zz_slow_and_honest", source_of(Hostile("", "", "", None, "", "", "slow")))
        odd = {} if options.names else odd_files(top)
        well = honest(top, 3 if options.names else 7)
        before, running = fingerprint(), processes()
        result = subprocess.run(
            [os.path.abspath(options.grade), "grade", str(top), "--class", "--only", ",".join(exercises), "--device", options.device, "--isolation", options.isolation,
             "--seed-file", str(folder / "seed"), "--run-seconds", "10", "--jobs", options.jobs, "--out", str(folder / "grades"),
             "--format", "junit,csv,gradescope"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
        print(result.stdout)
        if result.returncode == 3 and "bubblewrap cannot be used here" in result.stdout:
            print("not run: neither bubblewrap nor root")
            return 77
        if result.returncode not in (0, 4):
            wrong.append(f"exit code {result.returncode}")
        grades = json.loads((folder / "grades/grades.json").read_text())
        every = {(s["name"], e["exercise"]): e for s in grades["submissions"] for e in s["exercises"]}
        rows = {name: row for (name, exercise), row in every.items() if exercise == "2.1"}
        for entry in chosen:
            row = rows[entry.name]
            codes = (entry.code,) if isinstance(entry.code, (str, type(None))) else entry.code
            told = f"{entry.group:<26} {entry.name:<36} {row['status']:<16} {row.get('code', '')}"
            # What is right and slow has its part of the points, and no trick adds to it.
            most = rows["zz_slow_and_honest"]["points"] if row["status"] == "too slow" and (entry.base == "slow" or row.get("attention")) else 0
            bad = row["status"] not in entry.statuses or row["points"] > most or not row["graded"] or (entry.code and row.get("code") not in codes)
            print(("WRONG " if bad else "      ") + told)
            if bad:
                wrong.append(f"{told}: {row.get('headline', '')} {row.get('why', '')}; expected {entry.statuses} {entry.code}")
        for entry in further:
            row, most = every[entry.name, entry.exercise], every[f"zz_plain_{entry.exercise}", entry.exercise]["points"]
            told = f"{entry.group:<26} {entry.name:<36} {row['status']:<16} {row.get('code', '')} {row['points']} of {most}"
            bad = row["status"] not in entry.statuses or row["points"] > most
            print(("WRONG " if bad else "      ") + told)
            if bad:
                wrong.append(f"{told}: {row.get('headline', '')} {row.get('why', '')}")
        for name, (status, code) in odd.items():
            row = rows[name]
            if "nobody in this class" in json.dumps(row):
                wrong.append(f"{name}: the seed stands in the report")
            if row["status"] != status or (code and row.get("code") != code) or row["points"] != 0:
                wrong.append(f"{name}: {row}")
        for name in well:
            if rows[name]["status"] != "passed":
                wrong.append(f"honest {name}: {rows[name]}")
        if fingerprint() != before:
            wrong.append("a file of the workbook has changed")
        if processes() - running:
            wrong.append(f"processes are left: {processes() - running}")
        print(f"isolation: {grades['isolation']}; {len(chosen) + len(further) + len(odd)} hostile, {len(well)} honest submissions, {len(wrong)} not as they should be")
    for line in wrong:
        print("FAILED", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
