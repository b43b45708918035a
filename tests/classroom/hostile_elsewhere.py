"""Attacks on the clock in other exercises than 2.1: right answers that are slow, and do less from the second call on.

Each takes a wrong answer of the exercise that is right and too slow, and hides it behind a function that remembers: what the
first call found is handed out again, or only a part of the work is done because the rest lies there already. A measurement
must not fall for either (Call::fresh_each_time, and outputs and inputs that move from run to run).
"""
import collections
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# `slow`: the plain slow answer, handed in too: nobody may get more points than it.
Elsewhere = collections.namedtuple("Elsewhere", "name group exercise path statuses source slow")
ALL = []


def slow_answer(path, name):
    text = (ROOT / "tests/exercises" / path / "wrong" / name).read_text()
    return "".join(line for line in text.splitlines(True) if not line.startswith("// "))


def elsewhere(name, group, exercise, path, slow, function, head, body):
    """`head`: the function's head without its name, {f} stands there. In `body` {honest} is the slow one."""
    text = slow_answer(path, slow)
    source = (f"#define {function} honest_{function}\n{text}\n#undef {function}\n"
              f"{head.format(f=function)} {{\n  static int calls = 0;\n  static void* kept = nullptr;\n"
              f"  {body.replace('{honest}', 'honest_' + function)}\n}}\n")
    ALL.append(Elsewhere(name, group, exercise, f"{path}.cu", ("wrong", "too slow"), source, text + "// as it is\n"))


def replay(out, size, call, back=""):
    """Hands out what the first call found."""
    first = f"{'auto status = ' if back else ''}{{honest}}({call});"
    return (f"const size_t bytes = {size}; if (calls++ > 0) {{ cudaMemcpyAsync({out}, kept, bytes, cudaMemcpyDeviceToDevice); return {'cudaSuccess' if back else ''}; }}\n"
            f"  {first} cudaMalloc(&kept, bytes); cudaMemcpyAsync(kept, {out}, bytes, cudaMemcpyDeviceToDevice);{' return status;' if back else ''}")


TURN, MATMUL = "05_sms_warps_memory/05_tiled_transpose", "05_sms_warps_memory/07_tiled_matrix_multiply"
GREY, NHWC = "02_grids_blocks_threads/02_two_dimensions", "11_nhwc/02_nchw_to_nhwc"
CONVOLVE, UNPACK = "11_nhwc/05_one_by_one_convolution", "10_loader_with_workers/01_unpack_on_the_device"
PREPARE, EQUALISE = "03_five_steps/04_stay_on_the_device", "07_see_the_timeline/03_the_hot_kernel"

elsewhere("replays_a_transpose", "replay caches", "5.5", TURN, "naive.cu", "transpose",
          "void {f}(const float* d_in, float* d_out, int width, int height)", replay("d_out", "size_t(width) * height * 4", "d_in, d_out, width, height"))
# A replay that is faster than the hardware is told at once; this one takes its time.
elsewhere("replays_a_product_slowly", "replay caches", "5.7", MATMUL, "without_tiles.cu", "matmul",
          "void {f}(const float* d_a, const float* d_b, float* d_c, int m, int n, int k)",
          "const size_t most = size_t(m) * n * 4; if (calls > 0) for (int i = 0; i < 3; ++i) cudaMemcpyAsync(d_c, kept, most, cudaMemcpyDeviceToDevice);\n  "
          + replay("d_c", "size_t(m) * n * 4", "d_a, d_b, d_c, m, n, k"))
elsewhere("replays_a_picture", "replay caches", "2.2", GREY, "column_by_column.cu", "rgb_to_grey",
          "void {f}(int width, int height, const unsigned char* d_rgb, unsigned char* d_grey)", replay("d_grey", "size_t(width) * height", "width, height, d_rgb, d_grey"))
elsewhere("replays_a_layout", "replay caches", "11.2", NHWC, "one_pixel_a_thread.cu", "nchw_to_nhwc",
          "cudaError_t {f}(const float* d_in, float* d_out, int n, int c, int h, int w)", replay("d_out", "size_t(n) * c * h * w * 4", "d_in, d_out, n, c, h, w", "status"))
elsewhere("replays_a_convolution", "replay caches", "11.5", CONVOLVE, "ordinary_multiplications.cu", "convolve_1x1",
          "cudaError_t {f}(const __half* d_x, const __half* d_w, float* d_y, int pixels, int c, int k)", replay("d_y", "size_t(pixels) * k * 4", "d_x, d_w, d_y, pixels, c, k", "status"))
elsewhere("does_a_part_of_a_layout", "launch-time work hidden", "11.2", NHWC, "one_pixel_a_thread.cu", "nchw_to_nhwc",
          "cudaError_t {f}(const float* d_in, float* d_out, int n, int c, int h, int w)", "return {honest}(d_in, d_out, calls++ > 0 && n > 1 ? n / 2 : n, c, h, w);")
elsewhere("unpacks_a_part", "launch-time work hidden", "10.1", UNPACK, "one_thread_a_row.cu", "unpack",
          "void {f}(const Packed& in, const Crop* d_crops, int width, int height, unsigned char* d_batch)",
          "Packed part = in; if (calls++ > 0 && part.images > 3) part.images /= 3; {honest}(part, d_crops, width, height, d_batch);")
elsewhere("prepares_a_part", "launch-time work hidden", "3.4", PREPARE, "three_kernels_on_the_device.cu", "prepare_device",
          "cudaError_t {f}(const float* d_x, float* d_y, int n, float mean, float scale, float limit)", "return {honest}(d_x, d_y, calls++ > 0 ? n / 4 : n, mean, scale, limit);")
elsewhere("counts_a_part", "launch-time work hidden", "7.3", EQUALISE, "one_block.cu", "equalise",
          "cudaError_t {f}(const float* d_x, float* d_y, int n, int bins, int threads, unsigned* d_bin, unsigned* d_counts, unsigned* d_below)",
          "static unsigned* counts = nullptr; static size_t room = bins * sizeof(unsigned);\n"
          "  if (calls++ > 0) { cudaMemcpyAsync(d_counts, kept, room, cudaMemcpyDeviceToDevice); cudaMemcpyAsync(d_y, counts, n * 4, cudaMemcpyDeviceToDevice); return cudaSuccess; }\n"
          "  auto status = {honest}(d_x, d_y, n, bins, threads, d_bin, d_counts, d_below); cudaMalloc(&kept, room); cudaMalloc(&counts, n * 4);\n"
          "  cudaMemcpyAsync(kept, d_counts, room, cudaMemcpyDeviceToDevice); cudaMemcpyAsync(counts, d_y, n * 4, cudaMemcpyDeviceToDevice); return status;")
