"""Power loss: the writes and syncs of the real program, replayed into what a disk may hold.

A disk keeps every write before the last sync of its file. Of the writes after it, each may be
there, be missing, or be there in part, sector by sector, in any order. In each state the ledger
is opened and must hold every purchase that was acknowledged by then.

The control leaves out the syncs that SQLite would leave out with synchronous=NORMAL: it must lose
acknowledged purchases, or the test could not see a loss at all.
"""

import os
import random
import re
import shutil
import sqlite3
import tempfile

from shop import kill_traced, stop

SECTOR = 512
CALLS = "openat,pwrite64,write,writev,sendto,sendmsg,fdatasync,fsync,ftruncate,unlink"
LINE = re.compile(r"^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$", re.S)
ACKNOWLEDGED = re.compile(rb"HTTP/1\.1 200.*?\"transaction\":\"(\d+)\"", re.S)


class Event:
    """One thing that the program did to a file, or said to a client."""

    def __init__(self, kind, path=None, offset=0, data=b"", ids=()):
        self.kind, self.path, self.offset, self.data, self.ids = kind, path, offset, data, ids
        self.covers = 0


def record(shop, count, clients):
    """Runs the service under strace while clients buy; returns the trace's events."""
    trace = os.path.join(shop.folder, "trace")
    wrapper = ["strace", "-f", "-yy", "-xx", "-s", "1048576", "-e", "trace=" + CALLS,
               "-e", "signal=none", "-o", trace]
    process = shop.start(wrapper)
    if process is None:
        raise RuntimeError("the service does not start under strace")
    answers = shop.buy(shop.purchases(count, clients), clients)
    bad = [status for status in answers.values() if status != 200]
    if bad or len(answers) != count:
        raise RuntimeError(f"{len(answers)} answers, {len(bad)} of them refusals")
    # Killed, so that nothing of a clean end is in the trace.
    kill_traced(process)
    with open(trace, encoding="ascii", errors="replace") as file:
        return list(events(file, os.path.dirname(shop.ledger)))


def events(lines, folder):
    """What the traced calls did in the folder, in the order in which they ended.

    A sync covers what had ended when it began. What is said to a client counts from the moment
    at which the call began."""
    begun, ended = {}, 0
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        thread, resumed, name, rest = match.groups()
        if resumed:
            name, start, covered = begun.pop(thread, (resumed, "", ended))
            rest = start + rest
        elif rest.rstrip().endswith("<unfinished ...>"):
            start = rest.rstrip()[: -len("<unfinished ...>")]
            begun[thread] = (name, start, ended)
            if name in ("write", "writev", "sendto", "sendmsg"):
                yield from said(start)
            continue
        else:
            covered = ended
            if name in ("write", "writev", "sendto", "sendmsg"):
                yield from said(rest)
        event = change(name, rest, folder)
        if event:
            event.covers = covered
            ended += 1
            yield event


def said(arguments):
    """The acknowledgements in what is written to a client."""
    if "UNIX" not in arguments.split(",", 1)[0]:
        return
    data = b"".join(unhex(text) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments))
    ids = [found.decode() for found in ACKNOWLEDGED.findall(data)]
    if ids:
        yield Event("acknowledged", ids=ids)


def change(name, arguments, folder):
    """What a call that ended did to a file of the folder; None if nothing."""
    result = arguments.rsplit("= ", 1)[-1].split("<")[0].split()
    path = written_path(re.match(r"-?\d+<((?:\\x[0-9a-f]{2})+)>", arguments))
    if name == "openat" and "O_CREAT" in arguments:
        opened = written_path(re.search(r"= \d+<((?:\\x[0-9a-f]{2})+)>", arguments))
        return Event("created", opened) if opened.startswith(folder + "/") else None
    if not path.startswith(folder) or not result or result[0] == "-1":
        return None
    if name == "pwrite64":
        data = unhex(re.search(r'"((?:\\x[0-9a-f]{2})*)"', arguments).group(1))
        offset = int(re.search(r", (\d+) *\) +=", arguments).group(1))
        return Event("write", path, offset, data[: int(result[0])])
    if name == "ftruncate":
        return Event("truncate", path, int(re.search(r", (\d+) *\)", arguments).group(1)))
    if name in ("fdatasync", "fsync"):
        return Event("sync", path)
    return None


def written_path(match):
    return unhex(match.group(1)).decode() if match else ""


def unhex(text):
    return bytes.fromhex(text.replace("\\x", ""))


