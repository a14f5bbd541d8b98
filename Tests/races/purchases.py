"""What is bought, and its evidence in every form: signed transactions, notifications, receipts."""

import datetime
import hashlib
import json
import os
import random
import subprocess
import threading
import time

BUNDLE, APP = "com.example.reader", 1234567890
COINS, FOREVER = BUNDLE + ".coins.100", BUNDLE + ".noads"
MONTHLY = BUNDLE + ".gold.monthly"
KINDS = {COINS: ("Consumable", 1), FOREVER: ("Non-Consumable", 0),
         MONTHLY: ("Auto-Renewable Subscription", 3)}
COINS_EACH = 100
MONTH = 30 * 86_400_000
# By how many milliseconds later than it was bought a transaction is signed.
LATER = {"transaction": 0, "again": 60_000}

# How a purchase comes in, and how many of a hundred purchases do so.
WAYS = {
    # An order, whose UUID the purchase carries.
    "token": 16,
    # The same beside its receipt, which has no token.
    "receipt": 8,
    # Two payments under one token: the second has an order of its own.
    "twice": 10,
    # Bought once: an order that is asked for again, with other keys, is the one that is open.
    "forever": 8,
    "subscription": 8,
    # No token: the order is named with the evidence, or the transaction in a report.
    "named": 8,
    "reported": 8,
    # Cancelled, and paid after all.
    "late": 8,
    # Known from Apple only.
    "untold": 6,
    # Never paid.
    "unpaid": 6,
    # No order; two accounts hand it in.
    "bare": 8,
    # One receipt of several purchases without tokens, beside several orders.
    "crowd": 6,
}


