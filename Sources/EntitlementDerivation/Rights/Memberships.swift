internal import EntitlementModel

/// How long an account, or an Apple ID, has paid for subscriptions of each group (spec 1.5).
struct Memberships {
    private(set) var times: [MemberKey: MemberTime] = [:]

    /// Of units, in the stretches in which each counts; of none where no rule asks for it.
    init(
        of units: [DerivedUnit], view: FactView, during stretches: (DerivedUnit) -> [Interval]
    ) {
        guard view.policy.splits.asksForMemberTime else { return }
        var paid: [MemberKey: [Interval]] = [:]
        for unit in units where unit.kind.isKnown(.autoRenewable) {
            let owned = stretches(unit)
            for (span, purchase) in zip(unit.states.spans, unit.states.purchaseOfSpan)
            where span.state == .active {
                let period = unit.states.purchases[purchase]
                guard let group = view.policy.group(of: period), period.isPaidByOwner(in: view)
                else { continue }
                paid[MemberKey(unit.unit.environment, group), default: []] +=
                    owned.compactMap(span.interval.intersection)
            }
        }
        times = paid.mapValues { MemberTime(joined: $0.joined) }
    }

    /// While it owned each of them.
    init(of account: AccountID, in units: [DerivedUnit], view: FactView) {
        self.init(of: units, view: view) { unit in
            unit.ownership.spans.filter { $0.account == account }.map(\.interval)
        }
    }

    /// Nil where the purchase is in no group.
    func time(of purchase: Purchase, in environment: StoreEnvironment, view: FactView)
        -> MemberTime?
    {
        view.policy.group(of: purchase).map {
            times[MemberKey(environment, $0)] ?? MemberTime(joined: [])
        }
    }
}

extension CompiledPolicy {
    /// By the catalogue, or of what it lacks as it was promised (spec 1.8).
    fileprivate func group(of purchase: Purchase) -> GroupName? {
        purchase.given(by: self)?.product.group
    }
}

extension Purchase {
    /// Whether who has it paid for it and was not paid back: what is free for a while, given by a
    /// family or a company, or refunded is not paid for.
    fileprivate func isPaidByOwner(in view: FactView) -> Bool {
        switch ownership(in: view) {
        case .purchased, .notStated:
            revocation == nil && offer(in: view)?.discountType != "FREE_TRIAL"
        case .familyShared, .assigned, .unknown: false
        }
    }
}
