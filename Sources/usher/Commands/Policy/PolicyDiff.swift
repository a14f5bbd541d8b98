internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Glibc
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON
internal import Synchronization

/// `usher policy diff`: who gains and who loses what by a change (spec 2.4).
struct PolicyDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show who gains and who loses what by a change of the policy.",
        discussion: """
            With --ledger or --live, every account that holds a product of which anything changes \
            is derived by both policies, now and for the next 30 days, or as many as --days says. \
            What is listed follows from what is known today: renewals to come are not assumed. \
            --accounts lists each of the accounts with what it loses or gains, from when until \
            when, and what it paid last; the file is written whole or not at all.

            Without them, the two policies alone are compared: every product, right and state of \
            which the rules give more or less, with the smallest example and how long the right \
            lasts there; and every claim of which account_switch decides otherwise, which is no \
            loss: what is owned stays owned. Exit codes: 0 compared, 1 with --fail-on-loss if \
            anybody loses anything, 2 failed.

            Example: usher policy diff policies new-policies --ledger usher.ledger
            """)

    @Argument(
        help:
            "The policy folder before and the one after; the policy in force is before if omitted.",
        completion: .directory)
    var folders: [String]

    @Option(help: .value("file", "Compare for the accounts of this ledger."), completion: .file())
    var ledger: String?

    @Option(
        help: .value("date", "The instant to begin at; now if omitted."),
        transform: readInstant)
    var at: Instant?

    @Flag(help: "Compare for the accounts of the running service.")
    var live = false

    @Option(help: .value("number", "How many days to look ahead, from 1 to 400; 30 if omitted."))
    var days: Int?

    @Option(
        help: .value(
            "file",
            "List every account that loses or gains something in this file (.csv or .jsonl)."),
        completion: .file())
    var accounts: String?

    @Option(help: "Output format: text, json or csv.")
    var format: DiffFormat?

    @Flag(help: "Exit with 1 if anybody loses anything.")
    var failOnLoss = false

    @Option(
        help: .value(
            "file", "Keep the state of a long comparison in this file and continue from it."),
        completion: .file())
    var resume: String?

    @Option(help: .value("text", "Write the accept.yaml that accepts the loss, for this reason."))
    var accept: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require((1...2).contains(folders.count), or: .oneOrTwoFolders)
        try require(ledger == nil || !live, or: .exclusive, "--ledger", "--live")
        guard ledger != nil || at == nil, ledger != nil || resume == nil else {
            throw ValidationError(.bothNeed, "--at", "--resume", "--ledger")
        }
        try require(
            live || ledger != nil || folders.count == 2, or: .twoFolders, "--ledger", "--live")
        try validateReach()
        guard let accept else { return }
        try require(live || ledger != nil, or: .needsEither, "--accept", "--ledger", "--live")
        guard !accept.isEmpty, accept.utf8.count <= 1_000 else {
            throw ValidationError(.acceptReason)
        }
    }

    private func validateReach() throws {
        if let days {
            try require(live || ledger != nil, or: .needsEither, "--days", "--ledger", "--live")
            try require(
                EntitlementEngine.impactDays.contains(Int64(days)), or: .range, "--days", "1", "400"
            )
        }
        guard let accounts else { return }
        try require(ledger != nil, or: .accountsLedger, "--accounts", "--ledger")
        try require(resume == nil, or: .exclusive, "--accounts", "--resume")
        try require(AccountsFile.Format(path: accounts) != nil, or: .accountsFile, "--accounts")
    }

    func run() throws {
        try output.decide { () throws(CommandFailure) in
            let isLoss = try showLoss(of: ComparedFolders(folders))
            return !failOnLoss || !isLoss
        }
    }

    /// - Returns: whether anything is lost.
    private func showLoss(of pair: ComparedFolders) throws(CommandFailure) -> Bool {
        guard live || ledger != nil else { return try showCells(pair) }
        let impact = try impact(pair)
        try show(impact)
        if let accept { try self.accept(impact, because: accept) }
        return impact.losingEver > 0
    }

    private func impact(
        _ pair: ComparedFolders
    ) throws(CommandFailure) -> PolicyImpactAnswer {
        if live {
            return try LiveImpact(
                call: ServiceCall(socket: sockets.usherSocket), days: days, output: output
            ).compare(pair.oldTexts, pair.newTexts)
        }
        return try LedgerImpact(
            path: ledger ?? "", at: at ?? SystemClock().now(), resume: resume,
            days: days ?? ImpactWindow.usualDays, accounts: accounts, output: output
        ).compare(pair.old, pair.new)
    }

    /// - Returns: whether anything is lost.
    private func showCells(_ pair: ComparedFolders) throws(CommandFailure) -> Bool {
        guard let old = pair.old, let oldTexts = pair.oldTexts else {
            throw .unreadablePolicyFolder(folders[0])
        }
        let comparison = CellComparison(
            from: old, to: pair.new,
            zones: timeZoneEdits(from: oldTexts, to: pair.newTexts))
        switch format ?? (output.json ? .json : .text) {
        case .json: try Terminal.current.printWhole(json: comparison.json.text + "\n")
        case .csv: try Terminal.current.printWhole(Array(comparison.csv.utf8))
        case .text:
            var page = Page(output.language)
            page.write(comparison)
            try Terminal.current.printWhole(page.text)
        }
        return comparison.isLoss
    }

    private func show(_ impact: PolicyImpactAnswer) throws(CommandFailure) {
        switch format ?? (output.json ? .json : .text) {
        case .json:
            let text = String(decoding: impact.json, as: UTF8.self)
            try Terminal.current.printWhole(json: text + "\n")
        case .csv: try Terminal.current.printWhole(Array(impact.csv.utf8))
        case .text:
            var page = Page(output.language)
            page.write(impact)
            try Terminal.current.printWhole(page.text)
        }
    }

    private func accept(
        _ impact: PolicyImpactAnswer, because reason: String
    ) throws(CommandFailure) {
        let path = folders[folders.count - 1] + "/" + FolderAcceptance.file
        var page = Page(output.language)
        if impact.losingEver == 0 {
            page.add(ImpactPhrase.nothingToAccept.text(output.language, path.shown))
        } else {
            let text = """
                from: \(impact.replaces.hexadecimal)
                because: \(JSONValue.string(reason).text)
                accounts_at_most: \(impact.losingEver)

                """
            try OutputFile.write(Array(text.utf8), to: path)
            page.add(
                ImpactPhrase.accepted.text(output.language, path.shown, "\(impact.losingEver)"))
        }
        Terminal.current.printErrorText(page.text)
    }
}

enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv
}

/// The folders of a comparison: the one before may be left out.
struct ComparedFolders {
    let newTexts: [PolicyText]
    let new: Policy
    /// Nil for what is in force.
    let oldTexts: [PolicyText]?
    let old: Policy?

    init(_ folders: [String]) throws(CommandFailure) {
        let last = folders[folders.count - 1]
        let checked = CheckedFolder(last)
        new = try checked.required(last)
        newTexts = checked.texts
        guard folders.count == 2 else {
            (oldTexts, old) = (nil, nil)
            return
        }
        let before = CheckedFolder(folders[0])
        oldTexts = before.texts
        // Whatever is an error today, it may have been in force.
        if let policy = loadOldPolicy(before.texts) {
            old = policy
        } else {
            old = try before.required(folders[0])
        }
    }
}

/// A comparison over a ledger file, which can be interrupted and gone on with.
struct LedgerImpact {
    /// How often the state is kept. Milliseconds.
    private static let pause: Int64 = 5_000

    let path: String
    let at: Instant
    /// Where the state is kept; nil for nowhere.
    let resume: String?
    /// How many days to look ahead.
    var days = ImpactWindow.usualDays
    /// Where every account that loses or gains something is listed; nil for nowhere.
    var accounts: String?
    let output: OutputOptions

    func compare(_ old: Policy?, _ new: Policy) throws(CommandFailure) -> PolicyImpactAnswer {
        let line = ProgressLine(isShown: Terminal.current.showsProgress)
        defer { line.clear() }
        Interruption.holdBack(saying: "")
        let keeper = CheckpointKeeper(path: resume, pause: Self.pause)
        var options = ImpactOptions { [language = output.language] progress in
            let stage: ImpactPhrase = progress.stage == .searching ? .searching : .deriving
            line.show(stage.text(language), progress.done, of: progress.total)
            let isStopped = Interruption.isPending
            keeper.note(progress, isLast: isStopped)
            return !isStopped
        }
        options.checkpoint = try keeper.read(for: new.digest)
        options.days = days
        let questions = try questions()
        // The ledger is open by now: a list is not written over it.
        let list = try accounts.map { path throws(CommandFailure) in try AccountsFile(path) }
        if let list { options.rows = { list.add($0) } }
        let impact: PolicyImpactAnswer?
        do throws(EngineError) {
            impact = try questions.impact(of: new, replacing: old, at: at, options)
        } catch {
            throw .engine(error)
        }
        if let failure = keeper.failure ?? list?.failure { throw failure }
        guard let impact else {
            line.clear()
            let stopped = ImpactPhrase.stopped.text(output.language)
            let how = keeper.resumable.map {
                ImpactPhrase.resumable.text(output.language, $0.shown)
            }
            throw .said(output.language.clauses([stopped, how].compactMap(\.self)))
        }
        try list?.finish()
        keeper.remove()
        return impact
    }

