package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
package import PolicyLoading
internal import Sentences
internal import StoreBox

/// Why `usher simulate play` does not play a step, or does not check an expectation.
package enum StorySkip: Int, CaseIterable, Hashable, Sendable {
    /// What a back end, support or the service does: only the App Store is simulated.
    case notPlayed
    /// Nobody named a service that could be asked.
    case withoutService
    /// What no call of a service tells, or what follows from a step that is not played.
    case notAsked
    /// The service goes by its own clock, and something has changed since the step.
    case changedSince
    /// The service has not told everything: it is still looking, or an account has more than one
    /// answer holds.
    case incomplete
}

/// What a running service says of an expectation.
package enum ServedVerdict: Sendable {
    case holds
    case failed(Diagnostic)
    case skipped(StorySkip)
}

/// A call that answers an expectation, or a part of it.
package enum ServedQuestion: Sendable {
    /// Everything about an account as of an instant or of now, of one environment or of all.
    case report(AccountID, at: Instant?, StoreEnvironment?)
    case preflight(PreflightRequest)
    /// The open findings of the whole ledger.
    case findings(Finding.Kind)
    case order(OrderID)
    case orders(AccountID)
    case lostOrders
    case changes(AccountID)
    case refundRequests
}

/// What a running service answered, for one expectation.
package struct ServedAnswers: Sendable {
    /// In the order in which they were asked for.
    package var reports: [AccountReport] = []
    package var preflight: VerdictAnswer?
    package var findings: [Finding] = []
    package var orders: [OrderAnswer] = []
    package var lostOrders: [LostOrder] = []
    package var changes: [FeedChange] = []
    package var refundRequests: [RefundRequestAnswer] = []
    /// Whether the service has told everything that it was asked for.
    package var areComplete = true
    /// When they were asked for.
    package var now: Instant

    package init(now: Instant) {
        self.now = now
    }
}

/// A story whose evidence a running service has: which of its expectations the service is asked
/// about, and what its answers mean.
///
/// The service records evidence when it gets it, and not at the instants of the story. What Apple
/// dates is asked for as of the step: rights, balances, findings. What follows the service's clock
/// too (owners, preflight, claims, orders, the feed, refund requests) fails only where nothing that
/// matters has changed between the step and now.
package struct ServedStory: Sendable {
    package let story: Story
    /// Everybody whom the story names.
    let everybody: [AccountID]
    private let steps: [PlayStep]
    /// The store as it is at the step in question.
    private(set) var store: SimulatedStore
    /// The same after the last step.
    let ended: SimulatedStore
    /// Who handed in which lineage at which line.
    let presented: [Presentation]
    private var played = 0

    struct Presentation {
        var line: Int
        var at: Instant
        var account: String
        var lineage: String
    }

    /// - Parameter seed: that of the evidence: ids follow from it.
    package init(_ story: Story, seed: UInt64) {
        self.story = story
        let play = story.play(with: nil)
        steps = play.steps
        store = SimulatedStore(play, seed: seed)
        let named = story.steps.flatMap { step in
            [SentenceSlot.account, .into].compactMap { step.sentence[$0] }
        }
        everybody = Set(named.compactMap { AccountID($0) }).sorted()
        var ended = store
        var presented: [Presentation] = []
        for step in play.steps {
            // The evidence was made of the same steps, so that none of them fails.
            try? ended.play(step)
            presented += ended.takeEvents().flatMap { $0.presentations(line: step.line) }
        }
        (self.ended, self.presented) = (ended, presented)
    }

    /// What answers an expectation; nil where no service is asked.
    package mutating func questions(for step: StoryStep) -> [ServedQuestion]? {
        play(until: step)
        let own: [ServedQuestion] = [.report(step.account, at: step.at, nil)]
        let all: [ServedQuestion] = everybody.map { .report($0, at: step.at, nil) }
        switch StoryExpectation(rawValue: step.sentence.verb) {
        case .has?, .lacks?: return own
        case .balance?, .lapse?: return [.report(step.account, at: step.at, environment(of: step))]
        case .finding?, .noFinding?:
            guard !step.sentence.has(.account), let kind = findingKind(step) else { return own }
            return all + [.findings(kind)]
        case .owner?, .noOwner?: return all
        case .preflight?: return all + [.preflight(request(for: step))]
        default: return laterQuestions(for: step)
        }
    }

    /// Balances do not name their environment.
    private func environment(of step: StoryStep) -> StoreEnvironment {
        step.sentence[.environment].flatMap { StoreEnvironment(rawValue: $0) } ?? story.environment
    }

    private func request(for step: StoryStep) -> PreflightRequest {
        PreflightRequest(step.sentence, store, story.environment)
    }

    /// Whether the service answers as expected.
    package mutating func verdict(
        on step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        guard answers.areComplete else { return .skipped(.incomplete) }
        play(until: step)
        switch StoryExpectation(rawValue: step.sentence.verb) {
        case .has?, .lacks?, .balance?, .lapse?:
            guard let report = answers.reports.first else { return .skipped(.notAsked) }
            let failure = step.failure(in: report, of: story.environment, language)
            return failure.map(ServedVerdict.failed) ?? .holds
        case .finding?, .noFinding?: return finding(step, answers, language)
        case .owner?, .noOwner?:
            let purchase = purchase(step)
            let owners = answers.reports.owners(of: purchase, at: step.at)
            guard owners == answers.reports.owners(of: purchase, at: answers.now) else {
                return .skipped(.changedSince)
            }
            return step.verdict(step.sentence.found(owners), language)
        case .preflight?:
            guard let said = answers.preflight,
                answers.areLasting(since: step.at, for: request(for: step))
            else { return .skipped(.changedSince) }
            return step.verdict(step.sentence.found(said), language)
        default: return laterVerdict(on: step, answers, language)
        }
    }

    // MARK: Findings

    private func findingKind(_ step: StoryStep) -> Finding.Kind? {
        step.sentence[.finding].flatMap(Finding.Kind.init)
    }

    /// What begins behind the story's end began when the service got the evidence: by the story's
    /// clock it may stand as well. Of the whole ledger, others' are not the story's.
    private func finding(
        _ step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        let kind = findingKind(step)
        let own = (answers.reports.flatMap(\.findings) + answers.findings.filter(isOwn))
            .filter { $0.kind == kind }
        let isThere = own.contains { $0.interval.contains(step.at) }
        if !isThere, own.contains(where: { $0.interval.start > story.extent.last }) {
            return .skipped(.changedSince)
        }
        let verdict = step.verdict(step.sentence.found(isThere: isThere), language)
        if step.sentence.has(.account) || isThere { return verdict }
        // Nobody can tell whose these are.
        if answers.findings.contains(where: \.isOfNobody) { return .skipped(.notAsked) }
        if verdict.holds { return verdict }
        if needsService(step) { return .skipped(.notAsked) }
        // One that is closed by now is in no list.
        let goesOn = story.steps.contains { $0.isLater(than: step) && !$0.isExpectation }
        return goesOn ? .skipped(.changedSince) : verdict
    }

    private func isOwn(_ finding: Finding) -> Bool {
        finding.accounts.contains { everybody.contains($0) }
            || finding.units.contains { unit in
                ended.purchases.values.contains { unit.isOf($0) }
            }
    }

    // MARK: The store

    func purchase(_ step: StoryStep) -> PlayedPurchase? {
        store.purchases[store.meant(by: step.sentence[.purchase] ?? "")]
    }

    /// The store as it is at a step.
    private mutating func play(until step: StoryStep) {
        while played < steps.count, steps[played].line < step.place.line {
            try? store.play(steps[played])
            played += 1
        }
    }
}

