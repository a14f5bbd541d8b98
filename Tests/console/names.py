"""A thousand hostile names: no page gets an element, an attribute or a hidden character of them."""

import json
import os
import random
import re
import subprocess
import urllib.parse

from pages import Page

PARTS = (
    "<script>alert(1)</script> <img_src=x_onerror=alert(1)> <svg/onload=alert(1)> \" ' ` & &lt; "
    "&#60; &amp \"><b> '><i_x=' \"_onfocus=alert(1)_autofocus_x=\" <!-- --> ]]> <![CDATA[ "
    "</textarea> </title> </a> </main> <a_href=javascript:alert(1)> < > = / \\ //evil.example "
    "javascript:alert(1) {{7*7}} ${7*7} %3Cb%3E %00 .. ? # ; -- --reason=x --sockets=/tmp -h "
    "@file a Z 0 '; exit $(id)").split()
# Where any text is taken: what nobody sees, what turns others round, what ends a line, and more.
WILD = (
    "\u202e", "\u2066", "\u200b", "\u200f", "\u00ad", "\ufeff", "\u061c", "\u0085", "\u001b[31m",
    "\u0007", "\u0000", "\ufffe", "\U000e0041", "\u0301" * 9, "\u540d\u524d", " ", "\r\n", "\t",
    "\u2028", "\u001b[4;1000m", "\u001b[0m", "\U0001f468\u200d\U0001f469")
# Harmless ones: one that an id can have, one that none can, one that is too long for most.
PLAIN = [("plain", "plain"), ("plain", "two words"), ("y" * 250, "y" * 2_000)]
MADE = ("/v1/grants", {"entitlement": "premium"}), ("/v1/blocks", {"entitlements": ["audio"]}), \
    ("/v1/orders", {"product": "com.example.reader.coins.100"})


def hostile(count):
    """Names that an id can have, some very long, each with a text of any characters."""
    generator = random.Random(48)
    for number in range(count):
        name = "".join(generator.choices(PARTS, k=generator.randint(1, 6))) + str(number)
        text = "".join(generator.choices([*PARTS, *WILD], k=generator.randint(1, 8)))
        yield (name * 40 if number % 50 == 0 else name)[:256], text + str(number)


def inside(name):
    return urllib.parse.quote(name, safe="")


class Kinds:
    """Compares each page with those of harmless names."""

    def __init__(self, check, console):
        self.check, self.console, self.token = check, console, console.token
        self.plain, self.pages = {}, 0

    def __call__(self, kind, target, name, form=None):
        console = self.console
        answer = console.post(target, form) if form else console.get(target)
        page = Page(answer.text)
        # What the page has written of itself; a sentence may have several lines.
        shape = answer.status, [element for element in page.elements if element[0] != "br"]
        if name is None:
            self.plain.setdefault(kind, []).append(shape)
            return
        self.pages += 1
        links = [link for _, _, link in page.links if not re.match(r"/(?!/)|#", link)]
        if shape not in self.plain[kind] or page.hidden or page.mistakes or links:
            pairs = zip(shape[1], self.plain[kind][0][1])
            other = next((pair for pair in pairs if pair[0] != pair[1]), None)
            self.check(False, f"{kind} is the same page for any name", [
                name, answer.status, other, page.hidden, page.mistakes, links, target[:200]])


def prepare(service, name, reason):
    """An account of that name with a grant, a block and an order, each for that reason.

    Returns how many of the two reasons were taken as they are."""
    taken = 0
    for path, body in MADE:
        key = ("Idempotency-Key", (path[4:6] + name)[:64])
        # Not every text is a reason.
        for said in ({},) if "orders" in path else ({"reason": reason}, {"reason": name[:100]}):
            answer = service.ask("POST", path, body | {"account": name} | said, fields=[key])
            if answer.status == 200:
                taken += said == {"reason": reason}
                break
        else:
            raise RuntimeError(f"{path} for {name!r}: {answer.status} {answer.text}")
    return taken


