internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import LedgerModel
internal import Sentences

/// `usher history ACCOUNT ENTITLEMENT`: since when the answer is what it is (spec 1.10).
struct HistoryCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show how an answer has changed with what was learned.",
        discussion: """
            The question stays the same, about one instant; what was known of it changes. Prints \
            each entry and policy by which the answer has changed, the newest first. With \
            --first-wrong it names the one since which the answer is not the one expected; the \
            exit code is 1 then, and 0 if it is as expected.

            Example: usher history alice premium --at 2026-03-03 --first-wrong --expected yes
            """)

    @OptionGroup var right: RightOptions

    @Flag(help: "Find the entry or policy since which the answer is not the one expected.")
    var firstWrong = false

    @Option(
        help: .value("answer", "What was expected: yes, no, or until=DATE."),
        transform: readExpected)
    var expected: ExpectedAnswer?

    @OptionGroup var part: EntryPageOptions

    var reading: ReadingOptions { right.reading }

    func validate() throws {
        try require(firstWrong == (expected != nil), or: .expectedAnswer)
    }

    func answer() throws(CommandFailure) -> Answered<AnswerHistory> {
        let page: Parameters =
            firstWrong ? [("expected", expected?.wireText)] : part.query
        return try reading.answer(
            "/v1/accounts/\(right.account.inPath)/history/\(right.entitlement.inPath)",
            right.query + page
        ) { questions throws(EngineError) in
            let instant = reading.instant(of: questions)
            if let expected {
                return try questions.firstWrong(
                    expected, right.key, of: right.account, at: instant, through: right.appleID.key)
            }
            return try questions.history(
                of: right.key, of: right.account, at: instant, through: right.appleID.key,
                before: part.entry == .zero ? nil : part.entry, limit: part.limit.limit)
        }
    }

    func isYes(_ history: AnswerHistory) -> Bool { history.isExpected ?? true }

    func write(_ history: AnswerHistory, to page: inout Page) { page.write(history: history) }
}

private func readExpected(_ text: String) throws -> ExpectedAnswer {
    do { return try ExpectedAnswer(wireText: text) } catch {
        throw ValidationError(.expectedAnswer)
    }
}

/// The page of `usher history`.
extension Page {
    mutating func write(history: AnswerHistory) {
        if let stretches = history.overTime, history.frame.erased == nil {
            let told = history.changes.map(\.fact.purchase)
            for line in overTime(stretches, at: history.frame.at, told) { add(line) }
            if !history.changes.isEmpty { add(HistoryPhrase.learned) }
        }
        addErasure(of: history.frame)
        switch (history.isExpected, history.changes.isEmpty) {
        case (true?, _): add(HistoryPhrase.asExpected, as: .good)
        case (false?, true): add(HistoryPhrase.neverExpected, as: .bad)
        case (false?, false): add(HistoryPhrase.wrongSince, as: .bad)
        case (nil, true) where history.next == nil && history.frame.erased == nil:
            add(HistoryPhrase.nothing)
        case (nil, _): break
        }
        tree(history.changes.map(change))
        if let next = history.next { add(HistoryPhrase.more, "\(next)") }
    }

    /// How many stretches of the same answer and reason are named.
    private static var namedStretches: Int { 12 }

    /// `yes from … until …: paid`, a line for each reason, until the instant; the last as long as
    /// the answer lasts.
    private func overTime(
        _ stretches: [RightStretch], at instant: Instant, _ purchases: [PurchaseFact]
    ) -> [String] {
        var runs: [(start: Instant, end: Instant?, decision: Bool, why: String)] = []
        for stretch in stretches {
            let (interval, why) = (stretch.interval, self.why(stretch, purchases))
            let last = runs.last
            if interval.start > instant {
                guard last?.decision == stretch.decision else { break }
                runs[runs.count - 1].end = interval.end
            } else if let last, last.decision == stretch.decision, last.why == why {
                runs[runs.count - 1].end = interval.end
            } else {
                runs.append((interval.start, interval.end, stretch.decision, why))
            }
        }
        if runs.count > 1, runs[0].start == .distantPast, !runs[0].decision { runs.removeFirst() }
        return runs.suffix(Self.namedStretches).map { run in
            let word = (run.decision ? AccountPhrase.yes : .no).text(language)
            let span = span(from: run.start == .distantPast ? nil : run.start, until: run.end)
            return Phrase.labelled.text(
                language, paint("\(word) \(span)", run.decision ? .good : .bad), run.why)
        }
    }

