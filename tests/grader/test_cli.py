#!/usr/bin/env python3
"""The command line from outside: what is printed, what is written, and the exit code."""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fake_workbook import FIRST, FakeWorkbook  # noqa: E402

CLI = os.environ.get("WORKBOOK_CLI", "")
WORK = "work/01_pretend/01_first.cu"


class Case(unittest.TestCase):
    def setUp(self):
        self.book = FakeWorkbook(CLI)
        self.addCleanup(self.book.folder.cleanup)

    def expect(self, code, *arguments):
        result = self.book.run(*arguments)
        self.assertEqual(result.returncode, code, result.stdout)
        return result.stdout

    def answer(self, text):
        self.book.write(WORK, text)


class Learning(Case):
    def test_start_makes_work_and_shows_the_first_failure(self):
        page = self.expect(0, "start")
        self.assertIn("work/01_pretend/01_first.cu", page)
        self.assertIn("not started", page)
        self.assertIn("The first is wrong.", page)
        self.assertEqual(self.book.read(WORK), FIRST)
        self.answer("mine // judge: passed\n")
        self.expect(0, "start")
        self.assertEqual(self.book.read(WORK), "mine // judge: passed\n")

    def test_the_way_through_an_exercise(self):
        self.expect(0, "start")
        self.assertIn("not solved yet", self.expect(1, "solution", "1.1"))
        self.assertIn("1  Look.", self.expect(0, "hint"))
        second = self.expect(0, "hint", "1.1")
        self.assertIn("2  Think.", second)
        self.assertNotIn("Nearly", second)
        self.answer("x\n// judge: passed\n")
        page = self.expect(0, "check")
        self.assertIn("passed", page)
        self.assertIn("1 of 2 solved", page)
        self.assertIn("Next: 1.2 The second", page)
        self.assertIn("solution", self.expect(0, "solution", "1.1"))
        listed = self.expect(0, "list")
        self.assertIn("solved", listed)
        self.assertIn("→ 1.2", listed)

    def test_force_shows_the_solution(self):
        self.assertIn("// judge: passed", self.expect(0, "solution", "1.1", "--force"))

    def test_reset_keeps_the_work(self):
        self.expect(0, "start")
        self.answer("hours\n")
        page = self.expect(0, "reset", "1.1")
        self.assertEqual(self.book.read(WORK), FIRST)
        kept = page.split("kept: ")[1].strip()
        self.assertEqual(self.book.read(kept), "hours\n")

    def test_update_without_a_repository_merges_starters(self):
        self.expect(0, "start")
        self.book.write("chapters/01_pretend/01_first.cu", FIRST + "// new\n")
        self.assertIn("new starter", self.expect(0, "update"))
        self.assertTrue(self.book.read(WORK).endswith("// new\n"))


