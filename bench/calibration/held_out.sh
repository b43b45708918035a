#!/bin/sh
# held_out.sh FOLDER: builds held_out.cu for this machine's GPU and leaves its table in FOLDER.
set -eu
out=$1
here=$(dirname "$0")
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
work=$(mktemp -d)
"$nvcc" -std=c++17 -O2 -arch=sm_90 "$here/held_out.cu" -o "$work/held_out"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$out/held_out_gpu.txt" 2>&1 || true
timeout 60 "$work/held_out" >"$out/held_out.tsv" 2>"$out/held_out.err" || echo "ended with $?" >>"$out/held_out.err"
rm -rf "$work"
