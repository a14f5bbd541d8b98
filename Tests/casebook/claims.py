"""Who gets what, and what a person sees of it."""

import re
import time

from evidence import DAY, HOUR, entry, new_id, new_token, now, receipt, renewal, transaction
from lab import case


def by_key(apple_id):
    return f"atx:production:{apple_id}"


@case
def app_start_takes_nothing(lab):
    """What a device lists is no wish of the customer: opening the app moves nothing."""
    plan, forever = new_id(), new_id()
    bought = now() - 8 * DAY
    owned = [
        transaction(plan, "summit.month", bought, signedDate=now() - 1_000),
        transaction(forever, "alps", bought, signedDate=now() - 1_000)
    ]
    for each in owned:
        lab.present("father", each)
    for members in ({}, {"moment": "listed"}, {"moment": "listed"}):
        answers = [lab.present("son", each, **members) for each in owned]
        lab.check(f"another's, handed in with {members}: answered so",
                  all("owned-by-other" in each.text for each in answers),
                  str([each.text for each in answers]))
    lab.check("the father keeps both", lab.has("father", "maps") and lab.has("father", "alps"))
    lab.equal("nobody has to look at it", lab.findings(), [])
    listed = lab.usher("claims", "list", "son")
    lab.equal("each was recorded once", len(re.findall(r"claim \d+", listed)), 2)
    lab.mentions("and can be seen", lab.usher("show", "son"), "father")
    lab.present("son", owned[0], moment="restore")
    lab.check("a restore asks the rules", lab.has("son", "maps") and not lab.has("father", "maps"))


@case
def app_start_shares_what_is_shared(lab):
    """A rule that shares without asking for a moment shares what the device lists too."""
    party = transaction(new_id(), "huts.month", now() - 3 * DAY)
    for account in ("guide", "guest-1", "guest-2"):
        lab.present(account, party, **({} if account == "guide" else {"moment": "listed"}))
    lab.equal("all three have it",
              [lab.has(each, "huts") for each in ("guide", "guest-1", "guest-2")], [True] * 3)
    lab.present("guest-3", party, moment="listed")
    lab.equal("a fourth does not", lab.has("guest-3", "huts"), False)
    lab.usher("claims", "release", lab.claim("guest-1"), "--account", "guest-1", "--reason", "left")
    lab.equal("one of them can be taken out",
              [lab.has(each, "huts") for each in ("guide", "guest-1", "guest-2")],
              [True, False, True])


@case
def every_moment_and_form(lab):
    """A purchase that nobody owns goes to whoever presents it, whatever its form and age."""
    def check(account, what):
        lab.equal(what, (lab.stars(account), lab.has(account, "alps"), lab.has(
            account, "season"), lab.has(account, "maps")), (50, True, True, True))

    products = ("stars.50", "alps", "season", "summit.month")
    for moment in (None, "purchase", "restore", "support", "listed"):
        for age in (2 * HOUR, 26 * HOUR, 20 * DAY):
            members = {"moment": moment} if moment else {}
            account = f"receipt-{moment}-{age // HOUR}"
            lab.present(account, receipt(*(entry(new_id(), each,
                                                 now() - age) for each in products)), **members)
            check(account, f"a receipt, {age // HOUR} hours old, moment {moment}")
    for moment in (None, "restore", "listed"):
        account = f"signed-{moment}"
        for each in products:
            lab.present(account, transaction(new_id(), each,
                                             now() - 20 * DAY),
                        **({
                            "moment": moment
                        } if moment else {}))
        check(account, f"signed transactions, 20 days old, moment {moment}")


