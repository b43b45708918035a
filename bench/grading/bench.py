#!/usr/bin/env python3
"""How fast is a class graded, and does an interruption change a grade?

    bench/grading/bench.py [--submissions 200] [--exercises 12] [--own 0.2] [--jobs N] [--out FOLDER]

Makes a class (seeded, always the same) out of starters, solutions, right and wrong answers, in this mix, for each exercise
and submission:

    5 %        nothing handed in
    8 %        the starter as it is
    --own      an answer of one's own: one of the known ones, its kernels and constants renamed, with a comment of its own,
               so that neither the compiler's cache nor an equal answer saves anything
    the rest   one of the known answers as it is: two thirds right, one third wrong; so many learners have the same one,
               as when a class shares a page of the lesson, or a friend's file

Then three gradings of the class:

    cold       nothing is known and nothing compiled; killed (SIGKILL) in the middle, and the same command again
    warm       nothing is known, everything is compiled
    known      nothing is left to do

Prints submissions and checks a minute, the most memory that supervisor, and runners and compilers, held, and whether the
grades of the killed and resumed grading and of the other one are the same. With one JSON line at the end.
"""
import argparse
import json
import os
import pathlib
import random
import re
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


def own_variant(text, number):
    """Other names for kernels and constants of the file, and a comment: another text for compiler and grader."""
    names = set(re.findall(r"__global__\s+void\s+(\w+)\s*\(", text)) | set(re.findall(r"^constexpr\s+\w+\s+(\w+)\s*=", text, re.M))
    for name in names:
        text = re.sub(rf"\b{name}\b", f"{name}_{number}", text)
    return f"// answer of learner {number}\n{text}"


def make_class(top, count, chosen, own):
    draw = random.Random(17)
    distinct = set()
    for e in chosen:
        right, wrong = answers_of(e)
        starter = (ROOT / "chapters" / e["chapter"] / f"{e['stem']}.cu").read_text()
        for i in range(count):
            share = draw.random()
            known = draw.choice(right) if draw.random() < 0.67 or not wrong else draw.choice(wrong)
            variant = own_variant(known, i)
            if share < 0.05:
                continue
            text = starter if share < 0.13 else variant if share < 0.13 + own else known
            if text != starter:
                distinct.add((e["id"], text))
            path = top / f"learner{i:03}" / "work" / e["chapter"] / f"{e['stem']}.cu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for i in range(count):
        (top / f"learner{i:03}").mkdir(parents=True, exist_ok=True)
    return len(distinct)


class Memory(threading.Thread):
    """The most that a process, and its descendants together, held; looked at five times a second."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.own, self.others, self.over = pid, 0, 0, False

    def family(self, pid):
        try:
            pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
            children = [c for t in pathlib.Path(f"/proc/{pid}/task").iterdir() for c in (t / "children").read_text().split()]
        except (OSError, IndexError):
            return 0, 0
        return pages * 4096, sum(sum(self.family(int(c))) for c in children)

    def run(self):
        while not self.over:
            own, others = self.family(self.pid)
            self.own, self.others = max(self.own, own), max(self.others, others)
            time.sleep(0.2)


def grade(folder, out, chosen, jobs, kill_when=None):
    """(seconds, memory, exit code). `kill_when()`: asked twice a second whether it is time for a SIGKILL."""
    began = time.time()
    process = subprocess.Popen([str(GRADE), "grade", str(folder), "--class", "--out", str(out), "--jobs", str(jobs), "--only",
                                ",".join(e["id"] for e in chosen)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    memory = Memory(process.pid)
    memory.start()
    while kill_when is not None and process.poll() is None:
        time.sleep(0.5)
        if kill_when():
            process.send_signal(signal.SIGKILL)
            break
    code = process.wait()
    memory.over = True
    return time.time() - began, memory, code


def essence(out):
    grades = json.loads((out / "grades.json").read_text())
    return {s["name"]: [(e["exercise"], e["status"], e["points"], e.get("code", "")) for e in s["exercises"]] for s in grades["submissions"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--exercises", type=int, default=12)
    parser.add_argument("--own", type=float, default=0.2)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--out")
    options = parser.parse_args()
    top = pathlib.Path(options.out or tempfile.mkdtemp(prefix="grading-bench-"))
    chosen = exercises(options.exercises)
    distinct = make_class(top / "class", options.submissions, chosen, options.own)
    for folder in ("cache", "grade"):
        shutil.rmtree(BUILD / folder, ignore_errors=True)
    found = {"submissions": options.submissions, "exercises": len(chosen), "jobs": options.jobs, "answers": options.submissions * len(chosen),
             "different_answers": distinct, "own": options.own, "load_before": os.getloadavg()[0]}
    print(f"{options.submissions} submissions of {len(chosen)} exercises, {distinct} different answers, {options.jobs} at a time", flush=True)

    def tell(what, seconds, memory):
        found[what] = {"seconds": round(seconds, 1), "submissions_a_minute": round(options.submissions / seconds * 60, 2),
                       "checks_a_minute": round(distinct / seconds * 60, 1), "supervisor_mib": memory.own >> 20, "others_mib": memory.others >> 20}
        print(f"{what:<10} {seconds:8.1f} s {found[what]['submissions_a_minute']:8.2f} submissions a minute "
              f"{found[what]['checks_a_minute']:8.1f} checks a minute   supervisor {memory.own >> 20} MiB, runners and compilers {memory.others >> 20} MiB", flush=True)

    done = lambda: len(list((top / "cold/store").rglob("*.json")))  # noqa: E731
    first, memory, killed = grade(top / "class", top / "cold", chosen, options.jobs, kill_when=lambda: done() > distinct // 2)
    at_kill = done()
    print(f"killed when {at_kill} of {distinct} were done, after {first:.1f} s", flush=True)
    second, again, code = grade(top / "class", top / "cold", chosen, options.jobs)
    memory.own, memory.others = max(memory.own, again.own), max(memory.others, again.others)
    tell("cold", first + second, memory)
    killed_grades = essence(top / "cold")
    seconds, memory, _ = grade(top / "class", top / "cold", chosen, options.jobs)
    tell("known", seconds, memory)
    seconds, memory, _ = grade(top / "class", top / "warm", chosen, options.jobs)
    tell("warm", seconds, memory)
    whole = essence(top / "warm")
    same = killed == -9 and whole == killed_grades
    found.update(killed_when=at_kill, same_grades=same, verdicts={})
    for rows in whole.values():
        for _, status, _, _ in rows:
            found["verdicts"][status] = found["verdicts"].get(status, 0) + 1
    for name in sorted(whole):
        if whole[name] != killed_grades[name]:
            print(name, [pair for pair in zip(whole[name], killed_grades[name]) if pair[0] != pair[1]])
    print("the grades of both are", "the same" if same else "NOT the same")
    print(json.dumps(found))
    return 0 if same and code == 0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
