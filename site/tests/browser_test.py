#!/usr/bin/env python3
"""The built book in a real browser: every page, in both themes, on a phone and on a screen.

    browser_test.py [-v] [WORD ...]        all pages, or those whose address contains one of the words; -v: how long each took
    browser_test.py --shots [WORD ...]     screenshots too, in .build/site/shots, for a person to look at
    WORKBOOK_SITE_TOUR=no                  one page of each kind alone: where other tests need the time

For each page (tour.py): no message on the console, no request to elsewhere, nothing wider than the window, no text that is too
faint, and axe (https://github.com/dequelabs/axe-core, WCAG 2.2 AA and best practice) finds nothing, with all that can be opened
open. Before: that a page is seen within a second, that planted faults are reported, search, the figures to play with, the switch
of languages, and the book from disk.
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

from playwright.async_api import async_playwright  # noqa: E402

import behaviour  # noqa: E402
import figures_in_use  # noqa: E402
import first_paint  # noqa: E402
import planted  # noqa: E402
import tour  # noqa: E402

AT_A_TIME = max(2, len(os.sched_getaffinity(0)))
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]
MOST_SHOWN = 60
# One page of each kind, the heaviest where they differ.
KINDS = ("index.html", "start/five-minutes.html", "chapters/01_host_and_device/index.html", "chapters/05_sms_warps_memory/index.html",
         "figures/timelines.html", "figures/warmup.html", "reference/messages.html", "docs/teachers.html",
         "api/namespaceworkbook_1_1kernels_1_1rungs.html", "api/check_8h.html")
SHOWN = ("index.html", "chapters/05_sms_warps_memory/index.html", "chapters/12_warm_up/index.html", "figures/warmup.html", "api/check_8h.html")
failures = []


def expect(ok, what):
    if not ok:
        failures.append(what)
        if len(failures) <= MOST_SHOWN:
            print(f"FAILED  {what}", flush=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the book as a web server would: one connection for many files, each of which the browser may keep; and the scripts
    of the tests beside it."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def do_GET(self):
        if self.path not in tour.SCRIPTS:
            return super().do_GET()
        body = tour.SCRIPTS[self.path].encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def be_patient(browser):
    """Every page of it may take its time."""
    fresh = browser.new_context

    async def new_context(**options):
        context = await fresh(**options)
        context.set_default_timeout(tour.PATIENCE)
        return context
    browser.new_context = new_context


async def shots(browser, home):
    """For a person to look at."""
    folder = environment.BUILD / "site/shots"
    folder.mkdir(parents=True, exist_ok=True)
    for theme in tour.SCHEMES:
        for size, viewport in tour.SIZES.items():
            context = await browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce", device_scale_factor=1)
            page = await context.new_page()
            for name in SHOWN:
                if (environment.HTML / name).is_file():
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
    # The heaviest first, so that no worker is left alone with one at the end.
    names.sort(key=lambda n: -(root / n).stat().st_size)
    words = [a for a in sys.argv[1:] if not a.startswith("-")]
    if os.environ.get("WORKBOOK_SITE_TOUR") == "no" and not words:
        print(f"not run: {len([n for n in names if n not in KINDS])} pages (WORKBOOK_SITE_TOUR=no)")
        names = [n for n in names if n in KINDS]
    if words:
        names = [n for n in names if any(word in n for word in words)]
    home, began = serve(root), time.time()

    def lap(what):
        print(f"{what}: {time.time() - began:.0f} s, {processor_seconds():.0f} s of processors so far", flush=True)
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=environment.chromium(), args=ARGUMENTS)
        except Exception as error:
            environment.not_run(f"Chromium doesn't start here: {str(error).splitlines()[0]}")
        be_patient(browser)
        if "--shots" in sys.argv:
            await shots(browser, home)
        if not words:
            await first_paint.check(browser, home, root, KINDS, expect)
            lap("first paint")
            await planted.check(browser, home, root, expect)
            lap("planted")
            await behaviour.check(browser, home, root, tour.Watched, expect)
            lap("search, switches")
            await figures_in_use.check(browser, home, expect)
            lap("figures")
        walk = tour.Tour(home, expect)
        await walk.go(browser, names, AT_A_TIME, "-v" in sys.argv)
        lap(f"{len(names)} pages, {walk.texts} texts, {len(walk.kinds)} kinds of text")
        await first_paint.check_toured(browser, home, walk.painted, expect)
        await browser.close()
    print(f"{len(failures)} complaints" if failures else f"all in order, {time.time() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
