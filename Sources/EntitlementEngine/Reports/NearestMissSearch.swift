internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel

/// Finds the nearest miss by trying: each change is made to the facts, the account is derived
/// again, and the first change after which the answer is another one is the nearest.
///
/// So it is never a guess: whatever the rules say of grace, ownership or environments, the change
/// that is named has been seen to work.
struct NearestMissSearch {
    let key: RightKey
    let account: AccountID
    /// The account that has what this one had: what would help is asked of that one.
    let mergedInto: AccountID?
    let instant: Instant
    let facts: FactSet
    let policy: ActivePolicy

    var found: NearestMissAnswer {
        let decision = isGranted(facts)
        if !decision, let mergedInto {
            return NearestMissAnswer(.merged, account: mergedInto)
        }
        let candidates = decision ? takingAway : giving
        var found = decision ? lapse ?? NearestMissAnswer(.block) : NearestMissAnswer(.policy)
        if let first = candidates.first(where: { isGranted($0.facts) != decision }) {
            found = first.change
        }
        found.decision = !decision
        return found
    }

    /// One change and the facts with it.
    private struct Candidate {
        let change: NearestMissAnswer
        let facts: FactSet
    }

    private func isGranted(_ facts: FactSet) -> Bool {
        policy.deriver.deriveAccount(account, facts).right(key).span(at: instant).isGranted
    }

    /// What would give the right, the smallest first: a word of support's, then of Apple's, then
    /// the customer's money.
    private var giving: [Candidate] {
        liftedBlocks + extendedGrants + ruledClaims + takenBack + renewals + purchases
    }

    /// What would take it away.
    private var takingAway: [Candidate] {
        guard lapse == nil else { return [] }
        return revokedGrants + refunds
    }

    /// The instant at which the right ends.
    private var lapse: NearestMissAnswer? {
        policy.deriver.deriveAccount(account, facts).right(key).decisionChange(after: instant)
            .map { NearestMissAnswer(.time, at: $0) }
    }

    private func candidate(
        _ change: NearestMissAnswer, _ edit: (inout FactSet) -> Void
    ) -> Candidate {
        var edited = facts
        edit(&edited)
        return Candidate(change: change, facts: edited)
    }
}

/// By hand.
extension NearestMissSearch {
    private var liftedBlocks: [Candidate] {
        facts.blockRecords(of: account).filter { $0.isStanding(at: instant) }.map { record in
            candidate(NearestMissAnswer(.liftBlock, block: record.block.value.id)) { edited in
                edited.blocks.removeAll { $0.sequence == record.block.sequence }
            }
        }
    }

    private var extendedGrants: [Candidate] {
        givenByHand.map { record in
            candidate(NearestMissAnswer(.extendGrant, grant: record.grant.value.id)) { edited in
                edited.grantRevocations.removeAll { $0.value.grant == record.grant.value.id }
                for index in edited.grants.indices
                where edited.grants[index].sequence == record.grant.sequence {
                    edited.grants[index].value.until = nil
                }
            }
        }
    }

    private var revokedGrants: [Candidate] {
        givenByHand.map { record in
            candidate(NearestMissAnswer(.revokeGrant, grant: record.grant.value.id)) { edited in
                edited.grants.removeAll { $0.sequence == record.grant.sequence }
            }
        }
    }

    private var givenByHand: [GrantRecord] {
        facts.grantRecords(of: account).filter {
            $0.grant.value.gift == .entitlement(key.entitlement)
        }
    }

    /// Claims of the account on units of others: denied, or moved away since.
    private var ruledClaims: [Candidate] {
        let units = policy.deriver.deriveAccount(account, facts).units.filter { unit in
            unit.owners.contains { $0.account == account && $0.interval.contains(instant) }
        }
        let owned = Set(units.map(\.unit))
        return facts.claimRecords.filter { $0.claim.value.account == account }.compactMap {
            record in
            record.decision.flatMap { decided in
                guard !owned.contains(decided.value.unit) else { return nil }
                let change = NearestMissAnswer(
                    record.isWaiting ? .approveClaim : .transferClaim,
                    at: policy.deriver.limitEnd(of: decided.value, facts),
                    claim: record.claim.sequence)
                return candidate(change) { edited in
                    edited.own(decided.value.unit, decided.value.transactionID, account, policy)
                }
            }
        }
    }
}

/// By Apple and the customer.
extension NearestMissSearch {
    private var takenBack: [Candidate] {
        presented.compactMap { snapshot in
            guard let revocation = snapshot.revocation else { return nil }
            let change: NearestMissAnswer.Change =
                switch revocation.type?.known {
                case .family: .shareAgain
                case .assigned: .assignAgain
                case .full, .prorated, nil: .reverseRefund
                }
            return resigned(
                NearestMissAnswer(change, transaction: snapshot.transactionID), snapshot
            ) { $0.revocation = nil }
        }
    }

