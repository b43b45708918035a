#!/usr/bin/env python3
"""Honest answers come in many styles. Each chapter has at least five besides its solutions, no two by the same idea; that
they pass is what `./workbook verify` shows. Prints how many there are."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def styles(chapter):
    """{idea: answer}"""
    found = {}
    for entry in sorted(chapter.glob("*/right/*")):
        files = [entry] if entry.is_file() else sorted(p for p in entry.rglob("*") if p.is_file())
        for file in files:
            first = re.match(r"(?://|#) right: (.+)", file.read_text())
            if first:
                found[first[1].strip()] = entry.relative_to(chapter).as_posix()
                break
    return found


class Styles(unittest.TestCase):
    def test_five_in_each_chapter(self):
        for chapter in sorted((ROOT / "chapters").iterdir()):
            answers = styles(ROOT / "tests/exercises" / chapter.name)
            print(f"{chapter.name:<28} {len(answers):3} honest alternatives")
            self.assertGreaterEqual(len(answers), 5, chapter.name)

    def test_no_two_files_are_the_same_but_for_names(self):
        for chapter in sorted((ROOT / "tests/exercises").iterdir()):
            if not chapter.is_dir():
                continue
            seen = {}
            for file in sorted(chapter.glob("*/right/*.cu")):
                text = re.sub(r"//[^\n]*|\s+", "", file.read_text())
                self.assertNotIn(text, seen, f"{file} is {seen.get(text)}")
                seen[text] = file


if __name__ == "__main__":
    unittest.main(verbosity=1)
    sys.exit(0)
