internal import Crypto
package import EntitlementModel

/// What the second policy takes away, or cannot be shown to leave, of what the first one gave
/// (spec 2.6); empty where nobody can lose anything.
///
/// A rule whose conditions changed counts as narrower unless it plainly allows all that it allowed
/// before: every list is the same or longer.
/// - Parameter builtIns: the access rules behind those of every policy.
package func policyLosses(
    from old: Policy, to new: Policy, builtIns: [AccessRule]
) -> [PolicyLoss] {
    var comparison = PolicyComparison(old: old, new: new, builtIns: builtIns)
    comparison.compareTrust()
    comparison.compareApp()
    comparison.compareLists()
    comparison.compareProducts()
    return comparison.losses
}

private struct PolicyComparison {
    let old: Policy
    let new: Policy
    let oldRules: [AccessRule]
    let newRules: [AccessRule]
    var losses: [PolicyLoss] = []
    /// Products that the same rules can decide differ in nothing that is compared.
    private var narrowerStates: [CellKey: [EntitlementState]] = [:]

    private struct CellKey: Hashable {
        let kind: ProductKind
        let old: [RuleCandidate]
        let new: [RuleCandidate]
    }

    init(old: Policy, new: Policy, builtIns: [AccessRule]) {
        self.old = old
        self.new = new
        oldRules = old.decidingRules + builtIns
        newRules = new.decidingRules + builtIns
    }

    mutating func compareTrust() {
        for environment in StoreEnvironment.allCases
        where old.environments[environment] == .trusted
            && new.environments[environment] != .trusted
        {
            losses.append(PolicyLoss(.environment, environment.rawValue))
        }
        compareRoots("jws", old.trust.jws, new.trust.jws)
        compareRoots("receipt", old.trust.receipt, new.trust.receipt)
        let denied = new.trust.deniedKeys.subtracting(old.trust.deniedKeys)
        losses += denied.map(\.hexadecimal).sorted().map { PolicyLoss(.deniedKey, $0) }
        if let age = new.trust.maximumSignedAge,
            old.trust.maximumSignedAge.map({ age.isShorter(than: $0) }) ?? true
        {
            losses.append(PolicyLoss(.signedAge))
        }
    }

    private mutating func compareRoots(
        _ list: String, _ old: [TrustAnchor], _ new: [TrustAnchor]
    ) {
        for anchor in old {
            let environments = anchor.environments ?? Set(StoreEnvironment.allCases)
            let kept = new.filter { $0.root.believes(anchor.root) }
                .reduce(into: Set<StoreEnvironment>()) {
                    $0.formUnion($1.environments ?? Set(StoreEnvironment.allCases))
                }
            if !kept.isSuperset(of: environments) {
                losses.append(PolicyLoss(.root, list, anchor.root.shortName))
            }
        }
    }

    mutating func compareApp() {
        if old.app.bundleID != new.app.bundleID { losses.append(PolicyLoss(.app, "bundle_id")) }
        if let appleID = old.app.appleID, appleID != new.app.appleID {
            losses.append(PolicyLoss(.app, "apple_id"))
        }
        if old.app.accountToken != new.app.accountToken {
            losses.append(PolicyLoss(.app, "account_token"))
        }
        if new.leeway.isShorter(than: old.leeway) {
            losses.append(PolicyLoss(.leeway, new.leeway.text, old.leeway.text))
        }
        if old.closedAccounts == .keep, new.closedAccounts == .end {
            losses.append(PolicyLoss(.closed))
        }
    }

    /// `refund_answers` gives nobody a right, so nothing that it loses is a loss (spec 2.6).
    mutating func compareLists() {
        if new.accessRules.isEmpty, !old.accessRules.isEmpty {
            losses.append(PolicyLoss(.list, "access"))
        }
        let names = Set(new.claimRules.map(\.reference.name))
        if new.claimRules.isEmpty, !old.claimRules.isEmpty {
            losses.append(PolicyLoss(.list, "account_switch"))
        } else if new.claimRules.count < old.claimRules.count {
            // A list that was cut off is a list of fewer rules.
            losses += old.claimRules.map(\.reference.name).filter { !names.contains($0) }
                .map { PolicyLoss(.rule, "account_switch", $0) }
        }
        for right in old.openRights { compareOpen(right) }
        losses += old.credits.keys.filter { new.credits[$0] == nil }.sorted()
            .map { PolicyLoss(.credit, $0.text) }
        for (name, credit) in old.credits.sorted(by: { $0.key < $1.key }) {
            guard let after = new.credits[name]?.onRefund, credit.onRefund.takes < after.takes
            else { continue }
            losses.append(
                PolicyLoss(.refund, name.text, credit.onRefund.rawValue, after.rawValue))
        }
    }

    private mutating func compareOpen(_ right: OpenRight) {
        for entitlement in right.entitlements {
            let windows = new.openRights.filter { $0.entitlements.contains(entitlement) }
                .flatMap(\.windows)
            guard !right.windows.allSatisfy({ $0.isCovered(by: windows) }) else { continue }
            losses.append(PolicyLoss(.open, right.reference.name, entitlement.text))
        }
    }

    mutating func compareProducts() {
        for product in old.products.values.sorted(by: { $0.id < $1.id }) {
            guard let other = new.products[product.id] else {
                losses.append(PolicyLoss(.product, product.id.text))
                continue
            }
            guard product.kind == other.kind else {
                losses.append(PolicyLoss(.productKind, product.id.text))
                continue
            }
            compareTerms(product, other)
            for grant in product.grants { compare(grant, of: product, other) }
        }
    }

