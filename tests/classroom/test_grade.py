#!/usr/bin/env python3
"""`workbook grade` and `handout` from outside, with a compiler and judges that only pretend: fast, and every verdict
can be made to happen. What isolation does is tested with real programs (test_hostile.py)."""
import base64
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import zipfile
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "grader"))
from fake_workbook import FIRST, FakeWorkbook  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None
GRADE = os.environ.get("WORKBOOK_GRADE", "")
# What a learner may call a folder; '/' and NUL alone are impossible.
HOSTILE_NAMES = ["a]]><b>&\"'", "tab\tand\nline", "\x1b[2Jescape", "=HYPERLINK(\"x\")", "김철수 🙂", "-rf", "..hidden", "e\x07\x01\x7f", b"no utf8 \xff\xfe".decode("utf-8", "surrogateescape"),
                 "\u202egnitteg retteb", " =1+1", "\uff1d1+1", "@SUM(A1)", "+1", "\u0645\u062d\u0645\u062f \u200f", "x" * 255, "\U0001f469\u200d\U0001f52c", "'; DROP TABLE--", "$(reboot)", "a,b;c\"d", "%s%n{}"]
ALL_FORMATS = "junit,gradescope,classroom50,github-classroom,prairielearn,autolab,csv,csv-wide"
HOSTILE_WORDS = "\u202e \u2028 ]]></failure> \x1b[2J \x00\x01\x08 \ufffe 🙂 \" <b>&amp; =1+1"


def pretended():
    book = FakeWorkbook(GRADE)
    chapter = book.read("chapters/01_pretend/chapter.toml")
    book.write("chapters/01_pretend/chapter.toml", chapter.replace("time_limit = 3", "time_limit = 100"))
    return book


class Case(unittest.TestCase):
    def setUp(self):
        self.book = pretended()
        self.addCleanup(self.book.folder.cleanup)

    def hand_in(self, who, first="// judge: passed\n", second="z // judge: passed\n"):
        for stem, text in (("01_first", first), ("02_second", second)):
            if text is not None:
                path = self.book.root / "class" / who / "work/01_pretend" / f"{stem}.cu"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + f"// {os.fsencode(who).hex()}\n")

    def grade(self, *arguments, code=0, path="class"):
        result = self.book.run("grade", path, "--isolation", "none", *arguments)
        self.assertEqual(result.returncode, code, result.stdout)
        return result.stdout

    def grades(self, out="grades"):
        return json.loads((self.book.root / out / "grades.json").read_text())

    def validate(self, instance, schema):
        if jsonschema is None:
            self.skipTest("the Python package jsonschema is missing")
        jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(instance)


