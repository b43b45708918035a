#!/usr/bin/env bash
# Makes site/requirements*.txt anew from the .in files. Run it after changing one of them, then build and test the book.
set -eu
cd "$(dirname "$0")"
lock=$(mktemp -d)
trap 'rm -rf "$lock"' EXIT
python3 -m venv "$lock"
"$lock/bin/pip" install --quiet --disable-pip-version-check uv
for name in requirements requirements-tests; do
  "$lock/bin/uv" pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-emit-index-url \
    --custom-compile-command site/lock.sh "$name.in" -o "$name.txt"
done
