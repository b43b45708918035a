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
    tool = json.loads(pathlib.Path(arguments.build, "workbook_toolchain.json").read_text())
    exercise = next((e for e in tool["exercises"] if e["id"] == arguments.exercise), None)
    if exercise is None:
        sys.exit(f"no exercise {arguments.exercise}; there are {', '.join(e['id'] for e in tool['exercises'])}")
    chapter = pathlib.Path(tool["source_dir"], "chapters", exercise["chapter"])
    manifest = tomllib.loads((chapter / "chapter.toml").read_text())
    build = next(e for e in manifest["exercise"] if e["id"] == arguments.exercise).get("build", {})
    flags = list(tool["nvcc_flags"])
    if not build.get("machine_code", True):
        at = flags.index("-gencode")
        flags[at + 1] = "arch=compute_75,code=compute_75"

    def run(command, **options):
        if arguments.verbose:
            print("+", " ".join(command), file=sys.stderr)
        return subprocess.run(command, **options)

    with tempfile.TemporaryDirectory() as folder:
        objects = []
        includes = [f"-I{d}" for d in tool["include_dirs"]]
        given = [str(chapter / name) for name in build.get("given", []) if name.endswith(".cu")]
        for number, name in enumerate([*arguments.files, *given]):
            target = f"{folder}/learner{number}.o"
            if run([tool["nvcc"], *flags, *includes, "-c", name, "-o", target]).returncode != 0:
                sys.exit("did not compile")
            objects.append(target)
        runner = arguments.keep or f"{folder}/runner"
        link = [tool["cxx"], *objects, exercise["driver"], *tool["link_libraries"], *exercise["extra_libraries"],
                tool["cudart_to_link"], *tool["link_options"], *tool["system_libraries"], "-o", runner]
        if run(link).returncode != 0:
            sys.exit("did not link")
        record = f"{folder}/record.jsonl"
        library = tool["simulated_cudart_dir"] if arguments.device == "simulated" else tool["real_cudart_dir"]
        command = [exercise["judge"], "--runner", runner, "--device", arguments.device, "--profile", arguments.profile,
                   "--record", record, "--seed", arguments.seed, "--cudart-dir", library,
                   "--chapter", f"{tool['source_dir']}/chapters/{exercise['chapter']}/chapter.toml"]
        if tool.get("nvtx_library"):
            command += ["--nvtx-library", tool["nvtx_library"]]
        if tool.get("cupti_library") and arguments.device == "gpu":
            command += ["--cupti-library", tool["cupti_library"]]
        for name in arguments.files:
            command += ["--learner-file", name]
        judged = run(command + judge_flags, capture_output=not arguments.verbose, text=True)
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