@case
def one_receipt_and_many_accounts(lab):
    """A receipt is passed around: delivered once, and one line for support with a count."""
    bought = now() - 2 * HOUR
    passed = receipt(entry(new_id(), "stars.600", bought), entry(new_id(), "alps", bought),
                     entry(new_id(), "summit.month", bought))
    signed = lab.sign(passed)
    lab.present("payer", signed)
    others = [f"other-{number}" for number in range(15)]
    for account in others:
        lab.present(account, signed)
        lab.present(account, signed, moment="restore")
    lab.equal("stars once", [each for each in ["payer", *others] if lab.stars(each)], ["payer"])
    for right in ("maps", "alps"):
        lab.equal(f"{right} stay with the payer",
                  [each for each in ["payer", *others] if lab.has(each, right)], ["payer"])
    found = [each for each in lab.findings() if each == "account-switch"]
    lab.check("one finding and not one for each account", len(found) <= 3, repr(found))


@case
def seen_by_support(lab):
    """Somebody hands in what another account has: a person can see that it happened."""
    for form in ("receipt", "transaction"):
        number, bought = new_id(), now() - 30 * HOUR
        made = (receipt(entry(number, "stars.50", bought)) if form == "receipt" else transaction(
            number, "stars.50", bought))
        lab.present(f"has-{form}", made)
        lab.present(f"wants-{form}", made)
        pages = lab.usher("show", f"wants-{form}") + lab.usher("claims", "list", f"wants-{form}")
        lab.mentions(f"on the page of who wants it ({form})", pages, number)
        lab.mentions(f"by the transaction ({form})", lab.usher("find", number), f"wants-{form}")
        lab.equal(f"nothing is delivered twice ({form})", lab.stars(f"wants-{form}"), 0)


@case
def found_by_every_entrance(lab):
    """Support has a key of an Apple ID, a transaction, or an account that was only ever refused."""
    number, token = new_id(), new_token()
    lab.register("omar", token)
    plan = transaction(number,
                       "summit.month",
                       now() - 9 * DAY,
                       appTransactionId="9464",
                       appAccountToken=token)
    lab.present("omar", plan)
    lab.present("pia", plan, moment="purchase")
    lab.mentions("the Apple ID leads to both", lab.usher("find", by_key("9464")), "omar", "pia")
    lab.mentions("so does the transaction", lab.usher("find", number), "omar", "pia")
    lab.mentions("the token leads to its account", lab.usher("find", token), "omar")
    lab.mentions("who was refused leads to the purchase",
                 lab.usher("find", "pia") + lab.usher("show", "pia"), number)
    lab.mentions("the owner's page says who else presented it", lab.usher("show", "omar"), "pia")
    lab.mentions("the line item of the order", lab.usher("find", "7" + number), number)


@case
def undone_step_by_step(lab):
    """Moves by hand are undone one after another, and never what no person did."""
    plan = transaction(new_id(), "summit.month", now() - 9 * DAY)
    lab.present("lena", plan)
    claim = lab.claim("lena")
    for account in ("omar", "pia"):
        lab.usher("claims", "transfer", claim, "--to", account, "--new-account", "--reason",
                  "by hand")
    for expected in ("omar", "lena"):
        lab.usher("claims", "undo", claim, "--reason", "by mistake")
        lab.equal(f"undone, it is {expected}'s",
                  [each for each in ("lena", "omar", "pia") if lab.has(each, "maps")], [expected])
    answer = lab.post(f"/v1/claims/{claim}/ruling", {"verb": "undo", "reason": "once too often"})
    lab.check("a first owning is nothing to undo", answer.status in (404, 409), answer.text)
    lab.equal("which changes nothing", lab.has("lena", "maps"), True)
    answer = lab.present("raj", plan, moment="restore")
    lab.check("what was undone starts no cooldown", lab.has("raj", "maps"), answer.text)


@case
def undo_names_the_newest(lab):
    """Who wants to undo an old decision is told which one is the newest."""
    plan = transaction(new_id(), "summit.month", now() - 9 * DAY)
    lab.present("lena", plan)
    lab.present("omar", plan, moment="restore")
    first, second = lab.claim("lena"), lab.claim("omar")
    answer = lab.post(f"/v1/claims/{first}/ruling", {"verb": "undo", "reason": "the first"})
    lab.check("the first is not undone", answer.status == 409 and answer.get("decision"),
              answer.text)
    lab.post(f"/v1/claims/{second}/ruling", {"verb": "undo", "reason": "taken by mistake"})
    lab.equal("the second is", (lab.has("lena", "maps"), lab.has("omar", "maps")), (True, False))
    lab.present("omar", plan, moment="restore")
    lab.equal("whom a person took it from does not fetch it back", lab.has("omar", "maps"), False)


