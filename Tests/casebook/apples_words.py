"""What Apple says, and what the program makes of it."""

import json
import re

from evidence import DAY, HOUR, new_id, now, renewal, transaction
from lab import case

SEATS = {"additionalTransactionReason": "SEAT_ADDITION"}


@case
def one_id_under_two_originals(lab):
    """Apple gave one transaction under two original ids; its refund came under the other one."""
    first, other, renewed = new_id(), new_id(), new_id()
    start = now() - 60 * DAY
    second = start + 30 * DAY
    lab.load((start, "lena", None, transaction(first, "summit.month", start)),
             (second, None, None,
              transaction(renewed,
                          "summit.month",
                          second,
                          originalTransactionId=first,
                          originalPurchaseDate=start,
                          transactionReason="RENEWAL")),
             (second + 5 * DAY, None, None,
              transaction(renewed,
                          "summit.month",
                          second,
                          originalTransactionId=other,
                          originalPurchaseDate=start - 400 * DAY,
                          transactionReason="RENEWAL",
                          signedDate=second + 5 * DAY,
                          revocationDate=second + 5 * DAY)))
    lab.equal("before the refund", lab.has("lena", "maps", at=second + 4 * DAY), True)
    lab.equal("after it", lab.has("lena", "maps", at=second + 6 * DAY), False)


@case(policy={"stars: {title: Stars}": "stars: {title: Stars, on_refund: freeze}"})
def one_refund_seen_with_two_dates(lab):
    """A refund is looked up later and has another date: what a person thawed stays thawed."""
    start, kept, refunded = now() - 40 * DAY, new_id(), new_id()
    lab.load((start, "dee", "purchase", transaction(kept, "stars.600", start)),
             (start + HOUR, "dee", "purchase", transaction(refunded, "stars.50", start + HOUR)),
             (start + 10 * DAY, None, None,
              transaction(refunded,
                          "stars.50",
                          start + HOUR,
                          signedDate=start + 10 * DAY,
                          revocationDate=start + 10 * DAY)))
    lab.post("/v1/accounts/dee/credits/stars/thaw", {"reason": "talked to her"})
    spent = lab.post("/v1/accounts/dee/credits/stars/spend", {"amount": 10}, Idempotency_Key="a")
    lab.check("thawed by a person", spent.status == 200, spent.text)
    lab.present(
        None,
        transaction(refunded,
                    "stars.50",
                    start + HOUR,
                    signedDate=start + 30 * DAY,
                    revocationDate=start + 21 * DAY))
    spent = lab.post("/v1/accounts/dee/credits/stars/spend", {"amount": 10}, Idempotency_Key="b")
    lab.check("and still is, when Apple says the date otherwise", spent.status == 200, spent.text)


@case
def last_month_of_a_commitment(lab):
    """A commitment of twelve months was cancelled: Apple still says that each month renews."""
    for month, renews in ((3, True), (12, False)):
        account, line, bought = f"wil-{month}", new_id(), now() - 5 * DAY
        end = bought + 30 * DAY + (12 - month) * 30 * DAY
        lab.present(account,
                    transaction(new_id(),
                                "summit.month",
                                bought,
                                originalTransactionId=line,
                                transactionReason="RENEWAL",
                                originalPurchaseDate=bought - (month - 1) * 30 * DAY,
                                billingPlanType="MONTHLY",
                                commitmentInfo={
                                    "billingPeriodNumber": month,
                                    "totalBillingPeriods": 12,
                                    "commitmentExpiresDate": end,
                                    "commitmentPrice": 95_880
                                }),
                    moment="restore")
        lab.present(
            account,
            renewal(line,
                    "summit.month",
                    now() - 1_000,
                    renewalDate=bought + 30 * DAY,
                    renewalBillingPlanType="MONTHLY",
                    commitmentInfo={
                        "commitmentAutoRenewStatus": 0,
                        "commitmentRenewalDate": end,
                        "commitmentAutoRenewProductId": "summit.month",
                        "commitmentRenewalBillingPlanType": "MONTHLY",
                        "commitmentRenewalPrice": 95_880
                    }))
        got = lab.answer(account, "maps")
        lab.equal(f"month {month} of 12: whether it renews",
                  (got["decision"], got.get("will_renew")), (True, renews))
        lab.mentions(f"month {month} is shown", lab.usher("show", account), f"month {month} of 12")


