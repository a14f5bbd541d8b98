internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import EvidenceVerification
internal import LedgerModel
internal import PolicyLoading
internal import StrictJSON

/// What the service answers to a call that it does not carry out.
struct RejectedCall {
    let code: String
    /// The member, parameter or header that is at fault, as scripts know it.
    var field: String?
    /// What was given for it, as people know it.
    var value: String?
    var sentence = ""
    var didYouMean: String?
    var legal: [String] = []
    var left: UnitsLeft?
    var loss: SchedulingLoss?
    /// What was recorded since the entry that the call named.
    var changed: [ChangedEntry] = []
    /// For what an account was erased before, or waits for that, and the entry that says so.
    var erasure: (reference: ErasureReference, entry: LedgerSequence)?
}

extension RejectedCall {
    /// That nothing has an id.
    init(_ code: ProblemCode, _ field: String, _ value: String) {
        self.init(code: code.rawValue, field: field, value: value)
    }

    func sentence(_ language: Language) -> String {
        // The service was asked in no language.
        let known = ProblemCode(rawValue: code)?.text(language) ?? sentence.shown
        let parts: [String?] = [
            known, legal.isEmpty ? nil : OrderPhrase.legal.text(language, language.list(legal)),
            left.map { " (\($0.units) \($0.credit.shown))" },
            loss.map {
                SchedulePhrase.losingBeside.text(language, "\($0.accounts)", $0.replaces.short)
            },
            changed.isEmpty ? nil : ": " + language.list(changed.map { $0.text(language) }),
            erasure.map {
                ErasurePhrase.other.text(language, $0.reference.text.shown, "\($0.entry)")
            },
            (value ?? field).map { " ('\($0.shown(atMost: 256))')" },
        ]
        return Phrase.serviceRejected.text(
            language, code.shown, parts.compactMap(\.self).joined())
    }
}

extension ChangedEntry {
    /// Its number, what it is, and whom it concerns.
    fileprivate func text(_ language: Language) -> String {
        let kind = kind.map { EntryKind.words($0, language) }
        let words = [kind, account?.text.shown].compactMap(\.self)
        return "\(entry)" + (words.isEmpty ? "" : " (\(language.list(words)))")
    }
}

/// Of what a caller asked for more than there is.
struct UnitsLeft {
    let credit: String
    let units: Int128
}

/// What a policy that was not scheduled would take away.
struct SchedulingLoss {
    let accounts: Int64
    /// The policy that it was compared with.
    let replaces: Digest256
}

/// Why a command did not do what it was asked for.
indirect enum CommandFailure: Error {
    case noService(socket: String)
    /// The same, for a command that could have read a ledger instead.
    case noServiceNorLedger(socket: String)
    /// It listens, and the call failed nevertheless.
    case connection(LocalClientError)
    case serviceRejected(RejectedCall)
    case unreadableAnswer
    case engine(EngineError)
    case sockets(SocketError)
    case unreadableFile(String)
    case unwritableFile(String)
    /// A part was handed in: interrupted where no cause is named.
    case stopped(after: Int, because: CommandFailure?)
    case unreadablePolicyFolder(String)
    /// A folder without which the command can do nothing.
    case policyErrors(FolderErrors)
    /// More than one thing is wrong, none of which follows from another.
    case several([CommandFailure])
    /// The place is that in a file.
    case badSetting(Setting, value: String, place: String? = nil)
    /// The settings cannot be as they are, or a file that they name.
    case settings(SettingProblem)
    /// Nothing is known of the account that is to be given or denied something.
    case unknownAccount(String)
    /// Nothing is known of the account that is asked about.
    case noSuchAccount
    /// No entry has the id that is looked for.
    case nothingFound(SoughtID)
    /// Apple's servers were asked, and did not do it.
    case appStore(AppStoreFailure)
    /// The console has no page at an address.
    case noSuchPage
    /// What only one command can say, in the reader's language already.
    case said(String)

    func sentence(_ language: Language) -> String {
        switch self {
        case .noService(let socket): Phrase.noService.text(language, socket.shown)
        case .noServiceNorLedger(let socket): Phrase.noServiceNorLedger.text(language, socket.shown)
        case .serviceRejected(let call):
            call.sentence(language) + Self.question(call.didYouMean?.shown, language)
        case .engine(.unknownEntitlement(let nearest)):
            Phrase.unknownEntitlement.text(language) + Self.question(nearest?.text, language)
        case .connection(let error): error.text(language)
        case .unreadableAnswer: Phrase.unreadableAnswer.text(language)
        case .engine(let error):
            Phrase.coded.text(
                language, error.text(language), error.code)
        case .sockets(let error): error.text(language)
        case .unreadableFile(let path): Phrase.fileUnreadable.text(language, path.shown)
        case .unwritableFile(let path): Phrase.fileUnwritable.text(language, path.shown)
        case .stopped(let count, let cause):
            [cause?.sentence(language), IngestPhrase.stopped.text(language, "\(count)")]
                .compactMap(\.self).joined(separator: "\n")
        case .unreadablePolicyFolder(let path):
            Phrase.policyFolderUnreadable.text(language, path.shown)
        case .policyErrors(let errors): errors.sentence(language)
        case .several(let failures):
            failures.map { $0.sentence(language) }.joined(separator: "\n")
        case .said(let sentence): sentence
        case .noSuchPage: ConsolePhrase.unknownPage.text(language)
        case .settings(let problem): problem.text(language)
        case .badSetting(let setting, let value, let place):
            Phrase.labelled.text(
                SettingPhrase.bad.text(
                    language, setting.rawValue, value.shown, setting.allowed(language)),
                with: place, language)
        case .unknownAccount(let account): Phrase.unknownAccount.text(language, account.shown)
        case .noSuchAccount: AccountPhrase.nothingKnown.text(language)
        case .nothingFound(let id):
            FindPhrase.nothing.text(
                language, id.text.shown, ShellCommand(asking: "app-store show order", id.text).text,
                ShellCommand(asking: "app-store show transaction", id.text).text)
        case .appStore(let failure): failure.sentence(language)
        }
    }

    private static func question(_ meant: String?, _ language: Language) -> String {
        meant.map { SettingPhrase.didYouMean.text(language, $0) } ?? ""
    }
}

