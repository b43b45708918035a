#!/usr/bin/env python3
"""How fast is a class graded, and does an interruption change a grade?

    bench/grading/bench.py [--submissions 200] [--exercises 12] [--jobs N] [--out FOLDER] [--no-kill]

Makes a class out of solutions, right and wrong answers; each file differs from every other (a comment with the learner's
number), as learners' files do, so nothing is shared. Then: a grading from nothing; one with what the compiler made (the
store of grades thrown away); one that is killed in the middle and called again; and one where nothing is left to do. Prints
submissions a minute, the most memory that the processes held together, and whether all grades are the same. With one JSON
line at the end.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("WORKBOOK_BUILD_DIR", ROOT / ".build"))
GRADE = BUILD / "bin/workbook-grade"


def exercises(count):
    rows = json.loads((BUILD / "workbook_toolchain.json").read_text())["exercises"]
    return rows[:count]


def answers_of(exercise):
    """(text, weight): two thirds right, some wrong, some unchanged; none that only hangs."""
    path = f"{exercise['chapter']}/{exercise['stem']}"
    right = [ROOT / "solutions" / f"{path}.cu", *sorted((ROOT / "tests/exercises" / path / "right").glob("*.cu"))]
    wrong = sorted((ROOT / "tests/exercises" / path / "wrong").glob("*.cu"))
    wrong = [p for p in wrong if "timed out" not in p.read_text()]
    return [p.read_text() for p in right], [p.read_text() for p in wrong]


def make_class(top, count, chosen):
    draw = random.Random(17)
    for e in chosen:
        right, wrong = answers_of(e)
        for i in range(count):
            text = draw.choice(right) if draw.random() < 0.67 or not wrong else draw.choice(wrong)
            path = top / f"learner{i:03}" / "work" / e["chapter"] / f"{e['stem']}.cu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + f"\n// learner {i}\n")


class Memory(threading.Thread):
    """The most that a process and its descendants held, looked at ten times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.over = pid, 0, False

    def family(self, pid):
        try:
            pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
            children = [c for t in pathlib.Path(f"/proc/{pid}/task").iterdir() for c in (t / "children").read_text().split()]
        except OSError:
            return 0
        return pages * 4096 + sum(self.family(int(c)) for c in children)

    def run(self):
        while not self.over:
            self.most = max(self.most, self.family(self.pid))
            time.sleep(0.1)


def grade(folder, out, chosen, jobs, kill_after=None):
    began = time.time()
    process = subprocess.Popen([str(GRADE), "grade", str(folder), "--class", "--out", str(out), "--jobs", str(jobs), "--only",
                                ",".join(e["id"] for e in chosen)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory = Memory(process.pid)
    memory.start()
    if kill_after is not None:
        try:
            process.wait(kill_after)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    code = process.wait()
    memory.over = True
    return time.time() - began, memory.most, code


def essence(out):
    grades = json.loads((out / "grades.json").read_text())
    return {s["name"]: [(e["exercise"], e["status"], e["points"], e.get("code", "")) for e in s["exercises"]] for s in grades["submissions"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--exercises", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--out")
    parser.add_argument("--no-kill", action="store_true")
    options = parser.parse_args()
    top = pathlib.Path(options.out or tempfile.mkdtemp(prefix="grading-bench-"))
    chosen = exercises(options.exercises)
    make_class(top / "class", options.submissions, chosen)
    for folder in ("cache", "grade"):
        shutil.rmtree(BUILD / folder, ignore_errors=True)
    found = {"submissions": options.submissions, "exercises": len(chosen), "jobs": options.jobs, "answers": options.submissions * len(chosen)}

    def tell(what, seconds, memory):
        rate = options.submissions / seconds * 60
        found[what] = {"seconds": round(seconds, 1), "submissions_a_minute": round(rate, 2), "memory_mib": memory >> 20}
        print(f"{what:<22} {seconds:8.1f} s {rate:8.2f} submissions a minute {memory >> 20:6} MiB", flush=True)

    seconds, memory, code = grade(top / "class", top / "whole", chosen, options.jobs)
    tell("from nothing", seconds, memory)
    whole = essence(top / "whole")
    seconds, memory, _ = grade(top / "class", top / "whole", chosen, options.jobs)
    tell("nothing left to do", seconds, memory)
    seconds, memory, _ = grade(top / "class", top / "compiled", chosen, options.jobs)
    tell("compiled already", seconds, memory)
    same = essence(top / "compiled") == whole
    if not options.no_kill:
        _, _, killed = grade(top / "class", top / "killed", chosen, options.jobs, kill_after=seconds / 2)
        done = len(list((top / "killed/store").rglob("*.json")))
        again, memory, _ = grade(top / "class", top / "killed", chosen, options.jobs)
        tell("after a kill", again, memory)
        same = same and killed == -9 and essence(top / "killed") == whole
        print(f"killed when {done} of {found['answers']} answers were done")
        found["known_after_kill"] = done
    found["same_grades"] = same
    found["verdicts"] = {}
    for rows in whole.values():
        for _, status, _, _ in rows:
            found["verdicts"][status] = found["verdicts"].get(status, 0) + 1
    print("the grades of all runs are", "the same" if same else "NOT the same")
    print(json.dumps(found))
    return 0 if same and code == 0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
