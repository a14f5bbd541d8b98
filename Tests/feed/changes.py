"""Followers that are killed miss nothing and see nothing twice; see scripts/check-changes.

    changes.py USHER REPOSITORY [--kills N] [--followers N] [--seed N]
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from datetime import datetime, timedelta, timezone

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from follow import follow, place  # noqa: E402
from shop import Shop  # noqa: E402

HELD, BROKE, USAGE = 0, 1, 64
WAYS = ("poll", "stream")


class Violation(Exception):
    """A promise that was broken."""


def expect(holds, words):
    if not holds:
        raise Violation(words)


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"check-changes: {message}\n")


def read_arguments():
    parser = Arguments(prog="scripts/check-changes")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--followers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Happenings(threading.Thread):
    """Rights that are given, and that end by themselves a moment later."""

    def __init__(self, shop, rng):
        super().__init__(daemon=True)
        self.shop, self.rng = shop, rng
        self.given, self.ends, self.goes_on = 0, True, True

    def run(self):
        while self.goes_on:
            until = datetime.now(timezone.utc) + timedelta(milliseconds=self.rng.randint(40, 900))
            body = {"account": f"person-{self.rng.randint(1, 40)}",
                    "entitlement": self.entitlement, "reason": "A test.",
                    "until": until.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
            try:
                status, answer = self.shop.ask("POST", "/v1/grants", json.dumps(body))
            except OSError:
                time.sleep(0.01)
                continue
            if status == 200:
                self.given += 1
            elif status not in (503, 429, 422):
                raise Violation(f"a grant is answered with {status}: {answer}")
            time.sleep(self.rng.random() * 0.02)


class Followers:
    """Processes that follow; each file is one follower, whatever process writes it."""

    def __init__(self, shop, folder, count):
        self.socket = os.path.join(shop.sockets, "usher.sock")
        self.names = [os.path.join(folder, f"taken-{number}") for number in range(count)]
        self.pids = [None] * count
        self.kills = 0

    def start(self, number, way):
        pid = os.fork()
        if pid == 0:
            try:
                follow(self.socket, self.names[number], way)
            finally:
                os._exit(1)
        self.pids[number] = pid

    def kill(self, number):
        os.kill(self.pids[number], signal.SIGKILL)
        os.waitpid(self.pids[number], 0)
        self.kills += 1

    def stop(self):
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def taken(self, number):
        place(self.names[number])
        with open(self.names[number], encoding="utf-8") as file:
            return [json.loads(line) for line in file]


def get(shop, path, statuses=(200,)):
    status, body = shop.get(path, name="usher.sock")
    expect(status in statuses, f"{path} is answered with {status}: {body}")
    return json.loads(body)


def all_changes(shop):
    """The whole feed, page by page."""
    changes, after = [], "0"
    while True:
        page = get(shop, f"/v1/changes?after={after}&limit=1000")
        changes += page["changes"]
        if page["at_head"] and page["caught_up"]:
            return changes
        after = page["next"]


def check_answers(shop, changes):
    """Folded, the feed says what is answered."""
    folded = {}
    for change in changes:
        if "entitlement" in change:
            folded[change["account"], change["environment"], change["entitlement"]] = change
    for (account, environment, entitlement), change in folded.items():
        answer = get(shop, f"/v1/accounts/{account}/entitlements/{entitlement}"
                           f"?environment={environment}")
        after = change["after"]
        expect((after["decision"], after.get("state"), after.get("until"))
               == (answer["decision"], answer["state"], answer["until"]),
               f"told {change}, answered {answer}")
    return len(folded)


def check_rejections(shop, changes):
    cursor = changes[-1]["cursor"]
    other = ("0" if cursor[0] != "0" else "1") + cursor[1:]
    ahead = f"{cursor.split(':')[0]}:{len(changes) + 1000}"
    for query, status, code in [
            (f"after={other}", 409, "feed.other-ledger"), (f"after={ahead}", 409, "feed.future"),
            ("after=moon", 400, "input.value"), ("kind=moon", 400, "input.value"),
            ("entitlement=moon", 404, "entitlement.unknown"), ("wait=1h", 400, "input.number"),
            ("limit=0", 400, "input.number"), ("account=%20", 400, "input.id")]:
        problem = get(shop, f"/v1/changes?{query}", (status,))
        expect(problem["code"] == code, f"{query}: {problem}")


def run(options, folder):
    rng = random.Random(options.seed)
    shop = Shop(options.usher, options.repository, folder)
    process = shop.start()
    happenings = Happenings(shop, random.Random(options.seed + 1))
    happenings.entitlement = get(shop, "/v1/accounts/nobody/entitlements")[
        "entitlements"][0]["entitlement"]
    followers = Followers(shop, folder, options.followers)
    happenings.start()
    for number in range(options.followers):
        followers.start(number, WAYS[number % 2])
    restarts = 0
    while followers.kills < options.kills:
        time.sleep(rng.random() * 0.06)
        number = rng.randrange(options.followers)
        followers.kill(number)
        followers.start(number, rng.choice(WAYS))
        if followers.kills % 50 == 25:
            process.send_signal(signal.SIGKILL)
            process.wait()
            process = shop.start()
            restarts += 1
    happenings.goes_on = False
    happenings.join()
    # What was given ends.
    time.sleep(1.2)
    changes = all_changes(shop)
    numbers = [change["number"] for change in changes]
    expect(numbers == list(range(1, len(changes) + 1)), "the feed has gaps")
    instants = [change["at"] for change in changes]
    expect(instants == sorted(instants), "the instants of the feed decrease")
    deadline = time.monotonic() + 30
    for number in range(options.followers):
        while place(followers.names[number])[1] < len(changes) and time.monotonic() < deadline:
            time.sleep(0.02)
    followers.stop()
    for number in range(options.followers):
        taken = followers.taken(number)
        expect(taken == changes, f"follower {number} has taken"
               f" {[each['number'] for each in taken][-20:]}, the feed ends with {numbers[-3:]}")
    answers = check_answers(shop, changes)
    check_rejections(shop, changes)
    process.terminate()
    process.wait()
    lost = sum(1 for change in changes if change["kind"] == "right-lost")
    expect(lost > 10, "rights end by time alone")
    print(f"changes: {len(changes)} changes, {happenings.given} grants, {lost} rights ended by time;"
          f" {options.followers} followers, {followers.kills} of them killed, {restarts} services"
          f" killed: nothing missed, nothing twice; {answers} answers agree")


def main():
    options = read_arguments()
    with tempfile.TemporaryDirectory(prefix="usher-changes-") as folder:
        try:
            run(options, folder)
        except Violation as violation:
            print(f"changes: {violation}")
            return BROKE
    return HELD


if __name__ == "__main__":
    sys.exit(main())
