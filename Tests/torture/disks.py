"""What a disk may hold after a power loss.

Of the contents of a file a disk keeps every write before the file's last sync. Of the writes after
it, each may be there, be missing, or be there in part, sector by sector, in any order. Names are
contents of their folder: a file that was created, renamed or removed is so for certain only once
the folder was synced, and before that each such change may be there or not. What was written to a
file whose name is lost is lost with it.
"""

import os

SECTOR = 512
NAMES = ("created", "removed", "renamed", "linked")


class Disk:
    """What is surely on the disk, and what may be. Files are numbered; names lead to numbers."""

    def __init__(self, files):
        self.contents = {number: bytearray(data)
                         for number, data in enumerate(files.values())}
        self.names = dict(zip(files, self.contents))
        # As the program sees it.
        self.live = dict(self.names)
        self.lengths = {number: len(data) for number, data in self.contents.items()}
        # Changes whose sync has not come yet, with the place of each among all changes.
        self.pending = []
        self.next = len(files)

    def take(self, event, place):
        """One more thing that the program did."""
        if event.kind == "sync":
            self.sync(event)
            return
        number = self.live.get(event.path)
        if event.kind in ("created", "emptied") and number is None:
            number, self.next = self.next, self.next + 1
            self.live[event.path] = number
            self.lengths[number] = 0
            self.contents[number] = bytearray()
            self.pending.append((place, "created", number, event))
            return
        if number is None or event.kind == "created":
            return
        if event.kind in NAMES:
            self.rename(event, number)
        elif event.kind == "write" and event.offset is None:
            event.offset = self.lengths[number]
        self.grow(event, number)
        self.pending.append((place, event.kind, number, event))

    def rename(self, event, number):
        if event.kind != "linked":
            del self.live[event.path]
        if event.kind != "removed":
            self.live[event.to] = number

    def grow(self, event, number):
        if event.kind == "write":
            self.lengths[number] = max(self.lengths[number], event.offset + len(event.data))
        elif event.kind == "truncate":
            self.lengths[number] = event.offset
        elif event.kind == "emptied":
            self.lengths[number] = 0

    def sync(self, event):
        """A sync of a folder keeps the names in it, a sync of a file its contents."""
        synced, stays = self.live.get(event.path), []
        for change in self.pending:
            place, kind, number, what = change
            if kind in NAMES:
                same = event.path in {os.path.dirname(what.path), os.path.dirname(what.to or "")}
            else:
                same = number == synced
            if same and place <= event.covers:
                apply(self.names, self.contents, change, lambda: True)
            else:
                stays.append(change)
        self.pending = stays

    def crash(self, rng):
        """One of the states that a power loss may leave: the files with their contents."""
        names = dict(self.names)
        contents = {number: bytearray(data) for number, data in self.contents.items()}
        way = rng.randrange(4)
        for change in self.pending:
            is_name = change[1] in NAMES
            if way == 0 or (way >= 2 and (is_name or way == 2) and rng.random() < 0.5):
                continue
            torn = way == 3 and not is_name
            apply(names, contents, change, (lambda: rng.random() < 0.5) if torn else (lambda: True))
        return {path: bytes(contents[number]) for path, number in names.items()}


def apply(names, contents, change, keeps):
    """Does to names and contents what the change did, for the sectors that are kept."""
    _, kind, number, event = change
    if kind in NAMES:
        if kind in ("removed", "renamed") and names.get(event.path) == number:
            del names[event.path]
        if kind == "created":
            names[event.path] = number
        elif kind in ("renamed", "linked"):
            names[event.to] = number
        return
    data = contents[number]
    if kind in ("truncate", "emptied"):
        if keeps():
            length = event.offset if kind == "truncate" else 0
            del data[length:]
            data.extend(bytes(length - len(data)))
        return
    for start in range(0, len(event.data), SECTOR):
        if not keeps():
            continue
        piece = event.data[start:start + SECTOR]
        place = event.offset + start
        if len(data) < place + len(piece):
            data.extend(bytes(place + len(piece) - len(data)))
        data[place:place + len(piece)] = piece
