"""What one peer can make everybody wait for by what is recorded: one purchase that many accounts
claim, many grants and blocks of one account; see scripts/overload.

    shared.py USHER REPOSITORY [--claims N] [--grants N] [--blocks N] [--seconds N] [--unjudged]

Prints, for each, what the first and the last hundredth of it cost in processor time, how late the
change of somebody else was told meanwhile, and how long a stop takes then. Exit 1 where the last
cost more than three times as much as the first, somebody else's change was told more than a second
late, one batch of equal questions is answered in two ways, or the service does not stop within its
time.
"""

import argparse
import itertools
import json
import os
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from shop import LocalConnection, Shop, stop  # noqa: E402

# What others may have to wait for their changes, in seconds, and a stop for what is under way.
LATE, DRAIN = 1, 10
# By how much the last may cost more than the first.
GROWTH = 3


class Caller:
    """Calls on one connection."""

    def __init__(self, shop):
        self.link = LocalConnection(os.path.join(shop.sockets, "usher.sock"), 120)

    def post(self, path, body):
        self.link.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = self.link.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{path} is answered with {answer.status}: {text[:300]}")
        return json.loads(text)

    def get(self, path):
        self.link.request("GET", path)
        return json.loads(self.link.getresponse().read())


class Innocent(threading.Thread):
    """Is given a right every second, and sees how late that is told."""

    numbers = itertools.count()

    def __init__(self, shop):
        super().__init__(daemon=True)
        self.caller, self.goes_on, self.late = Caller(shop), True, []

    def run(self):
        while self.goes_on:
            self.late.append(self.one())
            time.sleep(0.5)

    def one(self):
        account = f"innocent-{next(self.numbers)}"
        head = self.caller.get("/v1/changes?limit=1")["head"]
        self.caller.post("/v1/grants", {
            "account": account, "entitlement": "premium", "reason": "A test."})
        begun = time.monotonic()
        while time.monotonic() - begun < 300:
            page = self.caller.get(f"/v1/changes?after={head}&account={account}&wait=1s")
            if page["changes"]:
                break
            head = page["next"]
        return time.monotonic() - begun

    def worst(self):
        self.goes_on = False
        self.join()
        return max(self.late)


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def settle(caller):
    """Waits until everything is told."""
    while not caller.get("/v1/changes?limit=1")["caught_up"]:
        time.sleep(0.05)


