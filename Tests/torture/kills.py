"""kill -9 at any time, with many clients that keep what was acknowledged to them."""

import random
import signal

from shop import stop


def run(shop, cycles, clients, seed):
    """Returns whether nothing acknowledged was lost and nothing delivered twice."""
    rng = random.Random(seed)
    kept = {}
    acknowledged = lost = twice = strange = 0
    for cycle in range(cycles):
        process = shop.start()
        purchases = shop.purchases(clients * 4, 1, start=cycle * clients * 4)
        account = f"cycle-{cycle}"
        bodies = [(number, body.replace(b"buyer-0", account.encode()))
                  for number, body in purchases]
        answers = shop.buy(bodies, clients, limit=rng.randrange(1, clients * 3), process=process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept[account] = ({number for number, status in answers.items() if status == 200},
                         {number for number, _ in purchases})
    process = shop.start()
    for account, (good, sold) in kept.items():
        delivered = shop.delivered(account)
        acknowledged += len(good)
        lost += len(good - set(delivered))
        twice += len(delivered) - len(set(delivered))
        strange += len(set(delivered) - sold)
    code = stop(process)
    print(f"kill: {cycles} cycles, {clients} clients, {acknowledged} acknowledged: {lost} lost,"
          f" {twice} delivered twice, {strange} never bought")
    return lost == 0 and twice == 0 and strange == 0 and acknowledged >= cycles and code == 0
