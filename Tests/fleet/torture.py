"""Faults of every kind under load, and what must hold afterwards; see scripts/fleet.

    torture.py USHER REPOSITORY [--faults N] [--nodes N] [--seed N] [--stop N]
               [--only KIND] [--loopback] [--keep]
"""

import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from fleet import Fleet
from injection import PATIENCE, Faults, make_right, revive
from judgement import judge
from network import open_network
from purchases import Signer
from volumes import are_possible
from workload import Client, History, Supply

HELD, BROKE, USAGE = 0, 1, 64
CLIENTS = 4
# Seconds until a person looks at the clocks.
CLOCK_PATIENCE = 15


class Broken(Exception):
    """What was found."""


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
    parser.add_argument("--stop", type=float, default=30)
    parser.add_argument("--only")
    parser.add_argument("--loopback", action="store_true")
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


class Load:
    """The clients of a fleet."""

    def __init__(self, fleet, seed):
        self.history = History()
        self.signer = Signer(fleet.usher, os.path.join(fleet.folder, "receipts.pem"))
        supplies = (Supply(fleet.nodes[0].shop), self.signer)
        self.clients = [Client(f"client{number}", fleet, self.history, supplies,
                               seed * 100 + number) for number in range(CLIENTS)]

    def start(self):
        for client in self.clients:
            client.start()

    def expect_well(self):
        for client in self.clients:
            if client.fault:
                raise Broken(f"{client.name} fails: {client.fault!r}")

    def end(self):
        for client in self.clients:
            client.goes_on = False
        for client in self.clients:
            if client.is_alive():
                client.join()
        self.signer.close()


def torture(fleet, load, arguments):
    """Returns the faults, and how long writes waited after the worst of them."""
    faults = Faults(fleet, random.Random(arguments.seed), load.history, arguments.stop,
                    arguments.only)
    if not faults.kinds:
        raise Broken(f"no fault is called '{arguments.only}' here")
    slowest, history = (0.0, ""), load.history
    history.story = faults.story
    for number in range(arguments.faults):
        before = history.acknowledged
        name = faults.next()
        waited = await_writes(fleet, load, faults, before + 3)
        if waited is None:
            raise Broken(f"nothing is taken after fault {number + 1}, {name}")
        slowest = max(slowest, (waited, name))
    make_right(fleet)
    return faults, slowest


def await_writes(fleet, load, faults, wanted):
    """Returns how long it took until so many are acknowledged; None where they never are.

    A leader whose clock is behind turns away what is signed now, and resigns. Where it leads again,
    since the others were down, clients that have nothing else to hand in wait until a person sets
    the clock, as is done here, once."""
    begun, is_right = time.monotonic(), False
    while load.history.acknowledged < wanted:
        revive(fleet)
        load.expect_well()
        waited = time.monotonic() - begun
        if waited > PATIENCE:
            return None
        if waited > CLOCK_PATIENCE and not is_right and load.history.is_turned_away(
                "service.clock"):
            faults.set_clocks_right()
            faults.righted += 1
            begun, is_right = time.monotonic(), True
        time.sleep(0.02)
    return time.monotonic() - begun


def run(arguments, folder):
    network = None if arguments.loopback else open_network()
    fleet = Fleet(os.path.abspath(arguments.usher), arguments.repository, folder,
                  arguments.nodes, standbys=2, network=network, has_volumes=are_possible(
                      os.path.join(folder, "volume")))
    load = Load(fleet, arguments.seed)
    try:
        for node in fleet.nodes:
            node.wear()
        fleet.start()
        load.start()
        faults, slowest = torture(fleet, load, arguments)
        load.end()
        revive(fleet)
        fleet.wait(fleet.leader, PATIENCE, "nobody leads in the end")
        findings, judged = judge(fleet, load.history.events)
        report(faults, load.history.events, judged, slowest)
        if findings:
            raise Broken("\n".join(f"{each.kind}: {each.words[:500]}" for each in findings[:8])
                         + f"\n{len(findings)} findings")
    except BaseException:
        load.history.save(os.path.join(folder, "history"))
        for node in fleet.nodes:
            if os.path.exists(node.shop.folder + "/log"):
                print(f"--- {node.name}", node.log()[-2000:], sep="\n", file=sys.stderr)
        raise
    finally:
        make_right(fleet)
        load.end()
        fleet.stop(keeping=arguments.keep)


def report(faults, events, judged, slowest):
    counts = collections.Counter()
    for event in events:
        status = event["status"]
        if status == 200:
            counts[event["call"]] += 1
        elif status is None:
            counts["unanswered"] += 1
        else:
            counts[event["answer"].get("code")] += 1
    print(f"fleet: {sum(faults.counts.values())} faults ("
          + ", ".join(f"{name} {count}" for name, count in sorted(faults.counts.items())) + ")")
    done = {call: counts.pop(call, 0) for call in ("evidence", "spend", "order", "event", "ask")}
    if faults.righted:
        print(f"fleet: {faults.righted} times nothing was taken until the leader's clock was set")
    print(f"fleet: {len(events)} calls; acknowledged: {done['evidence']} purchases, "
          f"{done['spend']} spends, {done['order']} orders, {done['event']} reports; "
          f"{done['ask']} questions while it went on")
    print(f"fleet: {judged}; longest until writes went on: {slowest[0]:.1f} s ({slowest[1]})")
    print("fleet: turned away meanwhile: "
          + (", ".join(f"{code} {count}" for code, count in sorted(counts.items())) or "nothing"))


def end_well(*_):
    """Whoever ends this has what it made removed."""
    raise SystemExit(BROKE)


def main():
    arguments = read_arguments()
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    signal.signal(signal.SIGTERM, end_well)
    try:
        run(arguments, folder)
    except (Broken, RuntimeError, subprocess.CalledProcessError) as found:
        output = getattr(found, "output", None) or ""
        print(f"fleet: BROKEN (seed {arguments.seed}): {found} {output}", file=sys.stderr)
        return BROKE
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return HELD


if __name__ == "__main__":
    sys.exit(main())
