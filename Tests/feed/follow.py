"""A follower of the change feed, as somebody would write one who has read docs/CHANGES.md only. What it
has taken is on a line of a file of its own, written before it asks for more: where its process is
killed, the next one goes on behind the last whole line."""

import json
import os
import socket


def place(path):
    """The cursor of the last change that was taken, and how many were."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None, 0
    end = data.rfind(b"\n") + 1
    if end < len(data):
        # Killed while it wrote: the rest of the line is told again.
        with open(path, "r+b") as file:
            file.truncate(end)
    lines = data[:end].splitlines()
    return (json.loads(lines[-1])["cursor"], len(lines)) if lines else (None, 0)


class Taken:
    """The file of one follower."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def add(self, change):
        os.write(self.file, json.dumps(change).encode() + b"\n")


def connect(path):
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.settimeout(30)
    link.connect(path)
    return link


def read_head(file):
    status = int(file.readline().split()[1])
    fields = {}
    while True:
        line = file.readline().strip()
        if not line:
            return status, fields
        name, value = line.split(b":", 1)
        fields[name.strip().lower().decode()] = value.strip().decode()


def read_chunks(file):
    """The bytes of a chunked body as they come."""
    while True:
        size = int(file.readline().split(b";")[0] or b"0", 16)
        if size == 0:
            return
        yield file.read(size)
        file.readline()


def poll(path, taken, after, filters=""):
    """Pages, each of which waits for a change."""
    link = connect(path)
    file = link.makefile("rb")
    while True:
        start = f"after={after}&" if after else ""
        link.sendall(f"GET /v1/changes?{start}wait=20s&limit=7{filters} HTTP/1.1\r\n"
                     "Host: localhost\r\n\r\n".encode())
        status, fields = read_head(file)
        page = json.loads(file.read(int(fields["content-length"])))
        if status != 200:
            raise OSError(page)
        for change in page["changes"]:
            taken.add(change)
        after = page["next"]


def stream(path, taken, after, filters=""):
    """Server-sent events, resumed by Last-Event-ID."""
    link = connect(path)
    file = link.makefile("rb")
    resume = f"Last-Event-ID: {after}\r\n" if after else ""
    link.sendall(f"GET /v1/changes?limit=7{filters} HTTP/1.1\r\nHost: localhost\r\n"
                 f"Accept: text/event-stream\r\n{resume}\r\n".encode())
    status, fields = read_head(file)
    if status != 200 or not fields["content-type"].startswith("text/event-stream"):
        raise OSError(f"{status} {fields}")
    rest = b""
    for chunk in read_chunks(file):
        rest += chunk
        *events, rest = rest.split(b"\n\n")
        for event in events:
            lines = dict(line.split(b": ", 1) for line in event.splitlines())
            if b"data" not in lines:
                continue
            change = json.loads(lines[b"data"])
            if lines[b"id"].decode() != change["cursor"]:
                raise OSError("the id of an event is not the cursor of its change")
            taken.add(change)


def follow(path, name, way):
    """Until it is killed; a service that is away comes back."""
    while True:
        after, _ = place(name)
        try:
            (stream if way == "stream" else poll)(path, Taken(name), after)
        except (OSError, ValueError, IndexError, KeyError):
            continue
