"""Payments and orders as a service sees them, and what a person is advised to do."""

import base64
import json
import re
import time

from evidence import DAY, HOUR, entry, new_id, now, receipt, renewal, transaction
from lab import case, next_second

SOON = {"pay_within: 30m": "pay_within: 1s"}


def follow(lab, command, reason="as advised"):
    """Does what a list advises: a command as it is printed."""
    words = re.sub(r" --reason .*", "", command.removeprefix("usher ")).split()
    return lab.usher(*words, "--reason", reason)


@case
def both_payments_of_a_receipt(lab):
    """The client names the order that it still knows; the receipt pays another one too."""
    for name_one in (True, False):
        account = f"lena-{name_one}"
        first = lab.order(account, "stars.50")
        one = next_second()
        second = lab.order(account, "stars.600")
        two = next_second()
        got = lab.present(
            account, receipt(entry(new_id(), "stars.50", one), entry(new_id(), "stars.600", two)),
            **({
                "order": second
            } if name_one else {}))
        lab.equal(f"all of it is delivered, an order named: {name_one}",
                  (lab.stars(account), lab.state(first), lab.state(second)),
                  (650, "delivered", "delivered"))
        lab.check("and may be finished", all(each["finish"] for each in got["transactions"]),
                  got.text)


@case
def payment_of_a_strangers_order(lab):
    """A payment without a token goes to who presents it; a person sees whose order it fits."""
    for settled in (False, True):
        buyer, other = f"omar-{settled}", f"pia-{settled}"
        order, number = lab.order(buyer, "stars.50"), new_id()
        bought = now()
        if settled:
            lab.report(order, "no-receipt")
            lab.usher("orders", "settle", order, "--reason", "bank statement")
        else:
            lab.report(order, "paying")
        lab.present(other, transaction(number, "stars.50", bought))
        lab.equal(f"the presenter's; settled {settled}", lab.stars(other), 50)
        lab.mentions("a person sees both", lab.usher("findings"), number, other)
        said = lab.usher("orders", "settle", order, "--transaction", number, "--reason", "his")
        lab.check("and one command moves it", (lab.stars(buyer), lab.stars(other)) == (50, 0), said)


@case(policy=SOON)
def reported_and_presented_by_another(lab):
    """Reported for one order, and presented by somebody with an order of his own."""
    hers = lab.order("lena", "stars.50")
    his = lab.order("omar", "stars.50")
    number = new_id()
    lab.report(hers, "paying", transaction_id=number)
    got = lab.present("omar", transaction(number, "stars.50", now()))
    lab.report(his, "finished")
    lab.check("it is his", lab.stars("omar") == 50, got.text)
    time.sleep(1.2)
    said = lab.usher("orders", "lost")
    lab.mentions("the list says what is known of the reported transaction", said, number, "omar")
    for each in lab.get("/v1/orders/lost")["orders"]:
        if each.get("command"):
            follow(lab, each["command"])
    lab.check("no advice delivers it twice",
              lab.stars("lena") + lab.stars("omar") <= 50,
              f"{lab.stars('lena')} and {lab.stars('omar')}: {said}")


@case
def reported_alone(lab):
    """Reported by one account alone, and presented by another one without an order: hers."""
    for product, right in (("stars.50", None), ("alps", "alps"), ("season", "season")):
        buyer, other = f"lena-{product}", f"omar-{product}"
        order, number = lab.order(buyer, product), new_id()
        lab.report(order, "paying", transaction_id=number)
        got = lab.present(other, transaction(number, product, now()))
        has = [
            lab.stars(each) > 0 if right is None else lab.has(each, right)
            for each in (buyer, other)
        ]
        lab.check(f"{product}: hers, and the order is delivered", has == [True, False]
                  and lab.state(order) == "delivered", f"{has} {lab.state(order)} {got.text}")
    lab.check("a finding names both", "lena" in lab.usher("findings")
              and "omar" in lab.usher("findings"), lab.usher("findings"))


