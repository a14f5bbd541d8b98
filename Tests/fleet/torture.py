"""Faults of every kind under load, and what must hold afterwards; see scripts/fleet.

    torture.py USHER REPOSITORY [--faults N] [--purchases N] [--nodes N] [--seed N] [--keep]
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from fleet import Fleet  # noqa: E402

HELD, BROKE, USAGE = 0, 1, 64
ACCOUNTS = 40
# How long a fleet may take until it takes writes again. Seconds.
PATIENCE = 90


class Violation(Exception):
    """A promise that was broken."""


def expect(holds, words):
    if not holds:
        raise Violation(words)


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"fleet: {message}\n")


def read_arguments():
    parser = Arguments(prog="scripts/fleet torture")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


class Client(threading.Thread):
    """Hands in purchases, each until a node has taken it, and reads back what it wrote."""

    def __init__(self, fleet, purchases, seed):
        super().__init__(daemon=True)
        self.fleet, self.purchases = fleet, purchases
        self.rng = random.Random(seed)
        self.goes_on = True
        self.acknowledged = {}
        self.refused = {}
        self.read_back = self.waited = 0
        self.violation = None

    def run(self):
        try:
            while self.goes_on:
                purchase = next(self.purchases, None)
                if purchase is None:
                    return
                self.hand_in(*purchase)
        except Violation as violation:
            self.violation = violation

    def hand_in(self, transaction, body):
        nodes = self.fleet.nodes
        while self.goes_on:
            node = self.rng.choice(nodes)
            try:
                status, answer = node.shop.ask("POST", "/v1/evidence", body, timeout=40)
            except OSError:
                time.sleep(0.01)
                continue
            if status == 200:
                self.acknowledged[transaction] = json.loads(answer)["revision"]
                if self.rng.random() < 0.3:
                    self.read(transaction, json.loads(body)["account"])
                return
            code = json.loads(answer)["code"]
            expect(status == 503, f"evidence is answered with {status}: {answer}")
            self.refused[code] = self.refused.get(code, 0) + 1
            time.sleep(0.005)

    def read(self, transaction, account):
        """What was acknowledged is seen at any node that has reached its revision."""
        revision = self.acknowledged[transaction]
        node = self.rng.choice(self.fleet.nodes)
        # Either what was written is named, or whatever anybody has written.
        wish = self.rng.choice([f"min_revision={revision}", "fresh=true"])
        try:
            status, answer = node.shop.get(f"/v1/accounts/{account}/credits?{wish}", timeout=40)
        except OSError:
            return
        if status != 200:
            expect(status == 503, f"{node.name} answers {status}: {answer}")
            self.waited += 1
            return
        said = json.loads(answer)
        expect(said["revision"] >= revision,
               f"{node.name} answers as of {said['revision']}, asked for {revision}")
        delivered = [entry["transaction"] for balance in said["balances"]
                     for entry in balance["entries"] if entry.get("cause") == "delivery"]
        expect(delivered.count(transaction) == 1,
               f"{node.name} has {transaction} {delivered.count(transaction)} times at "
               f"{said['revision']}, acknowledged at {revision}")
        self.read_back += 1


class Faults:
    """What happens to a fleet. Each fault ends before the next one begins."""

    def __init__(self, fleet, rng):
        self.fleet, self.rng, self.counts = fleet, rng, {}
        self.kinds = [
            (6, self.kill_leader), (4, self.kill_node), (2, self.stand_still),
            (6, self.end_sessions), (4, self.lose_answers), (3, self.cut_wire),
            (3, self.restart_primary), (2, self.slow_network), (1, self.kill_standby),
            (1, self.restart_all), (1, self.promote),
        ]

    def next(self):
        weights = [weight for weight, _ in self.kinds]
        fault = self.rng.choices([kind for _, kind in self.kinds], weights)[0]
        name = fault.__name__.replace("_", " ")
        if fault() is not False:
            self.counts[name] = self.counts.get(name, 0) + 1

    def some_node(self):
        return self.rng.choice(self.fleet.nodes)

    def leader(self):
        return self.fleet.wait(self.fleet.leader, PATIENCE, "nobody leads")

    def kill(self, node):
        node.process.kill()
        node.process.wait()
        time.sleep(self.rng.random() * 0.3)
        node.launch()

    def kill_leader(self):
        self.kill(self.leader())

    def kill_node(self):
        self.kill(self.some_node())

    def stand_still(self):
        """The leader stands still until another one leads, and then wakes up."""
        node = self.leader()
        node.process.send_signal(signal.SIGSTOP)
        node.is_stopped = True
        self.leader()
        time.sleep(self.rng.random())
        node.process.send_signal(signal.SIGCONT)
        node.is_stopped = False

    def end_sessions(self):
        self.fleet.primary.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'usher' "
            "AND application_name = 'usher'", "postgres")

    def lose_answers(self):
        """The leader's next commit is done, and it never hears of it."""
        node = self.leader()
        node.wire.loses_answers = True
        time.sleep(0.1 + self.rng.random() * 0.2)
        node.wire.loses_answers = False

    def cut_wire(self):
        """Nothing gets through, and nobody is told so: what a partition looks like."""
        node = self.leader() if self.rng.random() < 0.5 else self.some_node()
        node.wire.is_cut = True
        time.sleep(self.rng.choice([0.5, 2, 8]))
        node.wire.is_cut = False

    def restart_primary(self):
        self.fleet.primary.kill()
        time.sleep(self.rng.random() * 0.5)
        self.fleet.primary.start()

    def slow_network(self):
        for node in self.fleet.nodes:
            node.wire.delay = 0.05
        time.sleep(1)
        for node in self.fleet.nodes:
            node.wire.delay = 0

    def kill_standby(self):
        if not self.fleet.standbys:
            return False
        standby = self.rng.choice(self.fleet.standbys)
        standby.kill()
        time.sleep(self.rng.random())
        standby.start()
        return True

    def restart_all(self):
        for node in self.fleet.nodes:
            node.process.kill()
            node.process.wait()
        self.fleet.primary.kill()
        self.fleet.primary.start()
        for node in self.fleet.nodes:
            node.launch()

    def promote(self):
        """The primary is lost for good, and a standby takes its place."""
        if not self.fleet.standbys:
            return False
        fleet = self.fleet
        # Of several, the one that has gone furthest; the others begin anew from it.
        fleet.primary.kill()
        best = max(fleet.standbys, key=lambda standby: position(standby))
        best.set("synchronous_standby_names = ''")
        best.promote()
        for node in fleet.nodes:
            node.wire.lead_to(best)
        others = [standby for standby in fleet.standbys if standby is not best]
        fleet.primary.remove()
        fleet.standbys = []
        for standby in [*others, fleet.primary]:
            standby.remove()
            os.makedirs(standby.folder)
            if os.getuid() == 0:
                shutil.chown(standby.folder, "postgres")
            name = f"standby{len(fleet.standbys) + 1}"
            fleet.standbys.append(standby.copy(best, name).start())
        best.set("synchronous_standby_names = 'ANY 1 (*)'")
        best.sql("SELECT pg_reload_conf()", "postgres")
        fleet.primary = best
        return True


