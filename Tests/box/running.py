"""A running App Store in a box, and a server that its notifications are posted to."""

import http.server
import json
import pathlib
import select
import signal
import subprocess
import threading
import urllib.error
import urllib.request


class Box:
    """`usher simulate serve` on a free port, its clock at a standstill."""

    def __init__(self, usher, folder, *options):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen(
            [usher, "simulate", "serve", "--listen", "127.0.0.1:0", "--speed", "0", "--start",
             "2026-01-01", "--out", folder, "--json", *options],
            stdout=subprocess.PIPE, text=True)
        ready, _, _ = select.select([self.process.stdout], [], [], 60)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            self.process.kill()
            raise RuntimeError("the box does not start")
        self.url = json.loads(line)["url"]
        self.settings = json.loads((self.folder / "settings.json").read_text())

    def call(self, method, path, body=None):
        """The status and the JSON of a control call."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + "/box" + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def expect(self, method, path, body=None):
        status, answer = self.call(method, path, body)
        if status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer

    def say(self, *lines, environment="production"):
        return self.expect("POST", "/say", {"lines": lines, "environment": environment})

    def advance(self, period):
        return self.expect("POST", "/clock", {"advance": period})

    def now(self):
        return self.expect("GET", "/clock")["now_ms"]

    def fail(self, failure, **members):
        self.expect("POST", "/failures", {"failure": failure, **members})

    def purchase(self, name, environment="production"):
        return self.expect("GET", f"/purchases/{name}?environment={environment}")

    def ids(self, name, environment="production"):
        found = self.purchase(name, environment)["transactions"]
        return [transaction["transaction_id"] for transaction in found]

    def stop(self):
        """Stops it in an orderly way; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


class Hook:
    """A server that keeps what is posted to it, and answers as it is told."""

    def __init__(self):
        self.payloads = []
        self.status = 200
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.payloads.append(json.loads(body)["signedPayload"])
                self.send_response(hook.status)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self):
        taken, self.payloads = self.payloads, []
        return taken