class Grading(Case):
    def test_a_class(self):
        self.hand_in("kim")
        self.hand_in("lee", first="a // judge: slow\n", second="b // judge: wrong pattern.tail The tail is wrong.\n")
        self.hand_in("park", first=None, second=None)
        (self.book.root / "class/park").mkdir()
        self.hand_in("choi", first=FIRST.rstrip("\n"), second="SYNTAX")
        (self.book.root / "class/choi/work/01_pretend/01_first.cu").write_text(FIRST)
        out = self.grade()
        rows = {s["name"]: s for s in self.grades()["submissions"]}
        self.assertEqual([rows["kim"]["points"], rows["kim"]["state"]], [20, "graded"])
        # 300 us where 100 are allowed: half for right, and of the rest what the logarithm leaves.
        self.assertEqual([e["points"] for e in rows["lee"]["exercises"]], [6.0, 0])
        self.assertEqual([e["status"] for e in rows["park"]["exercises"]], ["not handed in"] * 2)
        self.assertEqual([e["status"] for e in rows["choi"]["exercises"]], ["not started", "did not compile"])
        self.assertIn("1 x too slow (bound.roof)", out)
        self.assertIn("isolation: none", out)
        self.assertIn("The tail is wrong.", (self.book.root / "grades/feedback/lee.txt").read_text())

    def test_one_submission_has_the_exit_code_of_a_check(self):
        self.hand_in("kim")
        self.grade("--one", path="class/kim")
        self.hand_in("lee", first="// judge: wrong x y\n")
        self.grade("--one", "--out", "g2", code=1, path="class/lee")
        self.hand_in("park", first="// judge: not_run needs a GPU\n")
        self.grade("--one", "--out", "g3", code=4, path="class/park")
        self.hand_in("choi", first="// judge: nothing\n")
        self.grade("--one", "--out", "g4", code=3, path="class/choi")
        self.grade("--one", "--class", code=2)
        self.grade("--format", "pdf", code=2)

    def test_equal_answers_are_looked_at_once(self):
        for who in ("kim", "lee", "park"):
            path = self.book.root / "class" / who / "work/01_pretend/01_first.cu"
            path.parent.mkdir(parents=True)
            path.write_text("same // judge: passed\n")
        self.grade()
        self.assertEqual(len(self.book.compiled()), 1)
        self.assertEqual([s["points"] for s in self.grades()["submissions"]], [10, 10, 10])

    def test_killed_in_the_middle_it_goes_on_and_comes_to_the_same(self):
        for i in range(8):
            self.hand_in(f"s{i}", first=f"{i} // judge: {'passed' if i % 2 else 'wrong code No.'}\n", second=f"b{i} // judge: slow\n")
        self.grade("--out", "whole")
        self.book.program("check_01_first", (self.book.build / "check_01_first").read_text().replace("import json", "import time; time.sleep(0.3)\nimport json", 1))
        for how in (signal.SIGKILL, signal.SIGINT):
            process = subprocess.Popen([GRADE, "grade", "class", "--isolation", "none", "--jobs", "1", "--out", "parts"],
                                       env=self.book.environment(), cwd=self.book.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1.2)
            process.send_signal(how)
            self.assertIn(process.wait(), (-9, 130))
            self.assertFalse((self.book.root / "parts/grades.json").exists())
        done = len(list((self.book.root / "parts/store").rglob("*.json")))
        self.assertGreater(done, 0)
        self.assertLess(done, 16)
        self.grade("--out", "parts")

        def essence(out):
            return [[(e["exercise"], e["status"], e["points"], e.get("code")) for e in s["exercises"]] for s in self.grades(out)["submissions"]]
        self.assertEqual(essence("parts"), essence("whole"))

    def test_a_secret_seed_stays_one(self):
        self.hand_in("kim")
        self.grade("--seed-file", "seed", code=2)
        self.book.write("seed", "short")
        self.grade("--seed-file", "seed", code=2)
        self.book.write("seed", "correct horse battery staple")
        self.grade("--seed-file", "seed")
        grades = self.grades()
        self.assertEqual(grades["seed"]["secret"], True)
        self.assertNotIn("value", grades["seed"])
        self.assertEqual(grades["hidden_sizes"], 3)

    def test_alike_answers_are_a_hint(self):
        text = ("void first(int n, float* y) { for (int i = 0; i < n; ++i) { if (y[i] > 1.5f) y[i] -= 0.5f; else y[i] *= 2; } }\n"
                "int second(int a, int b) { while (b != 0) { int r = a % b; a = b; b = r; } return a < 0 ? -a : a; }\n"
                "void third(float* p, float* q) { *p += *q / 3; do { --*q; } while (*q > 0 && !(*p < 7)); }\n")
        self.hand_in("kim", first=text + "// judge: passed\n")
        self.hand_in("lee", first=text.replace("first", "one").replace("second", "two").replace("y[", "out[").replace("1.5f", "9.25f") + "// judge: passed\n")
        self.hand_in("park", first="int x = 1; // judge: passed\n")
        out = self.grade()
        self.assertIn("Much alike", out)
        self.assertEqual([(p["first"], p["second"]) for p in self.grades()["similar"]], [("kim", "lee")])
        self.assertEqual({s["points"] for s in self.grades()["submissions"]}, {20})


