"""The figures to play with, by keyboard and by mouse, and what stands there where no script runs."""

FIGURES = {"grid": "wb-grid", "memory": "wb-memory", "layout": "wb-layout", "warmup": "wb-warmup"}


async def said(figure):
    return await figure.locator("output.said").inner_text()


async def by_keyboard(page, figure, name, expect):
    """One stop for the picture; the arrow keys walk over it, and each step is said."""
    stage = figure.locator(".stage")
    await stage.focus()
    heard = {await said(figure)}
    for key in ("ArrowRight", "ArrowRight", "End", "Home", "ArrowRight"):
        await page.keyboard.press(key)
        heard.add(await said(figure))
    expect(len(heard) >= 3, f"figure {name}: the keys choose too little: {heard}")
    await page.keyboard.press("Tab")
    expect(not await stage.evaluate("e => e === document.activeElement"), f"figure {name}: the picture holds the focus")


async def by_mouse(figure, name, expect):
    before = await said(figure)
    cells = figure.locator(".stage [data-pick]")
    expect(await cells.count() > 3, f"figure {name}: nothing to choose")
    await cells.nth(await cells.count() - 2).dispatch_event("click")
    expect(await said(figure) != before, f"figure {name}: a click chooses nothing")


async def by_controls(figure, name, expect):
    """Every control changes the picture, by keyboard too."""
    picture = figure.locator(".stage svg")
    tried = set()
    while True:  # one control may bring another
        controls = [c for c in await figure.locator("form select").all() if await c.get_attribute("name") not in tried]
        if not controls:
            break
        control = controls[0]
        tried.add(await control.get_attribute("name"))
        before = await picture.evaluate("e => e.outerHTML")
        await control.select_option(index=1)
        changed = await picture.evaluate("e => e.outerHTML") != before
        told = await control.get_attribute("name")
        expect(changed or told in ("axis", "bytes"), f"figure {name}: the control {told} changes nothing")
    slider = figure.locator("form input[type=range]").first
    if await slider.count():
        before = await picture.evaluate("e => e.outerHTML")
        await slider.focus()
        await slider.press("ArrowRight")
        expect(await picture.evaluate("e => e.outerHTML") != before, f"figure {name}: the first slider changes nothing")


async def timelines(page, home, expect):
    await page.goto(home + "figures/timelines.html")
    figure = page.locator("wb-timeline").first
    chart = figure.locator(".chart").first
    await chart.locator("svg > rect").first.wait_for()
    drawn = await chart.locator("svg").evaluate("e => e.outerHTML")
    await figure.get_by_role("button", name="Zoom in").click()
    await page.wait_for_timeout(200)
    expect(await chart.locator("svg").evaluate("e => e.outerHTML") != drawn, "timeline: Zoom in changes nothing")
    await chart.focus()
    heard = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "g", "ArrowLeft"):
        await page.keyboard.press(key)
        heard.add(await figure.locator("p.said").inner_text())
    expect(len(heard) >= 3, f"timeline: the keys choose too little: {heard}")
    expect(await page.locator("wb-timeline .chart").count() == 5, "timelines: not all runs are there")


async def without_scripts(browser, home, expect):
    context = await browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    for name, element in FIGURES.items():
        await page.goto(home + f"figures/{name}.html")
        figure = page.locator(element).first
        expect(await figure.locator("svg").count() == 1 and len(await figure.locator(".said").inner_text()) > 40,
               f"figure {name}: without scripts there is no picture, or no words")
    await page.goto(home + "figures/timelines.html")
    expect(await page.locator("wb-timeline svg").count() == 3, "timelines: without scripts there are no pictures")
    await context.close()


async def check(browser, home, expect):
    context = await browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = await context.new_page()
    for name, element in FIGURES.items():
        await page.goto(home + f"figures/{name}.html")
        figure = page.locator(element).first
        await by_keyboard(page, figure, name, expect)
        await by_mouse(figure, name, expect)
        await by_controls(figure, name, expect)
    await timelines(page, home, expect)
    await context.close()
    await without_scripts(browser, home, expect)
