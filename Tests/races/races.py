"""Exactly once, seen from outside; see scripts/races.

    races.py USHER REPOSITORY [--jobs N] [--kills N] [--clients N] [--seed N] [--full]
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from checks import Answers, Ledger, read_table  # noqa: E402
from clients import Again, Record, Storm, Violation  # noqa: E402
from purchases import Signer, plan, visits  # noqa: E402
from shop import Shop, stop  # noqa: E402

HELD, BROKE, USAGE = 0, 1, 64


class Arguments(argparse.ArgumentParser):
    """Refuses what it does not know as every script here does."""

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"races: {message}\n")


def read_arguments():
    parser = Arguments(prog="scripts/races")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    options.jobs = options.jobs or (4_000 if options.full else 250)
    options.kills = options.kills or (150 if options.full else 12)
    return options


def open_shop(options, folder):
    """The example app's policy, which also trusts the receipts that are signed here."""
    shop = Shop(options.usher, options.repository, folder)
    root = os.path.join(shop.policies, "receipts.pem")
    signer = Signer(options.usher, root)
    # It answers once it has written the root.
    signer.sign({})
    path = os.path.join(shop.policies, "app.yaml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("receipt: [{file: root.pem}]", "receipt: [{file: receipts.pem}]"))
    return shop, signer


def race(options, folder):
    rng = random.Random(options.seed)
    jobs = plan(options.jobs, rng)
    shop, signer = open_shop(options, folder)
    table, record = read_table(options.repository), Record()
    storm = Storm(shop, signer, record, options.clients)
    storm.start()
    try:
        begun = time.monotonic()
        storm.run(visits(jobs, rng, options.clients), options.kills, rng)
        storm.kill()
        took = time.monotonic() - begun
        ledger = Ledger(shop)
        ledger.check(record, table)
        ledger.check_jobs(jobs)
        storm.start()
        deliveries = Answers(shop, jobs, record).check()
        head = Answers(shop, jobs, record).head()
        again = Again(storm, ledger.states)
        again.run()
        after = Answers(shop, jobs, record).head()
        if after != head:
            raise Violation(f"what was sent again has changed the ledger: {head} is now {after}")
        if stop(storm.process) != 0:
            raise Violation("the service does not stop")
    finally:
        storm.over.set()
        if storm.process is not None and storm.process.poll() is None:
            storm.process.kill()
        signer.close()
    Ledger(shop).check(record, table)
    print(f"races: {options.clients} clients, {storm.kills} kills ({storm.stops} while it stopped,"
          f" {storm.starts} while it started), {record.retried} calls tried again; {took:.0f} s")
    print(f"races: acknowledged {record.acknowledged} calls: {len(record.orders)} orders under"
          f" {len(record.keys)} keys, {sum(map(len, record.events.values()))} events"
          f" ({record.illegal} more were not legal), {len(record.evidence)} pieces of evidence of"
          f" {len(record.durable)} transactions")
    print(f"races: {len(record.spends)} spends, each done once under its key, none of what was not"
          " there")
    print(f"races: {deliveries} consumables delivered once, {len(ledger.paid)} payments with one"
          f" order each, one owner each; {again.count} calls sent again changed nothing; the ledger"
          f" of {ledger.head} entries verifies")


def main():
    options = read_arguments()
    with tempfile.TemporaryDirectory() as folder:
        try:
            race(options, os.path.join(folder, "s"))
        except (Violation, RuntimeError, OSError, ValueError, KeyError,
                subprocess.SubprocessError) as fault:
            name = "" if isinstance(fault, Violation) else f"{type(fault).__name__}: "
            print(f"races: seed {options.seed}: {name}{fault}")
            return BROKE
    print("races: held")
    return HELD


if __name__ == "__main__":
    sys.exit(main())
