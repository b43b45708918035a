#!/usr/bin/env bash
# Makes the zip to upload to Gradescope: make_zip.sh autograder.zip [SEED-FILE]
# It holds the workbook with its solutions: Gradescope shows it to no student, and learners' programs do not see it.
set -eu
[ $# -ge 1 ] || { echo "make_zip.sh autograder.zip [SEED-FILE]" >&2; exit 2; }
here=$(cd -- "$(dirname -- "$0")" && pwd -P)
root=$(cd -- "$here/../.." && pwd -P)
zip=$(readlink -f -- "$1")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/workbook"
if git -C "$root" rev-parse --git-dir >/dev/null 2>&1; then git -C "$root" ls-files -z
else cd "$root" && find . -type f -not -path './.*' -not -path './work/*' -print0; fi |
  tar -C "$root" --null -T - -cf - | tar -C "$stage/workbook" -xf -
cp "$here/setup.sh" "$here/run_autograder" "$stage/"
chmod +x "$stage/setup.sh" "$stage/run_autograder"
[ -z "${2:-}" ] || cp -- "$2" "$stage/seed"
rm -f -- "$zip"
cd "$stage" && python3 -m zipfile -c "$zip" setup.sh run_autograder workbook $([ -f seed ] && echo seed)
echo "$zip"
