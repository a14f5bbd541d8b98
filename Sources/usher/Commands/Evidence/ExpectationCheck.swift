internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import PolicyTools

/// What became of the steps of a played story that sign nothing: its expectations, and what happens
/// outside the App Store.
struct ExpectationCheck {
    private(set) var failures: [Diagnostic] = []
    /// The lines of what was not played or not checked.
    private var skipped: [StorySkip: [Int]] = [:]

    /// Nothing was looked at yet.
    init() {}

    /// - Parameter call: to the service that has the story's evidence; nil where none was named.
    init(
        _ story: Story, seed: UInt64, at call: ServiceCall?, _ language: Language
    ) throws(CommandFailure) {
        var served = ServedStory(story, seed: seed)
        for step in story.steps {
            if step.isOutsideStore { skip(step, .notPlayed) }
            guard step.isExpectation else { continue }
            guard let call else {
                skip(step, .withoutService)
                continue
            }
            switch try Self.verdict(on: step, &served, at: call, language) {
            case .holds: break
            case .failed(let diagnostic): failures.append(diagnostic)
            case .skipped(let reason): skip(step, reason)
            }
        }
    }

    private mutating func skip(_ step: StoryStep, _ reason: StorySkip) {
        skipped[reason, default: []].append(step.place.line)
    }

    /// The service answers by all that it knows, so that stories hold whose past does not change
    /// later.
    private static func verdict(
        on step: StoryStep, _ served: inout ServedStory, at call: ServiceCall,
        _ language: Language
    ) throws(CommandFailure) -> ServedVerdict {
        guard let questions = served.questions(for: step) else { return .skipped(.notAsked) }
        var answers = ServedAnswers(now: SystemClock().now())
        for question in questions { try call.answer(question, into: &answers) }
        answers.now = SystemClock().now()
        return served.verdict(on: step, answers, language)
    }

    // MARK: What is said of it

    var notChecked: Int {
        skipped.reduce(0) { $0 + ($1.key == .notPlayed ? 0 : $1.value.count) }
    }

    var notPlayed: Int { skipped[.notPlayed]?.count ?? 0 }

    /// For people, below what was handed in; nil where everything was looked at.
    func summary(_ language: Language) -> String? {
        let parts = [
            notChecked > 0 ? PlayPhrase.notChecked.text(language, "\(notChecked)") : nil,
            notPlayed > 0 ? PlayPhrase.notPlayed.text(language, "\(notPlayed)") : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : language.list(parts)
    }

    /// A line for each reason, with the lines of the story.
    func notes(_ file: String, _ language: Language) -> [String] {
        StorySkip.allCases.compactMap { reason in
            skipped[reason].map { lines in
                reason.phrase.text(
                    language, file.shown, language.list(lines.map { "\($0)" }))
            }
        }
    }
}

extension StorySkip {
    fileprivate var phrase: PlayPhrase {
        switch self {
        case .notPlayed: .outsideStore
        case .withoutService: .withoutService
        case .notAsked: .notAsked
        case .changedSince: .changedSince
        case .incomplete: .incomplete
        }
    }
}
