#!/bin/sh
# Builds and runs the whole programs of this folder and of ../order/right on this machine's GPU, and compares what they
# print with the .expected beside each: the files that the simulated device is held to, unchanged.
#
#   on_a_gpu.sh OUTDIR
#
# OUTDIR gets programs.tsv (ok or FAIL, name, why) and the output of each program; exit code 1 after a failure.
# nvcc runs on all cores; a program already built in .build is taken as it is when the source is not newer.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:?the folder for the results}
mkdir -p "$out/bin"
out=$(cd "$out" && pwd)
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "no nvcc here: not run"; exit 77; }
library=$(dirname "$(ls /usr/local/cuda*/lib64/libcudart.so.13 /usr/local/cuda*/targets/*/lib/libcudart.so.13 2>/dev/null |
  head -n 1)")
LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH here root out

one() {   # FILE.cu: build it unless it is built, run it, compare
  name=$(basename "$1" .cu)
  folder=$(dirname "${1#"$root"/}")
  program=$root/.build/$folder/$name
  if ! [ -x "$program" ] || [ "$1" -nt "$program" ] || [ "$here/nvcc_options.txt" -nt "$program" ]; then
    program=$out/bin/$name
    # shellcheck disable=SC2046
    nvcc $(cat "$here/nvcc_options.txt") "$1" -o "$program" >"$out/$name.nvcc" 2>&1 || {
      printf 'FAIL\t%s\tnvcc: see %s.nvcc\n' "$name" "$name"; return; }
    [ -s "$out/$name.nvcc" ] || rm -f "$out/$name.nvcc"
  fi
  timeout 30 "$program" >"$out/$name.txt" 2>"$out/$name.err"
  code=$?
  [ -s "$out/$name.err" ] || rm -f "$out/$name.err"
  if [ $code != 0 ]; then printf 'FAIL\t%s\texit code %s\n' "$name" $code
  elif ! [ -e "${1%.cu}.expected" ]; then printf 'FAIL\t%s\tno .expected\n' "$name"
  elif ! cmp -s "$out/$name.txt" "${1%.cu}.expected"; then
    printf 'FAIL\t%s\t%s\n' "$name" "$(diff "${1%.cu}.expected" "$out/$name.txt" | sed -n '2,5p' | tr '\n\t' '| ')"
  else printf 'ok\t%s\t\n' "$name"; fi
}
if [ "$2" = --one ]; then one "$3"; exit 0; fi
{ nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; nvcc --version | sed -n 4p; date -u +%F; } \
  >"$out/machine.txt" 2>&1
find "$here" "$root/tests/order/right" -name '*.cu' 2>/dev/null | sort |
  xargs -P "$(nproc)" -I{} sh "$here/on_a_gpu.sh" "$out" --one {} | sort >"$out/programs.tsv"
rm -rf "$out/bin"
grep '^FAIL' "$out/programs.tsv"
echo "$(grep -c '^ok' "$out/programs.tsv") ok, $(grep -c '^FAIL' "$out/programs.tsv") failed"
! grep -q '^FAIL' "$out/programs.tsv" && [ -s "$out/programs.tsv" ]
