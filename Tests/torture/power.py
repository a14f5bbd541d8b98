"""Power loss: the writes, names and syncs of the real program, replayed into what a disk may hold.

One life of a ledger is traced: it is made from nothing, takes purchases, is stopped; is started
again, backed up and killed; the backup is restored and taken into use; a ledger of an older format
is upgraded. In each state that a power loss may leave (disks.py), every ledger and backup must hold
what was promised of it by then. In a sample of the states Usher itself opens the ledger, is asked,
and verifies it.

Two controls leave syncs out: those of commits, as with synchronous=NORMAL, and those of folders.
Both must lose something promised, or the test could not see a loss at all.
"""

import os
import random
import shutil
import sqlite3
import tempfile

import traces
from disks import NAMES, Disk
from shop import stop
from traces import Event

MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
FORMATS = "fixtures/ledgers"


class Life:
    """The traced life of a ledger: the files at its beginning, and what happened to them."""

    def __init__(self, shop, purchases, clients):
        self.shop, self.clients, self.events, self.runs = shop, clients, [], 0
        self.rest = iter(shop.purchases(purchases, clients))
        self.home, self.backups = shop.ledger, os.path.join(shop.folder, "backups")
        self.restored = os.path.join(shop.folder, "restored", "ledger")
        self.old = os.path.join(shop.folder, "old", "ledger")
        for path in (self.backups, os.path.dirname(self.restored), os.path.dirname(self.old)):
            os.makedirs(path)
        shop.options = ["--set", f"backups={self.backups}"]
        self.upgraded = make_old_ledger(shop.repository, self.old)
        self.files = {path: contents(path) for path in (self.old,)}

    def live(self, purchases):
        """A quarter of the purchases goes into each part."""
        part = purchases // 4
        self.serve(self.home, lambda: self.buy(part), kill=False)
        self.serve(self.home, lambda: self.back_up_between(part), kill=True)
        self.restore()
        self.serve(self.restored, lambda: self.buy(part), kill=True)
        self.serve(self.old, lambda: None, kill=False)

    def serve(self, ledger, work, kill):
        self.shop.ledger = ledger
        self.extend(traces.traced_service(self.shop, self.trace(), work, kill))

    def buy(self, count):
        bodies = [body for _, body in zip(range(count), self.rest)]
        answers = self.shop.buy(bodies, self.clients)
        bad = [status for status in answers.values() if status != 200]
        if bad or len(answers) != count:
            raise RuntimeError(f"{len(answers)} answers, {len(bad)} of them refusals")

    def back_up_between(self, count):
        self.buy(count)
        status, answer = self.shop.ask("POST", "/v1/backup", b'{"reason":"torture"}')
        if status != 200:
            raise RuntimeError(f"no backup: {status} {answer[:200]}")
        self.buy(count)

    def restore(self):
        """Restores the one backup there is, and promises that both have what it holds."""
        backup, = (os.path.join(self.backups, name) for name in os.listdir(self.backups)
                   if name.endswith(".ledger-backup"))
        trace = self.trace()
        done = self.shop.run("ledger", "restore", backup, "--ledger", self.restored,
                             wrapper=traces.wrapper(trace))
        if done.returncode != 0:
            raise RuntimeError(f"the backup is not restored: {done.stderr[-200:]}")
        # Promised once the call and the command had ended.
        held = transactions(contents_of_all(self.shop.folder), backup) or set()
        self.events.append(Event("acknowledged", ids=held, ledger=backup))
        self.extend(traces.read(trace, self.shop.folder, self.restored))
        self.events.append(Event("acknowledged", ids=held, ledger=self.restored))

    def trace(self):
        self.runs += 1
        return os.path.join(self.shop.folder, f"{self.runs}.trace")

    def extend(self, events):
        """Numbers what ended over all runs; a sync covers what ended before it in its own."""
        before = sum(event.kind != "acknowledged" for event in self.events)
        for event in events:
            event.covers += before
        self.events.extend(events)


