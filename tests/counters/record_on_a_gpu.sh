#!/bin/sh
# Records with Nsight Compute what each kernel of kernels.cu does on this machine's GPU.
#
#   record_on_a_gpu.sh OUTDIR
#
# Needs nvcc, ncu (with the right to read counters) and python3. Three runs, each in its own process; OUTDIR gets
# raw-1.csv to raw-3.csv and, from them, counters.tsv (reduce.py). Clocks stay as they are.
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?the folder for the results}
mkdir -p "$out"
PATH=$PATH:/usr/local/cuda/bin
ncu=$(command -v ncu || ls -d /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -n 1)
[ -n "$ncu" ] || { echo "no ncu here: not run"; exit 77; }
"$ncu" --version | tail -n 1 >"$out/ncu.txt"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >>"$out/ncu.txt"
date -u +%F >>"$out/ncu.txt"

program=$out/kernels
nvcc $(cat "$here/nvcc_options.txt") "$here/kernels.cu" -o "$program" 2>"$out/nvcc.txt" || { cat "$out/nvcc.txt"; exit 1; }
library=$(dirname "$(ls /usr/local/cuda*/lib64/libcudart.so.13 /usr/local/cuda*/targets/*/lib/libcudart.so.13 2>/dev/null | head -n 1)")
LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
timeout 20 "$program" >"$out/plain.txt" 2>&1 || { cat "$out/plain.txt"; exit 1; }

# Only what this ncu knows: one unknown name would cost the whole run.
"$ncu" --query-metrics --chip gh100 2>/dev/null | awk '{print $1}' >"$out/known.txt"
metrics=$(sed 's/#.*//' "$here/metrics.txt" | awk 'NF' | while read -r metric; do
  if grep -qx "${metric%%.*}" "$out/known.txt" || ! [ -s "$out/known.txt" ]; then echo "$metric"; else echo "$metric" >>"$out/unknown.txt"; fi
done | paste -sd, -)
for run in 1 2 3; do
  timeout 40 "$ncu" --clock-control none --csv --page raw --print-units base --print-kernel-base function --section LaunchStats --section Occupancy \
    --metrics "$metrics" --log-file "$out/raw-$run.csv" "$program" >"$out/program-$run.txt" 2>"$out/ncu-$run.txt" ||
    { echo "ncu, run $run: exit code $?"; tail -n 5 "$out/raw-$run.csv" "$out/ncu-$run.txt"; }
done
rm -f "$program" "$out/known.txt"
python3 "$here/reduce.py" "$out"
