"""HTTP as clients speak it: HEAD, upgrades, deletions with and without a body, names of members and
parameters, pages. Used by sockets.py."""

import json
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from shop import LocalConnection  # noqa: E402


def raw(path, request, wait=5):
    """All that is answered to these bytes until nothing more comes."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(wait)
        connection.connect(path)
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while True:
            try:
                part = connection.recv(65_536)
            except TimeoutError:
                return answer
            if not part:
                return answer
            answer += part


class Client:
    def __init__(self, service, expect):
        self.service, self.expect, self.tried = service, expect, 0
        self.keys = 0

    def ask(self, method, target, body=None, headers=None, name="usher.sock"):
        connection = LocalConnection(self.service.path(name), 30)
        headers = dict(headers or {})
        text = None if body is None else body if isinstance(body, str) else json.dumps(body)
        if text is not None:
            headers.setdefault("Content-Type", "application/json")
        connection.request(method, target, text, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        self.tried += 1
        return answer, json.loads(content) if content[:1] in (b"{", b"[") else content

    def key(self):
        self.keys += 1
        return {"Idempotency-Key": f"speech-{self.keys}"}

    def made(self, target, body, headers=None):
        answer, content = self.ask("POST", target, body, headers or self.key())
        self.expect(answer.status == 200, f"POST {target} {body}: {answer.status} {content}")
        return content

    def denied(self, method, target, body, code, field, meant=None, headers=None):
        answer, content = self.ask(method, target, body, headers)
        found = (content.get("code"), content.get("field"), content.get("did_you_mean"))
        self.expect(
            400 <= answer.status < 500 and found == (code, field, meant),
            f"{method} {target} {json.dumps(body)[:120]}: {answer.status} {found}, not "
            f"{(code, field, meant)}")
        return content


def members(client):
    """A member that no shape has is named with its place, at any depth, and nothing is done."""
    unknown = "input.unknown-member"
    spend = "/v1/accounts/ana/spend"
    for body, field, meant in [
            ({"credits": [{"credit": "coins", "amount": 1, "enviroment": "sandbox"}]},
             "credits[0].enviroment", None),
            ({"credits": [{"credit": "coins", "amount": 1}, {"credit": "gifts", "amout": 1}]},
             "credits[1].amout", "amount"),
            ({"credits": [{"credit": "coins", "amount": 1}], "enviroment": "sandbox"},
             "enviroment", "environment")]:
        client.denied("POST", spend, body, unknown, field, meant, client.key())
    price = {"milliunits": 1, "curency": "USD"}
    client.denied(
        "POST", "/v1/orders",
        {"account": "ana", "product": "com.example.reader.gold.monthly", "price": price},
        unknown, "price.curency", "currency")
    client.denied(
        "POST", "/v1/preflight", {"acount": "ana", "product": "gold"}, unknown, "acount",
        "account")
    client.denied(
        "POST", "/v1/policy/impact", {"files": [{"path": "a.yaml", "txt": ""}]}, unknown,
        "files[0].txt", "text")
    client.denied(
        "POST", "/v1/accounts/ana/catalog/reports",
        {"payments": [{"product": "a", "outcome": "failed", "store_cod": "2"}]}, unknown,
        "payments[0].store_cod", "store_code")
    grant = {"account": "ana", "entitlement": "premium", "reason": "a gift"}
    client.denied("POST", "/v1/grants", grant | {"untill": None}, unknown, "untill", "until")
    client.denied(
        "POST", "/v1/grants", grant | {"entitlement": "premum"}, "deed.unknown-gift",
        "entitlement", "premium")
    client.denied(
        "POST", "/v1/blocks",
        {"account": "ana", "entitlements": ["premium", "archive-202"], "reason": "x"},
        "deed.unknown-gift", "entitlements[1]", "archive-2025")
    client.denied(
        "POST", "/v1/blocks", {"account": "ana", "entitlement": ["premium"], "reason": "x"},
        unknown, "entitlement", "entitlements")
    # AuthZEN's own calls ignore what they do not know.
    answer, content = client.ask(
        "POST", "/access/v1/evaluation",
        {"subject": {"type": "account", "id": "ana", "colour": "red"}, "action": {"name": "use"},
         "resource": {"type": "entitlement", "id": "premium"}, "more": 1})
    client.expect(answer.status == 200, f"AuthZEN with more members: {answer.status} {content}")
    _, account = client.ask("GET", "/v1/accounts/ana")
    client.expect(
        not account["grants"] and not account["blocks"], "what is denied has changed nothing")


def queries(client):
    """Parameters are named; a limit says its bounds; old names of pages mean the same."""
    unknown = "input.unknown-parameter"
    client.denied("GET", "/v1/findings?limt=5", None, unknown, "limt", "limit")
    client.denied("GET", "/v1/accounts/ana?enviroment=sandbox", None, unknown, "enviroment",
                  "environment")
    client.denied("POST", "/v1/grants?environment=sandbox",
                  {"account": "ana", "entitlement": "premium", "reason": "x"}, unknown,
                  "environment")
    lists = ["/v1/findings", "/v1/claims", "/v1/claims/review", "/v1/evidence", "/v1/orders/lost",
             "/v1/refunds/requests", "/v1/changes/undelivered", "/v1/changes"]
    for target in lists:
        for limit in (0, 1_001, 5_000, 10**20):
            said = client.denied(
                "GET", f"{target}?limit={limit}", None, "input.number", "limit")
            client.expect("at most 1000" in said["detail"], f"{target}: {said['detail']}")
    for target in lists[1:]:
        place = "" if target == "/v1/changes" else "&after=0"
        answer, content = client.ask("GET", f"{target}?limit=1{place}")
        client.expect(answer.status == 200, f"{target}: {answer.status} {content}")
    for target, former in [("/v1/evidence", "after_entry"), ("/v1/claims/review", "after_entry"),
                           ("/v1/orders/lost", "after_entry"),
                           ("/v1/refunds/requests", "after_entry"),
                           ("/v1/changes/undelivered", "skip")]:
        answer, _ = client.ask("GET", f"{target}?{former}=0&limit=2")
        client.expect(answer.status == 200, f"{target}?{former}: {answer.status}")
        client.denied("GET", f"{target}?{former}=0&after=0", None, "input.duplicate-parameter",
                      "after")


def heads(client, description):
    """HEAD is answered like GET, without the body, on both sockets."""
    for target, methods in description["paths"].items():
        if "get" not in methods or "{" in target:
            continue
        for name in ("query.sock", "usher.sock"):
            got, content = client.ask("GET", target, name=name)
            head, nothing = client.ask("HEAD", target, name=name)
            client.expect(
                head.status == got.status and nothing == b""
                and head.getheader("Content-Type") == got.getheader("Content-Type"),
                f"HEAD {target} on {name}: {head.status}, GET {got.status}")
    for name in ("query.sock", "usher.sock"):
        connection = LocalConnection(client.service.path(name), 30)
        for _ in range(3):
            connection.request("HEAD", "/v1/accounts/ana/entitlements")
            answer = connection.getresponse()
            answer.read()
            length = int(answer.getheader("Content-Length"))
            connection.request("GET", "/v1/accounts/ana/entitlements")
            answer = connection.getresponse()
            client.expect(length == len(answer.read()), f"the length that HEAD says on {name}")
        connection.close()
    answer, _ = client.ask("PUT", "/livez")
    client.expect(
        answer.status == 405 and answer.getheader("Allow") == "GET, HEAD",
        f"Allow: {answer.getheader('Allow')}")


def upgrades(client):
    """Whoever offers another protocol is answered in this one, and the connection goes on."""
    for name in ("query.sock", "usher.sock"):
        for offer in ("Upgrade: h2c", "upgrade: h2c, websocket",
                      "Upgrade: h2c\r\nUPGRADE: TLS/1.0"):
            head = (f"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                    f"{offer}\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n").encode()
            said = raw(client.service.path(name), head * 3)
            client.tried += 3
            client.expect(
                said.count(b"HTTP/1.1 200 OK") == 3 and b" 101 " not in said,
                f"{offer} on {name}: {said[:120]}")
    body = json.dumps({"account": "ana", "product": "com.example.reader.gold.monthly"}).encode()
    head = (b"POST /v1/preflight HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body))
    said = raw(client.service.path("usher.sock"), (head + body) * 2)
    client.expect(said.count(b"HTTP/1.1 200 OK") == 2, f"a body behind an offer: {said[:200]}")


def deletions(client):
    """The reason of a DELETE may stand in its query; a body without a length is never half a call."""
    path = client.service.path("usher.sock")
    reason = "reason=given%20by%20mistake"

    def grant():
        return client.made(
            "/v1/grants", {"account": "dora", "entitlement": "premium", "reason": "a gift"})

    def revoked(grant):
        _, account = client.ask("GET", "/v1/accounts/dora")
        return next(
            "revoked" in one for one in account["grants"] if one["grant"] == grant["grant"])

    one = grant()
    answer, content = client.ask("DELETE", f"/v1/grants/{one['grant']}?{reason}")
    client.expect(
        answer.status == 200 and content["revoked"]["reason"] == "given by mistake"
        and content["revision"] > one["revision"],
        f"DELETE with its reason in the query: {answer.status} {content}")
    two = grant()
    target = f"/v1/grants/{two['grant']}"
    client.denied("DELETE", target, None, "input.missing", "reason")
    client.denied("DELETE", f"{target}?{reason}", {"reason": "x"}, "input.duplicate-parameter",
                  "reason")
    client.denied("DELETE", f"{target}?reson=x", None, "input.unknown-parameter", "reson",
                  "reason")
    client.denied("DELETE", target, None, "http.length-required", "Content-Length",
                  headers={"Content-Type": "application/json"})
    for kind in ("", "Content-Type: application/json\r\n"):
        for query in ("", "?" + reason):
            head = f"DELETE {target}{query} HTTP/1.1\r\nHost: a\r\n{kind}\r\n".encode()
            said = raw(path, head + b'{"reason": "x"}')
            client.tried += 1
            client.expect(
                said.startswith(b"HTTP/1.1 411 ") and b"http.length-required" in said,
                f"a body without a length, {kind!r} {query!r}: {said[:200]}")
    client.expect(not revoked(two), "a call without a length has been carried out")
    answer, content = client.ask("DELETE", target, {"reason": "in the body"})
    client.expect(answer.status == 200 and revoked(two), f"DELETE with a body: {content}")


def credits(client):
    """Spends and holds can be looked at; amounts of any size are answered alike."""
    client.made("/v1/grants", {
        "account": "ana", "credit": "coins", "units": 100, "reason": "to begin with"})
    spent = client.made("/v1/accounts/ana/credits/coins/spend", {"amount": 5})
    client.expect(spent["revision"] == spent["id"], f"the revision of a spend: {spent}")
    _, spend = client.ask("GET", f"/v1/spends/{spent['id']}")
    client.expect(
        spend["state"] == "spent" and spend["left"] == [{"credit": "coins", "amount": 5}],
        f"a spend: {spend}")
    client.made(f"/v1/spends/{spent['id']}/reverse", {"credits": [{"credit": "coins", "amount": 2}]})
    _, spend = client.ask("GET", f"/v1/spends/{spent['id']}")
    client.expect(spend["left"] == [{"credit": "coins", "amount": 3}], f"reversed: {spend}")
    _, description = client.ask("GET", "/openapi.json")
    hold = description["paths"]["/v1/accounts/{account}/holds"]["post"]
    until = hold["requestBody"]["content"]["application/json"]["example"]["until"]
    held = client.made(
        "/v1/accounts/ana/holds",
        {"credits": [{"credit": "coins", "amount": 7}], "until": until})
    _, hold = client.ask("GET", f"/v1/holds/{held['id']}")
    client.expect(hold["state"] == "held" and hold["until"] == until, f"a hold: {hold}")
    captured = client.made(
        f"/v1/holds/{held['id']}/capture", {"credits": [{"credit": "coins", "amount": 4}]})
    _, hold = client.ask("GET", f"/v1/holds/{held['id']}")
    client.expect(
        hold["state"] == "captured" and hold["end"] == captured["id"] and not hold["left"],
        f"a captured hold: {hold}")
    _, spend = client.ask("GET", f"/v1/spends/{captured['id']}")
    client.expect(
        spend["hold"] == held["id"] and spend["credits"] == [{"credit": "coins", "amount": 4}],
        f"what a capture has spent: {spend}")
    client.denied("GET", f"/v1/holds/{spent['id']}", None, "credit.unknown-hold", "hold")
    client.denied("GET", f"/v1/spends/{held['id']}", None, "credit.unknown-spend", "spend")
    sizes = [0, -1, 10**9 + 1, 2**53 + 1, 2**63 - 1, 2**63, 10**30, -10**30]
    for size in sizes:
        client.denied("POST", "/v1/accounts/ana/credits/coins/spend", {"amount": size},
                      "input.value", "amount", headers=client.key())
        client.denied("POST", "/v1/accounts/ana/spend",
                      {"credits": [{"credit": "gifts", "amount": 1},
                                   {"credit": "coins", "amount": size}]},
                      "input.value", "credits[1].amount", headers=client.key())
        client.denied("POST", "/access/v1/evaluation",
                      {"subject": {"type": "account", "id": "ana"},
                       "action": {"name": "spend", "properties": {"amount": size}},
                       "resource": {"type": "credit", "id": "coins"}},
                      "input.value", "action.properties.amount")
    client.denied("POST", "/v1/accounts/ana/spend",
                  {"credits": [{"credit": "coins", "amount": 1}, {"credit": "cions", "amount": 1}]},
                  "credit.unknown", "credits[1].credit", "coins", client.key())


def request_ids(client):
    """The id of a request comes back byte for byte."""
    for name in ("query.sock", "usher.sock"):
        for written in (b"7f3a", b"a b\tc", "Stra\u00dfe-\u8ba2\u5355".encode(), b'"{}\\,;='):
            for target in (b"/v1/accounts/ana/entitlements", b"/none"):
                said = raw(
                    client.service.path(name),
                    b"GET %s HTTP/1.1\r\nHost: a\r\nX-Request-ID: %s\r\n\r\n" % (target, written))
                client.tried += 1
                lines = said.partition(b"\r\n\r\n")[0].lower().split(b"\r\n")
                client.expect(
                    b"x-request-id: " + written.lower() in lines, f"{written} on {name}: {lines}")


def descriptions(client, description):
    """The description says what is so: keys, answers that say "later", streams."""
    shared = description["components"]["parameters"]

    def resolved(parameter):
        return shared[parameter["$ref"].rpartition("/")[2]] if "$ref" in parameter else parameter

    for target, methods in description["paths"].items():
        for method, operation in methods.items():
            found = [resolved(one) for one in operation["parameters"]]
            names = {one["name"]: one for one in found}
            needs = target.endswith(("/spend", "/holds", "/reverse")) and method == "post"
            key = names.get("Idempotency-Key")
            client.expect(
                not needs or key is not None and key.get("required") is True,
                f"{method} {target}: the key is needed")
            client.expect("X-Request-ID" in names, f"{method} {target}: X-Request-ID")
            for status, answer in operation["responses"].items():
                answer_headers = answer.get("headers", {})
                client.expect("X-Request-ID" in answer_headers, f"{method} {target} {status}")
                if status in ("429", "503"):
                    client.expect("Retry-After" in answer_headers, f"{method} {target} {status}")
    changes = description["paths"]["/v1/changes"]["get"]
    client.expect(
        "text/event-stream" in changes["responses"]["200"]["content"]
        and "Last-Event-ID" in [resolved(one)["name"] for one in changes["parameters"]],
        "streams")


def speak(service, expect):
    client = Client(service, expect)
    _, description = client.ask("GET", "/openapi.json")
    members(client)
    queries(client)
    heads(client, description)
    upgrades(client)
    deletions(client)
    credits(client)
    request_ids(client)
    descriptions(client, description)
    return client.tried
