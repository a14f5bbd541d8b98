"""Pictures of six pages at three widths, for docs/CONSOLE.md."""

import os
import subprocess

WIDTHS = (360, 800, 1_280)
SIX = (("home", "/"), ("account", "/accounts/kim"), ("action", "/do/claims/approve?claim=94"),
       ("history", "/accounts/kim/history/premium"), ("policy", "/policy"), ("service", "/service"))


def take(browser, console, folder):
    os.makedirs(folder, exist_ok=True)
    browser.command("Emulation.setScrollbarsHidden", hidden=True)
    for name, target in SIX:
        browser.open(console.url + target)
        for width in WIDTHS:
            browser.medium()
            picture(browser, width, os.path.join(folder, f"{name}-{width}.png"))
            if name in ("home", "account"):
                browser.medium("dark")
                picture(browser, width, os.path.join(folder, f"{name}-{width}-dark.png"))
    browser.medium()
    browser.command("Emulation.setScrollbarsHidden", hidden=False)
    names = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".png")]
    subprocess.run(["pngquant", "--force", "--ext", ".png", "--speed", "1", "--strip", "32", *names], check=True)


def picture(browser, width, path):
    """The whole page, unless it is very long."""
    browser.size(width)
    height = browser.run("return document.documentElement.scrollHeight")
    browser.size(width, min(max(height, 400), 1_600))
    browser.driver.save_screenshot(path)
    browser.size(1_280)