class Formats(Case):
    once = {}  # the grading that all of these read

    def setUp(self):
        if not Formats.once:
            self.make()
            Formats.once.update(book=self.book)
        self.book = Formats.once["book"]
        self.out = self.book.root / "out"
        self.count = len(HOSTILE_NAMES) - 1  # one begins with a dot: hidden folders are nobody's

    def make(self):
        self.book = pretended()
        unittest.addModuleCleanup(self.book.folder.cleanup)
        for name in HOSTILE_NAMES:
            self.hand_in(name, first="x // judge: wrong pattern.tail The first is wrong.\n")
        self.grade("--jobs", "4")
        # Words that a judge could have let through; a megabyte of them in one place.
        path = self.book.root / "grades/grades.json"
        grades = json.loads(path.read_text())
        for s in grades["submissions"]:
            e = s["exercises"][0]
            e.update(headline=HOSTILE_WORDS, output=HOSTILE_WORDS * 20000, compiler=HOSTILE_WORDS, evidence=[HOSTILE_WORDS])
        grades["submissions"][0]["exercises"][1].update(graded=False, status="inconclusive", why=HOSTILE_WORDS, points=0)
        path.write_text(json.dumps(grades))
        result = self.book.run("grade", "--from", "grades/grades.json", "--out", "out", "--format", ALL_FORMATS)
        self.assertEqual(result.returncode, 4, result.stdout)

    def files(self, name):
        files = sorted((self.out / name).iterdir())
        self.assertEqual(len(files), self.count)
        return files

    def test_own_json(self):
        self.validate(self.grades(), ROOT / "docs/grades-schema.json")

    def test_junit(self):
        text = (self.out / "junit.xml").read_bytes()
        root = ElementTree.fromstring(text)  # refuses control characters and broken nesting
        cases = list(root.iter("testcase"))
        self.assertEqual(len(cases), 2 * self.count)
        self.assertEqual(root.get("tests"), str(2 * self.count))
        self.assertEqual(root.get("failures"), str(self.count))
        self.assertEqual(len(list(root.iter("skipped"))), 1)
        self.assertEqual({p.get("name") for p in cases[0].iter("property")}, {"points", "max_points", "status"})
        self.assertLess(len(text), 2_000_000)
        try:
            import junitparser
        except ImportError:
            return
        suites = junitparser.JUnitXml.fromstring(text)
        self.assertEqual(sum(s.failures for s in suites), self.count)

    def test_gradescope(self):
        for path in self.files("gradescope"):
            result = json.loads(path.read_text())
            self.validate(result, HERE / "schemas/gradescope.json")
            self.assertNotIn("\x1b", json.dumps(result, ensure_ascii=False))
        open_one = [t for p in self.files("gradescope") for t in json.loads(p.read_text())["tests"] if "score" not in t]
        self.assertEqual(len(open_one), 1, "what is not graded has no score")

    def test_classroom50(self):
        for path in self.files("classroom50"):
            self.validate(json.loads(path.read_text()), HERE / "schemas/classroom50.json")

    def test_github_classroom(self):
        for path in self.files("github-classroom"):
            text = path.read_text()
            self.assertEqual(text.count("\n"), 1, "one line: it goes into $GITHUB_OUTPUT")
            result = json.loads(base64.b64decode(text, validate=False))
            self.validate(result, HERE / "schemas/github-classroom.json")
            self.assertEqual(sum(t["score"] for t in result["tests"]), 0 if result["status"] == "error" else 10)

    def test_prairielearn(self):
        for path in self.files("prairielearn"):
            self.assertLess(path.stat().st_size, 1_000_000)
            self.validate(json.loads(path.read_text()), HERE / "schemas/prairielearn.json")

    def test_autolab(self):
        for path in self.files("autolab"):
            lines = path.read_text().rstrip("\n").split("\n")
            scores = json.loads(lines[-1])
            self.assertTrue(set(scores["scores"]) <= {"1.1", "1.2"})
            shown = json.loads(lines[-2])
            self.assertEqual(shown["_presentation"], "semantic")
            for stage in shown["stages"]:
                self.assertTrue(all(isinstance(v["passed"], bool) for v in shown[stage].values()))

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO((self.out / "grades.csv").read_bytes().decode())))
        self.assertEqual(len(rows), 2 * self.count)
        self.assertEqual({r["points"] for r in rows}, {"0", "10", ""})
        for row in rows:
            for value in row.values():
                self.assertFalse(value.lstrip()[:1] in ("=", "+", "@", "-", "\uff1d", "\uff0b", "\uff0d", "\uff20"), value)
                self.assertTrue(all(c >= " " for c in value), value)
                self.assertFalse(set(value) & set("\u202e\u200f\u2066\u2028"), value)
            self.assertTrue(row["points"] == "" or float(row["points"]) <= float(row["max_points"]))
        wide = list(csv.reader(io.StringIO((self.out / "grades-wide.csv").read_bytes().decode())))
        self.assertEqual({len(row) for row in wide}, {5})
        self.assertEqual(len(wide), 1 + self.count)