extension CommandFailure {
    /// 1 where the service said no to an admin action or found nothing, 2 where there is no answer
    /// (spec 3.2).
    var exitCode: ExitCode {
        if case .unknownAccount = self { return .no }
        if case .noSuchAccount = self { return .no }
        if case .engine(.ledger(let error)) = self, error.kind == .rolledBack { return .no }
        if case .nothingFound = self { return .no }
        if case .policyErrors(let errors) = self { return errors.exitCode }
        if case .appStore(let failure) = self {
            return [.notFound, .rejected].contains(failure.kind) ? .no : .unanswered
        }
        guard case .serviceRejected(let call) = self else { return .unanswered }
        return ProblemCode(rawValue: call.code)?.isNo == true ? .no : .unanswered
    }

    /// - Throws: one as it is, several together; nothing where there is none.
    static func throwAny(of failures: [CommandFailure]) throws(CommandFailure) {
        guard let first = failures.first else { return }
        throw failures.count == 1 ? first : .several(failures)
    }

    static let refusedPolicy = "policy.refused"

    /// Stable, for scripts.
    var code: String {
        switch self {
        case .noService, .noServiceNorLedger: "tool.no-service"
        case .connection: "tool.connection"
        case .serviceRejected(let call): call.code
        case .unreadableAnswer: "tool.unreadable-answer"
        case .engine(let error): error.code
        case .sockets: "tool.sockets"
        case .unreadableFile: "tool.unreadable-file"
        case .unwritableFile: "tool.unwritable-file"
        case .stopped: "tool.stopped"
        case .unreadablePolicyFolder: "tool.unreadable-policy-folder"
        case .policyErrors: Self.refusedPolicy
        case .several(let failures): failures.first?.code ?? "tool.failed"
        case .badSetting: SettingProblem.Code.value.rawValue
        case .settings(let problem): problem.code.rawValue
        case .unknownAccount, .noSuchAccount: "account.unknown"
        case .nothingFound: ProblemCode.nothingFound.rawValue
        case .appStore(let failure): "app-store.\(failure.kind.rawValue)"
        case .said: "tool.failed"
        case .noSuchPage: "console.page"
        }
    }

    /// Problem details (RFC 9457), as the sockets give them; a status only where a socket gave one.
    func problem(_ language: Language) -> JSONValue {
        var status: HTTPStatus?
        var field: String?
        var (legal, changed): ([String], [ChangedEntry]) = ([], [])
        if case .policyErrors(let errors) = self { return errors.problem(language) }
        if case .nothingFound = self { (status, field) = (ProblemCode.nothingFound.status, "id") }
        if case .serviceRejected(let call) = self {
            (status, field) = (ProblemCode(rawValue: call.code)?.status, call.field)
            (legal, changed) = (call.legal, call.changed)
        }
        var problem = JSONValue.problem(
            code: code, detail: sentence(language), status: status, field: field,
            legal: legal, loss: loss, changed: changed)
        if case .serviceRejected(let call) = self, let erasure = call.erasure {
            problem["reference"] = .string(erasure.reference.text)
            problem["erasure"] = .integer(erasure.entry.number)
        }
        return problem
    }

    /// Nil for what is about no scheduled policy.
    var loss: SchedulingLoss? {
        guard case .serviceRejected(let call) = self else { return nil }
        return call.loss
    }
}

