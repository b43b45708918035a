#!/usr/bin/env python3
"""From the raw pages of several ncu runs one table: kernel, metric, one value a run.

    reduce.py FOLDER        reads FOLDER/raw-*.csv, writes FOLDER/counters.tsv
"""
import csv
import pathlib
import re
import sys


def read(path):
    """(kernel, metric) -> value of one run, in the order of the file."""
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.startswith('"')]
    rows = list(csv.reader(lines))
    if len(rows) < 3:
        return {}
    names, values = rows[0], {}
    for row in rows[2:]:  # rows[1] has the units
        kernel = re.search(r"(\w+)(<.*>)?(\(|$)", row[names.index("Kernel Name")]).group(1)
        for name, value in zip(names, row):
            if "__" in name and value != "":
                values[kernel, name] = value.replace(",", "")
    return values


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    folder = pathlib.Path(arguments[0])
    runs = [read(path) for path in sorted(folder.glob("raw-*.csv"))]
    if not runs or not all(runs):
        print("a run of ncu gave no table; see raw-*.csv and ncu-*.txt")
        return 1
    about = " · ".join((folder / "ncu.txt").read_text().split("\n")).strip(" ·")
    with open(folder / "counters.tsv", "w") as out:
        out.write(f"# {about}\n")
        for key in runs[0]:
            out.write("\t".join([*key, *(run.get(key, "") for run in runs)]) + "\n")
    kernels = {kernel for kernel, _ in runs[0]}
    differ = sum(1 for key in runs[0] if len({run.get(key) for run in runs}) > 1)
    print(f"{len(kernels)} kernels, {len(runs[0])} values, {differ} of them not the same in all runs")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
