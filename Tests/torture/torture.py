"""Crashes and faults done to the real program; see scripts/torture.

    torture.py USHER REPOSITORY [--kills N] [--states N] [--ways N] [--backups N] [--clients N]
               [--seed N] [--jobs N] [--only NAME]
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time

import backups
import clocks
import disk
import faults
import kills
import power
from shop import Shop, stop


def two_services(shop):
    """A second service on one ledger must not start."""
    first = shop.start()
    other = type(shop).__new__(type(shop))
    other.__dict__.update(shop.__dict__, sockets=shop.sockets + "-2")
    second = other.start()
    good = second is None and stop(first) == 0
    print(f"two services on one ledger: the second {'is refused' if second is None else 'STARTS'}")
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--states", type=int, default=2_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--ways", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--backups", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only")
    options = parser.parse_args()
    parts = {
        "faults": lambda shop: faults.run(shop, options.ways, 4),
        "kill": lambda shop: kills.run(shop, options.kills, options.clients, options.seed),
        "power": lambda shop: power.run(shop, options.states, 300, 8, options.seed),
        "disk": lambda shop: disk.run(shop, 8),
        "two": two_services,
        "clock": lambda shop: clocks.run(shop, 16),
        "backup": lambda shop: backups.run(shop, options.backups, options.clients, 16),
    }
    if options.only is None:
        return run_all(list(parts), options.jobs)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(options.usher, options.repository, os.path.join(folder, "s"))
        good = parts[options.only](shop) is not False
    print(f"  {options.only}: {time.monotonic() - begun:.0f} s")
    return 0 if good else 1


def run_all(names, jobs):
    """Each part in a process of its own, some at a time: they wait more than they work."""

    def run(name):
        return subprocess.run([sys.executable, *sys.argv, "--only", name], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    failed = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, done in zip(names, pool.map(run, names)):
            print(done.stdout, end="", flush=True)
            if done.returncode != 0:
                failed.append(name)
    if failed:
        print("torture: failed: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
