"""kill -9 at each write of an erasure: the person is erased or is not, never half.

A service with the purchases of two accounts is copied, started, and told to erase one of them; the
shim kills it at the Nth write or sync of the ledger, its log or the list of erasures, for each N that
there is. Then it is started again.
"""

import os
import shutil
import signal
import subprocess
import time

from faults import EVER
from orders import Orders
from shop import stop

PERSON, OTHER = "MARK3R-of-the-person", "somebody-else"
ERASURE = b'{"reference":"r-1","reason":"asked by MARK3R-of-the-person","hold_days":0}'


class Scene:
    """The service's folder as it is before the erasure."""

    def __init__(self, shop, purchases):
        self.shop = shop
        self.folder = os.path.dirname(shop.ledger)
        self.before = self.folder + "-before"
        key = os.path.join(shop.folder, "privacy.key")
        subprocess.run([shop.usher, "ledger", "key", key], check=True, capture_output=True)
        self.orders = Orders(shop.folder, shop.ledger)
        shop.environment = self.orders.environment | {"USHER_PRIVACY_KEY_FILE": key}
        self.orders.heal()
        process = shop.start()
        for account in (PERSON, OTHER):
            rest = [(number, body.replace(b"buyer-0", account.encode()))
                    for number, body in purchases[account]]
            shop.buy(rest, 2)
        self.delivered = {one: sorted(shop.delivered(one)) for one in (PERSON, OTHER)}
        if stop(process) != 0 or not all(self.delivered.values()):
            raise RuntimeError("no purchases to erase")
        shutil.copytree(self.folder, self.before)

    def restore(self):
        shutil.rmtree(self.folder)
        shutil.copytree(self.before, self.folder)

    def erase(self):
        """The status of the call; None where there was no answer."""
        try:
            return self.shop.ask("POST", f"/v1/accounts/{PERSON}/erase", ERASURE)[0]
        except OSError:
            return None

    def named(self):
        """The files in which the person is named."""
        found = []
        for name in sorted(os.listdir(self.folder)):
            with open(os.path.join(self.folder, name), "rb") as file:
                if PERSON.encode() in file.read():
                    found.append(name)
        return found

    def is_erased(self):
        return b'"erased":' in self.shop.ask("GET", f"/v1/accounts/{PERSON}")[1]

    def verify(self):
        listed = self.shop.ledger + ".erasures"
        against = ["--against", listed] if os.path.exists(listed) else []
        return self.shop.run("ledger", "verify", "--ledger", self.shop.ledger, *against)


def run(shop):
    """Returns whether each kill left the person erased or as before."""
    purchases = {PERSON: shop.purchases(3, 1), OTHER: shop.purchases(3, 1, start=100)}
    scene = Scene(shop, purchases)
    calls = count_calls(scene)
    done, undone, broken = 0, 0, []
    for place in range(1, calls + 1):
        scene.restore()
        erased, problem = kill_at(scene, place)
        done += erased
        undone += not erased
        if problem:
            broken.append(f"{place}: {problem}")
    print(f"erase: {calls} writes and syncs of an erasure, a kill at each: {undone} not erased, {done}"
          f" erased, {len(broken)} otherwise{': ' if broken else ''}{'; '.join(broken[:5])}")
    return not broken and done > 0 and undone > 0


def count_calls(scene):
    process = scene.shop.start()
    scene.orders.heal()
    status = scene.erase()
    calls = scene.orders.calls
    if status != 200 or scene.named() or stop(process) != 0 or calls < 3:
        raise RuntimeError(f"no erasure to kill: {status}, {calls} calls, {scene.named()}")
    return calls


def kill_at(scene, place):
    """Whether it is erased afterwards, and what is wrong; None for nothing."""
    process = scene.shop.start()
    scene.orders.kill(place, EVER)
    status = scene.erase()
    process.send_signal(signal.SIGKILL)
    process.wait()
    scene.orders.heal()
    process = scene.shop.start()
    if process is None:
        return False, "does not start"
    try:
        erased = scene.is_erased()
        return erased, problem(scene, erased, status)
    finally:
        stop(process)


def problem(scene, erased, status):
    if status == 200 and not erased:
        return "acknowledged, and not erased"
    found = sorted(scene.shop.delivered(PERSON))
    if found != ([] if erased else scene.delivered[PERSON]):
        return f"half erased: {found}"
    if sorted(scene.shop.delivered(OTHER)) != scene.delivered[OTHER]:
        return "somebody else has lost something"
    listed = os.path.exists(scene.shop.ledger + ".erasures")
    if listed != erased:
        return f"the list {'knows it' if listed else 'does not know it'}"
    if erased or scene.erase() == 200:
        # The log is cut within a second of the start.
        if left := wait_for_nothing(scene):
            return f"left in {left}"
    else:
        return "is not erased afterwards"
    if scene.verify().returncode != 0:
        return "not sound"
    return None


def wait_for_nothing(scene):
    """The files that still name the person after three seconds."""
    for _ in range(60):
        if not scene.named():
            return []
        time.sleep(0.05)
    return scene.named()
