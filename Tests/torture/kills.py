"""kill -9 at any time, with many clients that keep what was acknowledged to them.

What was in flight then may be there or not; handed in again it must be there once.
"""

import random
import signal

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
    kept = []
    for cycle in range(cycles):
        process = shop.start()
        purchases = shop.purchases(clients * 4, 1, start=cycle * clients * 4)
        account = f"cycle-{cycle}"
        bodies = [(number, body.replace(b"buyer-0", account.encode()))
                  for number, body in purchases]
        answers = shop.buy(bodies, clients, limit=rng.randrange(1, clients * 3), process=process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        good = {number for number, status in answers.items() if status == 200}
        kept.append((account, bodies, good))
    process = shop.start()
    count = Count()
    for account, bodies, good in kept:
        count.take(shop, account, bodies, good, clients)
    code = stop(process)
    print(f"kill: {cycles} cycles, {clients} clients, {count.acknowledged} acknowledged:"
          f" {count.lost} lost, {count.twice} delivered twice, {count.strange} never bought;"
          f" {count.again} handed in again, of which {count.known} were there already:"
          f" {count.refused} refused")
    return count.good and count.acknowledged >= cycles and code == 0
