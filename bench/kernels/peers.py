#!/usr/bin/env python3
"""What a user would pick instead: PyTorch on the shapes of `kernel_times large`, on a GPU.

    python3 bench/kernels/peers.py       lines as kernel_times writes them, ladder "PyTorch"
"""
import torch


def median_us(work, samples=15, warm_up=5):
    for _ in range(warm_up):
        work()
    times = []
    for _ in range(samples):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return sorted(times)[samples // 2]


def show(rung, size, work_done, work):
    us = median_us(work)
    print(f"large\tPyTorch\t{rung}\t{size}\t{us:.2f}\t{work_done / us / 1e3:.1f}", flush=True)


def arrays():
    x, y = (torch.rand(1 << 28, device="cuda") for _ in range(2))
    z = torch.empty_like(x)
    show("copy_", "1024 MiB", 8 * x.numel(), lambda: z.copy_(x))
    show("add", "2^28 floats", 12 * x.numel(), lambda: torch.add(x, y, out=z))
    show("sum", "2^28 floats", 4 * x.numel(), lambda: x.sum())
    square, result = x.view(16384, 16384), z.view(16384, 16384)
    show("transpose", "16384 x 16384", 8 * x.numel(), lambda: result.copy_(square.t()))
    show("cumsum", "2^28", 8 * x.numel(), lambda: torch.cumsum(x, 0, out=z))


def layouts():
    for n, c, side in ((512, 3, 224), (256, 32, 112), (128, 64, 112), (32, 256, 112)):
        for dtype, name, more in ((torch.float32, "float", 1), (torch.float16, "half", 2)):
            planes = torch.rand(n * more, c, side, side, device="cuda").to(dtype)
            rows = planes.to(memory_format=torch.channels_last)
            moved = 2 * planes.numel() * planes.element_size()
            size = f"{n * more} x {c} x {side} x {side}"
            show(f"NCHW to NHWC {name} C={c}", size, moved,
                 lambda: planes.contiguous(memory_format=torch.channels_last))
            show(f"NHWC to NCHW {name} C={c}", size, moved, lambda: rows.contiguous())


def preprocessing():
    images = torch.randint(0, 256, (1024, 224, 224, 3), dtype=torch.uint8, device="cuda")
    scale, bias = torch.rand(3, device="cuda"), torch.rand(3, device="cuda")

    def prepare():
        return torch.nn.functional.pad((images.float() * scale + bias).half(), (0, 5))

    moved, size = 19 * images.numel() / 3, "1024 x 224 x 224 x 3"
    show("preprocess eager", size, moved, prepare)
    show("preprocess compile", size, moved, torch.compile(prepare))


def products():
    a, b = (torch.rand(4096, 4096, device="cuda") for _ in range(2))
    half_a, half_b = a.half(), b.half()
    show("matmul float (GFLOP/s)", "4096", 2.0 * 4096**3, lambda: a @ b)
    show("matmul half (GFLOP/s)", "4096", 2.0 * 4096**3, lambda: half_a @ half_b)
    pixels = torch.rand(256 * 56 * 56, 256, device="cuda").half()
    filters = torch.rand(256, 256, device="cuda").half()
    show("conv 1x1 as matmul half (GFLOP/s)", "256 x 56 x 56 x 256", 2.0 * pixels.shape[0] * 256 * 256,
         lambda: pixels @ filters.t())


if __name__ == "__main__":
    arrays()
    layouts()
    preprocessing()
    products()
