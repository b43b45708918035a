"""The figures to play with: `<!-- figure: NAME key=value ... -->` in a lesson, or `<div data-play="NAME"></div>` on a page.

A figure is a custom element. Before its script runs, and where none runs, it holds its own first picture and sentence:
site/figures/fallback/*.html, made by site/figures/fallback.js with the figure's own code and compared by its tests.
"""
import html
import json
import re

from .repository import ROOT, SITE, Stale, chapters, read_text

FOLDER = SITE / "figures"
SCRIPTS = {"grid": ("models", "shell", "grid"), "memory": ("models", "shell", "memory"), "layout": ("models", "shell", "layout")}
CAPTIONS = {
    "grid": "Who works on what. The model knows blocks, threads, warps and lanes; it doesn't know in which order blocks run.",
    "memory": "One load or store of a warp, as the simulated device counts it: sectors, not whether a cache has them; passes over the banks, not what else is under way.",
    "layout": "One image. The number below each box is its place in memory; what is marked is taken by eight neighbouring threads in one moment.",
}


def assets():
    """Pages' scripts: (address in the site, file)."""
    names = {n for needed in SCRIPTS.values() for n in needed}
    return [(f"assets/figures/{n}.js", FOLDER / f"{n}.js") for n in sorted(names)]


def measured_strides():
    """What chapter 5 measured for every s-th float, from its table: {stride: microseconds}."""
    lesson = next((c.lesson for c in chapters() if c.number == 5), None)
    text = read_text(lesson) if lesson else ""
    table = re.search(r"(?m)^\| s \| sectors [^|]*\| time \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", text)
    rows = re.findall(r"(?m)^\| (\d+) \| \d+ \| ([\d.]+) us \|$", table.group(1)) if table else []
    if len(rows) < 3:
        raise Stale("site/book/play.py: chapter 5 has no table of times by stride any more (| s | sectors ... | time |)")
    return {int(stride): float(time) for stride, time in rows}


def one(name, options):
    if name not in SCRIPTS:
        raise Stale(f"there is no figure {name!r}; there are {', '.join(sorted(SCRIPTS))}")
    data = dict(pair.split("=", 1) for pair in options.split())
    if name == "memory":
        data["measured"] = json.dumps(measured_strides())
    variant = "-" + data.pop("variant") if "variant" in data else ""
    attributes = "".join(f' data-{k}="{html.escape(v)}"' for k, v in data.items())
    inside = read_text(FOLDER / "fallback" / f"{name}{variant}.html").strip()
    return (f'<figure class="play"><wb-{name}{attributes}>{inside}</wb-{name}>'
            f"<figcaption>{html.escape(CAPTIONS[name])}</figcaption></figure>")


def put_into(output, to_root):
    """Replaces the marks in a finished page, and adds the scripts that it needs."""
    used = []

    def replace(match):
        used.append(match.group(1))
        return one(match.group(1), html.unescape(match.group(2) or ""))
    output = re.sub(r'<div data-play="([\w-]+)"(?: data-with="([^"]*)")?></div>', replace, output)
    needed = []
    for name in used:
        needed += [n for n in SCRIPTS[name] if n not in needed]
    scripts = "".join(f'<script src="{to_root}assets/figures/{n}.js"></script>' for n in needed)
    return output.replace("</body>", scripts + "</body>", 1) if scripts else output
