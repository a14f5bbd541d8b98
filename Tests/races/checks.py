"""What must hold afterwards: by calls and commands of the running service, and by the ledger as it
is exported. Nothing here knows how the service works; the table of states is read from
docs/ORDERS.md."""

import collections
import json
import os
import re

from clients import Violation
from purchases import COINS, COINS_EACH


def expect(holds, words):
    if not holds:
        raise Violation(words)


class Ledger:
    """A ledger as `usher ledger export` prints it."""

    def __init__(self, shop):
        verified = shop.run("ledger", "verify", "--ledger", shop.ledger)
        expect(verified.returncode == 0,
               f"the ledger does not verify: {verified.stdout} {verified.stderr}")
        exported = shop.run("ledger", "export", "--ledger", shop.ledger)
        expect(exported.returncode == 0, f"the ledger is not exported: {exported.stderr}")
        self.entries = [json.loads(line) for line in exported.stdout.splitlines()]
        expect([each["sequence"] for each in self.entries]
               == list(range(1, len(self.entries) + 1)), "the ledger has gaps")

    @property
    def head(self):
        return len(self.entries)

    def of(self, kind):
        return [each["entry"] for each in self.entries if each["kind"] == kind]

    def check(self, record, table):
        """That everything acknowledged is there, and that nothing is there twice."""
        expect(record.revision <= self.head,
               f"{record.revision} was acknowledged, and the ledger ends with {self.head}")
        transactions = {each["snapshot"]["transactionId"] for each in self.of("transaction")}
        expect(record.durable <= transactions,
               f"may be finished, and not durable: {sorted(record.durable - transactions)}")
        facts = self.facts()
        for said in record.evidence.values():
            expect(said <= facts, f"acknowledged, and not in the ledger: {sorted(said - facts)}")
        orders = self.of("order")
        ids = [each["id"] for each in orders]
        expect_once(ids, "orders with one id")
        expect_once([(each["actor"], each["key"]) for each in orders if "key" in each],
                    "orders of one key")
        expect(set(record.orders) <= set(ids),
               f"acknowledged, and not in the ledger: {sorted(set(record.orders) - set(ids))}")
        self.check_events(record, set(ids), table)
        self.check_spends(record)

    def check_spends(self, record):
        """That each key is one spend: every call is repeated until it is answered, so there are no
        others than those."""
        spends = [(each["key"], each["account"], each["parts"][0]["units"])
                  for each in self.of("creditSpend")]
        expect_once([key for key, _, _ in spends], "spends of one key")
        said = {(key, account, amount) for key, (account, amount, _, _) in record.spends.items()}
        expect(set(spends) == said, f"spent and acknowledged differ: {set(spends) ^ said}")

    def facts(self):
        """What evidence says, by its names: repeated evidence says nothing new."""
        facts = {("notification", each["uuid"]) for each in self.of("notification")}
        for each in self.of("transaction"):
            snapshot = each["snapshot"]
            form, id = snapshot["source"]["form"], snapshot["transactionId"]
            facts.add((form, id, snapshot["signedDate"]) if form == "jws" else (form, id))
        return facts

    def check_events(self, record, ids, table):
        states = {id: "created" for id in ids}
        # What pays an order, and where the order stood before.
        seen, pays, before, delivered, finished = set(), {}, {}, set(), set()
        for event in self.of("orderEvent"):
            order, kind = event["order"], event["kind"]
            transaction = event.get("transaction", {}).get("transactionId")
            expect(order in states, f"{kind} of {order}, which is not in the ledger")
            # What the table does not tell, and the words below it do.
            after = table.get((states[order], kind))
            if kind == "seen":
                after = states[order]
            if kind == "payment-moved":
                after = before.get(order)
            if kind == "delivered" and after and order in finished:
                after = "finished"
            expect(after == event["state"], f"{order} was {states[order]}, and {kind} makes it"
                   f" {event['state']} where docs/ORDERS.md says {after or 'that it cannot be'}")
            if kind == "paid":
                expect(order not in pays, f"{order} is paid by {pays.get(order)} and {transaction}")
                pays[order], before[order] = transaction, states[order]
            if kind in ("delivered", "payment-moved"):
                expect(pays.get(order) == transaction,
                       f"{kind} of {order} names {transaction}, which has not paid it")
            if kind == "delivered":
                expect((order, transaction) not in delivered,
                       f"{order} is delivered twice for {transaction}")
                delivered.add((order, transaction))
            if kind == "payment-moved":
                delivered.discard((order, transaction))
                del pays[order], before[order]
            if kind == "finished":
                finished.add(order)
            states[order] = event["state"]
            seen.add((order, kind, transaction))
        paid = list(pays.values())
        delivered = [transaction for _, transaction in delivered]
        expect_once(paid, "orders paid by one transaction")
        expect_once(delivered, "deliveries of one transaction")
        for order, events in record.events.items():
            for event, transaction in events:
                expect((order, event, transaction) in seen,
                       f"acknowledged, and not in the ledger: {event} of {order}")
        self.states, self.delivered = states, set(delivered)
        self.paid = {transaction: order for order, transaction in pays.items()}

    def check_jobs(self, jobs):
        """That each payment is its order's, and a second one under its token has its own."""
        parents = {each["id"]: each.get("parent") for each in self.of("order")}
        for job in jobs:
            paid = [self.paid.get(each.id) for each in job.purchases]
            if job.way == "bare":
                expect(paid == [None], f"{job.purchases[0].id} pays {paid}, which is not its own")
            if not job.is_exact:
                continue
            beside = [order for order in paid if order != job.order]
            expect(None not in paid and len(beside) == max(len(paid) - 1, 0)
                   and all(parents[order] == job.order for order in beside),
                   f"{[each.id for each in job.purchases]} ({job.way}) pay {paid}, and were bought"
                   f" for {job.order}")


