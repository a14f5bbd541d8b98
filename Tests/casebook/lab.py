"""A service for each case, under the policy of fixtures/casebook, and what is asked of it."""

import datetime
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("torture", "races", "box"):
    sys.path.insert(0, os.path.join(HERE, "..", folder))

from evidence import notification  # noqa: E402
from shop import LocalConnection, stop  # noqa: E402

CASES = {}


def case(function=None, **changes):
    """Registers a case: its name with hyphens, the first line of its documentation is its why.
    `policy` says what is written otherwise in the policy."""
    def register(function):
        function.changes = changes
        CASES[function.__name__.replace("_", "-")] = function
        return function

    return register(function) if function else register


class Answer(dict):
    """The JSON of an answer, and its status."""
    def __init__(self, status, value):
        super().__init__(value if isinstance(value, dict) else {"value": value})
        self.status = status

    @property
    def verdicts(self):
        return [each["verdict"] for each in self.get("transactions", [])]

    @property
    def text(self):
        return f"{self.status} {json.dumps(self)}"


def instant(milliseconds):
    date = datetime.datetime.fromtimestamp(milliseconds / 1_000, datetime.timezone.utc)
    return date.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1_000:03}Z"


class Lab:
    """What a case works with. The service starts when it is first asked."""
    def __init__(self, usher, repository, folder, signer, policy=None):
        self.usher_path, self.folder, self.sign = usher, folder, signer.sign
        self.policies = os.path.join(folder, "policies")
        self.sockets = os.path.join(folder, "run")
        self.ledger = os.path.join(folder, "ledger")
        self.settings = None
        self.process, self.checks = None, []
        os.makedirs(self.policies)
        with open(os.path.join(repository, "fixtures/casebook/policy.yaml"),
                  encoding="utf-8") as file:
            text = file.read()
        for before, after in {
                "jws: [apple-root-ca-g3]": "jws: [{file: root.pem}]",
                "receipt: [apple-inc-root]": "receipt: [{file: receipts.pem}]",
                **(policy or {})
        }.items():
            if before not in text:
                raise RuntimeError(f"the policy does not say '{before}'")
            text = text.replace(before, after)
        with open(os.path.join(self.policies, "policy.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        self.trust(os.path.join(repository, "fixtures/evidence/simulator-root.pem"),
                   signer.receipt_root)

    def trust(self, root, receipts):
        for source, name in ((root, "root.pem"), (receipts, "receipts.pem")):
            with open(source, "rb") as file, open(f"{self.policies}/{name}", "wb") as copy:
                copy.write(file.read())

    # MARK: What a case finds out

    def check(self, what, holds, got=""):
        """One line of the report: whether it holds, and otherwise what was there instead."""
        self.checks.append((what, bool(holds), got if isinstance(got, str) else repr(got)))

    def equal(self, what, got, expected):
        self.check(what, got == expected, f"{got!r}, and not {expected!r}")

    def mentions(self, what, text, *words):
        """Whether the text has all the words."""
        missing = [word for word in words if word.lower() not in text.lower()]
        self.check(what, not missing, f"without {missing}: {text}")

    def lacks(self, what, text, *words):
        """Whether the text has none of the words."""
        there = [word for word in words if word.lower() in text.lower()]
        self.check(what, not there, f"with {there}: {text}")

    # MARK: The service

    def start(self):
        options = ["--ledger", self.ledger, "--policies", self.policies, "--sockets", self.sockets]
        if self.settings:
            options = ["--config", self.settings]
        self.process = subprocess.Popen(
            [self.usher_path, "serve", *options, "--log-level", "error"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for _ in range(3_000):
            if self.process.poll() is not None:
                break
            try:
                if self.request("GET", "/readyz").status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.02)
        raise RuntimeError("the service did not become ready")

    def close(self):
        if self.process is not None and self.process.poll() is None:
            try:
                stop(self.process)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def request(self, method, path, body=None, headers=None):
        connection = LocalConnection(os.path.join(self.sockets, "usher.sock"), timeout=60)
        try:
            connection.request(method, path, body, {
                "Content-Type": "application/json",
                **(headers or {})
            })
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        try:
            return Answer(answer.status, json.loads(text))
        except ValueError:
            return Answer(answer.status, text)

    def call(self, method, path, body=None, **headers):
        if self.process is None:
            self.start()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, str):
            body = json.dumps(body)
        return self.request(method, path, body, headers)

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, body=None, **headers):
        return self.call("POST", path, {} if body is None else body, **headers)

    # MARK: What apps and Apple send

    def present(self, account, evidence, **members):
        """A device hands in a transaction, a receipt or what is signed already."""
        payload = evidence if isinstance(evidence, str) else self.sign(evidence)
        body = {"payload": payload, **({"account": account} if account else {}), **members}
        return self.post("/v1/evidence", body)

    def apple(self, kind, subtype=None, transaction=None, renewal=None, **members):
        """Apple sends a notification."""
        return self.post("/v1/notifications",
                         notification(self.sign, kind, subtype, transaction, renewal, **members))

    def order(self, account, product, **members):
        answer = self.post("/v1/orders", {"account": account, "product": product, **members})
        if "order" not in answer:
            raise RuntimeError(f"no order: {answer.text}")
        return answer["order"]

    def report(self, order, event, **members):
        return self.post(f"/v1/orders/{order}/events", {"event": event, **members})

    def register(self, account, token):
        return self.post("/v1/account-tokens", {
            "account": account,
            "token": token,
            "reason": "signed up"
        })

    def load(self, *lines):
        """Imports (when it became known, account, moment, payload) into the ledger."""
        name = os.path.join(self.folder, f"import-{time.monotonic_ns()}.jsonl")
        with open(name, "w", encoding="utf-8") as file:
            for known, account, moment, payload in lines:
                line = {
                    "recorded_at": instant(known),
                    "account": account,
                    "moment": moment,
                    "payload": payload if isinstance(payload, str) else self.sign(payload)
                }
                line = {key: value for key, value in line.items() if value is not None}
                file.write(json.dumps(line) + "\n")
        done = self.run("ingest", name, "--ledger", self.ledger, "--policies", self.policies)
        if done.returncode:
            raise RuntimeError(f"not imported: {done.stdout}{done.stderr}")

    # MARK: What is asked

    def run(self, *arguments):
        return subprocess.run([self.usher_path, *arguments],
                              capture_output=True,
                              text=True,
                              check=False,
                              env=os.environ | {
                                  "LANG": "C",
                                  "NO_COLOR": "1"
                              })

    def usher(self, *arguments):
        """What a command prints."""
        if self.process is None:
            self.start()
        done = self.run(*arguments, "--sockets", self.sockets)
        return done.stdout + done.stderr

    def answer(self, account, entitlement, at=None, environment="production"):
        path = f"/v1/accounts/{urllib.parse.quote(account, safe='')}/entitlements/{entitlement}"
        query = f"?environment={environment}" + (f"&at={instant(at)}" if at else "")
        return self.get(path + query)

    def has(self, account, entitlement, at=None, environment="production"):
        return self.answer(account, entitlement, at, environment).get("decision")

    def stars(self, account):
        """The balance of an account, 0 without one."""
        balances = self.get(f"/v1/accounts/{account}/credits").get("balances", [])
        return sum(each["balance"] for each in balances if each["credit"] == "stars")

    def state(self, order):
        return self.get(f"/v1/orders/{order}").get("state")

    def lost(self):
        """Why each lost order or payment is on the list."""
        return [each["reason"] for each in self.get("/v1/orders/lost").get("orders", [])]

    def findings(self, *accounts):
        """The kinds of the open findings."""
        lists = [self.get(f"/v1/accounts/{account}/findings") for account in accounts]
        return sorted(each["kind"] for answer in lists or [self.get("/v1/findings")]
                      for each in answer.get("findings", []))

    def claim(self, account):
        """The number of an account's first claim."""
        listed = self.usher("claims", "list", account)
        found = re.search(rf"claim (\d+): {re.escape(account)} ", listed)
        if not found:
            raise RuntimeError(f"{account} has made no claim")
        return found.group(1)

    def preflight(self, account, product, apple_id=None):
        return self.post("/v1/preflight", {
            "account": account,
            "product": product,
            **({
                "apple_id": apple_id
            } if apple_id else {})
        })


def next_second():
    """Receipts know whole seconds: waits for the next one, and returns it."""
    now = time.time()
    time.sleep(1 - now % 1 + 0.01)
    return int(time.time()) * 1_000
