"""Changes are pushed to the receiver of examples/push while it and the service are killed at random:
every change arrives, in the order of the feed. See scripts/check-push."""

import argparse
import base64
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from shop import Shop, stop  # noqa: E402

SETTINGS = """
subscriptions:
  app: {{url: "{folder}/hook.sock:/changes", secret-file: {folder}/secret, from: start}}
  rights: {{url: "{folder}/rights.sock", secret-env: RIGHTS_SECRET, from: start,
    accounts: odd-, kinds: [right-gained], entitlements: [premium]}}
  dead: {{url: "http://127.0.0.1:9/", secret-file: {folder}/secret}}
  gone: {{url: "{folder}/gone.sock", secret-file: {folder}/secret, from: start}}
  vain: {{url: "{folder}/gone.sock", secret-file: {folder}/secret, entitlements: [premum, audio]}}
"""


class Refuser(threading.Thread):
    """A receiver that answers every request with the same status."""

    def __init__(self, path, status):
        super().__init__(daemon=True)
        self.status = status
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(path)
        self.listener.listen(8)
        self.start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            connection.recv(65_536)
            connection.sendall(f"HTTP/1.1 {self.status} x\r\nContent-Length: 0\r\n"
                               "Connection: close\r\n\r\n".encode())
            connection.close()


class Receiver:
    """One of examples/push, on a socket."""

    def __init__(self, repository, folder, name):
        self.command = ["python3", f"{repository}/examples/push/receive.py",
                        f"{folder}/{name}.sock", f"{folder}/secret", f"{folder}/{name}.state"]
        self.log = f"{folder}/{name}.log"
        self.process = None

    def start(self):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=log)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def lines(self):
        with open(self.log, encoding="utf-8") as log:
            words = [line.split() for line in log.read().splitlines()]
        return [(int(line[0]), *line[1:]) for line in words if line[0].isdecimal()]


def grant(shop, account):
    body = {"account": account, "entitlement": "premium", "reason": "a test"}
    status, answer = shop.ask("POST", "/v1/grants", json.dumps(body))
    if status not in (200, 201):
        raise RuntimeError(f"a grant was answered {status}: {answer}")


def feed(shop):
    """All changes, as those that ask get them."""
    changes, after = [], None
    while True:
        query = "?" + urllib.parse.urlencode({"after": after}) if after else ""
        status, body = shop.ask("GET", f"/v1/changes{query}")
        if status != 200:
            raise RuntimeError(f"/v1/changes was answered {status}: {body}")
        page = json.loads(body)
        changes += page["changes"]
        if page["at_head"] and page["caught_up"]:
            return changes
        if page["at_head"]:
            time.sleep(0.05)
        after = page["next"]


def undelivered(shop):
    return json.loads(shop.ask("GET", "/v1/changes/undelivered")[1])


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def check(received, expected, what):
    """Each arrived, and none before an older one."""
    numbers = [line[0] for line in received]
    if set(numbers) != {change["number"] for change in expected}:
        missing = sorted({change["number"] for change in expected} - set(numbers))
        raise RuntimeError(f"{what}: missing {missing[:10]}, or more than there are")
    for before, after in zip(numbers, numbers[1:]):
        if after < before:
            raise RuntimeError(f"{what}: {after} came after {before}")


def run(usher, repository, folder, rounds, seed):
    chance = random.Random(seed)
    secret = "whsec_" + base64.b64encode(chance.randbytes(32)).decode()
    descriptor = os.open(f"{folder}/secret", os.O_WRONLY | os.O_CREAT, 0o600)
    os.write(descriptor, secret.encode())
    os.close(descriptor)
    with open(f"{folder}/settings.yaml", "w", encoding="utf-8") as file:
        file.write(SETTINGS.format(folder=folder))
    shop = Shop(usher, repository, folder)
    shop.options = ["--config", f"{folder}/settings.yaml"]
    shop.environment = {"RIGHTS_SECRET": secret}
    receivers = [Receiver(repository, folder, name) for name in ("hook", "rights")]
    Refuser(f"{folder}/gone.sock", 410)
    with open(f"{folder}/service.log", "wb") as log:
        service = Service(shop, log)
        for receiver in receivers:
            receiver.start()
        try:
            told = play(shop, service, receivers, chance, rounds)
            told += "; " + waits(shop)
        finally:
            for receiver in receivers:
                receiver.kill()
            code = service.stop()
    with open(f"{folder}/service.log", "rb") as file:
        text = file.read()
    if secret[6:].encode() in text:
        raise RuntimeError("the log has the secret")
    if code != 0:
        raise RuntimeError(f"the service ended with {code}")
    if b"premum" not in text:
        raise RuntimeError("the log says nothing of an entitlement that no policy has")
    print(f"push: {told}; {without_library(shop)}")


class Service:
    """The service, which starts again after a kill."""

    def __init__(self, shop, log):
        self.shop, self.log = shop, log
        self.process = shop.start(output=log, level="info")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = self.shop.start(output=self.log, level="info")

    def stop(self):
        return stop(self.process)


