"""A lesson (chapters/NN/README.md) as a page of the book.

A lesson is written to be read in an editor and on a forge, so it has nothing that only we understand. What a page wants
more is put in here: headings get the ids of their anchors, `<details>` become blocks whose text is Markdown too, pictures
become part of the page (book/figures.py), and each exercise gets its card: what is asked, hints, solution, mistakes.
"""
import html
import re

from . import exercises, fences
from .repository import ROOT, Stale, quiz_of, read_text, short_hash
from .words import words

GOALS = {"en": "After this chapter you can", "ko": "이 장을 마치면 할 수 있는 것"}
FENCE = re.compile(r"^(```+|~~~+)")


def outside_fences(lines):
    """(index, line, in a fence?) for each line."""
    fence = None
    for index, line in enumerate(lines):
        match = FENCE.match(line)
        if match and fence is None:
            fence = match.group(1)
            yield index, line, True
        elif fence is not None:
            if line.startswith(fence):
                fence = None
            yield index, line, True
        else:
            yield index, line, False


def named_headings(text):
    """`<a id="x"></a>` above a heading becomes the heading's own id."""
    return re.sub(r'^<a id="([\w.-]+)"></a>\n(#+ .*)$', lambda m: f"{m.group(2)} {{#{m.group(1)}}}", text, flags=re.M)


def open_details(text, answer):
    """`<details><summary>X</summary> ... </details>` to a block `??? answer "X"`, so that its text is Markdown."""
    out, depth = [], 0
    for _, line, fenced in outside_fences(text.split("\n")):
        found = None if fenced else re.match(r"\s*<details><summary>(.*)</summary>\s*$", line)
        if found:
            title = found.group(1).replace('"', "&quot;")
            out.append("    " * depth + f'??? answer "{title}"')
            depth += 1
            continue
        if not fenced and line.strip() == "</details>":
            if depth == 0:
                raise Stale("a </details> that nothing opened")
            depth -= 1
            out.append("")
            continue
        out.append("    " * depth + line if line.strip() and depth else line)
    if depth:
        raise Stale("a <details> that is never closed")
    return "\n".join(out)


def without_rules(text):
    """The rules between the sections; headings do their work here."""
    lines = text.split("\n")
    return "\n".join(line for _, line, fenced in outside_fences(lines) if fenced or line.strip() != "---")


def placed_pictures(text, chapter):
    """A picture on a line of its own is kept for figures.py, its alternative text becomes the caption."""
    def one(match):
        indent, caption, path = match.groups()
        source = ROOT / "chapters" / chapter.folder / path
        if not source.is_file():
            raise Stale(f"{chapter.lesson.relative_to(ROOT)} shows {path}, which is not there")
        caption = html.escape(re.sub(r"[`*]", "", caption), quote=False)
        return (f'{indent}<figure class="picture" data-picture="chapters/{chapter.folder}/{path}">'
                f"<figcaption>{caption}</figcaption></figure>")
    return re.sub(r"^( *)!\[([^\]]*)\]\(([^)\s]+\.svg)\)$", one, text, flags=re.M)


def linked_files(text, chapter, language):
    """A link to a starter leads to it on the same page; one to another file of the repository says where it lies."""
    ids = {name: e.id for e in chapter.exercises for name in e.files}

    def one(match):
        label, target = match.groups()
        if target in ids:
            return f"[`{label}`](#file-{ids[target].replace('.', '-')})"
        path = (ROOT / "chapters" / chapter.folder / target.split("#")[0]).resolve()
        if not path.exists():
            raise Stale(f"{chapter.lesson.relative_to(ROOT)} links to {target}, which is not there")
        if path.suffix == ".md" and (path.parent.parent == ROOT / "chapters" or path.parent == ROOT / "docs"):
            here = path.with_name(f"README.{language}.md").is_file() if path.name == "README.md" else False
            if language == "en" or here:
                return match.group(0)
            page = path.relative_to(ROOT).with_name("index.html" if path.name == "README.md" else path.stem + ".html").as_posix()
            anchor = "#" + target.split("#")[1] if "#" in target else ""
            return f"[{label} {words(language)['english_only']}](english:{page}{anchor})"
        return f"[{label}](source:{path.relative_to(ROOT)})"
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)\s]+)\)", lambda m: one(m) if is_path(m.group(2)) else m.group(0), text)


def is_path(target):
    return "/" in target or re.search(r"\.\w{1,5}$", target) is not None


def figures_to_play_with(text):
    """`<!-- figure: grid -->` becomes the figure; on a forge it is not seen."""
    return re.sub(r"^<!-- figure: ([\w-]+) *(.*?) *-->$", lambda m: f'<div data-play="{m.group(1)}" data-with="{m.group(2)}"></div>', text,
                  flags=re.M)


