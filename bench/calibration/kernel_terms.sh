#!/bin/sh
# kernel_terms.sh FOLDER: builds kernel_terms.cu for this machine's GPU and leaves its table in FOLDER.
set -eu
out=$1
here=$(dirname "$0")
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
work=$(mktemp -d)
"$nvcc" -std=c++17 -O2 -arch=sm_90 "$here/kernel_terms.cu" -o "$work/kernel_terms"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader >"$out/kernel_terms_gpu.txt" 2>&1 || true
timeout 80 "$work/kernel_terms" >"$out/kernel_terms.tsv" 2>"$out/kernel_terms.err" || echo "ended with $?" >>"$out/kernel_terms.err"
nvidia-smi --query-gpu=clocks.sm,temperature.gpu --format=csv,noheader >>"$out/kernel_terms_gpu.txt" 2>&1 || true
rm -rf "$work"