@case
def seats_and_their_refunds(lab):
    """Seats that are added and refunded: the plan ends only when all of its seats are refunded."""
    def history(account, order):
        line, added, start = new_id(), new_id(), now() - 20 * DAY
        end = start + 30 * DAY
        five = transaction(line, "summit.month", start, quantity=5)
        again = five | SEATS | {"signedDate": start + 9 * DAY + 500}
        three = transaction(added,
                            "summit.month",
                            start + 9 * DAY,
                            originalTransactionId=line,
                            quantity=3,
                            originalPurchaseDate=start,
                            expiresDate=end,
                            **SEATS)
        gone = {
            "revocationDate": start + 11 * DAY,
            "revocationReason": 0,
            "signedDate": start + 11 * DAY + 500
        }
        lines = [(start + 1_000, account, None, five)]
        known = {
            "signed again": [(again, 9), (three, 9)],
            "addition alone": [(three, 9)],
            "addition first": [(three, 9), (again, 9)]
        }[order]
        lines += [(start + day * DAY + 2_000 + place, account, None, made)
                  for place, (made, day) in enumerate(known)]
        lines += [(start + 11 * DAY + 1_000, None, None, three | gone)]
        return start, lines, again | gone | {
            "revocationDate": start + 13 * DAY,
            "signedDate": start + 13 * DAY + 500
        }

    cases = {
        order: history(f"greta-{index}", order)
        for index, order in enumerate(("signed again", "addition alone", "addition first"))
    }
    lab.load(*sorted((line for _, lines, _ in cases.values() for line in lines),
                     key=lambda line: line[0]))
    for index, (order, (start, _, last)) in enumerate(cases.items()):
        account = f"greta-{index}"
        lab.equal(f"{order}: a refund of the added seats leaves the plan",
                  [lab.has(account, "maps", at=start + day * DAY) for day in (8, 10, 12, 29, 31)],
                  [True, True, True, True, False])
        lab.mentions(f"{order}: with five seats", lab.usher("show", account), "5 seats")
        lab.present(None, last)
        lab.equal(f"{order}: all refunded, it ends", lab.has(account, "maps"), False)


@case
def the_plan_that_comes_next(lab):
    """Which plan comes at the renewal, and at what price, is asked of support every day."""
    line, bought = new_id(), now() - 100 * DAY
    lab.present("sue", transaction(line, "summit.year", bought, appTransactionId="9431"))
    lab.apple(
        "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE",
        transaction(line, "summit.year", bought, appTransactionId="9431", signedDate=now() - 2_000),
        renewal(line,
                "summit.year",
                now() - 2_000,
                autoRenewProductId="valley.month",
                renewalPrice=3_990,
                currency="USD",
                appTransactionId="9431"))
    for name, text in (("show", lab.usher("show",
                                          "sue")), ("explain", lab.usher("explain", "sue", "maps")),
                       ("the account as JSON", json.dumps(lab.get("/v1/accounts/sue")))):
        lab.mentions(f"{name} names the plan that comes", text, "valley.month")
    lab.mentions("and its price", lab.usher("show", "sue"), "3.99")
    lab.mentions("the future of what renews is not an end", lab.usher("show", "sue"), "renews")


@case
def two_apple_ids_two_storefronts(lab):
    """Paid on two Apple IDs in two countries: what each side costs, and which one to keep."""
    month, year, bought = new_id(), new_id(), now() - 10 * DAY

    def monthly(**members):
        return transaction(month,
                           "summit.month",
                           bought,
                           appTransactionId="94521",
                           price=7_990,
                           currency="USD",
                           **members)

    lab.present("lena", monthly())
    lab.present(
        "lena",
        renewal(month,
                "summit.month",
                bought + 1_000,
                renewalPrice=7_990,
                currency="USD",
                appTransactionId="94521"))
    told = lab.preflight("lena", "summit.year", "atx:production:94522")
    lab.equal("warned before the second", told["verdict"], "block")
    lab.present(
        "lena",
        transaction(year,
                    "summit.year",
                    bought + 5 * DAY,
                    appTransactionId="94522",
                    price=498_000,
                    currency="CNY",
                    storefront="CHN",
                    storefrontId="143465"))
    lab.present(
        "lena",
        renewal(year,
                "summit.year",
                bought + 5 * DAY + 1_000,
                autoRenewStatus=0,
                renewalPrice=498_000,
                currency="CNY",
                appTransactionId="94522"))
    said = lab.usher("findings", "lena")
    lab.mentions("what each side costs and whether it renews", said, "7.99", "498",
                 "does not renew")
    lab.check("keep the one that renews", re.search(rf"keep\D*{month}", said), said)
    lab.present(None, monthly(signedDate=now(), revocationDate=now() - 100))
    lab.lacks("a refund ends it", lab.usher("findings", "lena"), "duplicate")
    lab.equal("and not the right", lab.has("lena", "maps"), True)


@case
def retention_offers(lab):
    """Apple makes offers of kinds that nobody has seen: they are kept and shown."""
    for number, name in ((5, "retention"), (17, "17")):
        account = f"ida-{number}"
        got = lab.present(
            account,
            transaction(new_id(),
                        "summit.month",
                        now() - HOUR,
                        offerType=number,
                        offerIdentifier="STAY",
                        offerDiscountType="PAY_AS_YOU_GO"))
        lab.check(f"offer type {number} is delivered", lab.has(account, "maps"), got.text)
        lab.mentions(f"offer type {number} is shown", lab.usher("show", account), "STAY")
