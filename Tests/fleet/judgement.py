"""What a fleet has come to, when everything is quiet: by the database, by each node's answers and
by each node's file."""

import collections

from checker import Checker, Finding
from replay import Replay, database_entries, file_entries, owners
from workload import accounts

# How long a node may take until it has what the database has. Seconds.
PATIENCE = 90


def judge(fleet, events, patience=PATIENCE):
    """Returns what does not hold, and what was compared."""
    findings = await_nodes(fleet, patience)
    entries = database_entries(fleet.primary)
    checker = Checker(entries, events)
    findings += checker.run()
    named = accounts([event for event in events if "account" in event])
    replayed, credits, compared = Replay(fleet).compare(
        [node for node in fleet.nodes if node.is_running()], named)
    findings += replayed
    if credits:
        checker.findings = []
        checker.check_balances(credits)
        findings += checker.findings
    for node in fleet.nodes:
        if node.is_running():
            findings += check_owners(node, named)
        findings += check_file(node, entries, events)
    counts = collections.Counter(finding.kind for finding in findings)
    found = {kind: counts.pop(kind, 0) for kind in ("lost", "doubled", "owners", "forked")}
    rest = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "nothing else"
    return findings, (
        f"{len(entries)} entries, {len(named)} accounts, {compared} answers beside those of a "
        f"single machine: {found['lost']} lost, {found['doubled']} doubled, "
        f"{found['owners']} wrong owners, {found['forked']} forks, {rest}")


def await_nodes(fleet, patience):
    """Whoever follows has everything in a moment."""
    findings, head = [], anchor(fleet.primary)
    for node in fleet.nodes:
        try:
            fleet.wait(lambda node=node: node.anchor() == head, patience, "")
        except RuntimeError:
            findings.append(Finding(
                "behind", f"{node.name} ends with {node.anchor()}, the database with {head}; it says "
                f"{node.status()}"))
    return findings


def anchor(server):
    return server.sql("SELECT seq || ':' || encode(hash, 'hex') FROM usher.head")


def check_owners(node, named):
    return [Finding("owners", f"{node.name}: {unit} is owned by {sorted(those)}")
            for unit, those in owners(node.shop, named).items() if len(those) > 1]


def check_file(node, entries, events):
    """Its rows are the database's, byte for byte, and the program finds nothing wrong with it.
    Where they are not, what is missing in it is said."""
    findings = []
    if node.is_running():
        node.process.terminate()
        if node.process.wait(60) != 0:
            findings.append(Finding("ended", f"{node.name} does not end well"))
    mine = file_entries(node.shop.ledger)
    rows, kept = [entry.row for entry in mine], [entry.row for entry in entries]
    if rows != kept:
        kind = "behind" if rows == kept[:len(rows)] else "forked"
        findings.append(Finding(kind, f"{node.name} has other entries than the database"))
        findings += [Finding(found.kind, f"{node.name}: {found.words}")
                     for found in Checker(mine, events).run()]
    verified = node.shop.run("ledger", "verify", "--ledger", node.shop.ledger)
    if verified.returncode:
        findings.append(Finding("forked", f"{node.name}: {verified.stdout}{verified.stderr}"))
    return findings
