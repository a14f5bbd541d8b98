"""Backups taken while many clients write: each is restored into an empty place, and must be the
beginning of the final ledger, byte for byte, with everything that was acknowledged before it
began. A backup that is cut short by a kill is there whole or not at all; a damaged one is not
restored.
"""

import json
import os
import shutil
import signal
import sqlite3
import threading
import time

from shop import stop

BACKUPS = 8
# Who buy: what an account has is derived anew with each of its purchases.
ACCOUNTS = 50
TABLES = {"entry": "seq", "evidence": "seq", "evidence_header": "id"}


class Writers(threading.Thread):
    """Many clients that buy, and a list of what was acknowledged so far."""

    def __init__(self, shop, purchases, clients, process):
        super().__init__()
        self.shop, self.purchases, self.clients, self.process = shop, purchases, clients, process
        self.answers = {}

    def run(self):
        self.shop.buy(self.purchases, self.clients, process=self.process, answers=self.answers)

    def acknowledged(self):
        return {number for number, status in self.answers.copy().items() if status == 200}


def run(shop, purchases, clients, kills):
    """Returns whether every backup restores to a verified beginning of the ledger."""
    folder = os.path.join(shop.folder, "backups")
    os.makedirs(folder)
    shop.options = ["--set", f"backups={folder}"]
    taken = take(shop, shop.purchases(purchases, ACCOUNTS), clients)
    promised = {file: known for file, known in taken}
    cut_short = kill_while_copying(shop, clients, kills, purchases)
    files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))
             if name.endswith(".ledger-backup")]
    wrong = sum(not is_beginning(shop, file, promised.get(file, set())) for file in files)
    missing = len(set(promised) - set(files))
    refused = damaged_is_refused(shop, files[0]) if files else False
    sound = shop.run("ledger", "verify", "--ledger", shop.ledger).returncode == 0
    sizes = sorted(len(known) for known in promised.values())
    print(f"backup: {len(promised)} under {clients} clients (the first after {sizes[0]}, the last"
          f" after {sizes[-1]} acknowledged), {cut_short} cut short by a kill: {len(files)} files,"
          f" {missing} missing, {wrong} no verified beginning of the ledger; a damaged one is"
          f" {'refused' if refused else 'RESTORED'}; the ledger is {'sound' if sound else 'UNSOUND'}")
    return (len(promised) > 2 and sizes[-1] > sizes[0] and wrong == missing == 0 and refused
            and sound)


def take(shop, purchases, clients):
    """Backs up some times while clients buy; each file with what was acknowledged before."""
    process = shop.start()
    writers = Writers(shop, purchases, clients, process)
    writers.start()
    taken = []
    while writers.is_alive():
        known = writers.acknowledged()
        if len(known) < len(taken) * len(purchases) // BACKUPS:
            time.sleep(0.005)
            continue
        if len(taken) % 2 == 0:
            status, answer = shop.ask("POST", "/v1/backup", b'{"reason":"torture"}')
            if status != 200:
                raise RuntimeError(f"no backup: {status} {answer[:200]}")
            taken.append((json.loads(answer)["file"], known))
        else:
            # The command copies the file itself, beside the service.
            file = os.path.join(shop.folder, "backups", f"{len(taken)}.ledger-backup")
            if shop.run("ledger", "backup", file, "--ledger", shop.ledger).returncode != 0:
                raise RuntimeError("the command makes no backup")
            taken.append((file, known))
    writers.join()
    stop(process)
    return taken


def kill_while_copying(shop, clients, kills, start):
    """Kills the service while it makes backups; returns how many it began and did not end."""
    cut_short = 0
    for cycle in range(kills):
        process = shop.start()
        number = start + cycle * clients
        writers = Writers(shop, shop.purchases(clients, ACCOUNTS, start=number), clients, process)
        done = []

        def back_up():
            try:
                done.append(shop.ask("POST", "/v1/backup", b'{"reason":"torture"}')[0])
            except OSError:
                pass

        copier = threading.Thread(target=back_up)
        copier.start()
        writers.start()
        time.sleep(0.02 * (cycle % 16))
        process.send_signal(signal.SIGKILL)
        process.wait()
        copier.join()
        writers.join()
        cut_short += not done
    return cut_short


def is_beginning(shop, file, promised):
    """Whether the backup restores to a verified beginning that holds what was promised."""
    place = os.path.join(shop.folder, "restored")
    os.makedirs(place)
    ledger = os.path.join(place, "ledger")
    try:
        if (shop.run("ledger", "restore", file, "--ledger", ledger).returncode != 0
                or shop.run("ledger", "verify", "--quick", "--ledger", ledger).returncode != 0):
            return False
        return begins_with(shop.ledger, ledger) and promised <= transactions(ledger)
    finally:
        shutil.rmtree(place)


def begins_with(whole, beginning):
    """Whether every row of the second ledger is the same in the first, up to its last entry."""
    database = sqlite3.connect(whole)
    try:
        database.execute("ATTACH ? AS copy", (beginning,))
        last, = database.execute("SELECT max(seq) FROM copy.entry").fetchone()
        for table, key in TABLES.items():
            ours = f"SELECT * FROM copy.{table}"
            theirs = f"SELECT * FROM main.{table}"
            bound = f" WHERE {key} <= {last}" if key == "seq" else ""
            if database.execute(f"{ours} EXCEPT {theirs}").fetchone():
                return False
            if bound and database.execute(f"{theirs}{bound} EXCEPT {ours}").fetchone():
                return False
        return True
    finally:
        database.close()


def transactions(ledger):
    database = sqlite3.connect(ledger)
    try:
        return {row[0] for row in database.execute(
            "SELECT json_extract(CAST(payload AS TEXT), '$.transaction.snapshot.transactionId')"
            " FROM entry WHERE kind = 3")}
    finally:
        database.close()


def damaged_is_refused(shop, file):
    """A backup with one byte of one fact changed must not be restored."""
    damaged, ledger = file + ".damaged", os.path.join(shop.folder, "never")
    shutil.copyfile(file, damaged)
    with open(damaged, "r+b") as copy:
        place = copy.read().find(b"transactionId")
        copy.seek(place)
        copy.write(b"transactionIb")
    code = shop.run("ledger", "restore", damaged, "--ledger", ledger).returncode
    return place > 0 and code == 1 and not os.path.exists(ledger)