@case
def released_and_told_again(lab):
    """The account was deleted: neither a notification nor its app gets the purchase back."""
    number, token, bought = new_id(), new_token(), now() - 9 * DAY
    lab.register("old", token)

    def plan(**members):
        return transaction(number, "summit.month", bought, appAccountToken=token, **members)

    lab.present("old", plan())
    claim = lab.claim("old")
    lab.usher("claims", "release", claim, "--reason", "account deleted")
    lab.apple("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", plan(signedDate=now()),
              renewal(number, "summit.month", now(), autoRenewStatus=0, appAccountToken=token))
    lab.equal("Apple's notification gives it to nobody", lab.has("old", "maps"), False)
    lab.present("old", plan(signedDate=now()), moment="listed")
    lab.equal("nor does the old app", lab.has("old", "maps"), False)
    refused = lab.register("new", token)
    lab.check("the old token is not given to another account, which is told of the merge",
              refused.status == 409 and "merge" in refused.text, refused.text)
    lab.present("new", plan(signedDate=now()), moment="restore")
    lab.equal("the new account restores it", lab.has("new", "maps"), True)
    lab.apple("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", plan(signedDate=now()),
              renewal(number, "summit.month", now(), appAccountToken=token))
    lab.equal("and keeps it", (lab.has("new", "maps"), lab.has("old", "maps")), (True, False))


@case
def two_apple_ids_in_one_receipt(lab):
    """The receipt of a phone is still that of its former Apple ID when another customer buys."""
    first, second, bought = new_id(), new_id(), now() - 9 * DAY
    hers, his = entry(first, "summit.month", bought), entry(second, "summit.month",
                                                            now() - 2 * HOUR)
    lab.present("lena", receipt(hers, created=bought + 5_000))
    lab.present("omar", receipt(hers, created=now() - 3 * HOUR), moment="purchase")
    lab.equal("her receipt takes nothing from her",
              (lab.has("lena", "maps"), lab.has("omar", "maps")), (True, False))
    lab.present("omar", receipt(hers, his), moment="purchase")
    lab.equal("the next one has his too", (lab.has("lena", "maps"), lab.has("omar", "maps")),
              (True, True))
    lab.equal("neither paid in vain",
              [each for each in lab.findings() if each == "paid-without-right"], [])


@case
def apples_token_changes(lab):
    """Apple says another account than the ledger: a claim decides, but somebody has to see it."""
    first, second = new_token(), new_token()
    for account, token in (("lena", first), ("omar", second)):
        lab.register(account, token)
    line, bought = new_id(), now() - 30 * DAY

    def renews(product, token, signed):
        return renewal(line, product, signed, appAccountToken=token)

    lab.apple(
        "SUBSCRIBED", "INITIAL_BUY",
        transaction(line, "summit.month", bought, appAccountToken=first,
                    expiresDate=now() - 60_000), renews("summit.month", first, bought + 1_000))
    lab.apple(
        "DID_RENEW", None,
        transaction(new_id(),
                    "summit.year",
                    now() - 60_000,
                    originalTransactionId=line,
                    originalPurchaseDate=bought,
                    appAccountToken=second,
                    transactionReason="RENEWAL"), renews("summit.year", second,
                                                         now() - 30_000))
    lab.equal("it stays where it is", (lab.has("lena", "maps"), lab.has("omar", "maps")),
              (True, False))
    for account in ("lena", "omar"):
        lab.mentions(f"a finding of {account} names both", lab.usher("findings", account), "lena",
                     "omar")
    lab.mentions("so does the page", lab.usher("show", "lena"), "omar")


