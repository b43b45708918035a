#!/bin/sh
# Runs the .ptx files beside this script on this machine's GPU, the same files with the same expectations that the
# simulated device is held to.
#
#   tests/ptx/on_a_gpu.sh OUTPUT_FOLDER [NAME ...]
#
# Writes OUTPUT_FOLDER/ptx.tsv (file, passed/failed/simulated/not run, digest, detail) and OUTPUT_FOLDER/ptx.txt (the GPU, the
# counts, each failure). The first, put into tests/ptx/h200.tsv, is what the table of opcodes counts (table.py). Exit code 0 when nothing failed, 3 where there is no GPU. Needs a C++20 compiler, or the
# program already built in .build.
set -u
out=${1:?the folder for the results}
shift
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
program=$here/../../.build/tests/ptx/ptx_on_gpu
if [ ! -x "$program" ] || ! "$program" 2>&1 | grep -q '^ptx_on_gpu FOLDER'; then
  program=$out/ptx_on_gpu
  "${CXX:-c++}" -std=c++20 -O1 "$here/on_gpu.cpp" "$here/case.cpp" -o "$program" -ldl || exit 3
fi
"$program" "$here" "$@" >"$out/ptx.tsv" 2>"$out/ptx.txt"
code=$?
sort -o "$out/ptx.tsv" "$out/ptx.tsv"
grep -P '\t(failed|not run)\t' "$out/ptx.tsv" >>"$out/ptx.txt"
cat "$out/ptx.txt"
exit $code
