"""The fleet's ledger on a single machine, and every node's answers beside its answers."""

import json
import os
import shutil
import sqlite3
from urllib.parse import quote

from checker import Entry, Finding
from shop import Shop, stop

ANSWERS = ("/entitlements", "/credits", "/timeline", "/findings", "")


def database_entries(primary):
    text = primary.sql(
        "SELECT seq, recorded_at, kind, encode(salt, 'hex'), encode(payload, 'hex'), "
        "encode(payload_digest, 'hex'), encode(hash, 'hex') FROM usher.entry ORDER BY seq")
    entries = []
    for line in text.splitlines():
        *numbers, salt, payload, digest, kept = line.split("|")
        entries.append(Entry(*map(int, numbers), *map(
            bytes.fromhex, (salt, payload, digest, kept))))
    return entries


def file_entries(path):
    """Of a ledger that nobody has open."""
    database = sqlite3.connect(path)
    try:
        return [Entry(*row) for row in database.execute(
            "SELECT seq, recorded_at, kind, salt, payload, payload_digest, hash FROM entry"
            " ORDER BY seq")]
    finally:
        database.close()


class Replay:
    """A machine that has got the ledger from the database, and nothing from the nodes."""

    def __init__(self, fleet):
        node = fleet.nodes[0]
        self.shop = Shop(fleet.usher, fleet.repository, os.path.join(fleet.folder, "single"))
        shutil.copytree(node.shop.policies, self.shop.policies, dirs_exist_ok=True)
        address = os.path.join(self.shop.folder, "database")
        primary = fleet.primary
        with open(address, "w", encoding="utf-8") as file:
            # By its socket: no network has a say in it.
            file.write(f"host={primary.folder} port={primary.port} dbname=usher user=usher\n")
        os.chmod(address, 0o600)
        self.copied = self.shop.run(
            "ledger", "copy", f"database:{address}", self.shop.ledger)

    def compare(self, nodes, accounts):
        """Returns what is found, the answers for credits, and how many answers were compared."""
        if self.copied.returncode:
            said = self.copied.stdout + self.copied.stderr
            return [Finding("forked", f"the database is not copied: {said}")], {}, 0
        process = self.shop.start()
        if process is None:
            return [Finding("forked", "a single machine does not serve the ledger")], {}, 0
        try:
            return self.compare_answers(nodes, accounts)
        finally:
            stop(process)

    def compare_answers(self, nodes, accounts):
        findings, credits, count = [], {}, 0
        status = json.loads(self.shop.get("/status", "usher.sock")[1])["ledger"]
        instant = quote(status["recorded_at"])
        for account in accounts:
            for part in ANSWERS:
                path = f"/v1/accounts/{account}{part}?at={instant}"
                alone = self.shop.get(path, "usher.sock")
                count += len(nodes)
                if alone[0] != 200:
                    findings.append(Finding("refused", f"{path} is answered {alone}"))
                if part == "/credits":
                    credits[account] = json.loads(alone[1])
                for node in nodes:
                    answer = node.shop.get(path, "usher.sock")
                    if answer != alone:
                        findings.append(Finding(
                            "differs", f"{path} at {node.name}: {answer}, alone: {alone}"))
        return findings, credits, count


def owners(shop, accounts):
    """Each unit with all that own it now."""
    found = {}
    for account in accounts:
        answer = json.loads(shop.get(f"/v1/accounts/{account}", "usher.sock")[1])
        for unit in answer["units"]:
            for owner in unit["owners"]:
                if owner["until"] is None:
                    name = unit.get("transaction") or unit["lineage"]
                    found.setdefault(name, set()).add(owner["account"])
    return found