class Verdicts(Case):
    def setUp(self):
        super().setUp()
        self.expect(0, "start")

    def check(self, code, text):
        self.answer(text)
        return self.expect(code, "check", "1.1")

    def test_wrong(self):
        page = self.check(1, "int x;\n// judge: wrong pattern.tail First wrong, n = 33.\n")
        for words in ("wrong", "Asked: y = x", "First wrong, n = 33.", "got 1, expected 2", WORK + ":1", "1 │ int x;", "Why?", "hint 1.1"):
            self.assertIn(words, page)
        self.assertNotIn("the judge speaks", page)
        self.assertIn("the judge speaks", self.expect(1, "check", "1.1", "--verbose"))

    def test_too_slow(self):
        page = self.check(1, "x\n// judge: slow\n")
        for words in ("too slow", "300 us", "100 us", "(2 x copy)", "60 us", "modelled, h200@1"):
            self.assertIn(words, page)

    def test_did_not_compile(self):
        page = self.check(1, "\nSYNTAX\n// judge: passed\n")
        self.assertIn("did not compile", page)
        self.assertIn(f"{WORK}(2): error: expected a ;", page)
        self.assertLess(page.index("expected a ;"), page.index("deep inside"))

    def test_did_not_link(self):
        page = self.check(1, "UNDEFINED\n// judge: passed\n")
        self.assertIn("did not compile", page)
        self.assertIn("The check calls saxpy(int, float)", page)

    def test_a_link_that_fails_for_our_reason_is_no_fault_of_the_learner(self):
        self.book.program("linker", "#!/bin/sh\necho '/usr/bin/ld: cannot find librunner.a'\nexit 1\n")
        page = self.check(3, "x\n// judge: passed\n")
        self.assertIn("not in your code", page)
        self.assertIn("cannot find librunner.a", page)

    def test_our_faults(self):
        for what in ("no_end", "nothing", "crash", "hang"):
            page = self.check(3, f"x\n// judge: {what}\n")
            self.assertIn("not in your code", page, what)
            self.assertIn("grader error", page, what)

    def test_a_record_without_end_is_no_pass_in_json(self):
        self.answer("x\n// judge: no_end\n")
        self.assertEqual(json.loads(self.expect(3, "check", "1.1", "--json"))["verdict"], "grader error")

    def test_not_run(self):
        page = self.check(4, "x\n// judge: not_run needs a GPU\n")
        self.assertIn("Not run: needs a GPU", page)
        self.assertIn("0 of 2 solved", self.expect(0, "list"))

    def test_json(self):
        self.answer("x\n// judge: wrong pattern.tail Bad.\n")
        found = json.loads(self.expect(1, "check", "1.1", "--json", "--seed", "7", "--device", "simulated"))
        self.assertEqual((found["schema"], found["verdict"], found["seed"], found["device"]),
                         ("workbook-check/1", "wrong", 7, "simulated"))
        self.assertEqual(found["failure"]["code"], "pattern.tail")
        everything = json.loads(self.expect(1, "check", "all", "--json"))
        self.assertEqual([v["verdict"] for v in everything["verdicts"]], ["wrong", "not started"])
        self.assertEqual(json.loads(self.expect(0, "list", "--json"))["exercises"][0]["state"], "begun")

    def test_the_same_text_is_compiled_once(self):
        self.check(0, "x\n// judge: passed\n")
        before = len(self.book.compiled())
        self.check(0, "x\n// judge: passed\n")
        self.assertEqual(len(self.book.compiled()), before)
        self.check(0, "y\n// judge: passed\n")
        self.assertEqual(len(self.book.compiled()), before + 1)

    def test_a_full_disk_and_a_lost_state_lose_nothing(self):
        self.check(0, "x\n// judge: passed\n")
        self.book.write("work/.state.json", "{ torn")
        self.assertIn("could not be read", self.expect(0, "list"))
        self.assertIn("1 of 2 passed", self.expect(1, "check", "all"))
        self.assertIn("1 of 2 solved", self.expect(0, "list"))

    def test_gtest_variables_from_outside_do_not_reach_the_judge(self):
        os.environ["GTEST_FILTER"] = "none"
        self.addCleanup(os.environ.pop, "GTEST_FILTER")
        self.book.program("check_01_first", "#!/bin/sh\necho \"[$GTEST_FILTER]\"\n")
        self.assertIn("[]", self.check(3, "x\n// judge: passed\n"))