def expect_once(values, words):
    twice = [value for value, count in collections.Counter(values).items() if count > 1]
    expect(not twice, f"several {words}: {twice}")


def read_table(repository):
    """State and event, with the state after it, from docs/ORDERS.md."""
    with open(os.path.join(repository, "docs", "ORDERS.md"), encoding="utf-8") as file:
        lines = file.read().split("\n## States\n")[1].split("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in lines if re.match(r"\| *[a-z]", line)]
    events = rows[0][1:]
    return {(row[0], event): after
            for row in rows[1:] for event, after in zip(events, row[1:]) if after}


class Answers:
    """What the running service says, by its calls and by its commands."""

    def __init__(self, shop, jobs, record):
        self.shop, self.jobs, self.record = shop, jobs, record

    def get(self, path, socket="query.sock"):
        status, body = self.shop.get(path, socket)
        expect(status == 200, f"GET {path} is answered {status} {body[:200]}")
        return json.loads(body)

    def head(self):
        ledger = self.get("/status", "usher.sock")["ledger"]
        return ledger["head"], ledger["hash"]

    def check(self):
        """Returns how many deliveries there are."""
        deliveries = self.check_balances()
        self.check_owners()
        orders = {id: self.get(f"/v1/orders/{id}", "usher.sock") for id in self.record.orders}
        for id, order in orders.items():
            told = {(each["event"], each.get("transaction_id")) for each in order["events"]}
            expect(self.record.events.get(id, set()) <= told,
                   f"{id} has forgotten {self.record.events.get(id, set()) - told}")
            pays = order.get("transaction_id")
            expect(pays is None or self.record.pays.get(pays, id) == id,
                   f"{pays} pays {id}, and was said to pay {self.record.pays.get(pays)}")
        self.check_lost(orders)
        self.check_command(sorted(orders)[0])
        return deliveries

    def accounts(self):
        return sorted({account for job in self.jobs for account in job.accounts})

    def check_balances(self):
        """Each consumable is delivered once, to one account, and the balance is their sum."""
        bought, coins = collections.defaultdict(int), {}
        for job in self.jobs:
            for each in job.purchases:
                if job.product == COINS:
                    coins[each.id] = (job, COINS_EACH * each.quantity)
        delivered = []
        spent = collections.defaultdict(int)
        for account, amount, _, _ in self.record.spends.values():
            spent[account] += amount
        for account in self.accounts():
            balances = self.get(f"/v1/accounts/{account}/credits")["balances"]
            entries = [each for balance in balances for each in balance["entries"]]
            taken = -sum(each["units"] for each in entries if each["cause"] == "spend")
            expect(taken == spent[account],
                   f"{account} has spent {taken}, and was told of {spent[account]}")
            for each in entries:
                expect(each["cause"] in ("delivery", "spend"), f"{account} has {each}")
                if each["cause"] == "spend":
                    continue
                job, units = coins[each["transaction"]]
                expect(account in job.accounts and each["units"] == units,
                       f"{account} has {each} for {units} bought by {job.accounts}")
                bought[account] += units
                delivered.append(each["transaction"])
            total = sum(balance["balance"] for balance in balances)
            expect(total == bought[account] - taken and total >= 0,
                   f"{account} has {total} coins, bought {bought[account]} and spent {taken}")
        expect_once(delivered, "deliveries of one transaction")
        missing = set(coins) - set(delivered)
        expect(not missing, f"bought, and not delivered: {sorted(missing)}")
        return len(delivered)

    def check_owners(self):
        """No unit is owned by two accounts, and none by nobody."""
        owners = collections.defaultdict(set)
        for account in self.accounts():
            for unit in self.get(f"/v1/accounts/{account}", "usher.sock")["units"]:
                if any(owner["account"] == account and owner["until"] is None
                       for owner in unit["owners"]):
                    owners[unit.get("transaction") or unit["lineage"]].add(account)
        for job in self.jobs:
            for each in job.purchases:
                expect(len(owners[each.id]) == 1 and owners[each.id] <= set(job.accounts),
                       f"{each.id} of {job.accounts} is owned by {sorted(owners[each.id])}")

    def check_lost(self, orders):
        """What needs somebody at once is listed; the rest has `pay_within`, which is not over."""
        lost, place = {}, 0
        while place is not None:
            page = self.get(f"/v1/orders/lost?limit=100&after_entry={place}", "usher.sock")
            for each in page["orders"]:
                expect(each.get("order") not in lost, f"{each.get('order')} is lost twice")
                lost[each.get("order")] = each["reason"]
            place = page["next"]
        urgent = {"paid": "not-delivered", "review": "in-review",
                  "refunded": "refunded-after-delivery"}
        for id, order in orders.items():
            expect(lost.get(id) == urgent.get(order["state"]),
                   f"{id} is {order['state']}, and lost for {lost.get(id)}")

    def check_command(self, order):
        """The commands say of it what the calls say."""
        account = self.record.orders[order].account
        shown = self.shop.run("orders", "list", account, "--json", "--sockets", self.shop.sockets)
        listed = {each["order"]: each["state"] for each in json.loads(shown.stdout)["orders"]}
        called = self.get(f"/v1/accounts/{account}/orders", "usher.sock")["orders"]
        expect(listed == {each["order"]: each["state"] for each in called},
               f"'usher orders list {account}' and its call differ")
        shown = self.shop.run("orders", "show", order, "--json", "--sockets", self.shop.sockets)
        expect(json.loads(shown.stdout)["order"] == order, f"'usher orders show {order}' fails")
