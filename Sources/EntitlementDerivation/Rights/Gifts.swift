internal import EntitlementModel

/// Rights given by hand to an account (spec 1.1).
struct Gifts {
    private let grants: [Recorded<Grant>]
    private let revocations: [Recorded<GrantRevocation>]

    init(to account: AccountID, in facts: FactSet) {
        grants = facts.grants.filter { $0.value.account == account }
            .sorted { $0.sequence < $1.sequence }
        revocations = facts.grantRevocations.filter { $0.value.account == account }
            .sorted { $0.sequence < $1.sequence }
    }

    /// Each grant once, with the revocation that ended it.
    var all: [(grant: Recorded<Grant>, revocation: Recorded<GrantRevocation>?)] {
        var seen: Set<GrantID> = []
        return grants.filter { seen.insert($0.value.id).inserted }.map { grant in
            let revocation = revocations.first {
                $0.value.grant == grant.value.id && $0.sequence > grant.sequence
            }
            return (grant, revocation)
        }
    }

    /// A grant is `active` while it holds; afterwards the denial names it as what last gave.
    var contributions: [Contribution] {
        all.compactMap { grant, revocation in
            guard case .entitlement(let entitlement) = grant.value.gift,
                let interval = Interval(
                    from: grant.value.from,
                    to: Interval.earlier(grant.value.until, revocation?.recordedAt))
            else { return nil }
            let bucket = RightBucket(
                environment: grant.value.environment, entitlement: entitlement)
            var spans = SpanList(capacity: 3)
            spans.append(
                RightSpan(
                    interval: interval,
                    verdict: RightVerdict(
                        isGranted: true, state: .active, source: .grant(grant.value.id),
                        rule: .grantedByHand, facts: [grant.sequence])))
            if let end = interval.end {
                let isRevoked = revocation.map { $0.recordedAt == end } ?? false
                spans.append(
                    RightSpan(
                        interval: Interval(uncheckedFrom: end, to: nil),
                        verdict: RightVerdict(
                            isGranted: false, state: isRevoked ? .revoked : .expired,
                            source: .grant(grant.value.id), rule: .grantEnded,
                            facts: [grant.sequence] + (revocation.map { [$0.sequence] } ?? []))))
            }
            return Contribution(
                bucket: bucket, order: SourceOrder(lineage: nil, id: grant.value.id.text),
                spans: spans.spans)
        }
    }
}
