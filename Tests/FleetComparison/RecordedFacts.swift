package import EntitlementModel
package import LedgerModel

extension FactSet {
    /// All that a ledger has.
    package init(recordedIn ledger: any LedgerReading) throws(LedgerError) {
        self.init()
        var last = LedgerSequence.zero
        while case let run = try ledger.entries(after: last, limit: 1_000), let newest = run.last {
            for entry in run { insert(entry) }
            last = newest.sequence
        }
    }

    /// Whether each was recorded no earlier than those before it. A ledger keeps nothing else: it
    /// takes what comes later for recorded no earlier.
    package var isInOrder: Bool {
        let instants = entries.map(\.recordedAt)
        return zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 }
    }

    /// In the order in which they were recorded.
    package var entries: [Recorded<LedgerEntry>] {
        let evidence = LedgerSequence(1)
        var entries: [Recorded<LedgerEntry>] = []
        entries += transactions.map {
            $0.with(.transaction(TransactionFact(snapshot: $0.value, evidence: evidence)))
        }
        entries += renewals.map {
            $0.with(.renewal(RenewalFact(snapshot: $0.value, evidence: evidence)))
        }
        entries += claims.map { $0.with(.claim($0.value)) }
        entries += decisions.map { $0.with(.decision($0.value)) }
        entries += rulings.map { $0.with(.ruling($0.value)) }
        entries += grants.map { $0.with(.grant($0.value)) }
        entries += grantRevocations.map { $0.with(.grantRevocation($0.value)) }
        entries += blocks.map { $0.with(.block($0.value)) }
        entries += blockRemovals.map { $0.with(.blockRemoval($0.value)) }
        entries += accountTokens.map { $0.with(.accountToken($0.value)) }
        entries += accountMerges.map { $0.with(.accountMerge($0.value)) }
        entries += creditSpends.map { $0.with(.creditSpend($0.value)) }
        entries += creditHolds.map { $0.with(.creditHold($0.value)) }
        entries += holdEnds.map { $0.with(.holdEnd($0.value)) }
        entries += spendReversals.map { $0.with(.spendReversal($0.value)) }
        entries += creditThaws.map { $0.with(.creditThaw($0.value)) }
        entries += refundConsents.map { $0.with(.refundConsent($0.value)) }
        entries += orderPromises.map { $0.with(.orderPromise($0.value)) }
        return entries.sorted { $0.sequence < $1.sequence }
    }
}

extension Ledger {
    /// Puts each entry where it stood in the history, all of them in one commit. What is there
    /// already is not put there twice: something that concerns nobody takes its place.
    ///
    /// - Returns: those that are new.
    @discardableResult
    package func appendOnce(
        _ entries: [Recorded<LedgerEntry>]
    ) async throws -> [Recorded<LedgerEntry>] {
        try await write { transaction in
            try entries.filter { try transaction.appendOnce($0) }
        }
    }

    /// - Returns: whether it is new.
    package func appendOnce(_ entry: Recorded<LedgerEntry>) async throws -> Bool {
        try await !appendOnce([entry]).isEmpty
    }
}

extension LedgerWriting {
    fileprivate func appendOnce(_ entry: Recorded<LedgerEntry>) throws -> Bool {
        let isNew =
            switch entry.value {
            case .transaction(let fact): try sequence(of: fact.snapshot) == nil
            case .renewal(let fact): try sequence(of: fact.snapshot) == nil
            default: true
            }
        var next = try head().sequence.number + 1
        while next <= entry.sequence.number {
            let isPlace = next == entry.sequence.number && isNew
            _ = try append(isPlace ? entry.value : .ofNobody(next), at: entry.recordedAt)
            next += 1
        }
        return isNew
    }
}

extension LedgerEntry {
    /// What concerns nobody whom a history names.
    fileprivate static func ofNobody(_ number: Int64) -> LedgerEntry {
        .block(
            Block(
                id: BlockID(unchecked: "b-\(number)"), account: AccountID(unchecked: "nobody"),
                actor: "uid:0", reason: "test"))
    }
}
