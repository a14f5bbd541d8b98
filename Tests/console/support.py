"""The letters of docs/SUPPORT.md and the policy, by keyboard alone, in at most four activations each."""

import os
import shutil
import time

from browser import Lost

MOST = 4


def reason(browser, words="the customer asked; ticket 4711"):
    browser.type("#reason", words)
    browser.go("form[action^='/do/'][method=post] button")


def fill(browser, **fields):
    for name, value in fields.items():
        browser.type(f"main form[action^='/do/'] [name='{name}']", value)


class Desk:
    """Answers letters, and counts."""

    def __init__(self, check, browser, service):
        self.check, self.browser, self.service = check, browser, service

    def letter(self, name, answer, *seen, holds=None):
        """Begins at the home page; `seen` are words that the last page must say."""
        browser = self.browser
        browser.open(self.home)
        browser.activations = 0
        try:
            answer(browser)
            text = " ".join(browser.text.split())
            missing = [words for words in seen if words not in text]
            self.check(not missing, f"letter '{name}' is answered", f"without {missing}: {text[:500]}")
            if holds:
                self.check(holds(), f"letter '{name}': what was asked for is done", text[:500])
        except Lost as error:
            self.check(False, f"letter '{name}' is answered", error)
        self.check(0 < browser.activations <= MOST,
                   f"letter '{name}' takes at most {MOST} activations", browser.activations)

    def taken_back(self, undo, name, holds):
        """From the page that says that it was done."""
        self.browser.activations = 0
        try:
            undo(self.browser)
            self.check(holds(), f"{name} is undone", self.browser.text[:500])
        except Lost as error:
            self.check(False, f"{name} is undone", error)
        self.check(self.browser.activations <= 2, f"{name} is undone from its page")

    def without_script(self, console):
        """The whole way of a letter where the browser runs no script."""
        browser, self.home = self.browser, console.url + "/"
        browser.open(console.link)
        browser.activations = 0
        try:
            browser.go("main button")
            self.check("What waits" in browser.text, "without script: the code is exchanged by a button")

            def block(browser):
                browser.find("kim")
                browser.go("a[href^='/do/block']")
                if not browser.run("return document.getElementById('reason')"):
                    browser.go("form[action='/do/block'][method=get] button")
                reason(browser, "the card was stolen")

            self.letter("my card was stolen (without script)", block,
                        holds=lambda: self.service.get("/v1/accounts/kim")["blocks"])
        except Lost as error:
            self.check(False, "without script: the console can be used", error)

    def letters(self, console):
        self.home = console.url + "/"
        may = self.service.may

        def approve(browser):
            browser.find("mei-2026")
            browser.go("a[href^='/do/claims/approve']")
            reason(browser)

        def undo(browser):
            browser.go("a[href^='/do/claims/undo']")
            reason(browser, "wrong customer")

        self.letter("bought for ever, and a new phone", approve, "mei-2026",
                    holds=lambda: may("mei-2026", "no-ads") and not may("mei", "no-ads"))
        self.taken_back(undo, "what was approved",
                        lambda: may("mei", "no-ads") and not may("mei-2026", "no-ads"))

        def transfer(browser):
            browser.find("ben")
            browser.go("a[href^='/claims/']")
            browser.go("a[href^='/do/claims/transfer']")
            reason(browser, "ana agreed on the phone")

        self.letter("we share an iPad", transfer, "ben",
                    holds=lambda: "ben" in str(self.service.get("/v1/accounts/ben")["units"]))

        def refunded(browser):
            browser.find("kim")
            browser.go("a[href*='/explain/premium']")

        self.letter("I am subscribed, and it says no", refunded, "kim may not use premium", "revoked",
                    "by Apple", "2026-05-21")

        def apologise(browser):
            browser.find("kim")
            browser.go("a[href^='/do/grant']")
            fill(browser, entitlement="premium", until="2030-07-01")
            browser.go("form[action='/do/grant'][method=get] button")
            reason(browser, "an apology")

        self.letter("we owe kim an apology", apologise, "kim", holds=lambda: may("kim", "premium"))

        def revoke(browser):
            browser.go("a[href^='/do/revoke']")
            reason(browser, "twice the apology")

        self.taken_back(revoke, "a grant", lambda: not may("kim", "premium"))

        def another_day(account, at, known=None):
            def answer(browser):
                browser.find(account)
                browser.type("[name=at]", at)
                if known:
                    browser.type("[name=known_at]", known)
                browser.go(".when button")
            return answer

        self.letter("it worked until last week", another_day("jun", "2026-06-20"),
                    "jun may not use premium", "billing retry")
        self.letter("it worked on the fifth of June", another_day("jun", "2026-06-05"),
                    "jun may use premium", "2026-06-08")
        self.letter("what did we know then?", another_day("jun", "2026-06-05", "2026-05-20"),
                    "no record")
        self.letter("I am charged twice", another_day("lin", "2026-03-01"),
                    "the account pays twice", "keep", "14 days")

        self.others(console)

        def since(browser):
            browser.find("kim")
            browser.go("a[href*='/history/premium']")

        self.letter("since when is this answer so?", since, "kim")

        def tell(browser):
            browser.find("kim")
            browser.tab_to("summary")
            browser.activate(leads=False)
            browser.wait("return document.querySelector('details').open")

        self.letter("a text for the customer", tell, "Apple has refunded this purchase")

    def others(self, console):
        """Letters of other kinds, whose evidence stands behind that of docs/SUPPORT.md."""
        service, may = self.service, self.service.may
        payment = next(finding["units"][0]["lineage"] for finding in service.get("/v1/findings")["findings"]
                       if finding["kind"] == "unclaimed-payment")

        def give(browser):
            browser.find(payment)
            browser.go("a[href^='/do/claims/give']")
            fill(browser, account="dan")
            browser.tab_to("form[action='/do/claims/give'] [name=new-account]")
            browser.press(" ")
            browser.go("form[action='/do/claims/give'][method=get] button")
            reason(browser, "he sent Apple's receipt")

        self.letter("I paid, and no account has it", give, "dan", holds=lambda: service.get("/v1/accounts/dan")["units"])

        def consent(browser):
            browser.find("eli")
            browser.go("a[href^='/do/refunds/consent']")
            browser.tab_to("[name=given]")
            browser.press(" ")
            browser.go("form[action='/do/refunds/consent'][method=get] button")
            reason(browser, "by e-mail")

        self.letter("you may tell Apple what I used", consent, "eli",
                    holds=lambda: service.get("/v1/refunds/requests")["requests"][0]["consented"])

        def reverse(browser):
            browser.find("eli")
            browser.go("a[href$='/credits']")
            browser.go("a[href^='/do/credits/reverse']")
            reason(browser, "the game crashed")

        self.letter("my game crashed after I paid with coins", reverse,
                    holds=lambda: service.get("/v1/accounts/eli/credits")["balances"][0]["balance"] == 100)

        def merge(browser):
            browser.find("fay")
            browser.go("a[href^='/do/merge']")
            fill(browser, into="lin")
            browser.go("form[action='/do/merge'][method=get] button")
            reason(browser, "one person, she says")

        self.letter("I have two accounts", merge, "lin", holds=lambda: "lin" in service.ask("GET", "/v1/accounts/fay").text)

        def hand_in(browser):
            browser.find("MK5TTTVWJH")
            browser.type("[name=evidence]", service.held_back)
            browser.type("main [name=account]", "gus")
            browser.tab_to("button[value=submit]")
            browser.activate()

        self.letter("here is my receipt", hand_in, "accepted", holds=lambda: may("gus", "no-ads"))

    def policies(self, console):
        """A folder by which somebody loses something is accepted, rolled back, and scheduled."""
        service, self.home = self.service, console.url + "/"
        before = service.get("/status")["policy"]
        later = os.path.join(service.folder, "winter")
        shutil.copytree(service.policies, later)
        with open(os.path.join(later, "catalog.yaml"), encoding="utf-8") as file:
            text = file.read()
        for folder, old, new in ((service.policies, "grants: [no-ads]\n", "grants: [archive-2025]\n"),
                                 (later, "USD: 9.99", "USD: 8.99")):
            with open(os.path.join(folder, "catalog.yaml"), "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
        while "policy_waiting" not in service.get("/status"):
            time.sleep(0.05)

        def accept(browser):
            browser.go("main a[href='/policy'].step")
            browser.go("a[href^='/do/policy/reload']")
            if not browser.run("return document.getElementById('reason')"):
                fill(browser, **{"accept-loss": "1"})
                browser.go("form[action='/do/policy/reload'][method=get] button")
            reason(browser, "the archive is the better gift")

        self.letter("a policy that waits is accepted", accept,
                    holds=lambda: service.get("/status")["policy"] != before)

        def roll_back(browser):
            browser.go("nav a[href='/policy']")
            browser.go("a[href^='/do/policy/rollback']")
            reason(browser, "customers complain")

        self.letter("a policy is rolled back", roll_back,
                    holds=lambda: service.get("/status")["policy"] == before)

        def schedule(browser):
            browser.go("nav a[href='/policy']")
            browser.go("a[href^='/do/policy/schedule']")
            fill(browser, folder=later, at=f"{time.gmtime().tm_year + 1}-07-01")
            browser.go("form[action='/do/policy/schedule'][method=get] button")
            reason(browser, "winter prices")

        self.letter("a folder is scheduled", schedule,
                    holds=lambda: service.get("/v1/policy/scheduled")["scheduled"])
