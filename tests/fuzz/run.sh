#!/bin/sh
# Fuzzes both readers with clang's libFuzzer, the address and the undefined-behaviour sanitizer on.
#
#   tests/fuzz/run.sh SECONDS [BUILD_FOLDER]
#
# Finds go to BUILD_FOLDER; the corpus beside this file is read, not written. Exit code 1 after a find.
set -eu
seconds=${1:?how many seconds for each reader?}
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
root=$(CDPATH='' cd "$here/../.." && pwd)
build=${2:-$root/.build/fuzz}
mkdir -p "$build"
cd "$build"
flags="-std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -I$root/src -I$root/.deps/usr/include ${FUZZ_FLAGS:-}"
objects=
for source in "$root"/src/ptx/*.cpp "$root"/src/base/*.cpp; do
  object=$(basename "$source" .cpp).o
  [ "$object" -nt "$source" ] || ${FUZZ_LAUNCHER:-} clang++ $flags -c "$source" -o "$object"
  objects="$objects $object"
done
status=0
for reader in ptx fatbin; do
  clang++ $flags -fsanitize=fuzzer "$here/${reader}_fuzzer.cpp" $objects -L"$root/.deps/usr/lib/x86_64-linux-gnu" -lfmt -lzstd -llz4 -o "${reader}_fuzzer"
  mkdir -p "found_$reader"
  "./${reader}_fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=20000 -close_fd_mask=1 \
    -print_final_stats=1 "found_$reader" "$here/corpus_$reader" 2>"$reader.log" || status=1
  grep -E 'stat::number_of_executed_units|SUMMARY|cov:' "$reader.log" | tail -n 3
done
exit $status
