"""A team: the console on a socket behind nginx, which says who asks, and who has which role."""

import base64
import http.client
import os
import re
import sys
import time
import urllib.parse
from contextlib import closing

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "sockets"))
from proxies import start_nginx  # noqa: E402
from world import FORM, Console, Form, LocalConnection, Service, exchange  # noqa: E402

HOST, PORT = "console.example", 18_090
ADMIN, READER, STRANGER = "mei@corp.example", "tom@corp.example", "eve@corp.example"
ROLES = f"{ADMIN}: admin\n{READER}: query\nina@corp.example: ingest\n"
DELEGATE = ("--set", f"sockets.peers=uid:{os.getuid()}=delegate")
GRANT = {"account": "team", "entitlement": "premium", "until": "2030-01-01", "new-account": "true"}


class TeamService(Service):
    """A service to which whoever runs this is a delegate; it is asked for an administrator."""

    def ask(self, method, path, body=None, name="usher.sock", fields=()):
        named = [("Usher-Actor", "checker"), ("Usher-Role", "admin")]
        named = named if name == "usher.sock" else []
        return super().ask(method, path, body, name, [*named, *fields])


class TeamConsole(Console):
    """The console as nginx asks it: `who` is the value of the field, or several."""

    who = [ADMIN]

    def __init__(self, service, folder):
        self.path = os.path.join(folder, "console.sock")
        roles = os.path.join(folder, "roles.yaml")
        with open(roles, "w", encoding="utf-8") as file:
            file.write(ROLES)
        super().__init__(service, "--behind-proxy", self.path, "--roles", roles, "--host", HOST)
        self.host = HOST

    def connection(self):
        return LocalConnection(self.path)

    def send(self, method, target, fields=(), body=None, host=None, cookie=None):
        named = [("X-Forwarded-User", name) for name in self.who]
        return super().send(method, target, [*named, *fields], body, host, "")

    def by(self, *names):
        self.who = list(names)
        return self


def strangers(check, console, service):
    head = service.head
    for who in ([], [""], [STRANGER], [ADMIN, ADMIN], [READER, ADMIN], [f"{ADMIN}, {READER}"],
                [ADMIN.upper()], [ADMIN + "x"], ["admin"]):
        for target in ("/", "/accounts/mei", "/accounts/mei.json", "/do/grant"):
            status = console.by(*who).get(target).status
            check(status == 403, f"behind a proxy {who} at {target} is 403", status)
        status = console.post("/do/grant", GRANT | {"reason": "x", "token": "0" * 32}).status
        check(status == 403, f"behind a proxy {who} does nothing", status)
    console.by(ADMIN)
    for host in ("evil.example", "127.0.0.1", "localhost", HOST + ":1", ""):
        check(console.get("/", host=host).status == 421, f"behind a proxy host '{host}' is 421")
    status = console.post("/enter", {"code": "0" * 32}).status
    check(status == 403, "behind a proxy no code is exchanged", status)
    status = console.get("/", ("Sec-Fetch-Site", "cross-site")).status
    check(status == 403, "behind a proxy cross-site reads are 403", status)
    check(service.head == head, "strangers do nothing")
    check(os.stat(console.path).st_mode & 0o007 == 0, "the socket is not everybody's")


def is_offered_nothing(check, console, name):
    for target in ("/", "/accounts/mei", "/accounts/mei-2026", "/claims/94", "/policy", "/lost"):
        answer = console.get(target)
        check(answer.status == 200 and "/do/" not in answer.text,
              f"{name} is shown {target}, and offered nothing",
              [answer.status, *re.findall("/do/[^?]*", answer.text)])


