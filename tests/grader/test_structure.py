#!/usr/bin/env python3
"""Each rule of tools/check_structure.py finds what it is there for, in a small tree with one mistake."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "tools").mkdir()
        shutil.copy(TOOLS / "check_structure.py", self.root / "tools")
        self.write("workbook", "#!/bin/sh\n")
        self.write("src/sim/warp.h", "// A warp.\n")
        self.write("src/cli/main.cpp", '#include "grader/check.h"\nint main() { return 0; }\n')
        self.write("src/grader/check.h", "// A check.\n")

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def check(self, rule):
        result = subprocess.run([sys.executable, str(self.root / "tools/check_structure.py"), rule], capture_output=True, text=True)
        return result.returncode, result.stdout

    def test_in_order(self):
        for rule in ("includes", "stems", "sizes", "functions", "leftovers"):
            self.assertEqual(self.check(rule)[0], 0, rule + self.check(rule)[1])

    def test_includes(self):
        self.write("src/grader/bad.cpp", '#include <vector>\n#include "sim/warp.h"\n')
        self.write("chapters/01_a/01_b.cu", '#include "../../solutions/01_a/01_b.cu"\n')
        self.write("solutions/01_a/01_b.cu", "int x;\n")
        code, text = self.check("includes")
        self.assertEqual(code, 1)
        self.assertIn("src/grader/bad.cpp:2: src/grader may not include sim/", text)
        self.assertIn("chapters/01_a/01_b.cu:1:", text)

    def test_stems(self):
        self.write("chapters/01_a/01_b.cu", "int x;\n")
        self.write("solutions/01_a/02_c.cu", "int x;\n")
        code, text = self.check("stems")
        self.assertEqual(code, 1)
        for words in ("solutions/01_a/01_b.cu is missing", "01_b.driver.cpp is missing", "0 wrong answers", "no starter chapters/01_a/02_c"):
            self.assertIn(words, text)

    def test_sizes(self):
        self.write("src/sim/long.cpp", "\n" * 601)
        self.assertIn("src/sim/long.cpp:1: 601 lines", self.check("sizes")[1])

    def test_functions(self):
        body = "  x = 1;\n" * 61
        self.write("src/sim/f.cpp", "namespace a {\nint f(int x) {\n  if (x) { x = 2; }\n" + body + "  return x;\n}\n}  // namespace a\n")
        code, text = self.check("functions")
        self.assertEqual(code, 1)
        self.assertIn("src/sim/f.cpp:2: a function of 65 lines", text)
        self.write("src/sim/f.cpp", "// dispatch: one row an opcode\nint f(int x) {\n" + body + "}\n")
        self.assertEqual(self.check("functions")[0], 0)
        # A table, and a long class of short functions, are no long function.
        self.write("src/sim/f.cpp", "const int table[] = {\n" + "  1,\n" * 80 + "};\nclass A {\n" + "  void f() { g(); }\n" * 80 + "};\n")
        self.assertEqual(self.check("functions"), (0, "functions: in order\n"))

    def test_leftovers(self):
        self.write("src/sim/left.cpp", "// TODO: later\n")
        self.write("chapters/01_a/01_b.cu", "// TODO: yours\n")
        code, text = self.check("leftovers")
        self.assertEqual(code, 1)
        self.assertIn("src/sim/left.cpp:1", text)
        self.assertNotIn("chapters", text)

    @unittest.skipUnless(shutil.which("clang-format-14") or shutil.which("clang-format"), "no clang-format here")
    def test_format(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        code, text = self.check("format")
        if code == 77:
            self.skipTest("clang-format is not of version 14")
        self.assertEqual(code, 0, text)
        self.write("src/sim/ugly.cpp", "int  f( ){return 1 ;}\n")
        self.assertIn("src/sim/ugly.cpp:1: not as clang-format", self.check("format")[1])

    def test_unknown_rule(self):
        self.assertEqual(self.check("nonsense")[0], 2)


if __name__ == "__main__":
    unittest.main()
