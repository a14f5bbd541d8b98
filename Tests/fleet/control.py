"""The control of the torture: with fencing off, its checker has to find what is lost and forked.

    control.py USHER REPOSITORY [--seconds N] [--seed N]

Nothing of the program is changed. On the way to the database, the lock that only one node gets is
made one that every node gets, and the conditions of a commit, and of what says that a leader is
alive, are ones that always hold: every node leads, and none is deposed. Once they do, the tables
lose their keys, and take several entries of one number. A node that began a session after that
would refuse the database.
"""

import argparse
import collections
import os
import shutil
import signal
import sys
import tempfile
import time

from fleet import Fleet
from judgement import judge
from torture import HELD, BROKE, Load, end_well

FENCES = (
    (b"SELECT pg_try_advisory_lock($1::bigint)", b"SELECT $1::bigint IS NOT NULL"),
    (b"WHERE epoch = $1::bigint AND hash = $2::bytea", b"WHERE $1::bigint > 0 AND $2::bytea <> ''"),
    (b"WHERE epoch = $1::bigint", b"WHERE $1::bigint > 0"),
)
TABLES = ("entry", "evidence", "evidence_header", "change")


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/fleet control")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def take_down(fleet):
    for table in TABLES:
        fleet.primary.sql(f"ALTER TABLE usher.{table} DROP CONSTRAINT {table}_pkey")


def run(arguments, folder):
    """Returns whether the checker has found what it has to find."""
    fleet = Fleet(os.path.abspath(arguments.usher), arguments.repository, folder, nodes=3,
                  replacing=FENCES)
    load = Load(fleet, arguments.seed)
    try:
        fleet.start()
        fleet.wait(lambda: all((node.status() or {}).get("leads") for node in fleet.nodes), 30,
                   "a node does not lead")
        take_down(fleet)
        load.start()
        time.sleep(arguments.seconds)
        load.end()
        findings, judged = judge(fleet, load.history.events, patience=2)
    finally:
        load.end()
        fleet.stop()
    replaced = [sum(node.wire.replaced[number] for node in fleet.nodes)
                for number in range(len(FENCES))]
    kinds = collections.Counter(finding.kind for finding in findings)
    print(f"fleet control: {load.history.acknowledged} writes acknowledged, fences taken down "
          f"{', '.join(map(str, replaced))} times: {judged}")
    return all(replaced) and kinds["lost"] + kinds["doubled"] + kinds["forked"] > 0


def main():
    arguments = read_arguments()
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    signal.signal(signal.SIGTERM, end_well)
    try:
        if run(arguments, folder):
            return HELD
        print("fleet control: without fencing nothing was found", file=sys.stderr)
        return BROKE
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
