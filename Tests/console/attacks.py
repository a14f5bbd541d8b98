"""What others try from outside: other hosts, other sites, forged forms, codes, and broken requests."""

import json
import os
import re
import socket
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "torture"))
from orders import Orders  # noqa: E402
from world import FORM, Console  # noqa: E402

STANDING = {
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "x-frame-options": "DENY", "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
}
GRANT = {"account": "mallory", "entitlement": "premium", "new-account": "true", "reason": "forged"}
SAME = ("Sec-Fetch-Site", "same-origin")


def hosts(check, console):
    port = console.port
    wrong = ["evil.example", f"evil.example:{port}", "127.0.0.1", "localhost", "127.0.0.1:1",
             f"127.0.0.1.nip.io:{port}", f"[::1]:{port}", f"0.0.0.0:{port}", f"2130706433:{port}",
             f"0x7f.1:{port}", f"127.1:{port}", f"localhost.:{port}", f"x@127.0.0.1:{port}", "",
             f"127.0.0.1:{port}.evil.example", f"127.0.0.1:{port},evil.example",
             f"127.0.0.1:0{port}", f"localhost:{port}/"]
    for host in wrong:
        answer = console.get("/", host=host)
        check(answer.status == 421 and not answer.token, f"host '{host}' is 421", answer.status)
    for name, doubled in (("none", []), ("two", [console.host, console.host]),
                          ("two that differ", [console.host, "evil.example"])):
        # HTTP/1.1 without a host may be refused before it is read.
        status = console.get("/", host=doubled).status
        check(status in (400, 421), f"host: {name} is 400 or 421", status)
    answer = console.post("/enter", {"code": console.code}, host="evil.example")
    check(answer.status == 421 and not answer.field("set-cookie"), "host: no session for another")
    raw = console.raw(f"GET http://evil.example/ HTTP/1.1\r\nHost: {console.host}\r\n"
                      f"Cookie: {console.cookie}\r\nConnection: close\r\n\r\n".encode())
    check(b" 200 " not in raw[:20], "host: an absolute address of another is not answered", raw[:60])
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", console.host):
        check(console.get("/", host=host).status == 200, f"host '{host}' is the console's")


