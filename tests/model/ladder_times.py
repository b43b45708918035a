#!/usr/bin/env python3
"""The ladders of kernels/, modelled and measured: the order of neighbouring rungs, and the ratio between them.

    ladder_times.py KERNEL_TIMES RECORDED.tsv [--report] [LADDER ...]

Runs KERNEL_TIMES (bench/kernels) at its small sizes on the simulated runtime and compares with what the same program
printed on an H200. Two neighbouring rungs agree when their modelled and their measured ratio differ by 25 % at most, and
when the faster one is the faster one, if they are 5 % or more apart. Pairs that GAPS names are known not to, with the
reason and the ratio of ratios they may come to: one that grows fails, and so does a new one. --report judges nothing.
"""
import subprocess
import sys

MOST, SAME = 1.25, 1.05

# (ladder, rung, next rung): how far the ratios may be apart (factor, either way), and why they are.
LOADS = "loads of an unrolled loop are taken one after the other; ptxas moves them up"
LINES = "a request for many lines takes a cycle of L1 for each, the model counts a quarter"
ATOMICS = "256 neighbouring addresses lie in two slices of L2, which do one operation at a time; the model knows single addresses"
DIVISIONS = "64-bit indices and divisions are more than one instruction each"
LATE = "the atomics of a single wave come when its loads are done, and are taken as hidden behind them"
FEW = "64 blocks on 132 SMs: what an SM issues is shared out over all of them"
GAPS = {
    ("NCHW to NHWC float C=3", "tile", "wide"): (1.4, DIVISIONS),
    ("NCHW to NHWC float C=32", "naive", "tile"): (1.5, LINES),
    ("NCHW to NHWC float C=64", "naive", "tile"): (1.45, LINES),
    ("NCHW to NHWC half C=32", "naive", "tile"): (1.35, LINES),
    ("NCHW to NHWC half C=64", "naive", "tile"): (1.3, LINES),
    ("NCHW to NHWC half C=3", "naive", "tile"): (1.35, DIVISIONS),
    ("preprocess", "eager", "fused"): (1.4, "the fused kernel's time from DRAM is 17 % too small"),
    ("stencil 2-D", "global", "shared"): (1.7, LOADS),
    ("reduction", "tree", "shuffle"): (1.8, LATE),
    ("reduction", "shuffle", "vector"): (1.6, LATE),
    ("histogram, 256 bins", "global", "shared"): (9.0, ATOMICS),
    ("scan", "blocks", "reduce first"): (1.35, "three launches in a row cost more than two by the model"),
    ("scan", "reduce first", "look-back"): (1.6, "the model does not wait for the block before"),
    ("matrix multiply", "naive", "tiled"): (2.5, LOADS),
    ("matrix multiply", "tiled", "registers"): (2.3, FEW),
    ("matrix multiply", "registers", "wmma"): (3.5, FEW),
    ("matrix multiply", "wmma", "tensor"): (3.3, FEW),
    ("convolution 1x1", "naive", "tiled"): (4.6, LINES),
    ("convolution 1x1", "tiled", "tensor"): (1.6, "tensor cores are priced as one instruction each"),
}


def read(lines):
    """ladder -> [(rung, microseconds)] of the small sizes, in the order of the file."""
    ladders = {}
    for line in lines:
        cells = line.rstrip("\n").split("\t")
        if len(cells) == 6 and cells[0] == "small":
            ladders.setdefault(cells[1], []).append((cells[2], float(cells[4])))
    return ladders


def pairs(modelled, measured):
    """(ladder, rung, next rung, modelled ratio of their times, measured ratio)"""
    for ladder, rungs in modelled.items():
        known = dict(measured.get(ladder, []))
        for (one, one_us), (two, two_us) in zip(rungs, rungs[1:]):
            if one in known and two in known:
                yield ladder, one, two, two_us / one_us, known[two] / known[one]


def main():
    report = "--report" in sys.argv
    program, table, *wanted = [word for word in sys.argv[1:] if word != "--report"]
    run = subprocess.run([program, "small", *wanted], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{program} ended with {run.returncode}: {run.stderr}")
    with open(table, encoding="utf-8") as file:
        measured = read(file)
    modelled = read(run.stdout.splitlines())
    print(f"{'ladder':26} {'rung':14} {'modelled us':>12} {'measured us':>12}    error")
    for ladder, rungs in modelled.items():
        known = dict(measured.get(ladder, []))
        for rung, us in rungs:
            if rung in known:
                print(f"{ladder:26} {rung:14} {us:12.2f} {known[rung]:12.2f} {us / known[rung] - 1:+8.0%}")
    seen = agreeing = 0
    bad = []
    print(f"\n{'ladder':26} {'rung':14} {'next':14} modelled measured")
    for ladder, one, two, model, real in pairs(modelled, measured):
        off = max(model / real, real / model)
        order = max(real, 1 / real) < SAME or (model > 1) == (real > 1)
        gap = GAPS.get((ladder, one, two))
        agrees = off <= MOST and order
        seen += 1
        agreeing += agrees
        word = "" if agrees else "outside" if order else "other order"
        if not agrees and (gap is None or off > gap[0]):
            bad.append(f"{ladder}: {one} to {two} is off by a factor of {off:.2f}"
                       + (f", known is {gap[0]:g}: {gap[1]}" if gap else ""))
        print(f"{ladder:26} {one:14} {two:14} {model:8.2f} {real:8.2f} {word}{', known gap' if gap and not agrees else ''}")
    print(f"{agreeing} of {seen} pairs agree")
    for line in bad:
        print(f"NOT MET: {line}")
    sys.exit(0 if report or (not bad and seen > 0) else 1)


if __name__ == "__main__":
    main()