@case
def upgrade_of_a_plan_that_has_moved(lab):
    """The later purchases of a line carry the token of its first order, whoever made them."""
    order, line = lab.order("omar", "valley.month"), new_id()
    bought = now()
    lab.present("omar", transaction(line, "valley.month", bought, appAccountToken=order))
    lab.report(order, "finished")
    lab.usher("claims", "transfer", lab.claim("omar"), "--to", "pia", "--new-account", "--reason",
              "signed in as another")
    time.sleep(0.01)
    upgraded = now()
    lab.apple(
        "DID_CHANGE_RENEWAL_PREF", "UPGRADE",
        transaction(new_id(),
                    "summit.month",
                    upgraded,
                    originalTransactionId=line,
                    originalPurchaseDate=bought,
                    appAccountToken=order),
        renewal(line, "summit.month", upgraded + 1_000, appAccountToken=order))
    lab.equal("the upgrade is the new owner's",
              (lab.has("pia", "routes"), lab.has("omar", "routes")), (True, False))
    lab.lacks("nobody paid in vain", lab.usher("findings"), "received nothing", "token-of-another")
    lab.equal("and nobody has to look at an order", lab.lost(), [])


@case
def too_many_reported(lab):
    """A client could report every id that there may be, and wait for somebody else's payment."""
    orders = [
        lab.order("greedy", product) for product in ("stars.50", "stars.600", "alps", "season")
    ]
    answers = [
        lab.report(orders[number % 4], "paying", transaction_id=new_id()) for number in range(24)
    ]
    lab.equal("twenty are taken", [each.status for each in answers[:20]], [200] * 20)
    lab.check("no more",
              all(each.get("code") == "order.too-many-reported" for each in answers[20:]),
              str([each.text for each in answers[20:]]))


@case(policy=SOON)
def fakes(lab):
    """Receipts without the purchase, of other apps, altered: no advice gives anything away."""
    order = lab.order("mal", "stars.600")
    lab.report(order, "paying")
    lab.report(order, "paying", transaction_id="1000000004480001")
    got = lab.present("mal", receipt(), order=order)
    lab.check("a genuine receipt without purchases pays nothing, and says so",
              got.get("order_problem") and not got.get("transactions"), got.text)
    other = lab.present("mal",
                        receipt(entry(new_id(), "stars.600", now()), bundleId="com.example.game"),
                        order=order)
    lab.check("the receipt of another app is refused", other.status == 422, other.text)
    head, body, signature = lab.sign(transaction(new_id(), "stars.50", now())).split(".")
    altered = json.loads(base64.urlsafe_b64decode(body + "==")) | {"quantity": 90}
    body = base64.urlsafe_b64encode(json.dumps(altered).encode()).decode().rstrip("=")
    lab.equal("an altered one too",
              lab.present("mal", f"{head}.{body}.{signature}", order=order).status, 422)
    time.sleep(1.2)
    lab.equal("nothing was delivered", lab.stars("mal"), 0)
    lab.lacks("the list does not advise to deliver it", lab.usher("orders", "lost"),
              "orders settle")
    lab.mentions("the order's page says what was handed in", lab.usher("orders", "show", order),
                 "refused")


@case
def reassigned_too_late(lab):
    """Delivered to the wrong account, and support wants to give the order to the right one."""
    order = lab.order("wrong", "stars.50")
    lab.present("wrong", transaction(new_id(), "stars.50", now(), appAccountToken=order))
    lab.report(order, "finished")
    lab.mentions("the refusal names the command that does it",
                 lab.usher("orders", "reassign", order, "right", "--new-account", "--reason", "x"),
                 "claims transfer")
    claim = lab.claim("wrong")
    lab.usher("claims", "transfer", claim, "--to", "right", "--new-account", "--reason", "x")
    lab.equal("which moves it", (lab.stars("wrong"), lab.stars("right")), (0, 50))
    lab.mentions("the order's page says who has it now", lab.usher("orders", "show", order),
                 "right")
    lab.usher("claims", "undo", claim, "--reason", "y")
    lab.equal("and can be undone", (lab.stars("wrong"), lab.stars("right")), (50, 0))


