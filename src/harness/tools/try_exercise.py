#!/usr/bin/env python3
"""Compiles FILE.cu as an exercise is compiled, links a runner, runs the judge, and prints the record.

    try_exercise.py BUILD_DIR 2.1 FILE.cu [MORE.cu ...] [--device simulated|gpu] [--seed N] [-v] [-- judge flags]

For authors, while they write a check; ./workbook verify does the same for all exercises.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib


class Exercise:
    """An exercise of a build folder: how an answer to it is built and judged."""

    def __init__(self, build, name, verbose=False):
        self.tool = tool = json.loads(pathlib.Path(build, "workbook_toolchain.json").read_text())
        self.verbose = verbose
        self.entry = next((e for e in tool["exercises"] if e["id"] == name), None)
        if self.entry is None:
            sys.exit(f"no exercise {name}; there are {', '.join(e['id'] for e in tool['exercises'])}")
        self.chapter = pathlib.Path(tool["source_dir"], "chapters", self.entry["chapter"])
        manifest = tomllib.loads((self.chapter / "chapter.toml").read_text())
        self.settings = next(e for e in manifest["exercise"] if e["id"] == name).get("build", {})

    def run(self, command, **options):
        if self.verbose:
            print("+", " ".join(command), file=sys.stderr)
        return subprocess.run(command, **options)

    def build(self, files, runner, folder):
        """Compiles and links; says why not, or nothing."""
        tool, flags, objects = self.tool, list(self.tool["nvcc_flags"]), []
        if not self.settings.get("machine_code", True):
            flags[flags.index("-gencode") + 1] = "arch=compute_75,code=compute_75"
        includes = [f"-I{d}" for d in tool["include_dirs"]]
        given = [str(self.chapter / name) for name in self.settings.get("given", []) if name.endswith(".cu")]
        for number, name in enumerate([*files, *given]):
            target = f"{folder}/learner{number}.o"
            if self.run([tool["nvcc"], *flags, *includes, "-c", name, "-o", target]).returncode != 0:
                return "did not compile"
            objects.append(target)
        link = [tool["cxx"], *objects, self.entry["driver"], *tool["link_libraries"], *self.entry["extra_libraries"],
                tool["cudart_to_link"], *tool["link_options"], *tool["system_libraries"], "-o", runner]
        return None if self.run(link).returncode == 0 else "did not link"

    def judge_command(self, files, runner, record, device="simulated", profile="h200@1", seed="1"):
        tool = self.tool
        library = tool["simulated_cudart_dir"] if device == "simulated" else tool["real_cudart_dir"]
        command = [self.entry["judge"], "--runner", runner, "--device", device, "--profile", profile, "--record", record,
                   "--seed", seed, "--cudart-dir", library, "--chapter", str(self.chapter / "chapter.toml")]
        if tool.get("nvtx_library"):
            command += ["--nvtx-library", tool["nvtx_library"]]
        if tool.get("cupti_library") and device == "gpu":
            command += ["--cupti-library", tool["cupti_library"]]
        for name in files:
            command += ["--learner-file", name]
        return command


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("exercise")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--device", default="simulated", choices=["simulated", "gpu"])
    parser.add_argument("--profile", default="h200@1")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", help="leave the runner at this path")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the judge's own output and the commands")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments, judge_flags = parser.parse_args(words[:end]), words[end + 1:]
    exercise = Exercise(arguments.build, arguments.exercise, arguments.verbose)
    with tempfile.TemporaryDirectory() as folder:
        runner, record = arguments.keep or f"{folder}/runner", f"{folder}/record.jsonl"
        trouble = exercise.build(arguments.files, runner, folder)
        if trouble:
            sys.exit(trouble)
        command = exercise.judge_command(arguments.files, runner, record, arguments.device, arguments.profile, arguments.seed)
        judged = exercise.run(command + judge_flags, capture_output=not arguments.verbose, text=True)
        show(record, judged)


def show(record, judged):
    try:
        lines = [json.loads(line) for line in open(record, encoding="utf-8")]
    except OSError:
        sys.exit(f"the judge wrote no record (exit status {judged.returncode})\n{judged.stderr or ''}")
    for line in lines:
        if line.get("event") != "case":
            continue
        print(f"{line['outcome']:12} {line['name']}  {line.get('passed_text', '')}  [{line.get('wall_ms', 0)} ms]")
        if line.get("why"):
            print("   why:", line["why"])
        for bound in line.get("bounds", []):
            print("   bound: {name}: now {now_us:.2f} us, limit {limit_us:.2f} us ({rule}), noise {noise:.3f}".format(**bound))
        failure = line.get("failure")
        if failure:
            print(f"   {failure['headline']}   [{failure['kind']} / {failure['code']}]")
            for text in failure["evidence"]:
                print("     ", text)
            for place in failure["places"]:
                print("      {file}:{line}:{column}  {note}".format(**place))
            print("      ->", failure["question"])
        if failure and line.get("learner_output"):
            print("   printed:", line["learner_output"][:400])
    if not any(line.get("event") == "end" for line in lines):
        print(f"the judge ended early (exit status {judged.returncode})")
        print(judged.stderr or "")


if __name__ == "__main__":
    main()
