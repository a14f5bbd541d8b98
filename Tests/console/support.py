"""Letters (letters/letters.md) and policies, by keyboard alone, in at most four activations."""

import os
import shutil
import subprocess
import time

from browser import Lost

MOST = 4
YEAR = time.gmtime().tm_year + 1
# What the letter is about; what a person does, step by step from the home page; words of the last
# page; and what is so afterwards.
LETTERS = (
    ("2, from the first page", "press main a[href^='/do/claims/transfer']",
     ["from ana to ben", "nobody's rights change this would change"], None),
    ("7, from the first page", "press main a[href^='/do/refunds/consent'][href*='given']",
     ["eli agrees that Apple is told"], None),
    ("10, from the first page", "press main a[href^='/do/credits/thaw']",
     ["ida can spend coins again"], None),
    ("2, what waits for ben", "press main a[href='/accounts/ben']",
     ["bought 2026-05-01; it ended on 2026-06-01", "!Thaw credits", "!Refund consent"], None),
    ("1, before it is done", "do claims/approve",
     ["No advertisements", "bought 2026-01-21: from mei to mei-2026", "it can be undone"],
     lambda service: service.may("mei", "no-ads")),
    ("1, a new phone", "find mei-2026 | do claims/approve | reason",
     ["Approve: No advertisements, for ever, bought 2026-01-21"],
     lambda service: service.may("mei-2026", "no-ads") and not service.may("mei", "no-ads")),
    ("2, before it is done", "find ben | do claims/transfer",
     ["Gold, monthly, bought 2026-05-01: from ana to ben; it ended on 2026-06-01",
      "nobody's rights change"], None),
    ("2, a shared iPad", "find ben | press .queue a[href^='/do/claims/transfer'] | reason | look ben",
     ["transferred to another account", "ticket 4711", "Undo",
      "bought 2026-05-01, owned by ben; it ended", "!owned by ana; it ended"],
     lambda service: service.get("/v1/accounts/ben")["units"]),
    ("2, what Ana is told", "find ana | open summary",
     ["moved to another account", "decided again since", ", to ben", "!Release ·"], None),
    ("3, no, and why", "find kim | press a[href*='/explain/premium']",
     ["kim may not use premium", "revoked: refunded by Apple on 2026-05-21",
      "Apple still shows it as renewing", "!does not renew"], None),
    ("3, since when", "find kim | press a[href*='/history/premium']",
     ["yes from 2026-04-11 00:00 UTC until 2026-05-21 00:00 UTC: active",
      "no from 2026-05-21 00:00 UTC: refunded by Apple"], None),
    ("3, at a glance", "find kim",
     ["kim may not use no-ads, offline, premium (revoked: refunded by Apple on 2026-05-21",
      "purchased 2026-04-11 00:00 UTC, renewed 2026-05-11 00:00 UTC"], None),
    ("4, the whole of it", "find jun | press a[href*='/history/premium']",
     ["until 2026-05-16 00:00 UTC: active", "until 2026-06-01 00:00 UTC: grace period",
      "until 2026-06-08 00:00 UTC: billing retry; rule 'a courtesy week while Apple retries",
      "no from 2026-06-08 00:00 UTC until 2026-06-30 00:00 UTC: billing retry",
      "no from 2026-06-30 00:00 UTC: expired: payment failed"], None),
    ("4, what to write", "find jun | open summary",
     ["for the renewal of 2026-05-16", "gave up on 2026-06-30", "!was not renewed"], None),
    ("4, locked out", "find jun | fill at=2026-06-20 | press .when button | open summary",
     ["jun may not use no-ads, offline", "billing retry", "your access ended on 2026-06-01"], None),
    ("5, that day", "find jun | fill at=2026-06-05 | press .when button",
     ["jun may use premium", "2026-06-08"], None),
    ("5, what was known", "find jun | fill known_at=2026-06-05 | press .when button | "
     "press main a.step", ["At (a date): 2026-06-05", "jun may use premium"], None),
    ("5, what had changed it", "find jun | fill at=2026-06-05 | press .when button | "
     "press a[href*='/history/premium']", ["grace"], None),
    ("6, charged twice", "find lin | fill at=2026-03-01 | press .when button",
     ["the account pays twice", "keep 411729097000004 (Silver, monthly, bought 2026-02-15); "
      "cancel 411729097000002 (Gold, monthly, bought 2026-02-01)", "gives now: no-ads, offline",
      "14 days"], None),
    ("6, what was said later", "find lin | fill at=2026-03-10 | press .when button",
     ["lin may not use no-ads, offline (expired: cancelled by the customer, as Apple said on "
      "2026-04-01"], None),
    ("7, one of two", "find eli | press main a[href='/do/refunds/consent?account=eli'] | show",
     ["eli agrees that Apple is told", "cannot be taken back", "would be told"], None),
    ("6, what would have been enough", "find lin",
     ["it would have been enough to keep 411729097000004", "!renews 2026-03", "!; cancel 411729097000002"],
     None),
    ("7, money back", "find eli | press .queue a[href^='/do/refunds/consent'] | reason",
     ["this service tells Apple nothing: a person has to", "Apple takes an answer until",
      "to answer it yourself", "Mark as answered"],
     lambda service: service.get("/v1/refunds/requests")["requests"][0]["consented"]),
    ("8, what waits for hal", "find hal | press .queue a[href^='/do/orders/settle']",
     ["100 coins, bought", "from nobody to hal"], lambda service: not credit_of(service, "hal")),
    ("8, paid, and nothing came", "do orders/settle | reason | look hal",
     ["coins 100", "Undo"],
     lambda service: credit(service, "hal")["balance"] == 100
     and {order["reason"] for order in lost(service)} <= {"not-finished"}),
    ("8, nothing is left", "press .mark", ["!Lost orders", "!hal"], None),
    ("9, from the guest's page", "find guest-0417 | do merge | "
     "press main a[href='/do/merge?from=guest-0417'] | fill into=fay | show",
     ["Merge guest-0417 into fay", "bought 2026-07-20: from guest-0417 to fay",
      "different Apple IDs"], None),
    ("9, before it is done", "find fay | do merge | fill from=guest-0417 | show",
     ["different Apple IDs", "No advertisements, for ever, bought 2026-07-20, owned by guest-0417",
      "Silver, monthly, bought 2026-07-20, owned by fay; it ended",
      "no other account has bought with it"], None),
    ("9, two accounts", "find fay | do merge | fill from=guest-0417 | show | reason",
     ["merged: guest-0417 into fay", "Undo this", "!to undo it:"],
     lambda service: service.may("fay", "no-ads")),
    ("9, later", "find guest-0417 | press main a[href='/accounts/fay']",
     ["account guest-0417 was merged into fay", "ticket 4711", "Undo the merge",
      "!owned by guest-0417;"], None),
    ("10, what was refunded", "find ida",
     ["a refund has frozen a credit of the account: 100 coins, bought 2026-07-20",
      "refunded by Apple on 2026-07-20"], None),
    ("10, before it is done", "find ida | press .queue a[href^='/do/credits/thaw']",
     ["ida can spend coins again that a refund has frozen", "coins 100", "nothing undoes it"], None),
    ("10, frozen coins", "find ida | do credits/thaw | reason | look ida",
     ["the freeze by the refund of", "ticket 4711"],
     lambda service: not credit(service, "ida")["frozen"]),
    ("11, before it is done", "find jon | do unblock",
     ["Unblock: jon", "chargeback, ticket 1208", "a block of jon ends",
      "but the account can be blocked again"], None),
    ("11, nothing to thaw", "find jon", ["Actions", "!Thaw credits", "!Refund consent"], None),
    ("11, a mistaken block", "find jon | do unblock | reason | look jon",
     ["was blocked from", "ticket 4711"],
     lambda service: service.get("/v1/accounts/jon")["blocks"][0]["lifted"]),
    ("12, nobody is made by a slip", "find MK5TTTVWJH | fill evidence=RECEIPT | "
     "fill account=gus | press button[value=show]",
     ["Nothing is known of 'gus'", "the new account gus", "!begins with M",
      "No advertisements, for ever, bought 20", "from nobody to gus", "gus has no-ads from now",
      "is made: accepted", "it can be undone"],
     lambda service: not service.may("gus", "no-ads")),
    ("12, an order number of Apple's", "find  MK5TTTVWJH\t | fill evidence=RECEIPT | "
     "fill account=gus | press button[value=show] | press button[value=submit] | look gus",
     ["gus may use no-ads", "Undo"],
     lambda service: service.may("gus", "no-ads")),
    ("of kim, for a courtesy", "find kim | do grant | fill entitlement=premium | "
     f"fill until={YEAR}-07-01 | show | reason", ["kim"],
     lambda service: service.may("kim", "premium")),
    ("of kim, and a text for her", "find kim | open summary",
     ["Apple has refunded this purchase", "2026-05-21"], None),
)
UNDONE = {
    "12, an order number of Apple's": ("do claims/undo | reason",
                                       lambda service: not service.may("gus", "no-ads")),
    "1, a new phone": ("do claims/undo | reason", lambda service: service.may("mei", "no-ads")),
    "of kim, for a courtesy": ("do revoke | reason",
                               lambda service: not service.may("kim", "premium")),
}
WITHOUT_SCRIPT = ("of a stolen card", "find jun | do block | show | reason", ["jun"],
                  lambda service: service.get("/v1/accounts/jun")["blocks"])


