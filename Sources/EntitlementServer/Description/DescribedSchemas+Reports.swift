internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// The shapes of reports and admin actions.
extension DescribedSchemas {
    static let reports: Named = [
        (
            "Account",
            account([
                "rights": list("Answer"), "balances": list("Balance"),
                "grants": list("GrantRecord"),
                "blocks": list("BlockRecord"), "claims": list("ClaimRecord"),
                "findings": list("Finding"), "units": list("Unit"),
            ])
        ),
        ("AccountTimeline", account(["rights": list("RightTimeline"), "units": list("Unit")])),
        ("AccountFindings", account(["findings": list("Finding")])),
        (
            "Findings",
            object([
                "at": instant, "policy": text, "revision": integer, "complete": flag,
                "findings": list("Finding"), "next": orNull(text),
            ])
        ),
        ("Claims", object(["claims": list("ClaimRecord")])),
        (
            "Catalogue",
            account([
                "environment": .reference("Environment"), "products": list("CatalogueItem"),
            ])
        ),
        (
            "CatalogueItem",
            object(
                [
                    "product": text, "kind": words(ProductKind.allCases.map(\.rawValue)),
                    "title": .reference("LocalizedText"), "group": text,
                    "level": text, "period": text, "duration": text, "prices": list("Price"),
                    "grants": list("ProductGrant"), "owned": flag,
                    "state": orNull(.reference("State")), "purchasable": flag,
                    "verdict": words(PreflightEffect.allCases.map(\.rawValue)),
                    "claim": orNull(text), "notes": list("PreflightNote"),
                ], optional: ["title", "group", "level", "period", "duration"])
        ),
        ("Price", object(["currency": text, "thousandths": integer])),
        (
            "ProductGrant",
            object(
                ["entitlement": text, "for": text, "credit": text, "units": integer],
                optional: ["entitlement", "for", "credit", "units"])
        ),
        (
            "RightTimeline",
            object([
                "entitlement": text, "environment": .reference("Environment"),
                "spans": list("RightSpan"),
            ])
        ),
        (
            "RightSpan",
            object(
                [
                    "from": instant, "until": instant, "decision": flag,
                    "state": orNull(.reference("State")), "expiry_reason": text,
                    "paid_until": instant,
                    "source": orNull(.reference("Source")), "rule": .reference("Rule"),
                    "facts": integers,
                ], optional: ["expiry_reason"])
        ),
        (
            "Unit",
            unit(
                [
                    "apple_id": text, "kind": text, "states": list("StateSpan"),
                    "owners": list("OwnershipSpan"),
                ], optional: ["apple_id"])
        ),
        (
            "StateSpan",
            object(
                [
                    "from": instant, "until": instant, "state": .reference("State"),
                    "expiry_reason": text, "product": text, "transaction": text,
                    "paid_until": instant,
                ], optional: ["expiry_reason"])
        ),
        (
            "OwnershipSpan",
            object([
                "account": text, "from": instant, "until": instant, "decision": integer,
            ])
        ),
        (
            "Finding",
            object(
                [
                    "kind": words(Finding.Kind.allCases.map(\.rawValue)),
                    "environment": .reference("Environment"), "from": instant, "until": instant,
                    "accounts": texts, "units": list("UnitName"), "product": text,
                    "duplicate": .reference("Duplicate"), "facts": integers,
                ], optional: ["product", "duplicate"])
        ),
        ("UnitName", unit([:])),
        (
            "Duplicate",
            object(
                [
                    "sides": list("DuplicateSide"), "overlap_days": integer, "keep": text,
                ], optional: ["overlap_days"])
        ),
        (
            "DuplicateSide",
            object(
                [
                    "lineage": text, "apple_id": text, "product": text,
                    "price_milliunits": integer, "currency": orNull(text), "renews_at": instant,
                ], optional: ["price_milliunits", "currency"])
        ),
        (
            "ClaimRecord",
            object(
                [
                    "claim": integer, "recorded_at": .reference("Instant"), "account": text,
                    "environment": .reference("Environment"), "transaction": text,
                    "moment": words(ClaimMoment.allCases.map(\.rawValue)), "order": text,
                    "outcome": text, "decision": .reference("OwnershipDecision"),
                    "approval": .reference("Ending"),
                ], optional: ["order", "decision", "approval"])
        ),
        (
            "OwnershipDecision",
            unit([
                "sequence": integer, "recorded_at": .reference("Instant"), "outcome": text,
                "rule": .reference("Rule"), "policy": .reference("Digest"), "owners_before": texts,
                "owners_after": texts, "from": instant,
            ])
        ),
    ]

