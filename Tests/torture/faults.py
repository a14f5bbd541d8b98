"""Writes and syncs that fail: each one that the service does to its ledger, in turn.

A service makes a ledger, takes purchases in and ends; all that it writes and syncs meanwhile is
counted. Then the same again and again, and the Nth of these calls fails, alone or with all after
it: each call in one of these ways, or in all of them. Whatever happens to the service then, it must not have said "done" of what is not there, and
the next start must find all that it said.
"""

import concurrent.futures
import os
import signal
import subprocess

from orders import Orders
from shop import Shop, stop

EVER = 1 << 62
# How the disk fails: the error, and whether it goes on failing.
WAYS = [("EIO", True), ("EIO", False), ("ENOSPC", True)]
# So many of the calls lie in the control.
LIES = 24
# So many services of their own are tortured at a time.
HANDS = 2


class Count:
    """What became of the runs so far."""

    def __init__(self):
        self.runs = self.reached = self.ended = self.acknowledged = 0
        self.lost = self.twice = self.failed_starts = self.refused = self.unsound = 0
        self.broken = 0

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def good(self):
        return self.troubles == 0 and self.reached > 0 and self.acknowledged > 0

    @property
    def troubles(self):
        return (self.lost + self.twice + self.failed_starts + self.refused + self.unsound
                + self.broken)


class Hand:
    """A service of its own, whose calls are made to fail one after the other."""

    def __init__(self, shop, number):
        folder = os.path.join(shop.folder, f"hand-{number}")
        self.shop = Shop(shop.usher, shop.repository, folder)
        self.orders = Orders(folder, self.shop.ledger)
        self.shop.environment = self.orders.environment

    def attempts(self, purchases, clients, all_faults):
        """What became of each of these faults."""
        counts = []
        for fault in all_faults:
            remove_ledger(self.shop)
            count = Count()
            attempt(self.shop, self.orders, purchases, clients, count, fault)
            counts.append(count)
        return counts


def share(hands, purchases, clients, all_faults):
    """Each hand tries every so many of the faults; the counts of them all."""
    with concurrent.futures.ThreadPoolExecutor(len(hands)) as pool:
        runs = [pool.submit(hand.attempts, purchases, clients, all_faults[place::len(hands)])
                for place, hand in enumerate(hands)]
        return [count for one in runs for count in one.result()]


def run(shop, ways, count, clients):
    """Returns whether no acknowledgement was false and every next start was good.

    Each call fails in so many of the ways; so many purchases are made."""
    hands = [Hand(shop, number) for number in range(HANDS)]
    purchases = shop.purchases(count, 1)
    first = hands[0]
    first.orders.heal()
    process = first.shop.start()
    answers = first.shop.buy(purchases, clients)
    code = stop(process)
    calls = first.orders.calls
    if code != 0 or len(answers) != count or calls < count:
        print(f"faults: no count of calls: {calls} calls, exit code {code}")
        return False
    all_faults = []
    for place in range(1, calls + 1):
        for way in range(ways):
            error, goes_on = WAYS[(place + way) % len(WAYS)]
            all_faults.append((place, EVER if goes_on else place, error))
    found = Count()
    for one in share(hands, purchases, clients, all_faults):
        found.add(one)
    print(f"faults: {calls} writes and syncs of {count} purchases, each failed in {ways} of"
          f" {len(WAYS)} ways: {found.runs} runs,"
          f" {found.reached} met the fault, {found.ended} ended by it, {found.acknowledged}"
          f" acknowledged meanwhile: {found.lost} lost, {found.twice} delivered twice,"
          f" {found.failed_starts} starts failed afterwards, {found.refused} not taken in when"
          f" handed in again, {found.unsound} ledgers unsound, {found.broken} services that did"
          f" not answer")
    return lies_are_told(hands, purchases, clients, calls) and found.good


def lies_are_told(hands, purchases, clients, calls):
    """The control: a disk that says "done" and does nothing. No program is safe from it; what it
    does must show in the counts, or they could not show anything."""
    lies = [(place, place, None) for place in range(1, calls + 1, max(1, calls // LIES))]
    count, told = Count(), 0
    for one in share(hands, purchases, clients, lies):
        told += one.troubles + one.ended > 0
        count.add(one)
    print(f"faults: control, one call of {calls} lies, in {count.runs} runs: {told} showed it"
          f" ({count.lost} lost, {count.refused} not taken in again, {count.failed_starts} starts"
          f" failed, {count.unsound} unsound, {count.broken} did not answer)")
    return told > 0


def attempt(shop, orders, purchases, clients, count, fault):
    """One run with the fault, and the next start without it."""
    orders.fail(*fault)
    process = None
    try:
        process = shop.start(path="/livez")
        good = buy_and_stop(shop, process, purchases, clients)
        count.runs += 1
        count.reached += orders.calls >= fault[0]
        count.ended += process is None or process.returncode != 0
        count.acknowledged += len(good)
        orders.heal()
        process = shop.start()
        if process is None:
            count.failed_starts += 1
            return
        look(shop, purchases, clients, good, count)
        stop(process)
        count.unsound += shop.run("ledger", "verify", "--ledger", shop.ledger).returncode != 0
    except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired):
        count.broken += 1
    finally:
        orders.heal()
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


def buy_and_stop(shop, process, purchases, clients):
    """What was acknowledged by the time at which the service had ended."""
    if process is None:
        return set()
    answers = shop.buy(purchases, clients, process=process)
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)
    return {number for number, status in answers.items() if status == 200}


def look(shop, purchases, clients, good, count):
    """What was not acknowledged may be handed in again, and counts once."""
    delivered = shop.delivered("buyer-0")
    count.lost += len(good - set(delivered))
    again = shop.buy([one for one in purchases if one[0] not in good], clients)
    count.refused += sum(status != 200 for status in again.values())
    delivered = shop.delivered("buyer-0")
    count.lost += len(purchases) - len(set(delivered))
    count.twice += len(delivered) - len(set(delivered))


def remove_ledger(shop):
    folder = os.path.dirname(shop.ledger)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
