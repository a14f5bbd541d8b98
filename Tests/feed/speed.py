"""How fast the change feed is, measured from outside; see scripts/check-changes --speed.

    speed.py USHER REPOSITORY [--part latency|streams|ends] [--rights N] [--streams N] [--rate N]
             [--seconds N]
"""

import argparse
import json
import multiprocessing
import os
import resource
import selectors
import socket
import sys
import tempfile
import threading
import time
from datetime import datetime, timezone

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

from follow import connect, read_chunks, read_head  # noqa: E402
from shop import LocalConnection, Shop  # noqa: E402


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/check-changes --speed")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--part", choices=["latency", "streams", "ends"])
    parser.add_argument("--rights", type=int, default=100_000)
    parser.add_argument("--streams", type=int, default=1_000)
    parser.add_argument("--rate", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=20)
    return parser.parse_args()


def written(instant):
    return datetime.fromtimestamp(instant, timezone.utc).isoformat(
        timespec="milliseconds").replace("+00:00", "Z")


def read(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def rank(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] * 1000


class Giver:
    """Grants on one connection."""

    def __init__(self, shop, entitlement):
        self.link = LocalConnection(os.path.join(shop.sockets, "usher.sock"))
        self.entitlement = entitlement

    def give(self, account, until):
        body = json.dumps({"account": account, "entitlement": self.entitlement,
                           "until": written(until), "reason": "A test."})
        self.link.request("POST", "/v1/grants", body, {"Content-Type": "application/json"})
        response = self.link.getresponse()
        answer = response.read()
        # On a machine that is too busy, it has ended before it is given.
        if response.status not in (200, 422):
            raise SystemExit(f"a grant is answered with {response.status}: {answer}")
        return json.loads(answer)


def events(path, after=None):
    link = connect(path)
    link.settimeout(600)
    file = link.makefile("rb")
    resume = f"Last-Event-ID: {after}\r\n" if after else ""
    link.sendall("GET /v1/changes HTTP/1.1\r\nHost: localhost\r\n"
                 f"Accept: text/event-stream\r\n{resume}\r\n".encode())
    read_head(file)
    rest = b""
    for chunk in read_chunks(file):
        rest += chunk
        *whole, rest = rest.split(b"\n\n")
        for event in whole:
            for line in event.splitlines():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])


def in_parallel(count, work):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_latency(shop, entitlement, path, count=300):
    """From the answer to a grant to its event; from the instant at which it ends to the event."""
    answered, gained, ends = {}, {}, []
    done = threading.Event()

    def listen():
        for change in events(path):
            now = time.time()
            if change["kind"] == "right-gained":
                gained[change["account"]] = now
            elif change["kind"] == "right-lost":
                ends.append(now - read(change["at"]))
                if len(ends) == count:
                    return done.set()

    threading.Thread(target=listen, daemon=True).start()
    time.sleep(0.5)
    giver = Giver(shop, entitlement)
    for number in range(count):
        account = f"quick-{number}"
        giver.give(account, time.time() + 1.5)
        answered[account] = time.time()
        time.sleep(0.05)
    done.wait(30)
    commits = [gained[account] - answered[account] for account in answered]
    print(f"latency: commit to event p50 {rank(commits, .5):.0f} ms, p99 {rank(commits, .99):.0f}"
          f" ms; instant to event p50 {rank(ends, .5):.0f} ms, p99 {rank(ends, .99):.0f} ms")


def ask(path, target, pipe):
    """Asks all the time how long an answer takes: in a process of its own, since threads of this
    language wait for each other. Each 'None' that is sent is answered with what it took since."""
    link, number, took = LocalConnection(path), 0, []
    while True:
        if pipe.poll():
            pipe.recv()
            pipe.send(took)
            took = []
        number += 1
        begun = time.perf_counter()
        link.request("GET", f"/v1/accounts/many-{number % 100}{target}")
        link.getresponse().read()
        took.append(time.perf_counter() - begun)
        time.sleep(0.001)


class Questions:
    """What questions take meanwhile."""

    def __init__(self, shop, entitlement):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(
            target=ask, daemon=True,
            args=(os.path.join(shop.sockets, "query.sock"), f"/entitlements/{entitlement}", other))
        self.process.start()

    def took(self):
        """Since it was asked last, in seconds."""
        self.pipe.send(None)
        return self.pipe.recv()


