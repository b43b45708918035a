#!/usr/bin/env python3
"""The built book in a real browser: every page, in both themes, on a phone and on a screen.

    browser_test.py [-v] [WORD ...]        all pages, or those whose address contains one of the words; -v: how long each took

For each page: no message on the console, no request to elsewhere, nothing wider than the window, and axe
(https://github.com/dequelabs/axe-core, WCAG 2.2 AA and best practice) finds nothing, with all that can be opened open.
Then search, the figures to play with, the switch of languages, and the book from disk. Screenshots lie beside the book.
"""
import asyncio
import functools
import http.server
import os
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import environment  # noqa: E402

environment.in_the_books_python("playwright", "axe_playwright_python")

import axe_playwright_python  # noqa: E402
from playwright.async_api import async_playwright  # noqa: E402

import behaviour  # noqa: E402
import figures_in_use  # noqa: E402

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = {"phone": {"width": 360, "height": 780}, "screen": {"width": 1280, "height": 900}}
SCHEMES = {"light": "default", "dark": "slate"}
AT_A_TIME = max(2, len(os.sched_getaffinity(0)))
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]
MOST_SHOWN = 60
PATIENCE = 120_000  # ms: on a busy machine a page may take long; only the first paint is timed
failures = []


def expect(ok, what):
    if not ok:
        failures.append(what)
        if len(failures) <= MOST_SHOWN:
            print(f"FAILED  {what}", flush=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


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


# The colours of code are the same on every page; they are looked at on one. On the others the thousands of coloured words, and
# the strokes of drawings, which mean nothing to axe, are taken out before it looks: they were most of its work.
WITH_CODE = "chapters/01_host_and_device/index.html"
RUN_AXE = """async ([tags, rules]) => {
  const options = rules ? {runOnly: {type: 'rule', values: rules}} : {runOnly: {type: 'tag', values: tags}};
  const found = await axe.run(document, {...options, preload: false, resultTypes: ['violations']});
  return found.violations.map(v => [v.id, v.nodes.length, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' | ' + (n.any[0] || n.all[0] || n.none[0] || {}).message)]);
}"""
LIGHTEN = """() => {
  document.querySelectorAll('pre code').forEach(c => { c.textContent = c.textContent; });
  document.querySelectorAll('article svg :is(rect, path, line, circle, polygon), article svg g:empty').forEach(e => { if (!e.closest('a')) e.remove(); });
}"""
API_KINDS = {f"api/{n}.html" for n in ("index", "files", "annotated", "check_8h", "transpose_8h", "classworkbook_1_1Run", "structworkbook_1_1Step",
                                       "namespaceworkbook_1_1kernels", "namespacemembers")}
SET_SCHEME = """scheme => [document.documentElement, document.body].filter(e => e.hasAttribute('data-md-color-scheme'))
  .forEach(e => e.setAttribute('data-md-color-scheme', scheme))"""
OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"


async def check_page(page, home, name):
    """One load; axe in full for both sizes in the light theme, and what depends on colour for both in the dark one."""
    watched = Watched(page, home)
    await page.emulate_media(color_scheme="light", reduced_motion="reduce")
    await page.set_viewport_size(SIZES["screen"])
    await page.goto(home + name, wait_until="load")
    await page.evaluate(AXE)
    await page.evaluate(OPEN_ALL)
    if name != WITH_CODE:
        await page.evaluate(LIGHTEN)
    # Doxygen's pages are all of one cut: each is looked at once, and one of each kind in every size and theme.
    whole = not name.startswith("api/") or name in API_KINDS
    for size in ("screen", "phone") if whole else ("screen",):
        await page.set_viewport_size(SIZES[size])
        for theme in ("light", "dark") if whole else ("light",):
            await page.evaluate(SET_SCHEME, SCHEMES[theme])
            for rule, count, nodes in await page.evaluate(RUN_AXE, [TAGS, None if theme == "light" else ["color-contrast", "link-in-text-block"]]):
                expect(False, f"{name}, {theme}, {size}: axe: {rule}, {count} times: " + "\n        ".join(nodes))
    for size in SIZES:
        await page.set_viewport_size(SIZES[size])
        wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        expect(wide <= 0, f"{name}, {size}: {wide} pixels wider than the window")
    for told in watched.told[:3]:
        expect(False, f"{name}: {told}")


async def check_pages(browser, home, names):
    waiting = asyncio.Queue()
    for name in names:
        waiting.put_nowait(name)

    async def work():
        context = await browser.new_context(viewport=SIZES["screen"], device_scale_factor=1)
        while not waiting.empty():
            name = waiting.get_nowait()
            page, began = await context.new_page(), time.time()
            try:
                await check_page(page, home, name)
                if "-v" in sys.argv:
                    print(f"  {time.time() - began:5.1f} s  {name}", flush=True)
            except Exception as error:  # one page that can't be tested must not hide the others
                expect(False, f"{name}: {error}")
            await page.close()
        await context.close()
    await asyncio.gather(*(work() for _ in range(AT_A_TIME)))


def be_patient(browser):
    """Every page of it may take its time."""
    fresh = browser.new_context

    async def new_context(**options):
        context = await fresh(**options)
        context.set_default_timeout(PATIENCE)
        return context
    browser.new_context = new_context


async def check_first_paint(browser, home):
    """Of the heaviest chapter; on a busy machine a clock says nothing about a page."""
    at = min([await first_paint(browser, home, "chapters/05_sms_warps_memory/index.html") for _ in range(3)])
    busy = os.getloadavg()[0] > 2 * len(os.sched_getaffinity(0))
    print(f"first paint of the heaviest chapter after {at:.0f} ms" + (", not judged: the machine is busy" if busy else ""), flush=True)
    expect(busy or at < 1000, f"the first paint comes after {at:.0f} ms, 1000 are allowed")


async def first_paint(browser, home, name):
    context = await browser.new_context(viewport=SIZES["screen"])
    page = await context.new_page()
    await page.goto(home + name, wait_until="load")
    await page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    at = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    await context.close()
    return at


async def shots(browser, home):
    folder = environment.BUILD / "site/shots"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "chapters/05_sms_warps_memory/index.html"):
        for theme in ("light", "dark"):
            for size, viewport in SIZES.items():
                context = await browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce", device_scale_factor=1)
                page = await context.new_page()
                await page.goto(home + name)
                await page.screenshot(path=str(folder / f"{name.replace('/', '_')[:-5]}-{theme}-{size}.png"))
                await context.close()


async def main():
    root = environment.HTML
    if not (root / "index.html").is_file():
        environment.not_run("the book has not been built (site/tests/build_test.py does it)")
    names = [p.relative_to(root).as_posix() for p in sorted(root.rglob("*.html")) if p.name != "404.html"]
    names.sort(key=lambda n: (n.startswith("api/"), n))
    words = [a for a in sys.argv[1:] if a != "-v"]
    if words:
        names = [n for n in names if any(word in n for word in words)]
    home, began = serve(root), time.time()
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=environment.chromium(), args=ARGUMENTS)
        except Exception as error:
            environment.not_run(f"Chromium doesn't start here: {str(error).splitlines()[0]}")
        be_patient(browser)
        if not words:
            await check_first_paint(browser, home)
            await behaviour.check(browser, home, root, Watched, expect)
            await figures_in_use.check(browser, home, expect)
            await shots(browser, home)
            print(f"search, switches, figures: {time.time() - began:.0f} s", flush=True)
        await check_pages(browser, home, names)
        print(f"{len(names)} pages: {time.time() - began:.0f} s", flush=True)
        await browser.close()
    print(f"{len(failures)} complaints" if failures else f"all in order, {time.time() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
