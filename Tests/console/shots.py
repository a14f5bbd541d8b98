"""Pictures of six pages at three widths, for docs/CONSOLE.md."""

import os
import subprocess

WIDTHS = (360, 800, 1_280)
SIX = {"home": "/", "account": "/accounts/kim", "action": "/do/claims/approve?claim=94",
       "history": "/accounts/kim/history/premium", "policy": "/policy", "service": "/service"}


def take(browser, console, folder):
    os.makedirs(folder, exist_ok=True)
    browser.command("Emulation.setScrollbarsHidden", hidden=True)
    paths = []
    for name, target in SIX.items():
        browser.open(console.url + target)
        for width in WIDTHS:
            has_dark = width == WIDTHS[-1] and name in ("home", "account")
            for scheme in ("light", "dark") if has_dark else ("light",):
                end = "" if scheme == "light" else "-dark"
                paths.append(os.path.join(folder, f"{name}-{width}{end}.png"))
                browser.medium(scheme)
                browser.size(width)
                # The whole page, unless it is very long.
                height = browser.run("return document.documentElement.scrollHeight")
                browser.size(width, min(max(height, 400), 1_600))
                browser.driver.save_screenshot(paths[-1])
    browser.size(1_280)
    browser.medium()
    browser.command("Emulation.setScrollbarsHidden", hidden=False)
    subprocess.run(
        ["pngquant", "--force", "--ext", ".png", "--speed", "1", "--strip", "24", *paths],
        check=True)