def make_old_ledger(repository, path):
    """A ledger of the oldest format; returns how many entries it has."""
    with open(os.path.join(repository, FORMATS, "format-1.sql"), encoding="utf-8") as file:
        text = file.read()
    database = sqlite3.connect(path)
    database.executescript(text)
    database.commit()
    count, = database.execute("SELECT count(*) FROM entry").fetchone()
    database.close()
    return count


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def contents_of_all(folder):
    return {os.path.join(at, name): contents(os.path.join(at, name))
            for at, _, names in os.walk(folder) for name in names
            if not name.endswith((".trace", *traces.PASSING))
            and os.path.isfile(os.path.join(at, name))}


class Replay:
    """The states of one list of events, and what was lost in them."""

    def __init__(self, life, events):
        self.life, self.events = life, events
        self.states = self.lost = self.damaged = self.most = 0
        self.opened, self.troubles = 0, []

    def run(self, states, seed, sample=0, usher=None):
        """Builds that many states; Usher itself looks at a sample of them."""
        rng = random.Random(seed)
        points = sorted(rng.randrange(len(self.events)) for _ in range(states))
        looked = set(rng.sample(range(states), min(sample, states)))
        disk, promised, number, index = Disk(self.life.files), {}, 0, 0
        for state, point in enumerate(points):
            while index <= point:
                event = self.events[index]
                if event.kind == "acknowledged":
                    promised.setdefault(event.ledger, set()).update(event.ids)
                else:
                    number += 1
                    disk.take(event, number)
                index += 1
            files = disk.crash(rng)
            self.look(files, promised)
            if state in looked:
                self.opened += 1
                self.troubles += usher(files, promised)
        return self

    def look(self, files, promised):
        self.states += 1
        lost = 0
        for ledger in {*promised, *(path for path in files if is_ledger(path))}:
            found = transactions(files, ledger)
            if found is None:
                self.damaged += 1
                return
            lost += len(promised.get(ledger, set()) - found)
        lost += self.lost_by_upgrade(files)
        self.lost += lost > 0
        self.most = max(self.most, lost)

    def lost_by_upgrade(self, files):
        """How many entries neither the upgraded ledger nor the copy before it has."""
        with Opened(files, self.life.old) as database:
            count, = database.execute("SELECT count(*) FROM entry").fetchone()
            formats = {row[0] for row in database.execute("SELECT * FROM grdb_migrations")}
        missing = max(0, self.life.upgraded - count)
        # The copy comes first, and under its name it is whole.
        copies = [path for path in files if path.startswith(self.life.old + ".before-")
                  and not path.endswith((".incomplete", "-journal", "-wal"))]
        if formats != {"1"} and not copies:
            missing += self.life.upgraded
        return missing


class Opened:
    """A ledger and the files beside it, where SQLite can open them."""

    def __init__(self, files, ledger):
        self.folder = tempfile.TemporaryDirectory(dir=MEMORY)
        for suffix in ("", "-wal", "-journal"):
            if ledger + suffix in files:
                with open(os.path.join(self.folder.name, "ledger" + suffix), "wb") as file:
                    file.write(files[ledger + suffix])
        self.database = sqlite3.connect(os.path.join(self.folder.name, "ledger"))

    def __enter__(self):
        return self.database

    def __exit__(self, *error):
        self.database.close()
        self.folder.cleanup()


def is_ledger(path):
    return path.endswith(("/ledger", ".ledger-backup"))


def transactions(files, ledger):
    """The transactions in a ledger; none where there is no file; None if it is damaged."""
    if ledger not in files:
        return set()
    with Opened(files, ledger) as database:
        try:
            if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return None
            if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").fetchone():
                return set()
            return {row[0] for row in database.execute(
                "SELECT json_extract(CAST(payload AS TEXT),"
                " '$.transaction.snapshot.transactionId') FROM entry WHERE kind = 3")}
        except sqlite3.Error:
            return None


