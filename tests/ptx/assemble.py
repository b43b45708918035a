#!/usr/bin/env python3
"""Whether NVIDIA's own assembler takes every .ptx file of this folder, for the H200 (sm_90).

    assemble.py NVCC      the path of nvcc; ptxas lies beside it

A file whose target ends in `a` (sm_90a) is assembled for that. Exit code 1 when a file is refused.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent


def architecture(text):
    target = re.search(r"^\.target\s+sm_(\d+)(a?)", text, re.M)
    if not target:
        return None
    return f"sm_{target.group(1)}a" if target.group(2) else "sm_90"


def refusal(ptxas, path):
    """What ptxas says against the file, or an empty text."""
    arch = architecture(path.read_text())
    if arch is None:
        return "no .target sm_NN"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ptxas, f"-arch={arch}", str(path), "-o", os.path.join(folder, "x.cubin")],
                              capture_output=True, text=True, timeout=120)
    return "" if done.returncode == 0 else done.stdout + done.stderr or f"exit code {done.returncode}"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    ptxas = pathlib.Path(arguments[0]).resolve().parent / "ptxas"
    if not ptxas.exists():
        print(f"no ptxas beside {arguments[0]}")
        return 2
    files = sorted(HERE.rglob("*.ptx"))
    with ThreadPoolExecutor(max_workers=2) as pool:
        said = list(pool.map(lambda path: refusal(ptxas, path), files))
    refused = [(path, text) for path, text in zip(files, said) if text]
    for path, text in refused:
        print(f"{path.relative_to(HERE)}: {text.strip()}")
    print(f"{len(files) - len(refused)} of {len(files)} files assemble")
    return 1 if refused or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
