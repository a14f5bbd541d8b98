"""kill -9 at any time, with many clients that keep what was acknowledged to them: under load, while
the service starts, and while it stops.

What was in flight then may be there or not; handed in again it must be there once.
"""

import random
import signal
import threading
import time

from shop import stop


class Count:
    """What the ledger had after all kills."""

    def __init__(self):
        self.acknowledged = self.lost = self.twice = self.strange = 0
        self.again = self.known = self.refused = 0

    @property
    def good(self):
        return self.lost == self.twice == self.strange == self.refused == 0 and self.again > 0

    def take(self, shop, account, purchases, good, clients):
        """Looks at one cycle's account, and hands in again what came next to nobody's yes."""
        before = set(shop.delivered(account))
        rest = [purchase for purchase in purchases if purchase[0] not in good][:clients * 2]
        answers = shop.buy(rest, clients)
        delivered = shop.delivered(account)
        repeated = {number for number, _ in rest}
        self.acknowledged += len(good)
        self.again += len(rest)
        self.known += len(before & repeated)
        self.refused += sum(answers.get(number) != 200 for number in repeated)
        self.lost += len((good - before) | (repeated - set(delivered)))
        self.twice += len(delivered) - len(set(delivered))
        self.strange += len(set(delivered) - {number for number, _ in purchases})


def run(shop, cycles, clients, seed):
    """Returns whether nothing acknowledged was lost and nothing delivered twice."""
    rng = random.Random(seed)
    kept, starting, stopping = [], 0, 0
    for cycle in range(cycles):
        if rng.random() < 0.5:
            starting += kill_start(shop, rng)
        process = shop.start()
        if process is None:
            print(f"kill: after cycle {cycle} the service does not start any more")
            return False
        purchases = shop.purchases(clients * 4, 1, start=cycle * clients * 4)
        account = f"cycle-{cycle}"
        bodies = [(number, body.replace(b"buyer-0", account.encode()))
                  for number, body in purchases]
        strike, delay = None, rng.uniform(0, 0.03)
        if rng.random() < 0.3:
            strike = lambda: stop_and_kill(process, delay)
            stopping += 1
        answers = shop.buy(bodies, clients, limit=rng.randrange(1, clients * 3), process=process,
                           strike=strike)
        process.send_signal(signal.SIGKILL)
        process.wait()
        good = {number for number, status in answers.items() if status == 200}
        kept.append((account, bodies, good))
    return look(shop, kept, clients, starting, stopping)


def kill_start(shop, rng):
    """Kills a service that is starting; returns whether it was not ready yet."""
    process = shop.launch()
    time.sleep(rng.uniform(0, 0.05))
    is_ready = shop.is_ready()
    process.send_signal(signal.SIGKILL)
    process.wait()
    return not is_ready


def stop_and_kill(process, delay):
    """Asks it to end, and kills it a moment later, while it does."""
    process.send_signal(signal.SIGTERM)
    threading.Timer(delay, process.send_signal, [signal.SIGKILL]).start()


def look(shop, kept, clients, starting, stopping):
    """Looks at what is there after all the kills, and prints the counts."""
    process = shop.start()
    count = Count()
    for account, bodies, good in kept:
        count.take(shop, account, bodies, good, clients)
    code = stop(process)
    sound = shop.run("ledger", "verify", "--ledger", shop.ledger).returncode == 0
    print(f"kill: {len(kept)} cycles ({stopping} while it stopped) and {starting} kills while it"
          f" started, {clients} clients, {count.acknowledged} acknowledged:"
          f" {count.lost} lost, {count.twice} delivered twice, {count.strange} never bought;"
          f" {count.again} handed in again, of which {count.known} were there already:"
          f" {count.refused} refused; the ledger is {'sound' if sound else 'UNSOUND'}")
    return count.good and count.acknowledged >= len(kept) and code == 0 and sound
