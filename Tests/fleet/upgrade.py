"""A rolling upgrade under load, and back again: nodes of two builds side by side; see scripts/fleet.

    upgrade.py USHER REPOSITORY [--from USHER] [--rounds N] [--keep]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

# Before the folder with another file of this name is looked into.
from torture import BROKE, HELD, Broken, Load

from fleet import Fleet
from injection import PATIENCE
from judgement import judge


def expect(holds, words):
    if not holds:
        raise Broken(words)


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/fleet upgrade")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="other", help="the build before; the same one if omitted")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


class Upgrade:
    """Replaces one node after the other, and waits after each until writes have gone on."""

    def __init__(self, fleet, load, programs):
        self.fleet, self.load, self.programs = fleet, load, programs
        # Of each pair (who leads, who follows), how many calls were acknowledged meanwhile.
        self.taken, self.longest, self.replaced = {}, 0.0, 0

    def names(self, node):
        return next(name for name, path in self.programs.items() if node.shop.usher == path)

    def acknowledged(self):
        self.load.expect_well()
        return self.load.history.acknowledged

    def replace(self, node, name):
        """As a service manager does: the node is told to end, and the other program starts."""
        begun, before = time.monotonic(), self.acknowledged()
        node.process.terminate()
        expect(node.process.wait(60) == 0, f"{node.name} does not end well")
        node.shop.usher = self.programs[name]
        node.launch()
        self.fleet.wait(lambda: node.shop.is_ready("/readyz"), PATIENCE,
                        f"{node.name} does not start as {name}")
        self.fleet.wait(lambda: self.acknowledged() > before, PATIENCE, "nothing is taken")
        self.longest = max(self.longest, time.monotonic() - begun)
        self.replaced += 1
        self.watch()

    def watch(self, calls=50):
        """Until so many were taken with the nodes as they are."""
        leader = self.fleet.wait(self.fleet.leader, PATIENCE, "nobody leads")
        followers = {self.names(node) for node in self.fleet.nodes if node is not leader}
        before = self.acknowledged()
        self.fleet.wait(lambda: self.acknowledged() >= before + calls, PATIENCE,
                        "writes do not go on")
        pair = f"{self.names(leader)} leads, {' and '.join(sorted(followers))} follow"
        self.taken[pair] = self.taken.get(pair, 0) + self.acknowledged() - before

    def roll(self, name):
        """Followers first, the one that leads last: each of the two has led the other."""
        for _ in self.fleet.nodes:
            leader = self.fleet.wait(self.fleet.leader, PATIENCE, "nobody leads")
            rest = [node for node in self.fleet.nodes if self.names(node) != name]
            self.replace(next((node for node in rest if node is not leader), rest[0]), name)


def run(arguments, folder):
    programs = {"the old": os.path.abspath(arguments.other or arguments.usher),
                "the new": os.path.abspath(arguments.usher)}
    if not arguments.other:
        # Two programs with one content: what is tested then is that nodes are replaced.
        programs["the old"] = os.path.join(folder, "usher")
        os.symlink(programs["the new"], programs["the old"])
    fleet = Fleet(programs["the old"], arguments.repository, folder, is_wired=False)
    load = Load(fleet, seed=1)
    try:
        fleet.start()
        load.start()
        upgrade = Upgrade(fleet, load, programs)
        upgrade.watch()
        for number in range(arguments.rounds):
            upgrade.roll("the old" if number % 2 else "the new")
        load.end()
        upgrade.acknowledged()
        fleet.wait(fleet.leader, PATIENCE, "nobody leads in the end")
        findings, judged = judge(fleet, load.history.events)
        for pair, count in upgrade.taken.items():
            print(f"fleet: {pair}: {count} calls acknowledged")
        print(f"fleet: {upgrade.replaced} nodes replaced under load; {judged}; longest from the end "
              f"of a node to its start and the next acknowledged call: {upgrade.longest:.1f} s")
        expect(not findings, "\n".join(f"{each.kind}: {each.words[:500]}" for each in findings[:8]))
    except BaseException:
        for node in fleet.nodes:
            if os.path.exists(node.shop.folder + "/log"):
                print(f"--- {node.name}", node.log()[-2000:], sep="\n", file=sys.stderr)
        raise
    finally:
        load.end()
        fleet.stop()


def main():
    arguments = read_arguments()
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    try:
        run(arguments, folder)
    except (Broken, RuntimeError, subprocess.CalledProcessError) as violation:
        print(f"fleet: BROKEN: {violation}", file=sys.stderr)
        return BROKE
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return HELD


if __name__ == "__main__":
    sys.exit(main())
