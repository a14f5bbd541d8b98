"""Files that a service must not serve, and what operators do to those that it does: a start that is
refused has changed nothing; an older copy is found at the next start, whatever ended the service;
nothing copies it; a command that is pointed at what has no end says so at once; of two backups to
one name one is made; another time stamp ends nothing.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import threading

from shop import stop

NEEDS_PERSON = 3
ENDLESS = ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
           " SELECT i AS seq, i AS hash FROM n")


def run(shop):
    """Returns whether each of them held."""
    held = {}
    held["refused starts change nothing"] = all(
        refused(shop, name, make) for name, make in foreign(shop).items())
    held["endless things end at once"] = ends_at_once(shop)
    held["an older copy is found, and not copied"] = all(
        finds_older(shop, ending) for ending in ("kill", "replace"))
    held["one of two backups is made"] = one_backup(shop)
    held["a touch ends nothing"] = survives_touch(shop)
    for name, good in held.items():
        print(f"files: {name}: {'yes' if good else 'NO'}")
    return all(held.values())


def execute(path, sql):
    database = sqlite3.connect(path)
    database.executescript(sql)
    database.close()


def make_ledger(shop, count=3, start=9_000_000):
    """A ledger of so many purchases without a log."""
    clear(shop)
    process = shop.start()
    shop.buy(shop.purchases(count, 2, start=start), 1)
    stop(process)
    execute(shop.ledger, "PRAGMA journal_mode = DELETE")


def clear(shop):
    shutil.rmtree(os.path.dirname(shop.ledger))
    os.makedirs(os.path.dirname(shop.ledger))


def foreign(shop):
    """What a service is pointed at, and how it is made."""
    def text():
        with open(shop.ledger, "w", encoding="utf-8") as file:
            file.write("no ledger\n" * 1_000)

    def changed(sql):
        make_ledger(shop)
        execute(shop.ledger, sql)

    return {
        "text": text,
        "pipe": lambda: os.mkfifo(shop.ledger),
        "folder": lambda: os.mkdir(shop.ledger),
        "device": lambda: os.symlink("/dev/zero", shop.ledger),
        "database": lambda: execute(shop.ledger, "CREATE TABLE note (text)"),
        "database with a log": lambda: execute(
            shop.ledger, "PRAGMA journal_mode = WAL; CREATE TABLE note (text)"),
        "newer format": lambda: changed("INSERT INTO grdb_migrations VALUES ('999')"),
        "trigger": lambda: changed(
            "CREATE TRIGGER x AFTER INSERT ON account BEGIN SELECT 1; END"),
        "endless view": lambda: changed(
            f"CREATE VIEW x AS {ENDLESS}; DROP TABLE grdb_migrations;"
            " CREATE VIEW grdb_migrations AS SELECT seq AS identifier FROM x"),
    }


def state(folder):
    """Everything that can be seen of it without reading what has no end."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        status = os.lstat(path)
        content = b""
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as file:
                content = file.read()
        found[name] = (status.st_ino, status.st_mode, status.st_mtime_ns, status.st_ctime_ns,
                       content)
    return found


def refused(shop, name, make):
    clear(shop)
    make()
    folder = os.path.dirname(shop.ledger)
    if os.path.isfile(shop.ledger):
        os.chmod(shop.ledger, 0o644)
    before = state(folder)
    try:
        code = shop.launch().wait(timeout=30)
    except subprocess.TimeoutExpired:
        code = None
    after = state(folder)
    if code == NEEDS_PERSON and before == after:
        return True
    changed = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
    print(f"files: {name}: exit code {code}, changed: {changed}")
    return False


def ends_at_once(shop):
    good = True
    things = foreign(shop)
    for name in ("pipe", "device", "endless view"):
        clear(shop)
        things[name]()
        target = os.path.join(shop.folder, "restored")
        for command in (["verify", "--ledger", shop.ledger],
                        ["backup", target, "--ledger", shop.ledger],
                        ["restore", shop.ledger, "--ledger", target]):
            try:
                code = subprocess.run([shop.usher, "ledger", *command], capture_output=True,
                                      check=False, timeout=20).returncode
            except subprocess.TimeoutExpired:
                code = None
            if code not in (1, 2) or os.path.exists(target):
                print(f"files: {name}: ledger {command[0]} ends with {code}")
                good = False
    return good


def finds_older(shop, ending):
    """Two acknowledged purchases, and the backup from before them put in the ledger's place."""
    make_ledger(shop)
    copy, again = (os.path.join(shop.folder, name) for name in ("older", "again"))
    for path in (copy, again):
        if os.path.exists(path):
            os.remove(path)
    shop.run("ledger", "backup", copy, "--ledger", shop.ledger)
    process = shop.start()
    answers = shop.buy(shop.purchases(2, 2, start=9_000_003), 1)
    if ending == "kill":
        process.send_signal(signal.SIGKILL)
        process.wait()
    shutil.copyfile(copy, shop.ledger + ".new")
    os.replace(shop.ledger + ".new", shop.ledger)
    if ending == "replace":
        stop(process)
    for suffix in ("-wal", "-shm"):
        if os.path.exists(shop.ledger + suffix):
            os.remove(shop.ledger + suffix)
    verified = shop.run("ledger", "verify", "--ledger", shop.ledger).returncode
    copied = shop.run("ledger", "backup", again, "--ledger", shop.ledger).returncode
    started = shop.launch().wait(timeout=30) if sorted(answers.values()) == [200, 200] else None
    if (verified, copied, started) == (1, 1, NEEDS_PERSON) and not os.path.exists(again):
        return True
    print(f"files: {ending}: verify {verified}, backup {copied}, serve {started}")
    return False


def one_backup(shop):
    make_ledger(shop, 50)
    return all(one_of_four(shop, os.path.join(shop.folder, f"one-{time}")) for time in range(8))


def one_of_four(shop, target):
    outcomes = []

    def back_up():
        outcomes.append(shop.run("ledger", "backup", target, "--ledger", shop.ledger))

    threads = [threading.Thread(target=back_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = sorted(outcome.returncode for outcome in outcomes)
    said = all("ledger.target-exists" in outcome.stderr for outcome in outcomes
               if outcome.returncode != 0)
    left = [name for name in os.listdir(shop.folder) if ".incomplete" in name]
    sound = shop.run("ledger", "verify", "--ledger", target).returncode == 0
    if codes == [0, 2, 2, 2] and said and not left and sound:
        return True
    print(f"files: exit codes {codes}, said: {said}, left: {left}, sound: {sound}")
    return False


def survives_touch(shop):
    make_ledger(shop)
    process = shop.start()
    purchases = shop.purchases(4, 2, start=9_000_010)
    statuses = []
    for number, purchase in enumerate(purchases):
        os.utime(shop.ledger + ("" if number % 2 else "-wal"))
        statuses += shop.buy([purchase], 1).values()
    stop(process)
    return statuses == [200] * 4
