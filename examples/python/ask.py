#!/usr/bin/env python3
"""Submits a purchase and asks about it, with the standard library only.

    ask.py SOCKETS EVIDENCE        ask.py /run/usher transaction.jws
"""

import http.client
import json
import socket
import sys


class Problem(Exception):
    def __init__(self, answer):
        super().__init__(answer["detail"])
        self.status, self.code = answer["status"], answer["code"]


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a unix socket. A long-running program keeps connections open and reuses them."""

    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def call(path, method, target, body=None, timeout=2):
    connection = UnixConnection(path, timeout)
    try:
        connection.request(method, target, json.dumps(body) if body else None,
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
    finally:
        connection.close()
    if response.status >= 300:
        raise Problem(answer)
    return answer


def main():
    sockets, evidence = sys.argv[1:]
    query, operations = sockets + "/query.sock", sockets + "/usher.sock"

    # Evidence, from the service that the app sends its transactions to.
    with open(evidence, encoding="ascii") as file:
        body = {"account": "bruno", "payload": file.read()}
    for one in call(operations, "POST", "/v1/evidence", body)["transactions"]:
        print(f"evidence: transaction {one['transaction']} {one['verdict']}")

    # A question in the form of AuthZEN.
    answer = call(query, "POST", "/access/v1/evaluation", {
        "subject": {"type": "account", "id": "bruno"}, "action": {"name": "use"},
        "resource": {"type": "entitlement", "id": "no-ads"}})
    print(f"evaluation: {json.dumps(answer['decision'])} ({answer['context']['reason']})")

    # The same question as a plain GET.
    answer = call(query, "GET", "/v1/accounts/bruno/entitlements/no-ads")
    print(f"entitlement: {json.dumps(answer['decision'])} ({answer['state']})")

    # A problem has a status and a stable code. Repeat a 429 or 503 after its Retry-After.
    try:
        call(query, "GET", "/v1/accounts/bruno/entitlements/no-such-thing")
    except Problem as problem:
        print(f"problem: {problem.status} {problem.code}")

    # Set a time-out and decide what no answer means for your product. (This question waits for a
    # revision that the ledger has not reached.)
    try:
        call(query, "GET", "/v1/accounts/bruno/entitlements?min_revision=999999", timeout=0.2)
    except TimeoutError:
        print("time-out: no answer")


main()
