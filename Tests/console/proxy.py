"""A team: the console on a socket behind nginx, which says who asks, and the roles that its file has."""

import base64
import http.client
import os
import re
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "sockets"))
from proxies import start_nginx  # noqa: E402
from trouble import Form  # noqa: E402
from world import FORM, Console, LocalConnection, Service, exchange  # noqa: E402

HOST, PORT = "console.example", 18_090
ADMIN, READER, STRANGER = "mei@corp.example", "tom@corp.example", "eve@corp.example"
ROLES = f"{ADMIN}: admin\n{READER}: query\nina@corp.example: ingest\n"
DELEGATE = ("--set", f"sockets.peers=uid:{os.getuid()}=delegate")
GRANT = {"account": "team", "entitlement": "premium", "until": "2030-01-01", "new-account": "true"}


class TeamService(Service):
    """A service to which whoever runs this is a delegate; it is asked for an administrator."""

    def ask(self, method, path, body=None, name="usher.sock", fields=()):
        named = [("Usher-Actor", "checker"), ("Usher-Role", "admin")] if name == "usher.sock" else []
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
    for name, who in (("nobody", []), ("an empty name", [""]), ("a stranger", [STRANGER]), ("two names", [ADMIN, ADMIN]),
                      ("two that differ", [READER, ADMIN]), ("names in one field", [f"{ADMIN}, {READER}"]),
                      ("other letters", [ADMIN.upper()]), ("a longer name", [ADMIN + "x"]), ("a role", ["admin"])):
        for target in ("/", "/accounts/mei", "/accounts/mei.json", "/do/grant"):
            status = console.by(*who).get(target).status
            check(status == 403, f"behind a proxy {name} at {target} is 403", status)
        status = console.post("/do/grant", GRANT | {"reason": "x", "token": "0" * 32}).status
        check(status == 403, f"behind a proxy {name} does nothing", status)
    console.by(ADMIN)
    for host in ("evil.example", "127.0.0.1", "localhost", HOST + ":1", ""):
        check(console.get("/", host=host).status == 421, f"behind a proxy host '{host}' is 421")
    status = console.post("/enter", {"code": "0" * 32}).status
    check(status == 403, "behind a proxy no code is exchanged", status)
    status = console.get("/", ("Sec-Fetch-Site", "cross-site")).status
    check(status == 403, "behind a proxy cross-site reads are 403", status)
    check(service.head == head, "strangers do nothing")
    check(os.stat(console.path).st_mode & 0o007 == 0, "the socket is not everybody's")


def roles(check, console, service):
    """An administrator acts under both names; who may only read is offered nothing, and refused."""
    form = Form(console.by(ADMIN), "grant", GRANT)
    answer = form.send()
    page = service.ask("GET", "/v1/accounts/team").text
    check(answer.status == 200 and f"person:{ADMIN},via:user:" in page,
          "what a person does has the person's name and the delegate's", page[-300:])
    token = console.token
    head = service.head
    for who in (READER, "ina@corp.example"):
        console.by(who)
        for target in ("/", "/accounts/mei", "/accounts/mei-2026", "/claims/94", "/policy", "/lost"):
            answer = console.get(target)
            check(answer.status == 200 and "/do/" not in answer.text,
                  f"{who} is shown {target}, and offered nothing", f"{answer.status} {re.findall('/do/[^?]*', answer.text)}")
        own = console.token
        check(own and own != token, "each person has a form token of their own")
        for verb, said in (("grant", GRANT), ("claims/approve", {"claim": 94}), ("block", {"account": "mei"}),
                           ("policy/reload", {}), ("policy/schedule", {"folder": "/etc", "at": "2030-01-01"})):
            answer = console.post("/do/" + verb, said | {"reason": "x", "token": own})
            check(answer.status == 403, f"{who} is refused {verb}", answer.status)
        for fields in ([("Usher-Role", "admin")], [("Usher-Actor", ADMIN), ("Usher-Role", "admin")]):
            answer = console.send("POST", "/do/grant", [FORM, *fields],
                                  urllib.parse.urlencode(GRANT | {"reason": "x", "token": own}).encode())
            check(answer.status == 403, f"{who} is not {fields[-1]}", answer.status)
        status = console.post("/do/grant", GRANT | {"reason": "x", "token": token}).status
        check(status == 403, f"{who} has not the token of another", status)
        answer = console.get("/do/policy/schedule?folder=/etc&at=2030-01-01")
        check("passwd" not in answer.text, f"{who} reads no folder of the server")
    check(service.head == head, "who may not act does nothing")
    console.by(ADMIN)


def through_nginx(check, console, repository, folder):
    """The example as it is, but for the paths."""
    users = os.path.join(folder, "users")
    with open(users, "w", encoding="utf-8") as file:
        file.write("".join(f"{name}:{{PLAIN}}secret\n" for name in (ADMIN, READER, STRANGER)))
    with open(os.path.join(repository, "examples", "nginx", "console.conf"), encoding="utf-8") as file:
        text = file.read()
    text = text.replace("/run/usher-console/console.sock", console.path)
    nginx = start_nginx(folder, text.replace("/etc/nginx/usher-console.users", users))

    def ask(target, name=None, *fields, method="GET", body=None):
        own = [("Host", HOST)]
        if name:
            own.append(("Authorization", "Basic " + base64.b64encode(f"{name}:secret".encode()).decode()))
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
        return exchange(connection, method, target, [*own, *fields], body)

    try:
        while True:
            try:
                if ask("/").status == 401:
                    break
            except ConnectionRefusedError:
                time.sleep(0.02)
        for name, wanted in ((None, 401), (STRANGER, 403), (READER, 200), (ADMIN, 200)):
            forged = ("X-Forwarded-User", ADMIN)
            for fields in ([], [forged], [forged, forged], [("x-forwarded-user", ADMIN)]):
                status = ask("/", name, *fields).status
                check(status == wanted, f"nginx: {name} is {wanted} with {len(fields)} forged names", status)
        token = ask("/service", READER).token
        answer = ask("/do/grant", READER, ("X-Forwarded-User", ADMIN), FORM, method="POST",
                     body=urllib.parse.urlencode(GRANT | {"token": token, "reason": "x"}).encode())
        check(answer.status == 403, "nginx: a forged name acts as nobody", answer.status)
        for name, value in (("content-security-policy", "frame-ancestors 'none'"), ("cache-control", "no-store")):
            check(value in (ask("/", ADMIN).field(name) or ""), f"nginx passes {name} on")
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
    console = None
    try:
        console = Console(service.start(), user=nobody)
        console.enter()
        head = service.head
        for target in ("/", "/accounts/mei-2026", "/claims/94", "/policy"):
            answer = console.get(target)
            check(answer.status == 200 and "/do/" not in answer.text, f"a reader is offered nothing at {target}",
                  f"{answer.status} {re.findall('/do/[^?]*', answer.text)}")
        answer = console.post("/do/grant", GRANT | {"reason": "x", "token": console.token})
        check(answer.status == 403 and service.head == head, "a reader is refused all the same", answer.status)
    finally:
        if console:
            console.close()
        service.close()


def run(check, options, source, folder):
    if os.getuid() == 0:
        reader(check, options, source, folder)
    else:
        print("console: a user who may only ask: not checked, nobody but root can be one")
    service = TeamService(options.usher, source, os.path.join(folder, "team"), DELEGATE)
    console = None
    try:
        console = TeamConsole(service.start(), service.folder)
        strangers(check, console, service)
        roles(check, console, service)
        through_nginx(check, console, options.repository, service.folder)
    finally:
        if console:
            console.close()
        service.close()
