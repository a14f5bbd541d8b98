"""The two ways in which answers were once sent twice, exactly, with http.client."""

import http.client
import os

from oracle import PLACE, Wrong, read_answer
from questions import compact, evaluation, request
from shop import LocalConnection

# The fault needs a reader that is quick at the right time, and depends on the size of the answer:
# so each round asks for another one.
ROUNDS = 100


def body_of(answer):
    return answer[answer.index(b"\r\n\r\n") + 4:]


def run(shop, oracle, name, accounts):
    """What the question after a large answer was answered with, which must be its own."""
    for title, ask_much in (("a batch of 700 to 1,000", ask_batch),
                            ("100 to 200 pipelined questions", ask_pipeline)):
        wrong = []
        connection = LocalConnection(os.path.join(shop.sockets, name))
        for number in range(ROUNDS):
            try:
                ask_much(connection, oracle, accounts, number)
                ask_one(connection, oracle, accounts[number])
            except (Wrong, OSError, http.client.HTTPException) as error:
                wrong.append(str(error) or type(error).__name__)
                connection.close()
        connection.close()
        print(f"{name}, {title}, then one: {len(wrong)} of {ROUNDS} wrong", flush=True)
        yield from wrong[:1]


def ask_one(connection, oracle, account):
    path = f"/v1/accounts/{account}/entitlements/premium"
    connection.request("GET", path)
    got = connection.getresponse().read()
    expected = body_of(oracle.ask(request("GET", path)))
    if got != expected:
        raise Wrong(f"asked about {account}:\n  expected {expected!r}\n  got      {got!r}")


def ask_batch(connection, oracle, accounts, number):
    asked = [compact(evaluation(account, "premium"))
             for account in accounts[number:number + 700 + number * 3]]
    expected = oracle.batch(asked, lambda item: request(
        "POST", "/access/v1/evaluations", body=b'{"evaluations":[' + item + b"]}"))
    connection.request("POST", "/access/v1/evaluations",
                       b'{"evaluations":[' + b",".join(asked) + b"]}",
                       {"Content-Type": "application/json"})
    if connection.getresponse().read() != body_of(expected):
        raise Wrong(f"a batch of {len(asked)} is answered with another one's answers")


def ask_pipeline(connection, oracle, accounts, number):
    if connection.sock is None:
        connection.connect()
    requests = [request("GET", f"/v1/accounts/{account}/entitlements?at=2029-03-01T00:00:00Z",
                        "X-Request-ID: " + PLACE.decode())
                for account in accounts[number:number + 200 - number]]
    connection.sock.sendall(b"".join(requests))
    more = b""
    for place, one in enumerate(requests):
        answer, more = read_answer(connection.sock, True, more)
        if answer != oracle.ask(one):
            raise Wrong(f"answer {place + 1} of {len(requests)} is not that to its question")
    if more:
        raise Wrong(f"{len(more)} bytes more than the answers: {more[:100]!r}")
