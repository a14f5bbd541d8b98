"""Sixty-four clients, each of which tells of what it knows until it is acknowledged, and a hand that
kills the service in between. What was acknowledged is recorded on this side only."""

import http.client
import json
import os
import signal
import threading
import time

from purchases import COINS, COINS_EACH
from shop import LocalConnection

# For as long a call may be without an answer, kills included.
PATIENCE = 60
LATER = (429, 503)
# Each customer's coins are spent so often, each time by all clients under one key.
SPENDS = 3


class Violation(Exception):
    """A promise that was broken."""


class Record:
    """What was acknowledged."""

    def __init__(self):
        self.lock = threading.Lock()
        self.orders, self.keys, self.events, self.evidence = {}, {}, {}, {}
        self.durable, self.pays, self.owned, self.calls = set(), {}, {}, {}
        self.spends = {}
        self.revision = self.acknowledged = self.illegal = self.retried = 0

    def keep(self, call, status):
        """The last answer to each call that was ever acknowledged."""
        with self.lock:
            self.calls[json.dumps(call)] = status

    def order(self, job, key, answer):
        """The same key has the same order, and one job has one order unless several may be
        bought at once."""
        with self.lock:
            self.acknowledged += 1
            self.orders[answer["order"]] = job
            known = self.keys.setdefault(key, answer["order"])
            if known != answer["order"]:
                raise Violation(f"the key {key} has two orders: {known} and {answer['order']}")
            job.order = job.order or answer["order"]
            if job.order != answer["order"] and job.way != "crowd":
                raise Violation(f"an open order was not returned: {job.order} and"
                                f" {answer['order']} of {job.account}")
            self.see(answer)

    def event(self, order, event, transaction, answer):
        with self.lock:
            self.acknowledged += 1
            self.events.setdefault(order, set()).add((event, transaction))
            if event not in [each["event"] for each in answer["events"]]:
                raise Violation(f"{event} of {order} is answered, and not among its events")
            self.see(answer)

    def judged(self, payload, facts, purchases, account, answer):
        """Each transaction is told once, may be finished, and has one order."""
        told = {each["transaction"]: each for each in answer["transactions"]}
        if set(told) != {each.id for each in purchases} or answer["quarantined"]:
            raise Violation(f"evidence of {[each.id for each in purchases]} is answered with"
                            f" {sorted(told)}, quarantined {answer['quarantined']}")
        with self.lock:
            self.acknowledged += 1
            self.evidence[payload] = facts
            for id, each in told.items():
                if each["finish"]:
                    self.durable.add(id)
                else:
                    raise Violation(f"{id} is recorded, and may not be finished")
                if len(each["owners"]) > 1:
                    raise Violation(f"{id} has several owners: {each['owners']}")
                if each["verdict"] == "owned" and self.owned.setdefault(id, account) != account:
                    raise Violation(f"{id} is owned by {self.owned[id]} and {account}")
                if "order" in each:
                    known = self.pays.setdefault(id, each["order"])
                    if known != each["order"]:
                        raise Violation(f"{id} pays two orders: {known} and {each['order']}")
            self.see(answer)

    def spent(self, key, account, amount, answer):
        """The same key is one spend, and its answer is always the same."""
        with self.lock:
            self.acknowledged += 1
            said = (account, amount, answer["id"], json.dumps(answer["balances"]))
            if self.spends.setdefault(key, said) != said:
                raise Violation(f"the spend {key} is answered with {self.spends[key]} and {said}")
            if any(each["balance"] < 0 for each in answer["balances"]):
                raise Violation(f"{account} may spend what is not there: {answer}")

    def see(self, answer):
        self.revision = max(self.revision, answer["revision"])


