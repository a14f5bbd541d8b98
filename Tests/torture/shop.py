"""A service of its own on a ledger of its own, and clients that keep what was acknowledged."""

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time


class LocalConnection(http.client.HTTPConnection):
    """HTTP over a unix domain socket."""

    def __init__(self, path, timeout=30):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Shop:
    """The example app's policy, trusting the simulated store instead of Apple."""

    def __init__(self, usher, repository, folder):
        self.usher = usher
        self.repository = repository
        self.folder = folder
        self.sockets = os.path.join(folder, "run")
        self.ledger = os.path.join(folder, "data", "ledger")
        self.policies = os.path.join(folder, "policies")
        self.environment = {}
        self.options = []
        os.makedirs(self.policies)
        os.makedirs(os.path.dirname(self.ledger), exist_ok=True)
        for name in ("catalog.yaml", "rules.yaml", "app.yaml"):
            with open(os.path.join(repository, "policies", name), encoding="utf-8") as file:
                text = file.read()
            text = text.replace("jws: [apple-root-ca-g3]", "jws: [{file: root.pem}]")
            text = text.replace("receipt: [apple-inc-root]", "receipt: [{file: root.pem}]")
            with open(os.path.join(self.policies, name), "w", encoding="utf-8") as file:
                file.write(text)
        evidence = os.path.join(repository, "fixtures", "evidence")
        self.fixtures = os.path.join(evidence, "purchases.jsonl")
        root = os.path.join(evidence, "simulator-root.pem")
        with open(root, "rb") as source, open(self.policies + "/root.pem", "wb") as target:
            target.write(source.read())

    def purchases(self, count, accounts, start=0):
        """Bodies of POST /v1/evidence, each with the id of its transaction."""
        text = subprocess.run(
            [os.path.join(os.path.dirname(os.path.realpath(self.usher)), "sample-evidence"),
             "--count", str(count), "--accounts", str(accounts), "--from", str(start)],
            check=True, capture_output=True, text=True).stdout
        return [(str(500_000_000_000_000 + start + number), line.encode())
                for number, line in enumerate(text.splitlines())]

    def launch(self, wrapper=(), output=None, level="error"):
        """Starts the service and waits for nothing."""
        return subprocess.Popen(
            [*wrapper, self.usher, "serve", "--ledger", self.ledger, "--policies", self.policies,
             "--sockets", self.sockets, "--log-level", level, *self.options],
            env=os.environ | self.environment, stdout=subprocess.DEVNULL,
            stderr=output or subprocess.DEVNULL)

    def start(self, wrapper=(), output=None, path="/readyz", level="error"):
        """Starts the service and returns once it answers; None if it ended before."""
        process = self.launch(wrapper, output, level)
        for _ in range(3000):
            if process.poll() is not None:
                return None
            if self.is_ready(path):
                return process
            time.sleep(0.01)
        process.kill()
        raise RuntimeError("the service did not become ready")

    def is_ready(self, path="/readyz"):
        try:
            return self.get(path)[0] == 200
        except OSError:
            return False

    def get(self, path, name="query.sock", timeout=30):
        return self.ask("GET", path, name=name, timeout=timeout)

    def ask(self, method, path, body=None, name="usher.sock", timeout=30):
        connection = LocalConnection(os.path.join(self.sockets, name), timeout)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, response.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def buy(self, purchases, clients, limit=None, process=None, answers=None,
            strike=None):
        """Hands in the purchases from that many clients at once.

        Returns what each transaction was answered with (its status), for those that were
        answered, in `answers` as they come. At `limit` acknowledgements `strike` is done: the
        process is killed, if nothing else is said."""
        strike = strike or (lambda: process.send_signal(signal.SIGKILL))
        answers = {} if answers is None else answers
        lock, rest = threading.Lock(), iter(purchases)

        def client():
            connection = LocalConnection(os.path.join(self.sockets, "usher.sock"))
            while True:
                with lock:
                    purchase = next(rest, None)
                if purchase is None:
                    break
                try:
                    connection.request("POST", "/v1/evidence", purchase[1],
                                       {"Content-Type": "application/json"})
                    response = connection.getresponse()
                    response.read()
                except (OSError, http.client.HTTPException):
                    connection.close()
                    if process is not None and process.poll() is not None:
                        break
                    continue
                with lock:
                    answers[purchase[0]] = response.status
                    good = sum(1 for status in answers.values() if status == 200)
                    if limit is not None and good == limit:
                        strike()
            connection.close()

        threads = [threading.Thread(target=client) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def run(self, *arguments, wrapper=()):
        """A command, run to its end."""
        return subprocess.run([*wrapper, self.usher, *arguments], capture_output=True, text=True,
                              check=False)

    def delivered(self, account):
        """The ids of the transactions that were delivered to the account, one for each time."""
        status, body = self.get(f"/v1/accounts/{account}/credits")
        if status != 200:
            raise RuntimeError(f"no balance: {status} {body[:200]}")
        return [entry["transaction"] for balance in json.loads(body)["balances"]
                for entry in balance["entries"] if entry.get("cause") == "delivery"]


def stop(process):
    """Asks it to end, and waits."""
    process.send_signal(signal.SIGTERM)
    return process.wait(timeout=60)


def kill_traced(tracer):
    """Kills the service that runs under strace; strace ends with it."""
    if tracer.poll() is None:
        path = f"/proc/{tracer.pid}/task/{tracer.pid}/children"
        with open(path, encoding="ascii") as file:
            for child in file.read().split():
                os.kill(int(child), signal.SIGKILL)
    tracer.wait()
