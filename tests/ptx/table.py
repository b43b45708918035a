#!/usr/bin/env python3
"""The table of what the simulated device executes, made of the opcodes (src/ptx/opcode.h) and of the files here.

    table.py            whether docs/ptx-support.md agrees, and every opcode has its file and every file its place
    table.py --write    writes docs/ptx-support.md

A file says in `//! shows add sub` which opcodes it is about. One that is about none (a fault, a race, a counter, the
order of blocks) stands in a list of its own at the end.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCUMENT = ROOT / "docs" / "ptx-support.md"
LEAST = 250  # files
BY_THEMSELVES = ("fault", "race", "counter", "schedule")  # folders whose files need not be about an opcode
EXPECTATIONS = ("is", "holds", "near", "fault", "unsupported", "prints", "counter")
RECORDED = HERE / "h200.tsv"  # what on_a_gpu.sh wrote there
MACHINE = "an H200 (driver for CUDA 13.0, 2026-12-01)"

# What the state of an opcode's row adds to "supported".
NOTES = {
    "add": "also .cc", "sub": "also .cc", "mad": "also .cc, .hi.sat", "mad24": "also .hi.sat",
    "vabsdiff4": "the bytes in order; without .sat",
    "min": "two operands; .xorsign.abs of f16, bf16 and f32; .relu of s32 and s16x2",
    "max": "as min",
    "sin": "correctly rounded; a GPU's bits differ within the ISA's bound",
    "cos": "as sin", "lg2": "as sin", "ex2": "as sin", "tanh": "as sin", "rsqrt": "as sin",
    "rcp": "exact; .approx gives the exact result too", "sqrt": "as rcp", "div": "as rcp",
    "cvt": "8-bit floats with .satfinite; no floats of 6 and 4 bits, no .rs",
    "mov": "no 128-bit registers", "ld": "at most 32 bytes a lane", "st": "at most 32 bytes a lane",
    "atom": "vectors of f32, f16 and bf16; no 128 bits", "red": "as atom",
    "cp.async": "done at once; not .bulk", "mbarrier": "no transactions (.expect_tx, .complete_tx)",
    "membar": "orders accesses for the check of races", "fence": "as membar; .proxy and .mbarrier_init too",
    "call": "within one module", "bar": "and barrier.sync of any number", "barrier": "not .cluster",
    "mma": "m16n8k8/k16 f16 and bf16, m16n8k4/k8 tf32, m8n8k16, m16n8k16/k32/k64 of 8 and 4 bits, m8n8k4 f64; "
           "not m8n8k4 f16, .sp, .b1, 8-bit floats",
    "wmma": "every shape of f16, bf16, tf32, s8, u8, f64; not 4 bits and .b1",
    "ldmatrix": ".m8n8 .b16", "stmatrix": ".m8n8 .b16", "redux": "integers",
    "prefetch": "no effect", "prefetchu": "no effect", "applypriority": "no effect", "discard": "no effect", "createpolicy": "the policy has no effect", "pmevent": "no effect",
    "griddepcontrol": "no effect", "setmaxnreg": "no effect",
    "nanosleep": "the time that it names passes", "trap": "ends the kernel with an error", "brkpt": "as trap",
    "elect": "the lowest lane", "lop3": "also with a predicate",
}


def opcodes():
    text = (ROOT / "src/ptx/opcode.h").read_text()
    return re.findall(r'X\(\w+, "([\w.]+)", \d+, \d+, "(.*?)"\)', text)


class Case:
    """What a .ptx file says of itself."""

    def __init__(self, path):
        self.path = path
        self.name = path.relative_to(HERE).with_suffix("").as_posix()
        self.folder = path.parent.name
        text = path.read_text()
        self.sentence = " ".join(re.match(r"(?:// ?.*\n)*", text).group(0).split("//!")[0].replace("//", " ").split())
        said = [line.split(maxsplit=2)[1:] for line in text.splitlines() if line.startswith("//!")]
        self.directives = {words[0] for words in said if words}
        self.shows = [op for words in said if words[0] == "shows" for op in words[1].split()]
        self.code = "\n".join(line.split("//")[0] for line in text.splitlines())

    def has(self, opcode):
        return re.search(rf"(?:^|[\s;{{]){re.escape(opcode)}(?![\w])", self.code, re.M) is not None

    def link(self):
        return f"[{self.name}](../tests/ptx/{self.name}.ptx)"


def digest_of(text):
    """As case.cpp has it: comments and `shows` do not count."""
    digest = 0xcbf29ce484222325
    for line in text.split("\n")[:-1] if text.endswith("\n") else text.split("\n"):
        if line.startswith("//") and (not line.startswith("//!") or line.startswith("//! shows")):
            continue
        for byte in (line + "\n").encode():
            digest = (digest ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return f"{digest:#x}"


def on_a_gpu(cases):
    """A sentence: what the files that are as they were when they ran on the GPU did there."""
    count = {"passed": 0, "failed": 0, "simulated": 0}
    recorded = {}
    for line in RECORDED.read_text().splitlines():
        file, status, digest, _ = line.split("\t")
        recorded[file] = status, digest
    for case in cases:
        status, digest = recorded.get(f"{case.name}.ptx", ("", ""))
        if digest == digest_of(case.path.read_text()):
            count[status] += 1
    new = len(cases) - sum(count.values())
    return (f"On {MACHINE} {count['passed']} did what they say, {count['failed']} did not, {count['simulated']} expect what only "
            f"the simulated device shows (a race, an overrun, a counter, an opcode that is refused)"
            + (f"; {new} are newer than that run." if new else "."))


def problems(cases, names):
    if len(cases) < LEAST:
        yield f"{len(cases)} files, fewer than {LEAST}"
    shown = {op for case in cases for op in case.shows}
    for name in names:
        if name not in shown:
            yield f"no file in tests/ptx shows `{name}`"
    for case in cases:
        if not case.sentence:
            yield f"{case.name}: does not say what it is for, in a comment at its beginning"
        if not case.directives & set(EXPECTATIONS):
            yield f"{case.name}: expects nothing"
        if not case.shows and case.folder not in BY_THEMSELVES:
            yield f"{case.name}: shows no opcode"
        for op in case.shows:
            if op not in names:
                yield f"{case.name}: shows `{op}`, which is no row of src/ptx/opcode.h"
            elif not case.has(op):
                yield f"{case.name}: shows `{op}`, and has no such instruction"


def document(cases):
    lines = [
        "# What the simulated device executes",
        "",
        "One row for each opcode of PTX that the reader knows, with the small programs that show what it does: files in",
        f"`tests/ptx`, {len(cases)} of them, one behaviour each. The same file, with the same expectation, runs on the simulated",
        "device (in three orders of blocks and warps) and on a GPU (`tests/ptx/on_a_gpu.sh`).",
        on_a_gpu(cases),
        "The programs of `tests/conformance`, in CUDA C++, go through 773 more behaviours on both.",
        "",
        "An instruction or a form that is not supported stops its kernel before the start with",
        "`cudaErrorNotSupported` and a sentence that names the instruction, its PTX line and its source line; other",
        "kernels of the program run.",
        "",
        "This file is written by `tests/ptx/table.py --write`; a test compares the two.",
        "",
        "| opcode | state | what it does | tests |",
        "| --- | --- | --- | --- |",
    ]
    for name, sentence in opcodes():
        mine = [case for case in cases if name in case.shows]
        supported = any(case.folder != "unsupported" and "unsupported" not in case.directives for case in mine)
        note = NOTES.get(name, "")
        state = f"supported{'; ' + note if note else ''}" if supported else "not supported"
        links = ", ".join(case.link() for case in mine)
        lines.append(f"| `{name}` | {state} | {sentence.replace('|', chr(92) + '|')} | {links} |")
    lines += [
        "",
        "Not in the table, because the reader has no row for them and says so: textures and surfaces (`tex`, `suld`, ...),",
        "the video instructions but `vabsdiff4`, `wgmma`, `tcgen05`, `multimem`.",
        "",
        "## What belongs to no one opcode",
        "",
        "Faults and races that the device reports, counters, and the order in which blocks and warps come.",
        "",
        "| test | what it shows |",
        "| --- | --- |",
    ]
    lines += [f"| {case.link()} | {case.sentence} |" for case in cases if not case.shows]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--write"]):
        print(__doc__)
        return 2
    cases = [Case(path) for path in sorted(HERE.rglob("*.ptx"))]
    found = list(problems(cases, [name for name, _ in opcodes()]))
    if found:
        print("\n".join(found))
        return 1
    made = document(cases)
    if arguments:
        DOCUMENT.write_text(made)
    for target in re.findall(r"\]\(([^)]+)\)", made):
        if not (DOCUMENT.parent / target).exists():
            found.append(f"docs/ptx-support.md links to {target}, which is not there")
    if DOCUMENT.read_text() != made:
        found.append("docs/ptx-support.md does not agree with tests/ptx; write it anew with tests/ptx/table.py --write")
    print("\n".join(found) or f"{len(cases)} files; every opcode has its own, and every file its place")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