    private mutating func compareTerms(_ old: Product, _ new: Product) {
        var keys: [String] = []
        if let duration = old.duration, new.duration?.isShorter(than: duration) ?? true {
            keys.append("duration")
        }
        if old.kind == .nonRenewing, old.stacking != new.stacking { keys.append("stacking") }
        if old.kind == .nonRenewing, old.stack != new.stack { keys.append("stack") }
        losses += keys.map { PolicyLoss(.terms, old.id.text, $0) }
    }

    private mutating func compare(_ grant: ProductGrant, of old: Product, _ new: Product) {
        switch grant {
        case .credit(let name, let units, let terms):
            guard let other = new.delivery(of: name) else {
                losses.append(PolicyLoss(.grant, old.id.text, name.text))
                return
            }
            losses += terms.losses(units, to: other.terms, other.units, new).map {
                PolicyLoss(.terms, old.id.text, $0)
            }
        case .entitlement(let name, let lasting):
            guard new.entitlements.contains(name) else {
                losses.append(PolicyLoss(.grant, old.id.text, name.text))
                return
            }
            if let end = new.lasting(of: name), lasting.map({ end.isShorter(than: $0) }) ?? true {
                losses.append(PolicyLoss(.terms, old.id.text, "for"))
            }
            let states = narrower(name, old, new)
            if !states.isEmpty {
                losses.append(
                    PolicyLoss(
                        .cell, names: [old.id.text, name.text] + states.map(\.rawValue)))
            }
        }
    }

    /// The states in which the right may be given in fewer cases.
    private mutating func narrower(
        _ name: EntitlementName, _ product: Product, _ other: Product
    ) -> [EntitlementState] {
        let key = CellKey(
            kind: product.kind, old: RuleCandidate.of(product, giving: name, in: oldRules),
            new: RuleCandidate.of(other, giving: name, in: newRules))
        if let known = narrowerStates[key] { return known }
        let states = product.kind.states.filter { state in
            !RuleCell(key.new, of: newRules, in: state)
                .isAsWide(as: RuleCell(key.old, of: oldRules, in: state))
        }
        narrowerStates[key] = states
        return states
    }
}

extension Interval {
    /// Whether every instant of it lies in one of the others.
    fileprivate func isCovered(by others: [Interval]) -> Bool {
        var cursor = start
        for other in others.sorted(by: { $0.start < $1.start }) where other.contains(cursor) {
            guard let last = other.end else { return true }
            cursor = last
        }
        return end.map { $0 <= cursor } ?? false
    }
}

extension CreditDefinition.OnRefund {
    /// The more, the more a refund takes.
    fileprivate var takes: Int {
        switch self {
        case .ignore: 0
        case .floor: 1
        case .debt: 2
        case .freeze: 3
        }
    }
}

extension CreditTerms {
    /// The keys by which a product gives fewer units than before, or for a shorter time.
    fileprivate func losses(
        _ units: Int64, to new: CreditTerms, _ newUnits: Int64, _ product: Product
    ) -> [String] {
        var keys: [String] = []
        if newUnits < units { keys.append("units") }
        let isFewer = OfferWord.allCases.contains { offer in
            newUnits >= units && (new.underOffer[offer] ?? newUnits) < (underOffer[offer] ?? units)
        }
        if isFewer { keys.append("under_offer") }
        if let every, new.every.map({ every.isShorter(than: $0) }) ?? true { keys.append("every") }
        let (before, after) = (lasting(of: product), new.lasting(of: product))
        if expires != new.expires, new.expires != .never,
            expires == .never || before.map({ after?.isShorter(than: $0) ?? true }) ?? true
        {
            keys.append("expires")
        }
        return keys
    }

    /// How long units last; nil where that is for ever, or nothing says it.
    func lasting(of product: Product) -> Period? {
        switch expires {
        case .never: nil
        case .period: every ?? product.period
        case .after(let length): length
        }
    }
}

extension Product {
    fileprivate func delivery(of credit: CreditName) -> (units: Int64, terms: CreditTerms)? {
        for case .credit(credit, let units, let terms) in grants { return (units, terms) }
        return nil
    }

    /// Nil where it gives the entitlement without an end, or not at all.
    fileprivate func lasting(of entitlement: EntitlementName) -> Period? {
        for case .entitlement(entitlement, let lasting) in grants { return lasting }
        return nil
    }
}

extension TrustAnchor.Root {
    /// Whether every chain that the other ends may end in this one too. A certificate is believed
    /// also where the evidence does not bring it along; a fingerprint is not.
    fileprivate func believes(_ other: TrustAnchor.Root) -> Bool {
        switch (self, other) {
        case (.certificate(let bytes), .fingerprint(let digest)):
            Digest256(hash: SHA256.hash(data: bytes)) == digest
        default: self == other
        }
    }

    /// A built-in root's name, else the beginning of its fingerprint.
    fileprivate var shortName: String {
        let digest =
            switch self {
            case .fingerprint(let fingerprint): fingerprint
            case .certificate(let bytes): Digest256(hash: SHA256.hash(data: bytes))
            }
        let named = BuiltInRoot.allCases.first { $0.fingerprint == digest }?.rawValue
        return named ?? String(digest.hexadecimal.prefix(12))
    }
}

extension Period {
    /// Whether it is, or may be, shorter than the other: a month is 28 to 31 days.
    func isShorter(than other: Period) -> Bool {
        if let months, let otherMonths = other.months { return months < otherMonths }
        return days(inMonth: 28) < other.days(inMonth: 31)
    }

    /// Nil for a fixed length.
    private var months: Int64? {
        switch unit {
        case .months: count
        case .years: count * 12
        case .milliseconds, .seconds, .minutes, .hours, .days, .weeks: nil
        }
    }

    private func days(inMonth length: Int64) -> Double {
        if let months { return Double(months * length) }
        return Double(fixedMilliseconds ?? 0) / 86_400_000
    }
}
