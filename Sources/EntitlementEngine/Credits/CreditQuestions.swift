package import EntitlementAnswers
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// The spend of that entry, or the capture of a hold; nil if it is neither. Blocks.
    package func spend(_ place: LedgerSequence) throws(EngineError) -> SpendStanding? {
        try ledger.reading { reader throws(LedgerError) in
            guard let spend = try reader.spend(place, policy) else { return nil }
            var standing = SpendStanding(
                id: place, state: spend.left.isEmpty ? .reversed : .spent, at: spend.at,
                account: spend.account, environment: spend.environment, credits: spend.parts,
                left: spend.left, revision: try reader.head().sequence)
            (standing.hold, standing.reference) = (spend.hold, spend.reference)
            standing.reason = spend.reason
            return standing
        }
    }

    /// A hold, by the number of its entry; nil if there is none. Blocks.
    package func hold(
        _ place: LedgerSequence, at instant: Instant
    ) throws(EngineError) -> SpendStanding? {
        try ledger.reading { reader throws(LedgerError) in
            guard let hold = try reader.hold(place, policy),
                let made = try reader.entry(hold.value.origin ?? hold.sequence)
            else { return nil }
            let end = try reader.end(ofHold: hold.sequence)
            var state = instant < hold.value.until ? SpendStanding.State.held : .expired
            if let end, case .holdEnd(let ended)? = try reader.entry(end)?.value {
                state = ended.captured.isEmpty ? .released : .captured
            }
            var standing = SpendStanding(
                id: made.sequence, state: state, at: made.recordedAt,
                account: policy.name(hold.value.account), environment: hold.value.environment,
                credits: hold.value.parts, left: state == .held ? hold.value.parts : [],
                revision: try reader.head().sequence)
            (standing.until, standing.end) = (hold.value.until, end)
            (standing.reference, standing.reason) = (hold.value.reference, hold.value.reason)
            return standing
        }
    }
}

/// The parts of a spend, and what of them can still be returned.
struct SpentParts {
    var account: AccountID
    var environment: StoreEnvironment
    var at: Instant
    var parts: [CreditPart]
    var left: [CreditPart]
    /// The hold that it was held by.
    var hold: LedgerSequence?
    var reference: String?
    var reason: String?
}

extension LedgerReading {
    /// The spend of that entry, or the capture of a hold.
    func spend(
        _ place: LedgerSequence, _ policy: ActivePolicy
    ) throws(LedgerError) -> SpentParts? {
        guard let entry = try entry(place) else { return nil }
        var spent: SpentParts
        switch entry.value {
        case .creditSpend(let spend):
            spent = SpentParts(
                account: policy.name(spend.account), environment: spend.environment,
                at: entry.recordedAt, parts: spend.parts, left: [], hold: nil,
                reference: spend.reference, reason: spend.reason)
        case .holdEnd(let end):
            guard !end.captured.isEmpty,
                case .creditHold(let hold)? = try self.entry(end.hold)?.value
            else { return nil }
            spent = SpentParts(
                account: policy.name(end.account), environment: hold.environment,
                at: entry.recordedAt, parts: end.captured, left: [],
                hold: hold.origin ?? end.hold, reference: end.reference, reason: end.reason)
        default: return nil
        }
        let reversed = try facts(forAccount: spent.account).spendReversals
            .filter { $0.value.spend == place }.flatMap(\.value.parts)
        spent.left = spent.parts.compactMap { part in
            let units = reversed.filter { $0.credit == part.credit }
                .reduce(part.units) { $0 - $1.units }
            return units > 0 ? CreditPart(part.credit, units) : nil
        }
        return spent
    }

    /// The hold, wherever merges have put it since.
    func hold(
        _ place: LedgerSequence, _ policy: ActivePolicy
    ) throws(LedgerError) -> Recorded<CreditHold>? {
        guard let entry = try entry(place), case .creditHold(let first) = entry.value
        else { return nil }
        let origin = first.origin ?? place
        let account = try account(
            standingFor: policy.name(first.account), at: entry.recordedAt, policy)
        let moved = try policy.folding(facts(forAccount: account)).creditHolds.filter {
            ($0.value.origin ?? $0.sequence) == origin && $0.value.account == account
        }.max { $0.sequence < $1.sequence }
        return moved ?? entry.with(first)
    }
}
