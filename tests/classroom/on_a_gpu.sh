#!/usr/bin/env bash
# What of grading only a GPU can show, in one go: on_a_gpu.sh [FOLDER-FOR-RESULTS]
#
#   1. the hostile corpus on the GPU: nobody gets a point that is not earned, the honest ones between them pass
#   2. `calibrate`: whether every time bound lies between right and slow answers on this GPU
#   3. every solution and right answer of the timed exercises graded twice: passed both times
#
# Takes 15 to 25 minutes on an H200, after ./workbook has been built. Exit code 0: all as it should be.
set -u
root=$(cd -- "$(dirname -- "$0")/../.." && pwd -P)
out=${1:-$root/grades-gpu}
export WORKBOOK_ROOT=$root WORKBOOK_BUILD_DIR=${WORKBOOK_BUILD_DIR:-$root/.build}
grade=$WORKBOOK_BUILD_DIR/bin/workbook-grade
[ -x "$grade" ] || { echo "Build first: $root/workbook grade --help" >&2; exit 3; }
[ -e /dev/nvidiactl ] || { echo "There is no GPU here." >&2; exit 3; }
mkdir -p "$out"
nvidia-smi --query-gpu=name,uuid,driver_version --format=csv,noheader | tee "$out/gpu.txt"
bad=0
python3 "$root/tests/classroom/test_hostile.py" "$grade" --device gpu --jobs 4 --keep "$out/hostile" >"$out/hostile.txt" 2>&1 || bad=1
tail -n 3 "$out/hostile.txt"
"$grade" calibrate --device gpu --json >"$out/calibration.json" 2>"$out/calibration.err" || bad=1
python3 - "$out/calibration.json" <<'PY' || bad=1
import json, sys
rows = json.load(open(sys.argv[1]))["bounds"]
off = [r for r in rows if r["advice"] != "in order"]
print(len(rows), "bounds,", len(rows) - len(off), "in order")
for r in off:
    print(" ", r["exercise"], r["bound"], "now", r["now"], "right", r["right"], "slow", r["slow_least"], r["advice"])
PY
rm -rf "$out/class"
python3 - "$root" "$out/class" <<'PY'
import pathlib, sys, tomllib
root, top = map(pathlib.Path, sys.argv[1:])
for chapter in sorted((root / "chapters").glob("*/chapter.toml")):
    for exercise in tomllib.loads(chapter.read_text())["exercise"]:
        if not exercise.get("bounds"):
            continue
        path = f"{chapter.parent.name}/{exercise['stem']}"
        for answer in [root / "solutions" / f"{path}.cu", *sorted((root / "tests/exercises" / path / "right").glob("*.cu"))]:
            who = "solution" if "solutions" in answer.parts else answer.stem
            to = top / who / "work" / f"{path}.cu"
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(answer.read_text())
PY
for turn in 1 2; do
  "$grade" grade "$out/class" --class --device gpu --isolation auto --out "$out/turn-$turn" >"$out/turn-$turn.txt" 2>&1
  python3 - "$out/turn-$turn/grades.json" <<'PY' || bad=1
import json, sys
rows = [(s["name"], e["exercise"], e["status"], e.get("code", "")) for s in json.load(open(sys.argv[1]))["submissions"] for e in s["exercises"]]
rows = [r for r in rows if r[2] != "not handed in"]
wrong = [r for r in rows if r[2] != "passed"]
print(len(rows), "right answers,", len(wrong), "not passed", wrong)
sys.exit(bool(wrong))
PY
done
exit $bad
