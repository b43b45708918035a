#!/usr/bin/env python3
"""The pictures of this chapter, from records and figures.

    draw.py timeline RECORD.jsonl OUT.svg [--batches 4]    before and after, on one time scale
    draw.py waterfall OUT.svg                              450 x 1.92 x 1.157 = 1000

A record (docs/trace-schema.md) of 14.5's timed run, with its regions "baseline many" and "learner many":

    python3 src/harness/tools/try_exercise.py .build 14.5 solutions/14_capstone/05_the_headline.cu \\
        [--device gpu] -- --keep-trace RECORD.jsonl
"""
import argparse
import json

INK, GREY, PAPER = "#1f2933", "#e5e7eb", "#ffffff"
COLOURS = {"decode": "#2f6fb0", "copy": "#965c00", "layout": "#b3261e", "model": "#2e7d4f"}
LEFT, WIDTH, HIGH = 104, 720, 20


class Svg:
    def __init__(self, height, title, description):
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
                      f'aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="13">',
                      f'<title id="t">{title}</title>', f'<desc id="d">{description}</desc>',
                      f'<rect width="{WIDTH}" height="{height}" rx="6" fill="{PAPER}"/>']

    def rect(self, x, y, width, height, colour):
        self.lines.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.4):.1f}" height="{height:.1f}" fill="{colour}"/>')

    def text(self, x, y, words, anchor="start", weight="400", colour=INK):
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" fill="{colour}">{words}</text>')

    def line(self, x1, y1, x2, y2):
        self.lines.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{INK}"/>')

    def save(self, path):
        with open(path, "w") as file:
            file.write("\n".join(self.lines + ["</svg>", ""]))


def read(path):
    """The header, and the events of each region by its label: the last region of that name."""
    with open(path) as file:
        lines = [json.loads(line) for line in file if line.strip()]
    header, events = lines[0], sorted(lines[1:], key=lambda e: e["id"])
    regions, label = {}, None
    for event in events:
        if event["kind"] == "note" and event.get("name") == "region":
            label = event.get("text", "") if event["detail"]["begin"] else None
            if label is not None:
                regions[label] = []
        elif label is not None:
            regions[label].append(event)
    return header, regions


def rows_of(events):
    """Intervals by row, in nanoseconds: decode with its thread, copies, kernels of the layout and of the model; and the
    end of the model's work on each batch."""
    begun = {e["id"]: e for e in events if e["kind"] == "range" and e.get("phase") == "push"}
    rows = {"decode": [], "copy": [], "layout": [], "model": []}
    ends = []
    for event in events:
        if event["kind"] == "range" and event.get("phase") == "pop" and event.get("begun_by") in begun:
            push = begun[event["begun_by"]]
            if push.get("name") == "decode":
                rows["decode"].append((push["host_ns"][0], event["host_ns"][0], event.get("thread", 0)))
        if "device_ns" not in event:
            continue
        begin, end = event["device_ns"]
        if event["kind"] == "copy" and event.get("bytes", 0) > 4096:
            if event.get("from") == "pageable":
                begin, end = min(begin, event["host_ns"][0]), max(end, event["host_ns"][1])
            rows["copy"].append((begin, end, 0))
        if event["kind"] == "kernel":
            model = "train_kernel" in event["name"] or "sum_kernel" in event["name"]
            rows["model" if model else "layout"].append((begin, end, 0))
            if "train_kernel" in event["name"]:
                ends.append(end)
    return rows, sorted(ends)


def union(intervals, begin, end):
    reached = begin
    total = 0
    for first, last, _ in sorted(intervals):
        total += max(0, min(last, end) - max(first, reached))
        reached = max(reached, min(last, end))
    return total