extension JSONValue {
    /// Problem details of the program's own.
    static func problem(
        code: String, detail: String, status: HTTPStatus? = nil, field: String? = nil,
        legal: [String] = [], loss: SchedulingLoss? = nil, changed: [ChangedEntry] = []
    ) -> JSONValue {
        .object(known: [
            ("title", .string(status.map { "\($0.phrase)" } ?? "Not done")),
            ("status", status.map { .integer(Int64($0.rawValue)) }), ("code", .string(code)),
            ("detail", .string(detail)), ("field", field.map { .string($0) }),
            ("legal", legal.isEmpty ? nil : .array(legal.map { .string($0) })),
            ("losing", loss.map { .integer($0.accounts) }),
            ("replaces", loss.map { .string($0.replaces.hexadecimal) }),
            (
                "changed",
                changed.isEmpty ? nil : .array(changed.compactMap { try? parseJSON($0.json) })
            ),
        ])
    }
}

extension Setting {
    static var allNames: [String] { allCases.map(\.rawValue) }
}

/// What is wrong with the settings, in any language.
struct SettingProblem: Error {
    /// Stable, for scripts.
    enum Code: String {
        case value = "setting.value"
        case fleet = "setting.fleet"
        case unknown = "setting.unknown"
        case variable = "setting.unknown-variable"
        case appStore = "setting.app-store"
        case subscription = "setting.subscriptions"
        case file = "tool.unreadable-configuration"
    }

    let code: Code
    private let sentence: any LocalizedText & Sendable
    private let facts: [String]
    /// `FILE:LINE`, or a file.
    var place: String?
    private var meant: String?

    init(
        _ code: Code, _ sentence: any LocalizedText & Sendable, _ facts: String...,
        meant: String? = nil
    ) {
        (self.code, self.sentence, self.facts, self.meant) = (code, sentence, facts, meant)
    }

    func text(_ language: Language) -> String {
        let text = sentence.filled(with: facts.map(\.shown), in: language)
        let lead: Phrase = code == .file ? .mistake : .labelled
        return lead.text(text, with: place, language)
            + (meant.map { SettingPhrase.didYouMean.text(language, $0) } ?? "")
    }
}

extension SettingProblem {
    static func unknown(_ name: String, place: String) -> SettingProblem {
        SettingProblem(
            .unknown, SettingPhrase.unknown, name, place,
            meant: suggestion(for: name, among: Setting.allNames))
    }

    /// Of the environment, with the one that was probably meant.
    static func unknownVariable(_ name: String, meant: String?) -> SettingProblem {
        SettingProblem(.variable, SettingPhrase.unknownVariable, name, meant: meant)
    }

    /// A fleet's settings, and a program that knows no databases.
    static var withoutDatabases: SettingProblem {
        SettingProblem(.fleet, SettingPhrase.withoutDatabases)
    }

    /// A place in the settings file.
    static func file(
        _ path: String, line: Int? = nil, _ phrase: SettingPhrase, _ fact: String = ""
    ) -> SettingProblem {
        var problem = SettingProblem(.file, phrase, fact)
        problem.place = path + (line.map { ":\($0)" } ?? "")
        return problem
    }
}

extension Phrase {
    /// A sentence after the place that it is about, where that is known.
    fileprivate func text(
        _ sentence: String, with place: String?, _ language: Language
    ) -> String {
        place.map { text(language, $0.shown, sentence) } ?? sentence
    }
}

/// Why a policy folder is refused, for a command that cannot do without its policy: what
/// `usher policy check` says of it.
struct FolderErrors {
    /// The folder, as it was named.
    let path: String
    let diagnostics: [Diagnostic]
    let texts: [PolicyText]
    let exitCode: ExitCode

    /// All messages, and that nothing was done.
    func sentence(_ language: Language) -> String {
        render(diagnostics, sources: texts, as: options(language))
            + Phrase.policyHasErrors.text(language) + " [\(CommandFailure.refusedPolicy)]"
    }

    /// Problem details with the diagnostics as `usher policy check --json` gives them.
    func problem(_ language: Language) -> JSONValue {
        var problem = JSONValue.problem(
            code: CommandFailure.refusedPolicy, detail: Phrase.policyHasErrors.text(language))
        for member in renderJSON(diagnostics, options(language)).members ?? [] {
            problem[member.key] = member.value
        }
        return problem
    }

    private func options(_ language: Language) -> RenderOptions {
        RenderOptions(language: language, folder: path)
    }
}

/// One call to the running service, with refusals turned into failures.
struct ServiceCall {
    /// For an answer, in this task.
    @TaskLocal static var secondsToWait = 30
    /// Whether this task reads no ledger where no service answers.
    @TaskLocal static var isOnlySource = false

    let socket: String

