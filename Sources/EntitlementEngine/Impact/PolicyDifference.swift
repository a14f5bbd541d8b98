internal import EntitlementDerivation
internal import EntitlementModel
internal import LedgerModel
internal import PolicyAnalysis
internal import Synchronization

/// Whose answers, changes and findings a policy gives otherwise than the one before it, found by
/// the walk that counted the losses before it came into force. Of the others nothing is derived
/// again.
final class PolicyDifference: Sendable {
    /// The lineages whose findings may differ, whoever owns them.
    enum Lineages: Sendable {
        case all
        case these([LineageKey])
    }

    /// The policy before.
    let base: PolicyMark
    /// What was recorded later may not be reflected: whom it concerns is not known to be the same.
    let revision: LedgerSequence
    /// Of the account cache, begun before the walk: by it the cache knows what was touched since.
    let load: UInt64
    /// By name, as the policies call them.
    let accounts: [AccountID]
    let lineages: Lineages
    /// The new policy's, in which all places of the old one's still hold.
    let texts: SharedAnswerTexts

    init(
        base: PolicyMark, revision: LedgerSequence, load: UInt64, accounts: Set<AccountID>,
        lineages: Lineages, texts: SharedAnswerTexts
    ) {
        self.base = base
        self.revision = revision
        self.load = load
        self.accounts = accounts.sorted()
        self.lineages = lineages
        self.texts = texts
    }

    /// How many entries of a walk's time are looked through for whom they concern.
    private static let mostEntries = 16_384

    /// Whom the entries between the walk and the activation concern; nil if those are too many.
    func recentAccounts(
        before activation: LedgerSequence, _ policy: ActivePolicy, _ reader: any LedgerReading
    ) throws(LedgerError) -> Set<AccountID>? {
        guard activation.number - revision.number <= Self.mostEntries else { return nil }
        var changes = ChangeReading(reader)
        var concerned: Set<AccountID> = []
        for entry in try reader.entries(after: revision, limit: Self.mostEntries)
        where entry.sequence < activation {
            let changed = try changes.changes(by: entry, policy)
            concerned.formUnion(changed.accounts.union(changed.deniedOwners).map(policy.name))
        }
        return concerned
    }
}

extension [AccountID] {
    /// Whether a list by name has the account.
    func includes(_ account: AccountID) -> Bool {
        let place = partitioningIndex { $0 >= account }
        return place < count && self[place] == account
    }

    /// Those of a list by name that are behind that name.
    func accounts(after name: String, limit: Int) -> ArraySlice<AccountID> {
        self[partitioningIndex { $0.text > name }...].prefix(limit)
    }
}

/// Collects the difference of two policies while a walk compares them.
final class DifferenceCollector: Sendable {
    private struct Found {
        var accounts: Set<AccountID> = []
        /// Nil for all.
        var lineages: Set<LineageKey>? = []
    }

    private let base: ActivePolicy
    private let load: UInt64
    /// Whether the findings about lineages follow from products alone; otherwise from all of the
    /// policy.
    private let areLineagesByProduct: Bool
    private let haveProductsChanged: Bool
    private let texts: SharedAnswerTexts
    private let found = Mutex(Found())

    /// Nil where the two differ in something that a walk over accounts does not see: what is open
    /// to accounts that nobody knows, or findings of whom the policies do not call concerned.
    init?(from base: ActivePolicy, to new: Policy, load: UInt64) {
        let old = base.history.current
        let names = RuleCorrespondence(from: old, to: new)
        guard old.foldsAccounts == new.foldsAccounts, names.keepsOpenRights else { return nil }
        let findingsFollow = old.decidesFindings(like: new)
        let concern = policyConcern(from: old, to: new, builtIns: builtInAccessRules)
        guard findingsFollow || concern == .everybody else { return nil }
        self.base = base
        self.load = load
        areLineagesByProduct = findingsFollow
        haveProductsChanged = old.products != new.products
        texts = base.continuedTexts(for: new, names)
    }

    func add(_ accounts: [AccountID]) { found.withLock { $0.accounts.formUnion(accounts) } }

    /// Adds lineages that hold a product that the change concerns.
    func add(_ lineages: [LineageKey]) {
        guard areLineagesByProduct, haveProductsChanged else { return }
        found.withLock { $0.lineages?.formUnion(lineages) }
    }

    /// The lineages that hold a concerned product were not searched for.
    func addAllLineages() {
        if haveProductsChanged { found.withLock { $0.lineages = nil } }
    }

    /// - Parameter revision: of the ledger when the walk began.
    func difference(since revision: LedgerSequence) -> PolicyDifference {
        let found = found.withLock { $0 }
        let lineages = areLineagesByProduct ? found.lineages : nil
        return PolicyDifference(
            base: base.mark, revision: revision, load: load, accounts: found.accounts,
            lineages: lineages.map { .these($0.sorted()) } ?? .all, texts: texts)
    }
}

extension Policy {
    /// Whether findings follow from what both have in common, products apart. They do not depend on
    /// rules, on the names of things, or on what is done about orders.
    fileprivate func decidesFindings(like other: Policy) -> Bool {
        var policy = self
        policy.digest = other.digest
        policy.trust = other.trust
        policy.entitlements = other.entitlements
        policy.products = other.products
        policy.accessRules = other.accessRules
        policy.appRules = other.appRules
        policy.claimRules = other.claimRules
        policy.openRights = other.openRights
        policy.refundRules = other.refundRules
        policy.orders = other.orders
        return policy == other
    }
}

extension AccountTimeline {
    /// Whether questions, the feed and the list of findings see no difference from what the policy
    /// before gave, but for the lines of its rules.
    func isSame(as old: AccountTimeline, _ names: RuleCorrespondence) -> Bool {
        balances == old.balances && creditStops == old.creditStops && findings == old.findings
            && rights.count == old.rights.count
            && rights.allSatisfy { key, right in
                old.rights[key].map { right.isSame(as: $0, names) } ?? false
            }
    }
}

extension RightTimeline {
    fileprivate func isSame(as old: RightTimeline, _ names: RuleCorrespondence) -> Bool {
        spans.count == old.spans.count
            && zip(spans, old.spans).allSatisfy { new, old in
                new.interval == old.interval && new.verdict.isSame(as: old.verdict, names)
            }
    }
}

extension RightVerdict {
    fileprivate func isSame(as old: RightVerdict, _ names: RuleCorrespondence) -> Bool {
        if old.rule == rule { return old == self }
        return names.successor(of: old.rule) == rule
            && self
                == RightVerdict(
                    isGranted: old.isGranted, state: old.state, expiryReason: old.expiryReason,
                    source: old.source, rule: rule, paidUntil: old.paidUntil,
                    willRenew: old.willRenew, facts: old.facts)
    }
}

extension FactSet {
    /// Whether what is sold, or refunded, may be read by another policy if that comes into force
    /// later than the instant.
    func mayBeReadOtherwise(since instant: Instant) -> Bool {
        transactions.indices.contains { place in
            let fact = transactions[place].value
            return max(fact.purchaseDate, fact.revocation?.date ?? .distantPast) >= instant
        }
    }
}
