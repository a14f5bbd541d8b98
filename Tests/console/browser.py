"""Chromium, used by keyboard alone, with everything that it asks for and complains of kept."""

import json
import os
import shutil
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from world import PATIENCE

# What has the focus: whether it matches, and how it shows that it has it.
# The third is whether it had it since `begins` before.
FOCUS = """
const [selector, begins] = arguments, element = document.activeElement;
if (begins) window.reached = new WeakSet();
const again = window.reached.has(element), style = getComputedStyle(element);
window.reached.add(element);
return [element !== document.body && element.matches(selector),
        element === document.body
        || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
        again, element.outerHTML.slice(0, 200)];
"""


class Lost(Exception):
    """The keyboard does not lead there."""


class Browser:
    """One browser; `script=False` takes the pages' scripts away, as its own settings can."""

    def __init__(self, folder, script=True):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        self.profile = os.path.join(folder, "profile" if script else "profile-without-script")
        # /dev/shm may be small, and root has no sandbox.
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                         "--no-first-run", "--disable-background-networking", "--disable-sync",
                         "--disable-component-update", "--lang=en-GB", "--window-size=1280,900",
                         "--user-data-dir=" + self.profile,
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
        self.activations = 0
        self.unseen = set()
        self.requests = []
        self.complaints = []

    def close(self):
        self.driver.quit()

    def open(self, url):
        self.driver.get(url)

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def command(self, name, **values):
        return self.driver.execute_cdp_cmd(name, values)

    def press(self, *keys):
        actions = ActionChains(self.driver, duration=0)
        actions.send_keys(*keys).perform()

    def tab_to(self, selector):
        """Presses Tab until what matches has the focus; notes what does not show that it has it."""
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

    def activate(self, key=Keys.ENTER, leads=True):
        """Presses what has the focus, and waits for the page that it leads to."""
        self.activations += 1
        if not leads:
            return self.press(key)
        self.run("window.isOld = true")
        self.press(key)
        return self.wait("return !window.isOld && document.readyState === 'complete'")

    def wait(self, script):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if self.run(script):
                    return
            except Exception:  # noqa: BLE001  between two pages there is no page
                pass
            time.sleep(0.01)
        raise Lost(f"it did not come to: {script} at {self.driver.current_url}")

    def type(self, selector, words):
        """What is typed takes the place of what is there: Tab selects it."""
        self.tab_to(selector)
        self.press(words)

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

    def collect(self):
        """Takes over what the browser has logged: what it asked for, and what it complains of."""
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                request = message["params"]["request"]
                # The browser's own first page is none of ours.
                if not request["url"].startswith("chrome://"):
                    self.requests.append((request["url"], request["headers"]))
        self.complaints += [line["message"] for line in self.driver.get_log("browser")]

    def judge(self, check, console, name):
        """Everything since the start: asked of the console alone, without complaint, the code once."""
        self.collect()
        elsewhere = {url for url, _ in self.requests if not url.startswith((console.url + "/", "data:"))}
        check(not elsewhere, f"{name}: 0 requests elsewhere among {len(self.requests)}", sorted(elsewhere)[:5])
        check(not self.complaints, f"{name}: 0 console errors", self.complaints[:5])
        named = [(url, fields) for url, fields in self.requests if console.code in url + str(fields)]
        check(len(named) == 1, f"{name}: the code is in one address, and in no field", named[1:])
        told = [(url, fields["Referer"]) for url, fields in self.requests if fields.get("Referer")]
        check(not told, f"{name}: no address is told to another", told[:3])
        check(console.code not in self.run("return location.href + document.referrer + document.cookie"),
              f"{name}: no page knows the code, or the cookie")
