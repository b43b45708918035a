#!/usr/bin/env python3
"""The conformance suite: runs it on the simulated device.

    conformance.py run FOLDER CUDART_FOLDER [--plain]     every program in three orders of blocks and warps
    conformance.py names FOLDER                           whether each opcode that a program names has a row

FOLDER holds the built programs. --plain runs the handlers for processors without AVX2.
"""
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
SEEDS = ("0", "1", "2")
LEAST = 250  # behaviours


def programs(folder):
    found = sorted(p for p in pathlib.Path(folder).iterdir()
                   if p.is_file() and os.access(p, os.X_OK) and (HERE / f"{p.name}.cu").exists())
    expected = {p.stem for p in HERE.glob("*.cu")}
    missing = expected - {p.name for p in found}
    if missing:
        sys.exit(f"not built: {', '.join(sorted(missing))} in {folder}")
    return found


def run(folder, cudart, plain):
    def one(job):
        program, seed = job
        environment = {k: v for k, v in os.environ.items() if not k.startswith("WORKBOOK_")}
        environment.update(LD_LIBRARY_PATH=cudart, WORKBOOK_SEED=seed)
        if plain:
            environment["WORKBOOK_HANDLERS"] = "plain"
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=300)
        return program.name, seed, done

    jobs = [(p, s) for p in programs(folder) for s in (SEEDS[:1] if plain else SEEDS)]
    ok, failed, names = 0, 0, {}
    with ThreadPoolExecutor(max_workers=2) as pool:
        for name, seed, done in pool.map(one, jobs):
            lines = done.stdout.splitlines()
            good = [line for line in lines if line.startswith("ok ")]
            bad = [line for line in lines if line.startswith("FAIL ")]
            ran = sorted(line.split()[1].rstrip(":") for line in good + bad)
            names.setdefault(name, ran)
            ok += len(good)
            failed += len(bad)
            for line in bad:
                print(f"{name}, seed {seed}: {line[:300]}")
            if names[name] != ran or (done.returncode != 0) != bool(bad):
                failed += 1
                print(f"{name}, seed {seed}: exit code {done.returncode}, {len(ran)} behaviours\n{done.stderr[-600:]}")
    count = sum(len(n) for n in names.values())
    print(f"{count} behaviours, {ok} ok, {failed} failed")
    if count < LEAST:
        print(f"fewer than {LEAST} behaviours")
    return 1 if failed or count < LEAST else 0


def opcodes():
    text = (ROOT / "src/ptx/opcode.h").read_text()
    return re.findall(r'X\(\w+, "([\w.]+)", \d+, \d+, "', text)


def row_of(word, names):
    parts = word.split(".")
    for length in (3, 2, 1):
        name = ".".join(parts[:length])
        if name in names:
            return name
    return None


def unknown_words(folder):
    """What the programs say they show (`--list`: name, tab, opcodes) and no row of src/ptx/opcode.h is called."""
    names = set(opcodes())
    unknown, count = set(), 0
    for program in programs(folder):
        listing = subprocess.run([program, "--list"], capture_output=True, text=True, check=True)
        for line in listing.stdout.splitlines():
            count += 1
            unknown |= {word for word in line.partition("\t")[2].split() if row_of(word, names) is None}
    print(f"{count} behaviours" + (f"; no row in src/ptx/opcode.h for: {' '.join(sorted(unknown))}" if unknown else ""))
    return 1 if unknown or not count else 0


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "run":
        return run(arguments[1], arguments[2], "--plain" in arguments)
    if len(arguments) == 2 and arguments[0] == "names":
        return unknown_words(arguments[1])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
