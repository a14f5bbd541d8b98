"""Callers of nodes that do not lead, while nodes stand still and the lead changes (scripts/fleet).

    callers.py USHER REPOSITORY

A spend whose caller has gone while its node stood still is not done, although the account could pay
for it by then. Calls that are under way when the leader ends, in order or not, are answered by the
next one. A service that has another number on each machine has one key for one spend. Exit 1 where
not.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import statistics
import sys
import tempfile
import threading
import time

from fleet import Fleet
from network import open_network

SPEND = json.dumps({"credits": [{"credit": "coins", "amount": 250}]}).encode()
CLIENTS = 4
# What a change of leader may cost the slowest caller, beside the call itself. That is counted as
# three usual ones: before the change, after it, and one for a machine that is busy otherwise.
ORDERLY = 1.0
ENDED = 2.0
# What the service is on the first node; on the next it is the next number.
SERVICE = 12_001


class Callers:
    """Hand purchases in at the nodes that follow, one after the other."""

    def __init__(self, nodes, purchases):
        self.answers, self.lock, self.rest = [], threading.Lock(), iter(purchases)
        self.threads = [threading.Thread(target=self.run, args=(nodes[number % len(nodes)],))
                        for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self, node):
        while True:
            with self.lock:
                purchase = next(self.rest, None)
            if purchase is None:
                return
            begun = time.monotonic()
            try:
                status, body = node.shop.ask("POST", "/v1/evidence", purchase[1])
            except (OSError, http.client.HTTPException) as error:
                status, body = 0, str(error).encode()
            with self.lock:
                self.answers.append((time.monotonic() - begun, status, body))

    def join(self):
        for thread in self.threads:
            thread.join()
        return self.answers


def send_and_leave(node, key):
    """The same by a caller that goes before the node has read it."""
    caller = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    caller.connect(os.path.join(node.shop.sockets, "usher.sock"))
    caller.sendall(b"POST /v1/accounts/buyer-0/spend HTTP/1.1\r\nHost: x\r\nIdempotency-Key: "
                   + key.encode() + b"\r\nContent-Type: application/json\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(SPEND) + SPEND)
    time.sleep(0.2)
    caller.close()


def gone(fleet, purchases):
    """Whether the spend of a caller that has gone is done by nobody."""
    leader = fleet.leader()
    node, other = [node for node in fleet.nodes if node is not leader]
    hand_in(leader, purchases[:1])
    node.process.send_signal(signal.SIGSTOP)
    send_and_leave(node, "k-1")
    refused = ask(other, "k-1")
    hand_in(leader, purchases[1:])
    node.process.send_signal(signal.SIGCONT)
    time.sleep(3)
    left = balance(leader)
    later = ask(other, "k-1")
    print(f"callers: refused at another node: {refused}; 3 s after its node went on {left} are"
          f" left; tried again by somebody: {later}")
    return refused[1] == "credit.insufficient" and left == 100 * len(purchases) and later[0] == 200


def keys(nodes):
    """Whether a key of one service at all nodes is one spend."""
    if os.geteuid() != 0:
        print("callers: one key at each node: skipped, only root can be other users")
        return True
    answers = []
    for number, node in enumerate(nodes):
        os.seteuid(SERVICE + number)
        try:
            connection = connect(node)
        finally:
            os.seteuid(0)
        answers.append(spend(connection, "k-2"))
    ids = {body.get("id") for _, body in answers}
    print(f"callers: one key of one service at each node: {[status for status, _ in answers]},"
          f" spends {ids}")
    return all(status == 200 for status, _ in answers) and len(ids) == 1


def ask(node, key):
    status, body = spend(connect(node), key)
    return status, body.get("code", "")


def spend(connection, key):
    connection.request("POST", "/v1/accounts/buyer-0/spend", SPEND,
                       {"Content-Type": "application/json", "Idempotency-Key": key})
    response = connection.getresponse()
    body = json.loads(response.read())
    connection.close()
    return response.status, body


def connect(node):
    connection = http.client.HTTPConnection("localhost", timeout=30)
    connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.sock.settimeout(30)
    connection.sock.connect(os.path.join(node.shop.sockets, "usher.sock"))
    return connection


def balance(node):
    body = json.loads(node.shop.get("/v1/accounts/buyer-0/credits")[1])
    return body["balances"][0]["balance"]


def hand_in(node, purchases):
    for _, body in purchases:
        status, answer = node.shop.ask("POST", "/v1/evidence", body)
        if status != 200:
            raise RuntimeError(f"not taken: {status} {answer[:200]}")


def change(fleet, purchases, signal_number, limit):
    """Whether every call that is under way at followers is answered in time by the next leader."""
    leader = fleet.leader()
    callers = Callers([node for node in fleet.nodes if node is not leader], purchases)
    while len(callers.answers) < len(purchases) // 4:
        time.sleep(0.005)
    leader.process.send_signal(signal_number)
    leader.process.wait()
    answers = callers.join()
    slowest = max(seconds for seconds, _, _ in answers)
    usual = statistics.median(seconds for seconds, _, _ in answers)
    wrong = [(status, body[:120]) for _, status, body in answers if status != 200]
    print(f"callers: {signal.Signals(signal_number).name}: {len(answers)} calls, {len(wrong)} not"
          f" taken {wrong[:2]}, the slowest took {slowest:.2f} s, the median {usual:.3f} s")
    leader.launch()
    fleet.wait(lambda: leader.shop.is_ready("/readyz"), 60, "the node does not come back")
    return not wrong and slowest < limit + 3 * usual


def run(usher, repository, folder):
    fleet = Fleet(usher, repository, folder, nodes=3, standbys=1, network=open_network())
    for number, node in enumerate(fleet.nodes, SERVICE):
        for setting in (f"peers=uid:0=admin,uid:{number}=ingest", f"names=uid:{number}=service",
                        "usher-mode=0666"):
            node.shop.options += ["--set", "sockets." + setting]
    try:
        fleet.start()
        shop = fleet.nodes[0].shop
        held = [gone(fleet, shop.purchases(6, 1)), keys(fleet.nodes),
                change(fleet, shop.purchases(80, 20, start=1_000), signal.SIGTERM, ORDERLY),
                change(fleet, shop.purchases(80, 20, start=2_000), signal.SIGKILL, ENDED)]
    finally:
        fleet.stop()
    return all(held)


def main():
    folder = tempfile.mkdtemp(prefix="usher-fleet-")
    os.chmod(folder, 0o755)
    try:
        return 0 if run(os.path.abspath(sys.argv[1]), sys.argv[2], folder) else 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
