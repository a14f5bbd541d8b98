"""Scenario files, read as evidence that is imported and as actions that follow it.

A program learns of a scenario what Apple would sign and what people do. What only the test suite
can say is omitted: facts of receipts are signed as transactions, and actions by hand come after
all evidence, at the time of the comparison.
"""

import datetime
import glob
import os
import re

START = 1_767_225_600_000  # 2026-01-01
DAY = 86_400_000
UNITS = {"ms": 1, "s": 1_000, "min": 60_000, "m": 60_000, "h": 3_600_000, "d": DAY, "w": 7 * DAY}
TYPES = {"consumable": "Consumable", "non-consumable": "Non-Consumable",
         "auto-renewable": "Auto-Renewable Subscription",
         "non-renewing": "Non-Renewing Subscription"}
ENVIRONMENTS = {"production": "Production", "sandbox": "Sandbox", "xcode": "Xcode",
                "local-testing": "LocalTesting"}
OWNERSHIPS = {"purchased": "PURCHASED", "family-shared": "FAMILY_SHARED", "assigned": "ASSIGNED"}
OFFERS = {"free-trial": (1, "FREE_TRIAL"), "introductory": (1, "PAY_AS_YOU_GO"),
          "promotional": (2, None), "offer-code": (3, None), "win-back": (4, None),
          "retention": (5, None), "other": (99, None)}
RULINGS = ("approve", "refuse", "transfer", "release", "undo")


def rfc3339(milliseconds):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds") + "Z"


def instant(word):
    """Milliseconds of `30`, `29.5`, `60+1h`, `60-1ms` or a date; None for anything else."""
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)(?:([+-])(\d+)([a-z]+))?", word):
        day, sign, number, unit = match.groups()
        moved = int(number) * UNITS[unit] if sign else 0
        return START + int(float(day) * DAY) + (-moved if sign == "-" else moved)
    if re.match(r"\d{4}-\d\d-\d\d", word):
        moment = datetime.datetime.fromisoformat(word.replace("Z", "+00:00"))
        moment = moment.replace(tzinfo=moment.tzinfo or datetime.timezone.utc)
        return int(moment.timestamp() * 1_000)
    return None


def token(name):
    """The UUID that stands for a name."""
    if re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name):
        return name
    hash_ = 0xCBF29CE484222325
    for byte in name.encode():
        hash_ = (hash_ ^ byte) * 0x00000100000001B3 % 2**64
    digits = f"{hash_:016x}"
    return f"00000000-0000-4000-{digits[:4]}-{digits[-12:]}"


def read(path):
    """The keys of a scenario file, each with its list of texts: the part of YAML they use."""
    keys, texts, block = {}, None, None
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if block is not None and (not line.strip() or indent >= block):
            texts[-1] += line[block:] + "\n"
            continue
        block = None
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if match := re.fullmatch(r"([a-z]+):\s*(.*)", line):
            texts = keys.setdefault(match[1], [])
            value = match[2]
            indent = 0
        elif match := re.fullmatch(r" *- (.*)", line):
            value = match[1]
        elif texts:
            texts[-1] += " " + line.strip()  # a text that goes on
            continue
        else:
            raise ValueError(f"{path}: cannot read '{line}'")
        if value in ("|", ">-", ">"):
            texts.append("")
            block = indent + 2
        elif value:
            texts.append(unquoted(value))
    return keys


