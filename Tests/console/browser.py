"""Chromium, used by keyboard alone, with everything that it asks for and complains of kept."""

import json
import os
import shutil
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from world import PATIENCE

# /dev/shm may be small, and root has no sandbox.
ARGUMENTS = (
    "--headless=new --no-sandbox --disable-dev-shm-usage --disable-gpu --no-first-run --lang=en-GB "
    "--disable-background-networking --disable-sync --disable-component-update "
    "--window-size=1280,900").split()
# How far away it is, as far as a page can know.
AHEAD = """
const all = [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')]
    .filter(element => element.checkVisibility());
const rest = all.slice(all.indexOf(document.activeElement) + 1);
return rest.findIndex(element => element.matches(arguments[0]));
"""
# Whether what has the focus is sought, shows that it has it, and had it since `begins` before.
FOCUS = """
const [selector, begins] = arguments, element = document.activeElement;
if (begins) window.reached = new WeakSet();
// The parts of a date are one element.
const again = window.reached.has(element) && element !== window.latest;
const style = getComputedStyle(element);
window.reached.add(window.latest = element);
const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
return [element !== document.body && element.matches(selector),
        element === document.body || outlined, again, element.outerHTML.slice(0, 200)];
"""


class Lost(Exception):
    """The keyboard does not lead there."""


class Browser:
    """One browser; `script=False` takes the pages' scripts away, as its own settings can."""

    def __init__(self, folder, script=True):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        profile = os.path.join(folder, f"profile-{script}")
        for argument in (*ARGUMENTS, "--user-data-dir=" + profile,
                         "--host-resolver-rules=MAP *.example 127.0.0.1"):
            options.add_argument(argument)
        preferences = {"intl.accept_languages": "en-GB"}
        if not script:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_page_load_timeout(PATIENCE)
        self.activations, self.unseen = 0, set()
        self.open, self.run, self.close = (
            self.driver.get, self.driver.execute_script, self.driver.quit)

    def enter(self, console):
        """With the printed link; the session is then also the one of requests without a browser."""
        self.open(console.link)
        self.wait("return location.pathname === '/'")
        console.cookie = "; ".join(
            f"{cookie['name']}={cookie['value']}" for cookie in self.driver.get_cookies())

    def command(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def press(self, *keys):
        if keys:
            ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def tab_to(self, selector):
        """Presses Tab until it has the focus; notes what does not show that it has it."""
        # All but the last steps at once.
        self.press(*[Keys.TAB] * (self.run(AHEAD, selector) - 2))
        again, begins = False, True
        while not again:
            self.press(Keys.TAB)
            found, seen, again, element = self.run(FOCUS, selector, begins)
            begins = False
            if not seen:
                self.unseen.add(element)
            if found:
                return
        raise Lost(f"no Tab leads to {selector} at {self.driver.current_url}")

    def activate(self, leads=True):
        """Presses what has the focus, and waits for the page that it leads to."""
        self.activations += 1
        if not leads:
            return self.press(Keys.ENTER)
        self.run("window.isOld = true")
        self.press(Keys.ENTER)
        return self.wait("return !window.isOld && document.readyState === 'complete'")

    def wait(self, script):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if self.run(script):
                    return
            except WebDriverException:
                pass  # Between two pages there is no page.
            time.sleep(0.01)
        raise Lost(f"it did not come to: {script} at {self.driver.current_url}")

    def type(self, selector, words):
        """What is pasted takes the place of what is there: Tab selects it."""
        self.tab_to(selector)
        kind = self.run("return document.activeElement.type")
        if kind == "date":
            # As Chromium has it in English.
            year, month, day = words.split("-")
            self.press(month + day + year)
        elif kind == "select-one":
            self.press(words)
        else:
            self.command("Input.insertText", text=words)

    @property
    def text(self):
        return self.run("return document.querySelector('main').innerText")

    def medium(self, scheme="light", forced=False):
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "forced-colors", "value": "active" if forced else "none"}])

    def size(self, width, height=900, scale=1):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=scale, mobile=False)

    def judge(self, check, console, name):
        """Since the start: asked of the console alone, without complaint, with the code once."""
        logged = [json.loads(line["message"])["message"]
                  for line in self.driver.get_log("performance")]
        requests = [message["params"]["request"] for message in logged
                    if message["method"] == "Network.requestWillBeSent"]
        # The browser's own first page is none of ours.
        requests = {(request["url"], str(request["headers"]), request["headers"].get("Referer"))
                    for request in requests if not request["url"].startswith("chrome://")}
        elsewhere = {url for url, _, _ in requests
                     if not url.startswith((console.url + "/", "data:"))}
        check(not elsewhere, f"{name}: 0 requests elsewhere among {len(requests)}", elsewhere)
        complaints = [line["message"] for line in self.driver.get_log("browser")]
        check(not complaints, f"{name}: 0 console errors", complaints[:5])
        named = [url for url, fields, _ in requests if console.code in url + fields]
        check(named == [console.link], f"{name}: the code is in one address and no field", named)
        told = [request for request in requests if request[2]]
        check(not told, f"{name}: no address is told to another", told[:3])
        known = self.run("return location.href + document.referrer + document.cookie")
        check(console.code not in known and "usher-" not in known,
              f"{name}: no page knows the code, or the cookie", known)
