"""Every page of the book in a browser: both themes, a phone and a screen.

A page is loaded once. In each theme and width `looks.js` looks at every text, and axe's rules of colour at one text of each kind
that no page before had: such a verdict depends on the text's colour, size and weight and on the backgrounds, opacities and
places of what is around it, so texts that have all of these in common get the same one. All other rules of axe look at the whole
page in both widths; none of them asks for a colour, so one theme is enough. `planted.py` proves that faults are seen.
"""
import asyncio
import pathlib
import time

import axe_playwright_python

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
LOOKS = (pathlib.Path(__file__).parent / "looks.js").read_text(encoding="utf-8")
SCRIPTS = {"/__axe.js": AXE, "/__looks.js": LOOKS}  # what the server adds to the book, so that the browser can keep them
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
SIZES = {"screen": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 780}}
SCHEMES = {"light": "default", "dark": "slate"}
PATIENCE = 120_000  # ms: on a busy machine a page may take long

TOLD = """found.violations.map(v => [v.id, v.nodes.length, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' | ' + (n.any[0] || n.all[0] || n.none[0] || {}).message)])"""
RUN_AXE = f"""async ([tags, off]) => {{
  const found = await axe.run(document, {{runOnly: {{type: 'tag', values: tags}}, rules: Object.fromEntries(off.map(r => [r, {{enabled: false}}])),
                                          preload: false, resultTypes: ['violations']}});
  return {TOLD};
}}"""
RUN_COLOURS = f"""async ([rules, kinds]) => {{
  const include = [...new Set(kinds.flatMap(k => window.kindsOfText.get(k)))];
  const found = await axe.run({{include}}, {{runOnly: {{type: 'rule', values: rules}}, preload: false, resultTypes: ['violations']}});
  return {TOLD};
}}"""
SET_SCHEME = """scheme => [document.documentElement, document.body].filter(e => e.hasAttribute('data-md-color-scheme'))
  .forEach(e => e.setAttribute('data-md-color-scheme', scheme))"""
# All that can be opened is open; and a colour is there at once, or a look would meet it halfway.
OPEN_ALL = """() => {
  document.querySelectorAll('details').forEach(d => { d.open = true; });
  const still = document.createElement('style');
  still.textContent = '*, *::before, *::after, ::placeholder { transition: none !important; animation: none !important; }';
  document.head.append(still);
}"""
# Once the looking is done: the thousands of coloured words in code, and the strokes of drawings, mean nothing to the rest of axe.
LIGHTEN = """() => {
  document.querySelectorAll('pre code').forEach(c => { c.textContent = c.textContent; });
  document.querySelectorAll('article svg :is(rect, path, line, circle, polygon), article svg g:empty').forEach(e => { if (!e.closest('a')) e.remove(); });
}"""
WIDE = "document.documentElement.scrollWidth - window.innerWidth"


class Watched:
    """A page that keeps what it asked for and what it complained of."""

    def __init__(self, page, home):
        self.page, self.home, self.told = page, home, []
        page.on("console", lambda m: self.told.append(f"console {m.type}: {m.text}"))
        page.on("pageerror", lambda e: self.told.append(f"error: {e}"))
        page.on("request", self.on_request)
        page.on("response", lambda r: self.told.append(f"{r.status} for {r.url}") if r.status >= 400 else None)

    def on_request(self, request):
        if not request.url.startswith((self.home, "data:", "blob:", "about:")):
            self.told.append(f"asks for {request.url}")


class Tour:
    def __init__(self, home, expect):
        self.home, self.expect = home, expect
        self.kinds = set()   # of text that axe has judged
        self.texts = 0       # that were looked at
        self.painted = {}    # name of a page: ms until something was seen, with the styles at hand already

    async def open(self, page, name):
        await page.goto(self.home + name, wait_until="load")
        for script in SCRIPTS:
            await page.add_script_tag(url=self.home.rstrip("/") + script)
        await page.evaluate(OPEN_ALL)

    async def look(self, page, where):
        """Every text as it is now, and axe for each kind that it has not seen."""
        found = await page.evaluate("lookAtAll()")
        self.texts += found["texts"]
        for fault in found["faults"]:
            self.expect(False, f"{where}: {fault}")
        new = [kind for kind in found["kinds"] if kind not in self.kinds]
        self.kinds.update(new)
        if new:
            self.tell(where, await page.evaluate(RUN_COLOURS, [COLOUR_RULES, new]))

    def tell(self, where, found):
        for rule, count, nodes in found:
            self.expect(False, f"{where}: axe: {rule}, {count} times: " + "\n        ".join(nodes))

    async def visit(self, page, watched, name):
        """Screen, phone, and the screen again for what needs the page only as light as it can be made."""
        watched.told.clear()
        await self.open(page, name)
        self.painted[name] = await page.evaluate("(performance.getEntriesByName('first-contentful-paint')[0] || {}).startTime")
        for size, viewport in SIZES.items():
            if size != "screen":
                await page.set_viewport_size(viewport)
            for theme, scheme in SCHEMES.items():
                await page.evaluate(SET_SCHEME, scheme)
                await self.look(page, f"{name}, {theme}, {size}")
        await page.evaluate(LIGHTEN)
        for size in reversed(SIZES):
            if size != "phone":
                await page.set_viewport_size(SIZES[size])
            self.tell(f"{name}, {size}", await page.evaluate(RUN_AXE, [TAGS, COLOUR_RULES]))
            wide = await page.evaluate(WIDE)
            self.expect(wide <= 0, f"{name}, {size}: {wide} pixels wider than the window")
        for told in watched.told[:3]:
            self.expect(False, f"{name}: {told}")

    async def go(self, browser, names, at_a_time, verbose):
        waiting = list(reversed(names))

        async def work():
            context = await browser.new_context(viewport=SIZES["screen"], device_scale_factor=1, color_scheme="light", reduced_motion="reduce")
            page = await context.new_page()
            watched = Watched(page, self.home)
            while waiting:
                name, began = waiting.pop(), time.time()
                try:
                    await self.visit(page, watched, name)
                    if verbose:
                        print(f"  {time.time() - began:5.1f} s  {name}", flush=True)
                except Exception as error:  # one page that can't be tested must not hide the others
                    self.expect(False, f"{name}: {error}")
            await context.close()
        await asyncio.gather(*(work() for _ in range(at_a_time)))
