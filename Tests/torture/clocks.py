"""The wall clock is set back and forth while facts arrive and questions are asked.

What has ended must stay ended whatever the clock shows, in the running service and after a start
under a wrong clock; nothing is recorded earlier than what was recorded before it; nobody's
evidence is refused for it; and the service says that its clock is wrong for as long as it is.
"""

import datetime
import json
import os
import sqlite3
import threading
import time

from orders import Orders
from shop import LocalConnection, stop

DAY = 86_400_000
# Alice's subscription in fixtures/evidence grants until the eighth of May.
GRANTED, ENDED = (int(datetime.datetime(2026, month, day, tzinfo=datetime.timezone.utc)
                      .timestamp() * 1000) for month, day in ((5, 2), (6, 20)))
QUESTION = "/v1/accounts/alice/entitlements/premium"
STEPS = [-49 * DAY, 0, -365 * DAY, -600_000, 0, 3 * DAY, 0, -49 * DAY, 4 * DAY]
LEEWAY = 300_000
# Who buy: what an account has is derived anew with each of its purchases.
ACCOUNTS = 16


class Clock:
    """The service's wall clock."""

    def __init__(self, orders):
        self.orders = orders

    def set(self, milliseconds):
        self.orders.set(Orders.OFFSET, milliseconds - time.time_ns() // 1_000_000)

    def shown(self):
        return time.time_ns() // 1_000_000 + self.orders.get(Orders.OFFSET)


class Asker(threading.Thread):
    """Asks the same question without end."""

    def __init__(self, shop):
        super().__init__()
        self.shop, self.goes_on, self.asked, self.granted, self.failed = shop, True, 0, 0, 0

    def run(self):
        connection = LocalConnection(os.path.join(self.shop.sockets, "query.sock"))
        while self.goes_on:
            connection.request("GET", QUESTION)
            response = connection.getresponse()
            answer = json.loads(response.read())
            self.asked += 1
            self.failed += response.status != 200
            self.granted += answer.get("decision") is not False
        connection.close()


def run(shop, clients):
    """Returns whether no step of the clock gave anything back."""
    orders = Orders(shop.folder, shop.ledger)
    shop.environment = orders.environment
    clock = Clock(orders)
    clock.set(GRANTED)
    process = shop.start()
    taken = shop.run("ingest", "--sockets", shop.sockets, shop.fixtures).returncode in (0, 1)
    # Were this no, the clock would not be set at all, or nothing could be given back.
    granted_before = may_use(shop)
    clock.set(ENDED)
    ended = not may_use(shop)
    first = shop.purchases(1, 1, start=3_000_000)
    taken = set(shop.buy(first, 1).values()) == {200} and taken
    answers, askers, silent = step(shop, clock, clients)
    code = stop(process)
    clock.set(GRANTED)
    process = shop.start()
    restarted = not may_use(shop) and "clock-behind" in degraded(shop)[0]
    delivered = [number for buyer in range(ACCOUNTS) for number in shop.delivered(f"buyer-{buyer}")]
    lost = len({number for number, status in answers.items() if status == 200} - set(delivered))
    code = stop(process) or code
    refused = sum(status != 200 for status in answers.values())
    asked, given_back = sum(asker.asked for asker in askers), sum(asker.granted for asker in askers)
    back = recorded_earlier(shop.ledger)
    sound = shop.run("ledger", "verify", "--ledger", shop.ledger).returncode == 0
    print(f"clock: {len(STEPS)} steps, {len(answers)} purchases meanwhile ({refused} refused,"
          f" {lost} lost), {asked} questions: {given_back} gave back what had ended, {back} entries"
          f" recorded earlier than the one before; silent about a wrong clock {silent} times;"
          f" after a start under a wrong clock it {'stays ended' if restarted else 'IS GIVEN BACK'};"
          f" ledger {'sound' if sound else 'UNSOUND'}")
    return (taken and granted_before and ended and restarted and sound and code == 0 and asked > 0
            and lost == refused == given_back == back == silent == 0
            and not any(asker.failed for asker in askers) and len(answers) > len(STEPS))


def step(shop, clock, clients):
    """Sets the clock while clients buy and ask; returns what the purchases were answered, the
    askers, and how often the status page was wrong about the clock."""
    askers = [Asker(shop) for _ in range(4)]
    for asker in askers:
        asker.start()
    answers, silent = {}, 0
    try:
        for number, delta in enumerate(STEPS):
            clock.set(ENDED + delta)
            start = 4_000_000 + number * 4 * clients
            purchases = shop.purchases(4 * clients, ACCOUNTS, start=start)
            answers |= shop.buy(purchases, clients)
            words, recorded = degraded(shop)
            is_behind = clock.shown() < recorded - LEEWAY
            silent += ("clock-behind" in words) != is_behind
    finally:
        for asker in askers:
            asker.goes_on = False
        for asker in askers:
            asker.join()
    return answers, askers, silent


def may_use(shop):
    return json.loads(shop.get(QUESTION)[1])["decision"]


def degraded(shop):
    """What the status page finds amiss, and when the newest entry was recorded."""
    page = json.loads(shop.get("/status", "usher.sock")[1])
    recorded = datetime.datetime.fromisoformat(page["ledger"]["recorded_at"])
    return page["degraded"], int(recorded.timestamp() * 1000)


def recorded_earlier(ledger):
    """How many entries are older than the one before them."""
    database = sqlite3.connect(ledger)
    try:
        return database.execute(
            "SELECT count(*) FROM entry AS one JOIN entry AS next ON next.seq = one.seq + 1"
            " WHERE next.recorded_at < one.recorded_at").fetchone()[0]
    finally:
        database.close()