    private func questions() throws(CommandFailure) -> LedgerQuestions {
        do throws(EngineError) {
            return try LedgerQuestions(file: path)
        } catch {
            throw .engine(error)
        }
    }
}

/// A comparison by the running service, which does it in the background.
struct LiveImpact {
    /// Between two questions, growing. Milliseconds.
    private static let pauses: [UInt32] = [20, 50, 100, 200, 400]

    let call: ServiceCall
    /// How many days to look ahead; nil for as many as the service does by itself.
    var days: Int?
    let output: OutputOptions

    /// - Parameter old: the policy in force if omitted.
    func compare(
        _ old: [PolicyText]?, _ new: [PolicyText]
    ) throws(CommandFailure) -> PolicyImpactAnswer {
        let line = ProgressLine(isShown: Terminal.current.showsProgress)
        defer { line.clear() }
        let body = PolicyImpactBody(
            files: new.map(\.file), oldFiles: old?.map(\.file),
            days: days.map(Int64.init))
        var asked = 0
        while true {
            let answer = try Answered<ImpactRunAnswer>(
                received: call.ask("/v1/policy/impact", body)
            ).value
            if let impact = answer.impact { return impact }
            line.show(
                ImpactPhrase.deriving.text(output.language), answer.done, of: max(1, answer.total))
            usleep(Self.pauses[min(asked, Self.pauses.count - 1)] * 1_000)
            asked += 1
        }
    }
}

extension PolicyText {
    /// As calls have it.
    var file: PolicyTextAnswer.File {
        let text = String(validating: bytes, as: UTF8.self)
        return PolicyTextAnswer.File(
            path: path, text: text, base64: text == nil ? Base64.standard.encode(bytes) : nil)
    }
}

/// Keeps the state of a long comparison in a file, so that it can be gone on with.
final class CheckpointKeeper: Sendable {
    private struct State {
        var keptAt: Instant?
        var failure: CommandFailure?
        var holdsState = false
    }

    /// Nil to keep nothing.
    private let path: String?
    /// Milliseconds.
    private let pause: Int64
    private let clock = SystemClock()
    private let state = Mutex(State())

    init(path: String?, pause: Int64) {
        self.path = path
        self.pause = pause
    }

    /// Why the state could not be kept.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    /// The file from which the comparison can be continued; nil while there is nothing in one.
    var resumable: String? { state.withLock { $0.holdsState } ? path : nil }

    /// What an earlier run has left; nil where there is no file.
    ///
    /// - Parameter policy: what is compared now: a run of another one is not continued.
    /// - Throws: where the file is something else, which is not to be overwritten.
    func read(for policy: Digest256) throws(CommandFailure) -> ImpactCheckpoint? {
        guard let path, access(path, F_OK) == 0 else { return nil }
        guard let bytes = try? InputFile.read(path),
            let json = try? parseJSON(
                bytes, limits: JSONLimits(bytes: bytes.count, values: bytes.count)),
            let checkpoint = try? ImpactCheckpoint.read(json)
        else { throw .unreadableFile(path) }
        state.withLock { $0.holdsState = checkpoint.impact.policy == policy }
        return checkpoint
    }

    /// Written from time to time, and at the end.
    func note(_ progress: ImpactProgress, isLast: Bool) {
        guard let path, let checkpoint = due(progress, isLast: isLast) else { return }
        let temporary = path + ".new"
        do throws(CommandFailure) {
            try OutputFile.write(checkpoint.json, to: temporary)
            guard rename(temporary, path) == 0 else { throw .unwritableFile(path) }
            state.withLock { $0.holdsState = true }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
    }

    private func due(_ progress: ImpactProgress, isLast: Bool) -> ImpactCheckpoint? {
        let now = clock.now()
        let isDue = state.withLock { state in
            let keptAt = state.keptAt ?? now
            let isDue = isLast || now < keptAt || now.milliseconds(since: keptAt) >= pause
            state.keptAt = isDue ? now : keptAt
            return isDue
        }
        return isDue ? progress.checkpoint : nil
    }

    /// The comparison is done.
    func remove() {
        if let path { unlink(path) }
    }
}

/// The full list of the accounts that lose or gain something: written line by line next to its
/// place, and put there once it is whole.
final class AccountsFile: Sendable {
    /// By the end of the file's name.
    enum Format: String, CaseIterable {
        case csv
        /// JSON Lines: an object in each line.
        case jsonl

