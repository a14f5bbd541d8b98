"""Evidence as Apple makes it for the app of fixtures/casebook; unsigned."""

import itertools
import json
import time
import uuid

BUNDLE, APP = "com.example.hikes", 4711
HOUR = 3_600_000
DAY = 24 * HOUR
RENEWS, FOREVER, PASS, USED_UP = (("Auto-Renewable Subscription", 3), ("Non-Consumable", 0),
                                  ("Non-Renewing Subscription", 2), ("Consumable", 1))
PLANS = ("summit.month", "summit.year", "valley.month", "valley.early", "huts.month")
KINDS = dict.fromkeys(PLANS, RENEWS)
KINDS |= {"alps": FOREVER, "season": PASS, "stars.50": USED_UP, "stars.600": USED_UP}
numbers = itertools.count(810_000_000_000_001)


def new_id():
    """A transaction id that no other case uses."""
    return str(next(numbers))


def new_token():
    return str(uuid.uuid4())


def now():
    return time.time_ns() // 1_000_000


def length(product):
    return 365 * DAY if product.endswith(".year") else 30 * DAY


def transaction(number, product, bought, **members):
    """A purchase; a member that is None is omitted. A subscription's period is 30 days or a year
    where `expiresDate` says nothing else."""
    payload = {
        "transactionId": number,
        "originalTransactionId": number,
        "bundleId": BUNDLE,
        "productId": product,
        "purchaseDate": bought,
        "originalPurchaseDate": bought,
        "quantity": 1,
        "type": KINDS[product][0],
        "inAppOwnershipType": "PURCHASED",
        "signedDate": bought + 1_000,
        "environment": "Production",
        "transactionReason": "PURCHASE",
        "storefront": "USA",
        "storefrontId": "143441"
    }
    if KINDS[product][1] == 3:
        payload |= {
            "subscriptionGroupIdentifier": "22000001" if product == "huts.month" else "22000002",
            "expiresDate": bought + length(product),
            "webOrderLineItemId": "7" + number
        }
    if "revocationDate" in members:
        payload["revocationReason"] = 0
    payload |= members
    return {name: value for name, value in payload.items() if value is not None}


def renewal(original, product, signed, **members):
    """A renewal info of a subscription that renews as the same product."""
    payload = {
        "originalTransactionId": original,
        "productId": product,
        "autoRenewProductId": product,
        "autoRenewStatus": 1,
        "signedDate": signed,
        "environment": "Production"
    }
    payload |= members
    return {name: value for name, value in payload.items() if value is not None}


def notification(sign,
                 kind,
                 subtype=None,
                 bought=None,
                 renews=None,
                 signed=None,
                 data=None,
                 **members):
    """The body that Apple posts."""
    payload = {
        "notificationType": kind,
        "notificationUUID": str(uuid.uuid4()),
        "version": "2.0",
        "signedDate": signed or now() - 500
    }
    if subtype:
        payload["subtype"] = subtype
    if bought or renews or data is not None:
        content = {
            "bundleId": BUNDLE,
            "bundleVersion": "1",
            "environment": "Production",
            "appAppleId": APP,
            **(data or {})
        }
        if bought:
            content["signedTransactionInfo"] = sign(bought)
        if renews:
            content["signedRenewalInfo"] = sign(renews)
        payload["data"] = content
    payload |= members
    return json.dumps({"signedPayload": sign(payload)})


def entry(number, product, bought, **members):
    """A purchase in a receipt; receipts know whole seconds."""
    bought = bought // 1_000 * 1_000
    made = {
        "productId": product,
        "transactionId": number,
        "purchaseDate": bought,
        "productType": KINDS[product][1]
    }
    if KINDS[product][1] == 3:
        made |= {"expiresDate": bought + length(product), "webOrderLineItemId": int("7" + number)}
    return made | members


def receipt(*entries, created=None, **members):
    return {
        "receipt": {
            "bundleId": BUNDLE,
            "created": created or now(),
            "purchases": list(entries),
            **members
        }
    }


def row(number, product, bought, **members):
    """A purchase in an answer of verifyReceipt."""
    made = {
        "quantity": "1",
        "product_id": product,
        "transaction_id": number,
        "original_transaction_id": number,
        "purchase_date_ms": str(bought),
        "original_purchase_date_ms": str(bought),
        "is_trial_period": "false"
    }
    if KINDS[product][1] == 3:
        made |= {
            "expires_date_ms": str(bought + length(product)),
            "web_order_line_item_id": "7" + number,
            "is_in_intro_offer_period": "false",
            "subscription_group_identifier": "22000002"
        }
    return made | members


def answer(rows, created, in_app=None):
    """A stored answer of verifyReceipt; `in_app` where the receipt itself has other rows."""
    date = str(created)
    return json.dumps({
        "status": 0,
        "environment": "Production",
        "latest_receipt_info": rows,
        "receipt": {
            "receipt_type": "Production",
            "adam_id": APP,
            "app_item_id": APP,
            "bundle_id": BUNDLE,
            "application_version": "1",
            "receipt_creation_date_ms": date,
            "request_date_ms": date,
            "original_purchase_date_ms": date,
            "original_application_version": "1",
            "in_app": rows if in_app is None else in_app
        }
    })


def app_transaction(signed, **members):
    return {
        "receiptType": "Production",
        "receiptCreationDate": signed,
        "bundleId": BUNDLE,
        "appAppleId": APP,
        "originalPlatform": "iOS",
        "applicationVersion": "1",
        "originalApplicationVersion": "1",
        "originalPurchaseDate": signed - 90 * DAY,
        "requestDate": signed,
        "deviceVerification": "AAAA",
        "deviceVerificationNonce": str(uuid.uuid4()),
        "versionExternalIdentifier": 1
    } | members
