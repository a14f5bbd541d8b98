"""Changes are pushed by a fleet while its leader is killed or stands still in the middle of its
deliveries, and its database goes away: every change arrives, in the order of the feed but for
repetitions, each of them with the same id and the same bytes. See scripts/fleet.

    push.py USHER REPOSITORY [--faults N] [--seed N] [--keep]
"""

import argparse
import base64
import collections
import hashlib
import hmac
import http.server
import json
import os
import random
import shutil
import signal
import socketserver
import sys
import tempfile
import threading
import time
import urllib.parse

from fleet import Fleet

SETTINGS = """
subscriptions:
  all: {{url: "{folder}/all.sock:/changes", secret-file: {folder}/secret, from: start}}
  rights: {{url: "{folder}/rights.sock", secret-file: {folder}/secret, from: start,
    accounts: odd-, kinds: [right-gained], entitlements: [premium]}}
  picky: {{url: "{folder}/picky.sock", secret-file: {folder}/secret, from: start,
    accounts: picky-}}
"""
# Seconds.
PATIENCE = 60


class Violation(Exception):
    """A promise that was broken."""


def expect(holds, words):
    if not holds:
        raise Violation(words)


class Receiver:
    """Keeps all that arrives, in its order; slow enough to have something under way always."""

    def __init__(self, folder, name, secret, rng):
        self.name, self.secret, self.rng = name, secret, rng
        self.arrived, self.problems = [], []
        self.refuses = False
        self.lock = threading.Lock()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers["content-length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    # Who sends it was killed: it has not arrived.
                    self.close_connection = True
                    return
                status = receiver.take(self.headers, body)
                if status is None:
                    # Taken, and nobody hears of it.
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def address_string(self):
                return "socket"

            def log_message(self, *_):
                pass

        class Server(socketserver.ThreadingUnixStreamServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(os.path.join(folder, name + ".sock"), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, headers, body):
        name, second = headers["webhook-id"], headers["webhook-timestamp"]
        mac = hmac.digest(self.secret, f"{name}.{second}.".encode() + body, hashlib.sha256)
        if headers["webhook-signature"] != "v1," + base64.b64encode(mac).decode():
            self.problems.append(f"{self.name}: {name} is not signed as it has to be")
        with self.lock:
            if self.refuses:
                return 400
            self.arrived.append((json.loads(body)["number"], name, body))
            chance = self.rng.random()
        time.sleep(0.002 + chance * 0.004)
        if chance < 0.002:
            return None
        return 503 if chance < 0.004 else 204

    def numbers(self):
        with self.lock:
            return {number for number, _, _ in self.arrived}

    def check(self, expected):
        """All of them, none before an older one, each repetition as it was before.

        Returns how many came more than once."""
        if self.problems:
            raise Violation(self.problems[0])
        seen, last = {}, 0
        for number, name, body in self.arrived:
            if number in seen:
                expect(seen[number] == (name, body), f"{self.name}: {number} came differently")
                continue
            expect(number > last, f"{self.name}: {number} came behind {last}")
            seen[number], last = (name, body), number
        missing = sorted(set(expected) - set(seen))
        expect(not missing, f"{self.name}: {len(missing)} are missing, such as {missing[:5]}")
        others = sorted(set(seen) - set(expected))
        expect(not others, f"{self.name}: {others[:5]} are not for it")
        ids = {name for name, _ in seen.values()}
        expect(len(ids) == len(seen), f"{self.name}: two changes have one id")
        return len(self.arrived) - len(seen)


class Writer(threading.Thread):
    """Grants something to new accounts, at any node."""

    def __init__(self, fleet, seed):
        super().__init__(daemon=True)
        self.fleet, self.rng = fleet, random.Random(seed)
        self.goes_on, self.granted = True, 0

    def run(self):
        while self.goes_on:
            name = f"{self.rng.choice(['odd', 'even'])}-{self.rng.randrange(1 << 40)}"
            if grant(self.fleet, self.rng, name):
                self.granted += 1
            time.sleep(0.002)


def grant(fleet, rng, account):
    body = json.dumps({"account": account, "entitlement": "premium", "reason": "a test"})
    try:
        status, answer = rng.choice(fleet.nodes).shop.ask("POST", "/v1/grants", body, timeout=20)
    except OSError:
        return False
    if status in (200, 201):
        return True
    if status != 503:
        print(f"fleet: a grant was answered {status}: {answer}", file=sys.stderr)
    return False


class Faults:
    """What happens in the middle of deliveries; each has ended before the next one."""

    def __init__(self, fleet, rng):
        self.fleet, self.rng = fleet, rng
        self.counts = collections.Counter()

    def run(self, count):
        kinds = [self.kill_leader, self.stand_still, self.kill_leader, self.restart_database,
                 self.kill_leader, self.end_sessions]
        for number in range(count):
            time.sleep(0.5 + self.rng.random())
            kind = kinds[number % len(kinds)]
            kind()
            self.counts[kind.__name__.replace("_", " ")] += 1
            self.leader()

    def leader(self):
        revive(self.fleet)
        return self.fleet.wait(self.fleet.leader, PATIENCE, "nobody leads")

    def kill_leader(self):
        node = self.leader()
        node.process.kill()
        node.process.wait()
        time.sleep(self.rng.random() * 0.5)
        node.launch()

    def stand_still(self):
        """It wakes up when another one has delivered what it was about to."""
        node = self.leader()
        node.process.send_signal(signal.SIGSTOP)
        node.is_stopped = True
        try:
            self.leader()
            time.sleep(self.rng.random())
        finally:
            node.process.send_signal(signal.SIGCONT)
            node.is_stopped = False

    def restart_database(self):
        self.fleet.primary.kill()
        time.sleep(self.rng.random())
        self.fleet.primary.start()

    def end_sessions(self):
        self.fleet.primary.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'usher' "
            "AND application_name = 'usher'", "postgres")


def revive(fleet):
    """What has ended by itself is started, as a service manager does it."""
    for node in fleet.nodes:
        if not node.is_running():
            node.launch()


def get(node, path):
    """The answer, once there is one."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            status, body = node.shop.get(path, name="usher.sock", timeout=20)
        except OSError:
            status, body = 0, b""
        if status == 200:
            return json.loads(body)
        time.sleep(0.05)
    raise Violation(f"{node.name} answers {path} with {status}: {body}")


def feed(node):
    """All changes, as those that ask get them."""
    changes, after = [], None
    while True:
        query = "?" + urllib.parse.urlencode({"after": after}) if after else ""
        page = get(node, "/v1/changes" + query)
        changes += page["changes"]
        if page["at_head"] and page["caught_up"]:
            return changes
        if page["at_head"]:
            time.sleep(0.05)
        after = page["next"]


def place(cursor):
    return int(cursor.rsplit(":", 1)[1])


def places_only_grow(fleet):
    """As the fleet's database has it: nobody has moved a subscription back."""
    lines = fleet.primary.sql(
        "SELECT convert_from(line, 'UTF8') FROM usher.journal WHERE name = 'push' ORDER BY number")
    last = {}
    for line in map(json.loads, lines.splitlines()):
        if "cursor" in line:
            name, number = line["subscription"], place(line["cursor"])
            expect(number >= last.get(name, 0), f"{name} was moved from {last.get(name)} to {number}")
            last[name] = number
    return len(lines.splitlines())


def all_nodes_say(fleet, head):
    """How far each subscription is, wherever one asks."""
    def stands(node):
        said[node.name] = push = get(node, "/status")["push"]
        return len(push) == 3 and all(
            place(one.get("cursor", ":0")) >= head and one["waiting"] == 0 for one in push)
    said = {}
    for node in fleet.nodes:
        try:
            fleet.wait(lambda node=node: stands(node), 30, "it does not say how far changes are")
        except RuntimeError as error:
            raise Violation(f"{node.name}: {error}: {head}, {said[node.name]}") from error
        mine = node is fleet.leader()
        for one in get(node, "/status")["push"]:
            expect((one["state"] == "elsewhere") != mine, f"{node.name} says {one}")


def settle_by_hand(fleet, receivers, rng):
    """What a receiver does not take is put aside, listed by every node, and sent again or struck
    off through any of them."""
    picky = receivers["picky"]
    picky.refuses = True
    for number in range(2):
        fleet.wait(lambda number=number: grant(fleet, rng, f"picky-{number}"), PATIENCE,
                   "nothing is granted")
    numbers = [change["number"] for change in feed(fleet.nodes[0])
               if change.get("account", "").startswith("picky-")]
    # The first one is put aside after five attempts in fifteen seconds.
    fleet.wait(lambda: numbers[0] in listed(fleet.nodes[0]), PATIENCE, "nothing is put aside")
    picky.refuses = False
    for node in fleet.nodes:
        expect(listed(node) == [numbers[0]], f"{node.name} lists {listed(node)}")
    fleet.wait(lambda: picky.numbers() >= set(numbers[1:]), PATIENCE, "the others do not come")
    leader = fleet.leader()
    others = [node for node in fleet.nodes if node is not leader]
    body = json.dumps({"subscription": "picky", "number": numbers[0], "reason": "mended"})
    act(others[0], "resend", body)
    fleet.wait(lambda: numbers[0] in picky.numbers(), PATIENCE, "it is not sent again")
    for node in fleet.nodes:
        fleet.wait(lambda node=node: listed(node) == [], PATIENCE, f"{node.name} still lists it")
    status, answer = others[1].shop.ask("POST", "/v1/changes/undelivered/discard", body)
    expect(status == 404, f"what is delivered is struck off: {status} {answer}")


def listed(node):
    return [change["number"] for change in get(node, "/v1/changes/undelivered")["changes"]]


def act(node, action, body):
    status, answer = node.shop.ask("POST", f"/v1/changes/undelivered/{action}", body)
    expect(status == 200, f"{node.name} answers {action} with {status}: {answer}")


def without_database(fleet):
    """Nobody says that nothing is undelivered where nobody knows."""
    fleet.primary.kill()
    followers = [node for node in fleet.nodes if not (node.status() or {}).get("leads")]
    for node in followers:
        status, answer = node.shop.get("/v1/changes/undelivered", name="usher.sock")
        code = json.loads(answer).get("code", "")
        expect(status == 503 and code.startswith("ledger."),
               f"{node.name} answers without a database: {status} {answer}")
    expect(followers, "every node leads")


def run(arguments, folder):
    rng = random.Random(arguments.seed)
    secret = rng.randbytes(32)
    descriptor = os.open(f"{folder}/secret", os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(descriptor, b"whsec_" + base64.b64encode(secret))
    os.close(descriptor)
    with open(f"{folder}/settings.yaml", "w", encoding="utf-8") as file:
        file.write(SETTINGS.format(folder=folder))
    receivers = {name: Receiver(folder, name, secret, random.Random(arguments.seed + number))
                 for number, name in enumerate(["all", "rights", "picky"])}
    fleet = Fleet(os.path.abspath(arguments.usher), arguments.repository, folder)
    for node in fleet.nodes:
        node.shop.options += ["--config", f"{folder}/settings.yaml"]
    writers = [Writer(fleet, arguments.seed * 100 + number) for number in range(6)]
    try:
        fleet.start()
        for writer in writers:
            writer.start()
        faults = Faults(fleet, rng)
        faults.run(arguments.faults)
        for writer in writers:
            writer.goes_on = False
        for writer in writers:
            writer.join()
        # Who was about to start when the sessions were ended has ended, too.
        revive(fleet)
        report(fleet, receivers, faults, writers, rng)
    except BaseException:
        for node in fleet.nodes:
            if os.path.exists(node.shop.folder + "/log"):
                print(f"--- {node.name}", node.log()[-2000:], sep="\n", file=sys.stderr)
        raise
    finally:
        for writer in writers:
            writer.goes_on = False
        fleet.stop()


def wanted_of(changes):
    """The numbers that each receiver is to get."""
    return {"all": [change["number"] for change in changes],
            "rights": [change["number"] for change in changes
                       if change["kind"] == "right-gained" and change["entitlement"] == "premium"
                       and change.get("account", "").startswith("odd-")]}


def settled(fleet, receivers):
    """All changes, once every node has the same ones and they have arrived.

    A node may be behind, and a call whose answer was lost may be carried out after its caller has
    given up: more come until nobody has anything under way."""
    end = time.monotonic() + PATIENCE
    while True:
        changes = feed(fleet.nodes[0])
        for name, numbers in wanted_of(changes).items():
            fleet.wait(lambda name=name, numbers=numbers: receivers[name].numbers() >= set(numbers),
                       PATIENCE, f"not all changes arrive at {name}")
        arrived = receivers["all"].numbers()
        if all(len(feed(node)) == len(changes) for node in fleet.nodes) and len(
                arrived) == len(changes) or time.monotonic() > end:
            return changes


def report(fleet, receivers, faults, writers, rng):
    changes = settled(fleet, receivers)
    wanted = wanted_of(changes)
    all_nodes_say(fleet, changes[-1]["number"])
    repeated = sum(receivers[name].check(numbers) for name, numbers in wanted.items())
    lines = places_only_grow(fleet)
    settle_by_hand(fleet, receivers, rng)
    without_database(fleet)
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(faults.counts.items()))
    print(f"fleet: pushed {len(wanted['all'])} changes to one receiver and {len(wanted['rights'])} "
          f"of them to another, {sum(writer.granted for writer in writers)} grants, "
          f"{sum(faults.counts.values())} faults ({kinds})")
    print(f"fleet: all arrived in order, {repeated} came again, with the same id and bytes; "
          f"{lines} lines in the journal, none moves a subscription back")


def main():
    parser = argparse.ArgumentParser(prog="scripts/fleet push")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    begun = time.monotonic()
    try:
        run(arguments, folder)
    except (Violation, RuntimeError) as violation:
        print(f"fleet: BROKEN (seed {arguments.seed}): {violation}", file=sys.stderr)
        return 1
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"fleet: {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
