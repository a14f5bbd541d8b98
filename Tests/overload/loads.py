"""What is asked, and the clients that ask it (load.c)."""

import json
import os
import sqlite3
import struct
import subprocess
import threading
import time

import shapes

# Seconds until what disturbs has begun.
WARM = 2


class Requests:
    """Files of requests, as load.c reads them."""

    def __init__(self, shop):
        self.shop, self.ids = shop, []

    def questions(self, accounts):
        self.write("questions", (
            get(f"/v1/accounts/buyer-{number}/entitlements/premium") for number in range(accounts)))

    def cold(self, count):
        """About accounts that nobody has asked about, in an order that no cache likes."""
        self.write("cold", (
            get(f"/v1/accounts/nobody-{number * 7919 % count}/entitlements")
            for number in range(count)))

    def evidence(self, count, accounts):
        purchases = self.shop.purchases(count, accounts, 7_000_000)
        self.ids = [number for number, _ in purchases]
        bodies = [post(body) for _, body in purchases]
        self.write("genuine", [
            post(body) for _, body in self.shop.purchases(count // 4, accounts, 8_000_000)])
        # The later half is new to the service for as long as there is a reader.
        self.write("evidence", bodies[: count // 2])
        self.write("late", bodies[count // 2:])

    def hostile(self):
        """What is dear to read before any signature, and lists of a thousand pieces of junk."""
        self.write("hostile", map(post, shapes.bodies()))
        junk = b"[" + b",".join([b'{"payload":"a.b.c"}'] * 1000) + b"]"
        self.write("junk", [post(junk)] + [post(b'{"payload":"a.b.%d"}' % n) for n in range(99)])

    def write(self, name, requests):
        with open(os.path.join(self.shop.folder, name), "wb") as file:
            for request in requests:
                file.write(struct.pack("=I", len(request)) + request)


def post(body):
    return (b"POST /v1/evidence HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body)


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


class Loads:
    """Starts clients on a processor of their own, where there are two."""

    def __init__(self, program, shop, unpinned):
        self.program, self.shop = program, shop
        self.first = [] if unpinned else ["taskset", "-c", "1"]
        # The clients that measure come before those that only disturb.
        real_time = subprocess.run(["chrt", "-f", "1", "true"], capture_output=True, check=False)
        self.hasty = ["chrt", "-f", "1"] if real_time.returncode == 0 else []
        self.acknowledged, self.number, self.log = set(), 0, None

    def command(self, socket, connections, depth, rate, seconds, file, warm=0):
        self.number += 1
        answers = os.path.join(self.shop.folder, f"answers-{self.number}")
        path = os.path.join(self.shop.sockets, socket + ".sock")
        return answers, [self.program, "ask", path, str(connections), str(depth), str(rate),
                         str(warm), str(seconds), os.path.join(self.shop.folder, file),
                         answers]

    def run(self, *arguments):
        """The figures of a load alone."""
        return self.end(self.begin(*arguments))

    def begin(self, socket, connections, depth, rate, seconds, file):
        answers, command = self.command(socket, connections, depth, rate, seconds, file)
        return (subprocess.Popen([*self.first, *command], stdout=subprocess.PIPE, text=True),
                file, answers)

    def begin_probe(self, connections, rate, seconds):
        """The usual load, measured once the others have had the time to come."""
        answers, command = self.command(
            "query", connections, 1, rate, seconds, "questions", WARM)
        probe = subprocess.Popen([*self.first, *self.hasty, *command], stdout=subprocess.PIPE,
                                 text=True)
        time.sleep(WARM / 4)
        return probe, "questions", answers

    def begin_hold(self, socket, connections, period, seconds):
        path = os.path.join(self.shop.sockets, socket + ".sock")
        command = [self.program, "hold", path, str(connections), str(period), str(seconds)]
        client = subprocess.Popen([*self.first, *command], stdout=subprocess.PIPE, text=True)
        if client.stdout.readline() != "here\n":
            raise RuntimeError("not all connections are taken")
        return client, None, None

    def begin_reader(self):
        """One that looks at the ledger as it is now for as long as the phase takes."""
        return Reader(self.shop), None, None

    def end(self, other):
        client, file, answers = other
        if isinstance(client, Reader):
            self.log = client
            return client.end()
        output, _ = client.communicate(timeout=60)
        if file:
            self.note(file, answers)
        return json.loads(output) if output else {}

    def note(self, file, answers):
        with open(answers, "rb") as told:
            if file in ("evidence", "late"):
                self.acknowledged.update(
                    (file, number) for number, byte in enumerate(told.read()) if byte)
        os.unlink(answers)

    def log_after_reader(self):
        """Mebibytes of the log while there was a reader, and after a write behind it."""
        if not self.log:
            return None
        for turn in range(3):
            self.shop.buy(self.shop.purchases(64, 1, 9_000_000 + 64 * turn), 16)
        return self.log.bytes / 2**20, log_bytes(self.shop) / 2**20


class Reader:
    """Holds a view of the ledger: what is in the log since then cannot be copied back."""

    def __init__(self, shop):
        self.shop, self.bytes = shop, 0
        self.database = sqlite3.connect(shop.ledger, isolation_level=None,
                                        check_same_thread=False)
        self.database.execute("BEGIN")
        self.database.execute("SELECT count(*) FROM entry").fetchone()
        self.goes_on = True
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def watch(self):
        while self.goes_on:
            self.bytes = max(self.bytes, log_bytes(self.shop))
            time.sleep(0.2)

    def end(self):
        self.goes_on = False
        self.thread.join()
        self.database.execute("ROLLBACK")
        self.database.close()
        return {}


def log_bytes(shop):
    """As the status page tells it."""
    return json.loads(shop.get("/status", "usher.sock")[1])["ledger"]["log_bytes"]