def unquoted(text):
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text[1:-1].replace('\\"', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text


class Scenario:
    """What is given to a program, and what it is asked."""

    def __init__(self, path, folder, store):
        self.name = os.path.relpath(path, folder)[:-len(".yaml")]
        self.store = store
        keys = read(path)
        self.policies = [self.policy(text, folder) for text in keys.get("policy", [""])]
        self.kinds = {}
        for files in self.policies:
            for text in files.values():
                kinds = re.findall(r"^ +([\w.-]+):\s*\{?\s*kind: ([a-z-]+)", text, re.MULTILINE)
                self.kinds.update(kinds)
        self.lineage, self.newest, self.now = None, {}, 0
        # One list for each policy that comes into force: its number and the lines of evidence.
        self.imports, self.actions = [(0, [])], []
        self.accounts, self.tokens = set(), 0
        for line in keys.get("facts", []):
            self.play(line.split("->")[0].split())
        self.ask(keys.get("expect", []))

    def policy(self, text, folder):
        files = {"scenario.yaml": text} if text else {}
        for name, section in (("app", "app:"), ("catalog", "products:")):
            if not any(line.startswith(section) for line in text.splitlines()):
                with open(f"{folder}/policy/{name}.yaml", encoding="utf-8") as file:
                    files[name + ".yaml"] = file.read()
        # The store's own root is trusted instead of Apple's.
        own = {name: re.sub(r"apple-(root-ca-g3|inc-root)", "{file: root.pem}", text)
               for name, text in files.items()}
        return own | {"root.pem": self.store.pem}

    def ask(self, expectations):
        """The instants and entitlements to ask about: those that are expected something of."""
        words = [word.strip(":;,") for line in expectations for word in line.split()]
        times = {instant(word[1:]) for word in words if word.startswith("@")} - {None}
        self.instants = [rfc3339(time) for time in sorted(times | {self.now + DAY})]
        texts = "\n".join(text for files in self.policies for text in files.values())
        section = re.findall(r"^entitlements:\n((?: .*\n)+)", texts, re.MULTILINE)
        names = {name for part in section
                 for name in re.findall(r"^  ([\w-]+):", part, re.MULTILINE)}
        self.entitlements = sorted(names)
        self.asked = sorted(names & set(words)) or self.entitlements[:1]
        self.accounts |= {word for line in expectations for word in line.split()[:1]
                          if re.fullmatch(r"[a-z][\w-]*", word)
                          and word not in ("the", "no", "finding", "preflight")}
        self.products = sorted(self.kinds)

    def play(self, words):
        first = words[0]
        if re.fullmatch(r"T\d+", first):
            self.transaction(words)
        elif first == "R":
            self.renewal(words)
        elif first == "policy":
            self.imports.append((int(words[1]) - 1, []))
        elif first in ("grant", "revoke", "block", "unblock", "merge", "unmerge", "register"):
            self.actions.append(words)
            named = words[1:4:2] if "merge" in first else words[1:2]
            for word in ("to", "on"):
                named = [words[words.index(word) + 1]] if word in words else named
            self.accounts |= set(named if first not in ("revoke", "unblock") else [])
        elif first in RULINGS:
            self.actions.append(words)
        elif first in ("spend", "hold", "capture", "free", "return", "thaw"):
            pass  # actions come after all evidence here, and spends must come between
        elif first != "quarantine":  # which only the program decides
            self.presentation(words)

    def hand_in(self, payload, at, **members):
        self.now = max(self.now, at)
        line = {"payload": payload, "recorded_at": rfc3339(self.now)} | members
        self.imports[-1][1].append({name: value for name, value in line.items() if value})

    def presentation(self, words):
        """`bob claims T1 @10 restore`, `bob presents T1 T2 @10 receipt as purchase`."""
        account = None if words[0] == "notification" else words[0]
        self.accounts |= {account} - {None}
        at = next(instant(word[1:]) for word in words if word.startswith("@"))
        moments = {"purchase", "restore", "notification", "support"} & set(words[3:])
        for word in words[1:]:
            if payload := self.newest.get(word):
                if account is None:
                    payload = self.notification(payload, at)
                self.hand_in(self.store.sign(payload), at, account=account,
                             moment=min(moments, default="purchase") if account else None)

    def notification(self, payload, at):
        self.tokens += 1
        return {"notificationType": "DID_RENEW", "version": "2.0", "signedDate": at,
                "notificationUUID": f"00000000-0000-4000-8000-{self.tokens:012}",
                "data": {"environment": payload["environment"], "bundleId": payload["bundleId"],
                         "appAppleId": 1234567890,
                         "signedTransactionInfo": self.store.sign(payload)}}

    def transaction(self, words):
        name = words.pop(0)
        product = "gold"
        if words and words[0] != "at" and not words[0].startswith("["):
            product = words.pop(0)
        kind = self.kinds.get(product)
        if kind == "auto-renewable" and self.lineage is None:
            self.lineage = name[1:]
        if words[0] == "at":
            start, end = instant(words[1]), None
            del words[:2]
        else:
            start, end = [instant(part) for part in words.pop(0)[1:-1].split(",")]
        original = self.lineage if kind == "auto-renewable" else name[1:]
        payload = {
            "transactionId": name[1:], "originalTransactionId": original, "productId": product,
            "bundleId": "com.example.reader", "purchaseDate": start, "originalPurchaseDate": start,
            "expiresDate": end, "quantity": 1, "type": TYPES.get(kind), "storefront": "USA",
            "inAppOwnershipType": "PURCHASED", "signedDate": start, "environment": "Production",
            "transactionReason": "PURCHASE"}
        at = self.traits(words, payload)
        payload = {key: value for key, value in payload.items() if value is not None}
        self.newest[name] = payload
        self.hand_in(self.store.sign(payload), at or payload["signedDate"])

    def traits(self, words, payload):
        """Reads the words behind a transaction, and returns when it was recorded."""
        recorded = None
        while words:
            word = words.pop(0)
            if word.startswith("@"):
                payload["signedDate"] = instant(word[1:])
            elif word in ("upgraded", "imported"):
                payload["isUpgraded"] = word == "upgraded" or payload.get("isUpgraded")
            elif word == "addition":
                payload["additionalTransactionReason"] = "SEAT_ADDITION"
            elif word in ("prorated", "unshared"):
                payload["revocationType"] = {"prorated": "REFUND_PRORATED",
                                             "unshared": "FAMILY_REVOKE"}[word]
            else:
                value = words.pop(0)
                recorded = instant(value) if word == "recorded" else recorded
                self.valued(word, value, payload)
        return recorded

    @staticmethod
    def valued(word, value, payload):
        names = {"web": "webOrderLineItemId", "atx": "appTransactionId", "plan": "billingPlanType",
                 "group": "subscriptionGroupIdentifier", "storefront": "storefront",
                 "bundle": "bundleId"}
        if word in names:
            payload[names[word]] = value
        elif word == "of":
            payload["originalTransactionId"] = value[1:]
        elif word == "after":
            payload["previousOriginalTransactionId"] = value[1:]
        elif word in ("refunded", "cancelled"):
            payload["revocationDate"] = instant(value)
            payload["revocationType"] = "REFUND_FULL" if word == "refunded" else None
        elif word == "percent":
            payload["revocationPercentage"] = int(value) * 1_000
        elif word == "token":
            payload["appAccountToken"] = token(value)
        elif word == "quantity":
            payload["quantity"] = int(value)
        elif word == "taken":
            payload["multiSeatInfo"] = {"revokedSeatQuantity": int(value)}
        elif word == "month":
            payload.setdefault("commitmentInfo", {}).update(
                billingPeriodNumber=int(value), totalBillingPeriods=12)
        elif word == "committed":
            payload.setdefault("commitmentInfo", {})["commitmentExpiresDate"] = instant(value)
        elif word == "first":
            payload["originalPurchaseDate"] = instant(value)
        elif word == "reason":
            payload["transactionReason"] = value.upper()
        elif word == "price":
            payload.update(price=int(value), currency="USD")
        elif word == "offer":
            payload["offerType"], payload["offerDiscountType"] = OFFERS[value]
        elif word == "owned":
            payload["inAppOwnershipType"] = OWNERSHIPS.get(
                value, None if value == "not-stated" else value)
        elif word == "kind":
            payload["type"] = TYPES.get(value, None if value == "none" else value)
        elif word == "in":
            payload["environment"] = ENVIRONMENTS[value]
        elif word not in ("receipt", "answer", "in-app", "digest", "recorded"):
            raise ValueError(f"'{word}' is not understood")

    def renewal(self, words):
        """`R @30 retry grace 46 renews 60 auto off intent 1`."""
        at = instant(words[1][1:])
        payload = {"originalTransactionId": self.lineage or "1", "autoRenewProductId": "gold",
                   "productId": "gold", "autoRenewStatus": 1, "signedDate": at,
                   "environment": "Production"}
        words = words[2:]
        while words:
            word = words.pop(0).rstrip(",")
            if word in ("retry", "no-retry"):
                payload["isInBillingRetryPeriod"] = word == "retry"
            elif word != "imported":
                value = words.pop(0)
                if word in ("renews", "grace"):
                    name = {"renews": "renewalDate", "grace": "gracePeriodExpiresDate"}[word]
                    payload[name] = instant(value)
                elif word == "auto":
                    payload["autoRenewStatus"] = {"on": 1, "off": 0}.get(value)
                elif word == "commitment":
                    payload["commitmentInfo"] = {
                        "commitmentAutoRenewStatus": {"on": 1, "off": 0}.get(value),
                        "commitmentRenewalDate": instant(words.pop(0))}
                elif word == "of":
                    payload["originalTransactionId"] = value[1:]
                elif word == "in":
                    payload["environment"] = ENVIRONMENTS[value]
                elif word in ("intent", "atx"):
                    name = {"intent": "expirationIntent", "atx": "appTransactionId"}[word]
                    payload[name] = int(value) if word == "intent" else value
        payload = {key: value for key, value in payload.items() if value is not None}
        self.hand_in(self.store.sign(payload), at)


def load(folder, store, pattern):
    """All scenarios whose name contains the pattern."""
    paths = sorted(glob.glob(folder + "/**/*.yaml", recursive=True))
    return [Scenario(path, folder, store) for path in paths
            if not path.startswith(folder + "/policy/") and pattern in path]