    func get(_ path: String) throws(CommandFailure) -> [UInt8] {
        try body(SentCall(path)) { client throws(LocalClientError) in
            try client.get(path, fields: CallerFields.current.fields)
        }
    }

    /// A question that is posted, or something to be done.
    ///
    /// - Parameter key: names what is made, so that asking again makes it once.
    func ask(
        _ path: String, _ value: some WireObject, key: String? = nil
    ) throws(CommandFailure) -> [UInt8] {
        let json = value.json
        return try body(SentCall(path, body: try? parseJSON(json), key: key)) {
            client throws(LocalClientError) in
            try client.post(
                path, json: json, idempotencyKey: key, fields: CallerFields.current.fields)
        }
    }

    /// Takes something back.
    func delete(_ path: String, _ value: some WireObject) throws(CommandFailure) -> [UInt8] {
        let json = value.json
        return try body(SentCall(path, body: try? parseJSON(json))) {
            client throws(LocalClientError) in
            try client.delete(path, json: json, fields: CallerFields.current.fields)
        }
    }

    /// Hands in evidence: an answer that says what was refused in it is an answer too.
    func post(_ path: String, _ values: [some WireObject]) throws(CommandFailure) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 2_048)
        values.write(to: &writer)
        return try body(SentCall(path), alsoAnswering: 422) { client throws(LocalClientError) in
            try client.post(path, json: writer.bytes, fields: CallerFields.current.fields)
        }
    }

    private func body(
        _ sent: SentCall, alsoAnswering status: Int? = nil,
        _ call: (LocalClient) throws(LocalClientError) -> LocalClient.Response
    ) throws(CommandFailure) -> [UInt8] {
        let response: LocalClient.Response
        do throws(LocalClientError) {
            response = try call(
                LocalClient(socketPath: socket, secondsToWait: Self.secondsToWait))
        } catch .notRunning {
            throw .noService(socket: socket)
        } catch {
            throw .connection(error)
        }
        guard (200..<300).contains(response.status) || response.status == status else {
            let problem = (try? parseJSON(response.body)).flatMap { try? ProblemAnswer.read($0) }
            let undoable = problem?.decision.map { ["--decision \($0)"] }
            throw .serviceRejected(
                RejectedCall(
                    code: problem?.code.shown ?? "\(response.status)",
                    field: problem?.field?.shown,
                    value: problem?.field.flatMap(sent.value),
                    sentence: problem?.detail.shown ?? "",
                    didYouMean: (problem?.didYouMean ?? problem?.mergedInto?.text)?.shown,
                    legal: problem?.legal?.map(\.shown) ?? undoable ?? [],
                    left: problem.flatMap(UnitsLeft.init),
                    loss: problem.flatMap(SchedulingLoss.init),
                    changed: problem?.changed ?? [],
                    erasure: problem.flatMap { problem in
                        problem.reference.flatMap { name in
                            problem.erasure.map { (name, $0) }
                        }
                    }))
        }
        return response.body
    }
}

/// For whom the service is asked, where that is not the user of this process (spec 3.1).
enum CallerFields: Sendable {
    case none
    case delegated(for: String, as: PeerRole)

    /// Of all calls that are made in this task.
    @TaskLocal static var current = none

    var fields: [LocalClient.Field] {
        switch self {
        case .none: []
        case .delegated(let name, let role):
            [
                LocalClient.Field("Usher-Actor", name),
                LocalClient.Field("Usher-Role", role.rawValue),
            ].compactMap(\.self)
        }
    }
}

extension UnitsLeft {
    /// Nil for a problem that is about no balance.
    fileprivate init?(_ problem: ProblemAnswer) {
        guard let credit = problem.credit, let units = problem.balance else { return nil }
        self.init(credit: credit.text, units: units)
    }
}

extension SchedulingLoss {
    /// Nil for a problem that is about no loss.
    fileprivate init?(_ problem: ProblemAnswer) {
        guard let losing = problem.losing, let replaces = problem.replaces else { return nil }
        self.init(accounts: losing, replaces: replaces)
    }
}

/// An answer of the service, or the same made from a ledger file.
struct Answered<Shape: WireObject> {
    let value: Shape
    /// As it came.
    private let received: [UInt8]?

    init(_ value: Shape) {
        self.value = value
        received = nil
    }

    init(received bytes: [UInt8]) throws(CommandFailure) {
        // The service is trusted; what it says of an account may be long.
        let limits = JSONLimits(bytes: bytes.count, values: bytes.count)
        guard let json = try? parseJSON(bytes, limits: limits),
            let value = try? Shape.read(json)
        else { throw .unreadableAnswer }
        self.value = value
        received = bytes
    }

    /// The same bytes wherever it comes from.
    var json: [UInt8] { received ?? value.json }
}

extension JSONValue {
    /// The members that have a value.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(
            members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}
