"""A full disk: writes are refused, questions are answered, and with room again it goes on."""

import os
import subprocess

from shop import stop


def run(shop, clients):
    """Returns whether it held; None where no file system can be mounted."""
    folder = os.path.dirname(shop.ledger)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "usher-torture", folder]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        print("disk: skipped, since no file system can be mounted here")
        return None
    try:
        return fill(shop, clients, folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(shop, clients, folder):
    process = shop.start()
    good, refusals = set(), {}
    purchases = shop.purchases(2_000, 1, start=2_000_000)
    answers = shop.buy(purchases, clients)
    for number, status in answers.items():
        if status == 200:
            good.add(number)
        else:
            refusals[status] = refusals.get(status, 0) + 1
    reading = shop.is_ready() or shop.get("/livez")[0] == 200
    delivered = set(shop.delivered("buyer-0"))
    lost = len(good - delivered)
    subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
    alive = process.poll() is None
    rest = [purchase for purchase in purchases if purchase[0] not in good]
    later = shop.buy(rest, clients) if alive else {}
    resumed = sum(status == 200 for status in later.values())
    ids = shop.delivered("buyer-0")
    complete = len(ids) == len(set(ids)) == len(purchases)
    code = stop(process)
    print(f"disk: full after {len(good)} of {len(purchases)} (answers {refusals}), {lost} lost;"
          f" questions answered: {reading}; with room again {resumed} of {len(rest)} by itself")
    return (bool(rest) and lost == 0 and reading and resumed == len(rest) and complete
            and code == 0 and all(status >= 500 for status in refusals))
