"""What must hold of a fleet's ledger and of what its clients were told. Nothing here knows how the
service works, or calls it: the chain is computed as docs/LEDGER.md says it."""

import collections
import hashlib
import json

Finding = collections.namedtuple("Finding", "kind words")
GENESIS = hashlib.sha256(b"usher ledger 1\n").digest()
COINS_EACH = 100


class Entry:
    """One entry, as a row of the database or of a node's file."""

    def __init__(self, sequence, recorded_at, kind, salt, payload, digest, kept):
        self.sequence, self.recorded_at, self.kind = sequence, recorded_at, kind
        self.salt, self.payload, self.digest, self.hash = salt, payload, digest, kept

    @property
    def row(self):
        return (self.sequence, self.recorded_at, self.kind, self.salt, self.payload, self.digest,
                self.hash)

    @property
    def content(self):
        """Its kind's name and its members."""
        return next((name, members) for name, members in json.loads(self.payload).items()
                    if name != "v")


class Checker:
    """Finds what does not hold."""

    def __init__(self, entries, events):
        self.entries, self.events, self.findings = entries, events, []
        self.at = {entry.sequence: entry for entry in entries}
        self.facts, self.spends, self.orders, self.deliveries = {}, {}, {}, {}

    def find(self, kind, words):
        self.findings.append(Finding(kind, words))

    def run(self):
        self.check_chain()
        self.read_entries()
        self.check_writes()
        self.check_answers()
        self.check_reads()
        return self.findings

    # The ledger by itself.

    def check_chain(self):
        """It has no gaps, and each entry follows on the one before it."""
        numbers = [entry.sequence for entry in self.entries]
        if numbers != list(range(1, len(numbers) + 1)):
            twice = [number for number, count in collections.Counter(numbers).items() if count > 1]
            self.find("forked", f"{len(numbers)} entries up to {max(numbers, default=0)}; "
                                f"there more than once: {twice[:5]}")
        before, recorded = GENESIS, None
        for entry in self.entries:
            if entry.digest != hashlib.sha256(entry.salt + entry.payload).digest():
                self.find("forked", f"the payload of entry {entry.sequence} was changed")
            parts = [number.to_bytes(8, "big", signed=True)
                     for number in (entry.sequence, entry.recorded_at, entry.kind)]
            if entry.hash != hashlib.sha256(before + b"".join(parts) + entry.digest).digest():
                self.find("forked", f"entry {entry.sequence} does not follow on the one before")
            if recorded is not None and entry.recorded_at < recorded:
                self.find("backwards", f"entry {entry.sequence} was recorded earlier than the last")
            before, recorded = entry.hash, entry.recorded_at

    def read_entries(self):
        """By what they are known; nothing is there twice."""
        for entry in self.entries:
            name, members = entry.content
            if name == "transaction":
                self.once(self.facts, members["snapshot"]["transactionId"], entry, "the purchase")
            elif name == "creditSpend":
                self.once(self.spends, members["key"], entry, "the spend")
            elif name == "order" and "key" in members:
                self.once(self.orders, members["key"], entry, "the order")
            elif name == "orderEvent" and members["kind"] == "delivered":
                self.once(self.deliveries, members["transaction"]["transactionId"], entry,
                          "the delivery of")

    def once(self, known, key, entry, words):
        if key in known:
            self.find("doubled", f"{words} {key} is entry {known[key].sequence} and "
                                 f"entry {entry.sequence}")
        known.setdefault(key, entry)

    # What was acknowledged.

    def acknowledged(self, call):
        return [event for event in self.events
                if event["call"] == call and event["status"] == 200]

    def check_writes(self):
        """Everything that was acknowledged is there, under the number that was told."""
        for event in self.acknowledged("evidence"):
            entry = self.facts.get(event["transaction"])
            self.expect_kept(event, entry, event["transaction"])
        for event in self.acknowledged("spend"):
            entry = self.at.get(event["answer"]["id"])
            name, members = entry.content if entry else (None, {})
            said = [members.get("key"), members.get("account")]
            if name != "creditSpend" or said != [event["key"], event["account"]]:
                self.find("lost", f"the spend {event['key']} was told to be entry "
                                  f"{event['answer']['id']}, which is {name} {said}")
        for event in self.acknowledged("order"):
            entry = self.orders.get(event["key"])
            self.expect_kept(event, entry, event["key"])
            if entry and entry.content[1]["id"] != event["answer"]["order"]:
                self.find("doubled", f"the order {event['key']} was told to be "
                                     f"{event['answer']['order']}")
        for event in self.events:
            if event["status"] not in (200, 503, None) and not self.is_lawful(event):
                self.find("refused", f"{event['call']} of {event['account']} is answered "
                                     f"{event['status']} {event['answer']}")

    def expect_kept(self, event, entry, words):
        if entry is None:
            self.find("lost", f"{words} was acknowledged by {event['node']}")
        elif entry.sequence > event["answer"]["revision"]:
            self.find("lost", f"{words} is entry {entry.sequence}, and was acknowledged at "
                              f"{event['answer']['revision']}")

    @staticmethod
    def is_lawful(event):
        """Whoever has too little may not spend, and nobody buys what he may not."""
        return (event["call"], event["answer"].get("code")) == ("spend", "credit.insufficient")

    def check_answers(self):
        """The same call has one answer, and a purchase one owner."""
        answers, owners = {}, {}
        for event in self.acknowledged("spend") + self.acknowledged("order"):
            answer = event["answer"]
            said = json.dumps([answer.get("id"), answer.get("balances"), answer.get("order")])
            if answers.setdefault(event["key"], said) != said:
                self.find("doubled", f"{event['key']} is answered {answers[event['key']]} and "
                                     f"{said}")
        for event in self.acknowledged("evidence"):
            for told in event["answer"]["transactions"]:
                id = told["transaction"]
                if len(told["owners"]) > 1:
                    self.find("owners", f"{id} has the owners {told['owners']}")
                if told["verdict"] != "owned" or event["account"].startswith("member-"):
                    continue
                if owners.setdefault(id, event["account"]) != event["account"]:
                    self.find("owners", f"{id} is owned by {owners[id]} and {event['account']}")

    # What was read.

    def check_reads(self):
        """Nobody reads less than what he named, less than what was acknowledged to anybody before
        where he asked for it, or less than what the same node had before. (A node that passed a
        write on may answer it before it has the entry itself.)"""
        asked = self.acknowledged("ask")
        reads = sorted(asked, key=lambda event: event["begun"])
        everywhere, nodes = Floor(self.events, None), {}
        for event in reads:
            revision = event["answer"]["revision"]
            node = event["node"]
            floor = nodes.setdefault(node, Floor(asked, node)).until(event["begun"])
            if revision < floor:
                self.find("backwards", f"{node} answers as of {revision}, after {floor}")
            newest = everywhere.until(event["begun"])
            if event.get("wish") == "fresh=true" and revision < newest:
                self.find("stale", f"{node} answers as of {revision}, and {newest} was acknowledged")
            if revision < event.get("minimum", 0):
                self.find("stale", f"{node} answers as of {revision}, asked for {event['minimum']}")
            self.check_delivery(event)

    def check_delivery(self, event):
        if "transaction" not in event:
            return
        count = delivered(event["answer"]).count(event["transaction"])
        if count != 1:
            self.find("lost" if count == 0 else "doubled",
                      f"{event['node']} has {event['transaction']} {count} times at "
                      f"{event['answer']['revision']}")

    # What the accounts have in the end.

    def check_balances(self, credits):
        """Each purchase was delivered once, to one account, and each spend took what it was told
        to leave: `credits` are the answers for all accounts."""
        everywhere = collections.Counter()
        for account, answer in credits.items():
            mine = delivered(answer)
            everywhere.update(mine)
            gained = [(self.facts[id].sequence, COINS_EACH) for id in mine if id in self.facts]
            taken = [(entry.sequence, -entry.content[1]["parts"][0]["units"])
                     for entry in self.spends.values()
                     if entry.content[1]["account"] == account]
            self.check_balance(account, sorted(gained + taken), answer)
        for event in self.acknowledged("evidence"):
            told = event["answer"]["transactions"][0]
            if told["verdict"] == "owned" and not event["account"].startswith("member-") \
                    and everywhere[event["transaction"]] == 0:
                self.find("lost", f"{event['transaction']} is not delivered")
        for id, count in everywhere.items():
            if count > 1:
                self.find("doubled", f"{id} is delivered {count} times")

    def check_balance(self, account, changes, answer):
        total, after = 0, {}
        for sequence, units in changes:
            total += units
            after[sequence] = total
            if total < 0:
                self.find("doubled", f"{account} has spent more than it had, at entry {sequence}")
        if total != sum(each["balance"] for each in answer["balances"]):
            self.find("lost", f"{account} has {answer['balances']}, and the entries make {total}")
        for event in self.acknowledged("spend"):
            left = event["answer"]["balances"][0]["balance"]
            if event["account"] == account and after.get(event["answer"]["id"]) != left:
                self.find("doubled", f"{event['key']} was told to leave {left}, and the entries "
                                     f"make {after.get(event['answer']['id'])}")


class Floor:
    """The newest entry that answers had named until an instant; asked in the order of time."""

    def __init__(self, events, node):
        told = [event for event in events if event["status"] == 200
                and node in (None, event["node"]) and "revision" in event["answer"]]
        self.told = sorted(told, key=lambda event: event["ended"], reverse=True)
        self.newest = 0

    def until(self, instant):
        while self.told and self.told[-1]["ended"] <= instant:
            self.newest = max(self.newest, self.told.pop()["answer"]["revision"])
        return self.newest


def delivered(credits):
    """The purchases of which an answer says that they were delivered, each as often as it does."""
    return [entry["transaction"] for balance in credits["balances"]
            for entry in balance["entries"] if entry["cause"] == "delivery"]
