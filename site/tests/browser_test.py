#!/usr/bin/env python3
"""The built book in a real browser: every page, in both themes, on a phone and on a screen.

    browser_test.py [-v] [WORD ...]        all pages, or those whose address contains one of the words; -v: how long each took
    WORKBOOK_SITE_TOUR=no                  one page of each kind alone: where other tests need the time

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
# the strokes of drawings, which mean nothing to axe, are taken out before it looks.
WITH_CODE = "chapters/01_host_and_device/index.html"
LIGHTEN = """() => {
  document.querySelectorAll('pre code').forEach(c => { c.textContent = c.textContent; });
  document.querySelectorAll('article svg :is(rect, path, line, circle, polygon), article svg g:empty').forEach(e => { if (!e.closest('a')) e.remove(); });
}"""
# Nearly all of axe's work is one rule, color-contrast: for each text it looks what lies behind it. Its verdict depends on the
# text's colour, size and weight, and on the backgrounds, opacities and places of what is around it. So texts for which all of
# these are the same, up to the root, get the same verdict; the first and the last of them are looked at. Everything else in
# axe looks at the whole document.
ALIKE = """() => {
  const own = new Map(), number = new Map(), of = element => {
    if (!element) return 0;
    if (own.has(element)) return own.get(element);
    const s = getComputedStyle(element);
    const key = [of(element.parentElement), s.backgroundColor, s.backgroundImage, s.opacity, s.position === 'static' ? '' : s.position + s.zIndex,
                 s.filter, s.mixBlendMode, s.visibility, s.display === 'none'].join('|');
    if (!number.has(key)) number.set(key, number.size + 1);
    own.set(element, number.get(key));
    return number.get(key);
  };
  const first = new Map(), last = new Map();
  for (const element of document.body.querySelectorAll('*')) {
    if (![...element.childNodes].some(n => n.nodeType === 3 && n.nodeValue.trim()) && !element.matches('input, select, textarea')) continue;
    const s = getComputedStyle(element);
    const text = [of(element), element.closest('svg') ? 'svg' + s.fill : s.color, s.fontSize, s.fontWeight, s.textShadow, s.textDecorationLine,
                  element.tagName === 'A' && of(element.parentElement) + getComputedStyle(element.parentElement).color].join('|');
    if (!first.has(text)) first.set(text, element);
    last.set(text, element);
  }
  window.alike = [...new Set([...first.values(), ...last.values()])];
  return window.alike.length;
}"""
TOLD = """found.violations.map(v => [v.id, v.nodes.length, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' | ' + (n.any[0] || n.all[0] || n.none[0] || {}).message)])"""
RUN_AXE = f"""async tags => {{
  const found = await axe.run(document, {{runOnly: {{type: 'tag', values: tags}}, rules: {{'color-contrast': {{enabled: false}}}}, preload: false, resultTypes: ['violations']}});
  return {TOLD};
}}"""
RUN_COLOURS = f"""async () => {{
  const found = await axe.run({{include: window.alike}}, {{runOnly: {{type: 'rule', values: ['color-contrast', 'link-in-text-block']}}, preload: false, resultTypes: ['violations']}});
  return {TOLD};
}}"""
SET_SCHEME = """scheme => [document.documentElement, document.body].filter(e => e.hasAttribute('data-md-color-scheme'))
  .forEach(e => e.setAttribute('data-md-color-scheme', scheme))"""
OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"


async def check_page(page, watched, home, name):
    """One load; axe in full for both sizes, and what depends on colour for both in both themes."""
    watched.told.clear()
    await page.set_viewport_size(SIZES["screen"])
    await page.goto(home + name, wait_until="load")
    await page.evaluate(AXE)
    await page.evaluate(OPEN_ALL)
    if name != WITH_CODE:
        await page.evaluate(LIGHTEN)
    for size in SIZES:
        await page.set_viewport_size(SIZES[size])
        for theme in SCHEMES:
            await page.evaluate(SET_SCHEME, SCHEMES[theme])
            await page.evaluate(ALIKE)
            found = await page.evaluate(RUN_COLOURS) + (await page.evaluate(RUN_AXE, TAGS) if theme == "light" else [])
            for rule, count, nodes in found:
                expect(False, f"{name}, {theme}, {size}: axe: {rule}, {count} times: " + "\n        ".join(nodes))
        wide = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        expect(wide <= 0, f"{name}, {size}: {wide} pixels wider than the window")
    for told in watched.told[:3]:
        expect(False, f"{name}: {told}")


async def check_pages(browser, home, names):
    waiting = asyncio.Queue()
    for name in names:
        waiting.put_nowait(name)

    async def work():
        context = await browser.new_context(viewport=SIZES["screen"], device_scale_factor=1, color_scheme="light", reduced_motion="reduce")
        page = await context.new_page()
        watched = Watched(page, home)
        while not waiting.empty():
            name = waiting.get_nowait()
            began = time.time()
            try:
                await check_page(page, watched, home, name)
                if "-v" in sys.argv:
                    print(f"  {time.time() - began:5.1f} s  {name}", flush=True)
            except Exception as error:  # one page that can't be tested must not hide the others
                expect(False, f"{name}: {error}")
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


# One page of each kind, the heaviest where they differ.
KINDS = ("index.html", "start/five-minutes.html", "chapters/05_sms_warps_memory/index.html", "figures/timelines.html", "figures/warmup.html",
         "reference/messages.html", "docs/teachers.html", "api/namespaceworkbook_1_1kernels_1_1rungs.html")


async def check_first_paint(browser, home, root):
    """Over http, with nothing in the cache. On a busy machine a clock says nothing about a page."""
    busy, said = os.getloadavg()[0] > 2 * len(os.sched_getaffinity(0)), []
    for name in KINDS:
        if not (root / name).is_file() and name.startswith("api/"):
            continue  # no Doxygen on this machine
        at = await first_paint(browser, home, name)
        if at >= 1000 and not busy:
            at = min([at] + [await first_paint(browser, home, name) for _ in range(2)])
        said.append(f"{name} {at:.0f} ms")
        expect(busy or at < 1000, f"{name}: the first paint comes after {at:.0f} ms, 1000 are allowed")
    print("first paint: " + ", ".join(said) + ("; not judged: the machine is busy" if busy else ""), flush=True)


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
    for name in ("index.html", "chapters/05_sms_warps_memory/index.html", "chapters/12_warm_up/index.html", "figures/warmup.html", "api/check_8h.html"):
        for theme in ("light", "dark"):
            for size, viewport in SIZES.items():
                context = await browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce", device_scale_factor=1)
                page = await context.new_page()
                if not (environment.HTML / name).is_file():
                    continue
                await page.goto(home + name)
                await page.screenshot(path=str(folder / f"{name.replace('/', '_')[:-5]}-{theme}-{size}.png"))
                await context.close()


def processor_seconds():
    """What all processes below this one have used so far: where others work too, a better measure than the clock."""
    parents, used = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(path.parent.name)], used[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    mine = {os.getpid()}
    for _ in range(8):
        mine |= {child for child, parent in parents.items() if parent in mine}
    return sum(used[one] for one in mine if one in used) / os.sysconf("SC_CLK_TCK")


async def main():
    root = environment.HTML
    if not (root / "index.html").is_file():
        environment.not_run("the book has not been built (site/tests/build_test.py does it)")
    names = [p.relative_to(root).as_posix() for p in sorted(root.rglob("*.html")) if p.name != "404.html"]
    names.sort(key=lambda n: (n.startswith("api/"), n))
    words = [a for a in sys.argv[1:] if a != "-v"]
    if os.environ.get("WORKBOOK_SITE_TOUR") == "no" and not words:
        print(f"not run: {len([n for n in names if n not in KINDS])} pages (WORKBOOK_SITE_TOUR=no)")
        names = [n for n in names if n in KINDS]
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
            await check_first_paint(browser, home, root)
            await behaviour.check(browser, home, root, Watched, expect)
            await figures_in_use.check(browser, home, expect)
            await shots(browser, home)
            print(f"search, switches, figures: {time.time() - began:.0f} s, {processor_seconds():.0f} s of processors", flush=True)
        await check_pages(browser, home, names)
        print(f"{len(names)} pages: {time.time() - began:.0f} s, {processor_seconds():.0f} s of processors", flush=True)
        await browser.close()
    print(f"{len(failures)} complaints" if failures else f"all in order, {time.time() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
