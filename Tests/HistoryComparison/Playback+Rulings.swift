internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification
internal import TestSupport

/// Rulings by hand: what the derivation makes of them, beside what they have to come to.
extension Playback {
    mutating func rule(
        _ wish: HistoryRuling, on key: TransactionKey, recordedAt: Instant
    ) {
        let specification = Specification(policies: policies, facts: facts)
        guard let unit = specification.unit(of: key) else { return }
        let ruling = Ruling(wish, on: unit, in: specification)
        let specified = specification.ruling(ruling, on: unit)
        let outcome = EntitlementDerivation.rule(
            ruling, recordedAt: recordedAt, policies: policies, facts: facts)
        if describe(outcome) != describe(specified) {
            disagreements.append(
                Disagreement(
                    "ruling \(wish) on \(unit.text)", at: recordedAt,
                    derived: describe(outcome), specified: describe(specified)))
        }
        switch outcome {
        case .impossible(let obstacle): coverage.visit("ruling \(obstacle.rawValue)")
        case .decided(let decisions):
            coverage.visit("ruling \(ruling.verb.rawValue)")
            let place = next(ruling, recordedAt)
            facts.rulings.append(place)
            for decided in decisions {
                let decision = decided.decision(
                    ruling: place.sequence, policy: policies.current.digest)
                facts.decisions.append(next(decision, recordedAt))
            }
        }
    }
}

extension Ruling {
    fileprivate init(
        _ wish: HistoryRuling, on unit: OwnedUnit, in specification: Specification
    ) {
        self.init(verb: .release, unit: unit, actor: "support", reason: "a test")
        switch wish {
        case .approve(let account):
            verb = .approve
            claim = specification.waitingClaim(on: unit, preferring: account)
        case .refuse(let account):
            verb = .refuse
            claim = specification.waitingClaim(on: unit, preferring: account)
        case .transfer(let account):
            verb = .transfer
            self.account = account
        case .release(let account):
            verb = .release
            self.account = account
        case .undo(let back):
            verb = .undo
            decision = specification.changes(of: unit).dropLast(back).last?.sequence
        }
    }
}

extension Specification {
    /// The newest of the account, or of anybody.
    fileprivate func waitingClaim(
        on unit: OwnedUnit, preferring account: AccountID
    ) -> LedgerSequence? {
        let waiting = waitingClaims(on: unit)
        return (waiting.last { $0.value.account == account } ?? waiting.last)?.sequence
    }
}

private func describe(_ outcome: RulingOutcome) -> String {
    switch outcome {
    case .impossible(let obstacle): return obstacle.rawValue
    case .decided(let decisions):
        let owners = decisions.first?.ownersAfter ?? []
        return text(owners: owners, refused: decisions.compactMap(\.deniedClaim))
    }
}

private func describe(_ ruling: SpecifiedRuling) -> String {
    switch ruling {
    case .impossible(let reason): reason
    case .decided(let owners, let refused): text(owners: Array(owners), refused: Array(refused))
    }
}

private func text(owners: [AccountID], refused: [LedgerSequence]) -> String {
    let owners = owners.map(\.text).sorted().joined(separator: "+")
    return "-> \(owners) refusing \(refused.sorted())"
}