    /// What the purchase did then; and the rule, where that does not go without saying.
    private func why(_ stretch: RightStretch, _ purchases: [PurchaseFact]) -> String {
        let grant = stretch.source?.grant.map { Phrase.grant.text(language, name($0)) }
        let taken = purchases.last { $0.revokedAt == stretch.interval.start }?.takenBack
        let state =
            stretch.state == .revoked
            ? (taken ?? .unsaid).text(language)
            : self.state(stretch.state, stretch.expiryReason)
        let cause = state ?? grant ?? HistoryPhrase.noPurchase.text(language)
        // A policy's own rule, and what denies a purchase that is paid.
        let isRunning = stretch.state?.isRunning == true
        let isDenied = !stretch.decision && isRunning && stretch.state != .billingRetry
        let isOwn = stretch.rule.line > 0 && (stretch.decision || isRunning)
        return isOwn || isDenied ? language.clauses([cause, rule(stretch.rule)]) : cause
    }

    private func change(_ change: AnswerChange) -> Branch {
        var branch = fact(change.fact)
        if change.fact.kind == .other {
            let what = change.policy.map { "\($0.hexadecimal.prefix(12))…" }
            let words = EntryKind.words(change.entry, language)
            let text = HistoryPhrase.entry.text(language, "\(change.fact.sequence)", words)
            branch.text = language.list([text, what].compactMap(\.self))
        }
        let (before, after) = (brief(change.before), brief(change.after))
        // What Apple shows of a subscription that has ended changes no word of the answer.
        guard before != after else { return branch }
        let line = HistoryPhrase.change.text(language, before, after)
        branch.branches.insert(Branch(paint(line, .strong)), at: 0)
        return branch
    }

    private func brief(_ answer: AnswerBrief) -> String {
        let word = (answer.decision ? AccountPhrase.yes : .no).text(language)
        let until = answer.until.map { AccountPhrase.until.text(language, $0.date) }
        let parts = [
            until, state(answer.state, nil),
            answer.paidUntil == answer.until
                ? nil : answer.paidUntil.map { AccountPhrase.paidUntil.text(language, $0.date) },
            // Of what has ended it says nothing that Apple said.
            answer.state?.isRunning == false ? nil : answer.willRenew.map(renewal),
        ].compactMap(\.self)
        return parts.isEmpty
            ? word : Phrase.bracketed.text(language, word, language.list(parts))
    }
}

/// What `usher history` says.
enum HistoryPhrase: String, CaseIterable, UsherText, Wording {
    case change = "{0} → {1}"
    case noPurchase = "no purchase"
    case learned = "How the answer has changed with what was learned:"
    case entry = "{0}: one of the {1}"
    case nothing = "nothing has changed this answer"
    case asExpected = "the answer is the one expected"
    case neverExpected = "the answer never was the one expected"
    case wrongSince = "the answer is not the one expected since"
    case more = "older changes: --after {0}"
}

/// `--assume`: what has not happened.
struct AssumeOption: ParsableArguments {
    @Option(
        help: .value(
            "sentence",
            "Answer as if this had happened, such as 'refund 4000000001'; can be repeated."))
    var assume: [String] = []

    /// As a question to the service has it; nil where nothing is assumed.
    var text: String? { assume.isEmpty ? nil : assume.joined(separator: ";") }

    func validate() throws {
        guard let text else { return }
        do throws(AssumptionMistake) {
            _ = try Assumption.read(text)
        } catch {
            guard error.number != nil else {
                throw ValidationError(.mostAssumptions, "\(Assumption.most)")
            }
            throw ValidationError(.assumption, (error.nearest ?? "refund {purchase}").shown)
        }
    }

    /// The questions as if it had happened.
    func applied(
        to questions: LedgerQuestions, at instant: Instant, in environment: StoreEnvironment?
    ) -> LedgerQuestions {
        guard let text, let assumptions = try? Assumption.read(text) else { return questions }
        return questions.assuming(assumptions, at: instant, in: environment ?? .production)
    }
}
