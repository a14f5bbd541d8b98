internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// Why an answer is what it is: the whole tree of spec 1.10.
package struct Explanation: Sendable {
    package let account: AccountID
    package let at: Instant
    package let answer: Answer
    /// The stretch in which the answer and its reason stay the same.
    package let stretch: Interval
    /// What the answer follows from, in the ledger's order.
    package let facts: [ExplainedFact]
    /// The units of the account, present and former, whose products give the entitlement.
    package let units: [ExplainedUnit]
    package let grants: [GrantRecord]
    /// The blocks that stand at the instant.
    package let blocks: [BlockRecord]
    /// The claims on those units, by whomever.
    package let claims: [ClaimRecord]
    /// Payments that nobody has claimed, on the Apple ID that the question is limited to.
    package let unclaimed: [Finding]
    package let nearestMiss: NearestMiss
}

/// A fact with the evidence that it was read from.
package struct ExplainedFact: Sendable {
    package let entry: Recorded<LedgerEntry>
    package let evidence: Recorded<EvidenceRecord>?
    /// Of a decision: the claim, ruling or merge that it decided.
    package let cause: Recorded<LedgerEntry>?
}

/// A unit at the instant of the question.
package struct ExplainedUnit: Sendable {
    package let timeline: UnitTimeline
    package let product: ProductID?
    /// Nil before its first period, and for what has no states.
    package let state: StateSpan?
    package let isOwned: Bool
}

extension LedgerQuestions {
    /// Reads and derives the account anew; nothing is kept. Blocks.
    package func explain(
        _ key: RightKey, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> Explanation {
        try require(key.entitlement)
        let account = policy.name(account)
        return try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: appleID, reader)
            let view = policy.view(of: account, facts: facts)
            let revision = try reader.head().sequence
            let span = view.timeline.right(key).span(at: instant)
            let units = units(giving: key.entitlement, in: view.timeline, at: instant)
            let grants = facts.grantRecords(of: account)
                .filter { $0.grant.value.gift == .entitlement(key.entitlement) }
            return Explanation(
                account: account, at: instant,
                answer: view.answer(key, at: instant, revision: revision),
                stretch: span.interval, facts: try explained(span.facts, reader), units: units,
                grants: grants,
                blocks: facts.blockRecords(of: account).filter { $0.isStanding(at: instant) },
                claims: claims(giving: key.entitlement, of: account, facts, units),
                unclaimed: try unclaimedPayments(on: appleID, at: instant, reader),
                nearestMiss: NearestMissSearch(
                    key: key, account: account, instant: instant, facts: facts, policy: policy
                ).found)
        }
    }

    private func unclaimedPayments(
        on appleID: AppleIDKey?, at instant: Instant, _ reader: any LedgerReading
    ) throws(LedgerError) -> [Finding] {
        guard let appleID, let known = try policy.appleID(named: appleID, reader),
            let lineage = known.lineages.first
        else { return [] }
        return policy.deriver.paymentsUnclaimed(
            onAppleIDHolding: lineage, at: instant, try reader.facts(forLineage: lineage))
    }

    private func units(
        giving entitlement: EntitlementName, in timeline: AccountTimeline, at instant: Instant
    ) -> [ExplainedUnit] {
        timeline.units.compactMap { unit in
            let state = unit.states.last { $0.interval.start <= instant }
            let products = unit.states.map(\.productID)
            guard let product = products.first(where: { policy.gives(entitlement, $0) }) else {
                return nil
            }
            let isOwned = unit.owners.contains {
                $0.account == timeline.account && $0.interval.contains(instant)
            }
            return ExplainedUnit(
                timeline: unit, product: state?.productID ?? product, state: state,
                isOwned: isOwned)
        }
    }

    /// The account's own claims on purchases that give it, and those of others on its units.
    private func claims(
        giving entitlement: EntitlementName, of account: AccountID, _ facts: FactSet,
        _ units: [ExplainedUnit]
    ) -> [ClaimRecord] {
        facts.claimRecords.filter { record in
            if let unit = record.decision?.value.unit,
                units.contains(where: { $0.timeline.unit == unit })
            {
                return true
            }
            guard record.claim.value.account == account else { return false }
            let presented = facts.transactions.first {
                $0.value.key == record.claim.value.transaction
            }
            return presented.map { policy.gives(entitlement, $0.value.productID) } ?? false
        }
    }

    private func explained(
        _ facts: [LedgerSequence], _ reader: any LedgerReading
    ) throws(LedgerError) -> [ExplainedFact] {
        var explained: [ExplainedFact] = []
        for sequence in facts {
            guard let entry = try reader.entry(sequence) else { continue }
            var evidence: Recorded<EvidenceRecord>?
            if let place = entry.value.evidence, let found = try reader.entry(place),
                case .evidence(let record) = found.value
            {
                evidence = found.with(record)
            }
            var cause: Recorded<LedgerEntry>?
            if case .decision(let decision) = entry.value {
                cause = try reader.entry(decision.cause)
            }
            explained.append(ExplainedFact(entry: entry, evidence: evidence, cause: cause))
        }
        return explained
    }
}

extension LedgerEntry {
    /// The entry that holds the bytes that this was read from.
    fileprivate var evidence: LedgerSequence? {
        switch self {
        case .transaction(let fact): fact.evidence
        case .renewal(let fact): fact.evidence
        case .appTransaction(let fact): fact.evidence
        case .notification(let fact): fact.evidence
        case .claim(let claim): claim.evidence
        case .quarantine(let quarantine): quarantine.evidence
        default: nil
        }
    }
}

extension ActivePolicy {
    /// Whether the catalogue says that the product gives the entitlement.
    func gives(_ entitlement: EntitlementName, _ product: ProductID) -> Bool {
        history.current.products[product]?.gives(entitlement) ?? false
    }
}

extension Product {
    func gives(_ name: EntitlementName) -> Bool {
        grants.contains { grant in
            guard case .entitlement(name, _) = grant else { return false }
            return true
        }
    }
}
