#!/usr/bin/env python3
"""Starts children of causes and large, each with its own environment, and prints what each cause takes.

    table.py FOLDER [--children 5] [--json FILE] [--library DIR] [--beside FILE]

FOLDER holds the programs causes, causes_text (PTX alone), and any number of large_STEPS (PTX alone); how they are built
stands in their first lines. --library puts a folder first on the way to libcudart (the simulated one's, or NVIDIA's).
Each figure is the median over the children, in microseconds; a cache that shall be empty is a new folder.
--beside takes the --json of another device (the H200's is kept in h200.json) and prints README.md's table: each cause
there, here, and here over there.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile


def child(arguments, environment):
    """One process; its lines as a dictionary. What is no number stays a text."""
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=120)
    out = {}
    for line in done.stdout.splitlines():
        name, value = line.split(maxsplit=1)
        try:
            out[name] = float(value)
        except ValueError:
            out[name] = value
    if done.returncode != 0 or not out:
        sys.exit(f"{arguments} ended with {done.returncode}: {done.stderr[-500:]}")
    return out


def median(rows):
    out = {}
    for name in rows[0]:
        values = [row[name] for row in rows if name in row]
        out[name] = statistics.median(values) if all(isinstance(v, float) for v in values) else values[0]
    return out


def listing(folder):
    return sorted((str(p.relative_to(folder)), p.stat().st_size, p.stat().st_mtime_ns)
                  for p in pathlib.Path(folder).rglob("*") if p.is_file())


class Table:
    def __init__(self, options):
        self.options = options
        self.base = {k: v for k, v in os.environ.items() if not k.startswith("CUDA_")}
        self.base["WORKBOOK_QUIET"] = "1"
        if options.library:
            self.base["LD_LIBRARY_PATH"] = options.library + ":" + self.base.get("LD_LIBRARY_PATH", "")
        self.out = {}

    def run(self, title, program, mode=None, count=None, **variables):
        arguments = [str(pathlib.Path(self.options.folder, program))] + ([mode] if mode else [])
        rows = [child(arguments, {**self.base, **variables}) for _ in range(count or self.options.children)]
        self.out[title] = median(rows)
        return self.out[title]

    def causes(self):
        for name, variables in {
                "lazy": {"CUDA_MODULE_LOADING": "LAZY"},
                "eager": {"CUDA_MODULE_LOADING": "EAGER"}}.items():
            for mode in ("plain", "preload", "data"):
                self.run(f"{mode}, {name}", "causes", mode, **variables)
        self.run("data, lazy code and eager data", "causes", "data", CUDA_MODULE_LOADING="LAZY",
                 CUDA_MODULE_DATA_LOADING="EAGER")

    def jit(self, program, mode=None):
        notes = []
        with tempfile.TemporaryDirectory() as folder:
            for title, count, variables in (
                    ("cold", 1, {}), ("cached", 3, {}), ("cache off", 1, {"CUDA_CACHE_DISABLE": "1"}),
                    ("forced", 1, {"CUDA_FORCE_PTX_JIT": "1"}), ("cached, eager", 1, {"CUDA_MODULE_LOADING": "EAGER"})):
                before = listing(folder)
                self.run(f"{program}, {title}", program, mode, count, CUDA_CACHE_PATH=folder, **variables)
                after = listing(folder)
                notes.append(f"  {title}: new {[f for f in after if f[0] not in [b[0] for b in before]]}, "
                             f"changed {[f for f in after if f not in before and f[0] in [b[0] for b in before]]}")
        with tempfile.TemporaryDirectory() as folder:
            self.run(f"{program}, forced with an empty cache", program, mode, 1, CUDA_CACHE_PATH=folder,
                     CUDA_FORCE_PTX_JIT="1")
            notes.append(f"  forced with an empty cache: {listing(folder)}")
            self.run(f"{program}, JIT forbidden", program, mode, 1, CUDA_CACHE_PATH=folder, CUDA_DISABLE_PTX_JIT="1")
        print(f"cache of {program}:", *notes, sep="\n")

    def show(self):
        for title, values in self.out.items():
            print(title)
            for name, value in values.items():
                print(f"  {name:<24} {value:>14,.1f}" if isinstance(value, float) else f"  {name:<24} {value:>14}")


# The causes of README.md: a title, and where its figure stands.
CAUSES = [
    ("the driver starts", "plain, lazy", "driver"),
    ("... eager", "plain, eager", "driver"),
    ("a context is made", "plain, lazy", "context"),
    ("... eager", "plain, eager", "context"),
    ("the first `cudaMalloc`", "plain, lazy", "first_malloc"),
    ("the first launch, lazy: module, kernel, first of all", "plain, lazy", "first_launch"),
    ("... eager", "plain, eager", "first_launch"),
    ("... lazy, loaded before by asking", "preload, lazy", "first_launch"),
    ("the first launch again", "plain, lazy", "first_launch_again"),
    ("another kernel of the module, lazy", "plain, lazy", "second_kernel"),
    ("... eager", "plain, eager", "second_kernel"),
    ("a kernel of another module, lazy", "plain, lazy", "other_module"),
    ("... eager", "plain, eager", "other_module"),
    ("loading without a launch, first module", "preload, lazy", "load_first"),
    ("... its second kernel", "preload, lazy", "load_second"),
    ("... another module", "preload, lazy", "load_other"),
    ("a module of data alone, 16 MiB, lazy", "plain, lazy", "lone_data"),
    ("... eager", "plain, eager", "lone_data"),
    ("a module with 64 MiB of data and a kernel, lazy", "data, lazy", "load_reader"),
    ("... eager", "data, eager", "load_reader"),
] + [(f"{what}: {how}", f"{program}, {title}", "first_launch")
     for program, what in (("causes_text", "text of two small kernels"), ("large_4", "44 kB of text"),
                           ("large_16", "126 kB of text"), ("large_40", "322 kB of text"))
     for title, how in (("cold", "compiled and stored"), ("cached", "from the cache"),
                        ("cache off", "compiled, cache off"), ("forced", "compiled, forced"),
                        ("cached, eager", "from the cache, loaded with the context"))]


def beside(there, here):
    print("| cause | there, us | here, us | here / there |\n|---|---|---|---|")
    for title, row, name in CAUSES:
        if row in there and row in here:
            a, b = there[row][name], here[row][name]
            print(f"| {title} | {a:,.1f} | {b:,.1f} | {b / a:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--children", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--library")
    parser.add_argument("--beside", type=pathlib.Path)
    options = parser.parse_args()
    table = Table(options)
    table.causes()
    table.jit("causes_text", "jit")
    for program in sorted(pathlib.Path(options.folder).glob("large_*")):
        table.jit(program.name)
    if options.beside:
        beside(json.loads(options.beside.read_text(encoding="utf-8")), table.out)
    else:
        table.show()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(table.out, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
