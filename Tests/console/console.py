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


class Parts:
    """What is checked, one part after the other."""

    def __init__(self, options, folder):
        self.options, self.folder, self.source = options, folder, os.path.join(folder, "letters")
        self.check, self.began, self.open = Checks(), time.monotonic(), []
        set_up(options.usher, self.source)

    def add(self, thing):
        """Closed at the end, whatever happens."""
        self.open.append(thing)
        return thing

    def serve(self, name):
        folder = os.path.join(self.folder, name)
        service = self.add(Service(self.options.usher, self.source, folder))
        return service, self.add(Console(service.start()))

    def run(self):
        check, (service, console) = self.check, self.serve("first")
        browser = self.add(Browser(self.folder))
        browser.enter(console)
        if self.options.screenshots:
            shots.take(browser, console, self.options.screenshots)
        kinds = pages.crawl(check, service, console)
        self.done("pages")
        attacks.run(check, service, self.folder, kinds.values())
        self.done("attacks")
        looks.run(check, browser, console, kinds)
        self.done("looks")
        desk = Desk(check, browser, service, console)
        desk.letters()
        desk.policies()
        browser.judge(check, console, "with script")
        self.done("letters and policies")
        foreign.run(check, service, browser, console)
        self.done("another origin")
        plain, again = self.add(Browser(self.folder, script=False)), self.add(Console(service))
        Desk(check, plain, service, again).without_script(again)
        plain.judge(check, again, "without script")
        self.done("without script")
        names.run(check, service, console)
        self.done("names")
        silent = trouble.Silent(service, console)
        other, console = self.serve("second")
        console.enter()
        trouble.run(check, other, console)
        self.done("trouble")
        proxy.run(check, self.options, self.source, self.folder)
        self.done("behind a proxy")
        silent.judge(check)
        self.done("a service that never answers")

    def done(self, name):
        print(f"console: {name}: {self.check.count} checks, "
              f"{time.monotonic() - self.began:.0f} s", flush=True)

    def close(self):
        for thing in reversed(self.open):
            thing.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--screenshots")
    with tempfile.TemporaryDirectory(
            prefix="usher-console.", ignore_cleanup_errors=True) as folder:
        parts = Parts(parser.parse_args(), folder)
        try:
            parts.run()
        finally:
            parts.close()
    print(f"console: {parts.check.count} checks, {len(parts.check.failed)} failed")
    return 1 if parts.check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
