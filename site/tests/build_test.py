#!/usr/bin/env python3
"""The book builds strictly, every link in it leads somewhere, and its pages are HTML, light, and of this machine alone.

Also tried: that the build does fail when a page would go stale.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import environment  # noqa: E402

environment.in_the_books_python("mkdocs", "material", "html5lib")
sys.path.insert(0, str(environment.ROOT / "site"))

import html5lib  # noqa: E402

import features  # noqa: E402
import pages  # noqa: E402
from book import fences, messages, repository  # noqa: E402

HEAVIEST = 500_000
failures = []


def expect(ok, what):
    if not ok:
        failures.append(what)
        print(f"FAILED  {what}", flush=True)


def check_built():
    # The API is made anew, so that its complaints are heard.
    (environment.BUILD / "site/api/stamp").unlink(missing_ok=True)
    run = subprocess.run([sys.executable, str(environment.ROOT / "site/build.py"), "--build"], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env={**os.environ, "WORKBOOK_SITE_API": "strict"})
    print(run.stdout, end="")
    expect(run.returncode == 0, "the book builds strictly")
    return run.returncode == 0


def check_pages():
    root = environment.HTML
    for problem in pages.problems(root):
        expect(False, problem)
    for path in sorted(root.rglob("*.html")):
        shown = path.relative_to(root)
        parser = html5lib.HTMLParser()
        parser.parse(path.read_bytes())
        for (line, column), code, _ in parser.errors[:3]:
            expect(False, f"{shown}:{line}:{column}: not HTML: {code}")
        bytes_ = pages.weight(path)
        expect(bytes_ < HEAVIEST, f"{shown} weighs {bytes_} bytes with its scripts and styles, {HEAVIEST} are allowed")


def check_complete():
    """Every chapter has its page, with a card for each exercise; every message of a wrong answer stands in the index."""
    index = (environment.HTML / "reference/messages.html").read_text(encoding="utf-8")
    told = 0
    for what in features.problems(environment.HTML):
        expect(False, what)
    for chapter in repository.chapters():
        page = pages.Page(environment.HTML / "chapters" / chapter.folder / "index.html")
        for exercise in chapter.exercises:
            expect(exercise.stem in page.ids, f"{chapter.folder}: no section {exercise.stem}")
            expect(f"solution-{exercise.id.replace('.', '-')}" in page.ids, f"{chapter.folder}: no solution of {exercise.id}")
    for kind, _, _ in messages.KINDS:
        for _, _, mistake in messages.entries(kind):
            told += 1
            for text in messages.telling(mistake):
                expect(messages.html.escape(text) in index, f"the index of messages lacks {text!r}")
    expect(told > 200, f"only {told} messages in the index")


def check_fences():
    """Code in a lesson that no test runs, or that is not what a test runs, must not get into the book."""
    chapter = repository.chapters()[0]
    text = chapter.lesson.read_text(encoding="utf-8")

    def complaint(changed):
        try:
            fences.check(chapter, chapter.lesson, changed, whole=True)
        except repository.Stale as error:
            return str(error)
        return ""
    expect(complaint(text) == "", "a lesson as it should be is refused")
    for what, old, new, said in (
            ("code without a mark", "<!-- code: wrap -->\n", "", "code that no test runs"),
            ("code without a language", "<!-- code: wrap -->\n```cuda", "```", "code that no test runs"),
            ("another number", "negate<<<1, 8>>>", "negate<<<1, 9>>>", "is not the part negate"),
            ("another comment", "// a refused one", "// refused", "is not the part which_error"),
            ("a line less", "  out[i] = -in[i];\n", "", "is not the part negate"),
            ("a mark that leads nowhere", "<!-- code: wrap -->", "<!-- code: warp -->", "has no part warp")):
        expect(text.count(old) == 1, f"the test of {what} finds {text.count(old)} places to change")
        expect(said in complaint(text.replace(old, new)), f"{what} goes unseen: {complaint(text.replace(old, new))!r}")
    expect(fences.same("f(...); g();", "f(1,\n  2);\ng();") and not fences.same("f(...); g();", "f(1); h(); g() ;;"), "`...` stands for too much")


def check_fails_when_stale():
    """In a copy: what a page shows is taken away, and the build must say so."""
    cases = [
        ("a picture that is gone", "chapters/05_sms_warps_memory/figures/banks.svg", None, "banks.svg"),
        ("a solution that is gone", "solutions/01_host_and_device/01_your_first_kernel.cu", None, "01_your_first_kernel.cu"),
        ("code that a test has in another way", "tests/site/lessons/09_streams.cu", ("cudaStreamNonBlocking);", "cudaStreamDefault);"), "non_blocking"),
        ("a lesson without goals", "chapters/09_streams/README.md", ("**After this chapter you can**\n", ""), "After this chapter you can"),
        ("an anchor that nobody has", "chapters/01_host_and_device/README.md", ("(../02_grids_blocks_threads/README.md)",
                                                                               "(../02_grids_blocks_threads/README.md#no_such)"), "no_such"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "copy")
        copy.mkdir()
        for name in ("chapters", "docs", "site", "solutions", "tests/exercises", "include", "kernels", "src/timeline/page", "bench/warm_up",
                     "tests/site/lessons", "tests/ptx"):
            shutil.copytree(environment.ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("CONTRIBUTING.md", "CHANGELOG.md", "README.md"):
            shutil.copy(environment.ROOT / name, copy / name)
        for what, file, change, said in cases:
            path = copy / file
            kept = path.read_text(encoding="utf-8")
            if change is None:
                path.unlink()
            else:
                expect(change[0] in kept, f"the test of {what} finds nothing to change")
                path.write_text(kept.replace(*change), encoding="utf-8")
            run = subprocess.run([sys.executable, str(copy / "site/build.py"), "--build"], text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, env={**os.environ, "WORKBOOK_BUILD_DIR": str(copy / ".build"),
                                                               "WORKBOOK_SITE_API": "off"})
            expect(run.returncode != 0 and said in run.stdout, f"{what} goes unseen: exit code {run.returncode}\n{run.stdout[-600:]}")
            path.write_text(kept, encoding="utf-8")


def main():
    if check_built():
        check_pages()
        check_complete()
    check_fences()
    check_fails_when_stale()
    print(f"{len(failures)} complaints" if failures else f"the book: {sum(1 for _ in environment.HTML.rglob('*.html'))} pages, all in order")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
