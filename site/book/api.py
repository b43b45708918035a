"""The API pages that Doxygen makes (site/api/Doxyfile), and links to them: `[text](api:name)`, `[text](source:path)`.

Doxygen's warnings are errors in the book's test: what a public header shows has a comment. Its pages are brought to the site's look and made
accessible here. Without Doxygen on the machine the book has no API, and links to it are plain words.
"""
import functools
import html
import os
import posixpath
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

from .repository import BUILD, ROOT, SITE, Stale, chapters, read_text

OUT = BUILD / "api"
PAGES = OUT / "pages"
DOXYFILE = SITE / "api/Doxyfile"
TESTED_WITH = "1.9.4"  # another version has other warnings; only this one's are errors


def program():
    return None if os.environ.get("WORKBOOK_SITE_API") == "off" else shutil.which("doxygen")


def there():
    return (PAGES / "index.html").is_file() and program() is not None


def inputs():
    found = re.search(r"(?m)^INPUT\s*=\s*(.*)$", read_text(DOXYFILE))
    for name in found.group(1).split():
        path = ROOT / name
        yield from [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix == ".h" or p.suffix == ".cuh" and name != "kernels")


def up_to_date():
    stamp = OUT / "stamp"
    if not stamp.is_file() or not (PAGES / "index.html").is_file():
        return False
    made = stamp.stat().st_mtime
    return all(p.stat().st_mtime < made for p in [*inputs(), *(SITE / "api").iterdir(), SITE / "book/api.py", *(ROOT / "chapters").glob("*/chapter.toml")])


