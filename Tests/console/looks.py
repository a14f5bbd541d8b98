"""How every kind of page looks and behaves: axe, widths, colours, languages, and without script."""

import importlib.util
import os
import re

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


BORDERS = """
return [...document.querySelectorAll('main button, main input:not([type=hidden]), main textarea, nav input')]
    .filter(element => element.offsetParent && parseFloat(getComputedStyle(element).borderTopWidth) < 1)
    .map(element => element.outerHTML.slice(0, 100));
"""
HAN = re.compile(r"[\u4e00-\u9fff]")


def colours(check, browser, console):
    """Where the system chooses the colours, what can be pressed is seen."""
    browser.medium(forced=True)
    for target in ("/", "/accounts/mei", "/do/claims/approve?claim=94"):
        browser.open(console.url + target)
        check(browser.run("return matchMedia('(forced-colors: active)').matches"), "colours are forced")
        found = browser.run(BORDERS)
        check(not found, f"{target}: with forced colours everything to press has a border", found)
        browser.tab_to("a")
    browser.medium()
    check(not browser.unseen, "the focus is always seen", sorted(browser.unseen)[:5])


def chinese(check, browser, console):
    browser.open(console.url + "/")
    browser.tab_to("footer [name=language]")
    browser.activate()
    check(browser.run("return document.documentElement.lang").startswith("zh"), "the page is Chinese")
    for target in ("/", "/accounts/mei", "/claims/94", "/do/claims/approve?claim=94", "/policy", "/service",
                   "/find?q=nobody", "/accounts/kim/explain/premium", "/findings", "/evidence"):
        browser.open(console.url + target)
        titles = browser.run("return [...document.querySelectorAll('h1, h2, label, button, summary, .step, nav a')]"
                             ".map(element => element.innerText.trim()).filter(text => text)")
        english = [text for text in titles if re.search(r"[A-Za-z]{3} [a-z]{2}", text) and not HAN.search(text)]
        check(not english, f"{target} is Chinese", english[:5])
    browser.open(console.url + "/")
    browser.tab_to("footer [name=language]")
    browser.activate()
    check(browser.run("return document.documentElement.lang") == "en", "the page is English again")
