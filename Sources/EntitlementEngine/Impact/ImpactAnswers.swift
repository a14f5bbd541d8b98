package import EntitlementAnswers
internal import EntitlementModel
internal import PolicyAnalysis
package import PolicyLoading

extension PolicyImpactAnswer {
    init(_ tally: ImpactTally, _ frame: ImpactFrame) {
        self.init(
            policy: frame.new, replaces: frame.old, at: frame.window.start,
            days: Int64(frame.window.days), revision: frame.revision,
            concerned: tally.examined, losing: tally.losing, losingEver: tally.losingEver,
            gaining: tally.gaining,
            groups: tally.groups.map { ImpactGroupAnswer($0, $1, from: frame.window.start) }
                .sorted(by: ImpactGroupAnswer.precedes))
    }
}

extension ImpactDateAnswer {
    init(_ date: LaterDate, _ window: ImpactWindow) {
        let step: Step =
            switch date.step {
            case .begins: .begins
            case .ends: .ends
            case .changes: .changes
            }
        let day: Int64 = 86_400_000
        let days = (date.at.milliseconds(since: window.start) + day - 1) / day
        self.init(
            section: date.section, rule: date.rule, step: step, at: date.at,
            days: ImpactWindow.possibleDays.contains(Int(days)) ? days : nil)
    }
}

extension ImpactGroupAnswer {
    fileprivate init(_ group: ImpactGroup, _ figures: ImpactTally.Figures, from start: Instant) {
        let change: Change = group.direction == .loses ? .loses : .gains
        var (entitlement, credit): (EntitlementName?, CreditName?)
        switch group.right.subject {
        case .entitlement(let name): entitlement = name
        case .credit(let name): credit = name
        }
        self.init(
            change: change, environment: group.right.environment, entitlement: entitlement,
            credit: credit, product: group.product, state: group.state,
            accounts: figures.accounts,
            paid: group.currency.map {
                CataloguePrice(currency: $0, thousandths: figures.milliunits)
            }, from: figures.first ?? start, byDay: figures.days,
            examples: figures.examples.map { Example(account: $0.account, from: $0.from) })
    }

    /// Losses first, then by environment and right; the largest group of a right comes first.
    fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
        let (texts, others) = (left.place, right.place)
        if texts != others { return texts.lexicographicallyPrecedes(others) }
        if left.accounts != right.accounts { return left.accounts > right.accounts }
        return left.rest.lexicographicallyPrecedes(right.rest)
    }

    private var place: [String] {
        [
            change == .loses ? "0" : "1", environment == .production ? "" : environment.rawValue,
            entitlement == nil ? "1" : "0", entitlement?.text ?? credit?.text ?? "",
        ]
    }

    private var rest: [String] {
        [product?.text ?? "", state?.rawValue ?? "", paid?.currency ?? ""]
    }
}

extension ImpactTally {
    /// As an earlier run left it.
    init(_ impact: PolicyImpactAnswer) {
        self.init()
        (examined, losing, gaining) = (impact.concerned, impact.losing, impact.gaining)
        losingEver = impact.losingEver
        for answer in impact.groups {
            guard let group = ImpactGroup(answer) else { continue }
            var figures = Figures()
            figures.accounts = answer.accounts
            figures.milliunits = answer.paid?.thousandths ?? 0
            figures.days = answer.byDay
            figures.first = answer.from
            figures.examples = answer.examples.map {
                ImpactExample(account: $0.account, from: $0.from)
            }
            groups[group] = figures
        }
    }
}

extension ImpactGroup {
    fileprivate init?(_ answer: ImpactGroupAnswer) {
        let subject: ImpactRight.Subject
        switch (answer.entitlement, answer.credit) {
        case (let name?, _): subject = .entitlement(name)
        case (nil, let name?): subject = .credit(name)
        case (nil, nil): return nil
        }
        self.init(
            answer.change == .loses ? .loses : .gains, ImpactRight(answer.environment, subject),
            product: answer.product, state: answer.state, currency: answer.paid?.currency)
    }
}

extension PolicyHistory {
    /// How many earlier policies are searched.
    private static var looked: Int { 8 }

    /// The differences of the texts; one that restores the text of a policy before the first one
    /// undoes later changes, as a folder made from an older copy does (spec 2.6).
    ///
    /// - Parameter between: policies that are to be in force before the first one.
    func edits(
        from base: Policy, to new: Policy, between: [Policy] = []
    ) -> [PolicyEditAnswer] {
        let edits = policyEdits(from: base, to: new)
        if edits.isEmpty { return [] }
        let earlier = activations.suffix(Self.looked).map(\.policy) + between
        let differing = earlier.filter { $0.digest != base.digest }.map { policy in
            Set(policyEdits(from: policy, to: new).map(Place.init))
        }
        return edits.map { edit in
            var answer = PolicyEditAnswer(edit)
            let isUndoing = differing.contains { !$0.contains(Place(edit)) }
            answer.isUndoing = isUndoing ? true : nil
            return answer
        }
    }
}

/// What an edit is about.
private struct Place: Hashable {
    let section: String
    let name: String?

    init(_ edit: PolicyEdit) {
        (section, name) = (edit.section, edit.name)
    }
}

extension PolicyEditAnswer {
    package init(_ edit: PolicyEdit) {
        let change: Change =
            switch edit.change {
            case .added: .added
            case .removed: .removed
            case .changed: .changed
            case .reordered: .reordered
            }
        self.init(
            section: edit.section, change: change, name: edit.name, keys: edit.keys,
            before: edit.before, after: edit.after)
    }
}
