"""How every kind of page looks and behaves: axe, widths, colours, languages, script."""

import contextlib
import importlib.util
import os
import re

from browser import Lost

TAGS = "wcag2a", "wcag2aa", "wcag21a", "wcag21aa"
AXE = os.path.join(
    os.path.dirname(importlib.util.find_spec("axe_playwright_python").origin), "axe.min.js")
RUN = """
const [options, done] = arguments;
axe.run(document, options).then(
    found => done(found.violations.map(
        rule => [rule.id, rule.nodes.map(node => node.html).slice(0, 3)])),
    error => done([String(error)]));
"""
# What can be pressed or filled in, and has no border.
BARE = """
return [...document.querySelectorAll(
    'main button, main input:not([type=hidden]), main textarea, nav input')]
    .filter(element => element.offsetParent
        && parseFloat(getComputedStyle(element).borderTopWidth) < 1)
    .map(element => element.outerHTML.slice(0, 100));
"""
TITLES = """
return [...document.querySelectorAll('h1, h2, label, button, summary, .step, nav a')]
    .map(element => element.innerText.trim()).filter(text => text);
"""
HAN, ENGLISH = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[A-Za-z]{3} [a-z]{2}")
CLAIM = "/do/claims/approve?claim=94"


def axe(browser, kind, *values):
    options = {"runOnly": {"type": kind, "values": values}}
    return browser.driver.execute_async_script(RUN, options)


def pages(check, browser, console, kinds):
    """Rules, colours and widths of each kind of page."""
    with open(AXE, encoding="utf-8") as file:
        script = file.read()
    for name, target in sorted(kinds.items()):
        if target.endswith((".json", ".svg", ".css", ".js")):
            continue
        browser.open(console.url + target)
        browser.run(script)
        found = axe(browser, "tag", *TAGS)
        check(not found, f"axe has nothing against {name}", found)
        browser.medium("dark")
        found = axe(browser, "rule", "color-contrast")
        check(not found, f"axe has nothing against {name} in the dark", found)
        browser.medium()
        for width, scale, what in ((320, 1, "320 px"), (640, 2, "a zoom of 200 %")):
            browser.size(width, scale=scale)
            wide = browser.run("return document.documentElement.scrollWidth")
            check(wide <= width, f"{name} does not scroll sideways at {what}", wide)
        browser.size(1_280)


def colours(check, browser, console):
    """Where the system chooses the colours, what can be pressed is seen."""
    browser.medium(forced=True)
    for target in ("/", "/accounts/mei", CLAIM):
        browser.open(console.url + target)
        found = browser.run(BARE)
        check(not found, f"{target}: with forced colours, what can be pressed has a border", found)
        # Nothing is that, so that the way leads through the whole page.
        with contextlib.suppress(Lost):
            browser.tab_to(":not(*)")
    browser.medium()
    check(not browser.unseen, "the focus is always seen", sorted(browser.unseen)[:5])


def chinese(check, browser, console):
    def turn(language):
        browser.open(console.url + "/")
        browser.tab_to("footer [name=language]")
        browser.activate()
        found = browser.run("return document.documentElement.lang")
        check(found == language, f"the language is {language}", found)

    turn("zh-Hans")
    for target in ("/", "/accounts/mei", "/accounts/jon", "/claims/94", CLAIM, "/do/grant",
                   "/policy", "/service", "/find?q=nobody", "/accounts/kim/explain/premium",
                   "/findings", "/accounts/kim/history/premium", "/lost", "/refunds", "/evidence"):
        browser.open(console.url + target)
        english = [text for text in browser.run(TITLES)
                   if ENGLISH.search(text) and not HAN.search(text)]
        said = browser.run("return document.querySelector('[role=alert]')?.innerText")
        check(not english and not said, f"{target} is Chinese", [said, *english[:5]])
    turn("en")


def script(check, browser, console):
    """What the script does: finds while typing, and the keys."""
    browser.open(console.url + "/")
    browser.press("/")
    browser.press("kim")
    browser.wait("return document.querySelector('.found a')")
    check("kim" in browser.run("return document.querySelector('.found').innerText")
          and browser.run("return document.querySelectorAll('#q, header').length") == 2,
          "what is typed behind / is found, on the same page")
    browser.open(console.url + "/")
    browser.press("j", "j", "k")
    steps = browser.run("return [...document.querySelectorAll('main a.step')]"
                        ".indexOf(document.activeElement)")
    check(steps == 0, "j and k lead from one next step to the other", steps)


def run(check, browser, console, kinds):
    pages(check, browser, console, kinds)
    colours(check, browser, console)
    chinese(check, browser, console)
    script(check, browser, console)
