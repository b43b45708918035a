"""The figures to play with: `<!-- figure: NAME key=value ... -->` in a lesson, or `<div data-play="NAME"></div>` on a page.

A figure is a custom element. Before its script runs, and where none runs, it holds its own first picture and sentence:
site/figures/fallback/*.html, made by site/figures/fallback.js with the figure's own code and compared by its tests.
"""
import html
import json
import re

from .repository import ROOT, SITE, Stale, chapters, read_text

FOLDER = SITE / "figures"
SCRIPTS = {"grid": ("models", "shell", "grid"), "memory": ("models", "shell", "memory"), "layout": ("models", "shell", "layout"),
           "warmup": ("models", "shell", "warmup")}
TIMELINES = {
    "pipeline": "Eight chunks of 1 MiB: copied in, worked on, copied out. Before: one stream. Now: three.",
    "hoisted": "Ten steps on one array. Before: each allocates, copies and frees. Now: once, outside of the loop.",
    "streams_h200": "A program with two streams, copies from pinned and from pageable memory, and events, as it ran on an H200 (2026-11-30).",
}
CAPTIONS = {
    "grid": "Who works on what. The model knows blocks, threads, warps and lanes; it doesn't know in which order blocks run.",
    "memory": "One load or store of a warp, as the simulated device counts it: sectors, not whether a cache has them; passes over the banks, not what else is under way.",
    "layout": "One image. The number below each box is its place in memory; what is marked is taken by eight neighbouring threads in one moment.",
    "warmup": "One process, from its first CUDA call on; modelled, h200@1. The driver's compiler gets 126 kB of PTX. The model knows no first compilation of a machine, which also reads the compiler from the disk.",
}


def assets():
    """Pages' scripts: (address in the site, file or None, text or None)."""
    names = {n for needed in SCRIPTS.values() for n in needed}
    for name in sorted(names):
        yield f"assets/figures/{name}.js", read_text(FOLDER / f"{name}.js")
    frame, mark = read_text(FOLDER / "timeline.js"), "/* page.js */"
    if frame.count(mark) != 1:
        raise Stale(f"site/figures/timeline.js has no place for page.js ({mark})")
    yield "assets/figures/timeline.js", frame.replace(mark, read_text(ROOT / "src/timeline/page/page.js"))


def measured_strides():
    """What chapter 5 measured for every s-th float, from its table: {stride: microseconds}."""
    lesson = next((c.lesson for c in chapters() if c.number == 5), None)
    text = read_text(lesson) if lesson else ""
    table = re.search(r"(?m)^\| s \| sectors [^|]*\| time \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", text)
    rows = re.findall(r"(?m)^\| (\d+) \| \d+ \| ([\d.]+) us \|$", table.group(1)) if table else []
    if len(rows) < 3:
        raise Stale("site/book/play.py: chapter 5 has no table of times by stride any more (| s | sectors ... | time |)")
    return {int(stride): float(time) for stride, time in rows}


def measured_first_launches():
    """What the H200 took for the first launch, by the figure's settings, from bench/warm_up/h200.json: {setting: microseconds}."""
    rows = json.loads(read_text(ROOT / "bench/warm_up/h200.json"))
    names = {"machine lazy": "plain, lazy", "machine eager": "plain, eager", "text lazy cold": "large_16, cold", "text lazy warm": "large_16, cached",
             "text lazy off": "large_16, cache off", "text eager warm": "large_16, cached, eager"}
    missing = [n for n in names.values() if "first_launch" not in rows.get(n, {})]
    if missing:
        raise Stale(f"bench/warm_up/h200.json has no first_launch of {missing[0]!r} any more")
    return {setting: rows[name]["first_launch"] for setting, name in names.items()}


def static_timeline(data):
    """The rows of a timeline as they stand when no script runs: one scale for all runs, from the first operation of each."""
    wide, left, high, top = 690, 124, 17, 0
    span = max(r["end"] - r["window"][0] for r in data["runs"])
    begin = min(r["start"] - r["window"][0] for r in data["runs"])
    classes = ("kernel copy pageable memset launch call wait memory range overhead mark gap-copy gap-loader gap-api gap-synchronise gap-launch "
               "gap-first-use").split()
    out = []
    for run in data["runs"]:
        for row in run["rows"]:
            out.append(f'<text x="0" y="{top + 13}">{html.escape(row["label"])}</text>')
            for lane in row["lanes"]:
                for at in range(0, len(lane), 5):
                    x = (lane[at] - run["window"][0] - begin) / (span - begin) * (wide - left)
                    width = max(1.0, lane[at + 1] / (span - begin) * (wide - left))
                    if x + width > 0:
                        out.append(f'<rect x="{left + max(0, x):.1f}" y="{top}" width="{min(width, width + x):.1f}" height="{high - 2}" style="fill:var(--{classes[lane[at + 3]]})"/>')
                top += high
            top += 5
        top += 20
    words = "; ".join(f'{r["label"] or "this run"}: {h}' for r, h in zip(data["runs"], data["headlines"]))
    return (f'<div class="canvas scroll"><div class="drawn"><svg viewBox="0 0 {wide} {top}" role="img" aria-label="{html.escape(words)}">{"".join(out)}</svg></div></div>'
            + "".join(f'<p class="run">{html.escape((r["label"] + ": " if r["label"] else "") + h)}</p><p class="figures">{html.escape(f)}</p>'
                      for r, h, f in zip(data["runs"], data["headlines"], data["figures"])))


def timeline(name):
    data = json.loads(read_text(FOLDER / "data" / f"{name}.json"))
    inside = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    return (f'<figure class="play timeline"><wb-timeline>{static_timeline(data)}<script type="application/json">{inside}</script></wb-timeline>'
            f"<figcaption>{html.escape(TIMELINES[name])}</figcaption></figure>")


def one(name, options):
    if name.startswith("timeline-") and name[9:] in TIMELINES:
        return timeline(name[9:])
    if name not in SCRIPTS:
        raise Stale(f"there is no figure {name!r}; there are {', '.join(sorted(SCRIPTS))}")
    data = dict(pair.split("=", 1) for pair in options.split())
    if name == "memory":
        data["measured"] = json.dumps(measured_strides())
    if name == "warmup":
        data["measured"] = json.dumps(measured_first_launches())
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
        needed += [n for n in SCRIPTS.get(name, ("timeline",)) if n not in needed]
    scripts = "".join(f'<script src="{to_root}assets/figures/{n}.js"></script>' for n in needed)
    return output.replace("</body>", scripts + "</body>", 1) if scripts else output