class Trial:
    def __init__(self, shop, process):
        self.shop, self.process, self.caller, self.faults = shop, process, Caller(shop), []

    def run(self, name, count, call):
        """Calls in turn; a tenth at the beginning and one at the end are measured alone."""
        part = max(1, count // 10)
        innocent, costs = None, []
        for first in range(0, count, part):
            is_measured = first == 0 or first + part >= count
            if is_measured and innocent:
                worst = innocent.worst()
                innocent = None
            if is_measured:
                settle(self.caller)
            elif not innocent:
                innocent = Innocent(self.shop)
                innocent.start()
            begun = processor_seconds(self.process)
            for number in range(first, min(first + part, count)):
                call(number)
            if is_measured:
                settle(self.caller)
                costs.append((processor_seconds(self.process) - begun) / part * 1000)
        print(f"| {name} | {count} | {costs[0]:.1f} | {costs[-1]:.1f} | {worst:.2f} |", flush=True)
        if costs[-1] > GROWTH * max(costs[0], 1) and costs[-1] > 5:
            self.faults.append(f"{name}: the last cost {costs[-1]:.1f} ms each, the first {costs[0]:.1f}")
        if worst > LATE:
            self.faults.append(f"{name}: somebody else was told {worst:.1f} s late")

    def claims(self, count):
        path = os.path.join(
            self.shop.repository, "fixtures/evidence/production/non-consumable-1-purchase.jws")
        with open(path, encoding="ascii") as file:
            payload = file.read().strip()
        self.run("claims of one purchase", count, lambda number: self.caller.post(
            "/v1/evidence", {"payload": payload, "account": f"sharer-{number}"}))

    def grants(self, count):
        def give(number):
            grant = self.caller.post("/v1/grants", {
                "account": "gifted", "entitlement": "premium", "reason": "A test.",
                "until": f"20{30 + number // 3650}-01-{1 + number % 28:02}T00:00:00Z"})
            if number % 2:
                self.caller.link.request(
                    "DELETE", f"/v1/grants/{grant['grant']}", json.dumps({"reason": "A test."}),
                    {"Content-Type": "application/json"})
                self.caller.link.getresponse().read()
        self.run("grants of one account", count, give)
        begun = time.monotonic()
        self.caller.get("/v1/accounts/gifted/entitlements/premium")
        print(f"an account of {count} grants answers in {(time.monotonic() - begun) * 1000:.0f} ms")

    def blocks(self, count):
        def block(number):
            found = self.caller.post("/v1/blocks", {"account": "gifted", "reason": "A test."})
            if number % 2:
                self.caller.link.request(
                    "DELETE", f"/v1/blocks/{found['block']}", json.dumps({"reason": "A test."}),
                    {"Content-Type": "application/json"})
                self.caller.link.getresponse().read()
        self.run("blocks of one account", count, block)


    def batches(self, seconds):
        """The same question many times in one batch, while its answer changes."""
        goes_on = threading.Event()
        goes_on.set()

        def flip():
            caller = Caller(self.shop)
            while goes_on.is_set():
                grant = caller.post("/v1/grants", {
                    "account": "flipped", "entitlement": "premium", "reason": "A test."})
                caller.link.request(
                    "DELETE", f"/v1/grants/{grant['grant']}", json.dumps({"reason": "A test."}),
                    {"Content-Type": "application/json"})
                caller.link.getresponse().read()

        flipping = threading.Thread(target=flip)
        flipping.start()
        # One of them asks as of an instant, so that none of the batch takes the shortest way.
        question = {"subject": {"type": "account", "id": "flipped"}, "action": {"name": "use"},
                    "resource": {"type": "entitlement", "id": "premium"}}
        other = question | {"context": {"at": "2020-01-01T00:00:00Z"}}
        # Those for which the ledger is read each time.
        buying = {"subject": question["subject"], "action": {"name": "purchase"},
                  "resource": {"type": "product", "id": "com.example.none"}}
        through = question | {"context": {"apple_id": "otx:production:1"}}
        mixes = itertools.cycle([
            [other] + [question] * 200, [buying, question, through] * 30 + [question] * 100])
        asked, torn, answers = 0, 0, set()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            mix = next(mixes)
            page = self.caller.post("/access/v1/evaluations", {"evaluations": mix})
            told = [each for each, one in zip(page["evaluations"], mix) if one is question]
            decisions = {each["decision"] for each in told}
            revisions = {each["context"]["revision"] for each in page["evaluations"]
                         if "revision" in each.get("context", {})}
            asked, answers = asked + 1, answers | decisions
            torn += len(decisions) > 1 or len(revisions) > 1
        goes_on.clear()
        flipping.join()
        print(f"{asked} batches, {torn} of them answered in two ways; answers: {sorted(answers)}")
        if torn:
            self.faults.append(f"{torn} batches were answered as of more than one revision")


def main():
    parser = argparse.ArgumentParser(prog="shared.py")
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--grants", type=int, default=5_000)
    parser.add_argument("--blocks", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--unjudged", action="store_true")
    options = parser.parse_args()
    print("| what | times | first, ms each | last, ms each | others told late by, s |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(os.path.abspath(options.usher), options.repository, folder)
        process = shop.start()
        trial = Trial(shop, process)
        trial.claims(options.claims)
        trial.grants(options.grants)
        trial.blocks(options.blocks)
        trial.batches(options.seconds)
        begun = time.monotonic()
        if code := stop(process):
            trial.faults.append(f"the service ended with {code}")
        if time.monotonic() - begun > DRAIN + 2:
            trial.faults.append("the service did not stop within its time")
    for fault in trial.faults:
        print(fault)
    return 1 if trial.faults and not options.unjudged else 0


if __name__ == "__main__":
    sys.exit(main())