class Client:
    """One connection; a call is repeated until it is answered."""

    def __init__(self, shop, record, over, up):
        self.shop, self.record, self.over, self.up = shop, record, over, up
        self.connection = LocalConnection(os.path.join(shop.sockets, "usher.sock"))

    def call(self, method, path, body=None, key=None):
        headers = {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        begun = time.monotonic()
        while not self.over.is_set():
            try:
                self.connection.request(method, path, body and json.dumps(body), headers)
                response = self.connection.getresponse()
                status, text = response.status, response.read()
                if status not in LATER:
                    answer = json.loads(text)
                    self.record.keep((method, path, body, key), status)
                    return status, answer
            except (OSError, http.client.HTTPException):
                self.connection.close()
            self.record.retried += 1
            if time.monotonic() - begun > PATIENCE:
                raise Violation(f"{method} {path} is not answered for {PATIENCE} s")
            time.sleep(0.01)
            self.up.wait(PATIENCE)
        raise Stopped

    def visit(self, signer, job, number, rng):
        """Everything that one client does about one job."""
        if job.has_order:
            for copy in range(3 if job.way == "crowd" else 1):
                self.make_order(job, number, copy)
            if rng.random() < 0.7:
                self.report(job, "paying", rng, self.named(job))
        if job.way == "late":
            self.report(job, "cancelled", rng)
        if job.way == "unpaid":
            self.report(job, rng.choice(("cancelled", "failed", "deferred", "no-receipt")), rng)
        if job.way == "reported":
            self.report(job, "paying", rng, self.named(job))
        for form, purchase in self.forms(job, rng):
            self.hand_in(signer, job, form, purchase, rng)
            self.spend(job, rng)
        if job.is_exact and job.way not in ("unpaid", "untold") and rng.random() < 0.8:
            self.report(job, "finished", rng, must=True)

    def named(self, job):
        return job.purchases[0].id if job.way == "reported" else None

    def make_order(self, job, number, copy):
        body = {"account": job.account, "product": job.product}
        if job.product == COINS:
            body["quantity"] = job.quantity
        key = job.key(number) + (f"-{copy}" if job.way == "crowd" else "")
        status, answer = self.call("POST", "/v1/orders", body, key)
        if status == 200:
            self.record.order(job, key, answer)
        elif job.product == COINS or job.order is None or answer.get("code") != "order.blocked":
            raise Violation(f"an order of {job.account} is answered {status} {answer}")

    def report(self, job, event, rng, transaction=None, must=False):
        body = {"event": event}
        if transaction:
            body["transaction_id"] = transaction
        if event == "failed":
            body["store_code"] = "SKErrorDomain.0"
        status, answer = self.call("POST", f"/v1/orders/{job.order}/events", body)
        if status == 200:
            return self.record.event(job.order, event, transaction, answer)
        if (status, answer.get("code")) != (409, "order.state") or event in answer["legal"] or must:
            raise Violation(f"{event} of {job.order} ({job.way}) is answered {status} {answer}")
        self.record.illegal += 1

    def spend(self, job, rng):
        """What may not be there yet, or not any more."""
        if job.product != COINS:
            return
        copy = rng.randrange(SPENDS)
        key, amount = f"spend-{job.number}-{copy}", COINS_EACH // 4 * (copy + 1)
        status, answer = self.call(
            "POST", f"/v1/accounts/{job.account}/credits/coins/spend", {"amount": amount}, key)
        if status == 200:
            self.record.spent(key, job.account, amount, answer)
        elif (status, answer.get("code")) != (422, "credit.insufficient"):
            raise Violation(f"a spend of {job.account} is answered {status} {answer}")

    def forms(self, job, rng):
        """In which forms this client knows the purchases, in any order, some of them twice."""
        if job.way == "untold":
            known = ["notification"]
        elif job.way == "crowd":
            known = ["receipt", "transaction"]
        elif job.way in ("named", "reported"):
            known = ["transaction", "again"]
        elif job.way == "receipt":
            known = ["transaction", "notification", "receipt"]
        else:
            known = ["transaction", rng.choice(("again", "notification"))]
        chosen = [(form, purchase) for purchase in job.purchases for form in known]
        chosen += rng.sample(chosen, rng.randrange(len(chosen) + 1))
        rng.shuffle(chosen)
        return chosen

    def hand_in(self, signer, job, form, purchase, rng):
        payload = job.evidence(signer, form, purchase)
        account = None
        if form == "notification":
            path, body = "/v1/notifications", {"signedPayload": payload}
        else:
            account = rng.choice(job.accounts)
            path, body = "/v1/evidence", {"account": account, "payload": payload}
            if job.way == "named":
                body["order"] = job.order
        status, answer = self.call("POST", path, body)
        if status != 200:
            raise Violation(f"a {form} of {purchase.id} is answered {status} {answer}")
        if "order_problem" in answer:
            raise Violation(f"{job.order} is not used for {purchase.id}: {answer}")
        purchases = job.purchases if form == "receipt" else [purchase]
        self.record.judged(payload, job.facts(form, purchase), purchases, account, answer)


class Stopped(Exception):
    """Another client has found a violation."""


class Storm:
    """All clients at once, and the kills."""

    def __init__(self, shop, signer, record, clients):
        self.shop, self.signer, self.record, self.clients = shop, signer, record, clients
        self.over, self.lock, self.faults = threading.Event(), threading.Lock(), []
        # Set while a service is there, so that nobody asks in vain.
        self.process, self.up = None, threading.Event()
        self.done = self.kills = self.stops = self.starts = 0

    def run(self, visits, kills, rng):
        """Plays the visits. After each kill the service is started again, and so it ends."""
        places = sorted(rng.sample(range(1, len(visits)), kills))
        self.play(lambda client, visit: client.visit(self.signer, *visit), visits,
                  lambda threads: self.strike(threads, places, rng))

    def play(self, act, items, meanwhile=lambda threads: None):
        """All clients take one item after the other; the first fault ends it."""
        self.done, rest = 0, iter(items)

        def work():
            client = Client(self.shop, self.record, self.over, self.up)
            try:
                while not self.over.is_set():
                    with self.lock:
                        item = next(rest, None)
                        self.done += 1
                    if item is None:
                        return
                    act(client, item)
            except Stopped:
                pass
            except BaseException as fault:
                self.faults.append(fault)
                self.over.set()

        threads = [threading.Thread(target=work) for _ in range(self.clients)]
        for thread in threads:
            thread.start()
        try:
            meanwhile(threads)
        except BaseException:
            self.over.set()
            raise
        finally:
            self.up.set()
            for thread in threads:
                thread.join()
        if self.faults:
            raise self.faults[0]

    def strike(self, threads, places, rng):
        """Kills the service at these visits, some of the times while it stops or starts."""
        for place in places:
            while self.done < place and any(thread.is_alive() for thread in threads):
                time.sleep(0.001)
            if rng.random() < 0.25:
                self.process.send_signal(signal.SIGTERM)
                self.stops += 1
                time.sleep(rng.uniform(0, 0.03))
            self.kill()
            if rng.random() < 0.3:
                self.process = self.shop.launch()
                self.starts += 1
                time.sleep(rng.uniform(0, 0.1))
                self.kill()
            self.start()

    def kill(self):
        self.up.clear()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1

    def start(self):
        self.process = self.shop.start()
        if self.process is None:
            raise Violation(f"after {self.kills} kills the service does not start any more")
        self.up.set()


class Again:
    """Everything that was acknowledged, sent again by all clients."""

    def __init__(self, storm, states):
        self.storm, self.record, self.states = storm, storm.record, states
        self.calls = [call for call in map(json.loads, self.record.calls) if self.repeats(call)]

    @property
    def count(self):
        return len(self.calls)

    def repeats(self, call):
        """A report of an unpaid order may say something new if another came after it."""
        _, path, _, _ = call
        if path.endswith("/spend"):
            return self.record.calls[json.dumps(call)] == 200
        if not path.endswith("/events"):
            return True
        return self.states[path.split("/")[3]] in ("delivered", "finished")

    def run(self):
        self.storm.play(self.send, self.calls)

    def send(self, client, call):
        before = self.record.calls[json.dumps(call)]
        status, answer = client.call(*call)
        # The report is no longer the last; what may be bought once has been bought.
        may = {"order.state": 409, "order.delivered": 409, "order.blocked": 422}.get(answer.get("code"))
        if status != before and (before, status) != (200, may):
            raise Violation(f"{call[0]} {call[1]} was answered {before}, and again {status} {answer}")
