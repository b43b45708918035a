"""The path through the book as a map: one station for each chapter, drawn for wide screens; a list for narrow ones."""
import html

from .repository import chapters, manifest_translation
from .words import words

ACROSS, WIDE, HIGH, GAP_X, GAP_Y, LEFT, TOP = 4, 204, 104, 32, 44, 24, 6


def title_in(chapter, language):
    return manifest_translation(chapter, language).get("chapter", {}).get("title", chapter.title) if language != "en" else chapter.title


def target(chapter, language):
    """The chapter's page from the landing page of this language; English where there is no translation."""
    page = f"chapters/{chapter.folder}/index.html"
    if language == "en":
        return page, ""
    return (page, "") if chapter.translated(language).is_file() else ("../" + page, words(language)["english_only"])


def lines_of(title, letters=14):
    lines = [""]
    for word in title.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def place(index):
    row, column = divmod(index, ACROSS)
    if row % 2:
        column = ACROSS - 1 - column
    return LEFT + column * (WIDE + GAP_X), TOP + row * (HIGH + GAP_Y)


def road(count):
    points = [place(i) for i in range(count)]
    d = f"M{points[0][0] + WIDE / 2} {points[0][1] + HIGH / 2}"
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        cx, cy0, cy1 = x1 + WIDE / 2, y0 + HIGH / 2, y1 + HIGH / 2
        if y0 == y1:
            d += f" L{cx} {cy1}"
        else:  # round the bend, outside of the stations
            out = (x0 + WIDE + 22) if x0 > LEFT else (x0 - 22)
            edge = x0 + WIDE if x0 > LEFT else x0
            d += f" L{edge} {cy0} C{out} {cy0} {out} {cy1} {edge} {cy1} L{cx} {cy1}"
    return d


def station(index, chapter, language):
    x, y = place(index)
    href, note = target(chapter, language)
    w = words(language)
    count = len(chapter.exercises)
    under = w["one_exercise"] if count == 1 else f"{count}{' ' if language == 'en' else ''}{w['exercises']}"
    title = title_in(chapter, language)
    rows = "".join(f'<tspan x="{x + 60}" dy="{0 if n == 0 else 19}">{html.escape(line)}</tspan>' for n, line in enumerate(lines_of(title)))
    label = html.escape(f"{chapter.number}. {title}, {under} {note}".strip())
    return (f'<a href="{href}" aria-label="{label}"><rect class="station" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="10"/>'
            f'<circle class="number" cx="{x + 32}" cy="{y + 34}" r="17"/><text class="figure" x="{x + 32}" y="{y + 39.5}" text-anchor="middle">{chapter.number}</text>'
            f'<text class="title" x="{x + 60}" y="{y + 32}">{rows}</text>'
            f'<text class="under" x="{x + 60}" y="{y + HIGH - 16}">{html.escape((under + " " + note).strip())}</text></a>')


def draw(language):
    found = chapters()
    rows = (len(found) + ACROSS - 1) // ACROSS
    width, height = 2 * LEFT + ACROSS * WIDE + (ACROSS - 1) * GAP_X, 2 * TOP + rows * HIGH + (rows - 1) * GAP_Y
    stations = "".join(station(i, c, language) for i, c in enumerate(found))
    items = ""
    for c in found:
        href, note = target(c, language)
        items += (f'<li><a href="{href}"><span class="number">{c.number}</span> <span class="title">{html.escape(title_in(c, language))}</span> '
                  f'<span class="under">{len(c.exercises)} {words(language)["exercises"]} {note}</span></a></li>')
    # pathLength makes the dashes count in steps of the road.
    return (f'<nav class="path" aria-label="{words(language)["map"]}">'
            f'<svg class="wide" viewBox="0 0 {width} {height}" role="group" aria-label="{words(language)["map"]}"><path class="road" d="{road(len(found))}"/>{stations}</svg>'
            f'<ol class="narrow">{items}</ol></nav>')
