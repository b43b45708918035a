"""The code that a lesson shows is code that a test compiles and runs.

A lesson has its code in itself, to be read in an editor and on a forge. A comment that neither shows stands above each block:

    <!-- code: five_steps -->
    ```cuda
    cudaMalloc(&d_x, bytes);
    ...
    ```

`five_steps` is a part of tests/site/lessons/NN_topic.cu, between the marks `--8<-- [start:five_steps]` and `[end:five_steps]`; a
part may be in several pieces. The two must be the same, comments too; blanks and line ends don't count, since a formatter sets
them there and a reader's eye here. `...` in the lesson stands for anything. A block of code without such a comment, and a part
that no lesson shows, end the build.
"""
import re

from .repository import ROOT, Stale, read_text

CODE = ("cuda", "cpp", "c++", "c", "cu")
MARK = re.compile(r"^<!-- code: ([\w.-]+) -->$")
FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
LOOKS_LIKE_CODE = re.compile(r"[;{}]\s*(//.*)?$|__global__|<<<")


def tested_file(chapter):
    return ROOT / "tests/site/lessons" / f"{chapter.folder}.cu"


def parts_of(path):
    """The parts of a tested file by name: their text without the marks."""
    parts, opened = {}, []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        found = re.search(r"--8<-- \[(start|end):([\w.-]+)\]", line)
        where = f"{path.relative_to(ROOT).as_posix()}:{number}"
        if not found:
            for name in opened:
                parts[name] += line + "\n"
        elif found.group(1) == "start":
            opened.append(found.group(2))
            parts.setdefault(found.group(2), "")
        elif found.group(2) in opened:
            opened.remove(found.group(2))
        else:
            raise Stale(f"{where} ends {found.group(2)}, which has not begun")
    if opened:
        raise Stale(f"{path.relative_to(ROOT).as_posix()}: {opened[0]} never ends")
    return parts


def blocks(text):
    """(number of its first line, what the line above the fence says, language, code) for each fenced block."""
    lines, n = text.split("\n"), 0
    while n < len(lines):
        found = FENCE.match(lines[n])
        if not found:
            n += 1
            continue
        end = next((m for m in range(n + 1, len(lines)) if lines[m].strip() == found.group(2)), len(lines))
        yield n + 1, lines[n - 1].strip() if n else "", found.group(3).strip(), "\n".join(lines[n + 1:end])
        n = end + 1


def same(shown, tested):
    """Is `shown` the text of `tested`, blanks apart, with something for each `...`?"""
    def bare(text):
        return re.sub(r"\s+", "", text)
    pattern = ".*?".join(re.escape(bare(piece)) for piece in shown.split("..."))
    return re.fullmatch(pattern, bare(tested), re.S) is not None


def check(chapter, path, text, whole):
    """Ends the build when a block of code in `text`, the lesson at `path`, is not what a test runs. `whole`: each part must be shown."""
    relative, tested = path.relative_to(ROOT).as_posix(), tested_file(chapter)
    parts = parts_of(tested) if tested.is_file() else {}
    shown = set()
    for number, above, language, code in blocks(text):
        mark = MARK.match(above)
        if mark is None:
            if language in CODE or (not language and any(LOOKS_LIKE_CODE.search(line) for line in code.split("\n"))):
                raise Stale(f"{relative}:{number}: code that no test runs. Put it into {tested.relative_to(ROOT).as_posix()} between the marks "
                            "`// --8<-- [start:NAME]` and `// --8<-- [end:NAME]`, and `<!-- code: NAME -->` above this block")
            continue
        name = mark.group(1)
        if name not in parts:
            raise Stale(f"{relative}:{number}: {tested.relative_to(ROOT).as_posix()} has no part {name}")
        if not same(code, parts[name]):
            raise Stale(f"{relative}:{number}: this is not the part {name} of {tested.relative_to(ROOT).as_posix()}, which is\n{parts[name]}")
        shown.add(name)
    unused = sorted(set(parts) - shown)
    if whole and unused:
        raise Stale(f"{tested.relative_to(ROOT).as_posix()}: no lesson shows the part {unused[0]}")


def without_marks(text):
    return re.sub(r"(?m)^<!-- code: [\w.-]+ -->\n", "", text)
