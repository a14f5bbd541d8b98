internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// A command that asks one question and prints the answer: as it came for programs, as a page for
/// people. The exit code says whether the answer is yes.
protocol ReportCommand: ParsableCommand {
    associatedtype Report: WireObject

    var output: OutputOptions { get }
    /// Whether nothing is printed.
    var quiet: Bool { get }

    func answer() throws(CommandFailure) -> Answered<Report>
    /// For people.
    func write(_ report: Report, to page: inout Page)
    /// Whether the exit code is 0, and not 1.
    func isYes(_ report: Report) -> Bool
    /// What people are told after a failure; ends its own lines.
    func hint(on failure: CommandFailure) -> String?
}

extension ReportCommand {
    func isYes(_ report: Report) -> Bool { true }
    func hint(on failure: CommandFailure) -> String? { nil }

    func run() throws {
        if try !tell() { throw ExitCode.no }
    }

    /// Asks, and prints the answer.
    ///
    /// - Returns: whether it is yes.
    func tell() throws -> Bool { try tell(answer) }

    /// The same with an answer that is got otherwise.
    func tell(
        _ ask: () throws(CommandFailure) -> Answered<Report>
    ) throws -> Bool {
        do throws(CommandFailure) {
            let answer = try ask()
            try output.show(answer, quiet: quiet) { write($0, to: &$1) }
            return isYes(answer.value)
        } catch {
            let code = output.tell(error, quiet: quiet)
            if !quiet, !output.json, let hint = hint(on: error) {
                Terminal.current.printErrorText(hint)
            }
            throw code
        }
    }
}

/// The parameters of a question, in their order; those without a value are omitted.
typealias Parameters = [(name: String, value: String?)]

/// A command that only reads.
protocol ReadingCommand: ReportCommand {
    var reading: ReadingOptions { get }
}

extension ReadingCommand {
    var output: OutputOptions { reading.output }
    var quiet: Bool { reading.quiet }
}

/// A report on what is in the ledger: the service's, or the same made from a ledger file.
protocol LedgerReportCommand: ReadingCommand {
    /// What the service is asked, and where.
    var path: String { get }
    var query: Parameters { get }
    var socket: String { get }

    /// The same from a ledger file; nil where it has nothing of that id.
    func report(from ledger: LedgerQuestions) throws(EngineError) -> Report?
    /// Said in that case.
    var unknown: CommandFailure { get }
}

extension LedgerReportCommand {
    var query: Parameters { [] }
    var socket: String { reading.sockets.usherSocket }
    var unknown: CommandFailure { .unreadableAnswer }

    func answer() throws(CommandFailure) -> Answered<Report> {
        try reading.answer(path, query, socket: socket, unknown: unknown, fromLedger: report)
    }
}

/// A command by which a person changes something: one call of the service, and what is said then.
protocol CallingCommand: ReportCommand {
    associatedtype Options: Reasoned
    var action: Options { get }
    var call: AdminCall { get throws(CommandFailure) }
}

extension CallingCommand {
    var output: OutputOptions { action.output }
    var quiet: Bool { action.quiet }

    func answer() throws(CommandFailure) -> Answered<Report> {
        try Answered(received: action.service.carryOut(try call))
    }
}

/// One whose effect can be shown before.
protocol ActionCommand: CallingCommand where Options == AdminActionOptions {
    /// Whether a person in a terminal is asked before something is taken from somebody.
    static var asks: Bool { get }
}

extension ActionCommand {
    static var asks: Bool { true }

    func answer() throws(CommandFailure) -> Answered<Report> {
        try answer(unlessChangedSince: action.ifRevision)
    }

    func run() throws {
        if action.preview {
            return try output.attempt(quiet: quiet) { () throws(CommandFailure) in
                try output.show(try effect(), quiet: quiet) { $1.write($0) }
            }
        }
        let isAsked =
            Self.asks && !action.yes && !quiet && !output.json && Terminal.current.canAsk
        let revision = isAsked ? try confirmed() : action.ifRevision
        let isYes = try tell { () throws(CommandFailure) in
            try answer(unlessChangedSince: revision)
        }
        if !isYes { throw ExitCode.no }
    }

    /// What it would change.
    private func effect() throws(CommandFailure) -> Answered<Written<EffectAnswer>> {
        try Answered(received: action.service.carryOut(try call, "dry_run=true"))
    }

    private func answer(
        unlessChangedSince revision: Int64?
    ) throws(CommandFailure) -> Answered<Report> {
        let query = revision.map { "if_revision=\($0)" }
        return try Answered(received: action.service.carryOut(try call, query))
    }

    /// Shows what would be taken from somebody, and asks.
    ///
    /// - Returns: since when nothing may have changed.
    private func confirmed() throws -> Int64? {
        var revision = action.ifRevision
        try output.decide { () throws(CommandFailure) in
            let effect = try effect().value
            // What is said of it holds, or it is not done.
            revision = revision ?? effect.revision.number
            guard effect.value.takesAway else { return true }
            var page = Page(output.language)
            page.write(effect)
            try Terminal.current.printWhole(page.text)
            return Terminal.current.ask(EffectPagePhrase.question.text(output.language))
        }
        return revision
    }
}