class Usage(Case):
    def test_mistakes_are_answered_with_the_nearest(self):
        self.assertIn("Did you mean 'check'?", self.expect(2, "chek"))
        self.assertIn("Did you mean 1.1?", self.expect(2, "check", "1.11"))
        self.assertIn("auto, gpu or simulated", self.expect(2, "verify", "--device", "quantum"))
        self.assertIn("--seed takes a number", self.expect(2, "verify", "--seed", "many"))
        self.expect(2, "check", "--bogus")
        self.assertIn("Which one?", self.expect(2, "reset"))
        self.assertIn("start", self.expect(2, "check", "1.1"))

    def test_help(self):
        page = self.expect(0, "help")
        for command in ("start", "check", "list", "hint", "solution", "reset", "run", "doctor", "update", "verify", "site", "test"):
            self.assertIn(command, page)
            self.assertIn("./workbook", self.expect(0, "help", command))
        self.assertNotIn("profile is", page)
        self.assertEqual(self.expect(0, "--help"), page)
        self.assertEqual(self.expect(0, "check", "--help"), self.expect(0, "help", "check"))
        self.expect(2, "help", "nonsense")

    def test_a_manifest_with_a_mistake(self):
        self.book.write("chapters/01_pretend/chapter.toml", "number = 1\ntitel = 'x'\n")
        self.assertIn("chapters/01_pretend/chapter.toml:1: 'title' is missing", self.expect(3, "list"))

    def test_not_built(self):
        (self.book.build / "workbook_toolchain.json").unlink()
        self.assertIn("not built", self.expect(3, "start"))

    def test_run_explains_what_cannot_run(self):
        self.assertIn("There is no file or program", self.expect(2, "run", "nothing.cu"))
        self.assertIn("is a folder", self.expect(2, "run", "chapters"))
        self.book.write("bad.cu", "x")
        self.assertIn("passes through", self.book.run("run", "/bin/echo", "passes through", "--json").stdout)

    def test_doctor(self):
        found = json.loads(self.book.run("doctor", "--json").stdout)
        self.assertEqual(found["schema"], "workbook-doctor/1")
        self.assertIn("nvcc", [f["name"] for f in found["facts"]])


class Verify(Case):
    def setUp(self):
        super().setUp()
        for stem in ("01_first", "02_second"):
            tests = f"tests/exercises/01_pretend/{stem}"
            self.book.write(f"{tests}/wrong/tail.cu", "// wrong: forgets the tail\n// verdict: wrong\n// code: pattern.tail\n"
                            "// message: the last 8\n// judge: wrong pattern.tail Wrong: the last 8 of 33.\n")
            self.book.write(f"{tests}/wrong/slow.cu", "// wrong: slow\n// verdict: too slow\n// message: 2 x copy\n// judge: slow\n")
            self.book.write(f"{tests}/right/other.cu", "// right: another way\n// judge: passed\n")

    def test_all_in_order_and_twice_the_same(self):
        first = self.expect(0, "verify")
        self.assertIn("2 of 2 starters", first)
        self.assertIn("4 of 4 wrong answers", first)
        self.assertEqual(first, self.expect(0, "verify", "--jobs", "1"))
        found = json.loads(self.expect(0, "verify", "--json"))
        self.assertEqual({k: found[k] for k in ("exercises", "starters_ok", "solutions_ok", "not_run", "wrong_answers",
                                                "wrong_answers_ok", "right_answers", "right_answers_ok")},
                         {"exercises": 2, "starters_ok": 2, "solutions_ok": 2, "not_run": 0, "wrong_answers": 4,
                          "wrong_answers_ok": 4, "right_answers": 2, "right_answers_ok": 2})
        self.assertEqual(len(found["details"]), 10)

    def broken(self, path, text, words):
        self.book.write(path, text)
        page = " ".join(self.expect(1, "verify", "1.1").split())
        self.assertIn("NOT OK", page)
        self.assertIn(words, page)

    def test_a_starter_that_passes(self):
        self.broken("chapters/01_pretend/01_first.cu", "// judge: passed\n", "must fail its first check")

    def test_a_starter_that_does_not_compile(self):
        self.broken("chapters/01_pretend/01_first.cu", "SYNTAX\n// judge: passed\n", "did not compile")

    def test_a_solution_that_fails(self):
        self.broken("solutions/01_pretend/01_first.cu", "// judge: slow\n", "must pass, but: too slow")

    def test_a_wrong_answer_that_passes(self):
        self.broken("tests/exercises/01_pretend/01_first/wrong/tail.cu",
                    "// wrong: x\n// verdict: wrong\n// message: y\n// judge: passed\n", "must be 'wrong', is 'passed'")

    def test_a_wrong_answer_with_other_words(self):
        self.broken("tests/exercises/01_pretend/01_first/wrong/tail.cu",
                    "// wrong: x\n// verdict: wrong\n// message: nowhere\n// judge: wrong a B\n", "lacks the words 'nowhere'")

    def test_a_header_that_is_missing(self):
        self.broken("tests/exercises/01_pretend/01_first/wrong/tail.cu", "// judge: wrong a B\n", "header has no line")

    def test_a_right_answer_that_fails(self):
        self.broken("tests/exercises/01_pretend/01_first/right/other.cu", "// right: x\n// judge: wrong a B\n", "must pass")

    def test_a_carried_build_needs_no_compiler(self):
        first = self.expect(0, "verify")
        elsewhere = self.book.root.parent / (self.book.root.name + " moved")
        shutil.copytree(self.book.root, elsewhere)
        self.addCleanup(shutil.rmtree, elsewhere)
        (elsewhere / ".build/nvcc").unlink()
        (elsewhere / ".build/linker").unlink()
        environment = {**self.book.environment(), "WORKBOOK_ROOT": str(elsewhere), "WORKBOOK_BUILD_DIR": str(elsewhere / ".build")}
        self.book.folder.cleanup()
        result = subprocess.run([CLI, "verify"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, first))

    def test_interrupted(self):
        self.book.write("solutions/01_pretend/01_first.cu", "// SLOW_COMPILE judge\n// judge: passed\n")
        child = subprocess.Popen([CLI, "verify", "1.1"], env=self.book.environment(), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, cwd=self.book.root)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        began = time.time()
        child.communicate(timeout=20)
        self.assertEqual(child.returncode, 130)
        self.assertLess(time.time() - began, 10)


