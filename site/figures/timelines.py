#!/usr/bin/env python3
"""Makes site/figures/data/*.json: what the timelines of the book show.

    site/figures/timelines.py CLI [--check]

Runs the programs in site/figures/programs on the simulated device (whose times are the same everywhere), before and after, and
takes from `profile --html` the very data that its page draws. --check compares with what is there. The record of an H200 comes
from tests/profile.
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# name, program, arguments before, arguments now
RUNS = (("pipeline", "pipeline.cu", ["1"], ["3"]), ("hoisted", "hoisted.cu", [], ["hoisted"]))
RECORDS = (("streams_h200", ROOT / "tests/profile/both_worlds.h200.jsonl"),)


def data_in(page):
    """What the page draws, and what it says of each run."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    words = {kind: [html.unescape(re.sub(r"<[^>]+>", "", p)) for p in re.findall(rf'<p class="{kind}">(.*?)</p>', text, re.S)] for kind in ("headline", "figures")}
    runs = json.loads(found.group(1).replace("<\\/", "</"))
    figures = [f for f in words["figures"] if "odelled" in f or "easured" in f]
    assert len(words["headline"]) == len(runs) == len(figures), "the page of profile has another form now"
    return {"runs": runs, "headlines": words["headline"], "figures": figures}


def profile(cli, folder, *arguments):
    page = folder / "page.html"
    subprocess.run([cli, "profile", "--device", "simulated", "--html", str(page), *arguments], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    return page


def made(cli, folder):
    for name, program, before, now in RUNS:
        source = str((HERE / "programs" / program).relative_to(ROOT))
        kept = str(folder / f"{name}.jsonl")
        subprocess.run([cli, "profile", "--device", "simulated", "--trace", kept, source, *before], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        page = profile(cli, folder, "--before", kept, source, *now)
        yield name, data_in(page)
    for name, record in RECORDS:
        yield name, data_in(profile(cli, folder, str(record)))


def main():
    cli, check = sys.argv[1], "--check" in sys.argv
    stale = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, data in made(cli, pathlib.Path(folder)):
            target = HERE / "data" / f"{name}.json"
            text = json.dumps(data, separators=(",", ":"), ensure_ascii=False) + "\n"
            if not check:
                target.write_text(text, encoding="utf-8")
            elif not target.is_file() or target.read_text(encoding="utf-8") != text:
                print(f"{target.relative_to(ROOT)} is not what the programs do now: site/figures/timelines.py {os.path.relpath(cli)}")
                stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
