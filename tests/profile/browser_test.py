#!/usr/bin/env python3
"""The page of `profile --html` in a real browser.

    browser_test.py CLI FOLDER

FOLDER holds traces that profile_test.py left. Opens the pages from disk in headless Chromium: no request leaves the
file, nothing is logged as an error, every key does what the page says, both color schemes and a phone's width pass
axe (https://github.com/dequelabs/axe-core), and a page of 10,000 launches opens in under 2 s.

Needs the Python packages playwright and axe-playwright-python (or WORKBOOK_BROWSER_PYTHON, a Python that has them), and
a Chromium (WORKBOOK_CHROMIUM, or one on the path). Without them the test is not run
(exit code 77) and says what is missing; it never passes unseen.
"""
import os
import pathlib
import shutil
import subprocess
import sys

NOT_RUN = 77


def need_browser():
    try:
        from axe_playwright_python.sync_playwright import Axe
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        other = os.environ.pop("WORKBOOK_BROWSER_PYTHON", "")
        if other:
            os.execv(other, [other, *sys.argv])
        print(f"not run: {error.name} is not installed (pip install playwright axe-playwright-python)")
        sys.exit(NOT_RUN)
    program = os.environ.get("WORKBOOK_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or \
        shutil.which("google-chrome")
    return sync_playwright, Axe, program


def launch(playwright, program):
    try:
        return playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
    except Exception as error:
        print(f"not run: no Chromium starts here ({str(error).splitlines()[0]}); apt-get install chromium")
        sys.exit(NOT_RUN)


class Watched:
    """A page that keeps what it asked for and what it complained of."""

    def __init__(self, browser, path, **options):
        self.path, self.requests, self.errors = path, [], []
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector(".chart svg > rect")
        # From the start of the navigation to the end of the first picture, on the page's own clock.
        self.seconds = self.page.evaluate("performance.getEntriesByName('drawn')[0].startTime") / 1000

    def check_quiet(self):
        outside = [u for u in self.requests if u != self.path.as_uri() and not u.startswith("data:")]
        assert not outside, f"{self.path.name} asks for {outside}"
        assert not self.errors, f"{self.path.name} complains: {self.errors}"

    def said(self):
        return self.page.inner_text("#said")


def check_axe(Axe, watched, what):
    found = Axe().run(watched.page)
    assert found.violations_count == 0, f"axe, {what}:\n{found.generate_report()}"


def check_keyboard(watched):
    page = watched.page
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("document.activeElement.classList.contains('chart')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('chart')"), "Tab does not reach the picture"
    first = watched.said()
    assert "kernels run" in first, f"the focus reads nothing out: {first!r}"
    seen = {first}
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "g", "ArrowLeft"):
        page.keyboard.press(key)
        seen.add(watched.said())
    assert len(seen) >= 5, f"the arrow keys choose too little: {seen}"
    width = "view.end - view.begin"
    whole = page.evaluate(width)
    page.keyboard.press("+")
    assert page.evaluate(width) < 0.6 * whole, "+ does not zoom in"
    begin = page.evaluate("view.begin")
    page.keyboard.press("PageDown")
    assert page.evaluate("view.begin") > begin, "PageDown does not move on"
    page.keyboard.press("Enter")
    assert page.evaluate(width) < 0.6 * whole, "Enter does not zoom to the bar"
    page.keyboard.press("0")
    assert abs(page.evaluate(width) - whole) < 1, "0 does not show all again"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "chart0", "the picture holds the focus"


def check_mouse(watched):
    page = watched.page
    page.locator(".chart").first.scroll_into_view_if_needed()
    box = page.locator(".chart").first.bounding_box()
    bar = page.locator(".chart svg > rect[rx=\"2\"]").first.bounding_box()
    page.mouse.move(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    page.wait_for_timeout(50)
    assert page.is_visible("#hover") and page.inner_text("#hover").strip(), "nothing shows under the mouse"
    whole = page.evaluate("view.end - view.begin")
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + 60)
    assert page.evaluate("view.end - view.begin") < whole, "a double click does not zoom"
    page.click("#all")
    page.locator("button[data-begin]").first.click()
    assert page.evaluate("view.end - view.begin") < whole, "Show does not zoom to the gap"


def shot(watched, folder, name):
    watched.page.screenshot(path=str(folder / f"{name}.png"), full_page=True)


def main():
    cli, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    sync_playwright, Axe, program = need_browser()

    def page_of(name, *more):
        path = folder / f"{name}.html"
        subprocess.run([cli, "profile", *more, "--html", str(path), str(folder / f"{name}.jsonl")], check=True,
                       stdout=subprocess.DEVNULL)
        return path

    loader = page_of("loader")
    both = page_of("both_worlds", "--before", str(folder / "pageable.jsonl"))
    large = page_of("launches")
    with sync_playwright() as playwright:
        browser = launch(playwright, program)
        for scheme in ("light", "dark"):
            for path in (loader, both):
                watched = Watched(browser, path, color_scheme=scheme, viewport={"width": 1280, "height": 900})
                check_axe(Axe, watched, f"{path.name}, {scheme}")
                shot(watched, folder, f"{path.stem}-{scheme}")
                check_keyboard(watched)
                check_mouse(watched)
                watched.check_quiet()
        phone = Watched(browser, loader, viewport={"width": 360, "height": 740}, has_touch=True)
        check_axe(Axe, phone, "a phone's width")
        assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "scrolls sideways on a phone"
        shot(phone, folder, "phone")
        phone.check_quiet()
        size = large.stat().st_size
        watched = Watched(browser, large)
        shot(watched, folder, "launches")
        check_keyboard(watched)
        watched.check_quiet()
        # A real clock on a machine that may be busy: the quickest of three openings.
        seconds = min([watched.seconds] + [Watched(browser, large).seconds for _ in range(2)])
        print(f"10,000 launches: {size / 1e6:.2f} MB, drawn after {seconds:.2f} s")
        assert size < 5e6, f"{size} bytes"
        assert seconds < 2, f"{seconds:.2f} s to open"
        browser.close()
    print("passed")


if __name__ == "__main__":
    main()
