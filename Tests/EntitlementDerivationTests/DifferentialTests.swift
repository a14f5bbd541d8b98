internal import EntitlementDerivation
internal import EntitlementModel
internal import HistoryComparison
internal import TestSupport
internal import Testing

/// The derivation beside the specification, at every boundary and one millisecond either side,
/// with the invariants of spec 1.11. `scripts/histories` runs the same over many more.
@Test("The derivation agrees with the specification", arguments: 0..<8)
func derivationAgrees(block: UInt64) {
    var instants = 0
    for seed in (block * 25 + 1)...(block * 25 + 25) {
        let comparison = Comparison(History.random(seed: seed))
        instants += comparison.instantsCompared
        if let first = comparison.disagreements.first {
            Issue.record("seed \(seed): \(first.text)")
        }
    }
    #expect(instants > 0)
}

/// A merge ends a hold under the spelling of the account that counts then; the rule for spellings
/// changes afterwards, and the hold stays ended.
@Test("A hold that a merge has ended is ended in every spelling of the account")
func holdOfAnotherSpelling() {
    let histories = (UInt64(20_000_000)...).lazy.map { History.random(seed: $0) }
        .filter(\.mergesHoldsOfOtherSpellings).prefix(10)
    for history in histories {
        #expect(Comparison(history).disagreements.map(\.text) == [], "seed \(history.seed)")
    }
}

extension History {
    /// Whether holds, merges and policies that spell accounts otherwise are in it.
    fileprivate var mergesHoldsOfOtherSpellings: Bool {
        var (hasMerge, hasHold) = (false, false)
        var spellings = Set([firstPolicy.policy.app.accountToken])
        for event in events {
            switch event.value {
            case .merge: hasMerge = true
            case .credit(.hold): hasHold = true
            case .policy(let policy): spellings.insert(policy.app.accountToken)
            default: break
            }
        }
        return hasMerge && hasHold && spellings.count > 1
    }
}

/// Units burn in the order of their purchases' names: of a purchase that arrived under two
/// transactionIds, the smaller, whichever of them is the newer.
@Test("What was spent of a purchase with two transactionIds goes by the smaller of them")
func spentByName() {
    let history = History.random(seed: 20_007_464)
    let isSpent = history.events.contains { event in
        if case .credit = event.value { true } else { false }
    }
    #expect(isSpent)
    #expect(Comparison(history).disagreements.map(\.text) == [])
}

/// A stack is that of whoever owned the pass when it was bought, also where the decisions of then
/// took it for a lineage.
@Test("What moved before or after the catalogue had it is derived alone", arguments: [false, true])
func movedPass(isKnown: Bool) throws {
    let history = History.movedPass(isKnown: isKnown)
    #expect(Comparison(history).disagreements.map(\.text) == [])
    let playback = Playback(history)
    let bob = deriveAccount(
        AccountID(unchecked: "bob"), policies: playback.policies, facts: playback.facts)
    #expect(bob.units.first?.states.map(\.state) == [.active, .expired, .active, .expired])
}

/// The same seed is the same history, on every machine.
@Test("A history is made by its seed alone")
func historyIsMadeBySeed() {
    #expect(History.random(seed: 7).text == History.random(seed: 7).text)
    #expect(History.random(seed: 7).text != History.random(seed: 8).text)
}

/// Shrinking ends, keeps failing, and leaves nothing out that is needed.
@Test("A failing history shrinks to what makes it fail")
func historyShrinks() {
    let history = History.random(seed: 7)
    let shrunk = history.shrunk { candidate in
        candidate.events.contains { event in
            if case .transaction = event.value { true } else { false }
        }
    }
    #expect(shrunk.events.count == 1)
}
