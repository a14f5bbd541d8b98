"""What others try from outside: other hosts, other sites, forged forms, codes, broken requests."""

import json
import os
import re
import socket
import sys
import time
import urllib.parse
from contextlib import closing

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from orders import Orders  # noqa: E402
from world import FORM, Console, Form  # noqa: E402

STANDING = {
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "x-frame-options": "DENY", "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin"}
GRANT = {"account": "mallory", "entitlement": "premium", "new-account": "true",
         "reason": "forged"}
POSTED = ("/do/grant", "/evidence", "/language", "/leave")
SAME, CROSS = ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")


def hosts(check, console):
    port = console.port
    for host in ("", "evil.example", f"evil.example:{port}", "127.0.0.1", "localhost",
                 "127.0.0.1:1", f"127.0.0.1.nip.io:{port}", f"[::1]:{port}", f"0.0.0.0:{port}",
                 f"2130706433:{port}", f"0x7f.1:{port}", f"127.1:{port}", f"localhost.:{port}",
                 f"x@127.0.0.1:{port}", f"127.0.0.1:{port}.evil.example", f"127.0.0.1:0{port}",
                 f"127.0.0.1:{port},evil.example", f"localhost:{port}/"):
        answer = console.get("/", host=host)
        check(answer.status == 421 and not answer.token, f"host '{host}' is 421", answer.status)
    for doubled in ([], [console.host] * 2, [console.host, "evil.example"]):
        # HTTP/1.1 without a host may be refused before it is read.
        status = console.get("/", host=doubled).status
        check(status in (400, 421), f"hosts {doubled} are 400 or 421", status)
    answer = console.post("/enter", {"code": console.code}, host="evil.example")
    check(answer.status == 421 and not answer.field("set-cookie"), "no session for another host")
    raw = send_raw(console, b"GET http://evil.example/ HTTP/1.1\r\nHost: "
                   + f"{console.host}\r\nCookie: {console.cookie}\r\n\r\n".encode(), 1)
    check(b" 200 " not in raw[:20], "an absolute address of another host gets no page", raw[:60])
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", console.host):
        check(console.get("/", host=host).status == 200, f"host '{host}' is the console's")


def sites(check, service, console):
    """Reads and writes that another site makes a browser send, with the cookie and the token."""
    other, own = f"http://127.0.0.1:{console.port + 1}", console.url
    near = ("Sec-Fetch-Site", "same-site")
    for fields in ([CROSS], [near], [CROSS, ("Origin", own)], [near, ("Origin", other)],
                   [SAME, CROSS], [("Sec-Fetch-Site", "unknown")], [("Origin", other)],
                   [("Origin", "null")], [("Origin", "http://evil.example")], [("Origin", "")],
                   [("Origin", own), ("Origin", other)], [("Origin", own + ".evil.example")],
                   [("Origin", f"http://localhost:{console.port}")]):
        said = ", ".join(f"{name}: {value}" for name, value in fields)
        for target in ("/", "/accounts/mei.json", "/accounts/mei/timeline.svg", "/console.css"):
            status = console.get(target, *fields).status
            check(status == 403, f"GET {target} with {said} is 403", status)
        head = service.head
        answer = console.post("/do/grant", GRANT | {"token": console.token}, *fields)
        check(answer.status == 403 and service.head == head,
              f"POST with {said} is 403 and does nothing", answer.status)
    for fields in ([SAME], [("Sec-Fetch-Site", "none")]):
        check(console.get("/", *fields).status == 200, f"GET with {fields} is answered")
    for number, fields in enumerate(([SAME], [("Origin", own)], [])):
        head = service.head
        answer = Form(console, "grant", GRANT | {"account": f"own-{number}"}).send(*fields)
        check(answer.status == 200 and service.head != head,
              f"POST with {fields} and the token is done", answer.text[-600:])


