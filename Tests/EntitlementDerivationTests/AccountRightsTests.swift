internal import EntitlementDerivation
internal import EntitlementModel
internal import HistoryComparison
internal import TestSupport
internal import Testing

/// The rest of a history is what a person gives, ends and blocks: several at one instant, of one
/// length, with ends in the past and in the future, and once more what was ended already.
@Test(
    "What a person gives, ends and blocks is added as if the account were derived again",
    arguments: 1...40 as ClosedRange<UInt64>)
func rightsAreAddedTo(seed: UInt64) {
    let playback = Playback(History.random(seed: seed))
    let deriver = Deriver(policies: playback.policies)
    var facts = playback.facts
    var actions = ActionsByHand(seed: seed, playback)
    let account = actions.account
    var (last, rights) = deriver.deriveAccountWithRights(account, facts)
    var taken = 0
    for _ in 0..<80 {
        let entry = actions.next()
        facts.insert(entry)
        let derived = deriver.deriveAccountWithRights(account, facts)
        if rights.take(entry) {
            taken += 1
            // Nothing but rights may follow from what is taken.
            #expect(derived.timeline.findings == last.findings)
            #expect(derived.timeline.balances == last.balances)
            #expect(derived.timeline.units == last.units)
        } else {
            rights = derived.rights
        }
        #expect(rights.timelines == derived.timeline.rights, "\(entry)")
        last = derived.timeline
    }
    #expect(taken > 40)
}

/// What a person may do by hand to one account, at random.
private struct ActionsByHand {
    let account: AccountID
    private let entitlements: [EntitlementName]
    private var random: SplitMix64
    private var now = Instant.distantPast
    private var sequence: Int64 = 1_000_000
    private var grants: [GrantID] = []
    private var blocks: [BlockID] = []

    init(seed: UInt64, _ playback: Playback) {
        random = SplitMix64(seed: seed)
        let policy = playback.policies.current
        let owners = playback.facts.decisions.flatMap(\.value.ownersAfter).map(policy.name)
        account = owners.sorted().first ?? policy.name(AccountID(unchecked: "given"))
        entitlements = policy.entitlements.keys.sorted()
        now = playback.facts.transactions.map(\.recordedAt).max() ?? Instant(milliseconds: 0)
        now = now.advanced(byMilliseconds: 400 * 86_400_000)
    }

    mutating func next() -> Recorded<LedgerEntry> {
        sequence += 1
        if random.chance(3, in: 4) { now = days(random.below(20)) }
        let value: LedgerEntry =
            switch random.below(8) {
            case 0..<4: give()
            case 4, 5: end()
            case 6: block()
            default: lift()
            }
        return Recorded(sequence: LedgerSequence(sequence), recordedAt: now, value: value)
    }

    private func days(_ count: Int) -> Instant {
        now.advanced(byMilliseconds: Int64(count) * 86_400_000)
    }

    private mutating func give() -> LedgerEntry {
        // Of different lengths: a shorter name decides between equals.
        let id = GrantID(unchecked: "g\(random.below(9) == 0 ? 5 : random.below(100_000))")
        grants.append(id)
        let from = days(random.below(60) - 40)
        let lengths = [nil, 1, 30, 30, 365]
        return .grant(
            Grant(
                id: id, account: account, environment: random.pick([.production, .sandbox]),
                gift: .entitlement(random.pick(entitlements)), from: from,
                until: random.pick(lengths).map {
                    from.advanced(byMilliseconds: Int64($0) * 86_400_000)
                }, actor: "uid:7", reason: "a test"))
    }

    private mutating func end() -> LedgerEntry {
        .grantRevocation(
            GrantRevocation(
                grant: random.pick(grants + [GrantID(unchecked: "none")]), account: account,
                actor: "uid:7", reason: "a test"))
    }

    private mutating func block() -> LedgerEntry {
        let id = BlockID(unchecked: "b\(sequence)")
        blocks.append(id)
        let scope = BlockScope(entitlements: [random.pick(entitlements)], credits: [])
        return .block(
            Block(
                id: id, account: account, scope: random.chance(1, in: 2) ? .everything : scope,
                actor: "uid:7", reason: "a test"))
    }

    private mutating func lift() -> LedgerEntry {
        .blockRemoval(
            BlockRemoval(
                block: random.pick(blocks + [BlockID(unchecked: "none")]), account: account,
                actor: "uid:7", reason: "a test"))
    }
}
