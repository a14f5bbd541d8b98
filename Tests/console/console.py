"""The console, attacked and used in a browser; see scripts/check-console.

    console.py USHER REPOSITORY [--screenshots FOLDER]
"""

import argparse
import os
import sys
import tempfile
import time

import attacks
import foreign
import looks
import names
import pages
import proxy
import shots
import trouble
from browser import Browser
from support import Desk
from world import Checks, Console, Service, set_up


def enter(browser, console):
    """With the printed link; the session is then also the one of requests without a browser."""
    browser.open(console.link)
    browser.wait("return location.pathname === '/'")
    console.cookie = "; ".join(f"{cookie['name']}={cookie['value']}"
                               for cookie in browser.driver.get_cookies())


class Parts:
    """What is checked, one part after the other."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.check, self.began, self.open = Checks(), time.monotonic(), []
        self.source = os.path.join(folder, "letters")
        set_up(options.usher, self.source)
        self.service, self.console = self.serve("first")
        self.browser = Browser(folder)
        self.open.append(self.browser)
        enter(self.browser, self.console)

    def serve(self, name):
        service = Service(self.options.usher, self.source, os.path.join(self.folder, name))
        self.open.append(service)
        service.start()
        console = Console(service)
        self.open.append(console)
        return service, console

    def run(self):
        check, service, console, browser = self.check, self.service, self.console, self.browser
        if self.options.screenshots:
            shots.take(browser, console, self.options.screenshots)
        kinds = pages.crawl(check, service, console)
        self.done("pages")
        attacks.run(check, service, self.folder, kinds.values())
        self.done("attacks")
        looks.run(check, browser, console, kinds)
        looks.colours(check, browser, console)
        looks.chinese(check, browser, console)
        self.done("looks")
        desk = Desk(check, browser, service, console)
        desk.letters()
        desk.policies()
        browser.judge(check, console, "with script")
        self.done("letters and policies")
        browser = Browser(self.folder, script=False)
        self.open.append(browser)
        again = Console(service)
        self.open.append(again)
        Desk(check, browser, service, again).without_script(again)
        browser.judge(check, again, "without script")
        self.done("without script")
        foreign.run(check, service, self.browser, console)
        self.done("another origin")
        names.run(check, service, console)
        self.done("names")
        other, console = self.serve("second")
        console.enter()
        trouble.run(check, other, console)
        self.done("trouble")
        proxy.run(check, self.options, self.source, self.folder)
        self.done("behind a proxy")

    def done(self, name):
        print(f"console: {name}: {self.check.count} checks, {time.monotonic() - self.began:.0f} s", flush=True)

    def close(self):
        for thing in reversed(self.open):
            thing.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="usher-console.", ignore_cleanup_errors=True) as folder:
        parts = Parts(options, folder)
        try:
            parts.run()
        finally:
            parts.close()
    print(f"console: {parts.check.count} checks, {len(parts.check.failed)} failed")
    return 1 if parts.check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