def timeline(record, out, batches):
    header, regions = read(record)
    parts = []
    for label in ("baseline many", "learner many"):
        rows, ends = rows_of(regions[label])
        warm = len(ends) // 2
        window = ends[warm], ends[-1]
        busy = union(rows["layout"] + rows["model"], *window) / (window[1] - window[0])
        parts.append((rows, ends, warm, busy, (window[1] - window[0]) / (len(ends) - 1 - warm)))
    span = batches * parts[0][4]  # so many batches of the slower one
    scale = (WIDTH - LEFT - 16) / span
    lanes = [len({t for _, _, t in part[0]["decode"]}) for part in parts]
    heights = [HIGH * 3.2 + (n - 1) * 7 + 44 for n in lanes]
    modelled = "modelled, " + header.get("profile", "") if header.get("modelled") else header.get("device_name", "GPU")
    words = [f"{100 * p[3]:.0f} % busy, {p[4] / 1000:.0f} us a batch" for p in parts]
    svg = Svg(sum(heights) + 40, "Before and after", f"Rows for decoding, copies and kernels. Before: {words[0]}; the "
              f"kernels pause while the loop decodes and copies. After: {words[1]}; the kernels follow each other "
              f"without a pause. {modelled}.")
    y = 8
    for (rows, ends, _, _, _), lane_count, height, name, figures in zip(parts, lanes, heights, ("before", "after"), words):
        begin = ends[len(ends) // 5]  # later the last batches are decoded, and only kernels are left
        svg.text(16, y + 18, f"{name}: {figures}", weight="600")
        y0 = y + 28
        threads = sorted({t for _, _, t in rows["decode"]})
        lane = {t: i for i, t in enumerate(threads)}
        decode_high = HIGH if lane_count == 1 else 7 * lane_count + 6
        places = {"decode": y0, "copy": y0 + decode_high + 4, "kernels": y0 + decode_high + HIGH + 8}
        for row, top in places.items():
            high = decode_high if row == "decode" else HIGH
            svg.text(16, top + high / 2 + 5, row)
            svg.rect(LEFT, top, WIDTH - LEFT - 16, high, GREY)
        for kind, intervals in rows.items():
            for first, last, thread in intervals:
                first, last = max(first - begin, 0), min(last - begin, span)
                if last <= first:
                    continue
                top = places.get(kind, places["kernels"])
                high = HIGH
                if kind == "decode" and lane_count > 1:
                    top, high = top + lane[thread] * (decode_high / lane_count), decode_high / lane_count - 1
                svg.rect(LEFT + first * scale, top, (last - first) * scale - 0.6, high, COLOURS[kind])
        y += height
    svg.rect(LEFT, y + 6, 12, 12, COLOURS["layout"])
    svg.text(LEFT + 18, y + 17, "preprocessing, conversions")
    svg.rect(LEFT + 210, y + 6, 12, 12, COLOURS["model"])
    svg.text(LEFT + 228, y + 17, "model")
    svg.text(WIDTH - 16, y + 17, f"{span / 1e6:.2f} ms, {modelled}", anchor="end")
    svg.save(out)


def waterfall(out):
    steps = [(450, "as found", "half busy", COLOURS["decode"]), (864, "x 1.92", "no gaps: 50 % to 96 %", COLOURS["model"]),
             (1000, "x 1.157", "less work: 13.6 %", COLOURS["copy"])]
    svg = Svg(250, "450 x 1.92 x 1.157 = 1000", "Three bars. 450 batches a second as found; closing the gaps brings 50 to "
              "96 percent busy, a factor of 1.92, and 864; less work for each batch a factor of 1.157, and 1000.")
    before = 0
    for i, (value, factor, words, colour) in enumerate(steps):
        x, top, base = 60 + 220 * i, 200 - value * 0.16, 200
        if i > 0:
            svg.rect(x, 200 - before * 0.16, 140, before * 0.16, GREY)
            svg.rect(x, top, 140, (value - before) * 0.16, colour)
            svg.line(x - 80, 200 - before * 0.16, x, 200 - before * 0.16)
        else:
            svg.rect(x, top, 140, base - top, colour)
        svg.text(x + 70, top - 8, f"{value}", anchor="middle", weight="600")
        svg.text(x + 70, 220, factor, anchor="middle", weight="600")
        svg.text(x + 70, 238, words, anchor="middle")
        before = value
    svg.line(40, 200, 700, 200)
    svg.save(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("timeline")
    one.add_argument("record")
    one.add_argument("out")
    one.add_argument("--batches", type=float, default=3)
    two = kinds.add_parser("waterfall")
    two.add_argument("out")
    arguments = parser.parse_args()
    if arguments.kind == "timeline":
        timeline(arguments.record, arguments.out, arguments.batches)
    else:
        waterfall(arguments.out)


if __name__ == "__main__":
    main()
