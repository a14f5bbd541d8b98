"""What a fleet costs beside one machine, in the same run; see scripts/fleet.

    figures.py USHER REPOSITORY [--seconds N] [--changes N]
    figures.py USHER REPOSITORY --accounts N [--nodes N] [--client QUERY-BENCH] [--share PART]
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time

import accounts
from fleet import Fleet
from shop import LocalConnection, Shop

# Clients, and pieces of evidence in a call of each.
LOADS = ((1, 1), (1, 100), (1, 500), (64, 1))


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/fleet figures")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--changes", type=int, default=10)
    parser.add_argument("--accounts", type=int)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--client")
    parser.add_argument("--share", type=float, default=0.25)
    return parser.parse_args()


class Supply:
    """Bodies that nobody has sent before."""

    def __init__(self, shop):
        self.shop, self.start = shop, 0

    def bodies(self, count, pieces):
        bought = self.shop.purchases(count * pieces, 5_000, self.start)
        self.start += count * pieces
        lines = [body.decode() for _, body in bought]
        if pieces == 1:
            return lines
        return ["[" + ",".join(lines[first:first + pieces]) + "]"
                for first in range(0, len(lines), pieces)]


def entries(shop):
    status, body = shop.get("/status", name="usher.sock")
    return json.loads(body)["ledger"]["head"]


def load(shop, bodies, clients, seconds):
    """Entries a second that were durable when their callers were told."""
    lock, rest = threading.Lock(), iter(bodies)
    end = time.monotonic() + seconds
    failures = []

    def client():
        connection = LocalConnection(os.path.join(shop.sockets, "usher.sock"))
        while time.monotonic() < end:
            with lock:
                body = next(rest, None)
            if body is None:
                return
            connection.request("POST", "/v1/evidence", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = response.read()
            if response.status != 200:
                failures.append((response.status, answer[:200]))
                return
        connection.close()

    before, begun = entries(shop), time.monotonic()
    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed = time.monotonic() - begun
    if failures:
        raise RuntimeError(f"a call was not answered well: {failures[0]}")
    return (entries(shop) - before) / passed


def measure_writes(single, leader, seconds):
    print("| clients × pieces a call | one machine, entries/s | the fleet's leader | ratio |")
    print("|---|---|---|---|")
    for clients, pieces in LOADS:
        figures = []
        count = int(seconds * (3_000 if clients > 1 else 900 if pieces == 1 else 4_000 / pieces))
        # In turns, and twice each: the machine does not stay the same.
        for shop in (single, leader, leader, single):
            bodies = Supplies[shop].bodies(count, pieces)
            figures.append(load(shop, bodies, clients, seconds / 2))
        one, fleet = (figures[0] + figures[3]) / 2, (figures[1] + figures[2]) / 2
        print(f"| {clients} × {pieces} | {one:.0f} | {fleet:.0f} | {fleet / one:.2f} |", flush=True)


def measure_size(fleet, leader):
    """Room for an entry, with its evidence, its index and what the feed keeps."""
    count = entries(leader.shop)
    pause = time.monotonic() + 5
    # The file takes what is in its log at its own pace.
    while time.monotonic() < pause:
        time.sleep(0.1)
    database = int(fleet.primary.sql("SELECT pg_database_size('usher')"))
    empty = int(fleet.primary.sql("SELECT pg_database_size('postgres')"))
    file = sum(os.path.getsize(leader.shop.ledger + ending) for ending in ("", "-wal"))
    print(f"\n{count} entries: {(database - empty) / count:.0f} bytes each in the database, "
          f"{file / count:.0f} in a node's file and its log", flush=True)


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def measure_sight(fleet, leader):
    """From the answer of the node that wrote to the answer of another one that has it."""
    other = next(node for node in fleet.nodes if node is not leader)
    writer = LocalConnection(os.path.join(leader.shop.sockets, "usher.sock"))
    reader = LocalConnection(os.path.join(other.shop.sockets, "query.sock"))
    reader.request("GET", "/livez")
    reader.getresponse().read()
    delays = []
    for body in Supplies[leader.shop].bodies(400, 1):
        account = json.loads(body)["account"]
        writer.request("POST", "/v1/evidence", body, {"Content-Type": "application/json"})
        revision = json.loads(writer.getresponse().read())["revision"]
        begun = time.monotonic()
        reader.request("GET", f"/v1/accounts/{account}/entitlements?min_revision={revision}")
        response = reader.getresponse()
        answer = json.loads(response.read())
        delays.append(1_000 * (time.monotonic() - begun))
        if response.status != 200 or answer["revision"] < revision:
            raise RuntimeError(f"{response.status}: {answer}")
    print(f"\na commit seen by another node, its question included: p50 "
          f"{statistics.median(delays):.1f} ms, p99 {percentile(delays, 0.99):.1f} ms, "
          f"{len(delays)} samples", flush=True)


def measure_passing(fleet, leader):
    """A write that another node has to pass on, until it is answered there."""
    other = next(node for node in fleet.nodes if node is not leader)
    for name, node in (("at the leader", leader), ("passed on", other)):
        connection = LocalConnection(os.path.join(node.shop.sockets, "usher.sock"))
        delays = []
        for body in Supplies[leader.shop].bodies(300, 1):
            begun = time.monotonic()
            connection.request("POST", "/v1/evidence", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            delays.append(1_000 * (time.monotonic() - begun))
            if response.status != 200:
                raise RuntimeError(f"{name}: {response.status}")
        print(f"a write {name}: p50 {statistics.median(delays):.1f} ms, "
              f"p99 {percentile(delays, 0.99):.1f} ms", flush=True)


def measure_changes(fleet, count):
    times = []
    supply = Supplies[fleet.nodes[0].shop]
    for _ in range(count):
        leader = fleet.wait(fleet.leader, 30, "nobody leads")
        body = supply.bodies(1, 1)[0]
        begun = time.monotonic()
        leader.process.kill()
        leader.process.wait()
        while True:
            taken = False
            for node in fleet.nodes:
                try:
                    taken = node.is_running() and node.shop.ask(
                        "POST", "/v1/evidence", body)[0] == 200
                except OSError:
                    continue
                if taken:
                    break
            if taken:
                break
            time.sleep(0.002)
        times.append(time.monotonic() - begun)
        leader.launch()
        fleet.wait(lambda node=leader: node.shop.is_ready("/readyz"), 30, "a node stays away")
    print(f"leader killed until the next acknowledged write: p50 {statistics.median(times):.2f} s, "
          f"longest {max(times):.2f} s, {count} times", flush=True)


Supplies = {}


def run(arguments, folder):
    usher = arguments.usher
    fleet = Fleet(usher, arguments.repository, folder, nodes=3, is_wired=False)
    single = Shop(usher, arguments.repository, os.path.join(folder, "single"))
    process = None
    try:
        fleet.start()
        process = single.start()
        leader = fleet.leader()
        supply = Supply(leader.shop)
        Supplies[single] = Supply(single)
        for node in fleet.nodes:
            Supplies[node.shop] = supply
        measure_writes(single, leader.shop, arguments.seconds)
        process.kill()
        process.wait()
        measure_size(fleet, leader)
        measure_sight(fleet, leader)
        measure_passing(fleet, leader)
        measure_changes(fleet, arguments.changes)
    finally:
        if process is not None and process.poll() is None:
            process.kill()
        fleet.stop()


def main():
    arguments = read_arguments()
    arguments.usher = os.path.abspath(arguments.usher)
    # What was started ends with this.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    try:
        (accounts.run if arguments.accounts else run)(arguments, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
