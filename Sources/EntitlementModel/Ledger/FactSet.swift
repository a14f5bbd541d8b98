/// The facts that a derivation reads: some entries of the ledger, sorted into kinds.
///
/// A set for an account includes everything about every Apple ID that the account owns a lineage
/// of; more does no harm.
package struct FactSet: Sendable {
    package var transactions: [Recorded<TransactionSnapshot>] = []
    package var renewals: [Recorded<RenewalSnapshot>] = []
    package var claims: [Recorded<Claim>] = []
    package var decisions: [Recorded<OwnershipDecision>] = []
    package var rulings: [Recorded<Ruling>] = []
    package var grants: [Recorded<Grant>] = []
    package var grantRevocations: [Recorded<GrantRevocation>] = []
    package var blocks: [Recorded<Block>] = []
    package var blockRemovals: [Recorded<BlockRemoval>] = []
    package var accountTokens: [Recorded<AccountTokenRegistration>] = []
    package var quarantines: [Recorded<Quarantine>] = []
    package var accountMerges: [Recorded<AccountMerge>] = []
    package var storeReports: [Recorded<StoreReport>] = []
    package var creditSpends: [Recorded<CreditSpend>] = []
    package var creditHolds: [Recorded<CreditHold>] = []
    package var holdEnds: [Recorded<HoldEnd>] = []
    package var spendReversals: [Recorded<SpendReversal>] = []
    package var creditThaws: [Recorded<CreditThaw>] = []
    package var refundConsents: [Recorded<RefundConsent>] = []
    package var orderPromises: [Recorded<OrderPromise>] = []
    /// Entries that belong here and whose content was erased.
    package var erased: [LedgerSequence] = []
    /// Decisions that judged two spellings of one account against each other: known once the
    /// accounts are folded.
    package var caseConflicts: [LedgerSequence] = []

    package init() {}

    /// Adds one entry to its list; entries that no derivation reads are skipped.
    package mutating func insert(_ entry: Recorded<LedgerEntry>) {
        switch entry.value {
        case .transaction(let fact): transactions.append(entry.with(fact.snapshot))
        case .renewal(let fact): renewals.append(entry.with(fact.snapshot))
        case .claim(let claim): claims.append(entry.with(claim))
        case .decision(let decision): decisions.append(entry.with(decision))
        case .ruling(let ruling): rulings.append(entry.with(ruling))
        case .grant(let grant): grants.append(entry.with(grant))
        case .grantRevocation(let revocation): grantRevocations.append(entry.with(revocation))
        case .block(let block): blocks.append(entry.with(block))
        case .blockRemoval(let removal): blockRemovals.append(entry.with(removal))
        case .accountToken(let registration): accountTokens.append(entry.with(registration))
        case .quarantine(let quarantine): quarantines.append(entry.with(quarantine))
        case .accountMerge(let merge): accountMerges.append(entry.with(merge))
        case .storeReport(let report): storeReports.append(entry.with(report))
        case .creditSpend(let spend): creditSpends.append(entry.with(spend))
        case .creditHold(let hold): creditHolds.append(entry.with(hold))
        case .holdEnd(let end): holdEnds.append(entry.with(end))
        case .spendReversal(let reversal): spendReversals.append(entry.with(reversal))
        case .creditThaw(let thaw): creditThaws.append(entry.with(thaw))
        case .refundConsent(let consent): refundConsents.append(entry.with(consent))
        case .orderPromise(let promise): orderPromises.append(entry.with(promise))
        default: break
        }
    }
}

/// An element of a list of a `FactSet`. Most facts name one account, some none or several.
package protocol FactValue: Sendable {
    /// False for a kind of fact that never names an account: its lists are long.
    static var namesAccounts: Bool { get }
    /// Whether every account that it names has its folded name (spec 1.1).
    var hasFoldedAccounts: Bool { get }
    /// Gives every account that it names its folded name.
    mutating func foldAccounts()
}

extension FactValue {
    package static var namesAccounts: Bool { true }
}

/// Visits every list of a `FactSet`, whatever its elements.
package protocol FactListVisitor {
    mutating func visit<Value: FactValue>(
        _ list: WritableKeyPath<FactSet, [Recorded<Value>]>)
}

extension FactSet {
    /// Lets the visitor see each list once. `erased` and `caseConflicts` say where, not what.
    package static func visitLists(_ visitor: inout some FactListVisitor) {
        visitor.visit(\.transactions)
        visitor.visit(\.renewals)
        visitor.visit(\.claims)
        visitor.visit(\.decisions)
        visitor.visit(\.rulings)
        visitor.visit(\.grants)
        visitor.visit(\.grantRevocations)
        visitor.visit(\.blocks)
        visitor.visit(\.blockRemovals)
        visitor.visit(\.accountTokens)
        visitor.visit(\.quarantines)
        visitor.visit(\.accountMerges)
        visitor.visit(\.storeReports)
        visitor.visit(\.creditSpends)
        visitor.visit(\.creditHolds)
        visitor.visit(\.holdEnds)
        visitor.visit(\.spendReversals)
        visitor.visit(\.creditThaws)
        visitor.visit(\.refundConsents)
        visitor.visit(\.orderPromises)
    }
}

