internal import EntitlementDerivation
internal import EntitlementModel
internal import TestSupport

/// The invariants of spec 1.11 that a derivation can be held to, over one history.
func properties(of playback: Playback, derived: DerivedTimelines) -> [Disagreement] {
    orderDoesNotMatter(playback, derived) + oneAccountAlone(playback, derived)
        + oneOwnerAtMost(playback, derived)
        + everyRightHasReasons(derived, playback.policies.current)
        + sandboxChangesNothing(playback, derived) + deliveredOnce(derived)
        + nothingIsLost(playback, derived) + spendingGoesOn(playback)
}

/// What is held over every history beside the specification, by the numbers of spec 1.11. The
/// comparison with the specification is 3.
package let propertiesChecked = [
    "1 and 6: order and repetition of facts change nothing",
    "2: an account or an Apple ID derived alone is the same as with all",
    "4: no purchase is delivered twice",
    "4: every unit of a credit is accounted for",
    "4: what a spend leaves, taken on or derived again, is the same",
    "5: at most one owner under keep and transfer",
    "7: every granted instant names its rule and its facts",
    "8: nothing from another environment changes production",
]

/// 1 and 6: the same Apple facts in another order and twice give the same timelines.
private func orderDoesNotMatter(_ playback: Playback, _ derived: DerivedTimelines)
    -> [Disagreement]
{
    var dice = SplitMix64(seed: UInt64(playback.facts.transactions.count))
    var facts = playback.facts
    facts.transactions = dice.shuffled(facts.transactions + facts.transactions)
    facts.renewals = dice.shuffled(facts.renewals + facts.renewals)
    facts.decisions = dice.shuffled(facts.decisions)
    let again = derive(policies: playback.policies, facts: facts)
    let isSame =
        again.accounts == derived.accounts && again.appleIDs == derived.appleIDs
        && again.appleIDOfLineage == derived.appleIDOfLineage
        && Set(again.findings) == Set(derived.findings)
    return failure("1 and 6: order and repetition of facts change nothing", unless: isSame)
}

/// 2: an account derived alone is the account derived with all.
private func oneAccountAlone(_ playback: Playback, _ derived: DerivedTimelines)
    -> [Disagreement]
{
    let (policies, facts) = (playback.policies, playback.facts)
    let accounts = derived.accounts.allSatisfy { account, timeline in
        deriveAccount(account, policies: policies, facts: facts) == timeline
    }
    let fewest = derived.accounts.allSatisfy { account, timeline in
        let few = facts.connected(to: account, by: policies.current)
        return deriveAccount(account, policies: policies, facts: few) == timeline
    }
    let appleIDs = derived.appleIDOfLineage.allSatisfy { lineage, key in
        deriveAppleID(holding: lineage, policies: policies, facts: facts)
            == derived.appleIDs[key]
    }
    return failure("2: deriving an account alone", unless: accounts)
        + failure("2: deriving an account from its own Apple IDs", unless: fewest)
        + failure("2: deriving an Apple ID alone", unless: appleIDs)
}

/// 5: without a rule that shares, a unit has at most one owner at any instant.
private func oneOwnerAtMost(_ playback: Playback, _ derived: DerivedTimelines)
    -> [Disagreement]
{
    let shares = playback.policies.activations.contains { activation in
        activation.policy.claimRules.contains { $0.verb.word == "share" }
    }
    if shares { return [] }
    let units = derived.accounts.values.flatMap(\.units)
    let isSingle = units.allSatisfy { unit in
        unit.owners.allSatisfy { owner in
            unit.owners.allSatisfy {
                $0 == owner || $0.interval.intersection(owner.interval) == nil
            }
        }
    }
    return failure("5: at most one owner under keep and transfer", unless: isSingle)
}

/// 7: every granted span names a rule and the facts that it follows from; one that nothing but
/// `open` gives lies in a window of that right.
private func everyRightHasReasons(
    _ derived: DerivedTimelines, _ policy: Policy
) -> [Disagreement] {
    let open = Dictionary(
        uniqueKeysWithValues: policy.openRights.map { ($0.reference, $0.windows) })
    let timelines =
        derived.accounts.values.flatMap(\.rights.values)
        + derived.appleIDs.values.flatMap(\.rights.values)
    let hasReasons = timelines.flatMap(\.spans).filter(\.isGranted).allSatisfy { span in
        if let windows = open[span.rule] {
            return span.facts.isEmpty && span.source == nil
                && windows.contains { $0.contains(span.interval.start) }
        }
        return !span.facts.isEmpty && span.source != nil && !span.rule.name.isEmpty
            && span.facts == span.facts.sorted()
    }
    return failure("7: no fact, no right", unless: hasReasons)
}

/// 8: without a rule that names another environment, production answers are as they would be
/// without its facts.
private func sandboxChangesNothing(_ playback: Playback, _ derived: DerivedTimelines)
    -> [Disagreement]
{
    let policy = playback.policies.current
    let namesEnvironment = (policy.appRules + policy.accessRules).contains {
        $0.when.environments?.contains { $0 != .production } == true
    }
    if namesEnvironment { return [] }
    var facts = playback.facts
    facts.transactions.removeAll { $0.value.environment != .production }
    facts.renewals.removeAll { $0.value.environment != .production }
    facts.decisions.removeAll { $0.value.unit.environment != .production }
    facts.claims.removeAll { $0.value.transaction.environment != .production }
    let without = derive(policies: playback.policies, facts: facts)
    let isSame = derived.accounts.allSatisfy { account, timeline in
        let other =
            without.accounts[account]
            ?? deriveAccount(account, policies: playback.policies, facts: facts)
        let rights = timeline.rights.keys.filter { $0.environment == .production }
        let balances = timeline.balances.keys.filter { $0.environment == .production }
        return rights.allSatisfy { timeline.right($0) == other.right($0) }
            && balances.allSatisfy {
                timeline.balances[$0]?.entries ?? [] == other.balances[$0]?.entries ?? []
            }
    }
    return failure("8: nothing from another environment changes production", unless: isSame)
}