def look(kinds, number, name, text, is_known):
    """The pages that have this name or this text on them: the harmless ones all of them."""
    compared = None if (name, text) in PLAIN else text
    account = "/accounts/" + inside(name)
    if is_known:
        for kind, target in (
                ("account", account), ("explain", account + "/explain/premium"),
                ("history", account + "/history/premium"), ("find", "/find?q=" + inside(name)),
                ("grant", "/grants/" + inside(("gr" + name)[:64])),
                ("block", "/blocks/" + inside(("bl" + name)[:64])),
                ("orders", account + "/orders"), ("timeline", account + "/timeline")):
            kinds(kind, target, compared)
        return
    shown = [
        ("nothing found", "/find?q=" + inside(text)), ("nobody", account),
        ("found while typing", "/find?part=1&q=" + inside(text)),
        ("nobody's reasons", account + "/explain/premium"),
        ("no entitlement", "/accounts/mei/explain/" + inside(name)),
        ("no date", "/accounts/mei?at=" + inside(text)), ("no page", "/" + inside("x" + text)),
        ("no transaction", "/transactions/" + inside(text))]
    asked = [
        ("form", f"/do/grant?account={inside(name)}&entitlement={inside(text)}"),
        ("form of a block", f"/do/block?account={inside(text)}&reason={inside(text)}"),
        ("form of a claim", f"/do/claims/approve?claim={inside(text)}")]
    # The service makes so many previews a second.
    chosen = [asked[number // 12 % 3] if number % 12 == 0 else shown[number % len(shown)]]
    for kind, target in chosen if compared else shown + asked:
        kinds(kind, target, compared)
    if not compared or number % 8 == 0:
        kinds("what was typed", "/do/grant", compared, {
            "token": kinds.token, "account": name, "entitlement": "premium", "reason": text,
            "key": text, "undo": "usher grant " + text, "about": name, "if_revision": text})
        kinds("evidence", "/evidence", compared, {
            "token": kinds.token, "step": "show", "evidence": text, "account": name})


def apples_words(service, kinds, count=24):
    """Products that no catalogue has, and notifications that nobody knows, as Apple signs them."""
    plain = ["com.example.reader.plain", "com.example.reader." + "y" * 60]
    names = [*plain, *(name[:80] for name, _ in hostile(count))]
    steps = []
    for number, name in enumerate(names):
        buys = {"account": f"buyer-{number}", "product": f"p{number}", "name": f"P{number}"}
        says = {"type": name, "purchase": f"P{number}"}
        steps += [{"at": "2026-07-20", "buys": buys}, {"at": "2026-07-20", "apple_says": says}]
    products = {f"p{number}": {"id": name, "kind": "non-consumable"}
                for number, name in enumerate(names)}
    path = os.path.join(service.folder, "hostile.yaml")
    with open(path, "w", encoding="ascii") as file:
        json.dump({"usher": 1, "story": "Hostile", "products": products, "steps": steps}, file)
    subprocess.run(
        [service.usher, "simulate", "play", path, "--socket", service.sockets + "/usher.sock"],
        check=True, stdout=subprocess.DEVNULL)
    for number, name in enumerate(names):
        for part in ("", "/timeline", "/timeline.svg"):
            kinds("Apple's words" + part, f"/accounts/buyer-{number}{part}",
                  None if name in plain else name)


def run(check, service, console, count=1_000, prepared=60):
    kinds = Kinds(check, console)
    apples_words(service, kinds)
    for name, text in PLAIN:
        look(kinds, 0, name, text, False)
    prepare(service, *PLAIN[0])
    look(kinds, 0, *PLAIN[0], True)
    failed, taken = len(check.failed), 0
    for number, (name, text) in enumerate(hostile(count)):
        if number < prepared:
            taken += prepare(service, name, text)
        look(kinds, number, name, text, number < prepared)
        if len(check.failed) > failed + 20:
            break
    check(len(check.failed) == failed,
          f"{count} hostile names on {kinds.pages} pages write nothing of their own")
    check(taken > prepared / 4, "hostile reasons are recorded", taken)
