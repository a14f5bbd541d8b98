"""Evidence that is odd, damaged, or at the wrong address."""

import base64
import json
import os
import urllib.parse

from evidence import (APP, BUNDLE, DAY, HOUR, answer, app_transaction, entry, new_id, new_token,
                      now, receipt, renewal, row, transaction)
from lab import case


@case
def a_member_is_missing(lab):
    """Apple's answers about old purchases lack members: what is missing or wrong is named."""
    for member in ("bundleId", "productId", "purchaseDate", "environment"):
        made = transaction(new_id(),
                           "alps",
                           now() - 400 * DAY,
                           signedDate=now() - 5_000,
                           **{member: None})
        got = lab.present("raj", made)
        lab.check(f"without {member}", not got.verdicts and member.lower() in got.text.lower(),
                  got.text)
    got = lab.present("raj", transaction(new_id(),
                                         "alps",
                                         now() - DAY,
                                         bundleId="com.example.other"))
    lab.check("of another app: what was expected and found", got.status == 422
              and BUNDLE in got.text and "com.example.other" in got.text, got.text)
    got = lab.present("raj", transaction(new_id(), "alps", now() - DAY, purchaseDate="yesterday"))
    lab.check("a date that is none: says so", not got.verdicts and "purchaseDate" in got.text,
              got.text)
    lab.equal("nothing is granted", lab.has("raj", "alps"), False)


@case
def at_the_wrong_address(lab):
    """Evidence that is sent where notifications belong would be nobody's: it is refused."""
    number = new_id()
    bought = lab.sign(transaction(number, "summit.month", now() - 2_000))
    renews = lab.sign(renewal(number, "summit.month", now() - 1_000))
    for name, body in (("a wrapped transaction", json.dumps({"signedPayload": bought
                                                             })), ("a bare transaction", bought),
                       ("a renewal info", json.dumps({"signedPayload":
                                                      renews})), ("an empty object", "{}"),
                       ("an app transaction",
                        json.dumps({"signedPayload": lab.sign(app_transaction(now() - 1_000))
                                    })), ("a notification of version 1",
                                          json.dumps({
                                              "notification_type": "DID_RENEW",
                                              "password": "x",
                                              "unified_receipt": {}
                                          }))):
        got = lab.post("/v1/notifications", body)
        lab.check(f"{name} is refused", 400 <= got.status < 500, got.text)
        lab.check(f"{name}: says what to do", len(got.get("detail") or "") > 10, got.text)
        if "transaction" in name and "app" not in name:
            lab.mentions(f"{name}: says where it belongs", got.text, "/v1/evidence", "transaction")
    got = lab.post(
        "/v1/notifications",
        json.dumps({
            "signedPayload":
            lab.sign({
                "notificationType": "TEST",
                "version": "2.0",
                "signedDate": now(),
                "notificationUUID": new_token(),
                "data": {
                    "bundleId": BUNDLE,
                    "environment": "Production",
                    "appAppleId": APP
                }
            })
        }))
    lab.check("a test notification is taken", got.status < 300, got.text)


@case
def notifications_without_a_transaction(lab):
    """Notifications about no transaction are taken, and reach whom they concern."""
    lab.present("parent", app_transaction(now() - 2_000, appTransactionId="9412"))
    about = {"appAppleId": APP, "bundleId": BUNDLE, "environment": "Production"}
    summary = {
        **about, "productId": "summit.month",
        "requestIdentifier": new_token(),
        "storefrontCountryCodes": ["USA"],
        "succeededCount": 500,
        "failedCount": 3
    }
    external = {
        "externalPurchaseId": new_token(),
        "tokenCreationDate": now() - DAY,
        "appAppleId": APP,
        "bundleId": BUNDLE
    }
    rescinded = {
        **about, "signedAppTransactionInfo":
        lab.sign(app_transaction(now() - 2_000, appTransactionId="9412"))
    }
    for name, kind, subtype, members in (("a summary", "RENEWAL_EXTENSION", "SUMMARY", {
            "summary": summary
    }), ("an external purchase", "EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", {
            "externalPurchaseToken": external
    }), ("consent withdrawn", "RESCIND_CONSENT", None, {
            "appData": rescinded
    }), ("seats", "UNCLAIM_SEATS", None, {
            "unclaimInfo": {
                **about, "unclaimSeatIds": ["1"]
            }
    }), ("a subject of next year", "SOMETHING_NEWER", None, {
            "newerInfo": about
    })):
        got = lab.apple(kind, subtype, **members)
        lab.check(f"{name} is taken", got.status < 300, got.text)
    got = lab.apple("EXTERNAL_PURCHASE_TOKEN",
                    "UNREPORTED",
                    externalPurchaseToken={
                        **external, "bundleId": "com.example.other",
                        "appAppleId": 1
                    })
    lab.check("that of another app is not", got.status >= 400, got.text)
    pages = lab.usher("findings", "parent") + lab.usher("show", "parent")
    lab.mentions("who consented once is told of it", pages, "RESCIND_CONSENT")


