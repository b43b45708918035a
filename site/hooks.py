"""What MkDocs calls while it builds: puts the repository's lessons and documents among the pages, and finishes them."""
import pathlib
import posixpath
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from mkdocs.exceptions import PluginError  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402

from book import api, documents, exercises, figures, glossary, lesson, messages, pathmap, play, repository  # noqa: E402
from book.repository import Stale  # noqa: E402

NAMES = (("English", "en"), ("한국어", "ko"))
TITLES = {
    "en": {"home": "Home", "start": "Start", "chapters": "Chapters", "figures": "Figures", "reference": "Reference", "teach": "Teach"},
    "ko": {"home": "처음", "start": "시작하기", "chapters": "장", "figures": "그림", "reference": "참고", "teach": "가르치기"},
}


def language_of(config):
    return config.theme["language"]


def complain(error):
    raise PluginError(f"\n{error}\n")


def on_config(config):
    repository.forget()
    try:
        config.nav = navigation(language_of(config))
    except Stale as error:
        complain(error)
    return config


def navigation(language):
    t = TITLES[language]
    lessons = [{f"{c.number}. {pathmap.title_in(c, language)}": c.page} for c in repository.chapters()
               if language == "en" or c.translated(language).is_file()]
    content = repository.SITE / "content" / language

    def pages(folder):
        order = content / folder / "order.txt"
        names = order.read_text(encoding="utf-8").split() if order.is_file() else []
        return [f"{folder}/{n}" for n in names]
    nav = [{t["home"]: "index.md"}]
    if pages("start"):
        nav.append({t["start"]: pages("start")})
    nav.append({t["chapters"]: lessons})
    if pages("figures"):
        nav.append({t["figures"]: pages("figures")})
    reference = pages("reference")
    if language == "en":
        reference += [{title: page} for title, page in documents.in_reference()]
    if reference:
        nav.append({t["reference"]: reference})
    if language == "en":
        nav.append({t["teach"]: [{title: page} for title, page in documents.in_teaching()]})
    return nav


def on_files(files, config):
    language = language_of(config)
    try:
        for chapter in repository.chapters():
            text = lesson.render(chapter, language)
            if text is not None:
                files.append(File.generated(config, chapter.page, content=text))
        if language == "en":
            for page, text in documents.rendered():
                files.append(File.generated(config, page, content=text))
        for page, text in play.assets():
            files.append(File.generated(config, page, content=text))
    except Stale as error:
        complain(error)
    for leftover in [f for f in files if f.src_uri.endswith("order.txt")]:
        files.remove(leftover)
    return files


def on_page_markdown(markdown, page, config, files):
    language = language_of(config)
    try:
        if "{{ map }}" in markdown:
            markdown = markdown.replace("{{ map }}", pathmap.draw(language))
        if "{{ headers }}" in markdown:
            markdown = markdown.replace("{{ headers }}", api.headers())
        if "{{ messages }}" in markdown:
            markdown = markdown.replace("{{ messages }}", messages.page("../"))
        if "{{ count }}" in markdown:
            markdown = markdown.replace("{{ count }}", str(sum(len(c.exercises) for c in repository.chapters())))
        if "{{ chapters }}" in markdown:
            markdown = markdown.replace("{{ chapters }}", str(len(repository.chapters())))
        return markdown
    except Stale as error:
        complain(error)


