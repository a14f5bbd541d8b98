internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import StrictJSON

/// `usher ledger verify`: whether a ledger is what an honest service wrote (spec 3.4).
struct LedgerVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that a ledger is complete, unchanged and consistent.",
        discussion: """
            Checks the file, the hash chain and the index; verifies all evidence again under the \
            policy of its time, compares every fact with its evidence, and repeats every decision \
            made under the rules of this version. The last line printed is an anchor. Keep it \
            somewhere else: only with --anchor can a truncated or completely rewritten ledger be \
            detected. With --against, each entry is named that a list of erasures names and that \
            still has content here. A fleet's database ('--ledger database:FILE') is copied into a temporary \
            file first, in TMPDIR. Exit codes: 0 sound, 1 not sound, 2 failed.

            Example: usher ledger verify --ledger usher.ledger
            """)

    @Option(
        help: .value("entry:hash", "The anchor that an earlier run or a backup printed."),
        transform: readAnchor)
    var anchor: LedgerHead?

    @Option(
        help: .value("list", "A list of erasures (.erasures), or a newer backup that has them."),
        completion: .file())
    var against: String?

    @Flag(help: "Check the file, the hash chain and the index only.")
    var quick = false

    @OptionGroup var file: LedgerFileOptions

    func run() throws {
        try file.output.decide(quiet: file.quiet) { () throws(CommandFailure) in
            let (audit, listed) = try file.withFile { source throws(CommandFailure) in
                var audit = try self.audit(source)
                let listed = try compare(source)
                audit.add(listed?.problems ?? [])
                return (audit, listed)
            } damaged: { (damage: CopiedLedger) throws(CommandFailure) in
                let problems = damage.problems.map(AuditProblem.ledger)
                return (LedgerAudit(head: damage.head, problems: problems), nil)
            }
            var json = audit.json
            if let listed {
                json["against"] = [
                    "erasures": .integer(Int64(listed.erasures)),
                    "entries": .integer(Int64(listed.entries)),
                ]
            }
            try file.show(json) { page in
                page.write(audit, of: file.path)
                if let listed, listed.problems.isEmpty {
                    page.add(LedgerPhrase.against, "\(listed.erasures)", "\(listed.entries)")
                }
            }
            return audit.problems.isEmpty
        }
    }

    private func compare(_ source: LedgerFile) throws(CommandFailure) -> ListedErasures? {
        guard let against else { return nil }
        return try file.working { try source.compare(with: against) }
    }

    private func audit(_ source: LedgerFile) throws(CommandFailure) -> LedgerAudit {
        let line = ProgressLine(isShown: !file.quiet && Terminal.current.showsProgress)
        defer { line.clear() }
        var options = AuditOptions()
        options.anchor = anchor
        options.isQuick = quick
        options.progress = { done, total in
            line.show(.verifying, done, of: total, file.output.language)
        }
        let ledger = try file.working { try source.openToVerify() }
        defer { try? ledger.close() }
        do throws(EngineError) {
            return try auditLedger(ledger, options)
        } catch {
            throw .engine(error)
        }
    }
}

/// Reads `412:3fa2…`.
private func readAnchor(_ text: String) throws -> LedgerHead {
    let place = try readPlace(text)
    try require(place.sequence > .zero, or: .anchor)
    return LedgerHead(
        sequence: place.sequence, hash: place.hash, recordedAt: .distantPast)
}

/// What `usher ledger … --json` prints: stable.
extension LedgerAudit {
    var json: JSONValue {
        [
            "sound": .bool(problems.isEmpty), "complete": .bool(isComplete), "head": head.json,
            "evidence": .integer(evidence), "decisions": .integer(decisions),
            "decisions_by_other_rules": .integer(decisionsByOtherRules.values.reduce(0, +)),
            "decisions_by_rules": .object(
                decisionsByOtherRules.merging([ClaimRules.version: decisions]) { $1 }
                    .sorted { $0.key < $1.key }
                    .map { JSONMember("\($0.key)", .integer($0.value)) }),
            "decisions_unknown": .integer(decisionsUnknown), "outlooks": .integer(outlooks),
            "rules": .integer(ClaimRules.version), "erased": .integer(erased + restated),
            "erasures": .integer(erasures),
            "problems": .array(problems.map(\.json)),
        ]
    }
}

extension AuditProblem {
    var json: JSONValue {
        .object(known: [
            ("code", .string(code)), ("sequence", sequence.map { .integer($0.number) }),
            ("detail", .string(text(.english))),
        ])
    }
}

