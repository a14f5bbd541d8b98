internal import EntitlementModel

/// For how long somebody has paid for subscriptions of a group (spec 1.5).
struct Loyalty: Sendable {
    /// An account, or an Apple ID by one of its lineages.
    enum Member: Hashable, Sendable {
        case account(AccountID)
        case appleID(LineageKey)
    }

    struct Subject: Hashable, Sendable {
        let member: Member
        let environment: StoreEnvironment
        let group: GroupName
    }

    /// Stretches in which one subscription at least was paid for; each ends where the next begins,
    /// or before.
    let paid: [(start: Instant, end: Instant)]

    func length(at instant: Instant) -> Int64 {
        paid.filter { $0.start < instant }
            .map { min($0.end, instant).milliseconds(since: $0.start) }.reduce(0, +)
    }

    /// When a length is reached, if it ever is.
    func instant(of length: Int64) -> Instant? {
        for stretch in paid where self.length(at: stretch.end) >= length {
            return stretch.start.advanced(
                byMilliseconds: length - self.length(at: stretch.start))
        }
        return nil
    }
}

extension Specification {
    /// The lengths that some access rule compares a membership with; none where none does.
    var loyaltyBounds: [Int64] {
        let conditions = policy.accessRules.flatMap { [$0.when] + ($0.unless.map { [$0] } ?? []) }
        return conditions.flatMap { $0.memberFor ?? [] }.flatMap { bound in
            switch bound {
            case .under(let period), .atLeast(let period): [period]
            case .between(let least, let end): [least, end]
            }
        }.compactMap(\.fixedMilliseconds)
    }

    /// Of every account and Apple ID, in every group.
    func allLoyalties() -> [Loyalty.Subject: Loyalty] {
        guard !loyaltyBounds.isEmpty else { return [:] }
        let accounts = Set(facts.decisions.flatMap(\.value.ownersAfter))
        let members =
            accounts.map(Loyalty.Member.account) + lineages.map(Loyalty.Member.appleID)
        let groups = Set(purchases.compactMap { product(of: $0)?.group })
        var all: [Loyalty.Subject: Loyalty] = [:]
        for member in members {
            for environment in Set(subscriptions.keys.map(\.environment)) {
                for group in groups {
                    let subject = Loyalty.Subject(
                        member: member, environment: environment, group: group)
                    all[subject] = loyalty(of: subject)
                }
            }
        }
        return all
    }

    /// Between any two instants at which a period or an ownership begins or ends, it is paid for
    /// throughout or not at all.
    private func loyalty(of subject: Loyalty.Subject) -> Loyalty {
        let lineages = subscriptions.keys.filter { $0.environment == subject.environment }
        let turns = Set(
            lineages.flatMap { lineage in
                (subscriptions[lineage]?.periods ?? []).flatMap { [$0.start, $0.end] }
                    + decisions(on: .lineage(lineage)).map(\.value.from)
            }
        ).sorted()
        let stretches = zip(turns, turns.dropFirst()).filter { start, _ in
            lineages.contains { isPaid($0, by: subject, at: start) }
        }
        return Loyalty(paid: stretches.map { (start: $0, end: $1) })
    }

    private func isPaid(
        _ lineage: LineageKey, by subject: Loyalty.Subject, at instant: Instant
    ) -> Bool {
        guard let period = subscriptions[lineage]?.period(at: instant), instant < period.end,
            product(of: period.purchase)?.group == subject.group
        else { return false }
        let isTheirs =
            switch subject.member {
            case .account(let account):
                owners(of: .lineage(lineage), at: instant).contains(account)
            case .appleID(let other):
                lineage == other || appleIDs.areTheSame(lineage, other)
            }
        // Who pays is whoever bought it, unless it is free for a while or was paid back.
        return isTheirs && period.revocation == nil
            && [.purchased, .notStated].contains(period.purchase.current.ownership)
            && period.purchase.current.offer?.discountType != "FREE_TRIAL"
    }

    /// How long whoever asks has paid in the group of a product; nil where it has none.
    func memberFor(
        _ product: Product?, _ unit: OwnedUnit, _ account: AccountID?, at instant: Instant
    ) -> Int64? {
        guard let group = product?.group, !loyalties.isEmpty else {
            return product?.group == nil || loyaltyBounds.isEmpty ? nil : 0
        }
        return loyalty(of: unit, group, account)?.length(at: instant) ?? 0
    }

    private func loyalty(
        of unit: OwnedUnit, _ group: GroupName, _ account: AccountID?
    ) -> Loyalty? {
        let lineage: LineageKey? = if case .lineage(let key) = unit { key } else { nil }
        guard
            let member = account.map(Loyalty.Member.account) ?? lineage.map(Loyalty.Member.appleID)
        else { return nil }
        return loyalties[
            Loyalty.Subject(member: member, environment: unit.environment, group: group)]
    }

    /// When somebody reaches a length that a rule names.
    var loyaltyBoundaries: [Instant] {
        let bounds = loyaltyBounds
        return loyalties.values.flatMap { loyalty in bounds.compactMap(loyalty.instant) }
    }
}
