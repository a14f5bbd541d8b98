internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// `usher replay [FILE]`: makes a stored answer again, and compares (spec 1.10).
struct ReplayCommand: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Make a stored answer about entitlements again, and compare.",
        discussion: """
            Reads the JSON of an answer from a file, or from standard input, and asks the same \
            question as of the entry that it was given at. An answer with 'as_of', given to \
            'replayable=true' or 'usher check --json --replayable', says all that is needed; of \
            others name the --account and --at. Exit codes: 0 the same, 1 another one, 2 no \
            answer, or another one and not by the rules of this program.

            Example: usher replay answer.json --ledger usher.ledger
            """)

    @Argument(
        help: .value("file", "The answer; standard input if omitted."), completion: .file())
    var file: String?

    @Option(help: "The account that it is about, if it does not say so.", transform: readName)
    var account: AccountID?

    @Option(
        help: .value("date", "The instant that it is about, if it does not say so."),
        transform: readInstant)
    var at: Instant?

    @OptionGroup var appleID: AppleIDOption
    @OptionGroup var source: SourceOptions

    var output: OutputOptions { source.output }
    var quiet: Bool { source.quiet }

    func answer() throws(CommandFailure) -> Answered<ReplayReport> {
        let stored = try StoredAnswer(file, output.language)
        guard let asked = stored.asked(account, at, appleID.key) else {
            throw .said(ReplayPhrase.needsQuestion.text(output.language))
        }
        return Answered(ReplayReport(stored, again: try again(stored, asked)))
    }

    private func again(
        _ stored: StoredAnswer, _ asked: StoredAnswer.Asked
    ) throws(CommandFailure) -> [UInt8] {
        var answers = source.answers
        answers.known = .revision(asked.revision)
        let path = "/v1/accounts/\(asked.account.inPath)/entitlements"
        let query: Parameters = [
            ("environment", asked.environment.rawValue), ("apple_id", asked.appleID?.text),
            ("at", asked.at.rfc3339), ("revision", "\(asked.revision)"),
            ("replayable", stored.isReplayable ? "true" : nil),
        ]
        guard let entitlement = stored.entitlement else {
            let list: Answered<AccountRights> = try answers.answer {
                questions throws(EngineError) in
                try questions.replayableAnswers(
                    in: asked.environment, of: asked.account, at: asked.at,
                    through: asked.appleID, isReplayable: stored.isReplayable)
            } fromService: { call throws(CommandFailure) in
                try call.get(path.asking(query))
            }
            return list.json
        }
        let answer: Answered<ReplayableAnswer> = try answers.answer {
            questions throws(EngineError) in
            try questions.replayableAnswer(
                RightKey(asked.environment, entitlement), of: asked.account, at: asked.at,
                through: asked.appleID, isReplayable: stored.isReplayable)
        } fromService: { call throws(CommandFailure) in
            try call.get("\(path)/\(entitlement.inPath)".asking(query))
        }
        return answer.json
    }

    func run() throws {
        var result = ReplayReport.Result.same
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let answer = try answer()
            try output.show(answer, quiet: quiet) { write($0, to: &$1) }
            result = answer.value.result
        }
        switch result {
        case .same: return
        case .different: throw ExitCode.no
        case .rulesUnknown: throw ExitCode.unanswered
        }
    }

    func write(_ report: ReplayReport, to page: inout Page) {
        switch report.result {
        case .same: page.add(ReplayPhrase.same, as: .good)
        case .different: page.add(ReplayPhrase.different, as: .bad)
        case .rulesUnknown:
            guard let rules = report.rules else {
                page.add(ReplayPhrase.rulesUnknown, as: .care)
                break
            }
            page.add(
                ReplayPhrase.otherRules, "\(rules)", "\(DerivationRules.version)", as: .care)
        }
        page.table(
            report.differences.map { [$0.member, $0.stored ?? "–", $0.again ?? "–"] })
    }
}

/// An answer that was kept.
private struct StoredAnswer {
    /// What was asked, and as of which entry.
    struct Asked {
        let account: AccountID
        let at: Instant
        let environment: StoreEnvironment
        let appleID: AppleIDKey?
        let revision: LedgerSequence
    }

    let json: JSONValue
    private let replay: Replay
    /// Nil for a list of all.
    let entitlement: EntitlementName?
    private let environment: StoreEnvironment
    private let revision: LedgerSequence
    /// Of a list.
    private let frame: (account: AccountID, at: Instant)?

    var isReplayable: Bool { replay.asOf != nil }
    var rules: Int64? { replay.rules }

    /// - Parameter path: nil for standard input.
    init(_ path: String?, _ language: Language) throws(CommandFailure) {
        let path = path ?? "-"
        guard let bytes = try? InputFile.read(path, limit: 1 << 20) else {
            throw .unreadableFile(path)
        }
        do {
            json = try parseJSON(bytes, limits: JSONLimits(bytes: bytes.count))
            if json["entitlements"] != nil {
                let list = try AccountRights.read(json)
                (replay, entitlement) = (list.replay, nil)
                (environment, revision) = (list.frame.environment, list.frame.revision)
                frame = (list.account, list.frame.at)
            } else {
                let one = try ReplayableAnswer.read(json)
                (replay, entitlement) = (one.replay, one.answer.entitlement)
                (environment, revision) = (one.answer.environment, one.answer.revision)
                frame = nil
            }
        } catch {
            throw .said(ReplayPhrase.notAnswer.text(language))
        }
    }

