internal import EntitlementModel
internal import PolicyLoading

/// What a rule says under one key, and what it could say in the place of that.
extension CellRule {
    /// `group: audio`, as a policy writes it.
    func written(_ key: ConditionKey) -> String {
        switch key {
        case .only: return "only: [\((only ?? []).map(\.text).joined(separator: ", "))]"
        case .unless:
            let text = unless?.described.joined(separator: ", ") ?? ""
            return "unless: {\(text)}"
        case .kind, .state, .environment, .ownership, .offer, .token, .moment, .product, .account,
            .group, .level, .entitlement, .storefront, .purchased, .at, .revocation, .expiryReason,
            .autoRenew, .stateAge, .unpaidFor, .firstPurchased:
            let prefix = key.rawValue + ": "
            return when.described.first { $0.hasPrefix(prefix) } ?? key.rawValue
        }
    }

    typealias Alternative = (text: String, rule: CellRule)

    /// The rule with each other value of a key that has words for values.
    func alternatives(_ key: ConditionKey, in policy: Policy) -> [Alternative] {
        switch key {
        case .kind: words(ProductKind.allCases) { $0.kinds = $1 }
        case .state: words(EntitlementState.allCases) { $0.states = $1 }
        case .environment: words(StoreEnvironment.allCases) { $0.environments = $1 }
        case .ownership: words(OwnershipWord.allCases) { $0.ownerships = $1 }
        case .offer: words(OfferWord.allCases) { $0.offers = $1 }
        case .token: words(TokenMatch.allCases) { $0.tokens = $1 }
        case .moment: words(ClaimMoment.allCases) { $0.moments = $1 }
        case .expiryReason: words(ExpiryReason.allCases) { $0.expiryReasons = $1 }
        case .revocation: words(RevocationWord.allCases) { $0.revocations = $1 }
        case .autoRenew: words(AutoRenewWord.allCases) { $0.autoRenews = $1 }
        case .group: names(policy.groups.keys.sorted()) { $0.groups = $1 }
        case .level:
            names(policy.groups.sorted { $0.key < $1.key }.flatMap(\.value.levels)) {
                $0.levels = $1
            }
        case .entitlement: names(policy.entitlements.keys.sorted()) { $0.entitlements = $1 }
        case .only:
            policy.entitlements.keys.sorted().prefix(Self.tried).map { name in
                (name.text, changed(when, only: [name]))
            }
        case .product, .account, .storefront, .purchased, .firstPurchased, .at, .stateAge,
            .unpaidFor, .unless:
            []
        }
    }

    /// At most so many names are tried.
    private static let tried = 24

    private func words<Word: RawRepresentable<String>>(
        _ all: [Word], _ set: (inout Condition, [Word]) -> Void
    ) -> [Alternative] {
        all.map { word in
            var when = when
            set(&when, [word])
            return (word.rawValue, changed(when, only: only))
        }
    }

    private func names<Name: Identifier>(
        _ all: [Name], _ set: (inout Condition, [Name]) -> Void
    ) -> [Alternative] {
        all.prefix(Self.tried).map { name in
            var when = when
            set(&when, [name])
            return (name.text, changed(when, only: only))
        }
    }

    private func changed(_ when: Condition, only: [EntitlementName]?) -> CellRule {
        CellRule(
            index: index, reference: reference, effect: effect, when: when, unless: unless,
            only: only)
    }
}
