#!/usr/bin/env python3
"""The time model against the H200 that it was calibrated on: every row of the table, modelled and measured.

    calibration.py PROGRAM TABLE.tsv [quick|whole] [--report | --markdown]

PROGRAM is calibration_times, which finds the simulated runtime in LD_LIBRARY_PATH. Judged are the median of the
absolute errors, how many rows are within 30 %, that none is off by a factor of two, and that two rows whose measured
times differ by more than 1.3 have modelled times in the same order. What GAPS names is known, with its reason and the
factor it may be off by: a gap that grows fails, and so does one that has closed and is still named.
--report judges nothing; --markdown prints the table of docs/time-model.md.
"""
import itertools
import os
import subprocess
import sys

MEDIAN, WITHIN, SHARE, MOST, ORDER = 0.12, 0.30, 0.90, 2.0, 1.3

# Row: how far it may be off (factor, either way), and why it is.
GAPS = {}


def read(lines):
    rows = {}
    for line in lines:
        cells = line.rstrip("\n").split("\t")
        if len(cells) == 2 and not line.startswith("#") and cells[1] != "measured":
            rows[cells[0]] = float(cells[1])
    return rows


def factor(modelled, measured):
    return max(modelled / measured, measured / modelled) if modelled > 0 else float("inf")


def wrong_order(modelled, measured):
    """Pairs that differ by more than ORDER when measured and that the model has the other way round."""
    kinds = [[row for row in modelled if row.startswith("chase")], [row for row in modelled if not row.startswith("chase")]]
    for rows in kinds:  # nanoseconds a hop are no microseconds
        for one, two in itertools.combinations(rows, 2):
            ratio = measured[one] / measured[two]
            if max(ratio, 1 / ratio) > ORDER and (ratio > 1) != (modelled[one] > modelled[two]):
                yield one, two


def number(value):
    return f"{value:,.2f}" if value < 1000 else f"{value:,.0f}"


def print_table(modelled, measured, markdown):
    print("| row | modelled | measured | error |\n| --- | --- | --- | --- |" if markdown
          else f"{'row':34} {'modelled':>12} {'measured':>12}    error")
    for row, value in modelled.items():
        error = f"{value / measured[row] - 1:+.0%}"
        if markdown:
            print(f"| {row} | {number(value)} | {number(measured[row])} | {error} |")
        else:
            print(f"{row:34} {number(value):>12} {number(measured[row]):>12} {error:>8}{'  known gap' if row in GAPS else ''}")


def judge(modelled, measured):
    errors = {row: value / measured[row] - 1 for row, value in modelled.items()}
    ordered = sorted(abs(error) for error in errors.values())
    median = ordered[len(ordered) // 2]
    share = sum(error <= WITHIN for error in ordered) / len(ordered)
    pairs = list(wrong_order(modelled, measured))
    far = [row for row, value in modelled.items() if factor(value, measured[row]) > MOST]
    print(f"{len(ordered)} rows: median absolute error {median:.1%}, within {WITHIN:.0%}: {share:.0%}, "
          f"beyond a factor of {MOST:g}: {len(far)}, pairs in the other order: {len(pairs)}")
    bad = []
    if median > MEDIAN:
        bad.append(f"the median is above {MEDIAN:.0%}")
    if share < SHARE:
        bad.append(f"fewer than {SHARE:.0%} of the rows are within {WITHIN:.0%}")
    for row in far:
        if row not in GAPS:
            bad.append(f"{row} is off by a factor of {factor(modelled[row], measured[row]):.2f}")
    for row, (most, why) in GAPS.items():
        if row not in modelled:
            continue
        off = factor(modelled[row], measured[row])
        if off > most:
            bad.append(f"the gap {row} ({why}) has grown to a factor of {off:.2f}, known is {most:g}")
    for one, two in pairs:
        if one not in GAPS and two not in GAPS:
            bad.append(f"{one} and {two} are in the other order")
    return bad


def main():
    options = [word for word in sys.argv[1:] if word.startswith("--")]
    program, table, *rest = [word for word in sys.argv[1:] if not word.startswith("--")]
    run = subprocess.run([program, *(rest or ["quick"])], capture_output=True, text=True, env=os.environ, check=False)
    if run.returncode != 0:
        sys.exit(f"{program} ended with {run.returncode}: {run.stderr}")
    with open(table, encoding="utf-8") as file:
        measured = read(file)
    modelled = read(run.stdout.splitlines())
    unknown = [row for row in modelled if row not in measured]
    if not modelled or unknown:
        sys.exit(f"rows that the table does not have: {unknown}" if unknown else "no rows")
    print_table(modelled, measured, "--markdown" in options)
    bad = judge(modelled, measured)
    for line in bad:
        print(f"NOT MET: {line}")
    sys.exit(1 if bad and not options else 0)


if __name__ == "__main__":
    main()
