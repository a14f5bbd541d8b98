"""A service to which twelve customers have written, consoles before it, and what is counted."""

import html
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from shop import LocalConnection  # noqa: E402

PATIENCE = 30
FORM = ("Content-Type", "application/x-www-form-urlencoded")
LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/enter\?code=([0-9a-f]+)")
HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
NOT_THERE = (ConnectionRefusedError, FileNotFoundError)


class Checks:
    """Counts what holds, and says what does not."""

    def __init__(self):
        self.count, self.failed = 0, []

    def __call__(self, holds, name, detail=""):
        self.count += 1
        if not holds:
            self.failed.append(name)
            print(f"console: FAILED: {name}: {str(detail)[:600]}", flush=True)


class Answer:
    """What came back: the fields in their order, names in lower case."""

    def __init__(self, status, fields, body):
        self.status, self.body, self.text = status, body, body.decode("utf-8", "replace")
        self.fields = [(name.lower(), value) for name, value in fields]

    def field(self, name):
        return next((value for field, value in self.fields if field == name), None)

    @property
    def token(self):
        return dict(HIDDEN.findall(self.text)).get("token")


def exchange(connection, method, target, fields, body=None):
    """One request with exactly these fields, and its answer."""
    try:
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in fields:
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    except NOT_THERE:
        raise
    except (http.client.HTTPException, OSError) as error:
        # Nobody answered: no check takes this for an answer.
        return Answer(0, [], repr(error).encode())
    finally:
        connection.close()


def set_up(usher, folder):
    """What the customers wrote about, in a folder that `Service` starts from."""
    script = os.path.join(os.path.dirname(__file__), "letters", "set-up")
    subprocess.run([script, usher, folder], check=True, stdout=subprocess.DEVNULL)


class Service:
    """A service on a copy of that folder, with a ledger that it keeps when it is killed."""

    def __init__(self, usher, source, folder, options=()):
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("run", "played"))
        self.usher, self.folder, self.process = usher, folder, None
        self.sockets, self.policies = os.path.join(folder, "run"), os.path.join(folder, "policies")
        self.words = [
            usher, "serve", "--ledger", os.path.join(folder, "ledger"), "--policies", self.policies,
            "--sockets", self.sockets, "--log-level", "error", *options]
        with open(os.path.join(folder, "receipt.txt"), encoding="ascii") as file:
            self.receipt = file.read().strip()

    def start(self):
        self.process = subprocess.Popen(
            self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if self.ask("GET", "/readyz", name="query.sock").status == 200:
                    return self
            except NOT_THERE:
                pass
            time.sleep(0.02)
        raise RuntimeError("the service did not become ready")

    def close(self):
        """At once, and whatever it does."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(timeout=PATIENCE)

    def ask(self, method, path, body=None, name="usher.sock", fields=()):
        connection = LocalConnection(os.path.join(self.sockets, name))
        own = [("Host", "localhost"), ("Content-Type", "application/json")]
        data = None if body is None else json.dumps(body).encode()
        return exchange(connection, method, path, [*own, *fields], data)

    def get(self, path):
        return json.loads(self.ask("GET", path).text)

    @property
    def head(self):
        """The newest entry and its hash: the same if nothing was recorded."""
        ledger = self.get("/status")["ledger"]
        return ledger["head"], ledger["hash"]

    def may(self, account, entitlement):
        return self.get(f"/v1/accounts/{account}/entitlements/{entitlement}")["decision"]


class Console:
    """A console, and the session of one person with it."""

    def __init__(self, service, *options, environment=None, user=None):
        self.process = subprocess.Popen(
            [service.usher, "console", "--sockets", service.sockets, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, user=user, group=user,
            env=os.environ | {"LANG": "en_GB.UTF-8"} | (environment or {}))
        found = LINK.search(self.process.stdout.readline())
        self.link, self.port, self.code = (
            (found[0], int(found[1]), found[2]) if found else ("", 0, ""))
        self.host, self.cookie = f"127.0.0.1:{self.port}", ""
        self.url = "http://" + self.host

    def enter(self):
        answer = self.post("/enter", {"code": self.code})
        self.cookie = (answer.field("set-cookie") or "").split(";")[0]
        return answer

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def send(self, method, target, fields=(), body=None, host=None, cookie=None):
        """A request with the session; `host` may be a list of values.

        Comes back later, as a person does, where the service makes too many previews."""
        hosts = [self.host] if host is None else host if isinstance(host, list) else [host]
        cookie = self.cookie if cookie is None else cookie
        own = [("Host", value) for value in hosts] + ([("Cookie", cookie)] if cookie else [])
        while True:
            answer = exchange(self.connection(), method, target, [*own, *fields], body)
            if answer.status != 429:
                return answer
            time.sleep(0.1)

    def get(self, target, *fields, **other):
        return self.send("GET", target, fields, **other)

    def post(self, target, form, *fields, **other):
        body = urllib.parse.urlencode(form).encode()
        return self.send("POST", target, [FORM, *fields], body, **other)

    @property
    def token(self):
        return self.get("/service").token

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()


class Form:
    """The form of an action, as a page has it; what a page that failed shows is sent again."""

    def __init__(self, console, verb, said):
        self.console, self.verb = console, verb
        self.read(console.get(f"/do/{verb}?" + urllib.parse.urlencode(said)))

    def read(self, answer):
        _, _, part = answer.text.partition('method="post" action="/do/')
        self.fields = [
            (name, html.unescape(value))
            for name, value in HIDDEN.findall(part.partition("</form>")[0])]

    def send(self, *fields, reason="asked"):
        return self.console.post("/do/" + self.verb, [*self.fields, ("reason", reason)], *fields)
