package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
package import PolicyLoading
internal import StoreSimulator

/// Why `usher simulate play` does not play a step, or does not check an expectation.
package enum StorySkip: Int, CaseIterable, Hashable, Sendable {
    /// What a back end, support or the service does: only the App Store is simulated.
    case notPlayed
    /// Nobody named a service that could be asked.
    case withoutService
    /// What only the engine of `usher policy test` tells.
    case notAsked
    /// The service goes by its own clock, and something has changed since the step.
    case changedSince
}

/// What a running service says of an expectation.
package enum ServedVerdict: Sendable {
    case holds
    case failed(Diagnostic)
    case skipped(StorySkip)
}

/// What a running service answered, for one expectation.
package struct ServedAnswers: Sendable {
    /// As of the instant of the step.
    package var reports: [AccountReport]
    package var preflight: VerdictAnswer?
    /// When they were asked for.
    package var now: Instant

    package init(reports: [AccountReport], preflight: VerdictAnswer?, now: Instant) {
        self.reports = reports
        self.preflight = preflight
        self.now = now
    }
}

/// A story whose evidence a running service has: which of its expectations the service is asked
/// about, and what its answers mean.
///
/// The service records evidence when it gets it, and not at the instants of the story. What Apple
/// dates is asked for as of the step: rights, balances, findings. Who owns a purchase and what
/// preflight says follow the service's clock too, so they are compared only where nothing that
/// matters has changed between the step and now.
package struct ServedStory: Sendable {
    package let story: Story
    /// Everybody whom the story names.
    private let everybody: [AccountID]
    private let steps: [PlayStep]
    private var store: SimulatedStore
    private var played = 0

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
    }

    /// Whose reports answer an expectation; nil where no service is asked.
    package func accounts(for step: StoryStep) -> [AccountID]? {
        switch StoryExpectation(rawValue: step.sentence.verb) {
        case .has?, .lacks?, .balance?: [step.account]
        // Of the whole ledger there may be others, which are not the story's.
        case .finding?, .noFinding?: step.sentence.has(.account) ? [step.account] : nil
        case .owner?, .noOwner?, .preflight?: everybody
        default: nil
        }
    }

    /// The one environment whose reports answer an expectation; nil for all. Balances do not name
    /// theirs.
    package func environment(for step: StoryStep) -> StoreEnvironment? {
        guard step.sentence.verb == StoryExpectation.balance.rawValue else { return nil }
        let named = step.sentence[.environment].flatMap { StoreEnvironment(rawValue: $0) }
        return named ?? story.environment
    }

    /// What an expectation asks before a purchase; nil for all others.
    package mutating func preflight(for step: StoryStep) -> PreflightRequest? {
        guard step.sentence.verb == StoryExpectation.preflight.rawValue else { return nil }
        play(until: step)
        return PreflightRequest(step.sentence, store, story.environment)
    }

    /// Whether the service answers as expected.
    package mutating func verdict(
        on step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        play(until: step)
        switch StoryExpectation(rawValue: step.sentence.verb) {
        case .has?, .lacks?, .balance?:
            guard let report = answers.reports.first else { return .skipped(.notAsked) }
            let failure = step.failure(in: report, of: story.environment, language)
            return failure.map(ServedVerdict.failed) ?? .holds
        case .finding?, .noFinding?: return finding(step, answers, language)
        case .owner?, .noOwner?:
            let purchase = store.purchases[store.meant(by: step.sentence[.purchase] ?? "")]
            let owners = answers.reports.owners(of: purchase, at: step.at)
            guard owners == answers.reports.owners(of: purchase, at: answers.now) else {
                return .skipped(.changedSince)
            }
            return step.verdict(step.sentence.found(owners), language)
        case .preflight?:
            guard let request = preflight(for: step), let said = answers.preflight,
                answers.areLasting(since: step.at, for: request)
            else { return .skipped(.changedSince) }
            return step.verdict(step.sentence.found(said), language)
        default: return .skipped(.notAsked)
        }
    }

    /// What begins behind the story's end began when the service got the evidence: by the story's
    /// clock it may stand as well.
    private func finding(
        _ step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        let kind = step.sentence[.finding].flatMap(Finding.Kind.init)
        let findings = answers.reports.flatMap(\.findings).filter { $0.kind == kind }
        let isThere = findings.contains { $0.interval.contains(step.at) }
        if !isThere, findings.contains(where: { $0.interval.start > story.extent.last }) {
            return .skipped(.changedSince)
        }
        return step.verdict(step.sentence.found(isThere: isThere), language)
    }

    /// The store as it is at a step.
    private mutating func play(until step: StoryStep) {
        while played < steps.count, steps[played].line < step.place.line {
            // The evidence was made of the same steps, so that none of them fails.
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

    fileprivate func verdict(_ found: Sentence, _ language: Language) -> ServedVerdict {
        let told = found.shortened(for: sentence)
        return failure(told, language).map(ServedVerdict.failed) ?? .holds
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
    fileprivate func isSame(at instant: Instant, and later: Instant) -> Bool {
        func state(at instant: Instant) -> Interval? {
            states.first { $0.interval.contains(instant) }?.interval
        }
        if let purchase, purchase.purchasedAt > instant { return false }
        return state(at: instant) == state(at: later)
            && owners(at: instant) == owners(at: later)
    }
}
