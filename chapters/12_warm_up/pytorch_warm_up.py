#!/usr/bin/env python3
"""What PyTorch does at its first use of a GPU: each cause in a process of its own, cold and then warm.

    python3 pytorch_warm_up.py            all of them; needs PyTorch and a GPU
    python3 pytorch_warm_up.py cudnn      one of them, in this process

Milliseconds of the host's clock, each up to the moment when the device is done.
"""
import os
import subprocess
import sys
import tempfile
import time


def now():
    return 1000 * time.perf_counter()


def timed(name, body):
    import torch
    begin = now()
    body()
    torch.cuda.synchronize()
    print(f"{name:<52} {now() - begin:10.2f} ms", flush=True)


def start():
    """The import touches no GPU: the context comes with the first tensor on it."""
    begin = now()
    import torch
    print(f"{'import torch':<52} {now() - begin:10.2f} ms")
    print(f"{'    the context exists after the import':<52} {str(torch.cuda.is_initialized()):>10}")
    timed("first tensor on the GPU (context)", lambda: torch.ones(8, device="cuda"))
    timed("second tensor", lambda: torch.ones(8, device="cuda"))
    x = torch.rand(1024, 1024, device="cuda")
    timed("first addition", lambda: x + x)
    timed("second addition", lambda: x + x)
    timed("first matrix product (cuBLAS and its workspace)", lambda: x @ x)
    timed("second matrix product", lambda: x @ x)
    y = torch.rand(1000, 1000, device="cuda")
    timed("first one of another shape", lambda: y @ y)
    timed("second one of another shape", lambda: y @ y)


def cudnn(benchmark):
    """A new shape is tuned again, when cuDNN searches."""
    import torch
    torch.backends.cudnn.benchmark = benchmark
    layer = torch.nn.Conv2d(64, 128, 3, padding=1).cuda().half()
    words = "cuDNN searches" if benchmark else "cuDNN guesses"
    with torch.no_grad():
        for size in (56, 48):
            x = torch.rand(32, 64, size, size, device="cuda").half()
            torch.cuda.synchronize()
            for times in ("first", "second", "third"):
                timed(f"{words}: {times} convolution of {size} x {size}", lambda: layer(x))
            begin = now()
            for _ in range(50):
                layer(x)
            torch.cuda.synchronize()
            print(f"{words + ': steady, mean of 50':<52} {(now() - begin) / 50:10.3f} ms")


def compile_():
    """A function of one line: traced, compiled, kept; and again for another shape."""
    import torch
    f = torch.compile(lambda x: torch.sin(x) * 2 + x)
    x, y = torch.rand(1 << 20, device="cuda"), torch.rand(3, 1 << 18, device="cuda")
    torch.cuda.synchronize()
    timed("torch.compile: first call", lambda: f(x))
    timed("torch.compile: second call", lambda: f(x))
    timed("torch.compile: third call", lambda: f(x))
    timed("torch.compile: a call of another shape", lambda: f(y))
    timed("torch.compile: the same shape again", lambda: f(y))


CAUSES = {"start": start, "cudnn-guesses": lambda: cudnn(False), "cudnn-searches": lambda: cudnn(True), "compile": compile_}


def main():
    if len(sys.argv) > 1:
        if sys.argv[1] not in CAUSES:
            sys.exit(f"there is no '{sys.argv[1]}'; there are: {', '.join(CAUSES)}")
        CAUSES[sys.argv[1]]()
        return
    try:
        import torch
    except ImportError:
        sys.exit("This script needs PyTorch: pip install torch")
    if not torch.cuda.is_available():
        sys.exit("PyTorch sees no GPU here.")
    print(f"{torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}, {time.strftime('%Y-%m-%d')}")
    with tempfile.TemporaryDirectory() as folder:
        cached = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": folder}
        for cause in CAUSES:
            for again in ("", " again, in a second process") if cause == "compile" else ("",):
                print(f"-- {cause}{again}", flush=True)
                subprocess.run([sys.executable, os.path.abspath(__file__), cause], env=cached, check=False)


if __name__ == "__main__":
    main()
