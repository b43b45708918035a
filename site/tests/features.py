"""What every chapter's page has: goals, a question before its answer, measured figures, the card of each exercise, a quiz."""
import html.parser
import re

import pages
from book import glossary, messages, repository

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
HOOK = 1600  # of the article's letters: a screen, by and large
MEASURED = re.compile(r"(?:H200|PyTorch)[^()]{0,60}20\d\d-\d\d-\d\d|20\d\d-\d\d-\d\d[^()]{0,20}측정")


class Article(html.parser.HTMLParser):
    """The elements of a page's article: [(tag, attributes, text, names of the elements around it)], in the order of their ends."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.text = [], [], ""
        source = path.read_text(encoding="utf-8")
        self.feed(source[source.index("<article"):source.index("</article>")])

    def handle_starttag(self, tag, attrs):
        element = [tag, dict(attrs), "", [f"{t}.{a.get('class', '')}" for t, a, _, _ in self.open]]
        if tag in VOID:
            self.elements.append(element)
        else:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        pass  # of a drawing

    def handle_data(self, data):
        self.text += data
        for element in self.open:
            element[2] += data

    def handle_endtag(self, tag):
        while self.open:
            element = self.open.pop()
            self.elements.append(element)
            if element[0] == tag:
                break

    def having(self, name, tag=None):
        return [e for e in self.elements if name in (e[1].get("class") or "").split() and tag in (None, e[0])]


def inside(element, name):
    return any(name in around.split(".", 1)[1].split() for around in element[3])


def lacking(chapter, language, path):
    """Sentences about what the page at `path` lacks."""
    article = Article(path)
    goals = [e for e in article.elements if e[0] == "li" and inside(e, "goals")]
    if not 3 <= len(goals) <= 5:
        yield f"{len(goals)} goals"
    facts = [e[2] for e in article.elements if e[0] == "li" and inside(e, "facts")]
    if len(facts) < 2 or not all(re.search(r"\d", fact) for fact in facts):
        yield "no number of exercises, or no minutes, under its title"
    after_goals = article.text.split(goals[-1][2].strip(), 1)[-1] if goals else article.text
    if not re.search(r"\d", after_goals[:HOOK]):
        yield "no number and no figure on its first screen"
    if not MEASURED.search(article.text) and "modelled, h200@" not in article.text:
        yield "no figure that says on which GPU and day it was measured, or that it is modelled"
    predictions = article.having("predict", "p")
    answers = article.having("answer", "details")
    if not predictions or not answers or article.text.index(predictions[0][2]) > article.text.index(answers[0][2]):
        yield "no question before its first answer"
    if not article.having("mistake", "p") and not article.having("said", "blockquote"):
        yield "nothing that everybody gets wrong"
    if glossary.entries(language) and not any("#" in e[1].get("href", "") for e in article.having("term", "a") if e[1].get("title")):
        yield "no word of the glossary with its meaning on hover"
    if any(not (e[2] or "").strip() for e in article.elements if e[0] == "figcaption"):
        yield "a figure without a caption"
    options = [e for e in article.having("option-right", "details") + article.having("option-other", "details")]
    questions = len(article.having("option-right", "details"))
    if not 3 <= questions <= 6 or any(len(e[2].split()) < 6 for e in options):
        yield f"{questions} questions, or an option without a reason"
    ids = pages.Page(path).ids
    for name in ("questions", "read-more"):
        if name not in ids:
            yield f"no section {name}"
    if any("open" in e[1] for e in article.elements if e[0] == "details"):
        yield "something that opens must be closed at first"
    yield from cards(chapter, article, ids)


def cards(chapter, article, ids):
    for exercise in chapter.exercises:
        card = next((e for e in article.having("exercise", "div") if re.search(rf" {re.escape(exercise.id)} ·", e[2])), None)
        if card is None:
            yield f"no card of {exercise.id}"
            continue
        for what, wanted in (("the command", f"./workbook check {exercise.id}"), ("the starter", f"work/{chapter.folder}/"), ("the solution", f"solutions/{chapter.folder}/"),
                             ("what proves its mistakes", f"./workbook verify {exercise.id}")):
            if wanted not in card[2]:
                yield f"the card of {exercise.id} lacks {what}: {wanted}"
        recorded = repository.first_words_of(exercise)
        if not exercise.needs_gpu and (not recorded.is_file() or " ".join(recorded.read_text(encoding="utf-8").split()) not in " ".join(card[2].split())):
            yield f"the card of {exercise.id} lacks what its check says at first (site/outputs.py records it)"
        if len(exercise.hints) != 3:
            yield f"{exercise.id} has {len(exercise.hints)} hints"
        if len(exercise.mistakes) < 5:
            yield f"{exercise.id} has {len(exercise.mistakes)} wrong answers in its table"
        for mistake in exercise.mistakes:
            if mistake.verdict not in card[2] or any(" ".join(said.split()) not in " ".join(card[2].split()) for said in messages.telling(mistake)):
                yield f"the card of {exercise.id} lacks the words of {mistake.path.name}"


def problems(root):
    for language in ("en", "ko"):
        for chapter in repository.chapters():
            if language == "en" or chapter.translated(language).is_file():
                path = root / ("" if language == "en" else language) / "chapters" / chapter.folder / "index.html"
                for what in lacking(chapter, language, path):
                    yield f"{path.relative_to(root)}: {what}"