class Signer:
    """Signs with the simulated store's keys, one thing at a time."""

    def __init__(self, usher, receipt_root):
        program = os.path.join(os.path.dirname(os.path.realpath(usher)), "sample-evidence")
        self.process = subprocess.Popen([program, "--sign", receipt_root], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.lock = threading.Lock()

    def sign(self, document):
        with self.lock:
            self.process.stdin.write(json.dumps(document) + "\n")
            self.process.stdin.flush()
            signed = self.process.stdout.readline().strip()
        if not signed:
            raise RuntimeError("sample-evidence signs no more")
        return signed

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Purchase:
    """One transaction, which its job buys when somebody first asks for its evidence."""

    def __init__(self, job, number, quantity):
        self.job, self.quantity = job, quantity
        self.id = str(700_000_000_000_000 + number)
        self.bought = None

    def payload(self, later=0):
        """As Apple signs it; some milliseconds later it is signed again, with another date."""
        product = self.job.product
        self.bought = self.bought or time.time_ns() // 1_000_000
        payload = {
            "transactionId": self.id, "originalTransactionId": self.id, "bundleId": BUNDLE,
            "productId": product, "purchaseDate": self.bought, "originalPurchaseDate": self.bought,
            "quantity": self.quantity, "type": KINDS[product][0],
            "inAppOwnershipType": "PURCHASED", "signedDate": self.bought + later,
            "environment": "Production", "transactionReason": "PURCHASE", "storefront": "USA",
            "price": 990, "currency": "USD"}
        if self.job.has_token:
            payload["appAccountToken"] = self.job.order
        if product == MONTHLY:
            payload |= {"subscriptionGroupIdentifier": "21000001",
                        "expiresDate": self.bought + MONTH}
        return payload

    def receipt_entry(self):
        self.payload()
        return {"productId": self.job.product, "transactionId": self.id,
                "purchaseDate": self.bought, "quantity": self.quantity,
                "productType": KINDS[self.job.product][1]}


class Job:
    """What one customer buys in one way; several clients tell of it at once."""

    def __init__(self, number, way, accounts, first_transaction, rng):
        self.number, self.way, self.accounts = number, way, accounts
        self.product = {"forever": FOREVER, "subscription": MONTHLY}.get(way, COINS)
        quantity = rng.choice((1, 1, 1, 2, 3)) if self.product == COINS else 1
        self.quantity = quantity
        count = {"twice": 2, "unpaid": 0, "crowd": 3}.get(way, 1)
        self.purchases = [Purchase(self, first_transaction + index, quantity)
                          for index in range(count)]
        self.order = None
        self.lock = threading.Lock()
        self.signed = {}

    @property
    def account(self):
        return self.accounts[0]

    @property
    def has_order(self):
        return self.way != "bare"

    @property
    def has_token(self):
        return self.way not in ("named", "reported", "bare", "crowd")

    @property
    def is_exact(self):
        """Whether its payments can be of this order only."""
        return self.has_order and self.way != "crowd"

    def key(self, visit):
        """The idempotency key of its order; who buys once is asked with several."""
        return f"job-{self.number}" + (f"-{visit}" if self.product != COINS else "")

    def evidence(self, signer, form, purchase):
        """The same bytes each time: a transaction, signed at two times; a notification; a
        receipt."""
        with self.lock:
            name = (form, purchase.id)
            if name not in self.signed:
                self.signed[name] = self.sign(signer, form, purchase)
            return self.signed[name]

    def facts(self, form, purchase):
        """What the ledger must have afterwards, whichever bytes said it first."""
        if form == "receipt":
            return {("receipt", each.id) for each in self.purchases}
        if form == "notification":
            return {("notification", uuid(f"notification {purchase.id}")),
                    ("jws", purchase.id, date(purchase.bought))}
        return {("jws", purchase.id, date(purchase.bought + LATER[form]))}

    def sign(self, signer, form, purchase):
        if form == "receipt":
            return signer.sign({"receipt": {
                "created": time.time_ns() // 1_000_000,
                "purchases": [each.receipt_entry() for each in self.purchases]}})
        if form != "notification":
            return signer.sign(purchase.payload(LATER[form]))
        subscribes = self.product == MONTHLY
        return signer.sign({
            "notificationType": "SUBSCRIBED" if subscribes else "ONE_TIME_CHARGE",
            **({"subtype": "INITIAL_BUY"} if subscribes else {}),
            "notificationUUID": uuid(f"notification {purchase.id}"), "version": "2.0",
            "signedDate": time.time_ns() // 1_000_000,
            "data": {"appAppleId": APP, "bundleId": BUNDLE, "environment": "Production",
                     "signedTransactionInfo": signer.sign(purchase.payload())}})


def uuid(text):
    digits = hashlib.sha256(text.encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-8{digits[17:20]}-{digits[20:32]}"


def date(milliseconds):
    """As the ledger is exported."""
    whole = datetime.datetime.fromtimestamp(milliseconds // 1_000, datetime.timezone.utc)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1_000:03}Z"


def plan(count, rng):
    """That many jobs. Those who name their orders share accounts, so that orders stand beside each
    other; the others have accounts of their own, since nothing but what is compared decides."""
    jobs, transactions = [], 0
    for number in range(count):
        way = rng.choices(list(WAYS), list(WAYS.values()))[0]
        own = way not in ("token", "twice", "late", "untold", "unpaid")
        account = f"own-{number}" if own else f"shared-{rng.randrange(count // 4 + 1)}"
        accounts = [account, f"other-{number}"] if way == "bare" else [account]
        job = Job(number, way, accounts, transactions, rng)
        transactions += len(job.purchases)
        jobs.append(job)
    return jobs


def visits(jobs, rng, clients):
    """Who tells of what, in an order in which the visits to one job fall together: each visit is
    a job, the number of the visit, and a seed."""
    each = [(place + rng.uniform(0, clients / 2), job, visit, rng.getrandbits(32))
            for place, job in enumerate(jobs) for visit in range(rng.choice((2, 3, 3, 4)))]
    return [(job, visit, random.Random(seed))
            for _, job, visit, seed in sorted(each, key=lambda one: one[0])]