@case
def price_vanishes(lab):
    """For days Apple's transactions had neither price nor currency."""
    order = lab.order("max", "stars.50", price={"milliunits": 990, "currency": "USD"})
    number, bought = new_id(), now()

    def coins(**members):
        return transaction(number, "stars.50", bought, appAccountToken=order, **members)

    for step, members in enumerate(({}, {"price": 990, "currency": "USD"}, {})):
        lab.present("max", coins(signedDate=bought + 1 + step, **members))
        page = lab.get(f"/v1/orders/{order}")
        lab.check(f"no difference is invented ({step})",
                  page.get("state") == "delivered" and not page.get("differences"), page.text)
    lab.lacks("nobody has to look at it", lab.usher("findings", "max"), "order-mismatch")
    free = lab.order("max", "stars.50")
    lab.present(
        "max",
        transaction(new_id(),
                    "stars.50",
                    now(),
                    appAccountToken=free,
                    price=0,
                    currency="USD",
                    offerType=3,
                    offerDiscountType="ONE_TIME",
                    offerIdentifier="LAUNCH"))
    lab.equal("what a code made free is delivered", lab.state(free), "delivered")


@case
def wants_the_plan_back(lab):
    """Renewal was switched off; the shop offers the plan, since buying it switches it on."""
    line, bought, key = new_id(), now() - 10 * DAY, "atx:production:9420"
    lab.present("cleo", transaction(line, "summit.month", bought, appTransactionId="9420"))
    lab.present(
        "cleo",
        renewal(line,
                "summit.month",
                now() - 2_000,
                autoRenewStatus=0,
                appTransactionId="9420",
                renewalDate=bought + 30 * DAY))
    told = lab.preflight("cleo", "summit.month", key)
    lab.check(
        "preflight lets it proceed and says why", told["verdict"] == "proceed"
        and "renews-again" in [each["code"] for each in told["notes"]], told.text)
    shop = lab.get(f"/v1/accounts/cleo/catalog?apple_id={key}")
    lab.check(
        "so does the catalogue",
        any(each["product"] == "summit.month" and each["purchasable"]
            for each in shop.get("products", [])), shop.text)
    made = lab.post("/v1/orders", {"account": "cleo", "product": "summit.month", "apple_id": key})
    lab.check("an order is taken", made.status in (200, 201), made.text)


@case
def at_once_or_at_the_renewal(lab):
    """When a change of plan takes effect is decided by Apple, by level and length."""
    line, bought, key = new_id(), now() - 10 * DAY, "atx:production:9433"
    lab.present("tom", transaction(line, "valley.early", bought, appTransactionId="9433"))
    lab.present("tom", renewal(line, "valley.early", bought + 2_000, appTransactionId="9433"))

    def text(product):
        return json.dumps(lab.preflight("tom", product, key)["notes"])

    lab.lacks("the same level and length: at once", text("valley.month"), "next renewal")
    lab.lacks("a higher level: at once", text("summit.month"), "next renewal")
    line, key = new_id(), "atx:production:9434"
    lab.present("tim", transaction(line, "summit.month", bought, appTransactionId="9434"))
    lab.present("tim", renewal(line, "summit.month", bought + 2_000, appTransactionId="9434"))
    for product in ("summit.year", "valley.month"):
        lab.mentions(f"to {product}: at the renewal",
                     json.dumps(lab.preflight("tim", product, key)["notes"]), "renewal")
    lab.apple(
        "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE",
        transaction(line, "summit.month", bought, appTransactionId="9434",
                    signedDate=now() - 1_000),
        renewal(line,
                "summit.month",
                now() - 1_000,
                autoRenewProductId="valley.month",
                appTransactionId="9434"))
    told = lab.preflight("tim", "summit.month", key)
    lab.equal("buying the running plan takes the pending change back", told["verdict"], "proceed")


