package import EntitlementModel

/// The rights of an account with the sources they are the union of: grants, their ends and blocks
/// change them without deriving anything else of the account (spec 1.6).
package struct AccountRights: Sendable {
    package private(set) var timelines: [RightKey: RightTimeline] = [:]
    private let account: AccountID
    private var sources: [SourcesOfRight]
    private let gifts: Gifts
    /// The grants, by name; nil before the first is added.
    private var given: [GrantID: Given]?
    private var blocks: Blocks

    /// A grant, and where it is among the contributions to its right.
    private struct Given {
        let grant: Recorded<Grant>
        var isEnded: Bool
        var place: (right: Int, contribution: Int)?
    }

    init(of account: AccountID, gifts: Gifts, others: [Contribution], blocks: Blocks) {
        self.account = account
        self.gifts = gifts
        self.blocks = blocks
        sources = (gifts.contributions + others).byRight
        applyBlocks()
    }

    /// Adds an entry recorded after all that the rights follow from.
    ///
    /// - Returns: false where they, or more than they, may follow otherwise; they are then as they
    ///   were.
    package mutating func take(_ entry: Recorded<LedgerEntry>) -> Bool {
        if case .grant(let grant) = entry.value, grant.account == account {
            return give(entry.with(grant))
        }
        if case .grantRevocation(let revocation) = entry.value, revocation.account == account,
            revocation.payment == nil
        {
            return end(by: entry.with(revocation))
        }
        if case .block(let block) = entry.value, block.account == account {
            blocks.add(entry.with(block))
        } else if case .blockRemoval(let removal) = entry.value, removal.account == account {
            blocks.end(by: entry.with(removal))
        } else {
            return false
        }
        applyBlocks()
        return true
    }

    private mutating func give(_ grant: Recorded<Grant>) -> Bool {
        if given == nil { given = places() }
        guard given?[grant.value.id] == nil,
            let contribution = Gifts.contribution(of: grant, endedBy: nil),
            let right = sources.firstIndex(where: { $0.right == contribution.right })
        else { return false }
        given?[grant.value.id] = Given(
            grant: grant, isEnded: false,
            place: (right, sources[right].contributions.count))
        sources[right].add(contribution)
        applyBlocks(to: sources[right])
        return true
    }

    private mutating func end(by revocation: Recorded<GrantRevocation>) -> Bool {
        if given == nil { given = places() }
        let id = revocation.value.grant
        guard let gift = given?[id], !gift.isEnded, let place = gift.place,
            let contribution = Gifts.contribution(of: gift.grant, endedBy: revocation)
        else { return false }
        given?[id]?.isEnded = true
        sources[place.right].shorten(place.contribution, to: contribution)
        applyBlocks(to: sources[place.right])
        return true
    }

    private func places() -> [GrantID: Given] {
        var given: [GrantID: Given] = [:]
        for (grant, revocation) in gifts.all {
            given[grant.value.id] = Given(grant: grant, isEnded: revocation != nil)
        }
        for (right, source) in sources.enumerated() {
            for (place, contribution) in source.contributions.enumerated() {
                guard case .grant(let id)? = contribution.spans.last?.source else { continue }
                given[id]?.place = (right, place)
            }
        }
        return given
    }

    private mutating func applyBlocks() {
        for source in sources { applyBlocks(to: source) }
    }

    private mutating func applyBlocks(to source: SourcesOfRight) {
        timelines[source.right] =
            blocks.isEmpty
            ? source.timeline
            : blocks.applied(to: source.timeline, of: source.right.entitlement)
    }
}

/// The sources of one right.
struct SourcesOfRight {
    let right: RightKey
    fileprivate(set) var contributions: [Contribution]
    private(set) var timeline: RightTimeline = .empty
    /// The leading sources over time, once anything was added.
    private var leaders: [Leader]?

    init(of right: RightKey, _ contributions: [Contribution]) {
        self.right = right
        self.contributions = contributions
    }

    fileprivate mutating func unite() { timeline = union(contributions) }

    mutating func add(_ contribution: Contribution) {
        let known = leaders ?? EntitlementDerivation.leaders(of: contributions)
        contributions.append(contribution)
        lead(known.joined(byLastOf: contributions))
    }

    /// Replaces a contribution by one that ends earlier. Where it did not lead before, it does not
    /// lead now.
    mutating func shorten(_ index: Int, to contribution: Contribution) {
        let known = leaders ?? EntitlementDerivation.leaders(of: contributions)
        contributions[index] = contribution
        let isSeen = known.contains { $0.candidate.contribution == index }
        lead(isSeen ? EntitlementDerivation.leaders(of: contributions) : known)
    }

    private mutating func lead(_ leaders: [Leader]) {
        self.leaders = leaders
        timeline = RightTimeline(leaders, contributions)
    }
}

extension [Contribution] {
    /// One for each environment and entitlement that anything was said about.
    var byRight: [SourcesOfRight] {
        var sources: [SourcesOfRight] = []
        for contribution in self {
            if let index = sources.firstIndex(where: { $0.right == contribution.right }) {
                sources[index].contributions.append(contribution)
            } else {
                sources.append(SourcesOfRight(of: contribution.right, [contribution]))
            }
        }
        for index in sources.indices { sources[index].unite() }
        return sources
    }
}