@case
def renamed_account(lab):
    """An account was renamed: who knows the old name, token or order is led to the new one."""
    token, bought = new_token(), now()
    lab.register("old-name", token)
    order = lab.order("old-name", "stars.50")
    lab.present("old-name", transaction(new_id(), "stars.50", now(), appAccountToken=order))
    lab.report(order, "finished")
    lab.present("old-name", transaction(new_id(), "summit.month", bought, appAccountToken=token))
    lab.usher("merge", "old-name", "new-name", "--reason", "renamed")
    for command in (("find", "old-name"), ("show", "old-name"), ("explain", "old-name", "maps"),
                    ("find", token), ("find", order)):
        lab.mentions(" ".join(command[:1]) + " leads to the new name", lab.usher(*command),
                     "new-name")
    lab.lacks("no advice takes it from the new name", lab.usher("explain", "old-name", "maps"),
              "claims transfer")
    lab.mentions("the order is listed", lab.usher("orders", "list", "new-name"), order)
    lab.lacks("nobody paid in vain",
              lab.usher("findings", "new-name", "--past") + lab.usher("changes"),
              "received nothing", "paid-without-right")
    for path, body in (("/v1/grants", {
            "account": "old-name",
            "entitlement": "alps",
            "reason": "a present"
    }), ("/v1/accounts/old-name/credits/stars/spend", {
            "amount": 1
    })):
        answer = lab.post(path, body, Idempotency_Key="once")
        lab.check(
            f"{path} refuses the old name and says the new one", answer.status == 409
            and answer.get("code") == "account.merged" and answer.get("merged_into") == "new-name",
            answer.text)
    lab.present("old-name", transaction(new_id(), "stars.50", now()))
    lab.equal("evidence follows", lab.stars("new-name"), 100)
    lab.usher("merge", "new-name", "old-name", "--reason", "renamed back")
    lab.equal("it can be renamed back", (lab.has("old-name", "maps"), lab.stars("old-name")),
              (True, 100))
    lab.present(None, transaction(new_id(), "stars.50", now(), appAccountToken=token))
    lab.equal("and its token is its own again", lab.stars("old-name"), 150)


@case
def guest_of_a_shared_device(lab):
    """A guest id is the device's: what is bought after the merge is the next guest's."""
    late, order = transaction(new_id(), "alps", now()), lab.order("device", "season")
    lab.present("device", transaction(new_id(), "stars.50", now()))
    lab.usher("merge", "device", "first", "--up-to-now", "--reason", "signed up")
    lab.equal("the first has it", lab.stars("first"), 50)
    time.sleep(0.01)
    got = lab.present("device", transaction(new_id(), "stars.600", now()), moment="purchase")
    lab.check("the next guest buys for itself",
              (lab.stars("first"), lab.stars("device")) == (50, 600),
              f"{lab.stars('first')}, {lab.stars('device')}: {got.text}")
    lab.present("device", late)
    lab.equal("what was bought before and comes late is the first's",
              (lab.has("first", "alps"), lab.has("device", "alps")), (True, False))
    lab.mentions("and so is the order", lab.usher("orders", "list", "first"), order)


@case(policy={"pay_within: 30m": "pay_within: 1s"})
def given_by_hand(lab):
    """A payment that nobody owns: the list names the one command that gives it to an account."""
    coins, plan, bought = new_id(), new_id(), now() - 3 * DAY
    lab.apple("ONE_TIME_CHARGE",
              None,
              transaction(coins, "stars.50", bought, appTransactionId="9450"),
              signed=bought + 2_000)
    lab.apple("SUBSCRIBED",
              "INITIAL_BUY",
              transaction(plan, "summit.month", bought, appTransactionId="9450"),
              renewal(plan, "summit.month", bought + 1_000),
              signed=bought + 2_000)
    for number in (coins, plan):
        pages = lab.usher("orders", "lost") + lab.usher("find", number)
        advice = re.search(rf"usher (claims give [^\n]*{number}[^\n]*)", pages)
        lab.check("a command is named", advice, pages)
        if advice:
            words = [
                "lena" if re.fullmatch(r"[A-Z]+|<[a-z]+>", word) else word
                for word in advice.group(1).split(" --reason")[0].split()
            ]
            done = lab.usher(*words, "--new-account", "--reason", "it is hers")
            lab.check("and does it",
                      lab.stars("lena") if number == coins else lab.has("lena", "maps"), done)
    lab.lacks("then nothing is lost", lab.usher("orders", "lost"), coins, plan)
    released = new_id()
    lab.present("omar", transaction(released, "stars.600", bought))
    lab.usher("claims", "release", lab.claim("omar"), "--reason", "wrong account")
    time.sleep(1.2)
    lab.mentions("what was released is on the list too", lab.usher("orders", "lost"), released)