def tokens(check, service, console, other):
    head, token = service.head, console.token
    for name, form in (
            ("missing", {}), ("empty", {"token": ""}), ("wrong", {"token": "0" * 32}),
            ("of another session", {"token": other.token}), ("cut", {"token": token[:-1]}),
            ("with a space", {"token": token + " "})):
        for target in POSTED:
            status = console.post(target, GRANT | form, SAME).status
            check(status == 403, f"form token {name} at {target} is 403", status)
    filled = urllib.parse.urlencode(GRANT | {"token": token})
    for kind, body in (
            ("text/plain", filled), ("", filled),
            ("application/json", json.dumps(GRANT | {"token": token})),
            ("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; "
             f'name="token"\r\n\r\n{token}\r\n--x--\r\n')):
        fields = [SAME, ("Content-Type", kind)] if kind else [SAME]
        answer = console.send("POST", "/do/grant", fields, body.encode())
        check(answer.status in (400, 403, 415), f"a form of type '{kind}' is refused",
              answer.status)
    answer = console.send("POST", "/do/grant?token=" + token, [FORM, SAME],
                          urllib.parse.urlencode(GRANT).encode())
    check(answer.status == 403, "a token in the address is none", answer.status)
    check(console.get("/").status == 200 and service.head == head,
          "forms without the token do nothing, and end no session")


def codes(check, service, console):
    """The printed code, and the cookie that it is exchanged for."""
    code = console.code
    page = console.get("/enter?code=" + code, cookie="")
    check(page.status == 200 and not page.field("set-cookie"), "a GET exchanges no code")
    for wrong in ("", "0" * 32, code[:-1], code + "0", code + " "):
        answer = console.post("/enter", {"code": wrong})
        check(answer.status == 403 and not answer.field("set-cookie"), f"code '{wrong}' is 403")
    status = console.post("/enter", {"code": code}, CROSS).status
    check(status == 403, "another site exchanges no code", status)
    answer = console.enter()
    check(answer.status == 303 and console.cookie, "the code is exchanged", answer.status)
    check(answer.field("location") == "/" and code not in str(answer.fields),
          "the code is in no second address")
    parts = [part.strip() for part in (answer.field("set-cookie") or "").split(";")]
    check({"HttpOnly", "SameSite=Strict", "Path=/"} <= set(parts), "cookie attributes", parts)
    check(not any(re.match("(?i)domain|expires|max-age", part) for part in parts),
          "the cookie has no domain, and ends with the browser", parts)
    value = parts[0].partition("=")[2]
    check(re.fullmatch(r"[0-9a-f]{32,}", value) and value != code, "the cookie has 128 bits")
    answer = console.post("/enter", {"code": code})
    check(answer.status == 403 and not answer.field("set-cookie"), "a code used twice is 403")
    words = b""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words += file.read()
        except OSError:
            pass
    check(code.encode() not in words and value.encode() not in words,
          "code and cookie are not in the process list")
    with closing(Console(service)) as other:
        other.enter()
        named = other.cookie.partition("=")[0]
        check(other.code != code and named != parts[0].partition("=")[0],
              "each console has its own code and its own cookie")
        for cookie in (console.cookie, f"{named}={value}"):
            status = other.get("/", cookie=cookie).status
            check(status == 401, "a cookie of another console is 401", status)
        tokens(check, service, console, other)


def sessions(check, console, pages):
    for target in pages:
        if target in ("/console.css", "/console.js", "/icon.svg"):
            continue
        answer = console.get(target, cookie="")
        check(answer.status == 401 and not answer.token, f"no session: {target} is 401",
              answer.status)
    for target in POSTED:
        status = console.post(target, GRANT, SAME, cookie="").status
        check(status == 401, f"no session: POST {target} is 401", status)
    name = console.cookie.partition("=")[0]
    for cookie in (f"{name}=", f"{name}={'0' * 32}", name, "usher=1", f"{name[:-1]}=1", "=" * 40):
        check(console.get("/", cookie=cookie).status == 401, f"cookie '{cookie}' is no session")


