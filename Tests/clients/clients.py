"""Clients of others, and one that is made from docs/openapi.json; see scripts/check-clients.

    clients.py USHER REPOSITORY [--examples N]
"""

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from shop import Shop, stop  # noqa: E402

TOOLS = os.path.dirname(sys.executable)
# 501: Apple's servers are not configured here, which the calls that need them describe. 503 is what a
# description cannot say: that the ledger is behind what was asked for, or closed.
ALLOWED = '["2xx", "3xx", "4xx", "501", "503"]'


class Bridge:
    """A TCP port of this machine that leads to a unix socket, byte by byte: the clients of others
    speak no other."""

    def __init__(self, path):
        self.path = path
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            service = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                service.connect(self.path)
            except OSError:
                client.close()
                service.close()
                continue
            for pair in ((client, service), (service, client)):
                threading.Thread(target=carry, args=pair, daemon=True).start()


def carry(source, target):
    try:
        while part := source.recv(65_536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def check_sdk(url):
    """A published AuthZEN client, as it is."""
    import decern

    client = decern.Client(url)

    def ask(account, entitlement):
        return client.evaluate({"type": "account", "id": account}, "use",
                               {"type": "entitlement", "id": entitlement})

    found = ask("buyer-0", "premium")
    assert found.allowed and found.context["policy"], found
    for denied in (ask("nobody", "premium"), ask("buyer-0", "no-such-thing")):
        assert not denied.allowed and not denied.errors, denied
    try:
        client.evaluate({"type": "account"}, "use", {"type": "entitlement", "id": "premium"})
        raise AssertionError("an account without an id is no question")
    except decern.DecernError as error:
        assert error.status_code == 400 and "input.missing" in error.body, error
    print("clients: decern: 4 questions")


def check_generated(description, path, folder):
    """A Python client made from the description has every call, and works."""
    output = os.path.join(folder, "client")
    # Its own formatter is not needed to use it.
    config = os.path.join(folder, "config.yaml")
    with open(config, "w", encoding="ascii") as file:
        file.write("post_hooks: []\n")
    made = subprocess.run(
        [TOOLS + "/openapi-python-client", "generate", "--path", description, "--output-path",
         output, "--meta", "none", "--config", config, "--fail-on-warning"],
        capture_output=True, text=True, check=False)
    assert made.returncode == 0 and "WARNING" not in made.stdout + made.stderr, made.stdout
    with open(description, encoding="utf-8") as file:
        operations = {operation["operationId"] for methods in json.load(file)["paths"].values()
                      for operation in methods.values()}
    names = {file[:-3] for _, _, files in os.walk(output + "/api") for file in files
             if file not in ("__init__.py",)}
    expected = {snake(operation) for operation in operations}
    assert names == expected, names ^ expected
    sys.path.insert(0, folder)
    import httpx
    from client.api.questions import evaluate
    from client.client import Client
    from client.models import Evaluation

    made = Client(base_url="http://localhost")
    made.set_httpx_client(httpx.Client(
        base_url="http://localhost", transport=httpx.HTTPTransport(uds=path)))
    question = {"subject": {"type": "account", "id": "buyer-0"}, "action": {"name": "use"},
                "resource": {"type": "entitlement", "id": "premium"}}
    answer = evaluate.sync(client=made, body=Evaluation.from_dict(question))
    assert answer.decision is True, answer
    print(f"clients: openapi-python-client: {len(names)} calls")


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def check_random(description, url, folder, examples, *filters):
    """Random requests of the described shapes, and others, get described answers."""
    config = os.path.join(folder, "schemathesis.toml")
    with open(config, "w", encoding="ascii") as file:
        file.write(f"[checks]\nnot_a_server_error.expected-statuses = {ALLOWED}\n")
    here = os.path.dirname(os.path.abspath(__file__))
    run = subprocess.run(
        [TOOLS + "/schemathesis", "--config-file", config, "run", description, "--url", url,
         "--phases", "examples,fuzzing", "--max-examples", str(examples), "--seed", "1",
         "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
         "response_schema_conformance", "--continue-on-failure", "--warnings", "off",
         "--suppress-health-check", "all", *filters],
        capture_output=True, text=True, check=False, cwd=folder,
        env=os.environ | {"PYTHONPATH": here, "SCHEMATHESIS_HOOKS": "hooks", "NO_COLOR": "1"})
    assert run.returncode == 0, run.stdout[-6_000:] + run.stderr[-2_000:]
    cases = re.search(r"(\d+) generated", run.stdout)
    print(f"clients: schemathesis: {cases[1] if cases else run.stdout[-300:]} requests")


def check_curl(folder):
    """curl as people type it: it offers HTTP/2, looks with HEAD, and deletes without a body."""
    question = json.dumps({
        "subject": {"type": "account", "id": "buyer-0"}, "action": {"name": "use"},
        "resource": {"type": "entitlement", "id": "premium"}})
    calls = [
        ("200", "/v1/accounts/buyer-0/entitlements", "--http2"),
        ("200", "/v1/accounts/buyer-0/entitlements", "--head"),
        ("200", "/v1/accounts/buyer-0/entitlements", "--head", "--http2"),
        ("200", "/access/v1/evaluation", "--http2", "--json", question),
        ("404", "/v1/blocks/none?reason=a%20test", "--request", "DELETE"),
        ("404", "/v1/blocks/none?reason=a%20test", "--request", "DELETE", "--http2"),
        ("400", "/v1/blocks/none", "--request", "DELETE"),
    ]
    for wanted, target, *arguments in calls:
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--max-time", "30", "--output", "/dev/null",
             "--write-out", "%{http_code} %{http_version}", *arguments, "--unix-socket",
             os.path.join(folder, "usher.sock"), "http://localhost" + target],
            capture_output=True, text=True, check=False)
        assert done.stdout == f"{wanted} 1.1", f"curl {target} {arguments}: {done}"
    print(f"clients: curl: {len(calls)} calls")


