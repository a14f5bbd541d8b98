"""The code of docs/INTEGRATE.md, as it stands there, against a service that is killed and the App
Store in a box. See scripts/check-examples."""

import http.server
import json
import os
import queue
import re
import shutil
import subprocess
import threading
import urllib.request

BOX, HOOK = "http://127.0.0.1:18085", 18086


def code(repository):
    """The one block of Python on the page."""
    with open(os.path.join(repository, "docs", "INTEGRATE.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)
    if len(blocks) != 1:
        raise RuntimeError("docs/INTEGRATE.md has not one block of Python")
    return blocks[0]


class Hook(http.server.BaseHTTPRequestHandler):
    """Where the box posts its notifications."""

    posted = queue.Queue()

    def do_POST(self):
        self.posted.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def say(line):
    """What the box signs for the app."""
    body = json.dumps({"line": line}).encode()
    with urllib.request.urlopen(f"{BOX}/box/say", body, timeout=30) as answer:
        signed = [one["jws"] for said in json.load(answer)["said"] for one in said["evidence"]
                  if one["kind"] == "transaction"]
    return signed[0]


def hold(what, found, expected):
    if found != expected:
        raise RuntimeError(f"docs/INTEGRATE.md: {what}: {found!r}, not {expected!r}")


def sell(backend, shop, service, stop):
    """One purchase, with the service gone between the payment and the evidence."""
    account, product = "ana", "com.example.reader.coins.100"
    hold("before", backend["may_use"](account, "premium"), False)
    order = backend["order"](account, product, "cart-1")
    hold("the same cart", backend["order"](account, product, "cart-1"), order)
    hold("paying", backend["report"](order, "paying"), "paying")
    jws = say(f"{account} buys coins.100 as C for order {order}")
    evidence = {"account": account, "payload": jws, "moment": "purchase"}
    service.kill()
    service.wait()
    hold("without a service", backend["may_use"](account, "premium", True), True)
    hold("evidence without a service", backend["receive"]("/v1/evidence", evidence), [])
    service = shop.start()
    finish = backend["submit"]()
    hold("transactions to finish", len(finish), 1)
    hold("sent again", backend["receive"]("/v1/evidence", evidence), finish)
    notification = Hook.posted.get(timeout=30)
    hold("notified", backend["receive"]("/v1/notifications", notification), finish)
    hold("finished", backend["report"](order, "finished"), "finished")
    hold("forged", backend["receive"]("/v1/evidence", {"account": account, "payload": "a.b.c"}), [])
    refused = backend["db"].execute("select path, problem from refused").fetchall()
    hold("refused", [path for path, _ in refused], ["/v1/evidence"])
    try:
        backend["report"](order, "cancelled")
        hold("cancelled after the end", "done", "refused")
    except backend["Refused"]:
        pass
    hold("lost orders", backend["lost_orders"](), [])
    follow(backend, order)
    if stop(service) != 0:
        raise RuntimeError("the service of docs/INTEGRATE.md did not stop well")


def follow(backend, order):
    """Each change is applied once, though the first time fails in the middle."""
    backend["db"].execute("create table told (number integer primary key, kind, state)")

    def apply(db, change):
        state = (change.get("after") or {}).get("state") or (change.get("after") or {}).get("balance")
        db.execute("insert into told values (?, ?, ?)", (change["number"], change["kind"], state))
        if fails:
            raise ZeroDivisionError

    fails = True
    try:
        backend["follow"](apply)
    except ZeroDivisionError:
        hold("applied", backend["db"].execute("select count(*) from told").fetchone(), (0,))
    fails = False
    told = []
    for _ in range(20):
        backend["follow"](apply, wait="1s")
        told = backend["db"].execute("select kind, state from told order by number").fetchall()
        if ("order-changed", "finished") in told:
            break
    hold("states", [state for kind, state in told if kind == "order-changed"],
         ["created", "paying", "delivered", "finished"])
    hold("balance", [state for kind, state in told if kind == "balance-changed"], [100])


def check(usher, repository, folder, shop, stop):
    """Runs the page's code in a folder of its own."""
    hook = http.server.ThreadingHTTPServer(("127.0.0.1", HOOK), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    box = subprocess.Popen(
        [usher, "simulate", "serve", "--policies", shop.policies, "--keys", f"{folder}/keys",
         "--listen", BOX.removeprefix("http://"), "--notify", f"http://127.0.0.1:{HOOK}/apple"],
        stdout=subprocess.PIPE, text=True)
    service = None
    try:
        for line in box.stdout:
            if "receipt-root.pem}" in line:
                break
        shutil.copy(f"{folder}/keys/root.pem", f"{shop.policies}/root.pem")
        service = shop.start()
        os.environ["USHER_SOCKETS"] = shop.sockets
        os.chdir(folder)
        backend = {}
        exec(compile(code(repository), "docs/INTEGRATE.md", "exec"), backend)
        sell(backend, shop, service, stop)
    finally:
        os.chdir(repository)
        for process in filter(None, (service, box)):
            process.terminate()
            process.wait(timeout=60)
        hook.shutdown()
    print("examples: docs/INTEGRATE.md: a purchase, with the service killed in the middle")
