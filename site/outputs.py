#!/usr/bin/env python3
"""What a check says about an exercise as it is handed out: the first thing that a reader's screen shows.

    site/outputs.py CLI [ID ...]                          records it, in site/data/first_words; all exercises, or those named
    site/outputs.py CLI --check [--part K/N] [ID ...]     fails where a check says something else now; of N parts the K-th alone

The checks run on the simulated device, in a copy of the repository, so nobody's work/ is touched. Words are compared, figures are
not: a modelled time may move by a hair when the model learns something, and the page says of when its figures are.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from book.repository import ROOT, chapters, first_words_of  # noqa: E402

COPIED = ("chapters", "solutions", "tests/exercises", "include", "kernels")


def said(cli, exercise, copy):
    work = copy / "work" / exercise.chapter
    work.mkdir(parents=True, exist_ok=True)
    for starter in exercise.starters:
        shutil.copy(starter, work / starter.name)
    environment = {**os.environ, "WORKBOOK_ROOT": str(copy), "WORKBOOK_CALLED_AS": "./workbook", "COLUMNS": "80", "NO_COLOR": "1"}
    environment.setdefault("WORKBOOK_BUILD_DIR", str(ROOT / ".build"))
    run = subprocess.run([cli, "check", exercise.id, "--device", "simulated"], cwd=copy, env=environment, text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    return "\n".join(line.rstrip() for line in run.stdout.strip("\n").split("\n")) + "\n", run


def words_of(text):
    """Without figures, and without how they are set apart."""
    return re.sub(r"\s+", " ", re.sub(r"[\d.,]*\d|[█▉▊▋▌▍▎▏]+", "#", text)).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--part", default="1/1")
    options = parser.parse_intermixed_args()
    part, parts = map(int, options.part.split("/"))
    asked = [e for c in chapters() for e in c.exercises if not e.needs_gpu and (not options.ids or e.id in options.ids)]
    stale = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "workbook")
        for name in COPIED:
            shutil.copytree(ROOT / name, copy / name)
        for exercise in asked[part - 1::parts]:
            text, run = said(os.path.abspath(options.cli), exercise, copy)
            path = first_words_of(exercise)
            if run.returncode != 1:
                print(f"{exercise.id}: the starter should not pass, and check should not fail by itself: exit code {run.returncode}\n{text}{run.stderr}")
                stale += 1
            elif not options.check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                print(f"{exercise.id}: {text.splitlines()[0]}")
            elif not path.is_file() or words_of(path.read_text(encoding="utf-8")) != words_of(text):
                print(f"{path.relative_to(ROOT)} is not what the check says now (site/outputs.py {options.cli} {exercise.id} records it):\n{text}")
                stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