def count_events(path, after, kind, count):
    """Reads until so many changes of the kind are there, and as little as that takes."""
    link = connect(path)
    link.settimeout(600)
    link.sendall("GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                 f"Last-Event-ID: {after}\r\n\r\n".encode())
    mark, seen, rest = f"\nevent: {kind}\n".encode(), 0, b""
    while seen < count:
        read = link.recv(1 << 20)
        if not read:
            raise SystemExit("the stream has ended")
        block = rest + read
        seen += block.count(mark)
        # A mark that is not whole yet is counted with what follows, and a whole one is not.
        rest = block[-(len(mark) - 1):]
    link.close()


def measure_ends(shop, entitlement, path, process, count):
    """So many rights that end within one second."""
    givers = 32
    end = int(time.time() + 10 + count / 1_500)

    def give(part):
        giver = Giver(shop, entitlement)
        for number in range(part, count, givers):
            giver.give(f"many-{number}", end + number % 1_000 / 1_000)

    begun = time.time()
    in_parallel(givers, give)
    rate = count / (time.time() - begun)
    if time.time() > end - 3:
        raise SystemExit("the machine is too slow for so many rights")
    questions = Questions(shop, entitlement)
    time.sleep(max(0, end - 1 - time.time()))
    head = json.loads(shop.get("/v1/changes?after=0&limit=1", name="usher.sock")[1])
    calm, used = questions.took(), processor_seconds(process.pid)
    count_events(path, f"{head['next'].split(':')[0]}:{head['head']}", "right-lost", count)
    took = time.time() - (end + min(count, 1_000) / 1_000)
    used, busy = processor_seconds(process.pid) - used, questions.took()
    questions.process.terminate()
    print(f"ends: {count} rights, given at {rate:.0f} a second, that ended within one second were"
          f" reported {took:.2f} s after it, for {used:.2f} s of a core; questions p99"
          f" {rank(calm, .99):.2f} ms before, {rank(busy, .99):.2f} ms meanwhile")


def measure_streams(shop, entitlement, path, process, options):
    """What many followers cost."""
    selector = selectors.DefaultSelector()
    received = [0]
    head = json.loads(shop.get("/v1/changes?limit=1", name="usher.sock")[1])
    place = f"{head['next'].split(':')[0]}:{head['head']}"
    for _ in range(options.streams):
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        link.connect(path)
        link.sendall("GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                     f"Last-Event-ID: {place}\r\n\r\n".encode())
        link.setblocking(False)
        selector.register(link, selectors.EVENT_READ)
    goes_on = [True]

    def listen():
        while goes_on[0]:
            for key, _ in selector.select(0.2):
                received[0] += key.fileobj.recv(1 << 20).count(b"\ndata: ")

    thread = threading.Thread(target=listen)
    thread.start()
    time.sleep(2)
    giver = Giver(shop, entitlement)
    begun, used = time.time(), processor_seconds(process.pid)
    for number in range(options.rate * options.seconds // 2):
        giver.give(f"streamed-{number}", time.time() + 1)
        time.sleep(max(0, begun + (number + 1) * 2 / options.rate - time.time()))
    time.sleep(2)
    took, used = time.time() - begun, processor_seconds(process.pid) - used
    goes_on[0] = False
    thread.join()
    print(f"streams: {options.streams} followers, {options.rate} changes a second:"
          f" {received[0]} events received in {took:.0f} s, {used / took:.2f} of a core")


def main():
    options = read_arguments()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="usher-changes-") as folder:
        shop = Shop(options.usher, options.repository, folder)
        process = shop.start()
        path = os.path.join(shop.sockets, "usher.sock")
        status, answer = shop.get("/v1/accounts/nobody/entitlements")
        entitlement = json.loads(answer)["entitlements"][0]["entitlement"]
        if options.part in (None, "latency"):
            measure_latency(shop, entitlement, path)
        if options.part in (None, "streams"):
            measure_streams(shop, entitlement, path, process, options)
        if options.part in (None, "ends"):
            measure_ends(shop, entitlement, path, process, options.rights)
        process.terminate()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
