"""Crashes and faults done to the real program; see scripts/torture.

    torture.py USHER REPOSITORY [--kills N] [--states N] [--ways N] [--purchases N] [--backups N]
               [--clients N] [--seed N] [--jobs N] [--only NAME] [--dry]

With --dry the arguments are read and nothing else. Exit codes: 0 what was done held, 1 a promise
broke, 64 the arguments are wrong, 77 the only part that was asked for cannot be done here.
"""

import argparse
import concurrent.futures
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

import backups
import clocks
import disk
import erasures
import faults
import files
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


def gone_callers(shop):
    """A call whose caller has gone while the service stood still is not carried out; one whose
    caller has only ended its own side is."""
    process = shop.start()
    statuses = []
    for purchase, leaves in zip(shop.purchases(2, 1, start=9_500_000), (True, False)):
        process.send_signal(signal.SIGSTOP)
        caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        caller.settimeout(60)
        caller.connect(os.path.join(shop.sockets, "usher.sock"))
        caller.sendall(b"POST /v1/evidence HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                       b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                       % len(purchase[1]) + purchase[1])
        if leaves:
            caller.close()
        else:
            caller.shutdown(socket.SHUT_WR)
        process.send_signal(signal.SIGCONT)
        if not leaves:
            statuses.append(caller.recv(64)[9:12])
            caller.close()
    time.sleep(1)
    account = json.loads(purchase[1])["account"]
    delivered = shop.delivered(account)
    good = statuses == [b"200"] and delivered == [purchase[0]] and stop(process) == 0
    print(f"callers: the one that stays is answered {statuses}, and {len(delivered)} purchase is"
          f" delivered: {'so it should be' if good else 'NOT AS IT SHOULD BE'}")
    return good


# What each does with a shop; None from one that cannot be done on this machine.
PARTS = {
    "faults": lambda shop, options: faults.run(shop, options.ways, options.purchases, 4),
    "kill": lambda shop, options: kills.run(shop, options.kills, options.clients, options.seed),
    "power": lambda shop, options: power.run(shop, options.states, 300, 8, options.seed,
                                             options.sample),
    "disk": lambda shop, options: disk.run(shop, 8),
    "two": lambda shop, options: two_services(shop),
    "gone": lambda shop, options: gone_callers(shop),
    "files": lambda shop, options: files.run(shop),
    "clock": lambda shop, options: clocks.run(shop, 16),
    "erase": lambda shop, options: erasures.run(shop),
    "backup": lambda shop, options: backups.run(shop, options.backups, options.clients, 16),
}
HELD, BROKE, USAGE, SKIPPED = 0, 1, 64, 77


class Arguments(argparse.ArgumentParser):
    """Refuses what it does not know as every script here does."""

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"torture: {message}\n")


def read_arguments():
    parser = Arguments(prog="scripts/torture")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--states", type=int, default=2_000)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--ways", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--purchases", type=int, default=10)
    parser.add_argument("--backups", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--dry", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = read_arguments()
    if options.dry:
        return HELD
    return run_all(options.jobs) if options.only is None else run_part(options)


def run_part(options):
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(options.usher, options.repository, os.path.join(folder, "s"))
        try:
            held = PARTS[options.only](shop, options)
        except (RuntimeError, OSError, ValueError, subprocess.SubprocessError) as error:
            print(f"{options.only}: could not go on: {type(error).__name__}: {error}")
            held = False
    if held is None:
        return SKIPPED
    print(f"  {options.only}: {time.monotonic() - begun:.0f} s")
    return HELD if held else BROKE


def run_all(jobs):
    """Each part in a process of its own, some at a time: they wait more than they work."""

    def run(name):
        return subprocess.run([sys.executable, *sys.argv, "--only", name], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    ends = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, done in zip(PARTS, pool.map(run, PARTS)):
            print(done.stdout, end="", flush=True)
            ends.setdefault(done.returncode, []).append(name)
    held, skipped = ends.pop(HELD, []), ends.pop(SKIPPED, [])
    failed = [name for names in ends.values() for name in names]
    line = f"torture: {len(held)} of {len(PARTS)} parts held"
    for word, names in (("skipped", skipped), ("failed", failed)):
        if names:
            line += f"; {word}: {', '.join(names)}"
    print(line)
    return BROKE if failed else HELD


if __name__ == "__main__":
    sys.exit(main())