/// 4: no purchase, and no part of a period, is delivered twice, in any account of an environment.
private func deliveredOnce(_ derived: DerivedTimelines) -> [Disagreement] {
    var seen: Set<String> = []
    var isOnce = true
    for (_, timeline) in derived.accounts {
        for (key, credits) in timeline.balances {
            for entry in credits.entries where entry.cause == .delivery {
                guard let transaction = entry.transaction else {
                    isOnce = false
                    continue
                }
                let mark =
                    "\(key.environment) \(key.credit) \(transaction.environment) "
                    + "\(transaction.transactionID) "
                    + "\(entry.period.map { "\($0.start.milliseconds)" } ?? "")"
                if !seen.insert(mark).inserted { isOnce = false }
            }
        }
    }
    return failure("4: no purchase is delivered twice", unless: isOnce)
}

/// 4: what accounts have, what they hold and what has gone out are together what has come in. Each
/// move, spend, hold and reversal is in the balance with the units that were recorded for it.
private func nothingIsLost(_ playback: Playback, _ derived: DerivedTimelines) -> [Disagreement] {
    typealias Cause = CreditTimeline.Entry.Cause
    var isWhole = true
    for (account, timeline) in derived.accounts {
        for (key, credit) in timeline.balances {
            var sums: [Cause: Int128] = [:]
            for entry in credit.entries { sums[entry.cause, default: 0] += Int128(entry.units) }
            func recorded(_ parts: [(StoreEnvironment, [CreditPart])]) -> Int128 {
                parts.filter { $0.0 == key.environment }.flatMap(\.1)
                    .filter { $0.credit == key.credit }.reduce(0) { $0 + Int128($1.units) }
            }
            let facts = playback.namedFacts
            let holds = facts.creditHolds.filter {
                $0.value.account == account && $0.recordedAt < $0.value.until
            }
            let captures = facts.holdEnds.compactMap { end in
                holds.first { $0.sequence == end.value.hold }.map {
                    ($0.value.environment, end.value.captured)
                }
            }
            let spent = facts.creditSpends.filter { $0.value.account == account }.map {
                ($0.value.environment, $0.value.parts)
            }
            let reversed = facts.spendReversals.filter { $0.value.account == account }.map {
                ($0.value.environment, $0.value.parts)
            }
            let held = recorded(holds.map { ($0.value.environment, $0.value.parts) })
            isWhole =
                isWhole && sums[.spend, default: 0] == -recorded(spent + captures)
                && sums[.reversal, default: 0] == recorded(reversed)
                && sums[.hold, default: 0] == -held && sums[.release, default: 0] == held
                && credit.entries.allSatisfy { $0.units != 0 && !$0.facts.isEmpty }
                && sums.values.reduce(0, +) == credit.balance(at: Instant(milliseconds: .max))
        }
    }
    return failure("4: every unit of a credit is accounted for", unless: isWhole)
}

/// 4: what an account can spend, taken on over a spend or a hold and over time, is what the facts
/// give that hold the spend too.
private func spendingGoesOn(_ playback: Playback) -> [Disagreement] {
    let deriver = Deriver(policies: playback.policies)
    let facts = playback.namedFacts
    var isSame = true
    func compare(_ credits: SpendableCredits, _ standing: CreditStanding, at instant: Instant) {
        let keys = StoreEnvironment.allCases.flatMap { environment in
            Set(standing.balances.keys.map(\.credit)).map { CreditKey(environment, $0) }
        }
        isSame =
            isSame
            && keys.allSatisfy { key in
                let timeline = standing.timeline(key)
                return credits.balance(key) == timeline.balance(at: instant)
                    && credits.held(key) == timeline.held(at: instant)
                    && credits.isFrozen(key, at: instant) == timeline.isFrozen(at: instant)
                    && credits.isBlocked(key.credit, at: instant)
                        == standing.isBlocked(key.credit, at: instant)
            }
    }
    func check<Value>(
        _ action: Recorded<Value>, of account: AccountID,
        _ take: (inout SpendableCredits) -> Void
    ) {
        let place = action.sequence
        let before = playback.facts.before(place)
        let after = playback.facts.before(LedgerSequence(place.number + 1))
        var credits = deriver.spendableCredits(of: account, before, at: action.recordedAt)
        compare(credits, deriver.credits(of: account, before), at: action.recordedAt)
        take(&credits)
        let standing = deriver.credits(of: account, after)
        for later in [0, 1, 3_600_000, 40 * 86_400_000] as [Int64] {
            let instant = action.recordedAt.advanced(byMilliseconds: later)
            credits.advance(to: instant)
            compare(credits, standing, at: instant)
        }
    }
    for spend in facts.creditSpends {
        check(spend, of: spend.value.account) { $0.spend(spend) }
    }
    for hold in facts.creditHolds
    where hold.value.origin == nil && hold.recordedAt < hold.value.until {
        check(hold, of: hold.value.account) { $0.hold(hold) }
    }
    return failure("4: what a spend leaves, taken on or derived again", unless: isSame)
}

private func failure(_ property: String, unless holds: Bool) -> [Disagreement] {
    holds ? [] : [Disagreement(property, derived: "does not hold", specified: "holds")]
}
