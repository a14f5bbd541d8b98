"""A network of the fleet's own: each member in a network namespace, joined by a bridge in another
one. Nothing of it is seen from the machine, and nothing of the machine from it.

Between any two members packets can be dropped, in one direction or in both, and nobody is told so.
"""

import os
import re
import shutil
import signal
import subprocess
import time

SUBNET = "10.77.0"
RULES = """
table bridge usher {
    set cut { type ipv4_addr . ipv4_addr; }
    set lossy { type ipv4_addr; }
    chain forward {
        type filter hook forward priority 0; policy accept;
        ip saddr . ip daddr @cut drop
        ip saddr @lossy numgen random mod 1000 < 20 drop
    }
}
"""


class Unavailable(Exception):
    """Why there are no namespaces here."""


class Network:
    """Made for the process that makes it, and removed with it, or by the next one."""

    def __init__(self):
        if os.geteuid() != 0:
            raise Unavailable("only root may make network namespaces")
        for program in ("ip", "nft", "nsenter", "tc"):
            if not shutil.which(program):
                raise Unavailable(f"'{program}' is not installed")
        remove_left_over()
        self.tag = tag(os.getpid())
        self.addresses = {}
        self.has_delay = True
        try:
            self.hub = self.make("hub")
            ip("-n", self.hub, "link", "add", "bridge", "type", "bridge")
            ip("-n", self.hub, "link", "set", "bridge", "up")
            self.filter(RULES)
        except subprocess.CalledProcessError as error:
            self.close()
            raise Unavailable(str(error.output).strip()) from error

    def make(self, name):
        space = f"{self.tag}-{name}"
        ip("netns", "add", space)
        ip("-n", space, "link", "set", "lo", "up")
        return space

    def join(self, name):
        """Returns the new member's address."""
        number = len(self.addresses) + 1
        address, space = f"{SUBNET}.{number}", self.make(name)
        ip("link", "add", "eth0", "netns", space, "type", "veth", "peer", "name", f"port{number}",
           "netns", self.hub)
        ip("-n", self.hub, "link", "set", f"port{number}", "master", "bridge", "up")
        ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
        ip("-n", space, "link", "set", "eth0", "up")
        self.addresses[name] = address
        return address

    def inside(self, name):
        """What a command that runs in the member's namespace begins with."""
        return ["nsenter", f"--net=/run/netns/{self.tag}-{name}", "--"]

    def filter(self, commands):
        run([*self.inside("hub"), "nft", "-f", "-"], commands)

    # What can be done to it.

    def cut(self, source, target, both=True):
        """From now on nothing gets from the one to the other."""
        pairs = [(source, target), (target, source)] if both else [(source, target)]
        self.drop(pairs)

    def isolate(self, name):
        others = [other for other in self.addresses if other != name]
        self.drop([(name, other) for other in others] + [(other, name) for other in others])

    def drop(self, pairs):
        elements = ", ".join(f"{self.addresses[source]} . {self.addresses[target]}"
                             for source, target in pairs)
        self.filter(f"add element bridge usher cut {{ {elements} }}\n")

    def slow(self):
        """Every member's packets take their time, and some are lost: with jitter where the kernel
        can delay them, else as over a narrow line."""
        for name in self.addresses:
            queue = [*self.inside(name), "tc", "qdisc", "replace", "dev", "eth0", "root"]
            if self.has_delay:
                delayed = [*queue, "netem", "delay", "20ms", "15ms", "loss", "2%"]
                self.has_delay = subprocess.run(
                    delayed, check=False, stderr=subprocess.DEVNULL).returncode == 0
            if not self.has_delay:
                run([*queue, "tbf", "rate", "2mbit", "burst", "3000", "latency", "300ms"])
        if not self.has_delay:
            every = ", ".join(self.addresses.values())
            self.filter(f"add element bridge usher lossy {{ {every} }}\n")

    def heal(self):
        self.filter("flush set bridge usher cut\nflush set bridge usher lossy\n")
        for name in self.addresses:
            subprocess.run([*self.inside(name), "tc", "qdisc", "delete", "dev", "eth0", "root"],
                           check=False, stderr=subprocess.DEVNULL)

    def close(self):
        remove(self.tag)


def open_network():
    """None where there are no namespaces, which is said."""
    try:
        return Network()
    except Unavailable as reason:
        print(f"fleet: everything is on the loopback: databases are not cut from each other, and "
              f"nothing in one direction only ({reason})")
        return None


def tag(process):
    """Of a process; no later one with the same number has the same."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        return f"usher-{process}-{file.read().rsplit(')', 1)[1].split()[19]}"


def is_alive(owner):
    """Whether the process of that tag still runs."""
    match = re.fullmatch(r"usher-(\d+)-\d+", owner)
    try:
        return match is None or tag(int(match[1])) == owner
    except OSError:
        return False


def remove_left_over():
    """What processes have left behind that were killed."""
    if not os.path.isdir("/run/netns"):
        return
    found = [re.match(r"usher-\d+-\d+(?=-)", name) for name in os.listdir("/run/netns")]
    for owner in {match[0] for match in found if match}:
        if not is_alive(owner):
            remove(owner)


def remove(owner):
    """All namespaces of an owner, and whatever still runs in them."""
    for name in os.listdir("/run/netns"):
        if not name.startswith(owner + "-"):
            continue
        # One that this mount namespace cannot enter has nothing here that runs in it.
        found = subprocess.run(["ip", "netns", "pids", name], check=False, capture_output=True,
                               text=True).stdout.split()
        for number in map(int, found):
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for _ in range(100):
            if not subprocess.run(["ip", "netns", "pids", name], check=False,
                                  capture_output=True, text=True).stdout:
                break
            time.sleep(0.02)
        subprocess.run(["ip", "netns", "delete", name], check=False, stderr=subprocess.DEVNULL)


def ip(*arguments):
    run(["ip", *arguments])


def run(command, text=None):
    subprocess.run(command, check=True, input=text, stdout=subprocess.PIPE,
                   stderr=subprocess.STDOUT, text=True)