def with_cards(text, chapter, language):
    """The card of each exercise, at the end of its section."""
    parts = re.split(r"(?m)^(?=## )", text)
    seen = set()
    for number, part in enumerate(parts):
        found = re.match(r"## (\d+\.\d+)\b", part)
        exercise = next((e for e in chapter.exercises if found and e.id == found.group(1)), None)
        if exercise is not None:
            seen.add(exercise.id)
            parts[number] = part.rstrip() + "\n\n" + exercises.card(exercise, chapter, language) + "\n\n"
    missing = [e.id for e in chapter.exercises if e.id not in seen]
    if missing:
        raise Stale(f"{chapter.lesson.relative_to(ROOT)} has no section `## {missing[0]} ...`")
    return "".join(parts)


def chips(chapter, language, source):
    w = words(language)
    reading = max(5, round(len(re.sub(r"\W+", " ", source).split()) / 200 / 5) * 5)
    count = len(chapter.exercises)
    items = [w["one_exercise"] if count == 1 else f"{count}{' ' if language == 'en' else ''}{w['exercises']}", w["minutes"].format(reading)]
    links = "".join(f'<li><a href="#{e.stem}">{e.id} {exercises.title_of(e, chapter, language)}</a></li>' for e in chapter.exercises)
    facts = "".join(f"<li>{i}</li>" for i in items)
    return (f'<div class="about"><ul class="facts">{facts}</ul>'
            f'<ol class="steps" aria-label="{w["learn"]}">{links}</ol></div>')


def check_goals(path, text, language):
    """A lesson begins with what its reader will be able to do: three to five points, before anything else."""
    found = re.match(rf"# .*\n\n\*\*{GOALS[language]}\*\*\n\n((?:- .*\n(?:  .*\n)*)+)\n", text)
    count = len(re.findall(r"(?m)^- ", found.group(1))) if found else 0
    if not 3 <= count <= 5:
        raise Stale(f"{path.relative_to(ROOT).as_posix()} must begin with its title, `**{GOALS[language]}**`, and a list of three to five goals: "
                    f"it has {count}")


def questions(chapter, language):
    """The questions at the end: every option opens, and says why it is right or not. No script is needed, and nothing is counted."""
    w, out = words(language), []
    for number, question in enumerate(quiz_of(chapter, language).get("question", []), 1):
        out.append(f"**{number}.** {question['asks']}\n")
        for option in question["options"]:
            title = option["says"].replace('"', "&quot;")
            kind, verdict = ("right", w["right"]) if option.get("right") else ("other", w["not_so"])
            out.append(f'??? option-{kind} "{title}"\n\n    **{verdict}** {option["because"]}\n')
    return f"## {w['questions']} {{#questions}}\n\n" + "\n".join(out) + "\n" if out else ""


def read_more(chapter, language):
    found = quiz_of(chapter, language).get("read", [])
    return f"\n## {words(language)['read_more']} {{#read-more}}\n\n" + "\n".join(f"- {r}" for r in found) + "\n" if found else ""


def with_questions(text, chapter, language):
    """Before the list of what one knows now; the reading list after it, before the way on."""
    asked = questions(chapter, language)
    last = re.search(r"(?m)^## (?:What you know now|이제 아는 것)\s*$", text)
    if not last:
        return text + "\n" + asked + read_more(chapter, language)
    return text[:last.start()] + asked + text[last.start():] + read_more(chapter, language)


def translated(chapter, language, text):
    """(the translation, a note when it is older): it carries the hash of the English text that it was made from."""
    found = re.match(r"<!-- english: ([0-9a-f]{12}) -->\n", text)
    now = short_hash(read_text(chapter.lesson))
    if not found:
        raise Stale(f"{chapter.translated(language).relative_to(ROOT)} must begin with <!-- english: {now} -->")
    return text[found.end():], "" if found.group(1) == now else f'!!! stale ""\n    {words(language)["stale"]}\n\n'


def render(chapter, language):
    """The lesson's Markdown for the page, or None when it has not been translated."""
    path = chapter.lesson if language == "en" else chapter.translated(language)
    if language != "en" and not path.is_file():
        return None
    text, note = (read_text(path), "") if language == "en" else translated(chapter, language, read_text(path))
    source = text
    fences.check(chapter, path, text, whole=language == "en")
    check_goals(path, text, language)
    text = fences.without_marks(text)
    text = named_headings(text)
    text = without_rules(text)
    text = linked_files(text, chapter, language)
    text = open_details(text, words(language)["answer"])
    text = placed_pictures(text, chapter)
    text = figures_to_play_with(text)
    text = with_questions(with_cards(text, chapter, language), chapter, language)
    text = re.sub(r"(?m)^# .*$", lambda m: m.group(0) + "\n\n" + note + chips(chapter, language, source) + "\n", text, count=1)
    first = re.search(r"(?m)^# (.*)$", text).group(1)
    return f"---\ntitle: \"{first.replace(chr(34), '')}\"\n---\n\n{text}"
