"""What a reader's browser would follow, read from the built pages without a browser."""
import html.parser
import pathlib
import urllib.parse

VOID_OF_LINKS = ("data:", "mailto:", "javascript:")


class Page(html.parser.HTMLParser):
    """Links, ids and what is loaded, of one page."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path = path
        self.links, self.loads, self.ids, self.doubled = [], [], set(), []
        self.lang = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if tag == "html":
            self.lang = a.get("lang", "")
        for name in ("id", "name") if tag == "a" else ("id",):
            if a.get(name):
                if name == "id" and a[name] in self.ids:
                    self.doubled.append(a[name])
                self.ids.add(a[name])
        if tag in ("a", "area") and a.get("href") is not None:
            self.links.append(a["href"])
        for name in ("src", "poster", "data"):
            if a.get(name) and tag in ("script", "img", "iframe", "video", "source", "object", "embed", "input"):
                self.loads.append(a[name])
        if tag == "link" and a.get("href") and a.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.loads.append(a["href"])

    handle_startendtag = handle_starttag


def all_pages(root):
    return {p: Page(p) for p in sorted(pathlib.Path(root).rglob("*.html"))}


def outside(address):
    return urllib.parse.urlsplit(address).netloc or address.startswith("//")


def problems(root):
    """Dead links, anchors that are not there, ids used twice, and everything that would be fetched from elsewhere."""
    root = pathlib.Path(root).resolve()
    pages = all_pages(root)
    found = []
    for path, page in pages.items():
        shown = path.relative_to(root)
        if path.name == "404.html":
            continue  # is served for any address, so its own are absolute
        found += [f"{shown}: the id {i} is there twice" for i in page.doubled]
        if not page.lang:
            found.append(f"{shown}: <html> has no language")
        for address in page.loads:
            if outside(address):
                found.append(f"{shown}: loads {address}")
        for address in page.links + page.loads:
            if not address or address.startswith(VOID_OF_LINKS) or outside(address):
                continue
            parts = urllib.parse.urlsplit(address)
            if parts.scheme:
                found.append(f"{shown}: a link that nobody resolved: {address}")
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                found.append(f"{shown}: leads to {address}, which is not there")
            elif parts.fragment and target.suffix == ".html":
                there = pages.get(target)
                fragment = urllib.parse.unquote(parts.fragment)
                if there is not None and fragment not in there.ids and fragment != "top" and not fragment.startswith("__"):
                    found.append(f"{shown}: leads to {address}, and that page has no {fragment}")
    return found


def weight(path):
    """Bytes of a page with all that it names: styles, scripts, pictures of its own frame."""
    page = Page(path)
    total = path.stat().st_size
    for address in set(page.loads):
        if not outside(address) and not address.startswith("data:"):
            target = (path.parent / urllib.parse.urlsplit(address).path).resolve()
            total += target.stat().st_size if target.is_file() else 0
    return total