def clocks(check, service, folder):
    """The code ends after 60 s, the session after 8 h idle: with a clock that is set."""
    orders = Orders(folder, "no ledger")

    def set_clock(seconds):
        orders.set(Orders.OFFSET, seconds * 1_000)

    def start():
        return closing(Console(service, environment=orders.environment))

    with start() as late, start() as console:
        set_clock(50)
        check(console.enter().status == 303, "a code of 50 s is exchanged")
        set_clock(62)
        check(late.enter().status == 403 and not late.cookie, "a code of 62 s is 403")
        for hours, wanted in ((7, 200), (14, 200), (23, 401), (14, 401)):
            set_clock(hours * 3_600)
            status = console.get("/service").status
            check(status == wanted, f"a session asked for again after {hours} h is {wanted}",
                  status)


def headers(check, console):
    """Every kind of answer has the fields that keep a browser in."""
    kinds = {
        "page": (200, console.get("/")), "form": (200, console.get("/do/grant")),
        "JSON": (200, console.get("/accounts/mei.json")),
        "SVG": (200, console.get("/accounts/mei/timeline.svg")),
        "style": (200, console.get("/console.css")), "icon": (200, console.get("/icon.svg")),
        "script": (200, console.get("/console.js")),
        "tables": (200, console.get("/policy/tables")),
        "nothing found": (200, console.get("/find?q=nobody-knows")),
        "entrance": (200, console.get("/enter?code=1", cookie="")),
        "HEAD": (200, console.send("HEAD", "/")),
        "redirect": (303, console.get("/find?q=mei")),
        "redirect of a form": (303, console.post("/language", {
            "token": console.token, "language": "en"})),
        "no page": (404, console.get("/no/such/page")),
        "no session": (401, console.get("/", cookie="")),
        "cross-site": (403, console.get("/", CROSS)),
        "wrong token": (403, console.post("/do/grant", GRANT)),
        "bad code": (403, console.post("/enter", {"code": "1"})),
        "wrong host": (421, console.get("/", host="evil.example")),
        "method": (405, console.send("PUT", "/", body=b"")),
        "bad address": (400, console.get("/%zz")),
        "too large": (413, console.post("/evidence", {"evidence": "x" * 3_000_000}))}
    for kind, (wanted, answer) in kinds.items():
        check(answer.status == wanted, f"the answer '{kind}' is {wanted}", answer.status)
        missing = {name: answer.field(name) for name, value in STANDING.items()
                   if answer.field(name) != value}
        check(not missing, f"{kind} has what every answer has", missing)
        policy = {rule.split()[0]: set(rule.split()[1:]) for rule in
                  (answer.field("content-security-policy") or "x").split(";")}
        closed = [policy.get(name) for name in ("default-src", "frame-ancestors", "base-uri")]
        check(closed == [{"'none'"}] * 3, f"{kind} loads nothing by default, in no frame", policy)
        styles = policy.pop("style-src", set())
        styles |= policy.pop("style-src-attr", set()) if kind == "tables" else set()
        check(set().union(*policy.values()) <= {"'none'", "'self'"}
              and styles <= {"'self'", "'unsafe-inline'"}
              and (kind in ("SVG", "tables") or "'unsafe-inline'" not in styles),
              f"{kind} allows only what is its own", policy)
        telling = [name for name, _ in answer.fields
                   if name in ("server", "x-powered-by") or name.startswith("access-control")]
        check(not telling, f"{kind} tells nothing of the program, and lets nobody in", telling)
    check("GET" in (kinds["method"][1].field("allow") or ""), "405 says what is allowed")
    check(kinds["HEAD"][1].body == b"" and int(kinds["HEAD"][1].field("content-length")) > 0,
          "HEAD has the size and no body")


def send_raw(console, data, timeout=20):
    """Bytes as they are, and what comes until the end."""
    answer = b""
    with socket.create_connection(("127.0.0.1", console.port), timeout=timeout) as stream:
        try:
            stream.sendall(data)
            while part := stream.recv(65_536):
                answer += part
        except OSError:
            pass
    return answer