    static let explanations: Named = [
        (
            "Explanation",
            object([
                "account": text, "at": .reference("Instant"), "answer": .reference("Answer"),
                "stretch": .reference("Stretch"),
                "facts": list("ExplainedFact"), "units": list("ExplainedUnit"),
                "grants": list("GrantRecord"), "blocks": list("BlockRecord"),
                "claims": list("ClaimRecord"), "unclaimed": list("Finding"),
                "nearest_miss": .reference("NearestMiss"),
            ])
        ),
        ("Stretch", object(["from": instant, "until": instant])),
        (
            "ExplainedUnit",
            unit(
                [
                    "product": orNull(text), "owned": flag, "state": orNull(.reference("State")),
                    "expiry_reason": text, "paid_until": instant, "owners": list("OwnershipSpan"),
                ], optional: ["expiry_reason"])
        ),
        (
            "ExplainedFact",
            open([
                "sequence": integer, "recorded_at": .reference("Instant"), "fact": text,
                "evidence": .reference("EvidenceNote"),
            ])
        ),
        (
            "EvidenceNote",
            object([
                "sequence": integer, "recorded_at": .reference("Instant"),
                "kind": words(EvidenceKind.allCases.map(\.rawValue)),
                "sha256": .reference("Digest"), "judged_at": .reference("Instant"),
            ])
        ),
        (
            "NearestMiss",
            object(
                [
                    "change": text, "at": .reference("Instant"), "block": text, "claim": integer,
                    "grant": text, "lineage": text, "product": text, "transaction": text,
                    "decision": flag,
                ],
                optional: [
                    "at", "block", "claim", "grant", "lineage", "product", "transaction",
                ])
        ),
        (
            "PreflightRequest",
            object(
                [
                    "account": .reference("Identifier"), "product": .reference("Identifier"),
                    "environment": .reference("Environment"), "apple_id": .reference("Identifier"),
                ], optional: ["environment", "apple_id"])
        ),
        (
            "Preflight",
            object([
                "account": text, "product": text, "environment": .reference("Environment"),
                "at": .reference("Instant"),
                "verdict": words(PreflightEffect.allCases.map(\.rawValue)), "claim": orNull(text),
                "notes": list("PreflightNote"), "policy": .reference("Digest"), "revision": integer,
            ])
        ),
        (
            "PreflightNote",
            object(
                [
                    "code": words(PreflightCode.allCases.map(\.rawValue)),
                    "effect": words(PreflightEffect.allCases.map(\.rawValue)),
                    "text": .reference("LocalizedText"), "lineage": text,
                    "owner": text, "until": .reference("Instant"),
                ], optional: ["lineage", "owner", "until"])
        ),
    ]

    static let actions: Named = [
        ("Reason", object(["reason": reason])),
        (
            "RulingRequest",
            object(
                [
                    "verb": words(Ruling.Verb.allCases.map(\.rawValue)),
                    "account": .reference("Identifier"), "decision": integer, "reason": reason,
                ], optional: ["account", "decision"])
        ),
        (
            "RulingRecord",
            unit(
                [
                    "sequence": integer, "recorded_at": .reference("Instant"),
                    "verb": words(Ruling.Verb.allCases.map(\.rawValue)), "account": text,
                    "actor": text, "reason": text, "decisions": list("OwnershipDecision"),
                ], optional: ["account"])
        ),
        (
            "GrantRequest",
            object(
                [
                    "account": .reference("Identifier"), "environment": .reference("Environment"),
                    "entitlement": .reference("Identifier"), "credit": .reference("Identifier"),
                    "units": integer, "from": .reference("Instant"), "until": .reference("Instant"),
                    "reason": reason,
                ], optional: ["environment", "entitlement", "credit", "units", "from", "until"])
        ),
        (
            "GrantRecord",
            object(
                [
                    "grant": text, "sequence": integer, "recorded_at": .reference("Instant"),
                    "account": text, "environment": .reference("Environment"), "entitlement": text,
                    "credit": text, "units": integer, "from": .reference("Instant"),
                    "until": instant,
                    "actor": text, "reason": text, "revoked": .reference("Ending"),
                ], optional: ["entitlement", "credit", "units", "revoked"])
        ),
        ("BlockRequest", object(["account": .reference("Identifier"), "reason": reason])),
        (
            "BlockRecord",
            object(
                [
                    "block": text, "sequence": integer, "recorded_at": .reference("Instant"),
                    "account": text, "actor": text, "reason": text, "lifted": .reference("Ending"),
                ], optional: ["lifted"])
        ),
        (
            "Ending",
            object([
                "at": .reference("Instant"), "actor": text, "reason": text,
            ])
        ),
        (
            "TokenRequest",
            object([
                "token": ["type": "string", "format": "uuid"],
                "account": .reference("Identifier"), "reason": reason,
            ])
        ),
        (
            "TokenRecord",
            object([
                "sequence": integer, "recorded_at": .reference("Instant"), "token": text,
                "account": text, "actor": text, "reason": text,
            ])
        ),
        (
            "MergeRequest",
            object([
                "from": .reference("Identifier"), "into": .reference("Identifier"),
                "reason": reason,
            ])
        ),
        (
            "MergeRecord",
            object(
                [
                    "merge": integer, "recorded_at": .reference("Instant"), "from": text,
                    "into": text, "undoes": integer, "actor": text, "reason": text,
                ], optional: ["undoes"])
        ),
        (
            "Reload",
            object(
                [
                    "outcome": words(["activated", "unchanged"]),
                    "policy": .reference("Digest"), "losses": integer,
                    "accepted_by": words(
                        PolicyActivation.Acceptance.Means.allCases.map(\.rawValue)),
                    "accounts_at_most": integer,
                ], optional: ["losses", "accepted_by", "accounts_at_most"])
        ),
        (
            "ReloadRequest",
            object(["reason": text, "accept_loss": integer], optional: ["accept_loss"])
        ),
        (
            "Backup",
            object([
                "file": text, "at": .reference("Instant"), "revision_at_least": integer,
            ])
        ),
    ]

    private static let instant = orNull(.reference("Instant"))
    private static let texts: JSONValue = ["type": "array", "items": text]
    private static let integers: JSONValue = ["type": "array", "items": integer]

    private static func account(_ members: JSONValue) -> JSONValue {
        var properties = members
        properties["account"] = .reference("Identifier")
        properties["at"] = .reference("Instant")
        properties["policy"] = .reference("Digest")
        properties["revision"] = integer
        return object(properties)
    }

    /// What names a unit, and more.
    private static func unit(_ members: JSONValue, optional: [String] = []) -> JSONValue {
        var properties = members
        properties["environment"] = .reference("Environment")
        properties["lineage"] = text
        properties["transaction"] = text
        return object(properties, optional: optional + ["lineage", "transaction"])
    }
}
