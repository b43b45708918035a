"""A workbook in a temporary folder whose compiler, linker and judges only pretend.

A learner's file is compiled when it does not hold the word SYNTAX, and linked when it does not hold UNDEFINED. The
judge does what the file's lines "// judge: ..." say: `passed`, `wrong CODE HEADLINE`, `slow`, `not_run WHY`,
`no_end`, `nothing`, `hang`, `crash`.
"""
import json
import os
import pathlib
import subprocess
import tempfile

NVCC = """#!/bin/sh
if [ "$1" = --version ]; then echo 'Cuda compilation tools, release 13.0, V13.0.88'; exit 0; fi
file=$2; out=$4
echo "$file" >> "$0.log"
if grep -q SLOW_COMPILE "$file"; then sleep 30; fi
if line=$(grep -n SYNTAX "$file"); then
  echo "/usr/include/deep.h(3): error: deep inside"
  echo "$file(${line%%:*}): error: expected a ;"
  echo "1 error detected in the compilation of \\"$file\\"."
  exit 2
fi
cp "$file" "$out"
"""
LINKER = """#!/bin/sh
out=$2
if grep -q UNDEFINED "$3"; then echo "driver.cpp: undefined reference to \\`saxpy(int, float)'"; exit 1; fi
cp "$3" "$out"
"""
JUDGE = '''#!/usr/bin/env python3
import json, os, re, signal, sys, time
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
text = open(options["--runner"]).read()
words = re.search(r"// judge: (.*)", text).group(1).split()
with open(options["--record"], "w") as record:
    def line(**fields):
        record.write(json.dumps(fields) + "\\n")
        record.flush()
    if words[0] != "nothing":
        line(event="start", schema="workbook-record/1", exercise=EXERCISE, device=options["--device"],
             device_name="pretended", profile=options["--profile"], seed=int(os.environ["WORKBOOK_JUDGE_SEED"]), planned=["every_size"])
    case = {"name": "every_size", "outcome": "passed", "asked": "y = x", "passed_text": "right for 14 sizes"}
    print("the judge speaks")
    if words[0] == "wrong":
        case["outcome"] = "wrong"
        case["failure"] = {"outcome": "wrong", "kind": "values", "code": words[1], "headline": " ".join(words[2:]),
                           "evidence": ["got 1, expected 2"],
                           "places": [{"file": options["--learner-file"], "line": 1, "column": 1, "note": "here"}],
                           "question": "Why?"}
    if words[0] == "slow":
        case["outcome"] = "too_slow"
        case["bounds"] = [{"name": "roof", "now_us": 300, "limit_us": 100, "reference_us": 60, "rule": "2 x copy",
                           "modelled": True, "device": "h200@1", "noise": 0, "met": False}]
        case["failure"] = {"outcome": "too_slow", "kind": "time", "code": "bound.roof", "headline": "It takes 3 times the bound."}
    if words[0] == "timed":  # so many times the baseline, and 2.5 are allowed
        now = 100 * float(words[1])
        case["bounds"] = [{"name": "roof", "now_us": now, "limit_us": 250, "reference_us": 160, "rule": "2.5 x copy",
                           "modelled": True, "device": "h200@1", "noise": 0, "met": now <= 250}]
        if now > 250:
            case["outcome"] = "too_slow"
            case["failure"] = {"outcome": "too_slow", "kind": "time", "code": "bound.roof", "headline": "It takes too long."}
    if words[0] == "not_run":
        case["outcome"], case["why"] = "not_run", " ".join(words[1:])
    if words[0] == "hang":
        time.sleep(1000)
    if words[0] == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if words[0] != "nothing":
        line(event="case", **case)
        if words[0] != "no_end":
            line(event="end")
'''
CHAPTER = """number = 1
title = "Pretended"
[[exercise]]
id = "1.1"
stem = "01_first"
title = "The first"
asked = "y = x"
hints = ["Look.", "Think.", "Nearly."]
time_limit = 3
[[exercise]]
id = "1.2"
stem = "02_second"
title = "The second"
asked = "z = x"
hints = ["Only one."]
time_limit = 3
"""
FIRST = "__global__ void first();  // TODO\n// judge: wrong pattern.tail The first is wrong.\n"


class FakeWorkbook:
    def __init__(self, cli):
        self.folder = tempfile.TemporaryDirectory(prefix="workbook 시험 ")
        self.root = pathlib.Path(self.folder.name)
        self.build = self.root / ".build"
        self.cli = cli
        self.write("chapters/01_pretend/chapter.toml", CHAPTER)
        for stem in ("01_first", "02_second"):
            self.write(f"chapters/01_pretend/{stem}.cu", FIRST)
            self.write(f"solutions/01_pretend/{stem}.cu", "// judge: passed\nsolution\n")
        self.write("CMakeLists.txt", "")
        self.program("nvcc", NVCC)
        self.program("linker", LINKER)
        exercises = []
        for number, stem in enumerate(("01_first", "02_second"), 1):
            self.program(f"check_{stem}", JUDGE.replace("EXERCISE", repr(f"1.{number}")))
            self.write(f".build/{stem}.driver.o", "driver")
            exercises.append({"id": f"1.{number}", "chapter": "01_pretend", "stem": stem, "judge": f"{self.build}/check_{stem}",
                              "driver": f"{self.build}/{stem}.driver.o", "extra_libraries": []})
        self.write(".build/workbook_toolchain.json", json.dumps({
            "schema": "workbook-toolchain/1", "source_dir": str(self.root), "nvcc": f"{self.build}/nvcc",
            "cxx": f"{self.build}/linker", "nvcc_flags": ["-O2"], "include_dirs": [f"{self.root}/include"], "link_options": [],
            "link_libraries": [], "cudart_to_link": "cudart", "real_cudart_dir": "/none", "cuda_include": "/none",
            "simulated_cudart_dir": f"{self.build}/simulated", "system_libraries": [], "exercises": exercises}))

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self, path):
        return (self.root / path).read_text()

    def program(self, name, text):
        self.write(f".build/{name}", text)
        os.chmod(self.build / name, 0o755)

    def environment(self):
        return {**os.environ, "WORKBOOK_ROOT": str(self.root), "WORKBOOK_BUILD_DIR": str(self.build),
                "WORKBOOK_CALLED_AS": "./workbook"}

    def run(self, *arguments, **more):
        return subprocess.run([self.cli, *arguments], env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, cwd=self.root, timeout=60, **more)

    def compiled(self):
        log = self.build / "nvcc.log"
        return log.read_text().splitlines() if log.exists() else []