extension StoryStep {
    /// Whether it says what happens outside the App Store, which `simulate` does not play.
    package var isOutsideStore: Bool {
        guard let verb = StoryVerb(rawValue: sentence.verb) else { return false }
        return verb != .nothingHappens
    }

    func isLater(than other: StoryStep) -> Bool { place.line > other.place.line }

    func verdict(_ found: Sentence, _ language: Language) -> ServedVerdict {
        let told = found.shortened(for: sentence)
        return failure(told, language).map(ServedVerdict.failed) ?? .holds
    }
}

extension ServedVerdict {
    var holds: Bool {
        if case .holds = self { true } else { false }
    }
}

extension Finding {
    fileprivate var isOfNobody: Bool { accounts.isEmpty && units.isEmpty }
}

extension StoreEvent {
    /// Which lineages a device hands in with it.
    fileprivate func presentations(line: Int) -> [ServedStory.Presentation] {
        guard let account, moment != nil else { return [] }
        let lineages: Set<String> =
            switch content {
            case .transaction(let transaction): [transaction.originalTransactionID]
            case .receipt(let receipt): Set(receipt.purchases.map(\.originalTransactionID))
            case .renewal, .appTransaction, .notification: []
            }
        return lineages.map {
            ServedStory.Presentation(line: line, at: at, account: account, lineage: $0)
        }
    }
}

extension ServedAnswers {
    /// Whether what preflight goes by stands as it stood at an instant: the purchases of the
    /// account and of the Apple ID.
    fileprivate func areLasting(since instant: Instant, for request: PreflightRequest) -> Bool {
        reports.allSatisfy { report in
            report.units.allSatisfy { unit in
                let isOwn = report.frame.account == request.account
                return !(isOwn || unit.mayBe(on: request.appleID))
                    || unit.isSame(at: instant, and: now)
            }
        }
    }
}

extension UnitAnswer {
    /// Of what is no lineage the Apple ID is not told.
    fileprivate func mayBe(on key: AppleIDKey?) -> Bool {
        guard let key else { return false }
        return appleID == nil || appleID == key
    }

    /// Whether nothing happened to it between two instants.
    func isSame(at instant: Instant, and later: Instant) -> Bool {
        isInSameState(at: instant, and: later) && owners(at: instant) == owners(at: later)
    }

    func isInSameState(at instant: Instant, and later: Instant) -> Bool {
        func state(at instant: Instant) -> Interval? {
            states.first { $0.interval.contains(instant) }?.interval
        }
        if let purchase, purchase.purchasedAt > instant { return false }
        return state(at: instant) == state(at: later)
    }
}
