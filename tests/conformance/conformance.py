#!/usr/bin/env python3
"""The conformance suite: runs it on the simulated device, and keeps the table of what is supported.

    conformance.py run FOLDER CUDART_FOLDER [--plain]     every program in three orders of blocks and warps
    conformance.py table FOLDER [--write]                 docs/ptx-support.md against the programs' own lists

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
TABLE = ROOT / "docs" / "ptx-support.md"
SEEDS = ("0", "1", "2")
LEAST = 250  # behaviours
ON_A_GPU = "On an H200 (driver 580, 2026-11-30) all 773 behaviours of that day passed."  # run_on_gpu.sh

# What the state of an opcode's row adds to "supported".
NOTES = {
    "add": "also .cc", "sub": "also .cc", "mad": "also .cc, .hi.sat",
    "vabsdiff4": "the bytes in order; without .sat",
    "min": "two operands; .xorsign.abs of f16, bf16 and f32", "max": "two operands; .xorsign.abs of f16, bf16 and f32",
    "sin": "correctly rounded; a GPU's bits differ within the ISA's bound",
    "cos": "as sin", "lg2": "as sin", "ex2": "as sin", "tanh": "as sin", "rsqrt": "as sin",
    "rcp": "exact; .approx gives the exact result too", "sqrt": "as rcp", "div": "as rcp",
    "cvt": "no 8-bit and 6-bit floats, no .rs",
    "mov": "no 128-bit registers", "ld": "at most 32 bytes a lane", "st": "at most 32 bytes a lane",
    "atom": "vectors of f32, f16 and bf16; no 128 bits", "red": "as atom",
    "cp.async": "done at once; not .bulk, not .mbarrier",
    "membar": "orders accesses for the check of races", "fence": "as membar; not .proxy, not .mbarrier_init",
    "call": "within one module", "bar": "and barrier.sync of any number", "barrier": "not .cluster",
    "mma": "m16n8k8/k16 f16 and bf16, m16n8k4/k8 tf32, m8n8k16, m16n8k16/k32/k64 of 8 and 4 bits, m8n8k4 f64; "
           "not m8n8k4 f16, .sp, .b1, 8-bit floats",
    "wmma": "every shape of f16, bf16, tf32, s8, u8, f64; not 4 bits and .b1",
    "ldmatrix": ".m8n8 .b16", "stmatrix": ".m8n8 .b16", "redux": "integers",
    "prefetch": "no effect", "prefetchu": "no effect", "applypriority": "no effect", "pmevent": "no effect",
    "griddepcontrol": "no effect", "setmaxnreg": "no effect",
    "nanosleep": "the time that it names passes", "trap": "ends the kernel with an error", "brkpt": "as trap",
    "elect": "the lowest lane", "fns": "", "lop3": "also with a predicate",
}


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
    return re.findall(r'X\(\w+, "([\w.]+)", \d+, \d+, "(.*?)"\)', text)


def row_of(word, names):
    parts = word.split(".")
    for length in (3, 2, 1):
        name = ".".join(parts[:length])
        if name in names:
            return name
    return None


def shown_by(folder):
    """Opcode -> names of its behaviours, and words that no row has."""
    names = {name for name, _ in opcodes()}
    rows, unknown, count = {}, set(), 0
    for program in programs(folder):
        listing = subprocess.run([program, "--list"], capture_output=True, text=True, check=True,
                                 env={**os.environ, "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")})
        for line in listing.stdout.splitlines():
            behaviour, _, words = line.partition("\t")
            count += 1
            for word in words.split():
                row = row_of(word, names)
                if row is None:
                    unknown.add(word)
                elif behaviour not in rows.setdefault(row, []):
                    rows[row].append(behaviour)
    return rows, unknown, count


def ptx_tests():
    """Opcode -> the .ptx of tests/ptx/unsupported or tests/ptx/hint that shows what becomes of it."""
    found = {}
    for folder in ("unsupported", "hint"):
        for path in sorted((ROOT / "tests/ptx" / folder).glob("*.ptx")):
            found[path.stem.replace("_", ".")] = (folder, path)
    return found


def table(folder):
    rows, unknown, count = shown_by(folder)
    if unknown:
        sys.exit(f"no row in src/ptx/opcode.h for: {' '.join(sorted(unknown))}")
    others = ptx_tests()
    lines = [
        "# What the simulated device executes",
        "",
        "One row for each opcode of PTX that the reader knows. *Shown by* names behaviours of the conformance suite",
        f"(`tests/conformance`, {count} behaviours: the same programs run on the simulated device and on a GPU), or a file in",
        f"`tests/ptx`. {ON_A_GPU}",
        "An instruction or a form that is not supported stops its kernel before the start with",
        "`cudaErrorNotSupported` and a sentence that names the instruction, its PTX line and its source line; other",
        "kernels of the program run.",
        "",
        "This file is written by `tests/conformance/conformance.py table FOLDER --write`; a test compares the two.",
        "",
        "| opcode | state | what it does | shown by |",
        "| --- | --- | --- | --- |",
    ]
    problems = []
    for name, sentence in opcodes():
        sentence = sentence.replace("|", "\\|")
        note = NOTES.get(name, "")
        if name in rows and not (name in others and others[name][0] == "unsupported"):
            names = rows[name]
            few = ", ".join(f"`{n}`" for n in names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
            lines.append(f"| `{name}` | supported{'; ' + note if note else ''} | {sentence} | {few} |")
        elif name in others:
            folder_name, path = others[name]
            state = "not supported" if folder_name == "unsupported" else f"supported; {note or 'no effect'}"
            lines.append(f"| `{name}` | {state} | {sentence} | `{path.relative_to(ROOT).as_posix()}` |")
        else:
            problems.append(name)
    if problems:
        sys.exit(f"neither a behaviour nor a file in tests/ptx shows: {' '.join(problems)}")
    lines += [
        "",
        "Not in the table, because the reader has no row for them and says so: textures and surfaces (`tex`, `suld`, ...),",
        "the video instructions but `vabsdiff4`, `wgmma`, `tcgen05`, `multimem`.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "run":
        return run(arguments[1], arguments[2], "--plain" in arguments)
    if len(arguments) >= 2 and arguments[0] == "table":
        made = table(arguments[1])
        if "--write" in arguments:
            TABLE.write_text(made)
            return 0
        if TABLE.exists() and TABLE.read_text() == made:
            print("docs/ptx-support.md agrees with the suite")
            return 0
        print("docs/ptx-support.md does not agree with the suite; write it anew with\n"
              f"  {pathlib.Path(__file__).relative_to(ROOT)} table {arguments[1]} --write")
        return 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
