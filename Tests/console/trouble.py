"""The service is killed, stopped and started again under forms that are being filled in."""

import concurrent.futures
import html
import re
import signal
import time

from pages import alert
from world import Form

REASON = "the customer's 3rd letter, \"ticket <4711>\""
TYPED = re.compile(r"<textarea[^>]*>(.*?)</textarea>", re.DOTALL)


def grant(console, account):
    return Form(console, "grant", {"account": account, "entitlement": "premium",
                                   "until": "2030-01-01", "new-account": "true"})


def granted(service, account):
    return len(service.get("/v1/accounts/" + account)["grants"])


def is_kept(check, answer, name):
    """The page says what is wrong, and has what was typed."""
    kept = TYPED.search(answer.text)
    check(answer.status >= 400 and alert(answer), f"{name}: the page says so", answer.status)
    check(kept and html.unescape(kept[1]) == REASON, f"{name}: the reason is kept", kept)


def is_done_after_all(check, service, form, account, answer, name):
    """What the page that failed shows is sent again; and again."""
    is_kept(check, answer, name)
    form.read(answer)
    again = form.send(reason=REASON)
    check(again.status == 200, f"{name}: sent again, it is done", f"{again.status} {alert(again)}")
    form.send(reason=REASON)
    check(granted(service, account) == 1, f"{name}: done once", granted(service, account))


def killed(check, service, console):
    form, name = grant(console, "killed"), "a service that is gone"
    service.close()
    answer = form.send(reason=REASON)
    for target in ("/", "/accounts/mei", "/find?q=mei", "/policy", "/service",
                   "/do/block?account=mei"):
        page = console.get(target)
        check(page.status in (502, 503) and alert(page), f"{name}: {target} says so", page.status)
    check(console.get("/console.css").status == 200, f"{name}: the page keeps its style")
    service.start()
    is_done_after_all(check, service, form, "killed", answer, name)


def struck(check, service, console):
    """Killed at some instant of the call."""
    for delay in (0, 2, 5, 10, 20):
        account, name = f"struck-{delay}", f"killed after {delay} ms"
        form = grant(console, account)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            sent = pool.submit(form.send, reason=REASON)
            time.sleep(delay / 1_000)
            service.close()
            answer = sent.result()
        service.start()
        if answer.status == 200:
            check(granted(service, account) == 1, f"{name}: done once", granted(service, account))
        else:
            is_done_after_all(check, service, form, account, answer, name)


def slow(check, service, console):
    """Stopped, and going on; or killed after all."""
    form = grant(console, "slow")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        service.process.send_signal(signal.SIGSTOP)
        sent = [pool.submit(form.send, reason=REASON) for _ in range(2)]
        time.sleep(0.5)
        began = time.monotonic()
        status = console.get("/console.css").status
        check(status == 200 and time.monotonic() - began < 1,
              "a slow service: the console itself answers", status)
        service.process.send_signal(signal.SIGCONT)
        statuses = [answer.result().status for answer in sent]
    check(200 in statuses and granted(service, "slow") == 1,
          "a form sent twice to a slow service is done once", statuses)
    form = grant(console, "stopped")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        service.process.send_signal(signal.SIGSTOP)
        sent = pool.submit(form.send, reason=REASON)
        time.sleep(0.5)
        service.close()
    service.start()
    is_done_after_all(check, service, form, "stopped", sent.result(), "a service that stops")


class Silent:
    """A service that has stopped answering: others are checked until the page gives up."""

    def __init__(self, service, console):
        self.form, self.service = grant(console, "silent"), service
        service.process.send_signal(signal.SIGSTOP)
        self.sent = concurrent.futures.ThreadPoolExecutor(1).submit(self.form.send, reason=REASON)

    def judge(self, check):
        answer = self.sent.result()
        is_kept(check, answer, "a service that never answers")
        check(answer.status in (502, 503, 504), "a service that never answers is 504",
              answer.status)
        self.service.process.send_signal(signal.SIGCONT)
        self.form.read(answer)
        self.form.send(reason=REASON)
        check(granted(self.service, "silent") == 1, "when it goes on, it is done once")


def twice(check, service, console):
    """The same form from several tabs, and one that is no longer true."""
    claim = service.get("/v1/claims?state=waiting")["claims"][0]["claim"]
    form, head = Form(console, "claims/approve", {"claim": claim}), service.head[0]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(form.send, reason=REASON) for _ in range(4)]
        statuses = sorted(answer.result().status for answer in sent)
    recorded = service.head[0] - head
    check(statuses[0] == 200 and service.may("mei-2026", "no-ads"),
          "a form sent four times at once is done", statuses)
    undo, late = (Form(console, "claims/undo", {"claim": claim}) for _ in range(2))
    undo.send(reason=REASON)
    check(service.may("mei", "no-ads"), "what was approved four times is undone once")
    is_kept(check, late.send(reason=REASON), "a form whose preview is no longer true")
    check(service.head[0] - head == 2 * recorded, "nothing is recorded twice", service.head[0])
    form = grant(console, "changed")
    service.ask("POST", "/v1/grants", {"account": "changed", "entitlement": "premium",
                                       "reason": "a colleague"},
                fields=[("Idempotency-Key", "colleague")])
    is_kept(check, form.send(reason=REASON), "what a colleague has changed meanwhile")
    check(granted(service, "changed") == 1, "and is not done over it", granted(service, "changed"))
    without = grant(console, "reasonless").send(reason="")
    check(without.status == 400 and alert(without) and granted(service, "reasonless") == 0,
          "without a reason nothing is done", without.status)


def run(check, service, console):
    twice(check, service, console)
    killed(check, service, console)
    struck(check, service, console)
    slow(check, service, console)
