"""Questions about many accounts, and the bytes that have to come back."""

import json

from oracle import PLACE

ENTITLEMENTS = ("premium", "audio", "no-ads", "none")
INSTANT = "2029-03-01T00:00:00Z"
# Asked about again and again; the others have to be read from the ledger.
KNOWN = 300


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def request(method, path, *fields, body=None):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *fields]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


def evaluation(account, entitlement):
    return {"subject": {"type": "account", "id": account}, "action": {"name": "use"},
            "resource": {"type": "entitlement", "id": entitlement}}


class Questions:
    """Draws questions. What it draws depends on its random numbers and nothing else."""

    def __init__(self, random, oracle, accounts):
        self.random = random
        self.oracle = oracle
        self.accounts = accounts
        self.items = {}
        self.ids = 0
        self.kinds = {
            "evaluation": (self.evaluation, 40), "right": (self.right, 20),
            "rights": (self.rights, 8), "instant": (self.evaluation_at, 6),
            "batch": (self.small_batch, 8), "head": (self.head, 3), "unknown": (self.unknown, 3),
            "malformed": (self.not_json, 3), "smuggled": (self.with_a_body, 4),
        }

    def account(self):
        """Mostly one that is in memory; at times one that nobody has."""
        which = self.random.random()
        if which < 0.9:
            return self.accounts[self.random.randrange(KNOWN)]
        if which < 0.98:
            return self.random.choice(self.accounts)
        return f"nobody-{self.random.randrange(50)}"

    def entitlement(self):
        return self.random.choice(ENTITLEMENTS)

    def fields(self):
        """With an id that must come back, or without; in one language or the other."""
        fields = []
        if self.random.random() < 0.4:
            fields.append("X-Request-ID: " + PLACE.decode())
        if self.random.random() < 0.1:
            fields.append("Accept-Language: zh")
        return fields

    def told(self, request, **how):
        """The request and its answer, with an id of its own where it has one."""
        return self.named(request, self.oracle.ask(request, **how))

    def named(self, request, answer):
        if PLACE not in request:
            return request, answer
        self.ids += 1
        own = b"%012d" % self.ids
        return request.replace(PLACE, own), answer.replace(PLACE, own)

    # Kinds of questions: each returns the request and its answer.

    def evaluation(self):
        body = compact(evaluation(self.account(), self.entitlement()))
        return self.told(request("POST", "/access/v1/evaluation", *self.fields(), body=body))

    def evaluation_at(self):
        question = evaluation(self.account(), self.entitlement())
        body = compact(question | {"context": {"at": INSTANT}})
        return self.told(request("POST", "/access/v1/evaluation", *self.fields(), body=body))

    def right(self):
        path = f"/v1/accounts/{self.account()}/entitlements/{self.entitlement()}"
        return self.told(request("GET", path, *self.fields()))

    def rights(self):
        """All of an account: the answer tells the instant, so it is asked for."""
        path = f"/v1/accounts/{self.account()}/entitlements?at={INSTANT}"
        return self.told(request("GET", path, *self.fields()))

    def head(self):
        path = f"/v1/accounts/{self.account()}/entitlements/premium"
        return self.told(request("HEAD", path, *self.fields()))

    def unknown(self):
        return self.told(request("GET", f"/v1/accounts/{self.account()}/x", *self.fields()))

    def not_json(self):
        return self.told(
            request("POST", "/access/v1/evaluation", *self.fields(), body=b'{"subject":'))

    def with_a_body(self):
        """A question in the body of another one is not asked."""
        number = self.random.randrange(KNOWN)
        outer, inner = (f"/v1/accounts/{self.accounts[one]}/entitlements/premium"
                        for one in (number, number + 1))
        return self.told(
            request("GET", outer, *self.fields(), body=request("GET", inner)))

    def small_batch(self):
        return self.batch(self.random.randint(1, 5))

    def batch(self, count):
        """A batch about that many accounts, with what all share said once or in each."""
        if self.random.random() < 0.8:
            accounts = self.random.choices(self.accounts[:KNOWN], k=count)
        else:
            accounts = [self.account() for _ in range(count)]
        names = self.random.choices(ENTITLEMENTS, k=count)
        items = [self.item(account, name) for account, name in zip(accounts, names)]
        fields = self.fields()
        body = b'{"evaluations":[' + b",".join(items) + b"]}"
        if self.random.random() < 0.1:
            body = b'{"action":{"name":"read"},' + body[1:]
        answer = self.oracle.batch(items, lambda item: request(
            "POST", "/access/v1/evaluations", *fields,
            body=b'{"evaluations":[' + item + b"]}"))
        whole = request("POST", "/access/v1/evaluations", *fields, body=body)
        return self.named(whole, answer)

    def item(self, account, entitlement):
        key = (account, entitlement)
        if (item := self.items.get(key)) is None:
            item = self.items[key] = compact(evaluation(account, entitlement))
        return item

    # What ends a connection: the request, and what is said to it before the end.

    def last(self):
        path = f"/v1/accounts/{self.account()}/entitlements/premium"
        body = compact(evaluation(self.account(), "audio"))
        choices = (
            lambda: request("GET", path, *self.fields(), "Connection: close"),
            lambda: request("POST", "/access/v1/evaluation", "Connection: close", body=body),
            lambda: request("BREW", path),
            lambda: request("GET", path + "?" + "a" * 9_000),
            lambda: request("GET", path, "X-Long: " + "a" * 9_000),
            lambda: request("GET", path, *(f"X-{number}: 1" for number in range(80))),
            lambda: request("POST", "/access/v1/evaluation", "Content-Length: 999999999"),
            lambda: request("POST", "/access/v1/evaluation", "Content-Length: 5",
                            "Content-Length: 6"),
            lambda: request("GET", path, "X: \x01"),
            lambda: b"\x16\x03\x01\x00" + request("GET", path),
        )
        return self.told(self.random.choice(choices)(), ends=True)

    def cut(self):
        """The beginning of a question, and what is said to it if there is no more."""
        body = compact(evaluation(self.account(), "audio"))
        whole = request("POST", "/access/v1/evaluation", body=body)
        part = whole[:self.random.choice((1, 10, 40, len(whole) - 1))]
        return part, self.oracle.ask(part, cut=True)

    # Several questions at once.

    def pipeline(self):
        """Questions of one kind, which are written alike, or of all kinds."""
        count = self.random.choice((1, 2, 5, 20, 100, 200, 300))
        count = self.random.randint(max(1, count // 2), count)
        names, weights = zip(*((name, kind[1]) for name, kind in self.kinds.items()))
        if self.random.random() < 0.5:
            names, weights = [self.random.choices(names, weights)[0]], [1]
        drawn = self.random.choices(names, weights, k=count)
        return [(name, *self.kinds[name][0]()) for name in drawn]
