"""The card of an exercise: what is asked, the starter, three hints, a solution, and the mistakes its check knows.

All of it is read from the files that the workbook itself uses and its tests prove, so no card can say what is not so.
"""
import html
import re

from . import api
from .repository import ROOT, chapters, first_words_of, manifest_translation, read_text
from .words import words

LEXERS = {".cu": "cuda", ".cuh": "cuda", ".h": "cuda", ".cpp": "cpp", ".flags": "text"}


def title_of(exercise, chapter, language):
    if language == "en":
        return exercise.title
    return manifest_translation(chapter, language).get(exercise.id, {}).get("title", exercise.title)


def indented(text, by=4):
    return "\n".join(" " * by + line if line.strip() else "" for line in text.split("\n"))


def fence(path, title=""):
    text = read_text(path).rstrip("\n")
    ticks = "````" if "```" in text else "```"
    head = f'{ticks} {{.{LEXERS.get(path.suffix, "text")}' + (f' title="{title}"' if title else "") + "}"
    return f"{head}\n{text}\n{ticks}"


def block(kind, title, body, anchor=""):
    # The `#id` of a block has no place in its syntax: an empty element above it carries it.
    mark = f'<a id="{anchor}"></a>\n\n' if anchor else ""
    return f'{mark}??? {kind} "{title}"\n\n{indented(body)}\n'


def bounds_text(exercise, w):
    rules = [rule for _, rule, _ in exercise.bounds if rule]
    return f"\n**{w['time_bound']}:** " + "; ".join(html.escape(r, quote=False) for r in rules) + "." if rules else ""


def plain(text):
    """Text of ours in Markdown: nothing in it is markup, but what stands between backticks is code."""
    return re.sub(r"([\\*_\[\]])", r"\\\1", html.escape(text, quote=False)) if "`" not in text else "".join(
        piece if n % 2 else plain(piece) for n, piece in enumerate(re.split(r"(`[^`]+`)", text)))


def mistakes_table(exercise, w):
    rows = []
    for m in exercise.mistakes:
        said = " … ".join(f'<q>{html.escape(t)}</q>' for t in m.messages)
        rows.append(f'<tr><td>{html.escape(m.what)}</td><td><span class="verdict v-{m.verdict.replace(" ", "-")}">{m.verdict}</span> {said}</td></tr>')
    head = f'<tr><th scope="col">{w["somebody"]}</th><th scope="col">{w["told"]}</th></tr>'
    return (f'<div class="scroll"><table class="mistakes"><thead>{head}</thead>'
            f'<tbody>{"".join(rows)}</tbody></table></div>')


def put_tables(content, language):
    """The tables of mistakes, where `card` left a mark: Markdown would look for markup in them."""
    by_id = {e.id: e for c in chapters() for e in c.exercises}
    return re.sub(r"<p>%%mistakes ([\d.]+)%%</p>", lambda m: mistakes_table(by_id[m.group(1)], words(language)), content)


def first_words(exercise, w):
    """What the check says of the starter, as it was recorded; closed, for who wants to see where it begins."""
    path = first_words_of(exercise)
    return block("says", w["first_words"], "```` {.text .says}\n" + read_text(path).rstrip("\n") + "\n````") if path.is_file() else ""


def card(exercise, chapter, language):
    w = words(language)
    own = manifest_translation(chapter, language).get(exercise.id, {}) if language != "en" else {}
    asked, hints = own.get("asked", exercise.asked), own.get("hints", exercise.hints)
    starters = "\n\n".join(fence(p, f"work/{exercise.chapter}/{p.name}") for p in exercise.starters)
    solutions = w["before_solution"] + "\n\n" + "\n\n".join(fence(p, p.relative_to(ROOT).as_posix()) for p in exercise.solutions)
    number = exercise.id.replace(".", "-")
    headers = api.headers_of(exercise)
    body = [plain(asked) + (f" ({w['gpu_only']})" if exercise.needs_gpu else ""), bounds_text(exercise, w), f"**{w['with']}:** {headers}" if headers else "",
            f"``` {{.text .run}}\n./workbook check {exercise.id}\n```", first_words(exercise, w), block("file", w["starter"], starters, f"file-{number}")]
    body += [block("hint", f"{w['hint']} {n}", plain(h)) for n, h in enumerate(hints, 1)]
    body += [block("solution", w["solution"], solutions, f"solution-{number}"), block("mistakes", w["mistakes"], f"%%mistakes {exercise.id}%%\n\n{w['mistakes_more'].format(exercise.id)}")]
    title = f"{w['exercise']} {exercise.id} · {title_of(exercise, chapter, language)}".replace('"', "&quot;")
    return f'!!! exercise "{title}"\n\n' + indented("\n\n".join(b for b in body if b))