@case
def orders_for_more_seats(lab):
    """More seats of a running plan are a purchase of their own, with a refund of its own."""
    key, order = "atx:production:9403", lab.order("greta", "summit.month")
    line, bought = new_id(), now()

    def five(**members):
        return transaction(line,
                           "summit.month",
                           bought,
                           quantity=5,
                           appAccountToken=order,
                           appTransactionId="9403",
                           **members)

    lab.present("greta", five())
    lab.report(order, "finished")
    lab.equal("preflight proceeds",
              lab.preflight("greta", "summit.month", key)["verdict"], "proceed")
    made = lab.post("/v1/orders", {"account": "greta", "product": "summit.month", "apple_id": key})
    lab.check("an order is taken", made.status in (200, 201), made.text)
    added, when = new_id(), now()

    def three(**members):
        return transaction(added,
                           "summit.month",
                           when,
                           originalTransactionId=line,
                           quantity=3,
                           originalPurchaseDate=bought,
                           expiresDate=bought + 30 * DAY,
                           appTransactionId="9403",
                           additionalTransactionReason="SEAT_ADDITION",
                           **members)

    lab.present("greta", three())
    lab.mentions("support sees eight", lab.usher("show", "greta"), "8 seats")
    # A purchase is signed a second after it: what follows is signed later.
    time.sleep(1.2)
    lab.present("greta", five(signedDate=now(), additionalTransactionReason="SEAT_ADDITION"))
    lab.mentions("also once Apple has signed the first again", lab.usher("show", "greta"),
                 "8 seats")
    lab.present("greta", three(revocationDate=now() - 20, signedDate=now() - 10))
    lab.equal("the refund of the added seats leaves the plan", lab.has("greta", "maps"), True)
    lab.mentions("and five seats", lab.usher("show", "greta"), "5 seats")
    lab.equal("and the first order", lab.state(order), "finished")


@case
def upgraded_in_a_receipt(lab):
    """A receipt says of an upgraded period that it was cancelled, which is no refund."""
    for seconds in (0, 2):
        account = f"bo-{seconds}"
        order = lab.order(account, "valley.month")
        bought = next_second()
        line = new_id()
        first = entry(line, "valley.month", bought)
        lab.present(account, receipt(first), order=order)
        lab.report(order, "finished")
        second = entry(new_id(),
                       "summit.month",
                       bought + 1_000,
                       originalTransactionId=line,
                       originalPurchaseDate=bought)
        time.sleep(1 + seconds)
        lab.present(account,
                    receipt(first | {"cancellationDate": bought + 1_000 * (1 + seconds)}, second))
        lab.equal(f"cancelled {seconds} s after the upgrade: nothing was refunded",
                  (lab.state(order), lab.has(account, "routes")), ("finished", True))


@case
def ask_for_refunds_once(lab):
    """The same refund is signed again with a later date: who took note of it need not again."""
    order, number, bought = lab.order("dot", "stars.50"), new_id(), now()

    def coins(**members):
        return transaction(number, "stars.50", bought, appAccountToken=order, **members)

    lab.present("dot", coins(signedDate=bought + 1))
    lab.apple("REFUND", None, coins(signedDate=bought + 10, revocationDate=bought + 10))
    lab.equal("a refund after delivery is on the list", lab.lost(), ["refunded-after-delivery"])
    lab.usher("orders", "refuse", order, "--reason", "seen")
    lab.equal("until somebody took note", lab.lost(), [])
    lab.present("dot", coins(signedDate=bought + 900, revocationDate=bought + 800))
    lab.equal("and stays off it", lab.lost(), [])


@case(policy=SOON)
def every_advice_can_be_followed(lab):
    """What the list of lost orders advises is accepted, and takes nothing from anybody."""
    lab.order("never", "stars.50")
    open_order = lab.order("paying", "stars.50")
    lab.report(open_order, "paying")
    gift = lab.order("gift", "stars.50")
    lab.report(gift, "no-receipt")
    lab.apple("ONE_TIME_CHARGE", None, transaction(new_id(), "alps", now() - HOUR))
    deferred = lab.order("deferred", "stars.50")
    lab.report(deferred, "deferred")
    kept = lab.order("kept", "stars.50")
    lab.present("kept", transaction(new_id(), "stars.50", now(), appAccountToken=kept))
    time.sleep(1.2)
    for each in lab.get("/v1/orders/lost")["orders"]:
        advice = each.get("command") or ""
        if not advice or re.search(r"ACCOUNT|<", advice):
            continue
        words = re.sub(r" --reason .*", "", advice.removeprefix("usher ")).split()
        rules = words[0] in ("orders", "claims") and words[1] != "show"
        done = lab.run(*words, *(["--reason", "as advised"] if rules else []), "--sockets",
                       lab.sockets)
        lab.check(f"{each['reason']}: {' '.join(words[:2])} is accepted", done.returncode in (0, 1)
                  and "usage" not in done.stderr.lower(), done.stdout + done.stderr)
    lab.equal("who had it has it", lab.stars("kept"), 50)
