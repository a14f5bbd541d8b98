"""Writes and syncs that fail: the system refuses the Nth of them to the real program.

Whatever happens to the service then, it must not have said "done" of what is not there, and the
next start must find all that it said.
"""

from shop import kill_traced, stop

FAULTS = [("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("fdatasync", "EIO"), ("fsync", "EIO"),
          ("ftruncate", "EIO")]


def run(shop, places, clients):
    """Returns whether no acknowledgement was false and every next start was good."""
    tried = stopped = refused = acknowledged = lost = twice = failed_starts = 0
    for call, error in FAULTS:
        for place in places:
            account = f"fault-{tried}"
            purchases = [(number, body.replace(b"buyer-0", account.encode()))
                         for number, body in shop.purchases(60, 1, start=1_000_000 + tried * 60)]
            good, ended = attempt(shop, purchases, clients, call, error, place)
            tried += 1
            stopped += ended
            refused += len(purchases) - len(good)
            acknowledged += len(good)
            process = shop.start()
            if process is None:
                failed_starts += 1
                continue
            delivered = shop.delivered(account)
            lost += len(good - set(delivered))
            twice += len(delivered) - len(set(delivered))
            # What was not acknowledged may be handed in again, and counts once.
            again = shop.buy([one for one in purchases if one[0] not in good], clients)
            delivered = shop.delivered(account)
            lost += len(purchases) - len(set(delivered))
            twice += len(delivered) - len(set(delivered))
            refused -= sum(status == 200 for status in again.values())
            stop(process)
    print(f"faults: {tried} runs, {stopped} ended by the fault, {acknowledged} acknowledged before"
          f" it: {lost} lost, {twice} delivered twice, {failed_starts} starts failed afterwards,"
          f" {refused} not taken in when handed in again")
    return lost == 0 and twice == 0 and failed_starts == 0 and refused == 0 and acknowledged > 0


def attempt(shop, purchases, clients, call, error, place):
    """Buys while the calls from `place` on fail; returns what was acknowledged, and whether the
    service ended by itself."""
    wrapper = ["strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-P", shop.ledger,
               "-P", shop.ledger + "-wal", "-e", "signal=none",
               "-e", f"inject={call}:error={error}:when={place}+"]
    process = shop.start(wrapper)
    if process is None:
        return set(), True
    answers = shop.buy(purchases, clients, process=process)
    ended = process.poll() is not None
    kill_traced(process)
    return {number for number, status in answers.items() if status == 200}, ended
