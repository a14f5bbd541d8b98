"""A service that knows the letters of docs/SUPPORT.md, consoles before it, and what is counted."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse

PATIENCE = 30
FORM = ("Content-Type", "application/x-www-form-urlencoded")


class Checks:
    """Counts what holds, and says what does not."""

    def __init__(self):
        self.count = 0
        self.failed = []

    def __call__(self, holds, name, detail=""):
        self.count += 1
        if not holds:
            self.failed.append(name)
            print(f"console: FAILED: {name}{': ' if detail else ''}{str(detail)[:600]}", flush=True)
        return bool(holds)


class Answer:
    """What came back: the fields in their order, names in lower case."""

    def __init__(self, status, fields, body):
        self.status = status
        self.fields = [(name.lower(), value) for name, value in fields]
        self.body = body
        self.text = body.decode("utf-8", "replace")

    def field(self, name):
        return next((value for field, value in self.fields if field == name), None)

    @property
    def token(self):
        found = re.search(r'name="token" value="([^"]*)"', self.text)
        return found[1] if found else None


class LocalConnection(http.client.HTTPConnection):
    """HTTP over a unix domain socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


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
    except (http.client.HTTPException, OSError) as error:
        if isinstance(error, (ConnectionRefusedError, FileNotFoundError)):
            raise
        # Nobody answered: no check takes this for an answer.
        return Answer(0, [], repr(error).encode())
    finally:
        connection.close()


def set_up(usher, folder):
    """What twelve customers wrote about, in a folder that `Service` starts from."""
    script = os.path.join(os.path.dirname(__file__), "letters", "set-up")
    subprocess.run([script, usher, folder], check=True, stdout=subprocess.DEVNULL)


class Service:
    """A service on a copy of a folder, with a ledger that it keeps when it is killed."""

    def __init__(self, usher, source, folder, options=()):
        self.usher, self.folder, self.options = usher, folder, options
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("run", "played"))
        self.sockets = os.path.join(folder, "run")
        self.policies = os.path.join(folder, "policies")
        self.ledger = os.path.join(folder, "ledger")
        self.process = None
        with open(os.path.join(folder, "receipt.txt"), encoding="ascii") as file:
            self.receipt = file.read().strip()

    def start(self):
        self.process = subprocess.Popen(
            [self.usher, "serve", "--ledger", self.ledger, "--policies", self.policies,
             "--sockets", self.sockets, "--log-level", "error", *self.options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if self.ask("GET", "/readyz", name="query.sock").status == 200:
                    return self
            except (ConnectionRefusedError, FileNotFoundError):
                pass
            time.sleep(0.02)
        raise RuntimeError("the service did not become ready")

    def close(self):
        self.kill()

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait(timeout=PATIENCE)

    def ask(self, method, path, body=None, name="usher.sock", fields=()):
        connection = LocalConnection(os.path.join(self.sockets, name))
        data = None if body is None else json.dumps(body).encode()
        return exchange(connection, method, path,
                        [("Host", "localhost"), ("Content-Type", "application/json"), *fields], data)

    def get(self, path):
        return json.loads(self.ask("GET", path).body)

    @property
    def head(self):
        """The newest entry and its hash: the same if nothing was recorded."""
        ledger = self.get("/status")["ledger"]
        return ledger["head"], ledger["hash"]

    def may(self, account, entitlement):
        answer = self.get(f"/v1/accounts/{urllib.parse.quote(account, safe='')}"
                          f"/entitlements/{entitlement}")
        return answer["decision"]


class Console:
    """A console, and one browser's session of it."""

    def __init__(self, service, *options, environment=None, user=None):
        self.process = subprocess.Popen(
            [service.usher, "console", "--sockets", service.sockets, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, user=user, group=user,
            env=os.environ | {"LANG": "en_GB.UTF-8"} | (environment or {}))
        self.line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/enter\?code=([0-9a-f]+)", self.line)
        self.port, self.code = (int(found[1]), found[2]) if found else (0, "")
        self.link = found[0] if found else ""
        self.host = f"127.0.0.1:{self.port}"
        self.url = "http://" + self.host
        self.cookie = ""

    def enter(self):
        answer = self.post("/enter", {"code": self.code})
        self.cookie = (answer.field("set-cookie") or "").split(";")[0]
        return answer

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def send(self, method, target, fields=(), body=None, host=None, cookie=None):
        """A request of a browser that has the session; `host` may be a list of values.

        Comes back later, as a person does, where the service makes too many previews."""
        hosts = [self.host] if host is None else host if isinstance(host, list) else [host]
        cookie = self.cookie if cookie is None else cookie
        own = [("Host", value) for value in hosts] + ([("Cookie", cookie)] if cookie else [])
        while (answer := exchange(self.connection(), method, target, [*own, *fields], body)).status == 429:
            time.sleep(0.1)
        return answer

    def get(self, target, *fields, **other):
        return self.send("GET", target, fields, **other)

    def post(self, target, form, *fields, **other):
        return self.send("POST", target, [FORM, *fields],
                         urllib.parse.urlencode(form).encode(), **other)

    def raw(self, data, timeout=PATIENCE):
        """Bytes as they are, and what comes until the end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as stream:
            answer = b""
            try:
                stream.sendall(data)
                while part := stream.recv(65_536):
                    answer += part
            except OSError:
                pass
            return answer

    @property
    def token(self):
        return self.get("/service").token

    def do(self, verb, said, *fields, **other):
        """What a person does on the page of a form: looks, states the reason, and does it."""
        page = self.get(f"/do/{verb}?" + urllib.parse.urlencode(said), *fields)
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
        filled = [(name, unescape(value)) for name, value in hidden]
        return self.post(f"/do/{verb}", [*filled, ("reason", other.get("reason", "asked"))], *fields)

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()


def unescape(text):
    for name, value in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"),
                        ("&amp;", "&")):
        text = text.replace(name, value)
    return text
