"""Clients of a fleet. Each call goes to any node, again and again until one has taken it, and what
was asked and answered is kept, with when. Nothing is judged here (checker.py)."""

import json
import queue
import random
import threading
import time

from purchases import BUNDLE, COINS, MONTH, MONTHLY
from shop import LocalConnection

ACCOUNTS = 40
# What a client does next, and how often of a hundred times.
DEEDS = {"buy": 46, "rival": 12, "spend": 16, "order": 12, "switch": 8, "ask": 6}


class Supply:
    """Purchases without end, for threads."""

    def __init__(self, shop):
        self.shop, self.start, self.kept = shop, 0, []
        self.lock = threading.Lock()

    def next(self):
        with self.lock:
            if not self.kept:
                self.kept = self.shop.purchases(500, ACCOUNTS, self.start)[::-1]
                self.start += 500
            return self.kept.pop()


class History:
    """What was asked and answered, of all clients."""

    def __init__(self):
        self.events, self.lock, self.count = [], threading.Lock(), 0
        self.acknowledged = 0
        # The faults meanwhile, with when.
        self.story = []

    def keep(self, event):
        with self.lock:
            self.events.append(event)
            if event["status"] == 200 and event["call"] != "ask":
                self.acknowledged += 1

    def number(self):
        with self.lock:
            self.count += 1
            return self.count

    def is_turned_away(self, code, count=20):
        """Whether that is all that was answered of late."""
        with self.lock:
            last = self.events[-count:]
        return all(event["status"] == 503 and (event["answer"] or {}).get("code") == code
                   for event in last)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(self.story) + "\n")
            for event in self.events:
                file.write(json.dumps(event) + "\n")


