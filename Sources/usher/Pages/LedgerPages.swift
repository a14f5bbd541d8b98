internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import StrictJSON

/// The pages of `usher ledger verify`, `restore` and `stats`.
extension Page {
    mutating func write(_ audit: LedgerAudit, of path: String) {
        if audit.problems.isEmpty {
            let phrase: LedgerPhrase = audit.isComplete ? .sound : .soundChain
            add(paint(phrase.text(language, path.shown), .good))
        } else {
            add(paint(LedgerPhrase.notSound.text(language, path.shown), .bad))
            write(audit.problems)
        }
        if audit.isComplete {
            add(
                LedgerPhrase.looked.text(
                    language, "\(audit.head.sequence)", "\(audit.evidence)",
                    "\(audit.decisions)"))
        }
        for (version, count) in audit.decisionsByOtherRules.sorted(by: { $0.key < $1.key }) {
            add(LedgerPhrase.otherRules.text(language, "\(version)", "\(count)"))
        }
        if audit.decisionsUnknown > 0 {
            add(
                paint(
                    LedgerPhrase.unknownDecisions.text(language, "\(audit.decisionsUnknown)"),
                    .care))
        }
        if audit.erased > 0 {
            add(paint(LedgerPhrase.erased.text(language, "\(audit.erased)"), .care))
        }
        if audit.problems.isEmpty {
            add(LedgerPhrase.anchor.text(language, audit.head.anchor))
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
        table([
            [
                LedgerPhrase.newest.text(language),
                head.sequence == .zero
                    ? "0"
                    : LedgerPhrase.newestAt.text(
                        language, "\(head.sequence)", head.recordedAt.toTheSecond),
            ],
            [LedgerPhrase.accounts.text(language), "\(statistics.accounts)"],
            [LedgerPhrase.lineages.text(language), "\(statistics.lineages)"],
            [LedgerPhrase.transactions.text(language), "\(statistics.transactions)"],
            [
                LedgerPhrase.size.text(language),
                LedgerPhrase.sizeWithLog.text(
                    language, fileSize(statistics.fileBytes), fileSize(statistics.logBytes)),
            ],
            ["SQLite", "\(statistics.sqliteVersion)"],
        ])
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