@case
def how_a_receipt_was_sent(lab):
    """Receipts are damaged on their way: understood, or refused with what to do about it."""
    number = new_id()
    good = lab.sign(receipt(entry(number, "alps", now() - HOUR)))
    ways = {
        "as it should be": good,
        "lines of 76": "\r\n".join(good[i:i + 76] for i in range(0, len(good), 76)),
        "newline at the end": good + "\n",
        "padding lost": good.rstrip("="),
        "base64url": good.replace("+", "-").replace("/", "_"),
        "plus became space": good.replace("+", " "),
        "percent-encoded": urllib.parse.quote(good, safe=""),
        "quoted": f'"{good}"',
        "slashes escaped": good.replace("/", "\\/"),
        "base64 of base64": base64.b64encode(good.encode()).decode(),
        "a data URL": "data:application/octet-stream;base64," + good,
        "as sent to verifyReceipt": json.dumps({"receipt-data": good}),
        "cut short": good[:2_000]
    }
    for index, (way, text) in enumerate(ways.items()):
        got = lab.present(f"ray-{index}", text)
        lab.check(f"{way}: understood, or says what to do", got.status == 200
                  or got.status == 422 and len(got.get("detail") or "") > 20, got.text)
        lab.check(f"{way}: no signature is doubted that was not looked at", got.status == 200
                  or way == "cut short" or "signature" not in got.text, got.text)
    order = lab.order("ray", "stars.50")
    lab.present("ray", transaction(new_id(), "stars.50", now(), appAccountToken=order.upper()))
    lab.equal("a token in capital letters is the order's", lab.state(order), "delivered")


@case
def inspected(lab):
    """A person who does not know what a piece of text is asks the program."""
    number = new_id()
    jws = lab.sign(transaction(number, "alps", now() - HOUR))
    good = lab.sign(receipt(entry(new_id(), "alps", now() - HOUR)))
    google = "abcdefghijklmnopabcdefgh.AO-J1OxAbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
    pieces = {
        "google": (google, ["google"]),
        "cut": (jws[:-40], []),
        "ios6": (base64.b64encode(
            b'{\n"signature" = "AAAA";\n"purchase-info" = "AAAA";\n"pod" = "1";\n}').decode(),
                 ["ios 6"]),
        "wrapped": (json.dumps({"receipt-data": good}), []),
        "twice": (base64.b64encode(good.encode()).decode(), [])
    }
    for name, (text, words) in pieces.items():
        path = os.path.join(lab.folder, name + ".txt")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        done = lab.run("inspect", path, "--policies", lab.policies)
        said = done.stdout + done.stderr
        lab.mentions(f"{name}: says what it is", said, *words)
        lab.check(f"{name}: fails with words", done.returncode in (0, 1, 2) and len(said) > 40,
                  said)
    path = os.path.join(lab.folder, "other.jws")
    with open(path, "w", encoding="ascii") as file:
        file.write(
            lab.sign(transaction(new_id(), "alps", now() - HOUR, bundleId="com.example.other")))
    said = lab.run("inspect", path, "--policies", lab.policies).stdout
    lab.lacks("a signature that held is not called unverified", said, "not verified")
    lab.mentions("and the app is named", said, "com.example.other")


