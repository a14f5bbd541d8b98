internal import EntitlementDerivation
package import EntitlementModel
package import LedgerModel

/// The facts by which claims, rulings and merges are judged. A repeated decision reads the same
/// facts, and must find the same ones among those before it.
extension LedgerReading {
    /// For claims of these accounts. Denials by rules to other accounts decide nothing about them:
    /// included are only those to the accounts themselves, to those that a token or a merge puts in
    /// their place, and to owners.
    func facts(
        forClaimsOn transactions: [TransactionKey], by accounts: [AccountID]
    ) throws(LedgerError) -> FactSet {
        var facts = try facts(forTransactions: transactions, withDenials: false)
        try addMerges(to: &facts, naming: accounts)
        var lineages = Set<LineageKey>()
        for transaction in transactions {
            if let lineage = try lineage(of: transaction) { lineages.insert(lineage) }
        }
        let owners = facts.decisions.flatMap(\.value.owners)
        try addDenials(to: &facts, ofLineages: lineages, besides: Set(accounts + owners))
        return facts
    }

    /// For rulings on claims: all of them may wait.
    func facts(
        forRulingsOn transactions: [TransactionKey]
    ) throws(LedgerError) -> FactSet {
        var facts = try facts(forTransactions: transactions)
        try addMerges(to: &facts, naming: [])
        return facts
    }

    /// The facts about a unit, and the merges of the accounts that its tokens name.
    func facts(about unit: OwnedUnit) throws(LedgerError) -> FactSet {
        var facts =
            switch unit {
            case .lineage(let key): try facts(forLineage: key)
            case .purchase(let key): try facts(forTransactions: [key])
            }
        try addMerges(to: &facts, naming: [])
        return facts
    }

    /// The facts of an account's derivation, and the merges of accounts that its purchases' tokens
    /// name: findings name them, rights do not depend on them.
    package func facts(about account: AccountID) throws(LedgerError) -> FactSet {
        var facts = try facts(withDenialsFor: account)
        try addMerges(to: &facts, naming: [])
        return facts
    }

    /// The facts of the account's derivation and of its findings: with denials to others on units
    /// that it has owned, and to accounts that tokens name besides it.
    package func facts(
        withDenialsFor account: AccountID
    ) throws(LedgerError) -> FactSet {
        var facts = try facts(forAccount: account)
        var owned = Set<LineageKey>()
        for decision in facts.decisions.map(\.value)
        where decision.owners.contains(where: { $0.folded == account.folded }) {
            switch decision.unit {
            case .lineage(let key): owned.insert(key)
            case .purchase(let key):
                if let lineage = try lineage(of: key) { owned.insert(lineage) }
            }
        }
        if !owned.isEmpty { facts.merge(try denials(ofLineages: owned, to: nil)) }
        var lineages = Set<LineageKey>()
        // By place: a loop over the snapshots would copy each of them.
        for place in facts.transactions.indices {
            lineages.insert(facts.transactions[place].value.lineage)
        }
        try addDenials(to: &facts, ofLineages: lineages)
        return facts
    }

    /// The denials to these accounts, and to those that tokens or merges in the facts name.
    private func addDenials(
        to facts: inout FactSet, ofLineages lineages: Set<LineageKey>,
        besides accounts: Set<AccountID> = []
    ) throws(LedgerError) {
        var claimants = accounts.union(facts.accountsOfTokens)
        for merge in facts.accountMerges.map(\.value) {
            claimants.formUnion([merge.from, merge.into])
        }
        guard !claimants.isEmpty else { return }
        facts.merge(try denials(ofLineages: lineages, to: Set(claimants.map(\.folded))))
    }

    /// All that is known of both accounts, and all that was registered for their tokens, whether
    /// or not a purchase carries them.
    func facts(about merge: AccountMerge) throws(LedgerError) -> FactSet {
        let accounts = [merge.from, merge.into]
        var facts = FactSet()
        for account in accounts { facts.merge(try self.facts(forAccount: account)) }
        var registered = FactSet()
        let tokens =
            facts.accountTokens.map(\.value.token)
            + accounts.compactMap { AppAccountToken($0.text) }
        for token in Set(tokens) { registered.accountTokens += try accountTokens(token) }
        facts.merge(registered)
        try addMerges(to: &facts, naming: accounts)
        return facts
    }

    /// The account for which evidence claims, where this one is given.
    ///
    /// - Parameter instant: when the purchase, order or spend in question was made; nil for the
    ///   account as of now.
    func account(
        standingFor account: AccountID, at instant: Instant? = nil, _ policy: ActivePolicy
    ) throws(LedgerError) -> AccountID {
        let facts = try merges(joining: [account])
        // Most accounts were never merged.
        if facts.accountMerges.isEmpty { return account }
        return EffectiveMerges(policy.folding(facts).accountMerges)
            .account(standingFor: account, boughtAt: instant)
    }

    /// Of these accounts, of those that tokens name, and of those between which merges moved
    /// something; with the blocks on all of them.
    private func addMerges(
        to facts: inout FactSet, naming accounts: [AccountID]
    ) throws(LedgerError) {
        var named = facts.accountsOfTokens.union(accounts)
        for decision in facts.decisions where decision.value.isOfMerge {
            named.formUnion(decision.value.ownersBefore + decision.value.ownersAfter)
        }
        let merges = try merges(joining: named)
        if !merges.saysNothing { facts.merge(merges) }
    }

