"""Questions in a fleet beside one machine, over a ledger of many accounts; see scripts/fleet.

Both have the same ledger: it is made for the one machine and copied to the database.
"""

import os
import random
import re
import socket
import statistics
import subprocess
import time

from fleet import Fleet
from shares import Share
from shop import Shop

COUNTED = """SELECT coalesce(sum(calls), 0) FROM pg_stat_statements JOIN pg_database
ON pg_database.oid = dbid WHERE datname = 'usher'"""


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Cold:
    """Asks about accounts that nobody has asked about before."""

    def __init__(self, shop):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(shop.sockets, "query.sock"))
        self.rest = b""

    def ask(self, number):
        """Microseconds until the whole answer was there."""
        begun = time.perf_counter()
        self.socket.sendall(
            b"GET /v1/accounts/u-%d/entitlements HTTP/1.1\r\nHost: usher\r\n\r\n" % number)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.receive()
        head, body = answer.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode())
        length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
        while len(body) < length:
            body += self.receive()
        passed = 1e6 * (time.perf_counter() - begun)
        if b'"decision":true' not in body.replace(b" ", b""):
            raise RuntimeError(f"u-{number}: {body[:300]}")
        return passed

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise RuntimeError("the connection was closed")
        return data


def measure_cold(single, node, fleet, accounts):
    """In turns, the same accounts on both; and what the database is asked meanwhile."""
    drawn = random.Random(1).sample(range(1, accounts + 1), min(accounts // 2, 8_000))
    turns = [drawn[first::8] for first in range(8)]
    parties = {"one machine": Cold(single), "a node": Cold(node.shop)}
    times = {name: [] for name in parties}
    statements, asking = 0, 0
    for place, numbers in enumerate(turns):
        for name in sorted(parties, reverse=bool(place % 2)):
            before, begun = counted(fleet), time.monotonic()
            times[name] += [parties[name].ask(number) for number in numbers]
            if name == "a node":
                statements += counted(fleet) - before
                asking += time.monotonic() - begun
    for name, values in sorted(times.items()):
        print(f"cold questions, {name}: p50 {statistics.median(values):.0f} µs, "
              f"p99 {percentile(values, 0.99):.0f} µs, {len(values)} accounts", flush=True)
    one, fleets = (statistics.median(times[name]) for name in ("one machine", "a node"))
    before = counted(fleet)
    time.sleep(5)
    idle = (counted(fleet) - before) / 5
    print(f"p50 beside one machine: {fleets / one:.2f}\nstatements in the database: "
          f"{statements / asking:.1f}/s while {len(drawn)} cold accounts were asked about in "
          f"{asking:.1f} s, {idle:.1f}/s while none was", flush=True)
    return set(drawn)


def counted(fleet):
    return int(fleet.primary.sql(COUNTED, "postgres"))


def measure_alone(fleet, node, accounts, asked):
    """Cold accounts while there is no database; then there is one again."""
    fleet.primary.sql("CHECKPOINT")
    fleet.primary.kill()
    cold = Cold(node.shop)
    numbers = [number for number in range(1, accounts + 1) if number not in asked][:1_000]
    times = [cold.ask(number) for number in numbers]
    print(f"the database killed: {len(times)} cold accounts answered, p50 "
          f"{statistics.median(times):.0f} µs", flush=True)
    fleet.primary.start()
    fleet.wait(fleet.leader, 60, "nobody leads")


def query(shop):
    return os.path.join(shop.sockets, "query.sock")


def measure_warm(client, single, node, accounts):
    """The client of scripts/bench asks both in turns."""
    for shop in (single, node.shop):
        subprocess.run([client, "fill", "--usher", query(shop), "--accounts", str(accounts)],
                       check=True)
    print("\n| what | a node | one machine | ratio | goal | met |\n|---|---|---|---|---|---|",
          flush=True)
    for connections in (1, 8, 32):
        subprocess.run(
            [client, "compare", f"questions, {connections} connections", "--accounts",
             str(accounts), "--connections", str(connections), "--ours",
             f"usher={query(node.shop)}", "--yardstick", f"usher={query(single)}", "--passes",
             "9", "--rate", "≥ 0.95", "--cpu", ""], check=True)


def start_rates(client, node, accounts, seconds):
    return subprocess.Popen(
        [client, "compare", "rate", "--accounts", str(accounts), "--connections", "8", "--ours",
         f"usher={query(node.shop)}", "--yardstick", f"usher={query(node.shop)}", "--passes", "1",
         "--milliseconds", str(int(500 * seconds)), "--rate", "", "--cpu", ""],
        stdout=subprocess.PIPE, text=True)


def rates(client, nodes, accounts, seconds=4):
    """Of each node, all asked at once: answers a second, and processor time of one. µs."""
    running = [start_rates(client, node, accounts, seconds) for node in nodes]
    found = []
    for process in running:
        output, _ = process.communicate()
        figures = re.findall(r"([\d.]+)k/s", output), re.findall(r"([\d.]+) µs", output)
        if process.returncode != 0 or any(len(both) != 2 for both in figures):
            raise RuntimeError(f"no rate in: {output}")
        found.append((500 * sum(map(float, figures[0])), sum(map(float, figures[1])) / 2))
    return found


def measure_linearity(client, fleet, accounts, share, passes=5):
    """Each node gets a share of one core that is small enough for all nodes and their clients; each
    is asked alone, then all are asked at once."""
    for node in fleet.nodes[1:]:
        subprocess.run([client, "fill", "--usher", query(node.shop), "--accounts", str(accounts)],
                       check=True, stderr=subprocess.DEVNULL)
    shares = [Share(f"{os.getpid()}-{node.name}", share, node.process.pid) for node in fleet.nodes]
    try:
        found = []
        for _ in range(passes):
            alone = [sum(both) for both in zip(
                *(rates(client, [node], accounts)[0] for node in fleet.nodes))]
            together = [sum(both) for both in zip(*rates(client, fleet.nodes, accounts))]
            found.append((together[0] / alone[0], alone[0] / len(fleet.nodes), together[0],
                          alone[1] / together[1]))
    finally:
        for one in shares:
            one.end()
    ratio, alone, together, work = (statistics.median(values) for values in zip(*found))
    print(f"\n{len(fleet.nodes)} nodes of {share} core each: one alone {alone:.0f} questions/s, "
          f"all at once {together:.0f}/s; {ratio:.2f} of as many times one (median of {passes}: "
          f"{', '.join(f'{one[0]:.2f}' for one in found)}); by processor time for a question "
          f"{work:.2f}", flush=True)


def timed(words, action):
    begun = time.monotonic()
    action()
    print(f"{words}: {time.monotonic() - begun:.0f} s", flush=True)


def size(path):
    return sum(os.path.getsize(path + ending) for ending in ("", "-wal")
               if os.path.exists(path + ending))


def fetch(fleet, node):
    node.launch()
    fleet.wait(lambda: node.shop.is_ready("/readyz"), 3_600, f"{node.name} does not start")


def run(arguments, folder):
    """A ledger of so many accounts of eight transactions, on one machine and in a fleet."""
    accounts, programs = arguments.accounts, os.path.dirname(os.path.realpath(arguments.usher))
    fleet = Fleet(arguments.usher, arguments.repository, folder, nodes=arguments.nodes,
                  is_wired=False, settings=("shared_preload_libraries = 'pg_stat_statements'",))
    single = Shop(arguments.usher, arguments.repository, os.path.join(folder, "single"))
    process = None
    try:
        fleet.primary.sql("CREATE EXTENSION pg_stat_statements", "postgres")
        timed(f"a ledger of {accounts} accounts made", lambda: subprocess.run(
            [os.path.join(programs, "micro-bench"), "seed", single.ledger, str(accounts)],
            check=True, stdout=subprocess.DEVNULL))
        address = os.path.join(fleet.nodes[0].shop.folder, "database")
        timed("verified and copied to the database", lambda: subprocess.run(
            [arguments.usher, "ledger", "copy", single.ledger, f"database:{address}"], check=True))
        database = int(fleet.primary.sql("SELECT pg_database_size('usher')"))
        print(f"{size(single.ledger) / 1e9:.2f} GB in the file, {database / 1e9:.2f} GB in the "
              f"database", flush=True)
        for node in fleet.nodes:
            timed(f"{node.name} has fetched the ledger and answers",
                  lambda node=node: fetch(fleet, node))
            print(f"{size(node.shop.ledger) / 1e9:.2f} GB in its file", flush=True)
        process = single.start()
        node = fleet.nodes[-1]
        asked = measure_cold(single, node, fleet, accounts)
        measure_alone(fleet, node, accounts, asked)
        if arguments.client:
            measure_warm(arguments.client, single, node, accounts)
            process.kill()
            process.wait()
            if len(fleet.nodes) > 1:
                measure_linearity(arguments.client, fleet, accounts, arguments.share)
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        fleet.stop()