def broken(check, service, console):
    """Methods, sizes, halves: nothing is done, and others are answered meanwhile."""
    head, token = service.head, console.token
    filled = urllib.parse.urlencode(GRANT | {"token": token}).encode()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "GRANT", "post"):
        status = console.send(method, "/do/grant", [FORM, SAME], filled).status
        check(status in ((200,) if method == "HEAD" else (400, 405)),
              f"{method} of a form does nothing", status)
    for target in ("/leave?", "/language?language=zh&", "/evidence?step=submit&evidence=x&",
                   f"/do/grant?{filled.decode()}&"):
        console.get(target + "token=" + token)
    check(console.get("/").status == 200, "a GET of /leave leaves nothing")
    start = (f"POST /do/grant HTTP/1.1\r\nHost: {console.host}\r\nCookie: {console.cookie}\r\n"
             f"Content-Type: {FORM[1]}\r\n").encode()
    length = f"Content-Length: {len(filled)}\r\n".encode()
    chunks = (b"10000\r\n" + b"x" * 0x10000 + b"\r\n") * 40 + b"0\r\n\r\n"
    for name, data in (
            ("two lengths", start + length + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            ("a body without a length", start + b"Transfer-Encoding: chunked\r\n\r\n" + chunks),
            ("fields without end", start + b"X: " + b"y" * 200_000 + b"\r\n\r\n"),
            ("TLS", b"\x16\x03\x01\x02\x00\x01\x00"), ("half a line", b"GET\r\n\r\n"),
            ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
            ("another version", b"GET / HTTP/9.9\r\n\r\n")):
        raw = send_raw(console, data, 2)
        check(b" 200 " not in raw[:20], f"{name} is not answered", raw[:60])
    halves = [socket.create_connection(("127.0.0.1", console.port)) for _ in range(100)]
    for number, half in enumerate(halves):
        half.sendall(start + length + b"\r\n" + filled[:-1] if number % 2 else b"GET / HT")
    began = time.monotonic()
    status = console.get("/service").status
    check(status == 200 and time.monotonic() - began < 2,
          "100 half requests keep nobody waiting", f"{status}, {time.monotonic() - began:.1f} s")
    for half in halves:
        half.close()
    for target in ("/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//evil.example/", "/claims/-1",
                   "/accounts/%00", "/accounts/%ff", "/accounts/a/b/c/d", "/do/ledger/restore",
                   "/do/serve", "/do", "/do/grant/x", "/console.css/x", "/claims/1e3",
                   "/accounts/" + "a" * 300, "/claims/99999999999999999999"):
        answer = console.get(target)
        check(answer.status in (400, 404) and not answer.field("location"),
              f"{target[:40]} is 400 or 404", answer.status)
    for sought in ("//evil.example", "/\\evil.example", "http://evil.example", "mei\r\nX: y"):
        place = console.get("/find?" + urllib.parse.urlencode({"q": sought})).field("location")
        check(place is None or re.match(r"/[a-z]", place), f"find {sought!r} leads nowhere else",
              place)
    check(service.head == head, "broken requests do nothing")


def names(check, console):
    """On a port, nobody is whom a field names."""
    eve = "mallory@example.com"
    for field in ("X-Forwarded-User", "Usher-Actor", "Usher-Role", "Remote-User"):
        status = console.get("/", (field, eve), cookie="").status
        check(status == 401, f"{field} is no session on a port", status)
    answer = Form(console, "grant", GRANT | {"account": "named"}).send(
        ("X-Forwarded-User", eve), ("Usher-Actor", eve), ("Usher-Role", "query"))
    page = console.get("/accounts/named.json").text
    check(answer.status == 200 and '"actor":"user:' in page and "mallory" not in page,
          "a name in a field is not recorded on a port", page[-400:])


def run(check, service, folder, pages):
    with closing(Console(service)) as console:
        codes(check, service, console)
        hosts(check, console)
        sites(check, service, console)
        sessions(check, console, pages)
        headers(check, console)
        broken(check, service, console)
        names(check, console)
        clocks(check, service, folder)
        answer = console.post("/leave", {"token": console.token}, SAME)
        check(answer.status == 200 and "The session has ended" in answer.text
              and console.get("/").status == 401, "who leaves has no session", answer.text)
