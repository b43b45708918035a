"""What a reader does with the book, done in a browser: search, filter, switch the language, read from disk, print no error."""
import json
import pathlib

QUERIES = json.loads((pathlib.Path(__file__).parent / "queries.json").read_text(encoding="utf-8"))


async def search(page, words):
    """Types as a person does, and gives the addresses of the results, best first."""
    field = page.locator("[data-md-component=search-query]")
    await field.fill("")
    await field.focus()
    await field.fill(words)
    await field.press("Shift")  # the theme listens to keys
    try:
        await page.wait_for_function(
            "q => document.querySelector('[data-md-component=search-result] .md-search-result__meta').textContent.length > 0 && "
            "document.querySelectorAll('.md-search-result__item').length > 0", arg=words, timeout=60000)
        await page.wait_for_timeout(250)
    except Exception:
        return []
    return await page.eval_on_selector_all(".md-search-result__link", "links => links.map(a => a.getAttribute('href'))")


async def check_search(page, home, language, expect):
    prefix = "" if language == "en" else language + "/"
    await page.goto(home + prefix + "index.html")
    await page.locator("[data-md-component=search-query]").focus()
    await page.wait_for_timeout(600)
    for words, wanted in QUERIES[language].items():
        found = await search(page, words)
        first = found[0].split("?")[0] if found else "nothing"
        expect(wanted in first, f"search, {language}: {words!r} finds {first} first, not {wanted}")


async def check_filter(page, home, expect):
    await page.goto(home + "reference/messages.html")
    await page.fill("#message-filter", "past the end")
    shown = await page.eval_on_selector_all("ul.messages > li", "items => items.filter(i => !i.hidden).map(i => i.textContent)")
    expect(shown and all("past the end" in s.lower() for s in shown), f"the filter of messages shows {len(shown)}")
    await page.fill("#message-filter", "no such words anywhere")
    expect(await page.inner_text("#message-count") == f"0 of {await page.locator('ul.messages > li').count()} messages",
           "the filter of messages says nothing when there is none")


async def check_known(page, home, expect):
    """A tick at the end of a lesson is there when the page is opened again."""
    await page.goto(home + "chapters/01_host_and_device/index.html")
    await page.check("#known-0")
    await page.reload()
    expect(await page.is_checked("#known-0"), "a tick at the end of a lesson is forgotten")
    await page.uncheck("#known-0")


async def check_starter_link(page, home, expect):
    await page.goto(home + "chapters/01_host_and_device/index.html")
    await page.click("a[href='#file-1-1']")
    expect(await page.evaluate("location.hash") == "#file-1-1", "the link to a starter leads nowhere")


async def check_theme(browser, home, expect):
    """The theme follows the system, and the button beside the search changes it."""
    context = await browser.new_context(color_scheme="dark", viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    await page.goto(home + "index.html")
    expect(await page.get_attribute("body", "data-md-color-scheme") == "slate", "a dark system gets a light page")
    await page.locator("form[data-md-component=palette] label:visible").click()
    expect(await page.get_attribute("body", "data-md-color-scheme") == "default", "the button for the theme does nothing")
    await context.close()


async def check_from_disk(browser, root, watched_class, expect):
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    watched = watched_class(page, root.as_uri())
    await page.goto((root / "index.html").as_uri())
    found = await search(page, "coalesced")
    expect(found, "from disk, search finds nothing")
    await page.goto((root / "chapters/05_sms_warps_memory/index.html").as_uri())
    await page.wait_for_timeout(200)
    for told in watched.told[:3]:
        expect(False, f"from disk: {told}")
    await context.close()


async def check_without_scripts(browser, home, expect):
    context = await browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    await page.goto(home + "chapters/05_sms_warps_memory/index.html")
    summary = page.locator("details.answer summary").first
    await summary.click()
    expect(await page.locator("details.answer").first.get_attribute("open") is not None, "without scripts an answer can't be opened")
    await context.close()


async def check(browser, home, root, watched_class, expect):
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    for language in QUERIES:
        if language == "en" or (root / language / "index.html").is_file():
            await check_search(page, home, language, expect)
    await check_filter(page, home, expect)
    await check_known(page, home, expect)
    await check_starter_link(page, home, expect)
    await context.close()
    await check_theme(browser, home, expect)
    await check_without_scripts(browser, home, expect)
    await check_from_disk(browser, root, watched_class, expect)
