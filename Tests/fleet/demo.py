"""A fleet of three nodes, shown; see scripts/fleet.

    demo.py USHER REPOSITORY
"""

import json
import os
import shutil
import sys
import tempfile
import time

from fleet import Fleet
from network import open_network

PURCHASES = 12


def show(fleet):
    for node in fleet.nodes:
        said = node.status() if node.is_running() else None
        if said is None:
            print(f"  {node.name}: ended")
        else:
            part = "leads" if said["leads"] else f"follows {said.get('leader')}"
            print(f"  {node.name}: {part}, change of leader {said['epoch']}")


def hand_in(fleet, purchase):
    """To any node, until one takes it."""
    while True:
        for node in fleet.nodes:
            try:
                status, body = node.shop.ask("POST", "/v1/evidence", purchase)
            except OSError:
                continue
            if status == 200:
                return node, json.loads(body)["revision"]
        time.sleep(0.02)


def run(usher, repository, folder):
    fleet = Fleet(usher, repository, folder, nodes=3, standbys=2, network=open_network())
    try:
        print("a primary, two standbys, three nodes"
              + (", each in a network namespace of its own:" if fleet.network else ":"))
        fleet.start()
        show(fleet)
        purchases = fleet.nodes[0].shop.purchases(PURCHASES, 3)
        for _, body in purchases[:6]:
            node, revision = hand_in(fleet, body)
        print(f"{node.name} took six purchases, up to entry {revision}; every node answers:")
        answers(fleet, revision)
        leader = fleet.leader()
        print(f"{leader.name} is killed:")
        begun = time.monotonic()
        leader.process.kill()
        leader.process.wait()
        node, revision = hand_in(fleet, purchases[6][1])
        passed = time.monotonic() - begun
        print(f"  {node.name} takes the next purchase {passed:.2f} s later, entry {revision}")
        leader.launch()
        fleet.wait(lambda: leader.shop.is_ready("/readyz"), 30, "the node does not come back")
        print(f"{leader.name} is back:")
        show(fleet)
        for _, body in purchases[7:]:
            node, revision = hand_in(fleet, body)
        answers(fleet, revision)
    finally:
        fleet.stop()


def answers(fleet, revision):
    for node in fleet.nodes:
        if node.is_running():
            status, body = node.shop.get(
                f"/v1/accounts/buyer-0/credits?min_revision={revision}")
            balance = json.loads(body)["balances"][0] if status == 200 else {}
            print(f"  {node.name}: buyer-0 has {balance.get('balance')} {balance.get('credit')} "
                  f"as of entry {json.loads(body).get('revision')}")


def main():
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    try:
        run(os.path.abspath(sys.argv[1]), sys.argv[2], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
