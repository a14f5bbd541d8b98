internal import EntitlementModel
internal import EntitlementSpecification

/// What the histories visited, so that nobody takes an agreement about nothing for one.
package struct Coverage: Sendable {
    /// How many histories visited each.
    package private(set) var visits: [String: Int] = [:]

    package init() {}

    /// The sum of two.
    package func joined(with other: Coverage) -> Coverage {
        var sum = self
        sum.visits.merge(other.visits, uniquingKeysWith: +)
        return sum
    }

    package mutating func visit(_ place: String) { visits[place] = 1 }

    /// From this many histories on, all of `expected` must have been visited.
    package static let meaningfulHistories = 10_000

    /// What must be visited for a run to mean anything.
    package static let expected: Set<String> = {
        var places: Set<String> = []
        for state in EntitlementState.allCases { places.insert("auto-renewable \(state.rawValue)") }
        for reason in ExpiryReason.allCases { places.insert("reason \(reason.rawValue)") }
        for kind in ["non-consumable", "free"] {
            places.formUnion(["\(kind) active", "\(kind) revoked"])
        }
        for kind in ["non-renewing", "consumable"] {
            places.formUnion(["\(kind) active", "\(kind) expired", "\(kind) revoked"])
        }
        places.formUnion(["accepted", "already-owned"].map { "claim \($0)" })
        for refusal in ClaimDenial.allCases {
            places.formUnion(["claim \(refusal.rawValue)", "claim \(refusal.rawValue) again"])
        }
        places.formUnion(
            ["approve", "refuse", "transfer", "release", "undo"].map { "ruling \($0)" })
        places.formUnion(
            [
                "not-waiting", "already-owner", "unowned", "not-owner", "nothing-to-undo",
                "moved-since",
            ].map { "ruling \($0)" })
        places.formUnion(
            [
                "account-switch", "apple-id-conflict", "duplicate-apple-id",
                "duplicate-apple-id-possible",
                "kind-mismatch", "paid-without-right", "split-transaction", "successor-missing",
                "unclaimed-payment",
                "unmapped-product",
            ].map { "finding \($0)" })
        places.formUnion(
            ["paid-without-right", "token-of-another"].map { "finding \($0) by a token" })
        places.formUnion(["granted", "denied"].map { "\($0) by a policy's rule" })
        places.formUnion([
            "two owners", "a balance", "granted by hand", "blocked",
            "granted across environments", "a merge", "a merge up to now", "an undone merge",
            "evidence of a merged account", "succession accepted", "succession kept",
            "a spend", "a hold", "a capture", "a release", "a reversal",
            "a reversal after a merge", "a gift", "a gift undone", "a gift that is paid",
            "a lifted freeze", "a merge that moves a spend",
            "a hold that a merge moved", "a balance below zero", "a frozen credit",
            "evidence that claims several", "a claim by a notification",
            "a purchase kept for a day", "waiting because of claims_from",
            "denied by a person's word",
            "inheritance accepted", "inheritance kept", "claim waiting beyond a limit",
            "seats", "a period's units", "a period's units lapse",
            "a consumable's units lapse", "a period's units taken back",
        ])
        places.formUnion(refunds)
        return places
    }()

    /// Of refund requests (spec 1.12).
    private static let refunds: Set<String> = Set(
        [
            "DECLINE", "GRANT_FULL", "GRANT_PRORATED", "UNDELIVERED_OTHER", "a free period before",
            "in the first version", "spent", "spent in part",
            "assigned", "family-shared", "no-consent", "no-owner", "ownership-unknown",
            "rule-says-nothing", "transaction-unknown",
            "counted-by-apple", "no-share", "not-measured", "nothing-used", "rounded-down",
        ].map { "refund \($0)" })
}

extension Coverage {
    mutating func visit(_ right: SpecifiedRight, key: RightKey) {
        if right.rule.name == "account is blocked" { visit("blocked") }
        switch right.source {
        case .grant: visit("granted by hand")
        case .purchase(_, let transaction, _):
            if right.isGranted, transaction.environment != key.environment {
                visit("granted across environments")
            }
            if right.rule.file != "built-in" {
                visit((right.isGranted ? "granted" : "denied") + " by a policy's rule")
            }
        case nil: break
        }
    }

    mutating func visit(_ entry: CreditTimeline.Entry) {
        switch entry.cause {
        case .delivery:
            if entry.period != nil { visit("a period's units") }
        case .expiry:
            if entry.transaction != nil {
                visit(
                    entry.period == nil ? "a consumable's units lapse" : "a period's units lapse")
            }
        case .clawBack:
            if entry.period != nil { visit("a period's units taken back") }
        case .grant, .spend, .reversal, .hold, .release, .merge, .ruling: return
        }
    }

    mutating func visit(_ unit: OwnedUnit, at instant: Instant, in specification: Specification) {
        if let (state, reason) = specification.state(of: unit, at: instant),
            let kind = specification.kinds[unit]?.known
        {
            visit("\(kind.rawValue) \(state.rawValue)")
            if let reason { visit("reason \(reason.rawValue)") }
        }
        if specification.owners(of: unit, at: instant).count > 1 { visit("two owners") }
    }
}
