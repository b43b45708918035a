#!/usr/bin/env python3
"""`profile` on whole programs, on the simulated device.

    profile_test.py CLI TOOLCHAIN_JSON FOLDER TEST

TEST is causes, perfetto, two_worlds, usage or traces (makes what browser_test.py opens).
"""
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CLI, TOOLS, FOLDER = sys.argv[1], json.load(open(sys.argv[2])), pathlib.Path(sys.argv[3])


def program(name):
    source, built = HERE / "programs" / f"{name}.cu", FOLDER / name
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        subprocess.run([TOOLS["nvcc"], *TOOLS["nvcc_flags"], f"-L{TOOLS['real_cudart_dir']}", str(source), "-o", str(built)],
                       check=True)
    return str(built)


def profile(*arguments, expect=0):
    done = subprocess.run([CLI, "profile", "--device", "simulated", *map(str, arguments)], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == expect, f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def first_sentence(page):
    lines = page.split("\n")
    rule = next(i for i, line in enumerate(lines) if line.startswith("\u2500"))
    text = []
    for line in lines[rule + 1:]:
        if line.startswith("  "):
            break
        text.append(line)
    return " ".join(text).strip()


def causes():
    """The first sentence names the planted cause, and does not once it is mended."""
    for name, words in (("pageable", "Copies of pageable memory"), ("synchronise", "A synchronise in the loop"),
                        ("loader", "the loader, the host's range \"load\"")):
        page = profile(program(name))
        sentence = first_sentence(page)
        assert words in sentence, f"{name}: {sentence}"
        assert all(len(line) <= 80 for line in page.split("\n")), f"{name}: a line is over 80 columns"
        mended = first_sentence(profile(program(name), "mended"))
        assert words not in mended, f"{name}, mended: {mended}"
    page = " ".join(profile(program("pageable")).split())
    for words in ("starting the driver 105 ms", "making the context 115 ms"):
        assert words in page, f"before the first operation: no {words}\n{page}"
    assert "called 200 times" in first_sentence(profile(program("synchronise")))
    assert "synchronise.cu:18" in profile(program("synchronise")), "no line of the wait"
    # A source is built first.
    assert "pageable memory" in first_sentence(profile(HERE / "programs" / "pageable.cu"))


def check_event(event):
    kinds = {"X": {"ts", "dur", "name", "cat", "args", "tid"}, "M": {"name", "args"}, "C": {"ts", "name", "args", "tid"},
             "i": {"ts", "name", "s", "tid"}, "b": {"ts", "id", "name", "cat"}, "e": {"ts", "id", "name", "cat"},
             "s": {"ts", "id", "name", "cat", "tid"}, "f": {"ts", "id", "name", "cat", "tid", "bp"}}
    assert event["ph"] in kinds, event
    missing = (kinds[event["ph"]] | {"pid", "ph"}) - event.keys()
    assert not missing, f"{missing} missing in {event}"
    for key in ("ts", "dur"):
        if key in event:
            assert isinstance(event[key], (int, float)) and event[key] >= 0, event
    assert isinstance(event["name"], str) and event["name"], event
    assert isinstance(event["pid"], int), event


def perfetto():
    """The trace-event JSON has the fields its format asks for; the events of one track nest; arrows have both ends."""
    for name in ("both_worlds", "loader"):
        path = FOLDER / f"{name}.chrome.json"
        profile("--json", path, program(name))
        data = json.loads(path.read_text())
        events = data["traceEvents"]
        for event in events:
            check_event(event)
        tracks = {}
        for event in events:
            if event["ph"] == "X":
                tracks.setdefault((event["pid"], event["tid"]), []).append(event)
        assert len(tracks) >= 4
        named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
        assert set(tracks) <= named, "a track has no name"
        for track in tracks.values():
            open_ends = []
            for event in sorted(track, key=lambda e: (e["ts"], -e["dur"])):
                begin, end = round(event["ts"] * 1000), round((event["ts"] + event["dur"]) * 1000)
                while open_ends and open_ends[-1] <= begin:
                    open_ends.pop()
                assert not open_ends or end <= open_ends[-1], f"does not nest: {event}"
                open_ends.append(end)
        begins = {e["id"] for e in events if e["ph"] == "s"}
        assert begins and begins == {e["id"] for e in events if e["ph"] == "f"}, "an arrow has one end only"
        running = [e["args"]["kernels"] for e in events if e["ph"] == "C"]
        assert running and running[-1] == 0 and min(running) >= 0


def events_of(path):
    lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    events = sorted((e for e in lines[1:] if e["kind"] not in ("note", "output")), key=lambda e: e["id"])
    return lines[0], events


# What must be the same on both devices. Addresses, times, counters and the registers of another code are not.
SAME = ("kind", "api", "result", "result_name", "thread", "stream", "bytes", "from", "to", "direction", "async", "name", "grid",
        "block", "dynamic_shared", "static_shared", "phase", "domain")


def two_worlds():
    """The same program: the same events in the same order with the same memory, and durations that the model predicts."""
    path = FOLDER / "both_worlds.jsonl"
    profile("--trace", path, program("both_worlds"))
    header, simulated = events_of(path)
    other, measured = events_of(HERE / "both_worlds.h200.jsonl")
    assert header["modelled"] and other["device"] == "gpu" and not other["modelled"]
    assert len(simulated) == len(measured) > 70, f"{len(simulated)} events here, {len(measured)} on the H200"
    for number, (a, b) in enumerate(zip(simulated, measured)):
        mine, theirs = ({k: e[k] for k in SAME if k in e} for e in (a, b))
        assert mine == theirs, f"event {number}\nsimulated {mine}\nH200      {theirs}"
        assert ("device_ns" in a) == ("device_ns" in b) or a["kind"] == "event", f"event {number}: one has a device time"
    times = {}
    for a, b in zip(simulated, measured):
        if a["kind"] in ("kernel", "copy", "memset") and "device_ns" in b:
            key = (a["kind"], a.get("name", ""), a.get("from", ""), a.get("to", ""))
            times.setdefault(key, []).append([e["device_ns"][1] - e["device_ns"][0] for e in (a, b)])
    assert len(times) == 8, times.keys()
    for key, pairs in times.items():
        model, real = (statistics.median(p[i] for p in pairs) for i in (0, 1))
        # Within 25 %, the bound of the kernels in docs/time-model.md. Pageable copies depend on the host's memory and scattered by 1.5 between the
        # rounds of the recorded run itself; the one copy inside the device lasts 2 us, where the clock's step shows.
        bound = 1.7 if "pageable" in key else 1.4 if real < 3000 else 1.25
        print(f"{' '.join(filter(None, key)):32} modelled {model / 1000:8.2f} us   H200 {real / 1000:8.2f} us   {model / real:.2f}")
        assert 1 / bound <= model / real <= bound, f"{key}: {model / real:.2f}"


def usage():
    assert "no file or program" in profile("no_such_program", expect=2)
    assert "What should be profiled" in profile(expect=2)
    assert "There is no trace" in profile("--before", FOLDER / "none.jsonl", program("pageable"), expect=2)
    page = profile("/bin/true", expect=4) if pathlib.Path("/bin/true").exists() else "no CUDA call"
    assert "no CUDA call" in page or "static" in page, page
    slow = FOLDER / "slow.jsonl"
    profile("--trace", slow, program("synchronise"))
    page = profile("--before", slow, program("synchronise"), "mended")
    assert "times as fast" in " ".join(page.split()), page
    assert first_sentence(profile(slow)) == first_sentence(profile(program("synchronise")))


def traces():
    for name in ("pageable", "loader", "both_worlds", "launches"):
        profile("--trace", FOLDER / f"{name}.jsonl", program(name))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    {"causes": causes, "perfetto": perfetto, "two_worlds": two_worlds, "usage": usage, "traces": traces}[sys.argv[4]]()
    print("passed")