class Watch(Case):
    def setUp(self):
        super().setUp()
        self.expect(0, "start")
        self.master, slave = pty.openpty()
        self.child = subprocess.Popen([CLI], env=self.book.environment(), stdin=slave, stdout=slave, stderr=slave, cwd=self.book.root,
                                      start_new_session=True)
        os.close(slave)
        self.addCleanup(os.close, self.master)
        self.addCleanup(self.child.wait)
        self.addCleanup(self.child.kill)
        self.seen = ""

    def wait_for(self, words, seconds=20):
        end = time.time() + seconds
        while words not in self.seen:
            self.assertLess(time.time(), end, f"{words!r} did not come; seen: {self.seen[-2000:]}")
            if select.select([self.master], [], [], 0.2)[0]:
                self.seen += os.read(self.master, 65536).decode(errors="replace")
        self.seen = self.seen.split(words, 1)[1]

    def press(self, key):
        os.write(self.master, key.encode())

    def test_the_loop(self):
        self.wait_for("The first is wrong.")
        self.wait_for("h hint")
        self.press("h")
        self.wait_for("Look.")
        self.answer("x\n// judge: passed\n")
        self.wait_for("1 of 2 solved")
        self.wait_for("n next")
        self.press("n")
        self.wait_for("The second")
        self.wait_for("n skip")
        # A save of another file goes back to that one; an editor that renames is seen too.
        self.book.write("work/01_pretend/new", "x\n// judge: wrong a Renamed over.\n")
        os.rename(self.book.root / "work/01_pretend/new", self.book.root / WORK)
        self.wait_for("Renamed over.")
        self.wait_for("q quit")
        self.press("q")
        self.assertEqual(self.child.wait(10), 0)

    def test_a_save_during_a_check_begins_again(self):
        self.wait_for("h hint")
        self.answer("SLOW_COMPILE\n// judge: passed\n")
        time.sleep(0.7)
        self.answer("x\n// judge: wrong a Second save.\n")
        self.wait_for("Second save.", 15)


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isfile(sys.argv[1]):
        CLI = os.path.abspath(sys.argv.pop(1))
    unittest.main()
