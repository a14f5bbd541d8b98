package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// Why an answer is what it is: the whole tree of spec 1.10. Reads and derives the account
    /// again; nothing is kept. Blocks.
    package func explain(
        _ key: RightKey, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> Explanation {
        try require(key.entitlement)
        let account = policy.name(account)
        try requireKept(account)
        return try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: appleID, reader)
            let view = policy.view(of: account, facts: facts)
            let revision = try reader.head().sequence
            let span = view.timeline.right(key).span(at: instant)
            let units = units(
                giving: key.entitlement, in: view.timeline, at: instant, facts)
            let grants = facts.grantRecords(of: account)
                .filter { $0.grant.value.gift == .entitlement(key.entitlement) }
            let blocks = facts.blockRecords(of: account).filter { $0.isStanding(at: instant) }
            let claims = claims(giving: key.entitlement, of: account, facts, units)
            let mergedInto = try reader.mergedInto(account, policy)
            var explanation = Explanation(
                account: account, mergedInto: mergedInto, at: instant,
                isAssumed: assumedMark,
                answer: view.answer(key, at: instant, revision: revision),
                stretch: span.interval, facts: try told(span.facts, reader), units: units,
                memberships: memberships(giving: key, in: view.timeline, at: instant),
                grants: grants.map(\.answer), blocks: blocks.map(\.answer),
                claims: claims.map(\.answer),
                unclaimed: try unclaimedPayments(on: appleID, at: instant, reader),
                orders: try orders(
                    of: account, at: instant, in: key.environment, through: appleID, facts, reader
                ).filter { policy.gives(key.entitlement, $0.product) },
                nearestMiss: NearestMissSearch(
                    key: key, account: account, mergedInto: mergedInto, instant: instant,
                    facts: facts, policy: policy
                ).found)
            explanation.decidedSince = view.timeline.right(key).decided(at: instant)
            return explanation
        }
    }

    /// Nil where no rule asks for them.
    private func memberships(
        giving key: RightKey, in timeline: AccountTimeline, at instant: Instant
    ) -> [MembershipAnswer]? {
        let products = policy.history.current.products.values
        let groups = Set(products.filter { $0.gives(key.entitlement) }.compactMap(\.group))
        let answers = groups.sorted().compactMap { group in
            timeline.memberTimes[MemberKey(key.environment, group)].map {
                MembershipAnswer(group, $0, at: instant)
            }
        }
        return answers.isEmpty ? nil : answers
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
        giving entitlement: EntitlementName, in timeline: AccountTimeline, at instant: Instant,
        _ facts: FactSet
    ) -> [UnitStanding] {
        let purchases = policy.deriver.purchases(of: timeline.units, at: instant, facts)
        let renewals = policy.deriver.renewals(of: timeline.units, at: instant, facts)
        return timeline.units.compactMap { unit in
            let state = unit.states.last { $0.interval.start <= instant }
            let products = unit.states.map(\.productID)
            guard let product = products.first(where: { policy.gives(entitlement, $0) }) else {
                return nil
            }
            let isOwned = unit.owners.contains {
                $0.account == timeline.account && $0.interval.contains(instant)
            }
            return UnitStanding(
                unit: unit, product: state?.productID ?? product, isOwned: isOwned, state: state,
                offer: purchases[unit.unit]?.offer, renewal: renewals[unit.unit])
        }
    }

    /// The account's own claims on purchases that give it, and those of others on its units.
    private func claims(
        giving entitlement: EntitlementName, of account: AccountID, _ facts: FactSet,
        _ units: [UnitStanding]
    ) -> [ClaimRecord] {
        facts.claimRecords.filter { record in
            if let unit = record.decision?.value.unit,
                units.contains(where: { $0.unit == unit })
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

    private func told(
        _ facts: [LedgerSequence], _ reader: any LedgerReading
    ) throws(LedgerError) -> [FactAnswer] {
        var told: [FactAnswer] = []
        for sequence in facts {
            if let entry = try reader.entry(sequence) { told.append(try reader.told(entry)) }
        }
        return told
    }
}

extension LedgerReading {
    /// An entry as explanations tell it, with its evidence and its cause.
    func told(_ entry: Recorded<LedgerEntry>) throws(LedgerError) -> FactAnswer {
        var fact = FactAnswer(entry)
        if let place = entry.value.evidence, let found = try self.entry(place),
            case .evidence(let record) = found.value
        {
            fact.evidence = EvidenceNote(found.with(record))
        }
        if case .decision(let decision) = entry.value, let cause = try self.entry(decision.cause) {
            fact.add(cause: cause)
        }
        return fact
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

extension RightTimeline {
    /// Since when the decision is the one of the instant; nil for since ever.
    fileprivate func decided(at instant: Instant) -> Instant? {
        let begun = spans.prefix { $0.interval.start <= instant }.reversed()
        let first = begun.prefix { $0.isGranted == begun.first?.isGranted }.last?.interval.start
        return first == .distantPast ? nil : first
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

extension FactAnswer {
    /// What kind of fact it is, and its dates.
    fileprivate init(_ entry: Recorded<LedgerEntry>) {
        self.init(sequence: entry.sequence, recordedAt: entry.recordedAt)
        switch entry.value {
        case .transaction(let fact):
            kind = .transaction
            purchase = PurchaseFact(fact.snapshot)
            signedAt = fact.snapshot.signedDate
        case .renewal(let fact):
            kind = .renewal
            renewal = RenewalAnswer(fact.snapshot)
            signedAt = fact.snapshot.signedDate
        case .decision(let fact):
            kind = .decision
            decision.outcome = fact.outcome
            decision.rule = fact.rule
            decision.ownersAfter = fact.ownersAfter
        case .grant(let fact):
            kind = .grant
            grant = fact.id
            action.reason = fact.reason
        case .grantRevocation(let fact):
            kind = .grantRevocation
            grant = fact.grant
            action.reason = fact.reason
        case .block(let fact):
            kind = .block
            block = fact.id
            action.reason = fact.reason
        case .creditThaw(let thaw):
            kind = .thaw
            purchase.transaction = thaw.transaction.transactionID
            action = ActionFact(actor: thaw.actor, reason: thaw.reason)
        default: kind = .other
        }
    }

    /// The cause of a decision: a claim, or a person's action with its reason.
    fileprivate mutating func add(cause: Recorded<LedgerEntry>) {
        switch cause.value {
        case .claim(let claim):
            decision.claim = cause.sequence
            decision.account = claim.account
        case .ruling(let ruling):
            decision.ruling = cause.sequence
            decision.verb = ruling.verb
            action = ActionFact(actor: ruling.actor, reason: ruling.reason)
        case .accountMerge(let merge):
            decision.merge = cause.sequence
            decision.from = merge.from
            decision.into = merge.into
            decision.undoes = merge.undoes
            action = ActionFact(actor: merge.actor, reason: merge.reason)
        default: break
        }
    }
}
