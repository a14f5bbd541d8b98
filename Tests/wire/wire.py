"""Holds every answer on both sockets to the byte; see scripts/wire.

    wire.py USHER REPOSITORY [--answers N] [--seed N] [--connections N] [--jobs N]
            [--send-buffers N,N] [--only exact|mixed]
"""

import argparse
import array
import concurrent.futures
import fcntl
import multiprocessing
import os
import random
import select
import sys
import tempfile
import termios
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))

import exact  # noqa: E402
from oracle import Oracle, Wrong, connect, read_answer  # noqa: E402
from peer import Peer  # noqa: E402
from questions import Questions, compact, request  # noqa: E402
from shop import LocalConnection, Shop, stop  # noqa: E402

SOCKETS = ("query.sock", "usher.sock")
# More than the service keeps in memory, so that some have to be read each time.
ACCOUNTS = 2_600
IN_MEMORY = 1_000
# For as long nothing may happen.
PATIENCE = 60


def fill(shop):
    """Accounts that differ in what they have and until when."""
    accounts = [f"user-{number}" for number in range(ACCOUNTS)]
    rest, lock, faults = iter(enumerate(accounts)), threading.Lock(), []

    def client():
        connection = LocalConnection(os.path.join(shop.sockets, "usher.sock"))
        while True:
            with lock:
                number, account = next(rest, (None, None))
            if number is None:
                return connection.close()
            for body in grants(number, account):
                # The id, which answers tell, is long: so are answers that tell of purchases.
                name = f"{account}-{body['entitlement']}-".ljust(120, "x")
                connection.request(
                    "POST", "/v1/grants", compact(body),
                    {"Content-Type": "application/json", "Idempotency-Key": name})
                response = connection.getresponse()
                answer = response.read()
                if response.status not in (200, 201):
                    faults.append(f"{response.status} {answer[:200]!r}")

    threads = [threading.Thread(target=client) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise RuntimeError(f"the ledger cannot be filled: {faults[0]}")
    return accounts


def grants(number, account):
    day, second = divmod(number, 86_400)
    until = f"{2030 + day}-01-01T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
    for place, entitlement in enumerate(("premium", "audio")):
        # Every sixth has no premium.
        if number % 6 != place * 6 and number % 3 >= place:
            yield {"account": account, "entitlement": entitlement, "until": until,
                   "reason": "a trial"}


def held_unread(shop, name, accounts):
    """How many bytes of answers a connection holds that reads nothing."""
    asked = request("GET", f"/v1/accounts/{accounts[1]}/entitlements")
    with connect(os.path.join(shop.sockets, name)) as peer:
        peer.sendall(asked * 150)
        select.select([peer], [], [], PATIENCE)
        held, same = 0, 0
        # Other questions are answered meanwhile: when nothing changes any more, it is full.
        while same < 20:
            shop.get("/livez", name)
            count = array.array("i", [0])
            fcntl.ioctl(peer, termios.FIONREAD, count)
            same = same + 1 if count[0] == held else 0
            held = count[0]
        answer = b""
        for _ in range(150):
            _, answer = read_answer(peer, True, answer)
        return held


def check_send_buffer(shop, size, accounts):
    for name in SOCKETS:
        held = held_unread(shop, name, accounts)
        print(f"{name}: {held} bytes wait in the system for who reads nothing")
        if (held > 16_384) if size else (held < 65_536):
            yield f"{name} does not have the send buffer that is set"


def work(folder, name, accounts, answers, connections, seed):
    """Asks until so many answers have come; in a process of its own."""
    oracle = Oracle(folder, name)
    peers, faults = [], []
    for number in range(connections):
        plan = random.Random(f"{seed} {number} plan")
        peer = Peer(os.path.join(folder, name), Questions(plan, oracle, accounts), plan,
                    random.Random(f"{seed} {number} pace"))
        peer.wants_more = lambda: sum(one.answers for one in peers) < answers and not faults
        peers.append(peer)
    turns = random.Random(f"{seed} turns")
    while any(not peer.is_done for peer in peers):
        turns.shuffle(peers)
        if not any([go_on(peer, faults) for peer in peers if not peer.is_done]):
            wait(peers, faults)
    kinds = {}
    for peer in peers:
        for kind, count in peer.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count
    return {"answers": sum(peer.answers for peer in peers), "kinds": kinds, "faults": faults,
            "connections": sum(peer.connections for peer in peers), "afresh": oracle.asked}


def go_on(peer, faults):
    try:
        return peer.step()
    except (Wrong, OSError) as error:
        faults.append(str(error) or repr(error))
        give_up(peer)
        return True


def give_up(peer):
    if peer.file is not None:
        peer.close()
    peer.turn, peer.is_done = None, True


def wait(peers, faults):
    """Until the service has read or written something."""
    poll = select.poll()
    for peer in peers:
        if peer.file is not None:
            writes = peer.sent < len(peer.turn.output)
            poll.register(peer.file, select.POLLIN | (select.POLLOUT if writes else 0))
    if not poll.poll(PATIENCE * 1_000):
        for peer in peers:
            if peer.file is not None:
                faults.append(peer.told(f"nothing came for {PATIENCE} seconds"))
            give_up(peer)


def mix(shop, options, size, accounts):
    """Random questions on both sockets at once; returns what was wrong."""
    share = options.answers // (len(SOCKETS) * len(options.send_buffers) * options.jobs)
    context = multiprocessing.get_context("fork")
    wrong = []
    with concurrent.futures.ProcessPoolExecutor(len(SOCKETS) * options.jobs, context) as pool:
        begun = time.monotonic()
        parts = {}
        for name in SOCKETS:
            for job in range(options.jobs):
                seed = f"{options.seed} {name} {size} {job}"
                parts[pool.submit(work, shop.sockets, name, accounts, share,
                                  options.connections, seed)] = name, seed
        for part in concurrent.futures.as_completed(parts):
            (name, seed), done = parts[part], part.result()
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(done["kinds"].items()))
            print(f"{name}, seed '{seed}': {done['answers']} answers,"
                  f" {done['connections']} connections ({kinds}), {done['afresh']} asked afresh,"
                  f" {len(done['faults'])} wrong, {time.monotonic() - begun:.1f} s", flush=True)
            options.total += done["answers"]
            wrong += [f"{name}, send buffer {size or 'of the system'}: {fault}"
                      for fault in done["faults"]]
    return wrong