    /// Nil where neither the answer nor the person says it.
    func asked(_ account: AccountID?, _ at: Instant?, _ appleID: AppleIDKey?) -> Asked? {
        guard let account = replay.asOf?.account ?? frame?.account ?? account,
            let at = replay.asOf?.at ?? frame?.at ?? at
        else { return nil }
        return Asked(
            account: account, at: at, environment: environment,
            appleID: replay.asOf.map(\.appleID) ?? appleID,
            revision: replay.asOf?.revision ?? revision)
    }
}

/// What came of making an answer again.
struct ReplayReport: WireObject {
    enum Result: String, CaseIterable, WireWord {
        case same
        case different
        /// They differ, and the answer was not given by the rules of this program, as far as it
        /// says.
        case rulesUnknown = "rules-unknown"
    }

    /// A member that differs.
    struct Difference: WireObject {
        var member: String
        /// As JSON; nil for none.
        var stored: String?
        var again: String?

        static var shapeName: String { "ReplayDifference" }

        static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
            Difference(
                member: try shape.value("member", \.member),
                stored: try shape.optional("stored", \.stored),
                again: try shape.optional("again", \.again))
        }
    }

    var result: Result
    /// Of the answer, if it says them.
    var rules: Int64?
    var differences: [Difference]

    static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReplayReport(
            result: try shape.value("result", \.result),
            rules: try shape.optional("rules", \.rules),
            differences: try shape.value("differences", \.differences))
    }
}

extension ReplayReport {
    fileprivate init(_ stored: StoredAnswer, again bytes: [UInt8]) {
        // The program's own answers can be read.
        let again = (try? parseJSON(bytes, limits: JSONLimits(bytes: bytes.count))) ?? .null
        differences = stored.json.differences(from: again, at: "")
        rules = stored.rules
        let isByTheseRules = rules == DerivationRules.version
        result = differences.isEmpty ? .same : isByTheseRules ? .different : .rulesUnknown
    }
}

extension JSONValue {
    /// The members that another value has otherwise, at any depth.
    fileprivate func differences(
        from other: JSONValue, at place: String
    ) -> [ReplayReport.Difference] {
        if self == other { return [] }
        if let own = members, let others = other.members {
            let names = own.map(\.key) + others.map(\.key).filter { self[$0] == nil }
            return names.flatMap { name in
                let place = place.isEmpty ? name : place + "." + name
                guard let own = self[name], let other = other[name] else {
                    return [
                        ReplayReport.Difference(
                            member: place, stored: self[name]?.text, again: other[name]?.text)
                    ]
                }
                return own.differences(from: other, at: place)
            }
        }
        if let own = elements, let others = other.elements, own.count == others.count {
            return zip(own, others).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1, at: "\(place)[\(index)]")
            }
        }
        return [ReplayReport.Difference(member: place, stored: text, again: other.text)]
    }
}

extension LedgerQuestions {
    /// One answer, with what makes it again if that is asked for.
    func replayableAnswer(
        _ key: RightKey, of account: AccountID, at instant: Instant, through appleID: AppleIDKey?,
        isReplayable: Bool
    ) throws(EngineError) -> ReplayableAnswer {
        let answer = try answer(key, of: account, at: instant, through: appleID)
        guard isReplayable else { return ReplayableAnswer(answer) }
        return ReplayableAnswer(
            answer,
            Replay(
                AskedAs(
                    account: account, appleID: appleID, at: instant, revision: answer.revision,
                    policy: answer.policy)))
    }

    /// The same of all entitlements of the policy.
    func replayableAnswers(
        in environment: StoreEnvironment, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey?, isReplayable: Bool
    ) throws(EngineError) -> AccountRights {
        let (view, revision) = try view(of: account, through: appleID)
        let answers = policy.history.current.entitlements.keys.sorted().map {
            view.answer(RightKey(environment, $0), at: instant, revision: revision)
        }
        let asked = AskedAs(
            account: account, appleID: appleID, at: instant, revision: revision,
            policy: policyDigest)
        return AccountRights(
            account: account,
            frame: ListFrame(environment: environment, at: instant, revision: revision),
            entitlements: answers, replay: isReplayable ? Replay(asked) : Replay())
    }
}

/// What `usher replay` says.
enum ReplayPhrase: String, CaseIterable, UsherText, Wording {
    case same = "same: the answer is made again as it was"
    case different = "different: the ledger gives another answer as of that entry"
    case rulesUnknown = "different, and the answer does not say by which rules it was given"
    case otherRules = "different: it was given by rules {0}, this program has rules {1}"
    case needsQuestion =
        "the answer does not say what was asked: name the --account and the instant with --at"
    case notAnswer = "this is not an answer about entitlements"
}
