"""The theme's style sheet without what the book has not: other writing directions, tabs, keys, blogs, versions, consent.

A rule goes only when each of its selectors names something that no page of ours can have.
"""
import re

UNUSED = re.compile(r"\[dir=rtl\]|\[data-md-color-(?:primary|accent)=(?!custom)|\.md-(?:consent|feedback|post|author|meta|version|annotation|source-file|source__|tag\b|tags|progress|banner|"
                    r"social|blog|typeset__comments|pagination|profile|status|ellipsis-|select)|\.mermaid|\.giscus|\.glightbox|\.lb-|\.twemoji|"
                    r"\.arithmatex|\.critic|\.key-|\.keys\b|\.tabbed-|\.task-list|\.footnote|\.headerlink-|\.grid\b|\.(?:note|abstract|summary|tldr|info|todo|tip|important|success|check|done|question|help|faq|"
                    r"warning|caution|attention|failure|fail|missing|danger|error|bug|example|quote|cite)\b")


def rules(css):
    """(head, body) of each rule; an @-block's body is its text."""
    at = 0
    while at < len(css):
        brace, semicolon = css.find("{", at), css.find(";", at)
        if 0 <= semicolon < brace or brace < 0:  # @charset and the like
            end = semicolon + 1 if semicolon >= 0 else len(css)
            yield css[at:end], None
            at = end
            continue
        depth, end, quote = 1, brace + 1, ""
        while depth:
            c = css[end]
            if quote:
                quote = "" if c == quote and css[end - 1] != "\\" else quote
            elif c in "\"'":
                quote = c
            else:
                depth += {"{": 1, "}": -1}.get(c, 0)
            end += 1
        yield css[at:brace], css[brace + 1:end - 1]
        at = end


def selectors(head):
    return re.split(r",(?![^(\[]*[)\]])", head)


def slim(css):
    out = []
    for head, body in rules(re.sub(r"/\*.*?\*/", "", css, flags=re.S)):
        if body is None:
            out.append(head)
        elif head.lstrip().startswith(("@media", "@supports")):
            inside = slim(body)
            if inside.strip():
                out.append(f"{head}{{{inside}}}")
        elif head.lstrip().startswith("@"):
            out.append(f"{head}{{{body}}}")
        else:
            kept = [s for s in selectors(head) if not UNUSED.search(s)]
            body = re.sub(r"--md-(?:admonition-icon|tag-icon|status|annotation|source|version|social|tasklist)[\w-]*:url\((?:'[^']*'|\"[^\"]*\"|[^)]*)\);?", "", body)
            if kept and body.strip():
                out.append(f"{','.join(kept)}{{{body}}}")
    return "".join(out)


def without_air(text, suffix):
    """Our own sheets and scripts without comments and indentation. Nothing of ours has a string over several lines."""
    if suffix == ".css":
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"\s*\n\s*", "", text)
        return re.sub(r" ?([{};,]) ?|(:) ", r"\1\2", text)
    lines = (line.strip() for line in re.sub(r"(?m)^\s*/\*.*?\*/\s*$", "", text, flags=re.S).split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def slim_folder(html):
    """Slims the theme's sheets of a built site; says how many bytes are left of how many."""
    before = after = 0
    for path in [*html.rglob("assets/stylesheets/main.*.min.css"), *html.rglob("assets/stylesheets/palette.*.min.css")]:
        css = path.read_text(encoding="utf-8")
        less = slim(css)
        before, after = before + len(css), after + len(less)
        path.write_text(less, encoding="utf-8")
    for folder in ("css", "js", "figures"):
        for path in html.rglob(f"assets/{folder}/*"):
            if path.suffix in (".css", ".js"):
                path.write_text(without_air(path.read_text(encoding="utf-8"), path.suffix), encoding="utf-8")
    return before, after
