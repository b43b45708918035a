"""The index of messages: from what a check said to the lesson that explains it.

Made from the headers of the wrong answers. `./workbook verify` proves that each of them is told so in these words.
"""
import html

from .repository import chapters

KINDS = (
    ("wrong", "Wrong", "The program ran, and what it did is not what was asked."),
    ("too slow", "Too slow", "The result is right and the time is over the bound."),
    ("crashed", "Crashed", "The program ended before it was done."),
    ("timed out", "Timed out", "The program did not come to an end."),
    ("did not compile", "Did not compile", "The compiler, or the workbook between compiler and linker, refused it."),
)


def entries(verdict):
    for chapter in chapters():
        for exercise in chapter.exercises:
            for mistake in exercise.mistakes:
                if mistake.verdict == verdict and telling(mistake):
                    yield chapter, exercise, mistake


def telling(mistake):
    """Its messages that a reader could look for: a bare number is none."""
    return [t for t in mistake.messages if len(t) >= 9 and sum(c.isalpha() for c in t) >= 5]


def sort_key(entry):
    first = telling(entry[2])[0].lower().lstrip("`'\" -")
    return not first[:1].isalpha(), first, entry[1].id


def row(chapter, exercise, mistake, prefix):
    said = " … ".join(f"<q>{html.escape(t)}</q>" for t in telling(mistake))
    link = f'{prefix}chapters/{chapter.folder}/index.html#{exercise.stem}'
    return (f'<li data-code="{html.escape(mistake.code)}"><p class="said">{said}</p>'
            f'<p>{html.escape(mistake.what[0].upper() + mistake.what[1:])}. '
            f'<a href="{link}">{exercise.id} {html.escape(exercise.title)}</a></p></li>')


def page(prefix=""):
    """The generated part of reference/messages.md: one list for each verdict."""
    out = []
    for verdict, title, meaning in KINDS:
        found = sorted(entries(verdict), key=sort_key)
        if not found:
            continue
        rows = "".join(row(c, e, m, prefix) for c, e, m in found)
        out.append(f"## {title} {{#{verdict.replace(' ', '-')}}}\n\n{meaning}\n\n<ul class=\"messages\">{rows}</ul>\n")
    return "\n".join(out)