/// A call by which something is changed.
struct AdminCall {
    let path: String
    let body: any WireObject
    /// Names what is made, so that asking again makes it once.
    var key: String?
    /// Whether something is taken back.
    var isDeletion = false
    /// Something has to be known of it.
    var account: AccountID?

    init(
        _ path: String, _ body: any WireObject, key: String? = nil, isDeletion: Bool = false,
        for account: AccountID? = nil, _ new: NewAccountOption? = nil
    ) {
        (self.path, self.body, self.key, self.isDeletion) = (path, body, key, isDeletion)
        self.account = new?.newAccount == false ? account : nil
    }
}

extension ServiceCall {
    /// - Throws: `.unknownAccount` where nothing is known of the account that has to be known.
    ///
    /// - Parameter query: how it is meant.
    func carryOut(
        _ call: AdminCall, _ query: String? = nil
    ) throws(CommandFailure) -> [UInt8] {
        if let account = call.account {
            let report = try Answered<AccountReport>(
                received: get("/v1/accounts/" + account.inPath))
            if report.value.saysNothing { throw .unknownAccount(account.text) }
        }
        let target = call.path + (query.map { "?" + $0 } ?? "")
        if call.isDeletion { return try delete(target, call.body) }
        return try ask(target, call.body, key: call.key)
    }
}

/// The page of `--preview`.
extension Page {
    /// How many later instants are listed for each change.
    private static var mostSteps: Int { 4 }

    /// - Parameter wayBack: said where nothing undoes it.
    mutating func write(
        _ answer: Written<EffectAnswer>, wayBack: EffectPagePhrase = .noUndo
    ) {
        let effect = answer.value
        let isNothing = effect.isNothing
        if !effect.changes.isEmpty, effect.changes.allSatisfy(\.isAside) {
            add(EffectPagePhrase.noRights)
        }
        add(
            isNothing ? EffectPagePhrase.nothing : .heading, "\(answer.revision)",
            as: effect.takesAway ? .care : nil)
        // A unit's owners change for each of them.
        var said: Set<String> = []
        tree(
            lines(effect.changes).compactMap { change in
                let sentences = change.sentences(in: language, at: effect.at)
                guard said.insert(sentences[0]).inserted else { return nil }
                var later = sentences.dropFirst().prefix(Self.mostSteps).map { Branch($0) }
                let more = Int64(sentences.count - 1 - later.count) + (change.laterOmitted ?? 0)
                if more > 0 {
                    later.append(Branch(EffectPagePhrase.laterMore.text(language, "\(more)")))
                }
                // What closes, or is owned by another, is neither more nor less by itself.
                let line =
                    change.isGain
                    ? paint(sentences[0], .good)
                    : change.takesAway && !change.isAside
                        ? paint(sentences[0], .bad) : sentences[0]
                return Branch(line, later)
            })
        if let impact = effect.impact { write(impact) }
        if let delivery = effect.delivery { write(delivery) }
        if let erasure = effect.erasure { write(erasure) }
        if !effect.told.isEmpty, paint.links == nil {
            add(EffectPagePhrase.told, "\(effect.told.count)")
        }
        if let undo = effect.undo {
            let words = undo.map(ShellCommand.quoted).joined(separator: " ")
            if paint.links == nil {
                add(EffectPagePhrase.undo, words + " --reason '…'")
            } else {
                add(EffectPagePhrase.undoable)
            }
        } else if !isNothing {
            add(wayBack, as: wayBack == .noUndo ? nil : .faint)
        }
    }
}

extension EffectAnswer {
    var isNothing: Bool {
        let isErased = erasure.map { $0.certificate != nil } ?? true
        return changes.isEmpty && impact == nil && delivery == nil && isErased
    }
}

extension Page {
    /// Whose a purchase is comes first; rights of which the same is to be said are one line.
    fileprivate func lines(_ changes: [EffectChange]) -> [EffectChange] {
        var lines: [(change: EffectChange, names: [String])] = []
        let owners = changes.filter { $0.kind == .owners }
        for var change in owners + changes.filter({ $0.kind != .owners }) {
            let name = change.subject
            change.sentence = ""
            if change.kind == .right {
                change.subject = ""
                if let place = lines.firstIndex(where: { $0.change == change }) {
                    lines[place].names.append(name)
                    continue
                }
            }
            lines.append((change, [name]))
        }
        return lines.map { line in
            var change = line.change
            change.subject = language.list(line.names)
            return change
        }
    }
}

/// What `--preview` says around the changes.
enum EffectPagePhrase: String, CaseIterable, UsherText, Wording {
    case heading = "this would change, as of entry {0}:"
    case nothing = "nobody's rights, units or purchases would change, as of entry {0}"
    case noRights = "nobody's rights change"
    case laterMore = "and {0 more change|more changes} later"
    case sentAgain = "{0 change|changes} would be sent again to {1}"
    case struckOff = "{0 change|changes} would not be sent to {1} any more"
    case more = "and {0} more"
    case told = "the change feed would tell {0 change|changes}"
    case undo = "to undo it: {0}"
    case undoable = "it can be undone"
    case noUndo = "nothing undoes it"
    case blockAgain = "nothing undoes it, but the account can be blocked again"
    case question = "do it? [y/N] "
}