extension FactSet {
    /// The same facts, with every account under its folded name: entries keep their bytes and are
    /// read this way (spec 1.1).
    ///
    /// Decisions that judged two spellings of one account against each other are noted.
    package func foldingAccounts() -> FactSet {
        guard namesUnfoldedAccounts else { return self }
        var facts = self
        facts.caseConflicts = caseConflicts + decisionsBetweenSpellings()
        var folding = Folding(facts: facts)
        Self.visitLists(&folding)
        return folding.facts
    }

    private struct Folding: FactListVisitor {
        var facts: FactSet

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            guard Value.namesAccounts else { return }
            for index in facts[keyPath: list].indices
            where !facts[keyPath: list][index].value.hasFoldedAccounts {
                facts[keyPath: list][index].value.foldAccounts()
            }
        }
    }

    private struct UnfoldedNames: FactListVisitor {
        let facts: FactSet
        var areThere = false

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            guard Value.namesAccounts, !areThere else { return }
            areThere = !facts[keyPath: list].allSatisfy(\.value.hasFoldedAccounts)
        }
    }

    private var namesUnfoldedAccounts: Bool {
        var names = UnfoldedNames(facts: self)
        Self.visitLists(&names)
        return names.areThere
    }

    /// Decisions on a claim of an account that another spelling of its name owned.
    private func decisionsBetweenSpellings() -> [LedgerSequence] {
        var claimants: [LedgerSequence: AccountID] = [:]
        for claim in claims { claimants[claim.sequence] = claim.value.account }
        return decisions.filter { decision in
            guard let claimant = claimants[decision.value.cause] else { return false }
            return decision.value.ownersBefore.contains {
                $0 != claimant && $0.folded == claimant.folded
            }
        }.map(\.sequence)
    }
}

/// A fact that names no account.
package protocol AccountlessFact: FactValue {}

extension AccountlessFact {
    package static var namesAccounts: Bool { false }
    package var hasFoldedAccounts: Bool { true }
    package mutating func foldAccounts() {}
}

extension TransactionSnapshot: AccountlessFact {}
extension RenewalSnapshot: AccountlessFact {}

/// A fact that names one account.
package protocol AccountFact: FactValue {
    var account: AccountID { get set }
}

extension AccountFact {
    package var hasFoldedAccounts: Bool { account.isFolded }
    package mutating func foldAccounts() { account = account.folded }
}

extension Claim: AccountFact {}
extension Grant: AccountFact {}
extension GrantRevocation: AccountFact {}
extension Block: AccountFact {}
extension BlockRemoval: AccountFact {}
extension AccountTokenRegistration: AccountFact {}

extension Ruling: FactValue {
    package var hasFoldedAccounts: Bool { account?.isFolded ?? true }
    package mutating func foldAccounts() { account = account?.folded }
}

extension Quarantine: FactValue {
    package var hasFoldedAccounts: Bool { account?.isFolded ?? true }
    package mutating func foldAccounts() { account = account?.folded }
}

extension OwnershipDecision: FactValue {
    package var hasFoldedAccounts: Bool {
        ownersBefore.allSatisfy(\.isFolded) && ownersAfter.allSatisfy(\.isFolded)
    }

    package mutating func foldAccounts() {
        ownersBefore = ownersBefore.foldedOnce()
        ownersAfter = ownersAfter.foldedOnce()
    }
}

extension AccountMerge: FactValue {
    package var hasFoldedAccounts: Bool { from.isFolded && into.isFolded }

    package mutating func foldAccounts() {
        from = from.folded
        into = into.folded
    }
}

extension [AccountID] {
    /// Sorted, each once.
    fileprivate func foldedOnce() -> [AccountID] {
        allSatisfy(\.isFolded) ? self : Set(map(\.folded)).sorted()
    }
}

extension FactSet {
    /// The facts known when that entry was written.
    package func before(_ place: LedgerSequence) -> FactSet {
        var earlier = Earlier(facts: self, place: place)
        Self.visitLists(&earlier)
        earlier.facts.erased.removeAll { $0 >= place }
        earlier.facts.caseConflicts = []
        return earlier.facts
    }

    private struct Earlier: FactListVisitor {
        var facts: FactSet
        let place: LedgerSequence

        mutating func visit<Value: FactValue>(
            _ list: WritableKeyPath<FactSet, [Recorded<Value>]>
        ) {
            facts[keyPath: list].removeAll { $0.sequence >= place }
        }
    }
}
