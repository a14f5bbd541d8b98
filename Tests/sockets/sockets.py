"""The sockets of the real program, from outside. See scripts/check-sockets."""

import argparse
import collections
import concurrent.futures
import json
import os
import pwd
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from shop import LocalConnection, Shop, stop  # noqa: E402
from speech import speak  # noqa: E402

SOCKETS = ("query.sock", "usher.sock")
# A user that is nobody here.
STRANGER = 65534

faults = []


def expect(holds, what):
    if not holds:
        faults.append(what)


class Service:
    """The program on a folder of its own, for as long as the block lasts."""

    def __init__(self, options, *settings, wrapper=(), folder=None):
        self.folder = folder or tempfile.mkdtemp(prefix="usher-sockets.")
        # Other users get as far as the sockets.
        os.chmod(self.folder, 0o711)
        self.shop = Shop(options.usher, options.repository, self.folder)
        for setting in settings:
            self.shop.options += ["--set", setting]
        # Whoever is turned away is answered too.
        self.shop.is_ready = lambda _: self.answers()
        self.wrapper = wrapper

    def answers(self):
        try:
            return all(self.shop.get("/readyz", name)[0] > 0 for name in SOCKETS)
        except OSError:
            return False

    def __enter__(self):
        self.log = open(os.path.join(self.folder, "log"), "w+b")
        self.process = self.shop.start(wrapper=self.wrapper, output=self.log)
        if self.process is None:
            self.log.seek(0)
            raise RuntimeError(self.log.read().decode())
        return self

    def seconds_of_processor(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def __exit__(self, *_):
        if self.process.poll() is None:
            expect(stop(self.process) == 0, "the service does not stop")
        self.log.close()
        shutil.rmtree(self.folder)

    def path(self, name):
        return os.path.join(self.shop.sockets, name)

    def said(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as file:
            return file.read()


def wait_until(what, seconds=20):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def backlog_of(path):
    """As the kernel has it: the last number of its line is the limit of the queue."""
    lines = subprocess.run(["ss", "-xlH"], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        fields = line.split()
        if path in fields:
            return int(fields[3])
    return None


# What makes the sockets as systemd does, and becomes the program.
ACTIVATE = """
import fcntl, os, socket, sys
folder, names = sys.argv[1], sys.argv[2].split(":")
os.makedirs(folder, mode=0o711, exist_ok=True)
listeners = []
for name in names:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(os.path.join(folder, name))
    listener.listen(77)
    listeners.append(fcntl.fcntl(listener.detach(), fcntl.F_DUPFD, 20))
for place, descriptor in enumerate(listeners):
    os.dup2(descriptor, 3 + place)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(names)),
                  LISTEN_FDNAMES=":".join(names))
os.execv(sys.argv[3], sys.argv[3:])
"""


def backlog(options):
    """`sockets.backlog` is what ss shows, whoever has made the socket."""
    for names in ("", "query.sock", "usher.sock", "query.sock:usher.sock"):
        folder = tempfile.mkdtemp(prefix="usher-sockets.")
        wrapper = [sys.executable, "-c", ACTIVATE, folder + "/run", names] if names else ()
        with Service(options, "sockets.backlog=300", wrapper=wrapper, folder=folder) as service:
            for name in SOCKETS:
                found = backlog_of(service.path(name))
                expect(found == 300, f"backlog of {name}, given '{names}': {found}")
                expect(service.shop.get("/livez", name)[0] == 200, f"{name}, given '{names}'")
    return "backlog of 300 on own and given sockets, one or both"


def curl(path, target, *arguments):
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "10", "--output", "/dev/null",
         "--write-out", "%{http_code}", *arguments, "--unix-socket", path,
         "http://localhost" + target],
        capture_output=True, text=True, check=False)
    return f"{done.returncode} {done.stdout} {done.stderr.strip()}".strip()


def tries(service, name, target, wanted, *arguments, count=120):
    """So many times, a few at once."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = collections.Counter(
            pool.map(lambda _: curl(service.path(name), target, *arguments), range(count)))
    expect(found == {wanted: count}, f"{name} {target} {wanted}: {dict(found)}")


def refusals(options):
    """Whoever is turned away reads why."""
    with tempfile.NamedTemporaryFile() as large:
        large.write(b" " * 2_500_000)
        large.flush()
        post = ("--data-binary", "@" + large.name, "--header", "Content-Type: application/json")
        with Service(options, f"sockets.peers=uid:{STRANGER + 1}=admin") as service:
            for name in SOCKETS:
                tries(service, name, "/livez", "0 403")
            tries(service, "usher.sock", "/v1/evidence", "0 403", *post, count=40)
        with Service(options, "limits.connections=1", "limits.reserved-connections=0") as service:
            for name in SOCKETS:
                with_room = LocalConnection(service.path(name))
                wait_until(lambda: holds(with_room))
                tries(service, name, "/readyz", "0 503")
                with_room.close()
        with Service(options) as service:
            tries(service, "usher.sock", "/v1/evidence", "0 413", *post, count=40)
    return "120 refusals each read by curl"


def holds(connection):
    """Whether the connection is one that is kept."""
    connection.close()
    connection.request("GET", "/livez")
    response = connection.getresponse()
    response.read()
    return response.status == 200


def asks(path, target):
    """The status; None where nobody answers, or where there is a queue."""
    connection = LocalConnection(path, timeout=5)
    try:
        connection.request("GET", target)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


def takes(socket_path, path):
    """Seconds until health is answered; the better of two is the service's, not the machine's."""
    begun = time.monotonic()
    status = asks(socket_path, path)
    expect(status == 200, f"{socket_path} {path} answers {status} beside the crowd")
    return time.monotonic() - begun


def crowd(options):
    """Five thousand connections that say nothing, more than there is room for."""
    count = 5_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    slowest = 0
    with Service(options) as service:
        for name in SOCKETS:
            silent = []
            for _ in range(count):
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                connection.connect(service.path(name))
                silent.append(connection)
            # Until all of them are accepted, there is a queue.
            wait_until(lambda: asks(service.path(name), "/livez") == 200)
            for path in ["/livez", "/readyz"] * 10:
                slowest = max(slowest, min(
                    takes(service.path(name), path) for _ in range(2)))
            for connection in silent:
                connection.close()
    expect(slowest < 1, f"health takes {slowest:.1f} s beside the crowd")
    return f"health within {slowest * 1000:.0f} ms beside {count} silent connections"


def idle(options):
    """A thousand connections that say nothing keep the processor no busier than a few would.

    Else they take, on a machine that is busy with other things, the time to answer health. What
    they take is there at all times: the quietest of some spells says it, and what else the machine
    does meanwhile is left to the others."""
    count, seconds, spells, dearest = 1_000, 3, 4, 0
    # Of a release build, a tenth of this; assertions of the event loop weigh on query.sock.
    limits = {"query.sock": 0.05, "usher.sock": 0.02}
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    for name in SOCKETS:
        with Service(options) as service:
            silent = [LocalConnection(service.path(name)) for _ in range(count)]
            for connection in silent:
                connection.connect()
            wait_until(lambda: asks(service.path(name), "/livez") == 200)
            for _ in range(spells):
                before = service.seconds_of_processor()
                time.sleep(seconds)
                spent = (service.seconds_of_processor() - before) / seconds
                if spent < limits[name]:
                    break
            expect(spent < limits[name],
                   f"{name}: {count} idle connections take {spent:.1%} of a core")
            dearest = max(dearest, spent)
            for connection in silent:
                connection.close()
    return f"{count} idle connections take {dearest:.1%} of a core"


def signals(options):
    """What is not meant for the service does not end it; SIGHUP looks at the policies."""
    foreign = ["HUP", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "PIPE", "IO", "PWR", "STKFLT",
               "XFSZ", "WINCH", "URG", "CHLD", "CONT", "RTMIN", "RTMAX"]
    with Service(options) as service:
        policy = os.path.join(service.shop.policies, "rules.yaml")
        with open(policy, "a", encoding="utf-8") as file:
            file.write("nonsense: true\n")
        refused = "nonsense"
        expect(wait_until(lambda: refused in service.said()), "a bad policy is not noticed")
        before = service.said().count(refused)
        service.process.send_signal(signal.SIGHUP)
        expect(wait_until(lambda: service.said().count(refused) == 2 * before),
               "SIGHUP does not look at the policy folder")
        for name in foreign:
            service.process.send_signal(getattr(signal, "SIG" + name))
            expect(service.shop.get("/livez")[0] == 200, f"SIG{name} ends the service")
        expect(service.process.poll() is None, "the service has ended")
    return f"{len(foreign)} signals outlived"


def users(options):
    """One Idempotency-Key of two users is two keys."""
    if os.geteuid() != 0:
        return "one key of two users: skipped, only root can be two users"
    peers = f"sockets.peers=uid:0=admin,uid:{STRANGER}=admin"
    ids = collections.defaultdict(set)
    with Service(options, peers, "sockets.usher-mode=0666") as service:
        for user in (0, STRANGER, 0, STRANGER):
            os.seteuid(user)
            try:
                connection = LocalConnection(service.path("usher.sock"))
                connection.request(
                    "POST", "/v1/blocks", json.dumps({"account": f"of-{user}", "reason": "test"}),
                    {"Content-Type": "application/json", "Idempotency-Key": "ticket-1"})
                response = connection.getresponse()
                answer = json.loads(response.read())
            finally:
                os.seteuid(0)
            expect(response.status == 200, f"user {user}: {answer}")
            expect(answer.get("actor") == f"user:{pwd.getpwuid(user).pw_name}",
                   f"user {user}: {answer}")
            ids[user].add(answer.get("block", answer.get("id")))
            connection.close()
    expect(all(len(found) == 1 for found in ids.values()) and ids[0] != ids[STRANGER], f"{ids}")
    return "one key of two users"


def bare(options):
    """A root folder without /proc, where the program cannot read its own arguments."""
    if os.geteuid() != 0:
        return "no /proc: skipped, only root can unmount it"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", 'umount -l /proc; exec "$0" version', options.usher],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    expect(done.returncode == 64 and "/proc" in done.stderr and not done.stdout, f"{done}")
    return "no /proc: said"


def network(options):
    """Without a configuration for Apple's servers no internet socket is ever made; with one, none
    before there is something to ask."""
    configured = ["app-store.issuer-id=57246542-96fe-1a63-e053-0824d011072a",
                  "app-store.key-id=2X9R4HXF34"]
    calls = 0
    for settings in ([], configured):
        folder = tempfile.mkdtemp(prefix="usher-sockets.")
        trace, key = folder + "/trace", folder + "/key.p8"
        if settings:
            subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                            "ec_paramgen_curve:P-256", "-out", key], check=True)
            os.chmod(key, 0o600)
            settings = [*settings, f"app-store.key-file={key}"]
        wrapper = ["strace", "-f", "-e", "trace=socket,connect,bind", "-e", "signal=none",
                   "-o", trace]
        with Service(options, *settings, wrapper=wrapper, folder=folder) as service:
            body = json.dumps({"account": "alice", "payload": "e30.e30.e30"})
            expect(service.shop.ask("POST", "/v1/evidence", body)[0] == 422, "evidence is judged")
            for path in ("/livez", "/readyz", "/status", "/metrics", "/v1/accounts/alice"):
                expect(service.shop.ask("GET", path)[0] == 200, f"{path} under strace")
            with open(f"/proc/{service.process.pid}/task/{service.process.pid}/children",
                      encoding="ascii") as children:
                for child in children.read().split():
                    os.kill(int(child), signal.SIGTERM)
            expect(service.process.wait(timeout=120) == 0, "the service does not stop")
            with open(trace, encoding="utf-8", errors="replace") as file:
                lines = file.readlines()
        made = [line for line in lines if "socket(" in line]
        calls += len(made)
        expect(any("AF_UNIX" in line for line in made), "strace sees sockets")
        foreign = [line.strip() for line in lines if "AF_INET" in line or "AF_NETLINK" in line]
        expect(not foreign, f"configured {bool(settings)}: {foreign[:3]}")
    return f"{calls} sockets made, none of the internet, with and without a configuration"


def speech(options):
    """HTTP as clients speak it."""
    with Service(options) as service:
        return f"{speak(service, expect)} calls as clients write them"


PARTS = {
    part.__name__: part
    for part in (backlog, refusals, crowd, idle, signals, users, bare, network, speech)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("usher")
    parser.add_argument("repository")
    parser.add_argument("--only", choices=PARTS)
    options = parser.parse_args()
    for name, part in PARTS.items():
        if options.only in (None, name):
            begun = time.monotonic()
            print(f"{part(options)} ({time.monotonic() - begun:.1f} s)", flush=True)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
