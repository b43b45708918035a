#!/usr/bin/env python3
"""The test runner counts what happened: a test that fails, times out, or has no program is never passed or skipped."""
import contextlib
import importlib.util
import io
import os
import pathlib
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"

TESTS = """
add_test(good "/bin/true")
add_test(bad "/bin/false")
add_test(missing "/no/such/program")
add_test(slow "/bin/sleep" "20")
set_tests_properties(slow PROPERTIES TIMEOUT 1)
add_test(skipped "/bin/sh" "-c" "exit 77")
set_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)
"""


def runner(build):
    os.environ["WORKBOOK_BUILD_DIR"] = str(build)
    spec = importlib.util.spec_from_file_location("run_tests", TOOLS / "run_tests.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Counting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.module = runner(self.build)
        self.tally = self.module.Tally()
        self.printed = io.StringIO()

    def ctest(self, text):
        (self.build / "CTestTestfile.cmake").write_text(text)
        with contextlib.redirect_stdout(self.printed):
            self.module.run_ctest(self.tally, self.build, ["-Q"], "tests")

    def test_ctest(self):
        self.ctest(TESTS)
        self.assertEqual((self.tally.passed, self.tally.failed, self.tally.skipped), (1, 3, 1), self.printed.getvalue())
        self.assertIn("FAILED  missing: Unable to find executable", self.printed.getvalue())

    def test_no_test_at_all_is_a_failure(self):
        self.ctest("")
        self.assertGreater(self.tally.failed, 0)

    def verify(self, script):
        program = self.build / "bin/workbook-cli"
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(0o755)
        with contextlib.redirect_stdout(self.printed):
            self.module.run_verify(self.tally, [])

    def test_verify(self):
        rows = ", ".join('{"exercise": "1.1", "answer": "wrong", "file": "x", "standing": "%s"}' % s for s in ("ok", "bad", "not_run"))
        self.verify(f"""echo '{{"exercises": 1, "starters_ok": 1, "solutions_ok": 1, "wrong_answers": 3, "wrong_answers_ok": 1,
                        "right_answers": 0, "right_answers_ok": 0, "details": [{rows}]}}'""")
        self.assertEqual((self.tally.passed, self.tally.failed, self.tally.skipped), (1, 1, 1))

    def test_verify_that_breaks_off_is_a_failure(self):
        self.verify("echo '{'; exit 3\n")
        self.assertEqual(self.tally.failed, 1)


if __name__ == "__main__":
    unittest.main()
