"""A fleet on one machine: databases, nodes, and what lies between them."""

import json
import os
import sys
import time

for part in ("torture", "races"):
    sys.path.append(os.path.join(os.path.dirname(__file__), "..", part))

from database import Server  # noqa: E402
from orders import Orders  # noqa: E402
from shop import Shop  # noqa: E402
from volumes import Volume  # noqa: E402
from wires import Wire  # noqa: E402


class Node:
    """One node: a service with a ledger file of its own. On a network it knows all databases, as
    docs/FLEET.md says it; without one it has a wire to the primary."""

    def __init__(self, name, fleet, durability):
        self.name, self.network = name, fleet.network
        self.shop = Shop(fleet.usher, fleet.repository, os.path.join(fleet.folder, name))
        self.wire = self.volume = self.clock = None
        if self.network:
            self.network.join(name)
            hosts = ",".join(server.address for server in fleet.servers)
            said = f"host={hosts} target_session_attrs=read-write"
        else:
            self.wire = Wire(fleet.primary, fleet.replacing) if fleet.is_wired else None
            said = f"host=127.0.0.1 port={(self.wire or fleet.primary).port}"
        address = os.path.join(self.shop.folder, "database")
        with open(address, "w", encoding="utf-8") as file:
            file.write(f"{said} dbname=usher user=usher\n")
        os.chmod(address, 0o600)
        self.shop.options = ["--set", f"fleet.database-file={address}", "--set",
                             f"fleet.node={name}", "--set", f"fleet.durability={durability}"]
        self.process = None
        self.is_stopped = False

    def wear(self):
        """A clock that can be wrong."""
        self.clock = Orders(self.shop.folder, self.shop.ledger)
        self.shop.environment = self.clock.environment

    def launch(self):
        inside = self.network.inside(self.name) if self.network else ()
        with open(os.path.join(self.shop.folder, "log"), "ab") as output:
            self.process = self.shop.launch(inside, output=output, level="notice")

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def status(self):
        """Its part in the fleet; None where it does not answer."""
        try:
            status, body = self.shop.get("/status", name="usher.sock", timeout=2)
        except OSError:
            return None
        return json.loads(body)["ledger"]["fleet"] if status == 200 else None

    def anchor(self):
        """The end of its ledger; None where it does not answer."""
        try:
            status, body = self.shop.get("/status", name="usher.sock", timeout=5)
        except OSError:
            return None
        ledger = json.loads(body)["ledger"] if status == 200 else {}
        return f"{ledger.get('head')}:{ledger.get('hash')}"

    def log(self):
        with open(os.path.join(self.shop.folder, "log"), encoding="utf-8") as file:
            return file.read()


class Fleet:
    """A primary with standbys, and nodes."""

    def __init__(self, usher, repository, folder, nodes=3, standbys=0, is_wired=True,
                 network=None, has_volumes=False,
                 replacing=(), settings=()):
        self.usher, self.repository, self.folder = usher, repository, folder
        self.network, self.is_wired, self.volumes = network, is_wired, {}
        self.replacing, self.settings = replacing, settings
        names = ["primary", *(f"standby{number}" for number in range(1, standbys + 1))]
        self.servers = [Server(os.path.join(folder, name), network) for name in names]
        self.primary, *self.standbys = self.servers
        durability = "replicated" if standbys else "disk"
        self.nodes = [Node(f"node{number}", self, durability) for number in range(1, nodes + 1)]
        if has_volumes:
            folders = {server.name: server.folder for server in self.servers}
            folders |= {node.name: os.path.dirname(node.shop.ledger) for node in self.nodes}
            self.volumes = {name: Volume(path) for name, path in folders.items()}
        self.replicate()

    def replicate(self):
        self.primary.make(*self.settings)
        if self.standbys:
            self.primary.set("synchronous_standby_names = 'ANY 1 (*)'")
        # A database cannot be made before there is a standby that has it.
        self.primary.set("synchronous_commit = local")
        self.primary.start()
        self.primary.sql("CREATE DATABASE usher", "postgres")
        for standby in self.standbys:
            standby.copy(self.primary, standby.name).start()
        self.primary.sql("ALTER DATABASE usher SET synchronous_commit = on")

    def start(self, nodes=None):
        """One after the other: the first one leads."""
        for node in nodes or self.nodes:
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

    def stop(self, keeping=False):
        for node in self.nodes:
            if node.is_running():
                node.process.kill()
                node.process.wait()
            if node.wire:
                node.wire.close()
        for server in self.servers:
            server.kill()
            if not keeping:
                server.remove()
        # What is kept is in them.
        for volume in () if keeping else self.volumes.values():
            volume.close()
        if self.network:
            self.network.close()
