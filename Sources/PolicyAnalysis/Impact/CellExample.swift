package import EntitlementModel

/// A purchase of one product in one state, as far as rules ask about it.
///
/// What no rule of a comparison asks about is left out.
package struct CellExample: Hashable, Sendable {
    package var environment: StoreEnvironment?
    package var ownership: OwnershipWord?
    package var offer: OfferWord?
    package var expiryReason: ExpiryReason?
    package var autoRenew: AutoRenewWord?
    package var revocation: RevocationWord?
    package var account: String?
    package var storefront: String?
    /// Milliseconds.
    package var stateAge: Int64?
    /// Milliseconds since the paid end; negative before it.
    package var unpaidFor: Int64?
    package var purchased: Instant?
    package var firstPurchased: Instant?
    package var at: Instant?
    /// Around `at`, how long it is so; nil where nothing asks about `at`.
    package var window: CellWindow?

    /// By the words of policies, what is not as usual in the example.
    package var facts: [(field: String, value: String)] {
        var facts: [(String, String?)] = []
        facts.append(
            ("environment", environment.flatMap { $0 == .production ? nil : $0.rawValue }))
        facts.append(("ownership", ownership.flatMap { $0 == .purchased ? nil : $0.rawValue }))
        facts.append(("offer", offer.flatMap { $0 == OfferWord.none ? nil : $0.rawValue }))
        facts.append(("expiry_reason", expiryReason?.rawValue))
        facts.append(("auto_renew", autoRenew?.rawValue))
        facts.append(("revocation", revocation?.rawValue))
        facts.append(("account", account))
        facts.append(("storefront", storefront))
        facts.append(("state_age", stateAge.map(Self.age)))
        facts.append(("unpaid_for", unpaidFor.flatMap { $0 < 0 ? nil : Self.age($0) }))
        facts.append(("purchased", purchased?.rfc3339))
        facts.append(("first_purchased", firstPurchased?.rfc3339))
        facts.append(("at", window?.text ?? at?.rfc3339))
        return facts.compactMap { field, value in value.map { (field, $0) } }
    }

    /// In the largest unit that says it exactly.
    package static func age(_ milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [
            (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"),
        ]
        for (length, name) in units where milliseconds % length == 0 {
            return "\(milliseconds / length)\(name)"
        }
        return "\(milliseconds)ms"
    }

    /// Whether a purchase can be so: the first purchase is not after this one, nor this one after
    /// the instant, nor is a state older than its purchase.
    var isPossible: Bool {
        if let first = firstPurchased, let bought = purchased ?? at, first > bought {
            return false
        }
        if let bought = purchased, let at {
            guard bought <= at else { return false }
            if let stateAge, stateAge > at.milliseconds(since: bought) { return false }
            if let unpaidFor, unpaidFor > at.milliseconds(since: bought) { return false }
        }
        return true
    }

    /// Whether the condition holds for it, as far as it is not about product and state.
    func meets(_ condition: Condition) -> Bool {
        (condition.environments.map { has(environment, in: $0) } ?? true)
            && (condition.ownerships.map(meets) ?? true)
            && (condition.offers.map { has(offer, in: $0) } ?? true)
            && (condition.expiryReasons.map { has(expiryReason, in: $0) } ?? true)
            && (condition.autoRenews.map { has(autoRenew, in: $0) } ?? true)
            && (condition.revocations.map { has(revocation, in: $0) } ?? true)
            && (condition.storefronts.map { has(storefront, in: $0) } ?? true)
            && (condition.accounts.map(meets) ?? true) && meetsTimes(of: condition)
    }

    private func has<Value: Equatable>(_ value: Value?, in list: [Value]) -> Bool {
        value.map(list.contains) ?? false
    }

    /// `not-stated` is judged as `purchased`, and has its own word as well (spec 1.5).
    private func meets(_ ownerships: [OwnershipWord]) -> Bool {
        guard let ownership else { return false }
        return ownerships.contains(ownership)
            || ownership == .notStated && ownerships.contains(.purchased)
    }

    private func meets(_ accounts: [NamePattern]) -> Bool {
        guard let account else { return false }
        return accounts.contains { $0.matches(account) }
    }

    private func meetsTimes(of condition: Condition) -> Bool {
        let ages = condition.stateAges ?? []
        let age = stateAge ?? 0
        return (ages.isEmpty || ages.contains { $0.holds(for: age) })
            && (condition.unpaidFor.map(meets) ?? true)
            && isAny(of: condition.purchased, at: purchased)
            && isAny(of: condition.firstPurchased, at: firstPurchased)
            && isAny(of: condition.at, at: at)
    }

    /// What is paid for meets none.
    private func meets(_ bounds: [AgeBound]) -> Bool {
        guard let unpaidFor, unpaidFor >= 0 else { return false }
        return bounds.contains { $0.holds(for: unpaidFor) }
    }

    private func isAny(of bounds: [DateBound]?, at instant: Instant?) -> Bool {
        guard let bounds, !bounds.isEmpty else { return true }
        guard let instant else { return false }
        return bounds.contains { $0.holds(at: instant) }
    }
}

extension AgeBound {
    /// Milliseconds.
    fileprivate func holds(for age: Int64) -> Bool {
        switch self {
        case .under(let bound): age < bound.length
        case .atLeast(let bound): age >= bound.length
        case .between(let least, let end): age >= least.length && age < end.length
        }
    }

    /// Where it begins or ceases to hold. Milliseconds.
    var lengths: [Int64] {
        switch self {
        case .under(let bound), .atLeast(let bound): [bound.length]
        case .between(let least, let end): [least.length, end.length]
        }
    }
}

extension Period {
    /// Ages are fixed units (spec 2.1). Milliseconds.
    fileprivate var length: Int64 { fixedMilliseconds ?? 0 }
}

/// A stretch of ages of a state, in which a purchase gives a right.
package struct AgeStretch: Hashable, Sendable {
    /// Milliseconds since the state began.
    package let start: Int64
    /// Nil for as long as the state lasts.
    package let end: Int64?

    package init(from start: Int64, until end: Int64?) {
        self.start = start
        self.end = end
    }
}

/// How long a right lasts in a state by two policies, for the purchase of a cell's example: by the
/// rules about ages (spec 2.4). Empty for never.
package struct CellLength: Hashable, Sendable {
    package let before: [AgeStretch]
    package let after: [AgeStretch]
}

/// A window of `at`, as a policy writes it.
package struct CellWindow: Hashable, Sendable {
    /// Nil where it has no beginning.
    package let start: Instant?
    /// Nil where it has no end.
    package let end: Instant?

    var text: String {
        switch (start, end) {
        case (let start?, let end?): "from \(Self.day(start)) until \(Self.day(end))"
        case (let start?, nil): "from \(Self.day(start))"
        case (nil, let end?): "before \(Self.day(end))"
        case (nil, nil): "always"
        }
    }

    private static func day(_ instant: Instant) -> String {
        instant.milliseconds % 86_400_000 == 0
            ? String(instant.rfc3339.prefix(10)) : instant.rfc3339
    }
}

extension CellExample {
    /// The same with how long around its instant it is so; without an instant where it is always so.
    ///
    /// - Parameter dates: at which it may begin or end to be so.
    func inWindow(of dates: [Instant], where isSo: (CellExample) -> Bool) -> CellExample {
        guard let at else { return self }
        let dates = Set(dates).sorted()
        func holds(at instant: Instant) -> Bool {
            var example = self
            example.at = instant
            return isSo(example)
        }
        let before = dates.prefix { $0 <= at }
        let after = dates.dropFirst(before.count)
        var start: Instant?
        for (index, date) in before.enumerated().reversed() {
            start = date
            let earlier = index > 0 ? before[index - 1] : date.advanced(byMilliseconds: -1)
            guard holds(at: earlier) else { break }
            start = nil
        }
        var example = self
        example.window = CellWindow(start: start, end: after.first { !holds(at: $0) })
        if example.window == CellWindow(start: nil, end: nil) {
            (example.at, example.window) = (nil, nil)
        }
        return example
    }

    /// The ages of the state at which it is so, everything else being as in the example. What is
    /// unpaid is taken to be so since the state began.
    ///
    /// - Parameter lengths: at which it may begin or end to be so. Milliseconds.
    func ages(
        bounds lengths: [Int64], where isSo: (CellExample) -> Bool
    ) -> [AgeStretch] {
        var stretches: [AgeStretch] = []
        let bounds = Set(lengths.filter { $0 > 0 } + [0]).sorted()
        for (index, start) in bounds.enumerated() {
            var example = self
            if stateAge != nil { example.stateAge = start }
            if unpaidFor != nil { example.unpaidFor = start }
            guard isSo(example) else { continue }
            let end = index + 1 < bounds.count ? bounds[index + 1] : nil
            if let last = stretches.last, last.end == start {
                stretches[stretches.count - 1] = AgeStretch(from: last.start, until: end)
            } else {
                stretches.append(AgeStretch(from: start, until: end))
            }
        }
        return stretches
    }
}