def position(standby):
    return int(standby.sql(
        "SELECT (coalesce(pg_last_wal_receive_lsn(), '0/0') - '0/0')::bigint", "postgres"))


def revive(fleet):
    """What has ended by itself is started, as a service manager does it."""
    for node in fleet.nodes:
        if not node.is_running():
            node.launch()


def check(fleet, usher, acknowledged, purchases):
    """What must hold when everything is quiet."""
    head = fleet.primary.sql("SELECT seq || ':' || encode(hash, 'hex') FROM usher.head")
    count = fleet.primary.sql("SELECT count(*) FROM usher.entry")
    expect(count == head.split(":")[0], f"{count} entries, and the head is {head}")
    exports = set()
    for node in fleet.nodes:
        # Whoever follows has it in a moment.
        fleet.wait(lambda node=node: anchor(node) == head, PATIENCE,
                   f"{node.name} ends with {anchor(node)}, the database with {head}")
        delivered = []
        for number in range(ACCOUNTS):
            delivered += node.shop.delivered(f"buyer-{number}")
        for transaction in acknowledged:
            expect(delivered.count(transaction) == 1,
                   f"{node.name}: {transaction} is there {delivered.count(transaction)} times")
        expect(len(delivered) == len(set(delivered)), f"{node.name}: delivered twice")
    for node in fleet.nodes:
        node.process.terminate()
        expect(node.process.wait(60) == 0, f"{node.name} does not end well")
        result = node.shop.run("ledger", "verify", "--ledger", node.shop.ledger)
        expect(result.returncode == 0, f"{node.name}: {result.stdout}{result.stderr}")
        export = node.shop.run("ledger", "export", "--evidence", "--ledger", node.shop.ledger)
        expect(export.returncode == 0, f"{node.name}: {export.stderr}")
        exports.add(export.stdout)
    expect(len(exports) == 1, "the nodes' ledgers differ")
    return int(count)


