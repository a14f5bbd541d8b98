"""The service is killed, stopped and started again under forms that are being filled in."""

import concurrent.futures
import re
import signal
import time
import urllib.parse

from pages import alert
from world import unescape

HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
REASON = "the customer's 3rd letter, \"ticket <4711>\""


class Form:
    """A form as a page has it, with a reason; what a page that failed shows is sent again."""

    def __init__(self, console, verb, said):
        self.console, self.verb = console, verb
        self.read(console.get(f"/do/{verb}?" + urllib.parse.urlencode(said)))

    def read(self, answer):
        part = answer.text.split('method="post" action="/do/', 1)
        self.fields = [(name, unescape(value)) for name, value in HIDDEN.findall(part[1].split("</form>")[0])] \
            if len(part) == 2 else []

    def send(self):
        return self.console.post("/do/" + self.verb, [*self.fields, ("reason", REASON)])


def grant(console, account):
    return Form(console, "grant", {"account": account, "entitlement": "premium", "until": "2030-01-01",
                                   "new-account": "true"})


def granted(service, account):
    return len(service.get("/v1/accounts/" + account)["grants"])


def is_kept(check, answer, name):
    """The page says what is wrong, and has what was typed."""
    kept = re.search(r"<textarea[^>]*>(.*?)</textarea>", answer.text, re.DOTALL)
    check(answer.status >= 400 and alert(answer), f"{name}: the page says so", f"{answer.status} {alert(answer)}")
    check(kept and unescape(kept[1]) == REASON, f"{name}: the reason is kept", kept and kept[1])


def killed(check, service, console):
    form = grant(console, "killed")
    service.kill()
    answer = form.send()
    is_kept(check, answer, "a service that is gone")
    check(answer.status in (502, 503), "a service that is gone is 502 or 503", answer.status)
    for target in ("/", "/accounts/mei", "/find?q=mei", "/policy", "/service", "/do/block?account=mei"):
        page = console.get(target)
        check(page.status in (502, 503) and alert(page), f"a service that is gone: {target} says so", page.status)
    check(console.get("/console.css").status == 200, "a service that is gone: the page keeps its style")
    service.start()
    form.read(answer)
    again = form.send()
    check(again.status == 200 and granted(service, "killed") == 1,
          "the page that failed is sent again, and done", f"{again.status} {alert(again)}")
    form.send()
    check(granted(service, "killed") == 1, "and is done once, however often it is sent")


def struck(check, service, console):
    """Killed at some instant of the call: sent again, it is done once."""
    for number, delay in enumerate((0, 0.002, 0.005, 0.01, 0.02)):
        account = f"struck-{number}"
        form = grant(console, account)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            sent = pool.submit(form.send)
            time.sleep(delay)
            service.kill()
            answer = sent.result()
        service.start()
        if answer.status != 200:
            is_kept(check, answer, f"killed after {1_000 * delay:.0f} ms")
            form.read(answer)
            again = form.send()
            check(again.status == 200, f"sent again after {1_000 * delay:.0f} ms", f"{again.status} {alert(again)}")
        check(granted(service, account) == 1, f"killed after {1_000 * delay:.0f} ms: done once",
              granted(service, account))


def slow(check, service, console):
    """Stopped, and going on; or killed after all."""
    form = grant(console, "slow")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        service.process.send_signal(signal.SIGSTOP)
        sent, again = pool.submit(form.send), pool.submit(form.send)
        time.sleep(0.5)
        began = time.monotonic()
        status = console.get("/console.css").status
        check(status == 200 and time.monotonic() - began < 1, "a slow service: the console itself answers")
        service.process.send_signal(signal.SIGCONT)
        answers = [sent.result(), again.result()]
    check(200 in [answer.status for answer in answers] and granted(service, "slow") == 1,
          "a form sent twice to a slow service is done once", [answer.status for answer in answers])
    form = grant(console, "stopped")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        service.process.send_signal(signal.SIGSTOP)
        sent = pool.submit(form.send)
        time.sleep(0.5)
        service.kill()
        answer = sent.result()
    is_kept(check, answer, "a service that stops for ever")
    service.start()
    form.read(answer)
    again = form.send()
    check(again.status == 200 and granted(service, "stopped") == 1, "and is done once after that",
          f"{again.status} {alert(again)}")


def twice(check, service, console):
    """The same form from two tabs, and one that is no longer true."""
    claims = [claim["claim"] for claim in service.get("/v1/claims?state=waiting")["claims"]]
    form = Form(console, "claims/approve", {"claim": claims[0]})
    head = service.head[0]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = [sent.result() for sent in [pool.submit(form.send) for _ in range(4)]]
    statuses = sorted(answer.status for answer in answers)
    recorded = service.head[0] - head
    check(statuses[0] == 200, "a form sent four times at once is done", statuses)
    back = Form(console, "claims/undo", {"claim": claims[0]})
    check(back.fields, "what was approved four times can be undone")
    check(service.may("mei-2026", "no-ads"), "and stands", recorded)
    late = Form(console, "claims/undo", {"claim": claims[0]})
    back.send()
    check(service.may("mei", "no-ads"), "undone once", alert(back.send()))
    answer = late.send()
    is_kept(check, answer, "a form whose preview is no longer true")
    check(service.head[0] - head == 2 * recorded, "nothing is recorded twice", service.head[0] - head)
    form = grant(console, "changed")
    service.ask("POST", "/v1/grants", {"account": "changed", "entitlement": "premium", "reason": "a colleague",
                                       "until": "2029-01-01T00:00:00Z"}, fields=[("Idempotency-Key", "colleague")])
    answer = form.send()
    is_kept(check, answer, "what a colleague has changed meanwhile")
    check(granted(service, "changed") == 1, "what a colleague has changed meanwhile is not done over",
          granted(service, "changed"))
    without = console.post("/do/grant", grant(console, "reasonless").fields)
    check(without.status == 400 and alert(without) and granted(service, "reasonless") == 0,
          "without a reason nothing is done", without.status)


def run(check, service, console):
    twice(check, service, console)
    killed(check, service, console)
    struck(check, service, console)
    slow(check, service, console)
