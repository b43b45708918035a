"""Where things lie, and what chapter.toml and the answers say. Nothing here knows Markdown or HTML."""
import dataclasses
import functools
import hashlib
import os
import pathlib
import re

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "site"
BUILD = pathlib.Path(os.environ.get("WORKBOOK_BUILD_DIR", ROOT / ".build")) / "site"


class Stale(Exception):
    """Something that a page shows is not there any more, or has changed. Ends the build."""


@dataclasses.dataclass(frozen=True)
class Mistake:
    """A wrong answer that the check tells from the right one, as `./workbook verify` proves."""
    path: pathlib.Path
    what: str          # what somebody did
    verdict: str       # wrong, too slow, crashed, timed out, did not compile
    code: str          # the failure's name; may be empty
    messages: tuple    # what the page says, in the order of the header


@dataclasses.dataclass(frozen=True)
class Exercise:
    chapter: str       # 05_sms_warps_memory
    id: str            # 5.5
    stem: str          # 05_tiled_transpose
    title: str
    asked: str
    files: tuple
    hints: tuple
    bounds: tuple      # (name, rule, at most)
    needs_gpu: bool

    @property
    def starters(self):
        return [ROOT / "chapters" / self.chapter / name for name in self.files]

    @property
    def solutions(self):
        return [ROOT / "solutions" / self.chapter / name for name in self.files]

    @functools.cached_property
    def mistakes(self):
        return mistakes_in(ROOT / "tests/exercises" / self.chapter / self.stem / "wrong")


@dataclasses.dataclass(frozen=True)
class Chapter:
    folder: str
    number: int
    title: str
    figure: str
    exercises: tuple

    @property
    def lesson(self):
        return ROOT / "chapters" / self.folder / "README.md"

    @property
    def page(self):
        return f"chapters/{self.folder}/README.md"

    def translated(self, language):
        return self.lesson.with_name(f"README.{language}.md")


def read_text(path):
    if not path.is_file():
        raise Stale(f"{path.relative_to(ROOT)} is missing")
    return path.read_text(encoding="utf-8")


def first_words_of(exercise):
    """What the check says about the starter, as site/outputs.py recorded it."""
    return SITE / "data/first_words" / f"{exercise.id}.txt"


def short_hash(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def header_of(path):
    """The `// key: value` lines on top of a wrong answer; `#` where `//` is no comment."""
    first = path if path.is_file() else None
    if first is None:
        for candidate in sorted(p for p in path.iterdir() if p.is_file()):
            if re.match(r"(//|#) wrong:", candidate.read_text(errors="replace")):
                first = candidate
                break
    if first is None:
        raise Stale(f"{path.relative_to(ROOT)} says nowhere what is wrong with it")
    found = {}
    for line in first.read_text(encoding="utf-8").splitlines():
        match = re.match(r"(?://|#) (wrong|verdict|code|message|seen): (.*)", line)
        if not match:
            break
        found.setdefault(match.group(1), []).append(match.group(2).strip())
    return found


@functools.lru_cache(maxsize=None)
def mistakes_in(folder):
    out = []
    for path in sorted(folder.glob("*")) if folder.is_dir() else []:
        if path.name.startswith("."):
            continue
        header = header_of(path)
        if "wrong" not in header or "verdict" not in header:
            raise Stale(f"{path.relative_to(ROOT)} has no `wrong:` or no `verdict:`")
        out.append(Mistake(path, header["wrong"][0], header["verdict"][0], header.get("code", [""])[0],
                           tuple(header.get("message", []))))
    return tuple(out)


def exercise_from(folder, table):
    bounds = tuple((name, b.get("rule", ""), b.get("at_most", 0)) for name, b in table.get("bounds", {}).items())
    return Exercise(folder, table["id"], table["stem"], table["title"], table.get("asked", ""), tuple(table.get("files", [])),
                    tuple(table.get("hints", [])), bounds, "gpu" in table.get("needs", []))


@functools.lru_cache(maxsize=None)
def chapters():
    out = []
    for manifest in sorted((ROOT / "chapters").glob("*/chapter.toml")):
        table = tomllib.loads(manifest.read_text(encoding="utf-8"))
        folder = manifest.parent.name
        if not (manifest.parent / "README.md").is_file():
            continue  # a chapter without a lesson yet
        exercises = tuple(exercise_from(folder, t) for t in table.get("exercise", []))
        out.append(Chapter(folder, table["number"], table["title"], table.get("figure", ""), exercises))
    return tuple(sorted(out, key=lambda c: c.number))


def quiz_of(chapter, language):
    """quiz.toml beside a lesson (quiz.ko.toml for its translation): questions, and where to read more. Empty when there is none."""
    path = ROOT / "chapters" / chapter.folder / ("quiz.toml" if language == "en" else f"quiz.{language}.toml")
    table = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for question in table.get("question", []):
        options = question.get("options", [])
        if sum(o.get("right", False) for o in options) != 1 or not all(o.get("says") and o.get("because") for o in options):
            raise Stale(f"{path.relative_to(ROOT)}: {question.get('asks', '?')!r} needs one right option, and a reason for each")
    return table


def manifest_translation(chapter, language):
    """chapter.ko.toml: title, asked and hints by exercise id, in another language. Empty when there is none."""
    path = ROOT / "chapters" / chapter.folder / f"chapter.{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def forget():
    chapters.cache_clear()
    mistakes_in.cache_clear()
