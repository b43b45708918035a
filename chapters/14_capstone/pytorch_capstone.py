#!/usr/bin/env python3
"""The capstone in PyTorch: the same gaps, the same fixes, the same two figures.

    python3 pytorch_capstone.py [--batches 48] [--workers 4] [--work 12] [--json FILE]

Needs a GPU and PyTorch. Four loops over the same batches of decoded pictures:

    as found    the loop decodes (num_workers=0), copies from pageable memory, prepares in NCHW step by step
    + ring      pinned memory, non_blocking copies on a stream of their own, one batch ahead
    + workers   DataLoader(num_workers=W, pin_memory=True, prefetch_factor=2)
    + layout    channels_last: the pictures are NHWC as they come, and the convolutions need nothing converted

Decoding stands for what a CPU does with a file: it fills the batch, and takes a set time. That time, and the depth of the
network, are chosen at the start so that the loop as found keeps the GPU busy about half of the time. The kernels of a batch
take some 12 ms (--work): a batch of 12.6 MB needs some 10 ms (H200, 2026-12-01) for its way from a worker's process through
shared memory and the pinning thread, whatever decoding costs. Work shorter than that waits for it.

U is the union of the kernels' intervals over the steady window, from torch.profiler's record; g is that for a batch; the
throughput comes from CUDA events of a run of its own, without the profiler. Throughput ratio = (U1/U0) x (g0/g1).
NVTX ranges are there for whoever runs this under Nsight Systems: nsys profile -t cuda,nvtx python3 pytorch_capstone.py
"""
import argparse
import json
import os
import tempfile
import time

import numpy
import torch
from torch.cuda import nvtx

PICTURES, STORED, SIDE = 64, 256, 224
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
WARM_UP = 12


class Decoded(torch.utils.data.Dataset):
    """Batch n, as a decoder leaves it: bytes, NHWC."""

    def __init__(self, batches, microseconds):
        self.batches, self.microseconds = batches, microseconds

    def __len__(self):
        return self.batches

    def __getitem__(self, n):
        batch = numpy.empty((PICTURES, STORED, STORED, 3), numpy.uint8)
        self.decode(n, batch)
        return torch.from_numpy(batch)

    def decode(self, n, batch):
        begin = time.perf_counter()
        batch[:] = numpy.arange(n, n + STORED * 3, dtype=numpy.uint32).astype(numpy.uint8).reshape(1, 1, STORED, 3)
        batch[:, 0, 0, 0] = (numpy.arange(PICTURES) + n) % 256
        while time.perf_counter() - begin < self.microseconds * 1e-6:
            pass


class Network(torch.nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 64, 7, stride=4, padding=3)
        self.blocks = torch.nn.ModuleList(torch.nn.Conv2d(64, 64, 3, padding=1) for _ in range(depth))

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for block in self.blocks:
            x = torch.relu(block(x))
        return x.mean(dtype=torch.float32)


def middle(batch):
    edge = (STORED - SIDE) // 2
    return batch[:, edge:edge + SIDE, edge:edge + SIDE, :]


class AsFound:
    """NCHW, one operation after the other."""
    memory_format = torch.contiguous_format

    def __init__(self):
        self.mean = torch.tensor(MEAN, device="cuda").view(1, 3, 1, 1)
        self.deviation = torch.tensor(DEVIATION, device="cuda").view(1, 3, 1, 1)

    def __call__(self, batch):
        x = middle(batch).permute(0, 3, 1, 2).contiguous()
        return x.float().div(255).sub(self.mean).div(self.deviation).half()


class ChannelsLast:
    """The bytes are NHWC already: only the numbers change."""
    memory_format = torch.channels_last

    def __init__(self):
        mean, deviation = numpy.array(MEAN), numpy.array(DEVIATION)
        self.scale = torch.tensor(1 / (255 * deviation), device="cuda").half().view(1, 3, 1, 1)
        self.bias = torch.tensor(-mean / deviation, device="cuda").half().view(1, 3, 1, 1)

    def __call__(self, batch):
        return torch.addcmul(self.bias, middle(batch).permute(0, 3, 1, 2).half(), self.scale)