class Usher:
    """Opens a state as a person would after the power is back: serve, ask, stop, verify."""

    def __init__(self, shop, clients):
        self.shop, self.clients = shop, clients

    def __call__(self, files, promised):
        """What is wrong with the ledgers of a state, in words."""
        troubles = []
        for ledger in sorted(path for path in {*files, *promised} if path.endswith("/ledger")):
            with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
                for path, data in files.items():
                    if path.startswith(ledger) and "/" not in path[len(ledger):]:
                        with open(os.path.join(folder, os.path.basename(path)), "wb") as file:
                            file.write(data)
                self.shop.ledger = os.path.join(folder, "ledger")
                troubles += self.look(promised.get(ledger, set()))
        return troubles

    def look(self, promised):
        process = self.shop.start()
        if process is None:
            return [f"does not start with {len(promised)} promised"]
        delivered = [number for buyer in range(self.clients)
                     for number in self.shop.delivered(f"buyer-{buyer}")]
        code = stop(process)
        sound = self.shop.run("ledger", "verify", "--ledger", self.shop.ledger).returncode == 0
        troubles = []
        if promised - set(delivered) or len(delivered) != len(set(delivered)):
            troubles.append("does not answer what was promised, once")
        if code != 0 or not sound:
            troubles.append(f"stops with {code}, {'sound' if sound else 'unsound'}")
        return troubles


def without_commit_syncs(events):
    """The events with only those syncs of the log that a checkpoint makes, as with NORMAL."""
    changes = [event for event in events if event.kind != "acknowledged"]
    kept = set()
    for event, following in zip(changes, [*changes[1:], None]):
        if event.kind == "sync" and not (
                event.path.endswith("-wal")
                and not (following and is_checkpoint(following))):
            kept.add(id(event))
    return [event for event in events if event.kind != "sync" or id(event) in kept]


def is_checkpoint(event):
    return event.kind == "write" and not event.path.endswith(("-wal", "-shm", ".head"))


def without_folder_syncs(events, folders):
    """The events without the syncs that keep names."""
    return [event for event in events if event.kind != "sync" or event.path not in folders]


def run(shop, states, purchases, clients, seed, sample):
    """Returns whether the promise held and the controls failed, and prints the counts."""
    life = Life(shop, purchases, clients)
    life.live(purchases)
    events = life.events
    count = {kind: sum(event.kind == kind for event in events)
             for kind in ("write", "sync", *NAMES)}
    folders = {os.path.dirname(event.path) for event in events if event.path}
    acknowledged = len({one for event in events if event.kind == "acknowledged"
                        for one in event.ids})
    print(f"power: {acknowledged} acknowledged over creation, stop, backup, kill, restore and"
          f" upgrade; {count['write']} writes, {count['sync']} syncs,"
          f" {sum(count[kind] for kind in NAMES)} changes of names")
    for path in os.listdir(shop.folder):
        if path.endswith(".trace"):
            os.unlink(os.path.join(shop.folder, path))
    shop.options = []
    whole = Replay(life, events).run(states, seed, sample, Usher(shop, clients))
    print(f"power: {states} states: {whole.lost} lost something promised, {whole.damaged} damaged;"
          f" Usher opened, answered and verified {whole.opened} of them, {len(whole.troubles)}"
          f" troubles {sorted(set(whole.troubles)) or ''}".rstrip())
    good = acknowledged > 0 and whole.lost == whole.damaged == len(whole.troubles) == 0
    fewer = max(states // 4, 1)
    for name, control in (("commits", without_commit_syncs(events)),
                          ("folders", without_folder_syncs(events, folders))):
        lost = Replay(life, control).run(fewer, seed)
        print(f"power: control without the syncs of {name}: {lost.lost} of {fewer} states lost up"
              f" to {lost.most} promised, {lost.damaged} damaged")
        good = good and lost.lost > 0
    return good