# What the pages of lists list.
LISTED = {"tickets", "findings", "claims", "orders", "changes", "requests", "drift"}


def check_pages(description, shop):
    """Each list with a limit goes on behind 'next', and has the same in pages of one."""
    with open(description, encoding="utf-8") as file:
        paths = json.load(file)["paths"]
    found = {}
    for path, operations in paths.items():
        names = {parameter.get("name") for parameter in
                 operations.get("get", {}).get("parameters", [])}
        if "limit" not in names:
            continue
        assert "after" in names, f"{path} has no second page"
        target = path.replace("{account}", "buyer-0")
        if "{" not in target:
            whole, pieces = walk(shop, target, 1000), walk(shop, target, 1)
            assert whole == pieces, f"{target}: {len(whole)} items, in pages {len(pieces)}"
            found[target] = len(whole)
    assert found["/v1/accounts/buyer-0/orders"] == 3, found
    print(f"clients: pages: {len(found)} lists, {sum(found.values())} items")


def walk(shop, target, limit):
    """All items of a list, without the instant at which each was read."""
    items, after = [], ""
    while True:
        status, body = shop.ask("GET", f"{target}?limit={limit}{after}")
        assert status == 200, body
        page = json.loads(body)
        [listed] = [page[name] for name in LISTED & page.keys()]
        assert len(listed) <= limit, body
        items += listed
        if page.get("next") is None or not listed:
            return sorted(json.dumps(item | {"at": None}) for item in items)
        after = f"&after={page['next']}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--examples", type=int, default=8)
    options = parser.parse_args()
    description = os.path.join(options.repository, "docs", "openapi.json")
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(options.usher, options.repository, os.path.join(folder, "s"))
        backups = os.path.join(folder, "backups")
        os.makedirs(backups)
        shop.options = ["--set", f"backups={backups}"]
        process = shop.start()
        try:
            if set(shop.buy(shop.purchases(20, 5), 2).values()) != {200}:
                raise RuntimeError("the ledger cannot be filled")
            gift = {"account": "buyer-0", "entitlement": "premium", "reason": "a test"}
            status, body = shop.ask("POST", "/v1/grants", json.dumps(gift))
            if status != 200:
                raise RuntimeError(f"nothing can be granted: {body}")
            for name in ("coins.100", "coins.1200", "archive.2025"):
                order = {"account": "buyer-0", "product": "com.example.reader." + name}
                status, body = shop.ask("POST", "/v1/orders", json.dumps(order))
                if status != 200:
                    raise RuntimeError(f"nothing can be ordered: {body}")
            check_pages(description, shop)
            for name in ("query.sock", "usher.sock"):
                check_sdk(Bridge(os.path.join(shop.sockets, name)).url)
            check_curl(shop.sockets)
            check_generated(description, os.path.join(shop.sockets, "query.sock"), folder)
            check_random(description, Bridge(os.path.join(shop.sockets, "query.sock")).url, folder,
                         options.examples, "--include-tag", "questions")
            check_random(description, Bridge(os.path.join(shop.sockets, "usher.sock")).url, folder,
                         options.examples)
            if code := process.poll() or stop(process):
                raise RuntimeError(f"the service ended with {code}")
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
