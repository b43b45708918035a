"""Proof that a wrong colour is seen: one is planted in each kind of place, in both themes, and must be reported.

Each is planted in one element from the middle of its kind, so that a look at the first and the last alone would miss it. What is
not a drawing must be reported by axe as well: that shows that a text whose looks have changed is a kind of its own, which axe is
asked about. Nothing may be reported before, or again once the fault is taken out.
"""
import tour

# What is planted: an element's style, a shape behind a text, or a link. `takeOut()` takes it out again.
PLANT = """([selector, kind, bad]) => {
  const all = [...document.querySelectorAll(selector)].filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 2 && e.textContent.trim());
  const element = all[Math.floor(all.length / 2)];
  if (!element) return 0;
  const before = element.getAttribute('style');
  window.takeOut = () => before === null ? element.removeAttribute('style') : element.setAttribute('style', before);
  if (kind === 'colour') element.style.setProperty('color', bad, 'important');
  if (kind === 'fill') element.style.setProperty('fill', bad, 'important');
  if (kind === 'opacity') element.style.setProperty('opacity', '0.35', 'important');
  if (kind === 'behind') element.style.setProperty('background-color', bad, 'important');
  if (kind === 'link') {
    const link = document.createElement('a');
    link.href = '#';
    link.textContent = 'by its colour alone';
    link.style.setProperty('text-decoration', 'none', 'important');
    element.append(' ', link);
    window.takeOut = () => link.remove();
  }
  if (kind === 'shape') {
    const box = element.getBBox(), shape = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    for (const name of ['x', 'y', 'width', 'height']) shape.setAttribute(name, box[name]);
    shape.style.setProperty('fill', getComputedStyle(element).fill, 'important');
    element.before(shape);
    window.takeOut = () => shape.remove();
  }
  return all.length;
}"""
BAD = {"light": "#979797", "dark": "#5c6066"}  # too faint on either theme's paper and panels
BEHIND = {"light": "#4a5258", "dark": "#9aa0a6"}

LESSON = "chapters/09_streams/index.html"
API = "api/classworkbook_1_1Call.html"
# (page, what, selector, how); a drawing's text is not axe's.
PLACES = (
    (LESSON, "a paragraph", "article > p:not([class])", "colour"),
    (LESSON, "a faint paragraph", "article > p:not([class])", "opacity"),
    (LESSON, "a dark cell of a table", "article table.plain td", "behind"),
    (LESSON, "a heading", "article h2", "colour"),
    (LESSON, "an item of a list", "article li", "colour"),
    (LESSON, "a link", "article p a:not(.headerlink)", "colour"),
    (LESSON, "a link without a line under it", "article > p:not([class])", "link"),
    (LESSON, "a word of code", "pre code span", "colour"),
    (LESSON, "code in a sentence", "article p > code", "colour"),
    (LESSON, "a caption", "figcaption", "colour"),
    (LESSON, "a hint's title", "details.hint > summary", "colour"),
    (LESSON, "a way on the left", ".md-nav--primary .md-nav__link", "colour"),
    (LESSON, "a text in a drawing", "figure.picture svg text", "fill"),
    (LESSON, "a shape behind a text in a drawing", "figure.picture svg text", "shape"),
    (API, "a paragraph of the API", ".memdoc p", "colour"),
    (API, "a link of the API", ".memdoc a, td a", "colour"),
    (API, "a name of the API", ".memproto td.memname", "colour"),
    (API, "a heading of the API", "h2", "colour"),
)


async def check(browser, home, root, expect):
    context = await browser.new_context(viewport=tour.SIZES["screen"], device_scale_factor=1, color_scheme="light", reduced_motion="reduce")
    page = await context.new_page()
    opened, planted = "", 0
    for name, what, selector, kind in PLACES:
        if not (root / name).is_file() and name.startswith("api/"):
            continue  # no Doxygen on this machine
        if name != opened:
            heard = []
            looked = tour.Tour(home, lambda ok, said: ok or heard.append(said))
            await looked.open(page, name)
            opened = name
            for theme, scheme in tour.SCHEMES.items():
                await page.evaluate(tour.SET_SCHEME, scheme)
                await looked.look(page, theme)
            expect(not heard, f"before anything is planted: {heard[:3]}")
        for theme, scheme in tour.SCHEMES.items():
            await page.evaluate(tour.SET_SCHEME, scheme)
            heard.clear()
            found = await page.evaluate(PLANT, [selector, kind, (BEHIND if kind == "behind" else BAD)[theme]])
            expect(found > 2, f"planted: {what}: only {found} places on {name}")
            if not found:
                continue
            await looked.look(page, theme)
            by_axe = [said for said in heard if "axe: " in said]
            expect(len(heard) > len(by_axe), f"planted: {what}, {theme}: looks.js doesn't see it")
            expect(by_axe or "drawing" in what, f"planted: {what}, {theme}: axe isn't asked, or doesn't see it")
            await page.evaluate("window.takeOut()")
            planted += 1
    if opened:
        heard.clear()
        await looked.look(page, "after")
        expect(not heard, f"after all was taken out again: {heard[:3]}")
    await context.close()
    print(f"planted: {planted} wrong colours", flush=True)
