"""Pictures of six pages at three widths, for docs/CONSOLE.md."""

import os

WIDTHS = (360, 800, 1_280)
SIX = (("home", "/"), ("account", "/accounts/kim"), ("action", "/do/claims/approve?claim=94"),
       ("history", "/accounts/kim/history/premium"), ("policy", "/policy"), ("service", "/service"))


def take(browser, console, folder):
    os.makedirs(folder, exist_ok=True)
    for name, target in SIX:
        browser.open(console.url + target)
        for width in WIDTHS:
            browser.medium()
            picture(browser, width, os.path.join(folder, f"{name}-{width}.png"))
            if name in ("home", "account"):
                browser.medium("dark")
                picture(browser, width, os.path.join(folder, f"{name}-{width}-dark.png"))
    browser.medium()


def picture(browser, width, path):
    """The whole page, however long it is."""
    browser.size(width)
    height = browser.run("return document.documentElement.scrollHeight")
    browser.size(width, min(max(height, 400), 3_000))
    browser.driver.save_screenshot(path)
    browser.size(1_280)