        init?(path: String) {
            guard let format = Self.allCases.first(where: { path.hasSuffix("." + $0.rawValue) })
            else { return nil }
            self = format
        }
    }

    private struct State {
        /// Nil once it is put in its place or given up.
        var descriptor: Int32?
        var failure: CommandFailure?
    }

    private let path: String
    private let format: Format
    private let state: Mutex<State>

    private var temporary: String { path + ".new" }

    /// - Throws: where the file cannot be written, or the ledger is in it.
    init(_ path: String) throws(CommandFailure) {
        let temporary = path + ".new"
        guard let format = Format(path: path), !LedgerFile.isOpen(path),
            !LedgerFile.isOpen(temporary), !InputFile.isFolder(path),
            let descriptor = OutputFile.open(temporary)
        else { throw .unwritableFile(path) }
        self.path = path
        self.format = format
        state = Mutex(State(descriptor: descriptor))
        if format == .csv { write(csvText([ImpactRow.columns])) }
    }

    deinit { giveUp() }

    /// Why it could not be written.
    var failure: CommandFailure? { state.withLock { $0.failure } }

    func add(_ rows: [ImpactRow]) {
        switch format {
        case .csv: write(csvText(rows.map(\.cells)))
        case .jsonl: write(rows.map { $0.json.text + "\n" }.joined())
        }
    }

    private func write(_ text: String) {
        state.withLock { state in
            guard let descriptor = state.descriptor, state.failure == nil else { return }
            if !writesWhole(Array(text.utf8), to: descriptor) {
                state.failure = .unwritableFile(path)
            }
        }
    }

    /// Puts it in its place, durable.
    func finish() throws(CommandFailure) {
        let failure = state.withLock { state -> CommandFailure? in
            guard let descriptor = state.descriptor else { return state.failure }
            if fsync(descriptor) != 0 { state.failure = state.failure ?? .unwritableFile(path) }
            close(descriptor)
            state.descriptor = nil
            if state.failure == nil, rename(temporary, path) != 0 {
                state.failure = .unwritableFile(path)
            }
            if state.failure != nil { unlink(temporary) }
            return state.failure
        }
        if let failure { throw failure }
    }

    /// Leaves what was there as it was.
    private func giveUp() {
        state.withLock { state in
            guard let descriptor = state.descriptor else { return }
            close(descriptor)
            unlink(temporary)
            state.descriptor = nil
        }
    }
}

extension ImpactRow {
    /// What is known of it, by the names of the columns and of the members.
    private enum Column: String, CaseIterable {
        case account, change, environment, subject, right, from, until, product
        case isBoundToAppleID = "bound_to_apple_id"
        case state, currency, paid
    }

    private func value(_ column: Column) -> JSONValue? {
        switch column {
        case .account: .string(account.text)
        case .change: .string(direction.rawValue)
        case .environment: .string(right.environment.rawValue)
        case .subject: .string(subject)
        case .right: .string(right.name)
        case .from: .string(interval.start.rfc3339)
        case .until: interval.end.map { .string($0.rfc3339) }
        case .product: product.map { .string($0.text) }
        case .isBoundToAppleID: isBoundToAppleID.map { .bool($0) }
        case .state: state.map { .string($0.rawValue) }
        case .currency: paid.map { .string($0.currency) }
        case .paid: paid.map { .string(Price(milliunits: $0.milliunits, currency: nil).text) }
        }
    }

    private var subject: String {
        switch right.subject {
        case .entitlement: "entitlement"
        case .credit: "credit"
        }
    }

    fileprivate static var columns: [String] { Column.allCases.map(\.rawValue) }

    fileprivate var cells: [String] {
        Column.allCases.map { column in
            value(column).map { $0.string ?? $0.text } ?? ""
        }
    }

    fileprivate var json: JSONValue {
        .object(known: Column.allCases.map { ($0.rawValue, value($0)) })
    }
}
