"""A full disk: writes are refused and say why, questions are answered, and with room again it is
ready without anybody writing, and goes on."""

import json
import os
import subprocess
import tempfile
import time

from shop import stop

CODE = "ledger.disk-full"
# Who buy: what an account has is derived anew with each of its purchases.
ACCOUNTS = 50


def run(shop, clients):
    """Returns whether it held; None where no file system can be mounted."""
    folder = os.path.dirname(shop.ledger)
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "usher-torture", folder]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        print("disk: skipped, since no file system can be mounted here")
        return None
    try:
        return fill(shop, clients, folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(shop, clients, folder):
    log = tempfile.TemporaryFile(mode="w+", encoding="utf-8")
    process = shop.start(output=log, level="notice")
    good, refusals = set(), {}
    purchases = shop.purchases(2_000, ACCOUNTS, start=2_000_000)
    answers = shop.buy(purchases, clients)
    for number, status in answers.items():
        if status == 200:
            good.add(number)
        else:
            refusals[status] = refusals.get(status, 0) + 1
    reading = shop.get("/livez")[0] == 200
    told = tells_full(shop)
    lost = len(good - set(delivered(shop)))
    subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
    alive = process.poll() is None
    recovered = alive and becomes_ready(shop)
    rest = [purchase for purchase in purchases if purchase[0] not in good]
    later = shop.buy(rest, clients) if alive else {}
    resumed = sum(status == 200 for status in later.values())
    ids = delivered(shop)
    complete = len(ids) == len(set(ids)) == len(purchases)
    code = stop(process)
    log.seek(0)
    lines = [line for line in log if "the disk of the ledger" in line]
    print(f"disk: full after {len(good)} of {len(purchases)} (answers {refusals}), {lost} lost;"
          f" questions answered: {reading}; told: {told}; ready again without a write:"
          f" {recovered}; with room again {resumed} of {len(rest)} by itself; log lines: {len(lines)}")
    return (bool(rest) and lost == 0 and reading and told and recovered and resumed == len(rest)
            and complete and code == 0 and len(lines) == 2
            and all(status == 503 for status in refusals))


def delivered(shop):
    return [number for buyer in range(ACCOUNTS) for number in shop.delivered(f"buyer-{buyer}")]


def tells_full(shop):
    """Whether a refused write, readiness, status and metrics all say that the disk is full."""
    body = json.dumps({"account": "buyer-0", "entitlement": "offline", "reason": "r" * 500})
    for _ in range(200):
        refused = shop.ask("POST", "/v1/grants", body)
        if refused[0] != 200:
            break
    ready = shop.get("/readyz")
    status = json.loads(shop.get("/status", name="usher.sock")[1])
    metrics = shop.get("/metrics", name="usher.sock")[1].decode()
    return (all(answer[0] == 503 and json.loads(answer[1])["code"] == CODE
                for answer in (refused, ready))
            and "ledger-disk-full" in status["degraded"] and status["status"] == "read-only"
            and "\nusher_ledger_disk_full 1\n" in metrics)


def becomes_ready(shop):
    """Within half a minute, without a write."""
    for _ in range(300):
        if shop.is_ready():
            return True
        time.sleep(0.1)
    return False
