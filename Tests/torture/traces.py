"""What the real program did to its files and said to its clients, as strace saw it.

A trace becomes a list of events in the order in which the calls ended. A sync covers what had
ended when it began. An acknowledgement counts from the moment at which the call began that sent
it.
"""

import os
import re

from shop import kill_traced

CALLS = ("openat,pwrite64,write,writev,sendto,sendmsg,fdatasync,fsync,ftruncate,unlink,unlinkat,"
         "rename,renameat,renameat2,link,linkat")
SENDS = ("write", "writev", "sendto", "sendmsg")
LINE = re.compile(r"^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$", re.S)
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
OF_DESCRIPTOR = re.compile(r"-?\d+<((?:\\x[0-9a-f]{2})+)>")
OPENED = re.compile(r"= \d+<((?:\\x[0-9a-f]{2})+)>")
ACKNOWLEDGED = re.compile(rb"HTTP/1\.1 200.*?\"transaction\":\"(\d+)\"", re.S)
# What no state of a disk needs: shared memory and locks.
PASSING = ("-shm", ".lock")


class Event:
    """One change of a file or a name, one sync, or one promise that was made to somebody."""

    def __init__(self, kind, path=None, offset=0, data=b"", to=None, ids=(), ledger=None):
        self.kind, self.path, self.offset, self.data = kind, path, offset, data
        self.to, self.ids, self.ledger = to, ids, ledger
        self.covers = 0


def wrapper(file):
    """The command that runs another one and writes what it does into the file."""
    return ["strace", "-f", "-yy", "-xx", "-s", "1048576", "-e", "trace=" + CALLS,
            "-e", "signal=none", "-o", file]


def traced_service(shop, file, work, kill):
    """Runs the service while `work` is done; returns the events. Killed, it ends uncleanly."""
    process = shop.start(wrapper(file))
    if process is None:
        raise RuntimeError("the service does not start under strace")
    work()
    if kill:
        kill_traced(process)
    else:
        stop_traced(process)
    return read(file, shop.folder, shop.ledger)


def stop_traced(tracer):
    """Asks the service under strace to end, and waits for both."""
    import signal
    with open(f"/proc/{tracer.pid}/task/{tracer.pid}/children", encoding="ascii") as file:
        for child in file.read().split():
            os.kill(int(child), signal.SIGTERM)
    if tracer.wait(timeout=120) != 0:
        raise RuntimeError(f"the service ended with {tracer.returncode}")


def read(file, folder, ledger):
    with open(file, encoding="ascii", errors="replace") as lines:
        return list(events(lines, folder, ledger))


def events(lines, folder, ledger):
    """The events in the folder; acknowledgements are promises of what the ledger holds."""
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
            if name in SENDS:
                yield from said(start, ledger)
            continue
        else:
            covered = ended
            if name in SENDS:
                yield from said(rest, ledger)
        event = change(name, rest, folder)
        if event:
            event.covers = covered
            ended += 1
            yield event


def said(arguments, ledger):
    """The acknowledgements in what is sent to a client."""
    if "UNIX" not in arguments.split(",", 1)[0]:
        return
    data = b"".join(unhex(text) for text in TEXT.findall(arguments))
    ids = [found.decode() for found in ACKNOWLEDGED.findall(data)]
    if ids:
        yield Event("acknowledged", ids=ids, ledger=ledger)


def change(name, arguments, folder):
    """What a call that ended did to a file or a name in the folder; None if nothing."""
    result = arguments.rsplit("= ", 1)[-1].split("<")[0].split()
    if not result or result[0].startswith("-") or result[0] == "?":
        return None
    if name == "openat":
        return opened(arguments, folder)
    if name.startswith(("unlink", "rename", "link")):
        return renamed(name, [unhex(text).decode() for text in TEXT.findall(arguments)], folder)
    path = decoded(OF_DESCRIPTOR.match(arguments))
    if not is_kept(path, folder):
        return None
    if name in ("pwrite64", "write"):
        data = unhex(TEXT.search(arguments).group(1))[: int(result[0])]
        place = re.search(r", (\d+) *\) +=", arguments)
        # A plain write goes to where the last one ended.
        offset = int(place.group(1)) if name == "pwrite64" else None
        return Event("write", path, offset, data)
    if name == "ftruncate":
        return Event("truncate", path, int(re.search(r", (\d+) *\)", arguments).group(1)))
    if name in ("fdatasync", "fsync"):
        return Event("sync", path)
    return None


def opened(arguments, folder):
    path = decoded(OPENED.search(arguments))
    if not is_kept(path, folder):
        return None
    if "O_TRUNC" in arguments:
        return Event("emptied", path)
    return Event("created", path) if "O_CREAT" in arguments else None


def renamed(name, paths, folder):
    if not all(is_kept(path, folder) for path in paths):
        return None
    if name.startswith("unlink"):
        return Event("removed", paths[0])
    return Event("linked" if name.startswith("link") else "renamed", paths[0], to=paths[1])


def is_kept(path, folder):
    return (path.startswith(folder + "/") and not path.endswith(PASSING)
            and "(deleted)" not in path)


def decoded(match):
    return unhex(match.group(1)).decode() if match else ""


def unhex(text):
    return bytes.fromhex(text.replace("\\x", ""))