def run(shop, options, size):
    """One service, with one send buffer."""
    # A machine that is busy is not to be taken for a peer that is slow.
    shop.options = ["--set", f"limits.accounts-in-memory={IN_MEMORY}",
                    "--set", "timeouts.write-seconds=300", "--set", "timeouts.head-seconds=300",
                    "--set", "timeouts.body-seconds=300", "--set", "timeouts.idle-seconds=300"]
    if size:
        shop.options += ["--set", f"sockets.send-buffer={size}"]
    process = shop.start()
    if process is None:
        return ["the service does not start"]
    try:
        if options.accounts is None:
            options.accounts = fill(shop)
        print(f"send buffer {size or 'of the system'}:")
        wrong = list(check_send_buffer(shop, size, options.accounts))
        if options.only != "mixed":
            for name in SOCKETS:
                wrong += exact.run(shop, Oracle(shop.sockets, name), name, options.accounts)
        if options.only != "exact":
            wrong += mix(shop, options, size, options.accounts)
        if (code := process.poll()) is not None:
            wrong.append(f"the service ended with {code}")
        return wrong
    finally:
        if process.poll() is None:
            stop(process)


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/wire")
    parser.add_argument("usher", help=argparse.SUPPRESS)
    parser.add_argument("repository", help=argparse.SUPPRESS)
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--connections", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--send-buffers", default="4096,0",
                        type=lambda text: [int(part) for part in text.split(",")])
    parser.add_argument("--only", choices=("exact", "mixed"))
    options = parser.parse_args()
    options.accounts, options.total = None, 0
    return options


def main():
    options = read_arguments()
    begun = time.monotonic()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        shop = Shop(options.usher, options.repository, os.path.join(folder, "s"))
        for size in options.send_buffers:
            wrong += run(shop, options, size)
    for fault in wrong[:8]:
        print(f"WRONG: {fault}")
    if len(wrong) > 8:
        print(f"and {len(wrong) - 8} more")
    print(f"wire: {options.total} answers compared, seed {options.seed}, {len(wrong)} wrong,"
          f" {time.monotonic() - begun:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