@case
def saved_pages_of_apple(lab):
    """Pages of Apple's server API, saved as files, are taken apart and handed in."""
    def page(kind):
        number = new_id()
        jws = lab.sign(transaction(number, "alps", now() - 3 * DAY, signedDate=now() - 1_000))
        note = json.loads(lab_notification(jws))["signedPayload"]
        return number, {
            "history": {
                "revision": "1",
                "hasMore": False,
                "bundleId": BUNDLE,
                "environment": "Production",
                "signedTransactions": [jws]
            },
            "info": {
                "signedTransactionInfo": jws
            },
            "notifications": {
                "hasMore":
                False,
                "notificationHistory": [{
                    "signedPayload":
                    note,
                    "sendAttempts": [{
                        "attemptDate": now(),
                        "sendAttemptResult": "SUCCESS"
                    }]
                }]
            }
        }[kind]

    def lab_notification(jws):
        return json.dumps({
            "signedPayload":
            lab.sign({
                "notificationType": "ONE_TIME_CHARGE",
                "notificationUUID": new_token(),
                "version": "2.0",
                "signedDate": now() - 500,
                "data": {
                    "bundleId": BUNDLE,
                    "environment": "Production",
                    "appAppleId": APP,
                    "bundleVersion": "1",
                    "signedTransactionInfo": jws
                }
            })
        })

    for kind in ("history", "info", "notifications"):
        number, content = page(kind)
        path = os.path.join(lab.folder, kind + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        said = lab.usher("ingest", path)
        lab.mentions(f"{kind}: the purchase is known", lab.usher("find", number), "alps")
        lab.lacks(f"{kind}: nothing is refused", said, "unrecognised")


@case(policy={"sandbox: trusted": "sandbox: refused"})
def an_environment_is_refused(lab):
    """Evidence of the sandbox where that is refused: the refusal says which environment it is."""
    for name, made in (("a transaction",
                        transaction(new_id(), "stars.50", now(), environment="Sandbox")),
                       ("a receipt",
                        receipt(entry(new_id(), "stars.50", now()),
                                environment="ProductionSandbox"))):
        got = lab.present("review-1", made)
        lab.check(f"{name} of the sandbox", got.status == 422
                  and "sandbox" in (got.get("detail") or "").lower(), got.text)


@case
def one_transaction_in_two_rows(lab):
    """A back end delivers for each row of our answer: each transaction stands there once."""
    coins, plan = new_id(), new_id()
    rows = [row(coins, "stars.50", now() - HOUR), row(plan, "summit.month", now() - HOUR)]
    stored = lab.present("val", answer(rows, now() - 1_000), imported=True)
    twice = new_id()
    same = entry(twice, "stars.50", now() - HOUR)
    again = lab.present("val", receipt(same, same))
    for name, got in (("a stored answer of verifyReceipt", stored), ("a receipt", again)):
        ids = [each["transaction"] for each in got.get("transactions", [])]
        lab.check(f"once in {name}", ids and len(ids) == len(set(ids)), got.text)
    lab.equal("and delivered once", lab.stars("val"), 100)


@case
def odd_account_names(lab):
    """Account ids of other systems have slashes, bars and percent signs."""
    for name in ("team/7", "auth0|5f7c8ec7", "a+b@example.com", "x%2Fy", "u?1", "u#1", "a;b=c"):
        lab.present(name, transaction(new_id(), "alps", now() - 3 * DAY), moment="restore")
        lab.equal(f"{name} over HTTP", lab.has(name, "alps"), True)
        lab.check(f"{name} at the command line", lab.usher("check", name, "alps").startswith("yes"))


@case
def expired_and_replayed(lab):
    """The store replays a purchase that ended long ago as if it were new."""
    got = lab.present("lin",
                      transaction(new_id(),
                                  "summit.month",
                                  now() - 70 * DAY,
                                  signedDate=now() - 1_000),
                      moment="purchase")
    lab.equal("it is hers, and may be finished",
              [(each["verdict"], each["finish"]) for each in got["transactions"]],
              [("owned", True)])
    lab.equal("and gives nothing", lab.has("lin", "maps"), False)