def lost(service):
    return service.get("/v1/orders/lost")["orders"]


def credit_of(service, account):
    return service.get(f"/v1/accounts/{account}/credits")["balances"]


def credit(service, account):
    return credit_of(service, account)[0]


class Desk:
    """Answers, and counts."""

    def __init__(self, check, browser, service, console):
        self.check, self.browser, self.service = check, browser, service
        self.home = console.url + "/"

    def find(self, words):
        self.browser.type("#q", words)
        self.browser.activate()

    def press(self, selector):
        self.browser.tab_to(selector)
        self.browser.activate()

    def open(self, selector):
        self.browser.tab_to(selector)
        self.browser.activate(leads=False)

    def look(self, account):
        self.press(f"main a[href='/accounts/{account}']")

    def do(self, verb):
        self.press(f"main a[href^='/do/{verb}']")

    def fill(self, text):
        name, _, value = text.partition("=")
        if value == "RECEIPT":
            value = self.service.receipt
        self.browser.type(f"main [name='{name}']", value)

    def show(self, _):
        """Not where everything is said already: the effect is on the page."""
        if not self.browser.run("return document.getElementById('reason')"):
            self.press("form[method=get][action^='/do/'] button")

    def reason(self, _):
        self.browser.type("#reason", "the customer's letter, ticket 4711")
        self.press("form[method=post][action^='/do/'] button")

    def answer(self, name, steps, words, holds, most=MOST):
        """From the page that is open."""
        self.browser.activations = 0
        try:
            for step in steps.split(" | "):
                verb, _, what = step.partition(" ")
                getattr(self, verb)(what)
            text = " ".join(self.browser.text.split())
            wrong = [word for word in words if (word.strip("!") in text) == (word[0] == "!")]
            self.check(not wrong, f"{name}: answered", f"with or without {wrong}: {text[:900]}")
            self.check(not holds or holds(self.service), f"{name}: it is so", text[:500])
        except Lost as error:
            self.check(False, f"{name}: answered", error)
        count = self.browser.activations
        self.check(0 < count <= most, f"{name}: at most {most} activations", count)

    def letter(self, name, *others):
        self.browser.open(self.home)
        self.answer("letter " + name, *others)

    def letters(self):
        for name, *others in LETTERS:
            self.letter(name, *others)
            if name in UNDONE:
                steps, holds = UNDONE[name]
                self.answer(f"letter {name}: undone from that page", steps, [], holds, most=2)

    def policies(self):
        """A folder by which somebody loses something is accepted, rolled back; another planned."""
        service = self.service
        before = service.get("/status")["policy"]
        self.letter("of what is given to how many", "press nav a[href='/policy'] | "
                    "press main a[href='/policy/tables']", ["accounts with such a purchase, of 1"],
                    lambda service: service.get("/v1/policy/counts")["counts"]["accounts"] > 10)
        self.letter("of a first policy", "press nav a[href='/policy']", ["Schedule", "!Roll back"],
                    None)
        winter = os.path.join(service.folder, "winter")
        shutil.copytree(service.policies, winter)
        with open(os.path.join(winter, "catalog.yaml"), encoding="utf-8") as file:
            text = file.read()
        for folder, old, new in (
                (winter, "USD: 9.99", "USD: 8.99"),
                (service.policies, "grants: [no-ads]\n", "grants: [archive-2025]\n")):
            with open(os.path.join(folder, "catalog.yaml"), "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
        # It waits, and is counted.
        until = time.monotonic() + 60
        while time.monotonic() < until:
            waiting = service.get("/status").get("policy_waiting") or {}
            if waiting.get("losing") is not None:
                break
            time.sleep(0.05)
        look = "press nav a[href='/policy'] | "
        command = [service.usher, "policy", "waiting", "--sockets", service.sockets]
        printed = subprocess.run(command, check=False, capture_output=True, text=True)
        self.check(printed.returncode == 1 and "lose no-ads" in printed.stdout,
                   "the command says who loses what", printed)
        self.letter("of whom a policy concerns", "press main a.step[href='/policy']",
                    ["lose no-ads", "such as"], None)
        self.letter("of a policy that waits",
                    "press main a.step[href='/policy'] | do policy/reload | show | reason", [],
                    lambda service: service.get("/status")["policy"] != before)
        self.letter("of a policy that was wrong", look + "do policy/rollback | reason", [],
                    lambda service: service.get("/status")["policy"] == before)
        self.letter("of winter prices", f"{look}do policy/schedule | fill folder={winter} | "
                    f"fill at={YEAR}-01-01 | show | reason", [],
                    lambda service: service.get("/v1/policy/scheduled")["scheduled"])

    def without_script(self, console):
        """From the printed link to what was done, where the browser runs no script."""
        self.browser.open(console.link)
        self.answer("without script: the code is exchanged by a button", "press main button",
                    ["What waits"], None)
        self.letter(*WITHOUT_SCRIPT)