class Disk:
    """What is surely on the disk, and what may be."""

    def __init__(self, files):
        self.sure = {path: bytearray(data) for path, data in files.items()}
        self.pending = []

    def take(self, event, number):
        if event.kind in ("write", "truncate", "created"):
            self.pending.append((number, event))
            return
        stays = []
        for place, change_ in self.pending:
            # The sync of a folder keeps the names in it, the sync of a file its contents.
            same = (os.path.dirname(change_.path) if change_.kind == "created"
                    else change_.path) == event.path
            if same and place <= event.covers:
                apply(self.sure, change_, lambda: True)
            else:
                stays.append((place, change_))
        self.pending = stays

    def crash(self, rng):
        """One of the states that a power loss may leave."""
        files = {path: bytearray(data) for path, data in self.sure.items()}
        way = rng.randrange(4)
        for _, event in self.pending:
            if event.kind == "created":
                # Without its name a file is not found, whatever was written to it.
                if event.path not in files and rng.random() < 0.5:
                    files[event.path] = bytearray()
                continue
            if event.path not in files:
                continue
            if way == 0 or (way == 2 and rng.random() < 0.5):
                continue
            apply(files, event, (lambda: rng.random() < 0.5) if way == 3 else (lambda: True))
        return files


def apply(files, event, keeps):
    """Does to the files what the event did, for the sectors that are kept."""
    if event.kind == "created":
        files.setdefault(event.path, bytearray())
        return
    data = files.setdefault(event.path, bytearray())
    if event.kind == "truncate":
        if keeps():
            del data[event.offset:]
            data.extend(bytes(event.offset - len(data)))
        return
    for start in range(0, len(event.data), SECTOR):
        if not keeps():
            continue
        piece = event.data[start:start + SECTOR]
        place = event.offset + start
        if len(data) < place + len(piece):
            data.extend(bytes(place + len(piece) - len(data)))
        data[place:place + len(piece)] = piece


def without_commit_syncs(events_):
    """The events with only those syncs of the log that a checkpoint makes, as with NORMAL."""
    changes = [event for event in events_ if event.kind != "acknowledged"]
    kept = set()
    for event, following in zip(changes, changes[1:]):
        if event.kind == "sync" and not (
                event.path.endswith("-wal") and not is_checkpoint(following)):
            kept.add(id(event))
    return [event for event in events_ if event.kind != "sync" or id(event) in kept]


def is_checkpoint(event):
    return event.kind == "write" and not event.path.endswith(("-wal", "-shm"))


def replay(files, events_, states, seed):
    """Builds that many states; returns how many lost something acknowledged, how many are
    damaged, and the most that one lost."""
    rng = random.Random(seed)
    points = sorted(rng.randrange(len(events_)) for _ in range(states))
    disk, acknowledged, number = Disk(files), set(), 0
    lost_states = damaged = most = 0
    index = 0
    for point in points:
        while index <= point:
            event = events_[index]
            if event.kind == "acknowledged":
                acknowledged.update(event.ids)
            else:
                number += 1
                disk.take(event, number)
            index += 1
        found = ids_in(disk.crash(rng))
        if found is None:
            damaged += 1
            continue
        lost = len(acknowledged - found)
        lost_states += lost > 0
        most = max(most, lost)
    return lost_states, damaged, most


def ids_in(files):
    """The transactions in the ledger that these files make; None if it is damaged."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as to:
        ledger = None
        for path, data in files.items():
            name = os.path.basename(path)
            if name.endswith(("-shm", ".lock", ".head")):
                continue
            with open(os.path.join(to, name), "wb") as file:
                file.write(data)
            if not name.endswith("-wal"):
                ledger = os.path.join(to, name)
        try:
            database = sqlite3.connect(ledger)
            if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return None
            rows = database.execute(
                "SELECT json_extract(CAST(payload AS TEXT), '$.transaction.snapshot.transactionId')"
                " FROM entry WHERE kind = 3")
            return {row[0] for row in rows}
        except sqlite3.Error:
            return None
        finally:
            database.close()


def run(shop, states, purchases, clients, seed):
    """Returns whether the promise held and the control failed, and prints the counts."""
    process = shop.start()
    stop(process)
    folder = os.path.dirname(shop.ledger)
    files = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            files[os.path.join(folder, name)] = file.read()
    shutil.copytree(folder, folder + ".before")
    trace = record(shop, purchases, clients)
    writes = sum(event.kind == "write" for event in trace)
    syncs = sum(event.kind == "sync" for event in trace)
    checkpoints = sum(is_checkpoint(event) for event in trace)
    acknowledged = sum(len(event.ids) for event in trace if event.kind == "acknowledged")
    print(f"power: {acknowledged} acknowledged, {writes} writes ({checkpoints} by checkpoints),"
          f" {syncs} syncs")
    lost, damaged, most = replay(files, trace, states, seed)
    print(f"power: {states} states: {lost} lost something acknowledged, {damaged} damaged")
    control = replay(files, without_commit_syncs(trace), max(states // 4, 1), seed)
    print(f"power: control without the syncs of commits: {control[0]} of {max(states // 4, 1)}"
          f" states lost up to {control[2]} acknowledged, {control[1]} damaged")
    return acknowledged == purchases and lost == 0 and damaged == 0 and control[0] > 0
