"""A service is killed in the middle of a reconciliation with the App Store in a box, some times: the run
is gone on with, and its report is that of one run. See scripts/check-box."""

import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from running import Box  # noqa: E402
from shop import Shop, stop  # noqa: E402

CUSTOMERS, KILLS = 12, 3


def settings(box, folder):
    """What the service needs to ask the box as Apple's servers."""
    known = box.settings
    secret = pathlib.Path(folder, "secret")
    secret.touch(0o600)
    secret.write_text(known["shared_secret"])
    key = pathlib.Path(folder, "AuthKey.p8")
    key.touch(0o600)
    key.write_bytes((box.folder / "AuthKey.p8").read_bytes())
    lines = [f"  issuer-id: {known['issuer_id']}", f"  key-id: {known['key_id']}",
             f"  key-file: {key}", f"  shared-secret-file: {secret}", "  calls-per-second: 1000"]
    for name in ("production", "sandbox"):
        lines.append(f"  {name}-url: {box.url}/{name}")
        lines.append(f"  verify-receipt-{name}-url: {box.url}/{name}/verifyReceipt")
    path = pathlib.Path(folder, "settings.yaml")
    path.write_text("app-store:\n" + "\n".join(lines) + "\n")
    return str(path)


def reconcile(shop, *options):
    """The differences, each without what says when it was found, and the summary."""
    done = subprocess.run(
        [shop.usher, "reconcile", "--json", "--sockets", shop.sockets, *options],
        capture_output=True, text=True, timeout=120, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 1) or not lines:
        raise RuntimeError(f"usher reconcile ended with {done.returncode}: {done.stderr}")
    return sorted(json.dumps(line, sort_keys=True) for line in lines[:-1]), lines[-1]


def populate(box, shop):
    """Everybody buys and hands it in; then some are refunded, and no notification comes."""
    for number in range(CUSTOMERS):
        box.say(f"user{number} buys gold as G{number}")
        body = {"account": f"user{number}",
                "payload": box.purchase(f"G{number}")["signedTransactionInfo"]}
        status, answer = shop.ask("POST", "/v1/evidence", json.dumps(body))
        if status != 200:
            raise RuntimeError(f"evidence was answered {status}: {answer}")
    for number in range(0, CUSTOMERS, 4):
        box.say(f"G{number} is refunded")


def main():
    usher, repository = os.path.abspath(sys.argv[1]), os.getcwd()
    chance = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="usher-kill.") as folder:
        today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        box = Box(usher, f"{folder}/box", "--start", today)
        shop = Shop(usher, repository, folder)
        for name in ("root.pem", "receipt-root.pem"):
            shutil.copy(box.folder / name, shop.policies)
        app = pathlib.Path(shop.policies, "app.yaml")
        app.write_text(app.read_text().replace(
            "receipt: [{file: root.pem}]", "receipt: [{file: receipt-root.pem}]"))
        shop.options = ["--config", settings(box, folder)]
        service = shop.start()
        try:
            populate(box, shop)
            # What one run finds that nobody kills, on a copy of the ledger.
            if stop(service) != 0:
                raise RuntimeError("the service did not stop")
            data = os.path.dirname(shop.ledger)
            shutil.copytree(data, f"{folder}/kept")
            service = shop.start()
            expected, _ = reconcile(shop)
            if stop(service) != 0:
                raise RuntimeError("the service did not stop")
            shutil.rmtree(data)
            shutil.move(f"{folder}/kept", data)
            service = shop.start()
            for _ in range(KILLS):
                client = subprocess.Popen(
                    [usher, "reconcile", "--quiet", "--sockets", shop.sockets,
                     "--calls-per-second", "40"],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(0.2 + chance.random() / 2)
                service.send_signal(signal.SIGKILL)
                service.wait()
                client.wait(timeout=60)
                service = shop.start()
            found, summary = reconcile(shop)
            again, _ = reconcile(shop)
        finally:
            code = stop(service)
            box.stop()
    if found != expected:
        wrong = set(found) ^ set(expected)
        raise RuntimeError(f"another drift than without a kill: {sorted(wrong)[:5]}")
    if again:
        raise RuntimeError(f"the second run found {again[:3]}")
    if code != 0:
        raise RuntimeError(f"the service ended with {code}")
    resumed = summary["reconciliation"]["resumed"]
    print(f"box: a reconciliation killed {KILLS} times found the same {len(found)} differences"
          f"{' (resumed)' if resumed else ''}")


if __name__ == "__main__":
    main()
