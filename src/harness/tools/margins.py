#!/usr/bin/env python3
"""How far right and slow answers lie from the time bounds, from what `workbook verify --json` said.

    margins.py VERIFY.json [...]        any number of runs, of the simulated device and of a GPU; prints a Markdown table

Right: solution and honest alternatives, the share of the tightest bound that they need, least and most. Slow: wrong answers
that only a time bound rejects, by how much they exceed it, the least. "-": there is none; "not run": no file has it.
"""
import collections
import json
import re
import sys

OF_BOUND = re.compile(r"([\d.]+) of its bound")
TOO_SLOW = re.compile(r"([\d.,]+) us, and at most ([\d.,]+) us are allowed")


def number(text):
    return float(text.replace(",", ""))


class Margins:
    def __init__(self):
        self.right, self.slow, self.seen = [], [], False

    def add(self, answer):
        self.seen = True
        right, slow = OF_BOUND.search(answer.get("remark", "")), TOO_SLOW.search(answer.get("headline", ""))
        if right and answer["answer"] in ("solution", "right"):
            self.right.append(float(right[1]))
        if slow and answer["answer"] in ("starter", "wrong"):
            self.slow.append((number(slow[1]) / number(slow[2]), answer["file"].rsplit("/", 1)[-1]))

    def cells(self):
        if not self.seen:
            return ["not run"] * 3
        right = f"{min(self.right):.2f} to {max(self.right):.2f}" if self.right else "-"
        least = min(self.slow) if self.slow else None
        return [right, f"{least[0]:.2f}" if least else "-", f"`{least[1]}`" if least else ""]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    table = collections.defaultdict(lambda: {"simulated": Margins(), "gpu": Margins()})
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            run = json.load(file)
        device = "simulated" if run["device"] == "simulated" else "gpu"
        for answer in run["details"]:
            if answer["standing"] != "bad":
                table[answer["exercise"]][device].add(answer)
    print("| exercise | right, simulated | slow, simulated | the nearest | right, H200 | slow, H200 | the nearest |\n"
          "|---|---|---|---|---|---|---|")
    for exercise in sorted(table, key=lambda e: [int(part) for part in e.split(".")]):
        devices = table[exercise]
        if any(d.right or d.slow for d in devices.values()):
            print("| " + " | ".join([exercise, *devices["simulated"].cells(), *devices["gpu"].cells()]) + " |")


if __name__ == "__main__":
    main()