def play(shop, service, receivers, chance, rounds):
    """Grants, kills, and what has come of it."""
    kills = {"service": 0, "receiver": 0}
    for number in range(rounds):
        for _ in range(chance.randrange(1, 6)):
            grant(shop, f"{chance.choice(['odd', 'even'])}-{number}-{chance.randrange(1 << 30)}")
        what = chance.randrange(4)
        if what == 0:
            service.kill()
            kills["service"] += 1
        elif what == 1:
            receiver = chance.choice(receivers)
            receiver.kill()
            time.sleep(chance.random() / 10)
            receiver.start()
            kills["receiver"] += 1
        else:
            time.sleep(chance.random() / 10)
    expected = feed(shop)
    wanted = [change for change in expected if change["kind"] == "right-gained"
              and change.get("account", "").startswith("odd-")
              and change["entitlement"] == "premium"]
    wait_for(lambda: len({line[0] for line in receivers[0].lines()}) >= len(expected)
             and len({line[0] for line in receivers[1].lines()}) >= len(wanted), 60,
             "all changes arrive")
    check(receivers[0].lines(), expected, "hook")
    check(receivers[1].lines(), wanted, "rights")
    standings = {one["subscription"]: one for one in undelivered(shop)["subscriptions"]}
    if standings["dead"]["state"] != "failing" or standings["dead"]["trouble"] != "unreachable":
        raise RuntimeError(f"a receiver that is not there: {standings['dead']}")
    return (f"{len(expected)} changes, {len(wanted)} of them filtered, all arrived in order; "
            f"{kills['service']} kills of the service, {kills['receiver']} of receivers")


def command(shop, *arguments):
    done = subprocess.run(
        [shop.usher, *arguments, "--sockets", shop.sockets, "--lang", "en"], capture_output=True,
        text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


def waits(shop):
    """What waits, and what is wanted in vain, is said."""
    status = {one["subscription"]: one for one in json.loads(shop.ask("GET", "/status")[1])["push"]}
    if status["vain"].get("unknown_entitlements") != ["premum"]:
        raise RuntimeError(f"what is wanted in vain: {status['vain']}")
    if any("unknown_entitlements" in status[name] for name in ("app", "rights", "dead")):
        raise RuntimeError(f"nothing is wanted in vain there: {status}")
    gone = status["gone"]
    if gone["state"] != "gone" or gone["status"] != 410 or "next_attempt" not in gone:
        raise RuntimeError(f"a receiver that answers 410: {gone}")
    code, text = command(shop, "changes", "undelivered")
    if code != 1 or "next attempt" not in text or "premum" not in text:
        raise RuntimeError(f"while something waits: {code}\n{text}")
    code, text = command(shop, "status")
    if "next attempt" not in text or "premum" not in text:
        raise RuntimeError(f"usher status: {text}")
    code, text = command(shop, "changes", "resend", "gone", "--all", "--reason", "a test")
    if code != 0:
        raise RuntimeError(f"resend --all: {code} {text}")
    code, text = command(shop, "changes", "resend", "gone", "1", "--all", "--reason", "a test")
    if code != 64:
        raise RuntimeError(f"--all and a number: {code} {text}")
    return "what waits and what is wanted in vain is said"


def without_library(shop):
    """A machine without libcurl says what to install, in the log and in commands that send."""
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    library = next(line.split()[-1] for line in listed.splitlines() if "libcurl.so.4 " in line)
    hidden = ["unshare", "--mount", "--map-root-user", "sh", "-c",
              'mount --bind /dev/null "$0" && exec "$@"', os.path.realpath(library)]
    key = os.path.join(shop.folder, "key.p8")
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-out", key], check=True, capture_output=True)
    os.chmod(key, 0o600)
    settings = {"USHER_APP_STORE_KEY_FILE": key, "USHER_APP_STORE_KEY_ID": "2X9R4HXF34",
                "USHER_APP_STORE_ISSUER_ID": "57246542-96fe-1a63-e053-0824d011072a"}
    done = subprocess.run(
        [*hidden, shop.usher, "app-store", "statuses", "1", "--policies", shop.policies,
         "--lang", "en"], capture_output=True, text=True, check=False, timeout=60,
        env=os.environ | settings)
    if done.returncode == 0 or "apt install libcurl4" not in done.stderr:
        raise RuntimeError(f"without libcurl: {done}")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        service = shop.start(wrapper=hidden, output=log)
        if service is None:
            raise RuntimeError("without libcurl the service does not start")
        stop(service)
        log.seek(0)
        if "apt install libcurl4" not in (text := log.read()):
            raise RuntimeError(f"without libcurl the service says: {text}")
    return "a machine without libcurl says so, and serves"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="usher-push.") as folder:
        run(options.usher, options.repository, folder, options.rounds, options.seed)


if __name__ == "__main__":
    main()
