"""How every kind of page looks and behaves: axe, widths, colours, languages, and without script."""

import importlib.util
import os

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
WIDEST = "return document.documentElement.scrollWidth"


AXE = os.path.join(os.path.dirname(importlib.util.find_spec("axe_playwright_python").origin),
                   "axe.min.js")
RUN = """
const [options, done] = arguments;
axe.run(document, options).then(
    found => done(found.violations.map(rule => [rule.id, rule.nodes.map(node => node.html).slice(0, 3)])),
    error => done([String(error)]));
"""


def violations(browser, kind, *values):
    return browser.driver.execute_async_script(RUN, {"runOnly": {"type": kind, "values": values}})


def page(check, browser, url, name):
    """One page: rules, colours and widths."""
    browser.medium()
    browser.size(1_280)
    browser.open(url)
    with open(AXE, encoding="utf-8") as file:
        browser.run(file.read())
    found = violations(browser, "tag", *TAGS)
    check(not found, f"axe has nothing against {name}", found)
    browser.medium("dark")
    found = violations(browser, "rule", "color-contrast")
    check(not found, f"axe has nothing against {name} in the dark", found)
    browser.medium()
    for width, scale, what in ((320, 1, "320 px"), (640, 2, "a zoom of 200 %")):
        browser.size(width, scale=scale)
        wide = browser.run(WIDEST)
        check(wide <= width, f"{name} does not scroll sideways at {what}", wide)
    browser.size(1_280)


def run(check, browser, console, kinds):
    for name, target in sorted(kinds.items()):
        if not target.endswith((".json", ".svg", ".css", ".js")):
            page(check, browser, console.url + target, name)
