#!/usr/bin/env python3
"""The simulated device's counters against those that Nsight Compute recorded on a GPU (recorded.tsv).

    counters_test.py PROGRAM WORKBOOK_CLI FOLDER

PROGRAM is kernels.cu, built. What is exact is compared digit for digit; a value that was not the same in all runs of ncu
is left out and said so. What is estimated is only shown. Without a recording the test is not run (exit code 77).
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.tsv"
LEAST = 20  # kernels

EXACT = [
    "launch__grid_size", "launch__block_size", "launch__thread_count", "launch__registers_per_thread",
    "launch__shared_mem_per_block_static", "launch__shared_mem_per_block_dynamic",
    "launch__occupancy_limit_blocks", "launch__occupancy_limit_warps", "launch__occupancy_limit_registers",
    "smsp__warps_launched.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
]
# Where the machine code is not what the PTX says: ptxas reads four neighbouring words of shared memory at once here.
OTHER_CODE = {("multiply_tiled", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
              ("reduce_shuffle", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")}
ESTIMATED = ["smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "lts__t_sectors_op_read.sum",
             "lts__t_sectors_op_write.sum", "dram__sectors_read.sum"]


def recorded():
    """(kernel, metric) -> value of each run of ncu."""
    values = {}
    for line in RECORDED.read_text().splitlines():
        if line and not line.startswith("#"):
            kernel, metric, *runs = line.split("\t")
            values[kernel, metric] = runs
    return values


def simulated(program, cli, folder):
    out = pathlib.Path(folder) / "counters.jsonl"
    done = subprocess.run([cli, "profile", "--device", "simulated", "--counters", out, program], capture_output=True,
                          text=True, timeout=120)
    if done.returncode != 0 or not out.exists():
        sys.exit(f"profile --counters failed ({done.returncode})\n{done.stdout[-800:]}{done.stderr[-800:]}")
    if "WRONG" in done.stdout:
        sys.exit("a kernel's result is wrong:\n" + done.stdout)
    rows = (json.loads(line) for line in out.read_text().splitlines())
    return {(row["kernel"], name): str(value) for row in rows for name, value in row["counters"].items()}


def main(arguments):
    if len(arguments) != 3:
        print(__doc__)
        return 2
    ours = simulated(*arguments)
    kernels = sorted({kernel for kernel, _ in ours})
    if not RECORDED.exists():
        print(f"not run: {len(kernels)} kernels, but no recording; record_on_a_gpu.sh makes one on a machine with a GPU")
        return 77
    theirs = recorded()
    failed = compared = 0
    unsteady = []
    for kernel in kernels:
        for metric in EXACT:
            runs = theirs.get((kernel, metric))
            if runs is None:
                failed += 1
                print(f"{kernel}: {metric} was not recorded")
            elif len(set(runs)) > 1:
                unsteady.append(f"{kernel} {metric} {'/'.join(runs)}")
            elif (kernel, metric) in OTHER_CODE:
                print(f"other machine code: {kernel} {metric} is {ours.get((kernel, metric))}, ncu says {runs[0]}")
            else:
                compared += 1
                if ours.get((kernel, metric)) != runs[0]:
                    failed += 1
                    print(f"{kernel}: {metric} is {ours.get((kernel, metric))}, ncu says {runs[0]}")
    print("estimated, ours / ncu's:")
    for metric in ESTIMATED:
        ratios = sorted(float(ours[k, metric]) / float(theirs[k, metric][0]) for k in kernels
                        if float(theirs.get((k, metric), ["0"])[0] or 0) > 0)
        if ratios:
            print(f"  {metric:35} {ratios[0]:.2f} to {ratios[-1]:.2f}, median {ratios[len(ratios) // 2]:.2f}")
    if unsteady:
        print(f"not the same in all runs of ncu: {'; '.join(unsteady)}")
    print(f"{len(kernels)} kernels, {compared} values compared, {failed} failed")
    return 1 if failed or len(kernels) < LEAST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
