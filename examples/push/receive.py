"""Receives the changes that Usher pushes, on a local socket: verifies the signature, takes each
change once, and keeps how far it has come. Standard library only.

    receive.py SOCKET SECRET_FILE STATE_FILE
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import socketserver
import sys
import threading
import time

TOLERANCE = 300  # Seconds: an older delivery is a replay.


def is_signed(secret: bytes, headers, body: bytes) -> bool:
    """As https://www.standardwebhooks.com has it."""
    name, second = headers["webhook-id"] or "", headers["webhook-timestamp"] or ""
    if not second.isdecimal() or abs(time.time() - int(second)) > TOLERANCE:
        return False
    signed = hmac.digest(secret, f"{name}.{second}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(signed)
    given = (headers["webhook-signature"] or "").encode().split(b" ")
    return any(hmac.compare_digest(expected, one) for one in given)


class State:
    """The change that was taken last. Changes come in the order of their numbers, each at least
    once: what is not newer came before, unless somebody has had it sent again."""

    def __init__(self, path: str):
        self.path = path
        # A connection that broke off may still be worked on when the same change comes again.
        self.lock = threading.Lock()
        try:
            with open(path, encoding="utf-8") as file:
                self.last = int(file.read() or 0)
        except FileNotFoundError:
            self.last = 0

    def take(self, change: dict) -> None:
        with self.lock:
            if change["number"] <= self.last:
                return
            # What the back end does with it belongs here, in one transaction with its number.
            subject = change.get("entitlement") or change.get("credit") or change.get("order")
            print(change["number"], change["kind"], change.get("account"), subject, flush=True)
            self.keep(change["number"])

    def keep(self, number: int) -> None:
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(str(number))
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)
        self.last = number


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers["content-length"] or 0)
        if length > 1 << 20:
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_signed(self.server.secret, self.headers, body):
            return self.answer(401)
        self.server.state.take(json.loads(body))
        self.answer(204)

    def answer(self, status: int):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def address_string(self):
        return "socket"

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A connection that broke off: the change comes again."""


def main():
    path, secret_file, state_file = sys.argv[1:]
    with open(secret_file, encoding="ascii") as file:
        secret = base64.b64decode(file.read().strip().removeprefix("whsec_"))
    if os.path.exists(path):
        os.unlink(path)
    with Server(path, Receiver) as server:
        os.chmod(path, 0o660)
        server.secret, server.state = secret, State(state_file)
        print("receiving", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