def anchor(node):
    try:
        status, body = node.shop.get("/status", name="usher.sock", timeout=5)
    except OSError:
        return None
    if status != 200:
        return None
    ledger = json.loads(body)["ledger"]
    return f"{ledger['head']}:{ledger['hash']}"


def run(arguments, folder):
    rng = random.Random(arguments.seed)
    fleet = Fleet(os.path.abspath(arguments.usher), arguments.repository, folder,
                  arguments.nodes, standbys=2)
    clients = []
    try:
        fleet.start()
        purchases = iter(Supply(fleet.nodes[0].shop))
        clients = [Client(fleet, purchases, arguments.seed * 100 + number)
                   for number in range(4)]
        for client in clients:
            client.start()
        faults, slowest = Faults(fleet, rng), 0.0
        for number in range(arguments.faults):
            before = sum(len(client.acknowledged) for client in clients)
            faults.next()
            begun = time.monotonic()
            while sum(len(client.acknowledged) for client in clients) < before + 3:
                revive(fleet)
                broken = next((client.violation for client in clients if client.violation), None)
                if broken:
                    raise broken
                expect(time.monotonic() - begun < PATIENCE,
                       f"nothing is taken after fault {number + 1}: {faults.counts}")
                time.sleep(0.02)
            slowest = max(slowest, time.monotonic() - begun)
        for client in clients:
            client.goes_on = False
        for client in clients:
            client.join()
        revive(fleet)
        acknowledged = {}
        for client in clients:
            if client.violation:
                raise client.violation
            acknowledged |= client.acknowledged
        fleet.wait(fleet.leader, PATIENCE, "nobody leads in the end")
        entries = check(fleet, arguments.usher, acknowledged, purchases)
        report(faults, clients, acknowledged, entries, slowest)
    except BaseException:
        for node in fleet.nodes:
            if os.path.exists(node.shop.folder + "/log"):
                print(f"--- {node.name}", node.log()[-2000:], sep="\n", file=sys.stderr)
        raise
    finally:
        for client in clients:
            client.goes_on = False
        fleet.stop()


class Supply:
    """Purchases without end, for threads."""

    def __init__(self, shop):
        self.shop, self.start, self.kept = shop, 0, []
        self.lock = threading.Lock()

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            if not self.kept:
                self.kept = self.shop.purchases(500, ACCOUNTS, self.start)[::-1]
                self.start += 500
            return self.kept.pop()


def report(faults, clients, acknowledged, entries, slowest):
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(faults.counts.items()))
    refused = {}
    for client in clients:
        for code, count in client.refused.items():
            refused[code] = refused.get(code, 0) + count
    print(f"fleet: {sum(faults.counts.values())} faults ({kinds})")
    print(f"fleet: {len(acknowledged)} purchases acknowledged, {entries} entries on every node, "
          f"{sum(client.read_back for client in clients)} read back at another node's revision; "
          f"0 lost, 0 doubled; longest until writes went on: {slowest:.1f} s")
    print("fleet: turned away meanwhile: "
          + (", ".join(f"{code} {count}" for code, count in sorted(refused.items())) or "nothing"))


def main():
    arguments = read_arguments()
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    try:
        run(arguments, folder)
    except (Violation, RuntimeError, subprocess.CalledProcessError) as violation:
        print(f"fleet: BROKEN (seed {arguments.seed}): {violation}", file=sys.stderr)
        return BROKE
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return HELD


if __name__ == "__main__":
    sys.exit(main())
