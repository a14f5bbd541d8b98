package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// How many Apple IDs are read at once, and how many a page examines.
    private static let (portion, mostAppleIDs) = (100, 2_000)

    /// The claims that the policy in force would decide otherwise today (spec 1.6), and first what
    /// older rules have left to a person. Nothing is changed. Blocks.
    ///
    /// - Parameters:
    ///   - place: `next` of the page before; zero for the first one.
    ///   - limit: a page ends with the Apple ID that reaches it.
    package func reviewedClaims(
        after place: LedgerSequence, at instant: Instant, limit: Int
    ) throws(EngineError) -> ClaimReviewPage {
        try ledger.reading { reader throws(LedgerError) in
            var claims: [ReviewedClaim] = []
            var (next, looked): (Int64?, Int) = (place.number, 0)
            while claims.count < limit, looked < Self.mostAppleIDs, let last = next {
                let clusters = try reader.clusters(after: last, limit: Self.portion)
                next = nil
                for cluster in clusters {
                    let review = ClaimReview(
                        facts: try policy.facts(ofClaimsOn: cluster.lineage, reader),
                        policy: policy, instant: instant)
                    claims += review.claims
                    (next, looked) = (cluster.number, looked + 1)
                    if claims.count >= limit { break }
                }
            }
            let left =
                place == .zero
                ? try leftByOlderRules(reader, at: instant, limit: limit) : nil
            return ClaimReviewPage(
                at: instant, policy: policy.digest, claims: claims, leftByOlderRules: left,
                next: next.map { LedgerSequence($0) }, revision: try reader.head().sequence)
        }
    }

    /// Payments without an owner, and orders in review, from before the newest rules were recorded;
    /// if there are many, the oldest. Nil in a ledger that has known no other rules.
    private func leftByOlderRules(
        _ reader: any LedgerReading, at instant: Instant, limit: Int
    ) throws(LedgerError) -> [LostOrder]? {
        let activations = try reader.policyActivations()
        guard activations.first?.value.rules != ClaimRules.version,
            let newest = activations.first(where: { $0.value.rules == ClaimRules.version })
        else { return nil }
        let search = LostOrderSearch(
            reader: reader, policy: policy, instant: instant, end: newest.sequence)
        return try search.page(after: .zero, limit: limit) { reason in
            reason == .unclaimedPayment || reason == .inReview
        }.found
    }
}

/// The claims on the purchases of one Apple ID, each with its decision as of today.
private struct ClaimReview {
    let facts: FactSet
    let policy: ActivePolicy
    let instant: Instant

    /// The same claim again, of which only the newest counts.
    private struct Identity: Hashable {
        let account: AccountID
        let unit: OwnedUnit
        let moment: ClaimMoment
    }

    var claims: [ReviewedClaim] {
        var newest: [Identity: ClaimRecord] = [:]
        for record in facts.claimRecords {
            guard let decision = record.decision else { continue }
            let claim = record.claim.value
            newest[
                Identity(
                    account: claim.account, unit: decision.value.unit, moment: claim.moment)
            ] = record
        }
        return newest.values.sorted { $0.claim.sequence < $1.claim.sequence }.compactMap(review)
    }

    /// Nil where it would come to the same, and where a person, a merge or a later claim has had
    /// the last word.
    private func review(_ record: ClaimRecord) -> ReviewedClaim? {
        guard let decision = record.decision, record.approval == nil,
            decision.value.rule != .byHand, decision.value.rule != .merged
        else { return nil }
        let judged =
            decision.value.outcome == .accepted
            ? judgedThen(record.claim, decision) : judgedNow(record.claim)
        guard let judged else { return nil }
        let difference = difference(from: decision.value, to: judged)
        if difference == .none { return nil }
        return ReviewedClaim(
            record.answer,
            today: TodaysOutcome(
                outcome: ClaimStanding(judged.outcome), rule: judged.rule,
                ownersAfter: judged.ownersAfter),
            ruling: difference.ruling)
    }

    /// By today's policy and the facts of then: later facts follow from it.
    private func judgedThen(
        _ claim: Recorded<Claim>, _ decision: Recorded<OwnershipDecision>
    ) -> JudgedClaim? {
        let last = policy.deriver.lastChange(ofWhat: decision.value, facts)
        guard last?.sequence == decision.sequence else { return nil }
        return policy.deriver.judge(
            claim.value, recordedAt: claim.recordedAt, facts.before(claim.sequence)
        ).first
    }

    /// As if it came again.
    private func judgedNow(_ claim: Recorded<Claim>) -> JudgedClaim? {
        policy.deriver.judge(claim.value, recordedAt: instant, facts).first
    }

    private func difference(from decision: OwnershipDecision, to judged: JudgedClaim) -> Difference
    {
        let isWaiting = decision.outcome == .denied(.waiting)
        switch (decision.outcome, judged.outcome) {
        case (.accepted, .accepted):
            return judged.ownersAfter == decision.ownersAfter ? .none : .isRuled(.undo)
        case (.accepted, .denied):
            return .isRuled(decision.ownersBefore.isEmpty ? .release : .undo)
        case (.denied, .accepted): return .isRuled(isWaiting ? .approve : .transfer)
        case (.denied, .denied(.waiting)): return isWaiting ? .none : .isAsked
        case (.denied, .denied): return isWaiting ? .isRuled(.refuse) : .none
        case (.alreadyOwned, _), (_, .alreadyOwned): return .none
        }
    }

    /// The difference today.
    private enum Difference: Equatable {
        case none
        /// A person applies it by this.
        case isRuled(Ruling.Verb)
        /// A person would be asked.
        case isAsked

        var ruling: Ruling.Verb? {
            guard case .isRuled(let verb) = self else { return nil }
            return verb
        }
    }
}

extension ActivePolicy {
    /// The facts by which claims on the Apple ID of a lineage are judged.
    fileprivate func facts(
        ofClaimsOn lineage: LineageKey, _ reader: any LedgerReading
    ) throws(LedgerError) -> FactSet {
        let known = try reader.facts(about: .lineage(lineage))
        guard !known.claims.isEmpty else { return known }
        let facts = try reader.facts(
            forClaimsOn: known.claims.map(\.value.transaction),
            by: Array(Set(known.claims.map(\.value.account))))
        return folding(facts)
    }
}
