"""What a connection that was made for one question answers: the measure for all others."""

import os
import socket

# Stands for the caller's id in a request; each use of an answer puts another in its place.
PLACE = b"placeforanid"
BATCH = b'{"evaluations":['


class Wrong(Exception):
    """An answer that is not the one that was asked for."""


def connect(path):
    """A connection that gives up in the end: a service that hangs is a finding, too."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.settimeout(60)
    peer.connect(path)
    return peer


def read_to_end(peer):
    """All that still comes; a service that closes with our questions unread resets."""
    pieces = []
    try:
        while piece := peer.recv(1 << 16):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def send_all(peer, data):
    """Whether the service took all of it before it closed."""
    try:
        peer.sendall(data)
    except (BrokenPipeError, ConnectionResetError):
        pass


def head_and_length(received):
    """The bytes of the head and those of the body that it announces; None before its end."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    for line in received[:end].split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return end + 4, int(value)
    raise Wrong(f"an answer without a length: {received[:200]!r}")


def read_answer(peer, has_body, received=b""):
    """One answer, and what came behind it."""
    while True:
        found = head_and_length(received)
        if found is not None:
            whole = found[0] + (found[1] if has_body else 0)
            if len(received) >= whole:
                return received[:whole], received[whole:]
        piece = peer.recv(1 << 16)
        if not piece:
            raise Wrong(f"the connection ended within an answer: {received[-200:]!r}")
        received += piece


class Oracle:
    """Asks every question once, on a connection of its own."""

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        self.known = {}
        self.asked = 0

    def ask(self, request, ends=False, cut=False):
        """The answer to a question, which must be exactly one.

        After `ends` the service must close by itself. What is `cut` is no whole question: we
        say that there will be no more, and whatever it says to that is the answer."""
        key = (request, ends, cut)
        if (answer := self.known.get(key)) is None:
            answer = self.known[key] = self.ask_afresh(request, ends, cut)
        return answer

    def ask_afresh(self, request, ends=False, cut=False):
        self.asked += 1
        with connect(self.path) as peer:
            send_all(peer, request)
            if ends:
                return read_to_end(peer)
            if cut:
                peer.shutdown(socket.SHUT_WR)
                return read_to_end(peer)
            answer, more = read_answer(peer, not request.startswith(b"HEAD "))
            peer.shutdown(socket.SHUT_WR)
            more += read_to_end(peer)
            if more:
                raise Wrong(f"{len(more)} bytes behind the only answer: {more[:200]!r}")
            return answer

    def batch(self, single_requests, single):
        """The answer to a batch, put together from the answers to batches of one.

        `single` makes the request of such a batch; the head is that of the first with the
        length of the whole."""
        parts = []
        for item in single_requests:
            if (part := self.known.get(item)) is None:
                part = self.known[item] = self.part_of(self.ask(single(item)))
            parts.append(part)
        body = BATCH + b",".join(parts) + b"]}"
        head = self.ask(single(single_requests[0]))
        return with_body(head, body)

    @staticmethod
    def part_of(answer):
        body = answer[answer.index(b"\r\n\r\n") + 4:]
        if not (body.startswith(BATCH) and body.endswith(b"]}")):
            raise Wrong(f"not an answer to a batch: {answer[:300]!r}")
        return body[len(BATCH):-2]


def with_body(answer, body):
    """The head of an answer, with another body."""
    head = answer[:answer.index(b"\r\n\r\n")]
    lines = [b"Content-Length: %d" % len(body) if line.startswith(b"Content-Length: ") else line
             for line in head.split(b"\r\n")]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