def build():
    """Runs Doxygen when something has changed. With WORKBOOK_SITE_API=strict its complaints end the build, each with file and line."""
    if program() is None:
        shutil.rmtree(OUT, ignore_errors=True)
        return
    if up_to_date():
        return
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    own = OUT / "Doxyfile"
    own.write_text(read_text(DOXYFILE) + f'\nOUTPUT_DIRECTORY = "{OUT}"\nGENERATE_TAGFILE = "{OUT}/tags"\nHTML_OUTPUT = raw\n'
                   f'HTML_HEADER = "{SITE}/api/header.html"\nHTML_FOOTER = "{SITE}/api/footer.html"\n', encoding="utf-8")
    run = subprocess.run([program(), str(own)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    version = subprocess.run([program(), "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    complaints = [line.replace(f"{ROOT}/", "") for line in run.stdout.splitlines() if re.search(r": (?:error|warning): ", line)]
    if (complaints or run.returncode != 0) and version.startswith(TESTED_WITH):
        told = "\n  ".join(dict.fromkeys(complaints or run.stdout.splitlines()[-5:]))
        if os.environ.get("WORKBOOK_SITE_API") == "strict":
            raise Stale(f"Doxygen complains:\n  {told}")
        # A reader shall have the book all the same; the test of the book does not let it pass.
        print(f"  API           Doxygen complains, and the book's test will:\n  {told}", flush=True)
    PAGES.mkdir()
    header_of = {address.split("/")[-1]: name[5:] for name, address in tags().items() if name.startswith("file:")}
    for path in sorted((OUT / "raw").iterdir()):
        # Lists of all members of a type, and of all types by letter, say nothing that the types' pages and the search don't.
        if path.suffix == ".html" and not re.search(r"-members$|^(?:functions|globals|namespacemembers_|dir_)", path.stem):
            page = finished(path.read_text(encoding="utf-8"))
            (PAGES / path.name).write_text(with_lessons(page, header_of.get(path.name, "")), encoding="utf-8")
    shutil.copy(SITE / "api/api.css", PAGES / "api.css")
    shutil.copy(SITE / "api/api.js", PAGES / "api.js")
    (OUT / "stamp").touch()


def finished(text):
    """Doxygen's page as HTML that a reader of screens can use; scripts that the site has not are gone."""
    text = re.sub(r'<div class="title">(.*?)</div>', r'<h1 class="title">\1</h1>', text, count=1, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r'<a class="el" href="dir_\w+\.html"[^>]*>(.*?)</a>', r"\1", text)
    text = re.sub(r'(?:\s*&#124;\s*)?<a href="[\w.-]+-members\.html">.*?</a>', "", text)
    text = re.sub(r'\s(?:valign|align|cellspacing|cellpadding|border|width|nowrap|summary|bgcolor|height)="[^"]*"|\snowrap(?=[\s>])', "", text)
    # Doxygen heads a list of members with <h2> inside a table row, and gives a member's name two ids.
    text = re.sub(r'<a name="([^"]+)" id="\1"></a>', r'<a id="\1"></a>', text)
    text = re.sub(r'<a id="([^"]+)" name="\1"></a>', r'<a id="\1"></a>', text)
    text = re.sub(r'<a name="([^"]+)"></a>', r'<a id="\1"></a>', text)
    text = re.sub(r'<a class="(line|el|code)" name="([^"]+)" id="\2"', r'<a class="\1" id="\2"', text)
    text = re.sub(r'<span class="permalink"><a href="([^"]+)">&#9670;&(?:#160|nbsp);</a></span>', r'<a class="permalink" href="\1" aria-label="Link to this">#</a>', text)
    if "<h1" not in text:  # lists of all members of namespaces
        text = re.sub(r"(</?)h3\b", r"\1h2", text)
        title = re.search(r"<title>(?:[^<]*: )?([^<:]*)</title>", text)
        text = text.replace('<div class="contents">', f'<div class="contents">\n<h1>{title.group(1).strip() if title else "Members"}</h1>', 1)
    text = re.sub(r'<table class="memname">', '<table class="memname" role="presentation">', text)
    text = re.sub(r'<table class="memberdecls">', '<table class="memberdecls" role="presentation">', text)
    text = re.sub(r'<table class="mlabels">', '<table class="mlabels" role="presentation">', text)
    text = re.sub(r'<table class="params">', '<table class="params" role="presentation">', text)
    return text


@functools.lru_cache(maxsize=None)
def used_by():
    """header -> exercises whose check, driver or starter includes it. What every check includes is left out."""
    found = {}
    for chapter in chapters():
        for exercise in chapter.exercises:
            tests = ROOT / "tests/exercises" / exercise.chapter
            for path in [tests / f"{exercise.stem}.cpp", tests / f"{exercise.stem}.driver.cpp", *exercise.starters]:
                for name in re.findall(r'#include [<"]((?:kernels|workbook)/[^>"]+)[>"]', path.read_text(encoding="utf-8") if path.is_file() else ""):
                    header = name if name.startswith("kernels/") else "include/" + name
                    if header not in ("include/workbook/check.h", "include/workbook/driver.h") and exercise not in found.setdefault(header, []):
                        found[header].append(exercise)
    return found


def headers_of(exercise):
    """Markdown: what an exercise is measured against or works with, linked to its page of the API."""
    return ", ".join(f"[`{h}`](source:{h})" for h, exercises in sorted(used_by().items()) if exercise in exercises)


def with_lessons(page, header):
    """The page of a header, with links to the lessons that it belongs to."""
    links = ", ".join(f'<a href="../chapters/{e.chapter}/index.html#{e.stem}">{e.id} {html.escape(e.title)}</a>' for e in used_by().get(header, []))
    if not links:
        return page
    return page.replace('<div class="contents">', f'<div class="contents">\n<p class="lessons">In the lessons: {links}</p>', 1)


def headers():
    """A list of the documented headers, each with the first sentence of its essay."""
    groups = {}
    for path in inputs():
        if path == SITE / "api/main.h":
            continue
        relative = path.relative_to(ROOT).as_posix()
        essay = []
        for line in read_text(path).splitlines():
            if not line.startswith("//") or line.strip() in ("//", "///"):
                break
            essay.append(re.sub(r"^///? ?", "", line))
        first = re.match(r"(.+?[.:])(?:\s|$)", " ".join(essay))
        if not first:
            raise Stale(f"{relative} begins without a sentence about itself")
        groups.setdefault(posixpath.dirname(relative).split("/")[0], []).append(f"- [`{relative}`](source:{relative}): {first.group(1).rstrip(':')}")
    titles = {"include": "What exercises and checks include", "kernels": "Kernels", "src": "The time model"}
    return "\n\n".join(f"## {titles.get(g, g)}\n\n" + "\n".join(lines) for g, lines in groups.items())


def tags():
    """name -> address in the site, of everything that has a page or a place on one."""
    path = OUT / "tags"
    found = {}
    if not path.is_file():
        return found

    def page(name):
        return "api/" + (name if name.endswith(".html") else name + ".html")
    for compound in ElementTree.parse(path).getroot().iter("compound"):
        kind, name, file = compound.get("kind"), compound.findtext("name"), compound.findtext("filename")
        if kind == "file":
            found["file:" + os.path.relpath(ROOT / (compound.findtext("path") or "") / name, ROOT)] = page(file)
            continue
        if file and kind in ("class", "struct", "namespace", "union"):
            found[name] = page(file)
        for member in compound.iter("member"):
            anchor_file, anchor = member.findtext("anchorfile"), member.findtext("anchor")
            if anchor_file and anchor:
                full = member.findtext("name") if kind == "file" else f"{name}::{member.findtext('name')}"
                found.setdefault(full, f"{page(anchor_file)}#{anchor}")
    return found


def files():
    """The finished pages: (address in the site, file)."""
    if not there():
        return []
    return [(f"api/{p.name}", p) for p in sorted(PAGES.iterdir())]


def resolve(output, here):
    """`api:` and `source:` links of a page: to the API where it has a place for them, else just the words."""
    if 'href="api:' not in output and 'href="source:' not in output:
        return output
    known = tags() if there() else {}

    def relative(target):
        path, _, anchor = target.partition("#")
        return posixpath.relpath(path, posixpath.dirname(here) or ".") + ("#" + anchor if anchor else "")

    def one(match):
        kind, target, label = match.group(1), html.unescape(match.group(2)), match.group(3)
        if kind == "source":
            if not (ROOT / target).exists():
                raise Stale(f"{target} is not there")
            address = known.get(f"file:{target}")
        else:
            address = known.get(target) or known.get("workbook::" + target)
            if address is None and known:
                raise Stale(f"the API has no {target}")
        return f'<a href="{relative(address)}">{label}</a>' if address else f'<span class="source" title="{html.escape(target)}">{label}</span>'
    return re.sub(r'<a href="(source|api):([^"]+)">(.*?)</a>', one, output)
