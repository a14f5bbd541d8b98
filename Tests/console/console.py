"""The console, attacked and used in a browser; see scripts/check-console.

    console.py USHER REPOSITORY [--screenshots FOLDER]
"""

import argparse
import json
import os
import sys
import tempfile
import time

import attacks
import looks
import pages
from browser import Browser
from support import Desk
from world import Checks, Console, Service


def prepare(service):
    """The evidence of the letters, and Ben's, who presents what his iPad has bought."""
    evidence = os.path.join(service.played, "evidence.jsonl")
    service.run("ingest", evidence)
    with open(evidence, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    anas = next(line["file"] for line in lines if line.get("account") == "ana")
    service.run("ingest", "--account", "ben", "--moment", "purchase",
                os.path.join(service.played, anas))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    check = Checks()
    began = time.monotonic()

    def part(name):
        print(f"console: {name}: {check.count} checks, {time.monotonic() - began:.0f} s", flush=True)

    with tempfile.TemporaryDirectory(prefix="usher-console.", ignore_cleanup_errors=True) as folder:
        service = Service(options.usher, options.repository, folder).start()
        browser = console = None
        try:
            prepare(service)
            console = Console(service)
            browser = Browser(folder)
            browser.open(console.link)
            browser.wait("return location.pathname === '/'")
            console.cookie = "; ".join(f"{cookie['name']}={cookie['value']}"
                                       for cookie in browser.driver.get_cookies())
            kinds = pages.crawl(check, service, console)
            part("pages")
            attacks.run(check, service, folder, kinds.values())
            part("attacks")
            Desk(check, browser, service).all(console)
            part("letters")
            looks.run(check, browser, console, kinds)
            part("looks")
        finally:
            for thing in filter(None, (browser, console)):
                thing.close()
            service.kill()
    print(f"console: {check.count} checks, {len(check.failed)} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