    /// All merges between these accounts and any others, directly or through one another, and the
    /// blocks on all of them.
    private func merges(
        joining accounts: Set<AccountID>
    ) throws(LedgerError) -> FactSet {
        var (seen, unasked) = (accounts, Array(accounts))
        var merges = FactSet()
        while let account = unasked.popLast() {
            let found = try mergesAndBlocks(of: account)
            if found.saysNothing { continue }
            for merge in found.accountMerges {
                for other in [merge.value.from, merge.value.into]
                where seen.insert(other).inserted {
                    unasked.append(other)
                }
            }
            merges.merge(found)
        }
        return merges
    }
}

extension FactSet {
    /// Of merges and blocks.
    fileprivate var saysNothing: Bool { accountMerges.isEmpty && blocks.isEmpty && erased.isEmpty }

    /// Whom tokens may name: those that they were registered for, and those whose id they are.
    fileprivate var accountsOfTokens: Set<AccountID> {
        var named = Set(accountTokens.map(\.value.account))
        // By place: a loop over the snapshots would copy each of them.
        for place in transactions.indices {
            guard let token = transactions[place].value.appAccountToken else { continue }
            named.formUnion(token.accounts)
        }
        return named
    }
}

extension AppAccountToken {
    /// The accounts that it may be the id of, as people write UUIDs.
    var accounts: [AccountID] {
        [text, text.uppercased()].compactMap { AccountID($0) }
    }
}

extension ActivePolicy {
    /// The Apple ID that a key names; nil if no fact knows one.
    ///
    /// Not every lineage that has its name is known: a renewal info may have come without its
    /// transaction. A lineage whose name has changed since leads to the new one, unless another
    /// still has the old name.
    package func appleID(
        named key: AppleIDKey, _ reader: any LedgerReading
    ) throws(LedgerError) -> AppleIDTimeline? {
        guard let name = AppleIDName(key) else { return nil }
        let lineages = try name.lineages(in: reader)
        guard let first = lineages.first else { return nil }
        let facts = try reader.facts(forLineage: first)
        var renamed: AppleIDTimeline?
        for lineage in lineages {
            guard let found = deriver.deriveAppleID(holding: lineage, facts) else { continue }
            if found.key == key { return found }
            renamed = renamed ?? found
        }
        return renamed
    }

    /// The account's facts of one Apple ID: without other lineages, and without grants, which
    /// belong to none. Blocks stay.
    ///
    /// What an Apple ID that no fact knows has brought is nothing.
    func facts(
        of account: AccountID, through key: AppleIDKey, _ reader: any LedgerReading
    ) throws(LedgerError) -> FactSet {
        var facts = folding(try reader.facts(about: account))
        var lineages: Set<LineageKey> = []
        if let known = try appleID(named: key, reader) { lineages.formUnion(known.lineages) }
        facts.transactions.removeAll { !lineages.contains($0.value.lineage) }
        facts.renewals.removeAll { !lineages.contains($0.value.lineage) }
        facts.quarantines.removeAll()
        facts.grants.removeAll()
        facts.grantRevocations.removeAll()
        return facts
    }

    /// The account's facts, through one Apple ID where one is named.
    func facts(
        of account: AccountID, throughIfAny key: AppleIDKey?, _ reader: any LedgerReading
    ) throws(LedgerError) -> FactSet {
        guard let key else { return folding(try reader.facts(about: account)) }
        return try facts(of: account, through: key, reader)
    }
}

/// What an Apple-ID key says: `atx:<environment>:<appTransactionId>` or
/// `otx:<environment>:<originalTransactionId>` (spec 1.3).
enum AppleIDName {
    case appTransaction(StoreEnvironment, AppTransactionID)
    case lineage(LineageKey)

    /// Nil for a key of another form. A bare `originalTransactionId` is not a key: it could be
    /// of any environment.
    init?(_ key: AppleIDKey) {
        let parts = key.text.split(
            separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = StoreEnvironment(rawValue: String(parts[1]))
        else { return nil }
        switch parts[0] {
        case "atx":
            guard let id = AppTransactionID(parts[2]) else { return nil }
            self = .appTransaction(environment, id)
        case "otx":
            guard let id = TransactionID(parts[2]) else { return nil }
            self = .lineage(LineageKey(environment, id))
        default: return nil
        }
    }

    /// The lineages that any fact ever named so, sorted; facts of one of them are facts of all.
    func lineages(in reader: any LedgerReading) throws(LedgerError) -> [LineageKey] {
        switch self {
        case .appTransaction(let environment, let id):
            try reader.lineages(withAppTransaction: id, in: environment)
        case .lineage(let key): [key]
        }
    }
}

extension FactSet {
    /// Adds missing entries: an entry is the same wherever it was found.
    package mutating func merge(_ other: FactSet) {
        let (erased, caseConflicts) = (self.erased, self.caseConflicts)
        var merging = Merging(facts: self, other: other)
        // Lists that are held once are changed where they are.
        self = FactSet()
        Self.visitLists(&merging)
        merging.facts.erased = Set(erased + other.erased).sorted()
        merging.facts.caseConflicts = Set(caseConflicts + other.caseConflicts).sorted()
        self = merging.facts
    }

    private struct Merging: FactListVisitor {
        var facts: FactSet
        let other: FactSet

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            let added = other[keyPath: list]
            guard !added.isEmpty else { return }
            let known = Set(facts[keyPath: list].map(\.sequence))
            facts[keyPath: list] += added.filter { !known.contains($0.sequence) }
            facts[keyPath: list].sort { $0.sequence < $1.sequence }
        }
    }
}
