"""What an upgrade keeps: ledgers that older programs wrote, opened by this one.

  upgrade.py USHER REPOSITORY [OLD]    OLD is the program of the release before

Every format in fixtures/ledgers is brought forward by a service, which then is sound and has the same
entries. With OLD, that program also writes a ledger of its own, and every answer about its accounts
is the same from both.
"""

import glob
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from shop import Shop, stop  # noqa: E402

AT = "2026-02-20"


def entries(file):
    """The hash of each entry of a ledger that nobody has open."""
    ledger = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return ledger.execute("select seq, kind, payload, hash from entry order by seq").fetchall()
    finally:
        ledger.close()


def serve(usher, repository, folder, work):
    """What 'work' gives while the program serves the ledger in the folder."""
    shop = Shop(usher, repository, folder)
    service = shop.start()
    if service is None:
        raise RuntimeError(f"the service does not start on {shop.ledger}")
    try:
        return work(shop)
    finally:
        if stop(service) != 0:
            raise RuntimeError(f"the service did not stop well on {shop.ledger}")


def verify(usher, file, before, what):
    done = subprocess.run([usher, "ledger", "verify", "--ledger", file], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0 or not done.stdout.startswith("sound"):
        raise RuntimeError(f"{what}: {done.stdout}{done.stderr}")
    if entries(file)[:len(before)] != before:
        raise RuntimeError(f"{what}: an entry is not what it was")


def bring_forward(usher, repository, fixture):
    name = os.path.basename(fixture)
    with tempfile.TemporaryDirectory(prefix="usher-upgrade.") as folder:
        os.mkdir(f"{folder}/data")
        file = f"{folder}/data/ledger"
        ledger = sqlite3.connect(file)
        with open(fixture, encoding="utf-8") as script:
            ledger.executescript(script.read())
        ledger.close()
        before = entries(file)
        serve(usher, repository, folder, lambda shop: shop.get("/status", name="usher.sock"))
        verify(usher, file, before, name)
        return len(before)


def answers(shop):
    """All answers about the accounts of the fixtures, at a fixed instant."""
    found = {}
    with open(shop.fixtures, encoding="utf-8") as lines:
        accounts = sorted({json.loads(line).get("account", "nobody") for line in lines})
    for account in accounts:
        for path in (f"/v1/accounts/{account}/entitlements?at={AT}",
                     f"/v1/accounts/{account}/credits?at={AT}"):
            status, body = shop.get(path)
            found[path] = status, body
    return found


def compare(usher, repository, old):
    with tempfile.TemporaryDirectory(prefix="usher-upgrade.") as folder:
        def write(shop):
            # It ends with 1: some of it is not trusted by this policy, or not the first claim.
            subprocess.run([old, "ingest", "--sockets", shop.sockets, shop.fixtures], check=False,
                           stdout=subprocess.DEVNULL)
            return answers(shop)

        before = serve(old, repository, folder, write)
        file = f"{folder}/data/ledger"
        recorded = entries(file)
        shutil.rmtree(f"{folder}/policies")
        after = serve(usher, repository, folder, answers)
        for path, answer in before.items():
            if after[path] != answer:
                raise RuntimeError(f"{path}: {answer} became {after[path]}")
        verify(usher, file, recorded, "the ledger of the release before")
        return len(before), len(recorded)


def main():
    usher, repository = map(os.path.abspath, sys.argv[1:3])
    fixtures = sorted(glob.glob(f"{repository}/fixtures/ledgers/*.sql"))
    counts = [bring_forward(usher, repository, fixture) for fixture in fixtures]
    print(f"upgrade: {len(fixtures)} ledgers of older formats, {sum(counts)} entries: sound")
    if len(sys.argv) > 3:
        asked, recorded = compare(usher, repository, os.path.abspath(sys.argv[3]))
        print(f"upgrade: {asked} answers about a ledger of {recorded} entries of the release "
              "before: the same")
    if not counts:
        sys.exit(1)


main()
