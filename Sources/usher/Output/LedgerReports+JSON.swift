internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import LedgerStore
internal import StrictJSON

/// What `usher ledger … --json` prints: stable.
extension LedgerAudit {
    var json: JSONValue {
        [
            "sound": .bool(problems.isEmpty), "complete": .bool(isComplete), "head": head.json,
            "evidence": .integer(evidence), "decisions": .integer(decisions),
            "decisions_by_other_rules": .integer(decisionsByOtherRules),
            "decisions_unknown": .integer(decisionsUnknown),
            "rules": .integer(ClaimRules.version), "erased": .integer(erased),
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