@case
def deleted_and_blocked(lab):
    """A blocked account gets nothing by notification; what waited is judged afterwards."""
    token = new_token()
    lab.register("blocked", token)
    lab.usher("block", "blocked", "--id", "gone", "--new-account", "--reason", "deleted")
    lab.apple("ONE_TIME_CHARGE", None,
              transaction(new_id(), "stars.50", now() - 1_000, appAccountToken=token))
    lab.equal("nothing while it is blocked", lab.stars("blocked"), 0)
    lab.usher("unblock", "gone", "--reason", "a mistake")
    lab.equal("delivered when it is not", lab.stars("blocked"), 50)


@case
def foretold_without_a_token(lab):
    """A purchase may come without its token: what is foretold before it is said for both."""
    line, bought = new_id(), now() - 60 * DAY
    lab.present("lena", transaction(line, "summit.month", bought, appTransactionId="9455"))
    lab.present(
        "lena",
        renewal(line,
                "summit.month",
                bought + 31 * DAY,
                autoRenewStatus=0,
                expirationIntent=1,
                appTransactionId="9455"))
    told = lab.preflight("omar", "summit.month", by_key("9455"))
    got = lab.present("omar",
                      transaction(new_id(),
                                  "summit.month",
                                  now() - 1_000,
                                  originalTransactionId=line,
                                  originalPurchaseDate=bought,
                                  appTransactionId="9455"),
                      moment="purchase")
    lab.check("what was foretold for a purchase without a token comes",
              (told.get("claim_without_token",
                        told["claim"]) == "accepted") == (got.verdicts == ["owned"]),
              told.text + got.text)


@case(policy={"leeway: 1h": "leeway: 1h\nclaims_from: 2026-06-01"})
def import_of_a_former_back_end(lab):
    """A shop that moves here has delivered its old consumables: they wait for a person."""
    before, since = 1_777_600_000_000, 1_780_900_000_000
    lab.present("lena", transaction(new_id(), "stars.600", before))
    lab.equal("from before the move: waits", lab.stars("lena"), 0)
    lab.mentions("and is on the list of claims", lab.usher("claims", "list"), "lena")
    lab.present("lena", transaction(new_id(), "stars.50", since))
    lab.equal("from after it: delivered", lab.stars("lena"), 50)
    lab.present("lena", transaction(new_id(), "alps", before))
    lab.equal("what is the Apple ID's is hers", lab.has("lena", "alps"), True)


@case
def given_by_a_person_and_presented_again(lab):
    """What support gave to another account is not fetched back by the phone that bought it."""
    token = new_token()
    lab.register("omar", token)
    plan = transaction(new_id(), "summit.month", now() - 3 * DAY, appAccountToken=token)
    lab.present("omar", plan, moment="purchase")
    lab.usher("claims", "transfer", lab.claim("omar"), "--to", "pia", "--new-account", "--reason",
              "signed in as another")
    for moment in (None, "listed", "purchase"):
        lab.present("omar", plan | {"signedDate": now()}, **({"moment": moment} if moment else {}))
        lab.equal(f"presented again, moment {moment}",
                  (lab.has("pia", "maps"), lab.has("omar", "maps")), (True, False))
