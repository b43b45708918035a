#!/bin/sh
# Runs the conformance programs of a folder on this machine's GPU: the files that the simulated device ran, unchanged.
#
#   run_on_gpu.sh FOLDER [OUTPUT_FOLDER]
#
# Prints each failure, then `N ok, M failed`; exit code 1 when something failed. The programs run side by side.
folder=$1
out=${2:-$folder/gpu}
mkdir -p "$out"
library=$(dirname "$(ls /usr/local/cuda*/lib64/libcudart.so.13 /usr/local/cuda*/targets/*/lib/libcudart.so.13 2>/dev/null | head -n 1)")
LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
for program in "$folder"/*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  case $program in *.sh) continue ;; esac
  name=$(basename "$program")
  timeout 120 "$program" >"$out/$name.txt" 2>"$out/$name.err" || echo "$name: exit code $?" >>"$out/$name.err" &
done
wait
grep -h '^FAIL' "$out"/*.txt
ok=$(cat "$out"/*.txt | grep -c '^ok ')
failed=$(cat "$out"/*.txt | grep -c '^FAIL ')
broken=$(cat "$out"/*.err | grep -c 'exit code')
echo "$ok ok, $failed failed"
[ "$failed" = 0 ] && [ "$ok" != 0 ] && [ "$broken" = 0 ]