class Flood(Case):
    def test_a_hundred_megabytes_of_output(self):
        self.hand_in("kim", first="// judge: wrong pattern.tail The tail is wrong.\n")
        self.grade(code=1)
        path = self.book.root / "grades/grades.json"
        grades = json.loads(path.read_text())
        flood = (HOSTILE_WORDS + "x" * 60) * (100_000_000 // (len(HOSTILE_WORDS) + 60))
        grades["submissions"][0]["exercises"][0].update(output=flood)
        path.write_text(json.dumps(grades, ensure_ascii=False))
        self.assertGreater(path.stat().st_size, 100_000_000)
        result = self.book.run("grade", "--from", "grades/grades.json", "--out", "out", "--format", ALL_FORMATS)
        self.assertEqual(result.returncode, 1, result.stdout[-500:])
        for file in (self.book.root / "out").rglob("*"):
            if file.is_file():
                self.assertLess(file.stat().st_size, 1_000_000, file)
        ElementTree.fromstring((self.book.root / "out/junit.xml").read_bytes())

    def test_a_program_that_prints_without_end_costs_no_grade(self):
        judge = (self.book.build / "check_01_first").read_text()
        self.book.program("check_01_first", judge.replace('print("the judge speaks")', 'print("x" * 100_000_000)', 1))
        self.hand_in("kim")
        self.grade()
        self.assertEqual(self.grades()["submissions"][0]["points"], 20)
        self.assertLess((self.book.root / "grades/grades.json").stat().st_size, 1_000_000)


BOUND = """[exercise.bounds.roof]
at_most = 2.5
rule = "2.5 x copy"
naive = 7.0
naive_from = "wrong/slow.cu"
[[exercise]]
id = "1.2\""""


class Calibration(Case):
    """`calibrate`, and what `naive` is for: the figures of one bound, from answers that take as long as their text says."""

    def setUp(self):
        super().setUp()
        self.chapter(BOUND)
        self.book.write("solutions/01_pretend/01_first.cu", "// judge: timed 1.6\n")
        self.answer("wrong", "slow", "timed 7.1", "too slow")
        self.answer("wrong", "slower", "timed 9", "too slow")
        self.answer("wrong", "no", "wrong some.code No.", "wrong")
        self.answer("right", "other", "timed 1.9")

    def chapter(self, bound):
        text = self.book.read("chapters/01_pretend/chapter.toml")
        text = re.sub(r"\[exercise\.bounds\.roof\].*?\[\[exercise\]\]\nid = \"1\.2\"", '[[exercise]]\nid = "1.2"', text, flags=re.S)
        self.book.write("chapters/01_pretend/chapter.toml", text.replace('[[exercise]]\nid = "1.2"', bound))

    def answer(self, kind, name, judge, verdict=None):
        head = f"// {kind}: for a test\n" + (f"// verdict: {verdict}\n// message: \n" if verdict else "")
        self.book.write(f"tests/exercises/01_pretend/01_first/{kind}/{name}.cu", f"{head}// judge: {judge}\n")

    def rows(self, code=0):
        result = self.book.run("calibrate", "--json", "--device", "simulated")
        self.assertEqual(result.returncode, code, result.stdout)
        found = json.loads(result.stdout[result.stdout.index("{\n"):])
        self.assertEqual((found["schema"], found["device"]), ("workbook-calibration/1", "simulated"))
        return found["bounds"]

    def test_a_bound_in_order(self):
        row, = self.rows()
        self.assertEqual(set(row), {"exercise", "bound", "now", "right", "slow_least", "slow_most", "advice"})
        self.assertEqual([round(row[k], 2) for k in ("now", "right", "slow_least", "slow_most")], [2.5, 1.9, 7.1, 9.0])
        self.assertEqual(row["advice"], "in order")
        shown = self.book.run("calibrate", "--device", "simulated").stdout
        self.assertIn("in order", shown)
        self.assertIn("chapter.toml", shown)

    def test_a_bound_that_other_hardware_moves(self):
        self.answer("right", "other", "timed 2.4")
        self.assertEqual(self.rows()[0]["advice"], "at_most = 4.13")

    def test_a_bound_that_tells_nothing(self):
        self.answer("wrong", "slow", "timed 2.6", "too slow")
        self.assertIn("too close", self.rows()[0]["advice"])

    def test_without_slow_answers(self):
        for name in ("slow", "slower"):
            self.answer("wrong", name, "wrong some.code No.", "wrong")
        self.assertIn("no slow answer", self.rows()[0]["advice"])

    def test_credit_between_the_bound_and_the_first_attempt(self):
        self.hand_in("kim", first="// judge: timed 7\n")
        self.hand_in("lee", first=f"// judge: timed {(2.5 * 7) ** 0.5}\n")
        self.hand_in("park", first="// judge: timed 2.5\n")
        self.hand_in("choi", first="// judge: timed 900\n")
        out = self.grade()
        rows = {s["name"]: s["exercises"][0] for s in self.grades()["submissions"]}
        self.assertEqual({name: row["points"] for name, row in rows.items()}, {"kim": 5.0, "lee": 7.5, "park": 10.0, "choi": 5.0})
        self.assertIn("first attempt", rows["choi"]["attention"])
        self.assertIn("first attempt", out)
        self.assertIn("7.5", (self.book.root / "grades/feedback/lee.txt").read_text())

    def verify(self):
        cli = os.path.join(os.path.dirname(GRADE), "workbook-cli")
        if not os.path.exists(cli):
            self.skipTest("workbook-cli is not built")
        return subprocess.run([cli, "verify", "1.1", "--device", "simulated"], env=self.book.environment(), cwd=self.book.root, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True).stdout

    def test_verify_measures_the_first_attempt_again(self):
        self.assertNotIn("(naive)", self.verify())
        self.answer("wrong", "slow", "timed 12", "too slow")
        self.assertIn("chapter.toml says that it takes 7 times the baseline of bound 'roof' (naive); it takes 12", " ".join(self.verify().split()))

    def test_a_first_attempt_that_is_not_there_is_told(self):
        self.chapter(BOUND.replace("slow.cu", "gone.cu"))
        self.assertIn("there is no such answer", " ".join(self.verify().split()))
        self.chapter(BOUND.replace('naive_from = "wrong/slow.cu"\n', ""))
        self.assertIn("naive_from", self.verify())
        self.chapter(BOUND.replace("wrong/slow.cu", "baseline"))
        self.assertIn("naive = 1.0", self.verify())


class Handout(Case):
    def test_what_a_class_gets(self):
        result = subprocess.run([GRADE, "handout", str(self.book.root / "given"), "--ci", "github,gitlab"], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, cwd=self.book.root,
                                env={**self.book.environment(), "WORKBOOK_ROOT": str(ROOT)})
        self.assertEqual(result.returncode, 0, result.stdout)
        given = self.book.root / "given"
        files = {p.relative_to(given).as_posix() for p in given.rglob("*") if p.is_file()}
        self.assertFalse([f for f in files if f.startswith(("solutions/", "bench/")) or "/wrong/" in f or "/right/" in f or f.endswith("teachers.md")])
        for wanted in ("workbook", "work/02_grids_blocks_threads/01_one_thread_per_element.cu", "tests/exercises/CMakeLists.txt",
                       "tests/exercises/02_grids_blocks_threads/01_one_thread_per_element.cpp", ".github/workflows/check.yml", ".gitlab-ci.yml"):
            self.assertIn(wanted, files)
        self.assertTrue(os.access(given / "workbook", os.X_OK))
        self.assertNotIn("/work/\n", (given / ".gitignore").read_text())
        again = subprocess.run([GRADE, "handout", str(given)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**self.book.environment(), "WORKBOOK_ROOT": str(ROOT)})
        self.assertEqual(again.returncode, 3)
        self.assertIn("not empty", again.stdout.replace("\n", " "))


class Templates(Case):
    def test_yaml_says_what_exists(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("the Python package pyyaml is missing")
        for path in (ROOT / "templates").rglob("*.yml"):
            tree = yaml.safe_load(path.read_text())
            text = path.read_text()
            self.assertTrue(isinstance(tree, dict) and ("jobs" in tree or "workbook" in tree), path)
            for line in text.splitlines():
                if "./workbook grade ." not in line:
                    continue
                words = line.split("./workbook ", 1)[1].split()
                result = self.book.run(*[w for w in words if w not in ("--device", "gpu")], "--from", "none.json")
                self.assertIn("cannot be read", result.stdout, line)  # every option was understood

    def test_the_services_own_schemas(self):
        checker = pathlib.Path(sys.executable).parent / "check-jsonschema"
        if not checker.exists():
            self.skipTest("the Python package check-jsonschema is missing")
        for schema, files in (("vendor.github-workflows", ["github/check.yml", "github/gpu.yml"]), ("vendor.gitlab-ci", ["gitlab/gitlab-ci.yml"])):
            result = subprocess.run([checker, "--builtin-schema", schema, *(["--data-transform", "gitlab-ci"] if "gitlab" in schema else []),
                                     *(str(ROOT / "templates" / f) for f in files)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual(result.returncode, 0, result.stdout)

    def shell(self, script, **more):
        """Runs a template's commands where a class's repository would be, with a package manager that does nothing."""
        here, tools = self.book.root / "repository", self.book.root / "tools"
        if not here.exists():
            (here).mkdir()
            tools.mkdir()
            for name in ("sudo", "apt-get"):
                (tools / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{tools}/log"\n')
            (here / "workbook").write_text(f'#!/bin/sh\nexec "{GRADE}" "$@" --isolation none\n')
            for path in (tools / "sudo", tools / "apt-get", here / "workbook"):
                path.chmod(0o755)
            self.hand_in("kim")
            shutil.copytree(self.book.root / "class/kim/work", here / "work")
        environment = {**self.book.environment(), **{k: str(v) for k, v in more.items()}}
        environment["PATH"] = f"{tools}:{environment['PATH']}"
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=here, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def tree(self, name):
        try:
            import yaml
        except ImportError:
            self.skipTest("the Python package pyyaml is missing")
        return yaml.safe_load((ROOT / "templates" / name).read_text())

    def test_githubs_commands_run(self):
        summary, output = self.book.root / "summary", self.book.root / "output"
        for step in self.tree("github/check.yml")["jobs"]["check"]["steps"]:
            if "run" in step:
                result = self.shell(step["run"], GITHUB_STEP_SUMMARY=summary, GITHUB_OUTPUT=output)
                self.assertEqual(result.returncode, 0, f"{step['name']}: {result.stdout}")
        self.assertIn("1.1", summary.read_text())
        name, value = output.read_text().strip().split("=", 1)
        self.assertEqual(name, "result")
        self.assertEqual(json.loads(base64.b64decode(value))["status"], "pass")
        self.assertTrue((self.book.root / "repository/grades/junit.xml").exists())

    def test_githubs_gpu_job_says_that_there_is_no_gpu(self):
        steps = [s for s in self.tree("github/gpu.yml")["jobs"]["check"]["steps"] if s.get("name") == "grade"]
        if os.path.exists("/dev/nvidiactl"):
            self.skipTest("there is one")
        result = self.shell(steps[0]["run"])
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("GPU", result.stdout)

    def test_gitlabs_commands_run(self):
        job = self.tree("gitlab/gitlab-ci.yml")["workbook"]
        for part in ("before_script", "script", "after_script"):
            for line in job[part]:
                result = self.shell(line)
                self.assertEqual(result.returncode, 0, f"{line}: {result.stdout}")
        for path in (job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]):
            self.assertTrue((self.book.root / "repository" / path).exists(), path)

    def test_every_template_installs_the_same_packages(self):
        rows = {}
        for name in ("Containerfile", "gitlab/gitlab-ci.yml", "gradescope/setup.sh", "github/check.yml"):
            text = (ROOT / "templates" / name).read_text()
            words = set(re.findall(r"(?:lib[a-z0-9-]+-dev|ninja-build|cmake|bubblewrap|python3-venv|g\+\+)", text))
            rows[name] = words
        for name, words in rows.items():
            self.assertEqual(words, rows["Containerfile"], name)

    def test_gradescopes_zip_holds_what_it_needs(self):
        if subprocess.run(["git", "-C", str(ROOT), "rev-parse"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("this is no checkout")
        seed, file, top = self.book.root / "our seed", self.book.root / "auto grader.zip", self.book.root / "autograder"
        seed.write_text("correct horse battery staple")
        made = subprocess.run(["bash", str(ROOT / "templates/gradescope/make_zip.sh"), str(file), str(seed)], cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(made.returncode, 0, made.stdout)
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            for wanted in ("setup.sh", "run_autograder", "seed", "workbook/workbook", "workbook/CMakeLists.txt", "workbook/include/workbook/check.h",
                           "workbook/tests/exercises/02_grids_blocks_threads/01_one_thread_per_element.cpp", "workbook/chapters/02_grids_blocks_threads/chapter.toml"):
                self.assertIn(wanted, names)
            self.assertFalse([n for n in names if n.startswith(("workbook/work/", "workbook/.build", "workbook/.git/", "workbook/.toolchain"))])
            for info in archive.infolist():  # as Gradescope's unzip does, with the modes
                path = pathlib.Path(archive.extract(info, top / "source"))
                if info.external_attr >> 16:
                    path.chmod(info.external_attr >> 16 & 0o777)
        self.assertLess(file.stat().st_size, 100 << 20, "Gradescope takes 100 MB")
        for name in ("setup.sh", "run_autograder", "workbook/workbook"):
            self.assertTrue(os.access(top / "source" / name, os.X_OK), name)
        # Its setup, with a package manager and a workbook that only take notes.
        (top / "source/workbook/workbook").write_text('#!/bin/sh\necho "$*" > asked\n')
        script = (top / "source/setup.sh").read_text().replace("/autograder", '"$TOP"')
        result = self.shell(script, TOP=top)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual((top / "source/workbook/asked").read_text(), "grade --help\n")
        self.assertIn("apt-get install", (self.book.root / "tools/log").read_text())

    def test_make_zip_says_how_it_is_called(self):
        made = subprocess.run(["bash", str(ROOT / "templates/gradescope/make_zip.sh")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((made.returncode, made.stdout), (2, "make_zip.sh autograder.zip [SEED-FILE]\n"))

    def test_shell_is_well_formed(self):
        for path in [*(ROOT / "templates/gradescope").iterdir()]:
            self.assertEqual(subprocess.run(["bash", "-n", str(path)]).returncode, 0, path)

    def gradescope(self, submission, breaks=False):
        top = self.book.root / "autograder"
        (top / "source/workbook").mkdir(parents=True, exist_ok=True)
        script = (ROOT / "templates/gradescope/run_autograder").read_text().replace("/autograder", str(top)).replace("/tmp/grade", str(top / "grade"))
        script = script.replace(str(top), '"$TOP"').replace("cd ", "cd ")
        (top / "source/run_autograder").write_text(script)
        tool = top / "source/workbook/workbook"
        tool.write_text("#!/bin/sh\nexit 3\n" if breaks else f'#!/bin/sh\nexec "{GRADE}" "$@" --isolation none\n')
        tool.chmod(0o755)
        link = top / "submission"
        if link.is_symlink():
            link.unlink()
        link.symlink_to(self.book.root / submission)
        subprocess.run(["bash", str(top / "source/run_autograder")], env={**self.book.environment(), "TOP": str(top)}, stdout=subprocess.DEVNULL, check=True)
        return json.loads((top / "results/results.json").read_text())

    def test_gradescopes_script_leaves_a_result_whatever_happens(self):
        self.hand_in("kim")
        self.assertEqual(self.gradescope("class/kim")["score"], 20)
        result = self.gradescope("class/kim", breaks=True)
        self.assertEqual(result["score"], 0)
        self.assertIn("no zero", result["output"])
        self.validate(result, HERE / "schemas/gradescope.json")


if __name__ == "__main__":
    GRADE = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