def marked_paragraphs(content, language):
    """The kinds of paragraph that every lesson has, named for the style sheet."""
    for words, name in ((r"Predict\.|맞혀 보세요\.", "predict"), (r"The mistake (?:that )?every(?:one|body) makes|누구나 하는 실수", "mistake"),
                        (r"Your turn:|해 보세요:", "turn")):
        content = re.sub(rf"<p><strong>({words})", rf'<p class="{name}"><strong>\1', content)
        content = re.sub(r"<p>(The mistake that everybody makes here)", r'<p class="mistake">\1', content)
    content = re.sub(rf"<p><strong>({'|'.join(lesson.GOALS.values())})</strong></p>\n<ul>",
                     r'<div class="goals"><p><strong>\1</strong></p>\n<ul>', content, count=1)
    content = re.sub(r'(<div class="goals">.*?</ul>)', r"\1</div>", content, count=1, flags=re.S)
    content = content.replace("<blockquote>\n<p><strong>", '<blockquote class="said">\n<p><strong>')
    # Inside an indented block Markdown takes HTML for a part of a sentence.
    content = re.sub(r'<p>(<figure class="picture".*?</figure>)</p>', r"\1", content, flags=re.S)
    content = exercises.put_tables(content, language)
    # Found in the lesson's words and in the index of messages; the code would only be in the way there.
    content = re.sub(r'<details class="(file|solution|mistakes|says)">', r'<details class="\1" data-search-exclude>', content)
    # Half of a page's weight would be marks around blanks, commas and names, all in the colour of the text.
    content = re.sub(r'<span class="(?:w|p|n|o|err|fm)">([^<]*)</span>', r"\1", content)
    # Many small tables have no heads, and Markdown can't say so.
    content = re.sub(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>\s*", "", content)
    content = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", content)
    # A figure keeps its unit beside it.
    content = re.sub(r"<td>([~≈]?[\d.,]+) (\w{1,3}|%|[GM]B/s)</td>", "<td>\\1\u00a0\\2</td>", content)
    # A table that is wider than a phone scrolls by itself.
    content = re.sub(r"<table>(.*?)</table>", r'<div class="scroll"><table class="plain">\1</table></div>', content, flags=re.S)
    return content


def on_page_content(content, page, config, files):
    language = language_of(config)
    # In the table of contents a row of seven `Exercise`s leads nobody anywhere; each stands at the end of its section.
    for section in page.toc.items:
        section.children = [part for part in section.children if part.title != "Exercise"]
    content = marked_paragraphs(content, language)
    if language == "ko":  # on a forge, bold words need a blank before a particle; in print it has no place there
        content = re.sub(r"</(strong|em|code)> (?=(?:은|는|이|가|을|를|의|로|으로|과|와|입니다)(?![가-힣]))", r"</\1>", content)
    if not page.file.src_uri.endswith("glossary.md") and page.file.src_uri.startswith(("chapters/", "start/")):
        here = posixpath.dirname(page.file.dest_uri)
        # The goals name what is yet to come; the first use is the one in the lesson.
        head, goals, lesson_ = re.match(r"(?:(.*?)(<div class=\"goals\">.*?</ul></div>))?(.*)", content, re.S).groups("")
        content = head + goals + glossary.link_first_uses(lesson_, language, posixpath.relpath("reference/glossary.html", here or "."))
    return content


def other_page(page, language, other):
    """The address of this page in the other language, from this one's."""
    here = ("" if language == "en" else language + "/") + page.file.dest_uri
    there = page.file.dest_uri
    source = page.file.src_uri
    if other != "en":
        has = (repository.SITE / "content" / other / source).is_file()
        chapter = next((c for c in repository.chapters() if c.page == source), None)
        if chapter is not None:
            has = chapter.translated(other).is_file()
        there = f"{other}/{there if has else 'index.html'}"
    return posixpath.relpath(there, posixpath.dirname(here) or ".")


def language_switch(page, language):
    """Beside the search: this page in the other language. The theme's own switch would ask for files that are not there."""
    if len(build_languages()) < 2:
        return ""
    items = "".join(
        f'<span aria-current="true" lang="{code}">{name}</span>' if code == language else
        f'<a href="{other_page(page, language, code)}" hreflang="{code}" lang="{code}">{name}</a>' for name, code in NAMES if code in build_languages())
    return f'<div class="languages">{items}</div>'


def build_languages():
    return ["en"] + [code for _, code in NAMES[1:] if any(c.translated(code).is_file() for c in repository.chapters())]


SEARCH_BUTTON = '<label class="md-header__button md-icon" for="__search">'


def on_post_page(output, page, config):
    language = language_of(config)
    if output.count(SEARCH_BUTTON) != 1:
        complain("the theme's header has changed: there is no place for the switch of languages (site/hooks.py, SEARCH_BUTTON)")
    output = output.replace(SEARCH_BUTTON, language_switch(page, language) + SEARCH_BUTTON)
    here = ("" if language == "en" else language + "/") + page.file.dest_uri
    try:
        output = figures.terminals(figures.put_into(output))
        to_root = posixpath.relpath(".", posixpath.dirname(page.file.dest_uri) or ".") + "/"
        output = play.put_into(output, "" if to_root == "./" else to_root)
        output = api.resolve(output, here)
    except Stale as error:
        complain(f"{page.file.src_uri}: {error}")
    # Links of a translation to what only the English book has.
    output = re.sub(r'href="english:([^"]+)"', lambda m: f'href="{posixpath.relpath(m.group(1), posixpath.dirname(here) or ".")}" hreflang="en"', output)
    return output
