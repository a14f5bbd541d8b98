package import EntitlementModel

/// Something that a policy takes away, or may take away, from what another one gave (spec 2.6).
package struct PolicyLoss: Hashable, Sendable {
    /// Stable, for programs.
    package enum Kind: String, CaseIterable, PolicyLoadingText, Sendable {
        case environment
        case root
        case deniedKey = "denied-key"
        case signedAge = "signed-age"
        case app
        case list
        case rule
        case open
        case product
        case productKind = "product-kind"
        case grant
        case terms
        case credit
        case refund
        case leeway
        case closed
        case cell

        package var english: String {
            switch self {
            case .environment: "evidence of {0} is refused"
            case .root: "the root {1} of {0} is no longer trusted"
            case .deniedKey: "evidence signed with the key {0} is refused"
            case .signedAge: "evidence may not be as old as before"
            case .app: "{0} in 'app' has changed"
            case .list: "the list {0} no longer has a rule"
            case .rule: "the list {0} no longer has the rule {1}"
            case .open: "{0} no longer opens {1}, or not for as long"
            case .product: "the product {0} was removed"
            case .productKind: "the kind of the product {0} has changed"
            case .grant: "the product {0} no longer gives {1}"
            case .terms: "the product {0} gives less: {1}"
            case .credit: "the credit {0} was removed"
            case .refund: "a refund takes more of {0}: on_refund is {2}, not {1}"
            case .leeway: "the leeway is shorter: {0}, not {1}"
            case .closed: "the rights of closed accounts end"
            case .cell: "{0} may give {1} in fewer cases, in the states {2}"
            }
        }
    }

    /// Whether deriving the accounts of a ledger shows whether anybody loses anything by it: what
    /// evidence is believed later, and where a whole list is lost, is not seen there.
    package var isSeenInAccounts: Bool {
        switch kind {
        case .open, .product, .productKind, .grant, .terms, .credit, .refund, .leeway, .closed,
            .cell:
            true
        case .environment, .root, .deniedKey, .signedAge, .app, .list, .rule: false
        }
    }

    package let kind: Kind
    /// Of what it is about: a product, then an entitlement, then states.
    package let names: [String]

    init(_ kind: Kind, _ names: String...) {
        self.init(kind, names: names)
    }

    package init(_ kind: Kind, names: [String]) {
        self.kind = kind
        self.names = names
    }

    /// What is lost, in one sentence.
    package func sentence(in language: Language) -> String {
        let facts = names.prefix(2).map { Fact.written($0) } + [.choice(Array(names.dropFirst(2)))]
        return kind.filled(with: facts, in: language)
    }
}

/// The rules that can decide a product, an entitlement and a state, with the conditions that are
/// left once these three are given (spec 2.6).
struct RuleCell {
    struct Entry {
        let grants: Bool
        /// Of the rule, for messages.
        let index: Int
        let when: Condition
        let unless: Condition?

        /// Whether it decides whatever else may be the case.
        var isCertain: Bool { when == Condition() && unless == nil }
    }

    /// In order; nothing after the first that is certain.
    private(set) var entries: [Entry] = []

    init(_ candidates: [RuleCandidate], of rules: [AccessRule], in state: EntitlementState) {
        for candidate in candidates {
            let rule = rules[candidate.rule]
            guard rule.when.states?.contains(state) ?? true else { continue }
            var exception: Condition?
            if candidate.mayBeExcepted, let unless = rule.unless,
                unless.states?.contains(state) ?? true
            {
                let rest = unless.besideCell
                // Everything in the cell is excepted.
                if rest == Condition() { continue }
                exception = rest
            }
            let entry = Entry(
                grants: rule.effect == .grant, index: candidate.rule,
                when: rule.when.besideCell, unless: exception)
            entries.append(entry)
            if entry.isCertain { return }
        }
    }