/// The pages of `usher ledger verify`, `restore` and `stats`.
extension Page {
    mutating func write(_ audit: LedgerAudit, of path: String) {
        if audit.problems.isEmpty {
            let phrase: LedgerPhrase = audit.isComplete ? .sound : .soundChain
            add(phrase, path.shown, as: .good)
        } else {
            add(LedgerPhrase.notSound, path.shown, as: .bad)
            write(audit.problems)
        }
        if audit.isComplete {
            add(
                LedgerPhrase.looked, "\(audit.head.sequence)", "\(audit.evidence)",
                "\(audit.decisions)")
        }
        for (version, count) in audit.decisionsByOtherRules.sorted(by: { $0.key < $1.key }) {
            add(LedgerPhrase.otherRules, "\(version)", "\(count)")
        }
        if audit.decisionsUnknown > 0 {
            add(LedgerPhrase.unknownDecisions, "\(audit.decisionsUnknown)", as: .care)
        }
        if audit.erased + audit.restated > 0 {
            let gone = "\(audit.erased + audit.restated)"
            add(LedgerPhrase.erased, gone, "\(audit.erasures)", as: nil)
        }
        if audit.problems.isEmpty {
            add(LedgerPhrase.anchor, audit.head.anchor)
        }
    }

    mutating func write(_ problems: [AuditProblem]) {
        let language = language
        tree(
            problems.map { problem in
                Branch("\(problem.text(language)) [\(problem.code)]")
            })
    }

    mutating func write(_ statistics: LedgerStatistics, of path: String) {
        let head = statistics.head
        add(paint(path.shown, .strong))
        let newest =
            head.sequence == .zero
            ? "0"
            : LedgerPhrase.newestAt.text(
                language, "\(head.sequence)", head.recordedAt.toTheSecond)
        let size = LedgerPhrase.sizeWithLog.text(
            language, fileSize(statistics.fileBytes), fileSize(statistics.logBytes))
        let rows: [(LedgerPhrase, String?)] = [
            (.newest, newest), (.accounts, "\(statistics.accounts)"),
            (.lineages, "\(statistics.lineages)"),
            (.transactions, "\(statistics.transactions)"), (.size, size),
        ]
        table(facts(rows) + [["SQLite", "\(statistics.sqliteVersion)"]])
        for warning in statistics.warnings {
            guard case .outdatedSQLite(let version) = warning else { continue }
            add("  " + paint(LedgerPhrase.outdated.text(language, "\(version)"), .care))
        }
        heading(LedgerPhrase.entries.text(language))
        let counts = statistics.entries.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        table(
            counts.map { kind, count in
                [EntryKind.words(kind, language), "\(count)"]
            })
    }
}

extension LedgerStatistics {
    var json: JSONValue {
        let counts = entries.sorted { $0.key < $1.key }.map { kind, count in
            JSONMember(kind, .integer(count))
        }
        return [
            "head": head.json, "entries": .object(counts), "accounts": .integer(accounts),
            "lineages": .integer(lineages), "transactions": .integer(transactions),
            "file_bytes": .integer(fileBytes), "log_bytes": .integer(logBytes),
            "sqlite": .string("\(sqliteVersion)"),
            "warnings": .array(warnings.map { .string($0.code) }),
        ]
    }
}

extension LedgerWarning {
    fileprivate var code: String {
        switch self {
        case .outdatedSQLite: "outdated-sqlite"
        }
    }
}

/// What `usher ledger …` says.
enum LedgerPhrase: String, CaseIterable, UsherText, Wording {
    case verifying = "verifying"
    case sound = "sound: {0}"
    case soundChain = "sound: {0} (only file, hash chain and index were verified)"
    case notSound = "not sound: {0}"
    case looked = "entries: {0}; evidence verified again: {1}; decisions computed again: {2}"
    case otherRules = "decisions by version {0} of the rules, not computed again: {1}"
    case unknownDecisions = "decisions that depend on erased entries, not computed again: {0}"
    case keyMade = "made: {0}; keep it apart from the ledger and its backups"
    case keyNotMade = "'{0}' cannot be made, or is there already"
    case erased = "{0 entry|entries} erased by {1 erasure|erasures}"
    case erasedAgain = "{0 erasure|erasures} made again that the backup lacked"
    case unlisted = """
        there was no list of erasures: what was erased after this backup is in the ledger again \
        (--against LIST)
        """
    case against = "of {0 erasure|erasures} of the list with {1 entry|entries} nothing is left"
    case problem = "entry {0}"
    case anchor = "anchor {0}"
    case backedUp = "{0} holds the ledger up to entry {1}"
    case noFolder = "the service has no backup folder: set 'backups' in its configuration"
    case restored = "{0} was restored from {1}"
    case notRestored = "{0} is not sound; nothing was restored"
    case copied = "{0} was copied to {1} up to entry {2}"
    case newest = "newest entry"
    case newestAt = "{0}, recorded {1}"
    case accounts = "accounts"
    case lineages = "purchases and subscriptions"
    case transactions, size
    case sizeWithLog = "{0}, log {1}"
    case outdated = "SQLite {0} may damage the log if another program writes to the file; update it"
    case entries = "Entries"
}
