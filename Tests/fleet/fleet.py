"""A fleet on one machine: databases, wires and nodes."""

import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from database import Server, Wire  # noqa: E402
from shop import Shop  # noqa: E402


class Node:
    """One node: a service with a ledger file of its own and a wire to the database."""

    def __init__(self, name, usher, repository, folder, server, durability, is_wired):
        self.name = name
        self.shop = Shop(usher, repository, os.path.join(folder, name))
        self.wire = Wire(server)
        address = os.path.join(self.shop.folder, "database")
        with open(address, "w", encoding="utf-8") as file:
            port = self.wire.port if is_wired else server.port
            file.write(f"host=127.0.0.1 port={port} dbname=usher user=usher\n")
        os.chmod(address, 0o600)
        self.shop.options = ["--set", f"fleet.database-file={address}", "--set",
                             f"fleet.node={name}", "--set", f"fleet.durability={durability}"]
        self.process = None
        self.is_stopped = False

    def launch(self):
        with open(os.path.join(self.shop.folder, "log"), "ab") as output:
            self.process = self.shop.launch(output=output, level="notice")

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def status(self):
        """Its part in the fleet; None where it does not answer."""
        try:
            status, body = self.shop.get("/status", name="usher.sock", timeout=2)
        except OSError:
            return None
        return json.loads(body)["ledger"]["fleet"] if status == 200 else None

    def log(self):
        with open(os.path.join(self.shop.folder, "log"), encoding="utf-8") as file:
            return file.read()


class Fleet:
    """A primary with standbys, and nodes."""

    def __init__(self, usher, repository, folder, nodes=3, standbys=0, is_wired=True):
        self.folder = folder
        names = [f"standby{number}" for number in range(1, standbys + 1)]
        self.primary = Server(os.path.join(folder, "primary")).make()
        if names:
            self.primary.set("synchronous_standby_names = 'ANY 1 (*)'")
        # A database cannot be made before there is a standby that has it.
        self.primary.set("synchronous_commit = local")
        self.primary.start()
        self.primary.sql("CREATE DATABASE usher", "postgres")
        self.standbys = [
            Server(os.path.join(folder, name)).copy(self.primary, name).start()
            for name in names]
        self.servers = [self.primary, *self.standbys]
        self.primary.sql("ALTER DATABASE usher SET synchronous_commit = on")
        durability = "replicated" if names else "disk"
        self.nodes = [
            Node(f"node{number}", usher, repository, folder, self.primary, durability, is_wired)
            for number in range(1, nodes + 1)]

    def start(self):
        """One after the other: the first one leads."""
        for node in self.nodes:
            node.launch()
            self.wait(lambda node=node: node.shop.is_ready("/readyz"), 30,
                      f"{node.name} does not start: {node.shop.folder}")
        return self

    def leader(self):
        for node in self.nodes:
            if not node.is_stopped and (node.status() or {}).get("leads"):
                return node
        return None

    def wait(self, condition, seconds, words):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.02)
        raise RuntimeError(words)

    def stop(self):
        for node in self.nodes:
            if node.is_running():
                node.process.kill()
                node.process.wait()
            node.wire.close()
        for server in self.servers:
            server.remove()
