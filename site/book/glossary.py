"""Words of the trade: at its first use on a page a word is a link to its entry, and shows it on hover."""
import html
import re

from .repository import SITE, Stale, read_text

SKIP = {"a", "code", "pre", "h1", "h2", "h3", "h4", "button", "summary", "svg", "script", "style", "nav", "figcaption", "th", "q"}
TAG = re.compile(r"(<[^>]+>)")


def entries(language):
    """reference/glossary.md: `### Term {#id}` and a paragraph; `*also: a, b*` gives other forms."""
    path = SITE / "content" / language / "reference/glossary.md"
    if not path.is_file():
        return []
    out = []
    for part in re.split(r"(?m)^### ", read_text(path))[1:]:
        head = re.match(r"(.+?) \{#([\w-]+)\}\n+(.*?)(?:\n\n|\Z)", part, flags=re.S)
        if not head:
            raise Stale(f"{path.name}: every entry is `### Term {{#id}}`, then a paragraph: {part[:60]!r}")
        term, anchor, text = head.groups()
        also = re.search(r"\*also: (.+?)\*", part)
        forms = [term] + ([f.strip() for f in also.group(1).split(",")] if also else [])
        plain = re.sub(r"\[([^\]]+)\]\([^)]+\)|[`*]", r"\1", " ".join(re.sub(r"\*also: .+?\*", "", text).split()))
        out.append((anchor, forms, plain))
    return out


def link_first_uses(content, language, to_glossary):
    """Links the first use of each term in a page's HTML."""
    known = {}
    for anchor, forms, text in entries(language):
        for form in forms:
            known[form.lower()] = (anchor, text)
    if not known:
        return content
    longest = sorted(known, key=len, reverse=True)
    end = r"\b" if language == "en" else ""
    pattern = re.compile(r"(?<![\w-])(" + "|".join(re.escape(t) for t in longest) + ")" + end, re.I)
    used, out, closed = set(), [], []

    def one(match):
        anchor, text = known[match.group(1).lower()]
        if anchor in used:
            return match.group(0)
        used.add(anchor)
        return f'<a class="term" href="{to_glossary}#{anchor}" title="{html.escape(text)}">{match.group(1)}</a>'
    for piece in TAG.split(content):
        if piece.startswith("<"):
            name = re.match(r"</?([a-zA-Z][\w-]*)", piece)
            if name and name.group(1).lower() in SKIP and not piece.endswith("/>"):
                if piece.startswith("</"):
                    if closed:
                        closed.pop()
                else:
                    closed.append(name.group(1))
            out.append(piece)
        else:
            out.append(piece if closed or not piece.strip() else pattern.sub(one, piece))
    return "".join(out)