    private var refunds: [Candidate] {
        presented.filter { $0.revocation == nil }.map { snapshot in
            resigned(NearestMissAnswer(.refund, transaction: snapshot.transactionID), snapshot) {
                $0.revocation = Revocation(date: snapshot.purchaseDate)
            }
        }
    }

    private var renewals: [Candidate] {
        let newest = Dictionary(grouping: presented.filter { $0.expiresDate != nil }) {
            $0.lineage
        }.compactMapValues { $0.max { $0.purchaseDate < $1.purchaseDate } }
        return newest.sorted { $0.key < $1.key }.map { lineage, snapshot in
            candidate(
                NearestMissAnswer(
                    .renew, lineage: lineage.originalTransactionID, product: snapshot.productID)
            ) { edited in
                var renewal = snapshot
                renewal.transactionID = .counterfactual
                renewal.webOrderLineItemID = nil
                renewal.revocation = nil
                renewal.isUpgraded = false
                renewal.purchaseDate = instant
                renewal.expiresDate = instant.advanced(byMilliseconds: 1)
                renewal.signedDate = max(instant, snapshot.signedDate)
                edited.append(renewal)
            }
        }
    }

    private var purchases: [Candidate] {
        policy.history.current.products.values.filter { product in
            product.gives(key.entitlement) && product.retiredAt.map { $0 > instant } ?? true
        }.sorted { $0.id < $1.id }.map { product in
            candidate(NearestMissAnswer(.buy, product: product.id)) { edited in
                edited.buy(product, at: instant, in: key.environment, for: account, policy)
            }
        }
    }

    /// The newest snapshots of the transactions whose products give the right.
    private var presented: [TransactionSnapshot] {
        let newest = Dictionary(grouping: facts.transactions.map(\.value)) { $0.key }
            .compactMapValues { $0.max { $0.signedDate < $1.signedDate } }
        return newest.values.filter { policy.gives(key.entitlement, $0.productID) }
            .sorted {
                TransactionID.precedesByLength($1.transactionID, $0.transactionID)
            }
    }

    /// Apple signs the transaction again, with one field changed.
    private func resigned(
        _ change: NearestMissAnswer, _ snapshot: TransactionSnapshot,
        _ edit: (inout TransactionSnapshot) -> Void
    ) -> Candidate {
        candidate(change) { edited in
            var newer = snapshot
            edit(&newer)
            newer.signedDate = snapshot.signedDate.advanced(byMilliseconds: 1)
            newer.source.form = .jws
            edited.append(newer)
        }
    }
}

extension TransactionID {
    /// Of a purchase that never was.
    fileprivate static var counterfactual: TransactionID { TransactionID(unchecked: "~") }
}

/// What never was, written behind everything that was.
extension FactSet {
    fileprivate mutating func append(_ snapshot: TransactionSnapshot) {
        transactions.append(
            Recorded(sequence: nextSequence, recordedAt: snapshot.signedDate, value: snapshot))
    }

    fileprivate mutating func own(
        _ unit: OwnedUnit, _ transaction: TransactionID, _ account: AccountID,
        _ policy: ActivePolicy
    ) {
        let place = nextSequence
        let decision = OwnershipDecision(
            cause: place, unit: unit, transactionID: transaction, outcome: .accepted,
            rule: .builtIn(.byHand), policy: policy.digest, ownersBefore: [],
            ownersAfter: [account], from: .distantPast)
        decisions.append(
            Recorded(sequence: place, recordedAt: .distantPast, value: decision))
    }

    fileprivate mutating func buy(
        _ product: Product, at instant: Instant, in environment: StoreEnvironment,
        for account: AccountID, _ policy: ActivePolicy
    ) {
        var purchase = TransactionSnapshot(
            environment: environment, bundleID: policy.history.current.app.bundleID,
            transactionID: .counterfactual, originalTransactionID: .counterfactual,
            productID: product.id, purchaseDate: instant, signedDate: instant,
            source: EvidenceSource(
                form: .jws, trust: .signed, canonicalDigest: policy.digest))
        purchase.kind = .known(product.kind)
        purchase.ownership = .purchased
        if product.kind == .autoRenewable {
            purchase.expiresDate = (product.period ?? Period(1, .months)).end(from: instant)
        }
        append(purchase)
        let unit: OwnedUnit =
            product.kind.isAccountScoped
            ? .purchase(purchase.key) : .lineage(purchase.lineage)
        own(unit, purchase.transactionID, account, policy)
    }

    private var nextSequence: LedgerSequence {
        let last =
            [
                transactions.map(\.sequence).max(), decisions.map(\.sequence).max(),
                claims.map(\.sequence).max(), rulings.map(\.sequence).max(),
            ].compactMap(\.self).max() ?? .zero
        return LedgerSequence(last.number + 1)
    }
}
