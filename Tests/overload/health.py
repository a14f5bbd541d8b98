"""Whether the service says how it is, all the time, and how much memory it has meanwhile."""

import http.client
import socket
import threading
import time

from shop import LocalConnection

PATHS = [("query.sock", "/livez"), ("query.sock", "/readyz"), ("usher.sock", "/status"),
         ("usher.sock", "/livez")]


class PatientConnection(LocalConnection):
    """Waits for its turn where many want to connect, as a client that blocks does."""

    def connect(self):
        end = time.monotonic() + self.timeout
        while True:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(self.timeout)
            try:
                return self.sock.connect(self.path)
            except BlockingIOError:
                self.sock.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.002)


class Health:
    """Asks how the service is, twenty times a second, each time on a connection of its own."""

    def __init__(self, shop, process, patience):
        self.shop, self.process, self.patience, self.faults = shop, process, patience, []
        self.thread = None

    def begin(self):
        self.goes_on, self.slowest, self.memory = True, 0, 0
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()

    def end(self):
        """The slowest answer in milliseconds, and the most memory in mebibytes."""
        self.goes_on = False
        self.thread.join()
        return self.slowest * 1000, self.memory

    def watch(self):
        turn = 0
        while self.goes_on:
            name, path = PATHS[turn % len(PATHS)]
            turn += 1
            begun = time.monotonic()
            try:
                status = self.ask(name, path)
                if status != 200:
                    self.faults.append(f"{name} {path} answers {status}")
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(f"{name} {path}: {error}")
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.memory = max(self.memory, self.resident())
            time.sleep(0.05)

    def ask(self, name, path):
        connection = PatientConnection(f"{self.shop.sockets}/{name}", self.patience)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            return response.status
        finally:
            connection.close()

    def resident(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0
