#!/usr/bin/env python3
"""A picture of a terminal, from what a command really printed.

    tools/terminal_picture.py OUTPUT.svg 'TITLE' -- COMMAND [ARGUMENTS ...]

Runs the command on a terminal of its own (so that it prints color), and draws its output as SVG text. The README's
pictures are made by tools/make_pictures.sh.
"""
import html
import os
import pathlib
import pty
import re
import sys
import unicodedata

COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "1": "#ffffff", "2": "#8b949e"}
WIDE, HIGH, LEFT, TOP = 8.43, 19, 18, 52


def output_of(command):
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    seen = []
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:   # how Linux says that the other side has closed
            break
        if not data:
            break
        seen.append(data)
    os.waitpid(child, 0)
    text = b"".join(seen).decode(errors="replace").replace("\r\n", "\n")
    # What a carriage return went over is gone, as on a terminal.
    return "\n".join(line.rsplit("\r", 1)[-1] for line in text.split("\n")).rstrip("\n")


def columns(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def spans_of(line):
    color = None
    at = 0
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b["):
            color = COLORS.get(piece[2:-1].split(";")[-1])
        elif piece:
            yield at, piece, color
            at += columns(piece)


def draw(text, title, command):
    lines = [f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m", *text.split("\n")]
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    width = LEFT * 2 + WIDE * max(80, max(columns(line) for line in plain))
    height = TOP + HIGH * len(lines) + 14
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" role="img">',
           f"<title>{html.escape(title)}</title>",
           f'<rect width="{width:.0f}" height="{height}" rx="9" fill="#0d1117"/>']
    for i, dot in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        out.append(f'<circle cx="{20 + 20 * i}" cy="19" r="6" fill="{dot}"/>')
    out.append('<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" '
               'fill="#c9d1d9" xml:space="preserve">')
    for number, line in enumerate(lines):
        y = TOP + HIGH * number
        for at, piece, color in spans_of(line):
            fill = f' fill="{color}"' if color else ""
            x = LEFT + WIDE * at
            # The length is given, so that every font keeps the columns.
            out.append(f'<text x="{x:.1f}" y="{y}" textLength="{WIDE * columns(piece):.1f}" lengthAdjust="spacingAndGlyphs"{fill}>'
                       f"{html.escape(piece).replace(' ', chr(160))}</text>")
    out.append("</g></svg>")
    return "\n".join(out) + "\n"


def main():
    if "--" not in sys.argv or len(sys.argv) < 5:
        print(__doc__)
        return 2
    split = sys.argv.index("--")
    target, title = sys.argv[1:split]
    command = sys.argv[split + 1:]
    pathlib.Path(target).write_text(draw(output_of(command), title, " ".join(command)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
