"""Finds what the tests need; without it they are "not run" and say what is missing (exit code 77)."""
import os
import pathlib
import shutil
import sys

NOT_RUN = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("WORKBOOK_BUILD_DIR", ROOT / ".build"))
HTML = BUILD / "site" / "html"


def not_run(why):
    print(f"not run: {why}")
    sys.exit(NOT_RUN)


def in_the_books_python(*modules):
    """Goes on in .toolchain/site's Python when this one lacks a module."""
    try:
        for module in modules:
            __import__(module)
    except ImportError as error:
        for candidate in (os.environ.get("WORKBOOK_SITE_PYTHON", ""), str(ROOT / ".toolchain/site/bin/python")):
            if candidate and pathlib.Path(candidate).exists() and os.environ.get("WORKBOOK_SITE_TRIED") != candidate:
                os.environ["WORKBOOK_SITE_TRIED"] = candidate
                os.execv(candidate, [candidate, *sys.argv])
        not_run(f"{error.name} is not installed; ./workbook site --tools fetches it")


def chromium():
    """The engine alone where there is one: it draws the same, and has no windows of its own to keep."""
    named = os.environ.get("WORKBOOK_CHROMIUM")
    found = (shutil.which(name) for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))
    return named or next(filter(None, found), None) or not_run("there is no Chromium; apt-get install chromium, or WORKBOOK_CHROMIUM")