def plain_loop(loader, prepare, network, ends):
    """The score of a batch is fetched when the next one is decoded; the copy holds the loop."""
    score, scores = None, []
    for batch in loader:
        if score is not None:
            scores.append(score.item())
        with nvtx.range("copy"):
            batch = batch.cuda()
        with nvtx.range("work"):
            score = network(prepare(batch))
        ends.append(torch.cuda.Event(enable_timing=True))
        ends[-1].record()
    return scores + [score.item()]


def ring_loop(loader, prepare, network, ends):
    """Copies on a stream of their own, one batch ahead; nothing is waited for before the end."""
    copies, computing, scores, ahead = torch.cuda.Stream(), torch.cuda.current_stream(), [], None
    if isinstance(loader, PinnedHere):
        loader.stream = copies

    def start(batch):
        with torch.cuda.stream(copies), nvtx.range("copy"):
            return batch.cuda(non_blocking=True), copies.record_event()

    def work(batch, copied):
        computing.wait_event(copied)
        batch.record_stream(computing)
        with nvtx.range("work"):
            scores.append(network(prepare(batch)))
        ends.append(torch.cuda.Event(enable_timing=True))
        ends[-1].record()

    for batch in loader:
        following = start(batch)
        if ahead is not None:
            work(*ahead)
        ahead = following
    work(*ahead)
    return torch.stack(scores).tolist()


class PinnedHere:
    """No workers: each batch is decoded straight into one of a few pinned buffers, as soon as its copy has read it."""

    def __init__(self, data, slots=4):
        self.data, self.stream = data, None  # the stream of the copies
        self.slots = [torch.empty((PICTURES, STORED, STORED, 3), dtype=torch.uint8).pin_memory() for _ in range(slots)]

    def __iter__(self):
        copied = [None] * len(self.slots)
        for n in range(len(self.data)):
            slot = n % len(self.slots)
            if copied[slot] is not None:
                copied[slot].synchronize()
            with nvtx.range("decode"):
                self.data.decode(n, self.slots[slot].numpy())
            yield self.slots[slot]
            copied[slot] = self.stream.record_event()


def loader_of(data, workers, pinned):
    if workers == 0 and pinned:
        return PinnedHere(data)
    extra = dict(num_workers=workers, prefetch_factor=2, persistent_workers=True) if workers else {}
    return torch.utils.data.DataLoader(data, batch_size=None, pin_memory=pinned, **extra)


def busy_of(path, batches):
    """Share of the steady window in which a kernel runs, and kernel time for a batch in microseconds."""
    with open(path) as file:
        events = json.load(file)["traceEvents"]
    kernels = sorted((e["ts"], e["ts"] + e["dur"], e["name"]) for e in events if e.get("cat") == "kernel")
    by_end = sorted(end for _, end, _ in kernels)
    each = len(kernels) // batches
    begin, end = by_end[each * WARM_UP - 1], by_end[-1]
    reached, busy, layout = begin, 0.0, 0.0
    for first, last, name in kernels:
        busy += max(0.0, min(last, end) - max(first, reached))
        reached = max(reached, min(last, end))
        if first >= begin and ("nchwToNhwc" in name or "nhwcToNchw" in name):
            layout += last - first
    return busy / (end - begin), busy / (batches - WARM_UP), layout / (batches - WARM_UP)


