"""docs/*.md and CONTRIBUTING.md as pages. Where a document belongs stands here; a new one must be given a place."""
import re

from .repository import ROOT, Stale, read_text

REFERENCE = (("How `profile` shows a program", "profile.md"), ("The time model", "time-model.md"), ("What a verdict rests on", "trust.md"),
             ("PTX that the device knows", "ptx-support.md"), ("JSON of the commands", "cli-json.md"), ("The trace", "trace-schema.md"),
             ("Records", "record-schema.md"))
TEACHING = (("A class with the workbook", "teachers.md"), ("Margins of the time bounds", "margins.md"))
OUTSIDE = (("Add to the workbook", "CONTRIBUTING.md"), ("What has changed", "CHANGELOG.md"))


def place_of(name):
    return f"docs/{name}"


def known():
    out = [(t, n, ROOT / "docs" / n) for t, n in REFERENCE + TEACHING]
    return out + [(t, n, ROOT / n) for t, n in OUTSIDE]


def in_reference():
    placed = {n for _, n in REFERENCE + TEACHING}
    new = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name not in placed)
    return [(t.replace("`", ""), place_of(n)) for t, n in REFERENCE] + [(heading(ROOT / "docs" / n), place_of(n)) for n in new]


def in_teaching():
    return [(t, place_of(n)) for t, n in TEACHING + OUTSIDE]


def heading(path):
    found = re.search(r"(?m)^# (.+)$", read_text(path))
    if not found:
        raise Stale(f"{path.relative_to(ROOT)} has no heading")
    return re.sub(r"[`*]", "", found.group(1))


def linked(text, path):
    """Links between documents stay; links to other files of the repository become source links."""
    def one(match):
        label, target = match.groups()
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve()
        if not there.exists():
            raise Stale(f"{path.relative_to(ROOT)} links to {target}, which is not there")
        relative = there.relative_to(ROOT).as_posix()
        if there.suffix == ".md" and (there.parent == ROOT / "docs" or there.name in {n for _, n in OUTSIDE}):
            return f"[{label}]({there.name}{'#' + anchor if anchor else ''})"
        if re.fullmatch(r"chapters/[^/]+/README\.md", relative):
            return f"[{label}](../{relative}{'#' + anchor if anchor else ''})"
        return f"[{label}](source:{relative})"
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)\s]+)\)", one, text)


FORMATS = {"cli-json.md", "trace-schema.md", "record-schema.md"}  # for programs: after what people read, in a search


def rendered():
    pages = {p: p.name for p in sorted((ROOT / "docs").glob("*.md"))}
    pages.update({ROOT / n: n for _, n in OUTSIDE})
    for path, name in pages.items():
        head = "---\nsearch:\n  boost: 0.3\n---\n\n" if name in FORMATS else ""
        yield place_of(name), head + linked(read_text(path), path)
