package import EntitlementAnswers
package import EntitlementModel
internal import PolicyLoading
internal import StoreSimulator

/// A story that tells what became of a real account, under other names (spec 2.3): whose it is,
/// its Apple IDs, transaction ids and tokens do not stand in it.
///
/// A story plays a simulated store, in which not everything can happen that Apple has done. So it
/// is played as soon as it is written: what the policy then answers otherwise than it does today is
/// told beside it, and not expected.
package struct AccountStory: Sendable {
    /// The YAML of the story.
    package var text: String
    /// Answers of today that the story does not lead to.
    package var missed: [String]
    /// Whether nothing of the account can be told: there is no step.
    package var isEmpty: Bool

    /// Where the account has purchases or grants, production first. A story is of one environment.
    package static func environments(of report: AccountReport) -> [StoreEnvironment] {
        StoreEnvironment.allCases.filter { environment in
            report.units.contains { $0.unit.environment == environment }
                || report.grants.contains { $0.environment == environment }
        }
    }

    /// - Parameters:
    ///   - report: on the account at the instant, in that environment alone.
    ///   - environment: whose purchases are told.
    package static func write(
        _ report: AccountReport, at instant: Instant, in environment: StoreEnvironment,
        _ options: StoryOptions, _ language: Language
    ) async -> AccountStory {
        var history = AccountHistory(report, at: instant, environment, options.policy)
        history.tell()
        let expected = history.expectations()
        // A story without an expectation cannot be played: there is one of what it has not.
        let spare = history.lackedEntitlements()
        let failed = await failing(
            expected + spare, history.text(expected + spare, language), options)
        let kept = expected.filter { !failed.contains($0) }
        let told = kept.isEmpty ? spare.filter { !failed.contains($0) } : kept
        return AccountStory(
            text: history.text(told, language),
            missed: expected.filter { failed.contains($0) }.map { $0.expected(in: language) },
            isEmpty: history.isEmpty && told.isEmpty)
    }

    /// Which expectations do not come true where the draft is played.
    private static func failing(
        _ expected: [Sentence], _ draft: String, _ options: StoryOptions
    ) async -> [Sentence] {
        let read = readStory(PolicyText(path: "account.yaml", text: draft), policy: options.policy)
        guard let story = read.story else { return [] }
        let result = await playStory(story, options)
        let lines = Set(result.failures.map(\.diagnostic.place.line))
        let failed = story.steps.filter { lines.contains($0.place.line) }.map(\.sentence)
        return expected.filter { failed.contains($0) }
    }
}

/// The history of one account in steps of a story.
private struct AccountHistory {
    private let report: AccountReport
    private let now: Instant
    private let environment: StoreEnvironment
    private let policy: Policy
    private var steps: [(at: Instant, sentence: Sentence)] = []
    private var appleIDs: [AppleIDKey: String] = [:]
    private static let account = "customer"

    init(
        _ report: AccountReport, at now: Instant, _ environment: StoreEnvironment,
        _ policy: Policy
    ) {
        self.report = report
        self.now = now
        self.environment = environment
        self.policy = policy
    }