class Client(threading.Thread):
    """Works until it is told to end."""

    def __init__(self, name, fleet, history, supplies, seed):
        super().__init__(daemon=True)
        self.name, self.fleet, self.history = name, fleet, history
        self.supply, self.signer = supplies
        self.rng = random.Random(seed)
        self.goes_on, self.fault = True, None

    def run(self):
        try:
            while self.goes_on:
                deed = self.rng.choices(list(DEEDS), list(DEEDS.values()))[0]
                getattr(self, deed)()
        except Exception as fault:  # pylint: disable=broad-except
            self.fault = fault

    # One call.

    def call(self, what, request, node=None):
        """One try; returns its event."""
        node = node or self.rng.choice(self.fleet.nodes)
        event = {"client": self.name, "call": what, "node": node.name, **request["keep"],
                 "begun": time.monotonic(), "status": None, "answer": None}
        socket = "query.sock" if what == "ask" else "usher.sock"
        try:
            event["status"], text = self.send(node.shop.sockets + "/" + socket, request)
            event["answer"] = json.loads(text)
        except (OSError, ValueError):
            # Ended with the node, perhaps in the middle of an answer.
            event["status"] = None
        event["ended"] = time.monotonic()
        self.history.keep(event)
        return event

    @staticmethod
    def send(path, request):
        connection = LocalConnection(path, timeout=60)
        headers = {"Content-Type": "application/json"}
        if "key" in request["keep"]:
            headers["Idempotency-Key"] = request["keep"]["key"]
        try:
            body = request.get("body")
            connection.request(request["method"], request["path"],
                               json.dumps(body) if isinstance(body, dict) else body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except Exception as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def insist(self, what, request, nodes=None):
        """Until a node has answered; None where the client was told to end first."""
        while self.goes_on:
            event = self.call(what, request, nodes and self.rng.choice(nodes))
            if event["status"] not in (None, 503):
                return event
            time.sleep(0.005 if event["status"] else 0.02)
        return None

    def hand_in(self, transaction, body):
        account = body["account"] if isinstance(body, dict) else json.loads(body)["account"]
        return self.insist("evidence", {
            "method": "POST", "path": "/v1/evidence", "body": body,
            "keep": {"transaction": transaction, "account": account}})

    # What it does.

    def buy(self):
        transaction, body = self.supply.next()
        event = self.hand_in(transaction, body)
        if event and event["status"] == 200 and self.rng.random() < 0.4:
            self.read(event["account"], transaction, event["answer"]["revision"])

    def read(self, account, transaction, revision):
        """Either what was written is named, or whatever anybody has written."""
        wish = self.rng.choice([f"min_revision={revision}", "fresh=true"])
        keep = {"account": account, "transaction": transaction, "wish": wish}
        if wish != "fresh=true":
            keep["minimum"] = revision
        self.call("ask", {"method": "GET", "path": f"/v1/accounts/{account}/credits?{wish}",
                          "keep": keep})

    def ask(self):
        account = f"buyer-{self.rng.randrange(ACCOUNTS)}"
        self.call("ask", {"method": "GET", "path": f"/v1/accounts/{account}/credits",
                          "keep": {"account": account}})

    def sign(self, product, transaction, token=None):
        bought = time.time_ns() // 1_000_000 - 10_000
        payload = {
            "transactionId": transaction, "originalTransactionId": transaction,
            "bundleId": BUNDLE, "productId": product, "purchaseDate": bought,
            "originalPurchaseDate": bought, "quantity": 1, "inAppOwnershipType": "PURCHASED",
            "signedDate": bought, "environment": "Production", "transactionReason": "PURCHASE",
            "storefront": "USA", "price": 990, "currency": "USD", "type": "Consumable"}
        if token:
            payload["appAccountToken"] = token
        if product == MONTHLY:
            payload |= {"subscriptionGroupIdentifier": "21000001", "expiresDate": bought + MONTH,
                        "type": "Auto-Renewable Subscription"}
        return self.signer.sign(payload)

    def transaction(self):
        return str(800_000_000_000_000 + self.history.number())

    def at_once(self, calls):
        """Other threads make the same kind of call at the same time."""
        answers = queue.Queue()
        threads = [threading.Thread(target=lambda call=call: answers.put(call()))
                   for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [answers.get() for _ in threads]

    def rival(self):
        """Two accounts hand in the same purchase at the same time."""
        transaction = self.transaction()
        payload = self.sign(COINS, transaction)
        self.at_once([
            lambda side=side: self.hand_in(
                transaction, {"account": f"rival-{side}-{int(transaction) % 20}",
                              "payload": payload})
            for side in "ab"])

    def switch(self):
        """A subscription, and two more accounts that want it at the same time."""
        transaction = self.transaction()
        payload = self.sign(MONTHLY, transaction)
        first = f"member-{transaction}"
        if not self.hand_in(transaction, {"account": first, "payload": payload}):
            return
        self.at_once([
            lambda side=side: self.hand_in(
                transaction, {"account": f"{first}-{side}", "payload": payload,
                              "moment": "restore"})
            for side in "ab"])

    def spend(self):
        """The same call twice, at two nodes; sometimes both at the same time."""
        account = f"buyer-{self.rng.randrange(ACCOUNTS)}"
        amount = self.rng.choice((1, 7, 30))
        request = {
            "method": "POST", "path": f"/v1/accounts/{account}/credits/coins/spend",
            "body": {"amount": amount},
            "keep": {"key": f"spend-{self.history.number()}", "account": account,
                     "amount": amount}}
        if self.rng.random() < 0.5:
            self.at_once([lambda: self.insist("spend", request)] * 2)
        else:
            self.insist("spend", request)
            self.insist("spend", request)

    def order(self):
        """Made twice with one key, paid, and finished."""
        number = self.history.number()
        account = f"orderer-{number % 20}"
        request = {
            "method": "POST", "path": "/v1/orders", "body": {"account": account, "product": COINS},
            "keep": {"key": f"order-{number}", "account": account}}
        made = self.at_once([lambda: self.insist("order", request)] * 2)
        order = next((event["answer"].get("order") for event in made
                      if event and event["status"] == 200), None)
        if order is None:
            return
        transaction = self.transaction()
        payload = self.sign(COINS, transaction, token=order)
        if self.hand_in(transaction, {"account": account, "payload": payload}):
            self.insist("event", {
                "method": "POST", "path": f"/v1/orders/{order}/events",
                "body": {"event": "finished"}, "keep": {"order": order, "account": account}})


def accounts(events):
    """All that were named."""
    return sorted({event["account"] for event in events})
