"""Apple's library against the App Store in a box. See scripts/check-box."""

import base64
import collections
import json
import sys
import tempfile
import time
import uuid
import warnings

import requests
from appstoreserverlibrary.api_client import (
    APIError, APIException, AppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import (
    Order, ProductType, TransactionHistoryRequest)
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from running import Box, Hook

warnings.simplefilter("ignore", DeprecationWarning)
DAY = 86_400_000
counts = collections.Counter()
failures = []


def expect(holds, what):
    counts["checks"] += 1
    if not holds:
        failures.append(what)
        print("failed:", what)


def refused(code, call, *arguments):
    """The library must read this code out of the box's answer."""
    counts["codes"] += 1
    try:
        call(*arguments)
    except APIException as error:
        expect(error.raw_api_error == code, f"{call.__name__}: {error.raw_api_error}, not {code}")
        expect(error.http_status_code == code // 10_000, f"{code}: {error.http_status_code}")
        expect(error.api_error == APIError(code), f"{code}: {error.api_error}")
        return
    expect(False, f"{call.__name__} does not fail with {code}")


class Store:
    """One environment: Apple's client, of which only the base URL is set, and a verifier."""

    def __init__(self, box, environment):
        settings = box.settings
        self.box, self.name = box, environment
        kind = Environment.PRODUCTION if environment == "production" else Environment.SANDBOX
        self.client = AppStoreServerAPIClient(
            (box.folder / "AuthKey.p8").read_bytes(), settings["key_id"], settings["issuer_id"],
            settings["bundle_id"], kind)
        self.client._base_url = box.url + settings[environment + "_path"]
        root = x509.load_pem_x509_certificate((box.folder / "root.pem").read_bytes())
        self.verifier = SignedDataVerifier(
            [root.public_bytes(Encoding.DER)], False, kind, settings["bundle_id"],
            settings["app_apple_id"])

    def transactions(self, signed):
        counts["verified"] += len(signed)
        return [self.verifier.verify_and_decode_signed_transaction(jws) for jws in signed]

    def history(self, any_id, request=None, version=GetTransactionHistoryVersion.V2, revision=None):
        found, pages = [], 0
        while True:
            page = self.client.get_transaction_history(
                any_id, revision, request or TransactionHistoryRequest(), version)
            found += self.transactions(page.signedTransactions)
            revision, pages = page.revision, pages + 1
            if not page.hasMore:
                return found, pages, revision

    def notifications(self, request):
        found, token = [], None
        while True:
            page = self.client.get_notification_history(token, request)
            for item in page.notificationHistory:
                counts["verified"] += 1
                found.append(self.verifier.verify_and_decode_notification(item.signedPayload))
            token = page.paginationToken
            if not page.hasMore:
                return found


def check_transactions(store):
    box, client = store.box, store.client
    box.say("alice buys gold as G token", "alice buys forever as F", "alice buys coins as C",
            environment=store.name)
    box.advance("40d")
    first, newest = box.ids("G", store.name)
    info = client.get_transaction_info(newest)
    transaction, = store.transactions([info.signedTransactionInfo])
    expect(transaction.originalTransactionId == first, "the renewal names its line")
    expect(transaction.appTransactionId, "the customer has an app transaction id")
    app = store.verifier.verify_and_decode_app_transaction(
        client.get_app_transaction_info(transaction.appTransactionId).signedAppTransactionInfo)
    expect(app.appTransactionId == transaction.appTransactionId, "the app transaction is theirs")
    found, pages, revision = store.history(first)
    expect(len(found) == 4 and pages == 1, "the history has four transactions")
    box.say("C is refunded percent 40", environment=store.name)
    found, _, _ = store.history(first, revision=revision)
    expect([f.transactionId for f in found] == box.ids("C", store.name), "only what changed")
    expect(found[0].revocationPercentage == 40_000, "40 % of it")
    refunds = client.get_refund_history(newest, None)
    expect(len(store.transactions(refunds.signedTransactions)) == 1, "one refund")
    new = str(uuid.uuid4())
    client.set_app_account_token(first, UpdateAppAccountTokenRequest(new))
    client.finish_transaction(box.ids("C", store.name)[0])
    box.advance("30d")
    transaction, = store.transactions(
        [client.get_transaction_info(box.ids("G", store.name)[2]).signedTransactionInfo])
    expect(transaction.appAccountToken == new, "the token is on the next period")
    refused(4000187, client.set_app_account_token, newest, UpdateAppAccountTokenRequest(new))
    refused(4000183, client.set_app_account_token, first, UpdateAppAccountTokenRequest("alice"))
    refused(4000006, client.get_transaction_info, "abc")
    refused(4040010, client.get_transaction_info, "123456789012345")
    refused(4000048, client.get_transaction_info, transaction.appTransactionId)


def check_history(store):
    box = store.box
    box.say(*(f"bea buys coins as P{number}" for number in range(45)), environment=store.name)
    any_id = box.ids("P0", store.name)[0]
    found, pages, revision = store.history(any_id)
    expect((len(found), pages) == (45, 3), "45 transactions on three pages")
    page = store.client.get_transaction_history(
        any_id, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
    box.say("P1 is refunded", "P44 is refunded", environment=store.name)
    rest, _, _ = store.history(any_id, revision=page.revision)
    expect(len(rest) == 26, "what changed while it was read comes at the end, once")
    for count, members in (
            (45, {"sort": Order.DESCENDING}), (45, {"productTypes": [ProductType.CONSUMABLE]}),
            (0, {"productTypes": [ProductType.AUTO_RENEWABLE]}), (2, {"revoked": True}),
            (45, {"inAppOwnershipType": InAppOwnershipType.PURCHASED}),
            (0, {"productIds": ["other"]}), (0, {"endDate": 1}), (45, {"startDate": 1}),
            (0, {"subscriptionGroupIdentifiers": ["1"]})):
        found, _, _ = store.history(any_id, TransactionHistoryRequest(**members))
        expect(len(found) == count, f"{members}: {len(found)}")
    store.client.finish_transaction(any_id)
    old, _, _ = store.history(any_id, version=GetTransactionHistoryVersion.V1)
    expect(len(old) == 44, "version 1 lacks what is finished")
    request = TransactionHistoryRequest(startDate=5, endDate=5)
    refused(4000013, store.history, any_id, request)
    refused(4000005, store.client.get_transaction_history, any_id, "nonsense",
            TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)


def check_statuses(store):
    box, client = store.box, store.client
    for number, line in enumerate((
            "cal buys gold as S1", "cal buys gold as S2", "cal buys gold as S3",
            "cal buys gold as S4", "S2 cancels", "S3 loses its card", "S4 is refunded",
            "S1 is shared with dee as S5")):
        box.say(line, environment=store.name)
        expect(number >= 0, line)
    box.advance("35d")
    answer = client.get_all_subscription_statuses(box.ids("S1", store.name)[0])
    items = [item for group in answer.data for item in group.lastTransactions]
    store.transactions([item.signedTransactionInfo for item in items])
    for item in items:
        counts["verified"] += 1
        renewal = store.verifier.verify_and_decode_renewal_info(item.signedRenewalInfo)
        expect(renewal.originalTransactionId == item.originalTransactionId, "renewal of the line")
    expect([item.status for item in items] == [
        Status.ACTIVE, Status.EXPIRED, Status.BILLING_GRACE_PERIOD, Status.REVOKED],
        f"statuses {[item.status for item in items]}")
    some = client.get_all_subscription_statuses(
        box.ids("S1", store.name)[0], [Status.REVOKED, Status.EXPIRED])
    expect(sum(len(group.lastTransactions) for group in some.data) == 2, "two of them")
    family, = store.transactions(
        [client.get_transaction_info(box.ids("S5", store.name)[1]).signedTransactionInfo])
    expect(family.inAppOwnershipType == InAppOwnershipType.FAMILY_SHARED, "the family renews too")
    refused(4000185, client.set_app_account_token, family.originalTransactionId,
            UpdateAppAccountTokenRequest(str(uuid.uuid4())))


def check_extensions(store):
    box, client = store.box, store.client
    box.say("eve buys gold as E1", "fay buys gold as E2 offer 1 free 1w", environment=store.name)
    line = box.ids("E1", store.name)[0]
    request = ExtendRenewalDateRequest(5, ExtendReasonCode.CUSTOMER_SATISFACTION, "one")
    before = client.extend_subscription_renewal_date(line, request)
    after = client.extend_subscription_renewal_date(line, request)
    expect(before.success and after.effectiveDate - before.effectiveDate == 5 * DAY, "5 days more")
    refused(4030005, client.extend_subscription_renewal_date, line, request)
    refused(4030004, client.extend_subscription_renewal_date, box.ids("E2", store.name)[0], request)
    refused(4040005, client.extend_subscription_renewal_date, "123456789012345", request)
    refused(4000009, client.extend_subscription_renewal_date, line,
            ExtendRenewalDateRequest(91, ExtendReasonCode.OTHER, "one"))
    product = "com.example.reader.gold.monthly"
    mass = MassExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
        requestIdentifier="all", storefrontCountryCodes=["USA"], productId=product)
    answer = client.extend_renewal_date_for_all_active_subscribers(mass)
    expect(answer.requestIdentifier == "all", "the request is taken")
    waiting = client.get_status_of_subscription_renewal_date_extensions("all", product)
    expect(not waiting.complete, "not done yet")
    box.advance("1h")
    done = client.get_status_of_subscription_renewal_date_extensions("all", product)
    expect(done.complete and done.succeededCount >= 1 and done.failedCount >= 2, "done and counted")
    refused(4040009, client.get_status_of_subscription_renewal_date_extensions, "no", product)


def check_consumption(store):
    client, transaction = store.client, store.box.ids("P2", store.name)[0]
    client.send_consumption_information(transaction, ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False,
        deliveryStatus=DeliveryStatus.DELIVERED, consumptionPercentage=30_000,
        refundPreference=RefundPreference.GRANT_PRORATED))
    client.send_consumption_data(transaction, ConsumptionRequestV1(customerConsented=True))
    refused(4000035, client.send_consumption_information, transaction, ConsumptionRequest(
        customerConsented=False, sampleContentProvided=False,
        deliveryStatus=DeliveryStatus.DELIVERED))
    kept = store.box.purchase("P2", store.name)["consumption"]
    expect(kept["customerConsented"] is True, "the box keeps what it was told")


def check_notifications(store, hook):
    box, client = store.box, store.client
    hook.take()
    token = client.request_test_notification().testNotificationToken
    box.advance("1s")
    status = client.get_test_notification_status(token)
    posted, = hook.take()
    expect(status.signedPayload == posted, "the test notification was posted")
    expect(status.sendAttempts[0].sendAttemptResult == SendAttemptResult.SUCCESS, "and taken")
    test = store.verifier.verify_and_decode_notification(posted)
    expect(test.notificationType == NotificationTypeV2.TEST, "it is a test")
    refused(4000020, client.get_test_notification_status, "x")
    refused(4040008, client.get_test_notification_status, f"{uuid.uuid4()}_1")
    box.say(*(f"ivy buys coins as I{number}" for number in range(45)), environment=store.name)
    box.advance("1s")
    now = box.now()
    recent = NotificationHistoryRequest(startDate=now - 29 * DAY, endDate=now)
    every = store.notifications(recent)
    expect(len(every) > 40, f"{len(every)} notifications in a month")
    expect(len({news.notificationUUID for news in every}) == len(every), "each once")
    charges = store.notifications(NotificationHistoryRequest(
        startDate=now - 29 * DAY, endDate=now,
        notificationType=NotificationTypeV2.CONSUMPTION_REQUEST))
    expect(charges == [], "no such news")
    own = store.notifications(NotificationHistoryRequest(
        startDate=now - 29 * DAY, endDate=now, transactionId=box.ids("S3", store.name)[0]))
    expect(own and len(own) < len(every), "those of one customer")
    refused(4000019, client.get_notification_history, None, NotificationHistoryRequest(
        startDate=now - DAY, endDate=now, notificationType=NotificationTypeV2.REFUND,
        transactionId=box.ids("S3", store.name)[0]))
    limit = 180 if store.name == "production" else 30
    refused(4000012, client.get_notification_history, None, NotificationHistoryRequest(
        startDate=now - (limit + 1) * DAY, endDate=now))
    refused(4000014, client.get_notification_history, "nonsense", recent)


def check_retries(store, hook):
    """Production tries six times, the sandbox once."""
    hook.take()
    hook.status = 500
    store.box.say("gus buys coins as R", environment=store.name)
    store.box.advance("8d")
    attempts = collections.Counter(hook.take())
    hook.status = 200
    now = store.box.now()
    page = store.client.get_notification_history(None, NotificationHistoryRequest(
        startDate=now - 9 * DAY, endDate=now, onlyFailures=True,
        transactionId=store.box.ids("R", store.name)[0]))
    item, = page.notificationHistory
    tries = 6 if store.name == "production" else 1
    expect(len(item.sendAttempts) == tries, f"{len(item.sendAttempts)} attempts in the history")
    expect(attempts[item.signedPayload] == tries, "as often as it was posted")
    results = {attempt.sendAttemptResult for attempt in item.sendAttempts}
    expect(results == {SendAttemptResult.UNSUCCESSFUL_HTTP_RESPONSE_CODE}, "each failed")


def check_environments(production, sandbox):
    box = production.box
    order = box.purchase("F")["transactions"][0]["order_id"]
    found = production.client.look_up_order_id(order)
    expect(found.status == OrderLookupStatus.VALID, "the order is known")
    expect(len(production.transactions(found.signedTransactions)) == 1, "with its transaction")
    unknown = production.client.look_up_order_id("MNOTHING")
    expect(unknown.status == OrderLookupStatus.INVALID, "another is not")
    foreign = box.ids("F", "sandbox")[0]
    refused(4040010, production.client.get_transaction_info, foreign)
    signed = sandbox.client.get_transaction_info(foreign).signedTransactionInfo
    try:
        production.verifier.verify_and_decode_signed_transaction(signed)
        expect(False, "production takes what the sandbox signed")
    except VerificationException:
        expect(True, "")


def check_receipts(box):
    secret = box.settings["shared_secret"]

    def verify(environment, receipt, **members):
        body = {"receipt-data": receipt, "password": secret, **members}
        return requests.post(
            f"{box.url}/{environment}/verifyReceipt", json=body, timeout=30).json()

    receipt = box.expect("GET", "/receipt?apple_id=alice")["receipt-data"]
    found = ReceiptUtility().extract_transaction_id_from_app_receipt(receipt)
    expect(found, "Apple's library finds a transaction in the receipt")
    answer = verify("production", receipt)
    expect(answer["status"] == 0 and answer["environment"] == "Production", "the receipt is good")
    latest = answer["latest_receipt_info"]
    dates = [int(item["purchase_date_ms"]) for item in latest]
    expect(dates == sorted(dates, reverse=True) and len(dates) > 3, "newest first")
    expect(answer["pending_renewal_info"][0]["auto_renew_status"] == "1", "it renews")
    short = verify("production", receipt, **{"exclude-old-transactions": True})
    expect(len(short["latest_receipt_info"]) == 1, "only the newest")
    foreign = box.expect("GET", "/receipt?apple_id=alice&environment=sandbox")["receipt-data"]
    expect(verify("production", foreign)["status"] == 21007, "of the sandbox")
    expect(verify("sandbox", receipt)["status"] == 21008, "of production")
    expect(verify("production", receipt, password="no")["status"] == 21004, "wrong secret")
    expect(verify("production", "MIIB")["status"] == 21003, "unknown receipt")
    expect(verify("production", "?")["status"] == 21002, "no receipt")
    old = box.expect("GET", f"/receipt?transaction={box.ids('G')[0]}")["receipt-data"]
    expect(ReceiptUtility().extract_transaction_id_from_transaction_receipt(old) ==
           box.ids("G")[0], "the library reads the form of iOS 6")
    answer = verify("production", old)
    expect(isinstance(answer["latest_receipt_info"], dict), "one transaction, as iOS 6 had it")


def check_failures(store):
    box, client = store.box, store.client
    line = box.ids("G", store.name)[0]
    box.fail("status", status=429, code=4290000, retry_after_ms=5000, times=1)
    refused(4290000, client.get_transaction_info, line)
    box.fail("status", status=500, code=5000001, times=1)
    refused(5000001, client.get_transaction_info, line)
    for failure in ("cut", "truncate"):
        box.fail(failure, times=1)
        try:
            client.get_transaction_info(line)
            expect(False, failure)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            expect(True, failure)
    box.fail("wrong-json", times=1)
    try:
        client.get_transaction_info(line)
        expect(False, "wrong JSON")
    except requests.exceptions.JSONDecodeError:
        expect(True, "wrong JSON")
    for failure in ("wrong-issuer", "other-app", "other-environment"):
        box.fail(failure, times=1)
        signed = client.get_transaction_info(line).signedTransactionInfo
        try:
            store.verifier.verify_and_decode_signed_transaction(signed)
            expect(False, failure)
        except VerificationException:
            expect(True, failure)
    box.fail("same-page", times=3, path="/history/")
    pages = [client.get_transaction_history(
        line, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
        for _ in range(3)]
    expect(all(page.hasMore for page in pages), "a page without end")
    box.fail("delay", delay_ms=300, times=1)
    begun = time.monotonic()
    client.get_transaction_info(line)
    expect(time.monotonic() - begun >= 0.3, "late")
    wrong = AppStoreServerAPIClient(
        (box.folder / "AuthKey.p8").read_bytes(), "AAAAAAAAAA", box.settings["issuer_id"],
        box.settings["bundle_id"], Environment.SANDBOX)
    wrong._base_url = client._base_url
    try:
        wrong.get_transaction_info(line)
        expect(False, "another key")
    except APIException as error:
        expect(error.http_status_code == 401, "another key is not let in")


def check_chaos(store, hook):
    box = store.box
    box.expect("PUT", "/notifications", {"repeat_percent": 100, "late_ms": 60_000})
    hook.take()
    box.say(*(f"hal buys coins as H{number}" for number in range(10)), environment=store.name)
    box.advance("1h")
    posted = [store.verifier.verify_and_decode_notification(jws) for jws in hook.take()]
    expect(len(posted) == 20, f"{len(posted)} came, each twice")
    dates = [news.signedDate for news in posted]
    expect(dates != sorted(dates), "in another order")
    box.expect("PUT", "/notifications", {"drop_percent": 100})
    box.say("hal buys coins as H10", environment=store.name)
    expect(hook.take() == [], "none arrives")
    box.expect("PUT", "/notifications", {})


def check_control(box):
    for method, path, body, status in (
            ("POST", "/say", {"line": "alice buys nothing as X"}, 400),
            ("POST", "/say", {"line": "what is this"}, 400), ("POST", "/say", {}, 400),
            ("POST", "/clock", {"advance": "soon"}, 400),
            ("POST", "/clock", {"to": "2020-01-01"}, 400),
            ("POST", "/failures", {"failure": "earthquake"}, 400), ("GET", "/nothing", None, 404),
            ("POST", "/failures", {"failure": "cut", "often": 1}, 400)):
        got, answer = box.call(method, path, body)
        expect(got == status and answer["code"].startswith("box."), f"{method} {path}: {got}")


def check_reset(box):
    """It begins again, at another time, while its clock is asked all the time."""
    for start in ("2025-01-01", "2027-01-01", "2026-01-01"):
        box.advance("3d")
        box.expect("POST", "/reset", {"start": start})
        now = box.expect("GET", "/clock")["now"]
        expect(now == start + "T00:00:00.000Z", f"{now} after a reset to {start}")
        expect(box.expect("GET", "/purchases")["purchases"] == [], "nothing is bought")


def told(usher):
    """What a short story comes to: the claims of all that is signed, and the key of the server API."""
    with tempfile.TemporaryDirectory(prefix="usher-box.") as folder:
        box = Box(usher, folder, "--seed", "7")
        try:
            story = [box.say("alice buys gold as G token"), box.advance("70d"),
                     box.purchase("G"), (box.folder / "AuthKey.p8").read_text()]
        finally:
            code = box.stop()
        expect(code == 0, f"the box stops with {code}")
        return unsigned(story)


def unsigned(value):
    """The same with the claims of each JWS in its place."""
    if isinstance(value, dict):
        return {name: unsigned(member) for name, member in value.items()}
    if isinstance(value, list):
        return [unsigned(element) for element in value]
    if isinstance(value, str) and value.startswith("eyJ") and value.count(".") == 2:
        part = value.split(".")[1]
        return unsigned(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))))
    return value


def main():
    usher, = sys.argv[1:]
    expect(told(usher) == told(usher), "two boxes with one seed say the same")
    hook = Hook()
    with tempfile.TemporaryDirectory(prefix="usher-box.") as folder:
        box = Box(usher, folder, "--notify", hook.url)
        try:
            production, sandbox = Store(box, "production"), Store(box, "sandbox")
            for store in (production, sandbox):
                check_transactions(store)
                check_history(store)
                check_statuses(store)
                check_extensions(store)
                check_consumption(store)
                check_notifications(store, hook)
                check_retries(store, hook)
                check_failures(store)
                check_chaos(store, hook)
            check_environments(production, sandbox)
            check_receipts(box)
            check_control(box)
            check_reset(box)
        finally:
            box.stop()
    print(f"box: {counts['checks']} checks, {counts['codes']} error codes, "
          f"{counts['verified']} signatures verified by Apple's library")
    sys.exit(1 if failures else 0)


main()