def roles(check, console, service):
    """An administrator acts under both names; who may only read is refused."""
    answer = Form(console.by(ADMIN), "grant", GRANT).send()
    page = service.ask("GET", "/v1/accounts/team").text
    check(answer.status == 200 and f"person:{ADMIN},via:user:" in page,
          "what a person does has the person's name and the delegate's", page[-300:])
    token, head = console.token, service.head
    for who in (READER, "ina@corp.example"):
        is_offered_nothing(check, console.by(who), who)
        own = console.token
        check(own and own != token, "each person has a form token of their own")
        said = {"reason": "x", "token": own}
        for verb, more in (("grant", GRANT), ("claims/approve", {"claim": 94}),
                           ("block", {"account": "mei"}), ("policy/reload", {}),
                           ("policy/schedule", {"folder": "/etc", "at": "2030-01-01"})):
            status = console.post("/do/" + verb, more | said).status
            check(status == 403, f"{who} is refused {verb}", status)
        for name in (READER, ADMIN):
            status = console.post("/do/grant", GRANT | said, ("Usher-Actor", name),
                                  ("Usher-Role", "admin")).status
            check(status == 403, f"{who} is not {name} with another role", status)
        status = console.post("/do/grant", GRANT | said | {"token": token}).status
        check(status == 403, f"{who} has not the token of another", status)
        answer = console.get("/do/policy/schedule?folder=/etc&at=2030-01-01")
        check("passwd" not in answer.text, f"{who} reads no folder of the server")
    check(service.head == head, "who may not act does nothing")
    console.by(ADMIN)


def through_nginx(check, console, repository, folder):
    """The example as it is, but for the paths."""
    users = os.path.join(folder, "users")
    with open(users, "w", encoding="utf-8") as file:
        file.writelines(f"{name}:{{PLAIN}}secret\n" for name in (ADMIN, READER, STRANGER))
    path = os.path.join(repository, "examples", "nginx", "console.conf")
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("/run/usher-console/console.sock", console.path)
    nginx = start_nginx(folder, text.replace("/etc/nginx/usher-console.users", users))

    def ask(target, name=None, *fields, method="GET", form=None):
        password = base64.b64encode(f"{name}:secret".encode()).decode()
        own = [("Host", HOST)] + ([("Authorization", "Basic " + password)] if name else [])
        body = urllib.parse.urlencode(form).encode() if form else None
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
        return exchange(connection, method, target, [*own, *fields], body)

    try:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                ask("/")
                break
            except ConnectionRefusedError:
                time.sleep(0.02)
        forged = ("X-Forwarded-User", ADMIN)
        for name, wanted in ((None, 401), (STRANGER, 403), (READER, 200), (ADMIN, 200)):
            for fields in ([], [forged], [forged, forged], [("x-forwarded-user", ADMIN)]):
                status = ask("/", name, *fields).status
                check(status == wanted, f"nginx: {name} is {wanted} with the names {fields}",
                      status)
        form = GRANT | {"token": ask("/service", READER).token, "reason": "x"}
        status = ask("/do/grant", READER, forged, FORM, method="POST", form=form).status
        check(status == 403, "nginx: a forged name acts as nobody", status)
        answer = ask("/", ADMIN)
        check("frame-ancestors 'none'" in answer.field("content-security-policy")
              and answer.field("cache-control") == "no-store", "nginx passes the fields on",
              answer.fields)
    finally:
        nginx.terminate()
        nginx.wait(timeout=30)


def reader(check, options, source, folder):
    """A user of this machine who may only ask is offered nothing either."""
    nobody = 65_534
    os.chmod(folder, 0o711)
    peers = f"sockets.peers=uid:0=admin,uid:{nobody}=query"
    service = Service(options.usher, source, os.path.join(folder, "readers"),
                      ("--set", peers, "--set", "sockets.usher-mode=0666"))
    with closing(service), closing(Console(service.start(), user=nobody)) as console:
        console.enter()
        head = service.head
        is_offered_nothing(check, console, "a reader of this machine")
        answer = console.post("/do/grant", GRANT | {"reason": "x", "token": console.token})
        check(answer.status == 403 and service.head == head, "a reader is refused all the same",
              answer.status)


def run(check, options, source, folder):
    if os.getuid() == 0:
        reader(check, options, source, folder)
    else:
        print("console: a user who may only ask: not checked, nobody but root can be one")
    service = TeamService(options.usher, source, os.path.join(folder, "team"), DELEGATE)
    with closing(service), closing(TeamConsole(service.start(), service.folder)) as console:
        strangers(check, console, service)
        roles(check, console, service)
        through_nginx(check, console, options.repository, service.folder)