    mutating func tell() {
        for (number, unit) in report.units.filter({ $0.unit.environment == environment })
            .enumerated()
        {
            tell(unit, as: "P\(number + 1)")
        }
        for (number, grant) in report.grants.filter({ $0.environment == environment })
            .enumerated()
        {
            tell(grant, as: "G\(number + 1)")
        }
        for (number, block) in report.blocks.enumerated() { tell(block, as: "B\(number + 1)") }
        // Those of one instant stay in their order.
        steps = steps.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    private mutating func add(
        _ verb: any RawRepresentable<String>, at instant: Instant,
        _ values: [SentenceSlot: String?]
    ) {
        guard instant <= now, Play.dates.contains(instant) else { return }
        let said = values.compactMapValues { $0.map { SentenceValue($0) } }
        steps.append((instant, Sentence(verb: verb.rawValue, values: said)))
    }

    // MARK: Purchases

    private mutating func tell(_ unit: UnitAnswer, as name: String) {
        guard unit.owners.contains(where: { $0.account == report.frame.account }),
            let begun = unit.states.first?.interval.start ?? unit.purchase?.purchasedAt,
            let product = unit.states.first?.product ?? unit.purchase?.product,
            policy.products[product] != nil
        else { return }
        let isSubscription = unit.kind == .known(.autoRenewable)
        let bought: [SentenceSlot: String?] = [
            .account: Self.account, .product: product.text, .name: name,
            .appleID: appleID(of: unit),
            .quantity: unit.purchase.flatMap { $0.quantity > 1 ? "\($0.quantity)" : nil },
        ]
        var buying = bought
        if isSubscription, let free = unit.states.first.flatMap({ trial($0, product) }) {
            buying[.offer] = "1"
            buying[.free] = free
        }
        add(StoreVerb.buys, at: begun, buying)
        var told = SubscriptionTelling(name: name, states: unit.states, policy: policy)
        told.tell(isSubscription: isSubscription)
        for step in told.steps { add(step.verb, at: step.at, step.values) }
    }

    private mutating func appleID(of unit: UnitAnswer) -> String? {
        guard let key = unit.appleID else { return nil }
        let known = appleIDs[key] ?? "A\(appleIDs.count + 1)"
        appleIDs[key] = known
        return known
    }

    /// Whole days of a first period that is not as long as the product's.
    private func trial(_ state: StateAnswer, _ product: ProductID) -> String? {
        guard let end = state.paidUntil, let period = policy.products[product]?.period,
            period.end(from: state.interval.start) != end
        else { return nil }
        let length = end.milliseconds(since: state.interval.start)
        return length > 0 && length % 86_400_000 == 0 ? "\(length / 86_400_000)d" : nil
    }

    // MARK: What support did

    private mutating func tell(_ grant: GrantAnswer, as name: String) {
        let until = grant.until.map(\.storyText)
        switch grant.gift {
        case .entitlement(let entitlement):
            add(
                StoryVerb.grants, at: grant.from,
                [
                    .account: Self.account, .entitlement: entitlement.text, .until: until,
                    .name: name,
                ])
        case .credit(let credit, let units):
            add(
                StoryVerb.grantsCredit, at: grant.from,
                [
                    .account: Self.account, .credit: credit.text, .units: "\(units)",
                    .until: until, .name: name,
                ])
        }
        if let ended = grant.revoked {
            add(StoryVerb.revokesGrant, at: ended.at, [.grant: name])
        }
    }

    private mutating func tell(_ block: BlockAnswer, as name: String) {
        let entitlement = block.entitlements?.first?.text
        if let credit = block.credits?.first?.text, entitlement == nil {
            add(
                StoryVerb.blocksSpending, at: block.recordedAt,
                [.account: Self.account, .credit: credit, .name: name])
        } else {
            add(
                StoryVerb.blocks, at: block.recordedAt,
                [.account: Self.account, .entitlement: entitlement, .name: name])
        }
        if let ended = block.lifted { add(StoryVerb.liftsBlock, at: ended.at, [.block: name]) }
    }

    // MARK: Today

    var isEmpty: Bool { steps.isEmpty }

    func expectations() -> [Sentence] {
        let rights = report.rights.filter { $0.environment == environment }.map { answer in
            var told = StoryAnswers.right(of: AccountID(unchecked: Self.account), answer)
            let kept: Set<SentenceSlot> = [.account, .entitlement, .state]
            told.values = told.values.filter {
                kept.contains($0.key) || $0.key == .rule && answer.rule.line > 0
            }
            return told
        }
        let balances = report.balances.map { balance in
            Sentence(
                verb: StoryExpectation.balance.rawValue,
                values: [
                    .account: SentenceValue(Self.account),
                    .credit: SentenceValue(balance.credit.text),
                    .units: SentenceValue("\(balance.balance)"),
                ])
        }
        return rights + balances
    }

    /// That it has none of the entitlements that it has not today.
    func lackedEntitlements() -> [Sentence] {
        let given = report.rights.filter { $0.environment == environment && $0.decision }
            .map(\.entitlement)
        return policy.entitlements.keys.filter { !given.contains($0) }.sorted().map { name in
            Sentence(
                verb: StoryExpectation.lacks.rawValue,
                values: [
                    .account: SentenceValue(Self.account),
                    .entitlement: SentenceValue(name.text),
                ])
        }
    }

    /// The file. Instants are RFC 3339, or days.
    func text(_ expected: [Sentence], _ language: Language) -> String {
        var lines = [
            "usher: 1", "story: \(StoryPhrase.accountTitle.english)",
            "story_zh: \(StoryPhrase.accountTitle.chinese)",
        ]
        if environment != .production { lines.append("environment: \(environment.rawValue)") }
        lines.append("steps:")
        let all = steps + expected.map { (now, $0) }
        for (at, sentence) in all {
            let said = storyTable.write(sentence, in: language) ?? sentence.verb
            lines.append("  - \(at.storyText): \(said)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The states of one purchase as what led to them.
private struct SubscriptionTelling {
    struct Step {
        var at: Instant
        var verb: StoreVerb
        var values: [SentenceSlot: String?]
    }

    let name: String
    let states: [StateAnswer]
    let policy: Policy
    var steps: [Step] = []

    private mutating func add(
        _ verb: StoreVerb, at instant: Instant, _ values: [SentenceSlot: String?] = [:]
    ) {
        steps.append(
            Step(
                at: instant, verb: verb,
                values: values.merging([.purchase: name]) { first, _ in first }))
    }

    mutating func tell(isSubscription: Bool) {
        for (before, state) in zip(states, states.dropFirst()) {
            let start = state.interval.start
            switch state.state {
            case .revoked: add(.isRefunded, at: start)
            case .active where before.state == .revoked: add(.refundIsReversed, at: start)
            case .active where isSubscription: begins(state, after: before)
            case .grace:
                add(.failsUntil, at: start, [.grace: state.interval.end?.storyText])
            case .billingRetry where before.state != .grace: add(.fails, at: start)
            case .expired where isSubscription: ends(state, at: start)
            default: break
            }
        }
    }

    /// Another period.
    private mutating func begins(_ state: StateAnswer, after before: StateAnswer) {
        guard state.transaction != before.transaction else { return }
        let start = state.interval.start
        let hasChanged = state.product != before.product
        if hasChanged, let end = before.paidUntil, start < end {
            return add(.upgrades, at: start, [.product: state.product.text])
        }
        if hasChanged { add(.downgrades, at: start, [.product: state.product.text]) }
        add(before.state == .expired ? .resubscribes : .renews, at: start)
    }

    private mutating func ends(_ state: StateAnswer, at start: Instant) {
        switch state.expiryReason {
        case .cancelled:
            add(.cancels, at: start)
            add(.expires, at: start)
        case .billingError: add(.expires, at: start)
        case .priceNotAccepted: add(.expires, at: start, [.overPrice: "true"])
        case .productUnavailable: add(.expires, at: start, [.productGone: "true"])
        case .other, .upgraded, .unknown, nil: break
        }
    }
}
