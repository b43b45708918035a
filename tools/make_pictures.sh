#!/usr/bin/env bash
# The README's two terminal pictures, from real checks of 2.1: an answer without a guard, then the solution. They are
# made in a copy, so nobody's work/ is touched. With --check they are made elsewhere, and the script fails when the ones in docs/
# are not what the checks print now.
set -eu
root=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
export WORKBOOK_BUILD_DIR=${WORKBOOK_BUILD_DIR:-$root/.build}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
pictures=$root/docs
if [ "${1:-}" = --check ]; then
  pictures=$copy/pictures
  mkdir "$pictures"
fi
cp -a "$root"/{chapters,solutions,tests,include,cmake,src,kernels,tools,CMakeLists.txt,workbook} "$copy"
cd "$copy"
program=$WORKBOOK_BUILD_DIR/bin/workbook-cli
export WORKBOOK_ROOT=$copy WORKBOOK_CALLED_AS=./workbook
printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >workbook
chapter=02_grids_blocks_threads name=01_one_thread_per_element.cu
"$program" list >/dev/null
mkdir -p "work/.base" "work/$chapter"
sed '/^\/\/ \(wrong\|verdict\|code\|message\|seen\):/d' "tests/exercises/$chapter/${name%.cu}/wrong/no_guard.cu" >"work/$chapter/$name"
python3 tools/terminal_picture.py "$pictures/check-failing.svg" "A check that fails: thread, line and the element past the end" -- ./workbook check 2.1
cp "solutions/$chapter/$name" "work/$chapter/$name"
python3 tools/terminal_picture.py "$pictures/check-passing.svg" "A check that passes: the sizes tried and the modelled time" -- ./workbook check 2.1
stale=0
for picture in check-failing.svg check-passing.svg; do
  if ! cmp -s "$pictures/$picture" "$root/docs/$picture"; then
    echo "docs/$picture is not what the check prints now: tools/make_pictures.sh" >&2
    stale=1
  fi
done
exit "$stale"
