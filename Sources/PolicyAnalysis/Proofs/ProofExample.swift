internal import EntitlementModel
internal import PolicyLoading

/// A case as a policy would write it.
extension CellTable {
    /// What the question is about, and of the rest what these rules look at.
    func example(
        _ subject: CellSubject, _ cell: CellBox, rules: [Int], builtIn: Condition = Condition()
    ) -> [ExamplePart] {
        var keys = ConditionKey.keys(of: builtIn)
        for rule in rules {
            keys.formUnion(ConditionKey.keys(of: self.rules[rule].when))
            if let unless = self.rules[rule].unless {
                keys.formUnion(ConditionKey.keys(of: unless))
            }
        }
        var parts = [ExamplePart("product", subject.product.text)]
        if list != .access, let kind = subject.kind {
            parts.append(ExamplePart("kind", kind.rawValue))
        }
        if let entitlement = subject.entitlement {
            parts.append(ExamplePart("entitlement", entitlement.text))
        }
        let standing = standing(cell)
        if list == .access, let standing {
            parts.append(ExamplePart("state", standing.state.rawValue))
        }
        parts += words(cell, standing, keys) + times(cell, keys)
        switch subject.question {
        case .rightElsewhere, .deliveryElsewhere:
            let own = value(cell, .environment, space.environments)
            let asked = own == .production ? StoreEnvironment.sandbox : .production
            parts.append(ExamplePart("asked_for", asked.rawValue))
        case .unowned: parts.append(ExamplePart("owner", "none"))
        case .right, .owned, .refund: break
        }
        return parts
    }

    private func standing(_ cell: CellBox) -> Standing? {
        value(cell, .standing, space.standings)
    }

    private func value<Value>(_ cell: CellBox, _ axis: CellAxis, _ all: [Value]) -> Value? {
        space.layout.first(cell, axis).map { all[$0] }
    }

    private func words(
        _ cell: CellBox, _ standing: Standing?, _ keys: Set<ConditionKey>
    ) -> [ExamplePart] {
        let account: String? =
            switch value(cell, .account, space.accounts) {
            case .named(let name)?: name.text
            case .nobody?: "none"
            case nil: nil
            }
        let all: [(ConditionKey, String?)] = [
            (.expiryReason, standing?.expiryReason?.rawValue),
            (.revocation, standing?.revocation?.rawValue),
            (.environment, value(cell, .environment, space.environments)?.rawValue),
            (.ownership, value(cell, .ownership, space.ownerships)?.rawValue),
            (.offer, value(cell, .offer, space.offers).map(\.rawValue)),
            (.autoRenew, value(cell, .autoRenew, space.autoRenews)?.rawValue),
            (.storefront, value(cell, .storefront, space.storefronts).map { $0 ?? "other" }),
            (.account, account),
            (.token, value(cell, .token, space.tokens)?.rawValue),
            (.moment, value(cell, .moment, space.moments)?.rawValue),
        ]
        return all.compactMap { key, text in
            guard keys.contains(key), let text else { return nil }
            return ExamplePart(key.rawValue, text)
        }
    }

    private func times(_ cell: CellBox, _ keys: Set<ConditionKey>) -> [ExamplePart] {
        let all: [(ConditionKey, String?)] = [
            (.stateAge, value(cell, .stateAge, space.ages)?.age),
            (.unpaidFor, value(cell, .unpaid, space.unpaids)??.age),
            (.purchased, value(cell, .purchased, space.purchases)?.date),
            (.firstPurchased, value(cell, .firstPurchased, space.firstPurchases)?.date),
            (.at, value(cell, .at, space.instants)?.date),
        ]
        return all.compactMap { key, text in
            guard keys.contains(key), let text else { return nil }
            return ExamplePart(key.rawValue, text)
        }
    }
}

extension CellRange {
    /// Nil for all of time.
    fileprivate var date: String? {
        let (start, end) = (Instant(milliseconds: lower), Instant(milliseconds: upper))
        switch (lower > Self.earliest, upper < Self.latest) {
        case (false, false): return nil
        case (false, true): return DateBound.before(end).text
        case (true, false): return DateBound.from(start).text
        case (true, true): return DateBound.within(start, end).text
        }
    }

    /// Nil for any age.
    fileprivate var age: String? {
        switch (lower > 0, upper < Self.latest) {
        case (false, false): return nil
        case (false, true): return AgeBound.under(Period(fixed: upper)).text
        case (true, false): return AgeBound.atLeast(Period(fixed: lower)).text
        case (true, true): return AgeBound.between(Period(fixed: lower), Period(fixed: upper)).text
        }
    }
}

extension Period {
    /// In the largest unit that it is a whole number of.
    fileprivate init(fixed milliseconds: Int64) {
        let units: [Unit] = [.days, .hours, .minutes, .seconds]
        let unit = units.first { milliseconds % ($0.fixedMilliseconds ?? 1) == 0 }
        self.init(milliseconds / (unit?.fixedMilliseconds ?? 1), unit ?? .milliseconds)
    }
}
