"""Lessons' pictures inside the page: real text, and colours that follow the page's theme.

A picture is an SVG file that looks right alone, on white. Here each of its colours becomes a variable with that colour
as its value in the light theme; assets/css/figures.css has the dark ones. For a colour that has none there one is computed.
"""
import colorsys
import re
import xml.etree.ElementTree as ElementTree

from .repository import ROOT, SITE, Stale, read_text


def known_colours():
    return set(re.findall(r"--p-([0-9a-f]{6})\b", read_text(SITE / "overrides/assets/css/figures.css")))


def full(colour):
    colour = colour.lower()
    return colour if len(colour) == 6 else "".join(c * 2 for c in colour)


def dark_partner(colour):
    """The same hue, light where it was dark: for a colour that nobody has chosen a partner for."""
    red, green, blue = (int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    return "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, 0.12 + 0.8 * (1 - light), min(1, saturation * 0.9)))


def themed(text):
    """`fill="#1f2933"` becomes the class f-1f2933 (f for fill, s for stroke), whose colour the style sheet has for each theme."""
    known = known_colours()

    def tag(match):
        classes, styles = [], []

        def take(m):
            kind, colour = m.group(1), full(m.group(2))
            if colour in known:
                classes.append(f"{kind[0]}-{colour}")
            else:
                styles.append(f"{kind}:light-dark(#{colour},#{dark_partner(colour)})")
            return ""
        inner = re.sub(r'\s(fill|stroke)="#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})"', take, match.group(0))
        inner = re.sub(r'\s(?:text-anchor="start"|rx="0"|stroke-width="1(?:\.0)?")', "", inner)
        for name, values, between in (("class", classes, " "), ("style", styles, ";")):
            if not values:
                continue
            if f' {name}="' in inner:
                inner = inner.replace(f' {name}="', f' {name}="{between.join(values)}{between}', 1)
            else:
                inner = re.sub(r"^<([\w:]+)", lambda m: f'<{m.group(1)} {name}="{between.join(values)}"', inner)
        return inner

    def in_style(match):
        colour = full(match.group(2))
        return match.group(1) + (f"var(--p-{colour})" if colour in known else f"light-dark(#{colour},#{dark_partner(colour)})")
    text = re.sub(r"<[\w:]+\s[^<>]*>", tag, text)
    # In a style, and for the colours of a gradient, the colour itself.
    return re.sub(r"((?:fill|stroke|stop-color)(?::\s*|=\"))#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b", in_style, text)


RECTANGLE = r'<rect(?: class="[^"]*")?(?: (?:x|y|width|height|stroke-width|opacity)="[^"]*")+(?: class="[^"]*")?/>'


def short(number):
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def joined_rectangles(text):
    """Rectangles that follow each other and look alike become one path: a quarter of the bytes, the same picture."""
    def run(match):
        out, before, shapes = [], None, ""

        def flush():
            if before is not None:
                out.append(f'<path{before} d="{shapes}"/>')
        for one in re.findall(RECTANGLE, match.group(0)):
            a = dict(re.findall(r' ([\w-]+)="([^"]*)"', one))
            look = "".join(f' {k}="{v}"' for k, v in a.items() if k not in ("x", "y", "width", "height"))
            shape = f'M{short(a.get("x", 0))} {short(a.get("y", 0))}h{short(a["width"])}v{short(a["height"])}h-{short(a["width"])}z'
            if look != before:
                flush()
                before, shapes = look, ""
            shapes += shape
        flush()
        return "".join(out)
    return re.sub(rf"(?:{RECTANGLE}\s*){{2,}}", run, text)


def inline(path, number):
    """The picture for a page; `number` keeps its ids apart from those of the others."""
    relative = path.relative_to(ROOT).as_posix()
    text = read_text(path)
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise Stale(f"{relative} is not an SVG file: {error}") from error
    text = re.sub(r"<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE.*?>", "", text, flags=re.S).strip()
    text = re.sub(r"\n+", "\n", text)
    prefix = f"f{number}-"
    ids = set(re.findall(r'\bid="([^"]+)"', text))
    text = re.sub(r'\bid="([^"]+)"', lambda m: f'id="{prefix}{m.group(1)}"', text)
    text = re.sub(r"url\(#([^)]+)\)", lambda m: f"url(#{prefix}{m.group(1)})" if m.group(1) in ids else m.group(0), text)
    text = re.sub(r'href="#([^"]+)"', lambda m: f'href="#{prefix}{m.group(1)}"', text)
    text = re.sub(r'(aria-(?:labelledby|describedby))="([^"]+)"',
                  lambda m: f'{m.group(1)}="{" ".join(prefix + i for i in m.group(2).split())}"', text)
    return joined_rectangles(themed(text))


def put_into(output):
    """Replaces what lesson.py left for each picture."""
    count = 0

    def one(match):
        nonlocal count
        count += 1
        picture = inline(ROOT / match.group(1), count)
        width = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+)', picture)
        size = f' style="max-width:{float(width.group(1)) / 16:.1f}rem"' if width else ""
        return (f'<figure class="picture"><div class="canvas scroll">'
                f'<div class="drawn"{size}>{picture}</div></div>')
    return re.sub(r'<figure class="picture" data-picture="([^"]+)">', one, output)


def terminals(output):
    """`<div class="terminal" data-terminal="docs/check-failing.svg">`: a picture of a terminal, as text of the page."""
    count = 0

    def one(match):
        nonlocal count
        count += 1
        path = ROOT / match.group(1)
        text = re.sub(r"<\?xml.*?\?>", "", read_text(path)).strip()
        prefix = f"t{count}-"
        text = re.sub(r'\bid="([^"]+)"', lambda m: f'id="{prefix}{m.group(1)}"', text)
        text = re.sub(r'(aria-(?:labelledby|describedby))="([^"]+)"',
                      lambda m: f'{m.group(1)}="{" ".join(prefix + i for i in m.group(2).split())}"', text)
        return f'<div class="terminal scroll">{text}</div>'
    return re.sub(r'<div class="terminal" data-terminal="([^"]+)"></div>', one, output)