def sites(check, service, console):
    """Reads and writes that another site makes a browser send, with the cookie and the token."""
    other = f"http://127.0.0.1:{console.port + 1}"
    foreign = [[("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
               [("Sec-Fetch-Site", "cross-site"), ("Origin", console.url)],
               [("Sec-Fetch-Site", "same-site"), ("Origin", other)],
               [SAME, ("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "unknown")],
               [("Origin", other)], [("Origin", "null")], [("Origin", "http://evil.example")],
               [("Origin", console.url), ("Origin", other)], [("Origin", console.url + ".evil.example")],
               [("Origin", f"http://localhost:{console.port}")], [("Origin", "")]]
    for fields in foreign:
        said = ", ".join(f"{name}: {value}" for name, value in fields)
        for target in ("/", "/accounts/mei.json", "/accounts/mei/timeline.svg", "/console.css"):
            status = console.get(target, *fields).status
            check(status == 403, f"cross-site GET {target} with {said} is 403", status)
        head = service.head
        answer = console.post("/do/grant", GRANT | {"token": console.token}, *fields)
        check(answer.status == 403 and service.head == head,
              f"cross-site POST with {said} is 403 and does nothing", answer.status)
    for fields in ([SAME], [("Sec-Fetch-Site", "none")]):
        check(console.get("/", *fields).status == 200, f"GET with {fields} is answered")
    for number, fields in enumerate(([SAME], [("Origin", console.url)], [])):
        head = service.head
        answer = console.do("grant", {"account": f"own-{number}", "entitlement": "premium",
                                      "until": "2030-01-01", "new-account": "true"}, *fields)
        check(answer.status == 200 and service.head != head,
              f"POST with {fields} and the token is done", answer.text[-600:])


def tokens(check, service, console, other):
    head = service.head
    for name, token in (("missing", None), ("empty", ""), ("wrong", "0" * 32),
                        ("of another session", other.token), ("cut", console.token[:-1]),
                        ("with a space", console.token + " ")):
        form = GRANT if token is None else GRANT | {"token": token}
        for target in ("/do/grant", "/evidence", "/language", "/leave"):
            status = console.post(target, form, SAME).status
            check(status == 403, f"form token {name} at {target} is 403", status)
    token = console.token
    filled = urllib.parse.urlencode(GRANT | {"token": token})
    for name, kind, body in (
            ("text/plain", "text/plain", filled), ("no type", None, filled),
            ("JSON", "application/json", json.dumps(GRANT | {"token": token})),
            ("multipart", "multipart/form-data; boundary=x", f"--x\r\nContent-Disposition: form-data; "
             f'name="token"\r\n\r\n{token}\r\n--x--\r\n')):
        fields = [SAME] + ([("Content-Type", kind)] if kind else [])
        answer = console.send("POST", "/do/grant", fields, body.encode())
        check(answer.status in (400, 403, 415), f"a form sent as {name} is refused", answer.status)
    answer = console.send("POST", "/do/grant?token=" + token, [FORM, SAME],
                          urllib.parse.urlencode(GRANT).encode())
    check(answer.status == 403, "a token in the address is none", answer.status)
    check(console.get("/").status == 200, "the session goes on")
    check(service.head == head, "forms without the token do nothing")


def codes(check, service, console):
    """The printed code, and the cookie that it is exchanged for."""
    code = console.code
    page = console.get("/enter?code=" + code, cookie="")
    check(page.status == 200 and not page.field("set-cookie"), "a GET exchanges no code")
    for wrong in ("", "0" * 32, code[:-1], code + "0", code.upper() + " "):
        answer = console.post("/enter", {"code": wrong})
        check(answer.status == 403 and not answer.field("set-cookie"), f"code '{wrong}' is 403")
    status = console.post("/enter", {"code": code}, ("Sec-Fetch-Site", "cross-site")).status
    check(status == 403, "another site exchanges no code", status)
    answer = console.enter()
    check(answer.status == 303 and console.cookie, "the code is exchanged", answer.status)
    check(answer.field("location") == "/" and code not in str(answer.fields), "code: in no second URL")
    parts = [part.strip() for part in (answer.field("set-cookie") or "").split(";")]
    check({"HttpOnly", "SameSite=Strict", "Path=/"} <= set(parts), "cookie attributes", parts)
    check(not any(re.match("(?i)domain|expires|max-age", part) for part in parts[1:]),
          "the cookie has no domain, and ends with the browser", parts)
    check(re.fullmatch(r"[\w-]+=[0-9a-f]{32,}", parts[0]), "the cookie has 128 bits", parts[0])
    check(code not in parts[0], "the cookie is not the code")
    answer = console.post("/enter", {"code": code})
    check(answer.status == 403 and not answer.field("set-cookie"), "a code used twice is 403")
    words = b""
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words += file.read()
        except OSError:
            pass
    check(code.encode() not in words and console.cookie.split("=")[1].encode() not in words,
          "code and cookie are not in the process list")
    other = Console(service)
    try:
        check(other.code != code and other.port != console.port, "each console has its own code")
        other.enter()
        value = console.cookie.split("=")[1]
        named = other.cookie.split("=")[0]
        check(named != console.cookie.split("=")[0], "each console has its own cookie")
        for cookie in (console.cookie, f"{named}={value}"):
            check(other.get("/", cookie=cookie).status == 401, "a cookie of another console is 401")
        tokens(check, service, console, other)
    finally:
        other.close()


def sessions(check, console, pages):
    for target in pages:
        answer = console.get(target, cookie="")
        if target in ("/console.css", "/console.js", "/icon.svg"):
            continue
        check(answer.status == 401 and not answer.token, f"no session: {target} is 401", answer.status)
    for target in ("/do/grant", "/evidence", "/language", "/leave"):
        status = console.post(target, GRANT, SAME, cookie="").status
        check(status == 401, f"no session: POST {target} is 401", status)
    name = console.cookie.split("=")[0]
    for cookie in (f"{name}=", f"{name}={'0' * 32}", name, "usher=1", f"{name[:-1]}=1", "=" * 40):
        check(console.get("/", cookie=cookie).status == 401, f"cookie '{cookie}' is no session")


def clocks(check, service, folder):
    """What ends by time, with a clock that is set: the code after 60 s, the session after 8 h idle."""
    orders = Orders(folder, service.ledger)

    def set_clock(seconds):
        orders.set(Orders.OFFSET, seconds * 1_000)

    consoles = [Console(service, environment=orders.environment) for _ in range(2)]
    try:
        late, console = consoles
        set_clock(50)
        check(console.enter().status == 303, "a code of 50 s is exchanged")
        set_clock(62)
        answer = late.enter()
        check(answer.status == 403 and not late.cookie, "a code of 62 s is 403", answer.status)
        for hours in (7, 14):
            set_clock(hours * 3_600)
            check(console.get("/service").status == 200, "a request keeps a session for 8 h more")
        set_clock(23 * 3_600)
        answer = console.get("/service")
        check(answer.status == 401, "a session ends after 8 h idle", answer.status)
        set_clock(14 * 3_600)
        check(console.get("/service").status == 401, "what has ended stays ended")
    finally:
        for console in consoles:
            console.close()


def headers(check, console):
    """Every kind of answer has the fields that keep a browser in."""
    filled = {"token": console.token, "language": "en"}
    kinds = {
        "page": console.get("/"), "JSON": console.get("/accounts/mei.json"),
        "SVG": console.get("/accounts/mei/timeline.svg"), "style": console.get("/console.css"),
        "script": console.get("/console.js"), "icon": console.get("/icon.svg"),
        "tables": console.get("/policy/tables"), "entrance": console.get("/enter?code=1", cookie=""),
        "find redirect": console.get("/find?q=mei"), "form redirect": console.post("/language", filled),
        "nothing found": console.get("/find?q=nobody-knows"), "form": console.get("/do/grant"),
        "no page": console.get("/no/such/page"), "no session": console.get("/", cookie=""),
        "cross-site": console.get("/", ("Sec-Fetch-Site", "cross-site")),
        "wrong host": console.get("/", host="evil.example"), "method": console.send("PUT", "/", body=b""),
        "wrong token": console.post("/do/grant", GRANT), "bad code": console.post("/enter", {"code": "1"}),
        "bad address": console.get("/%zz"), "too large": console.post("/evidence", {"evidence": "x" * 3_000_000}),
        "HEAD": console.send("HEAD", "/"),
    }
    expected = {"find redirect": 303, "form redirect": 303, "no page": 404,
                "no session": 401, "cross-site": 403, "wrong host": 421, "method": 405,
                "wrong token": 403, "bad code": 403, "bad address": 400, "too large": 413}
    for kind, answer in kinds.items():
        wanted = expected.get(kind, 200)
        check(answer.status == wanted, f"the answer '{kind}' is {wanted}", answer.status)
        for name, value in STANDING.items():
            check(answer.field(name) == value, f"{kind} has {name}: {value}", answer.field(name))
        policy = {rule.split()[0]: rule.split()[1:] for rule in
                  (answer.field("content-security-policy") or "x").split(";")}
        check(policy.get("default-src") == ["'none'"] and policy.get("frame-ancestors") == ["'none'"]
              and policy.get("base-uri") == ["'none'"], f"{kind} loads nothing by default, in no frame", policy)
        sources = [source for rule in policy.values() for source in rule]
        allowed = {"'none'", "'self'"} | ({"'unsafe-inline'"} if kind in ("SVG", "tables") else set())
        check(set(sources) <= allowed and "'unsafe-inline'" not in policy.get("script-src", []),
              f"{kind} allows only what is its own", policy)
        telling = [name for name, _ in answer.fields if name in ("server", "x-powered-by")
                   or name.startswith("access-control")]
        check(not telling, f"{kind} tells nothing of the program, and lets nobody in", telling)
        if answer.body:
            check("charset=utf-8" in answer.field("content-type") or kind in ("JSON", "SVG", "icon"),
                  f"{kind} says its encoding", answer.field("content-type"))
    check("GET" in (kinds["method"].field("allow") or ""), "405 says what is allowed")
    check(kinds["HEAD"].body == b"" and int(kinds["HEAD"].field("content-length")) > 0,
          "HEAD has the size and no body")


def broken(check, service, console):
    """Methods, sizes, halves: nothing is done, and others are answered meanwhile."""
    head = service.head
    token = console.token
    filled = urllib.parse.urlencode(GRANT | {"token": token}).encode()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "GRANT", "post"):
        answer = console.send(method, "/do/grant", [FORM, SAME], filled)
        wanted = (200,) if method == "HEAD" else (400, 405)
        check(answer.status in wanted, f"{method} of a form is {wanted}", answer.status)
    console.get("/do/grant?" + filled.decode())
    for target in ("/leave?token=" + token, "/language?language=zh&token=" + token,
                   "/evidence?step=submit&evidence=x&token=" + token):
        console.get(target)
    check(console.get("/").status == 200, "a GET of /leave leaves nothing")
    start = f"POST /do/grant HTTP/1.1\r\nHost: {console.host}\r\nCookie: {console.cookie}\r\n" \
            f"Content-Type: {FORM[1]}\r\n"
    smuggled = console.raw((start + f"Content-Length: {len(filled)}\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "0\r\n\r\n").encode() + b"GET /service HTTP/1.1\r\n\r\n", timeout=2)
    check(b" 200 " not in smuggled[:20], "two lengths are refused", smuggled[:60])
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    large = console.raw((start + "Transfer-Encoding: chunked\r\n\r\n").encode() + chunk * 40 + b"0\r\n\r\n")
    check(large[:12] == b"HTTP/1.1 413" or not large, "a body without a length is cut off", large[:60])
    many = console.raw(f"GET / HTTP/1.1\r\nHost: {console.host}\r\n".encode() + b"X: " + b"y" * 200_000
                       + b"\r\n\r\n", timeout=5)
    check(b" 200 " not in many[:20], "fields without end are refused", many[:60])
    for text in (b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                 b"GET / HTTP/9.9\r\n\r\n", b"GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n"):
        check(b" 200 " not in console.raw(text, timeout=1)[:20], f"{text[:20]} is not answered")
    halves = [socket.create_connection(("127.0.0.1", console.port)) for _ in range(100)]
    for number, half in enumerate(halves):
        half.sendall((start + f"Content-Length: {len(filled)}\r\n\r\n").encode()
                     + filled[:-1] if number % 2 else b"GET / HTTP/1.1\r\nHo")
    began = time.monotonic()
    status = console.get("/service").status
    took = time.monotonic() - began
    check(status == 200 and took < 2, "100 half requests keep nobody waiting", f"{status} {took:.1f} s")
    for half in halves:
        half.close()
    for target in ("/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//evil.example/", 
                   "/accounts/%00", "/accounts/%ff", "/accounts/a/b/c/d", "/do/ledger/restore", "/do/serve",
                   "/do", "/do/grant/x", "/console.css/x", "/claims/-1", "/claims/1e3",
                   "/accounts/" + "a" * 300, "/claims/99999999999999999999"):
        answer = console.get(target)
        check(answer.status in (400, 404) and not answer.field("location"),
              f"{target[:40]} is 400 or 404", answer.status)
    for sought in ("//evil.example", "/\\evil.example", "http://evil.example", "mei\r\nX: y"):
        place = console.get("/find?" + urllib.parse.urlencode({"q": sought})).field("location")
        check(place is None or re.match(r"/[a-z]", place), f"find '{sought!r}' leads nowhere else", place)
    check(service.head == head, "broken requests do nothing")


def names(check, service, console):
    """On a port, nobody is whom a field names."""
    for field in ("X-Forwarded-User", "Usher-Actor", "Usher-Role", "Remote-User"):
        status = console.get("/", (field, "mei@example.com"), cookie="").status
        check(status == 401, f"{field} is no session on a port", status)
    answer = console.do("grant", {"account": "named", "entitlement": "premium", "until": "2030-01-01", "new-account": "true"},
                        ("X-Forwarded-User", "mallory@example.com"), ("Usher-Actor", "mallory@example.com"),
                        ("Usher-Role", "query"))
    page = console.get("/accounts/named.json").text
    check(answer.status == 200 and "user:root" in page and "mallory" not in page,
          "a name in a field is not recorded on a port", page[-400:])


def run(check, service, folder, pages):
    console = Console(service)
    try:
        codes(check, service, console)
        hosts(check, console)
        sites(check, service, console)
        sessions(check, console, pages)
        headers(check, console)
        broken(check, service, console)
        names(check, service, console)
        clocks(check, service, folder)
        token = console.token
        status = console.post("/leave", {"token": token}, SAME).status
        check(status in (200, 303) and console.get("/").status == 401, "who leaves has no session")
    finally:
        console.close()