    /// Whether it surely grants whatever the other grants. False does not say that it does not.
    ///
    /// The other becomes this one by steps that only widen: a grant more, a withhold less, a grant
    /// of more cases, a withhold of fewer. Whatever is not decided by a rule is withheld.
    func isAsWide(as other: RuleCell) -> Bool {
        let (old, new) = (other.entries, entries)
        // What is known of "from these two rules on", from the end to the beginning.
        var below = [Bool](repeating: true, count: new.count + 1)
        for i in old.indices.reversed() {
            var row = [Bool](repeating: false, count: new.count + 1)
            row[new.count] = !old[i].grants && below[new.count]
            for j in new.indices.reversed() {
                let isCovered =
                    old[i].grants
                    ? new[j].grants && new[j].covers(old[i]) && below[j]
                    : below[j]
                let isHarmless =
                    new[j].grants
                    ? row[j + 1] : !old[i].grants && old[i].covers(new[j]) && row[j + 1]
                row[j] =
                    isCovered || isHarmless || (new[j].grants && new[j].isCertain)
                    || (!old[i].grants && old[i].isCertain)
            }
            below = row
        }
        return below[0]
    }
}

extension RuleCell.Entry {
    /// Whether it holds wherever the other does.
    fileprivate func covers(_ other: Self) -> Bool {
        guard when.isImplied(by: other.when) else { return false }
        guard let unless else { return true }
        return other.unless.map { $0.isImplied(by: unless) } ?? false
    }
}

/// A rule that can decide a product's entitlement.
struct RuleCandidate: Hashable {
    let rule: Int
    /// Whether what its `unless` says of the product holds.
    let mayBeExcepted: Bool

    /// Those of `rules`, in order.
    static func of(
        _ product: Product, giving entitlement: EntitlementName, in rules: [AccessRule]
    ) -> [RuleCandidate] {
        rules.enumerated().compactMap { index, rule in
            guard rule.only?.contains(entitlement) ?? true,
                rule.when.admits(product, as: product.kind, giving: entitlement)
            else { return nil }
            let unless = rule.unless?.admits(product, as: product.kind, giving: entitlement)
            return RuleCandidate(rule: index, mayBeExcepted: unless ?? false)
        }
    }
}

/// What a folder's own `accept.yaml` says: that the policy may take something away from those who
/// have it by the one that it replaces (spec 2.6).
package struct FolderAcceptance: Hashable, Sendable {
    /// The name of the file, which stands in the folder itself.
    package static let file = "accept.yaml"

    /// Of the policy that it replaces; it accepts nothing after any other.
    package var from: Digest256
    package var because: String
    package var accountsAtMost: Int64

    static let section = Section(
        title: file,
        fields: [
            Field("from", .fingerprint, required: true, .acceptedPolicy),
            Field("because", .text, required: true, .acceptanceReason),
            Field("accounts_at_most", .whole(0...1_000_000_000), required: true, .accountsAtMost),
        ])

    /// By its contents too: before there were such files, any file might have had that name.
    static func isWritten(in root: YAMLNode, of path: String) -> Bool {
        guard path == file, case .map(let entries) = root.content else { return false }
        return entries.contains { section[$0.key] != nil }
    }
}

extension GrammarReader {
    /// Nil where something in it has been reported.
    mutating func readAcceptance(_ root: YAMLNode) -> FolderAcceptance? {
        let checked = read(root, .section(FolderAcceptance.section), key: FolderAcceptance.file)
        guard let section = checked.section, let from = section.value("from"),
            let text = from.text
        else { return nil }
        guard let digest = Digest256(hexadecimal: text) else {
            problems.add(.badFingerprint, at: from.span, .written(text))
            return nil
        }
        guard let because = section.value("because")?.text,
            let accounts = section.value("accounts_at_most")?.number
        else { return nil }
        return FolderAcceptance(from: digest, because: because, accountsAtMost: accounts)
    }
}

extension ProductKind {
    /// The states that a purchase of this kind can be in (spec 1.4). A consumable that gives a
    /// right for a time is treated like a non-renewing product.
    package var states: [EntitlementState] {
        switch self {
        case .autoRenewable: EntitlementState.allCases
        case .nonConsumable, .free: [.active, .revoked]
        case .nonRenewing, .consumable: [.active, .expired, .revoked]
        }
    }
}