def run(loop, loader, prepare, network, batches, folder):
    """Batches a second, U, g, and the scores."""
    network = network.to(memory_format=prepare.memory_format)
    ends = []
    scores = loop(loader, prepare, network, ends)
    torch.cuda.synchronize()
    milliseconds = ends[WARM_UP - 1].elapsed_time(ends[-1]) / (batches - WARM_UP)
    path = os.path.join(folder, "trace.json")
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        loop(loader, prepare, network, [])
        torch.cuda.synchronize()
    profile.export_chrome_trace(path)
    busy, work, layout = busy_of(path, batches)
    return {"batches_per_s": 1000 / milliseconds, "busy": busy, "work_us": work, "converted_us": layout, "scores": scores}


def device_us(work, times=15):
    found = []
    for _ in range(times + 3):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        found.append(1000 * begin.elapsed_time(end))
    return sorted(found[3:])[times // 2]


def calibrate(prepare, wanted):
    """Depth of the network for `wanted` microseconds of kernels, and the time of decoding that makes the loop half busy."""
    host = Decoded(1, 0)[0]
    copies = []
    for n in range(9):
        host = Decoded(n + 1, 0)[n]
        torch.cuda.synchronize()
        begin = time.perf_counter()
        there = host.cuda()
        torch.cuda.synchronize()
        copies.append(1e6 * (time.perf_counter() - begin))
    copy = sorted(copies)[4]
    networks = [Network(depth).cuda().half() for depth in (2, 10)]
    few, many = [device_us(lambda n=n: n(prepare(there))) for n in networks]
    depth = max(1, round(2 + (wanted - few) / ((many - few) / 8)))
    work = few + (depth - 2) * (many - few) / 8
    return depth, max(0.0, work / 0.485 - copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=48)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--work", type=float, default=12, help="milliseconds that the kernels of a batch take, about")
    parser.add_argument("--json", help="the figures, in a file")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        raise SystemExit("This needs a GPU that PyTorch can use.")
    torch.set_grad_enabled(False)
    torch.backends.cudnn.benchmark = True  # else the layout decides about the algorithm, and not about the conversions
    torch.manual_seed(1)
    found, last = AsFound(), ChannelsLast()
    depth, decode = calibrate(found, 1000 * arguments.work)
    network = Network(depth).cuda().half()
    batches = arguments.batches
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):  # the loop itself says how much decoding is missing
            row = run(plain_loop, loader_of(Decoded(batches, decode), 0, False), found, network, batches, folder)
            decode = max(0.0, decode + row["work_us"] / 0.485 - 1e6 / row["batches_per_s"])
        data = Decoded(batches, decode)
        for name, loop, workers, pinned, prepare in (("as found", plain_loop, 0, False, found),
                                                     ("+ ring", ring_loop, 0, True, found),
                                                     ("+ workers", ring_loop, arguments.workers, True, found),
                                                     ("+ layout", ring_loop, arguments.workers, True, last)):
            rows.append({"name": name, **run(loop, loader_of(data, workers, pinned), prepare, network, batches, folder)})
    first = rows[0]
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}: decode {decode:.0f} us, {depth} convolutions, "
          f"{PICTURES} pictures a batch")
    print(f"{'':10} {'pictures/s':>11} {'ratio':>6} {'U':>7} {'g, us':>7} {'converts':>9} {'(U1/U0)(g0/g1)':>15}")
    for row in rows:
        row["ratio"] = row["batches_per_s"] / first["batches_per_s"]
        row["identity"] = row["busy"] / first["busy"] * first["work_us"] / row["work_us"]
        print(f"{row['name']:10} {PICTURES * row['batches_per_s']:11.0f} {row['ratio']:6.2f} {100 * row['busy']:6.1f}% "
              f"{row['work_us']:7.0f} {row['converted_us']:9.0f} {row['identity']:15.2f}")
    worst = max(abs(a - b) for row in rows for a, b in zip(row["scores"], first["scores"]))
    print(f"largest difference between two scores of one batch: {worst:.2g}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"device": torch.cuda.get_device_name(), "decode_us": decode, "depth": depth, "rows": rows}, file)


if __name__ == "__main__":
    main()
