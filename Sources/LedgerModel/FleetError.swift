package import EntitlementModel

/// What the database of a fleet, or another node of it, has kept a ledger from doing
/// (docs/FLEET.md).
package enum FleetError: StoreFailure {
    /// The database does not answer; in the words of the library that asks it.
    case unreachable(String)
    /// It turned this node away: a wrong password, a missing permission.
    case refused(String)
    /// A standby, which takes no writes.
    case standby
    /// What is in it was not made by this program; names the first difference.
    case foreign(String)
    /// It keeps a ledger of another format.
    case otherFormat(found: Int64, known: Int64)
    /// The ledger's file is not a copy of what the database keeps.
    case otherLedger(LedgerSequence)
    /// It keeps another ledger than the settings name: both by their first entry's hash.
    case unexpectedLedger(found: String, wanted: String)
    /// There is no ledger in it.
    case vacant
    /// What it keeps is not what a node wrote.
    case damaged(LedgerProblem)
    /// The ledger's file has entries, and the database has none.
    case empty
    /// The database lacks an entry that the ledger's file has.
    case behind(end: LedgerSequence, file: LedgerSequence)
    /// The database has another change of the feed than the ledger's file, or none of that number.
    case otherChanges(Int64)
    /// The database has the ledger of the file already, and more of it.
    case ahead(end: LedgerSequence, file: LedgerSequence)
    /// The database promises less than the settings ask for.
    case weak(promised: String, wanted: String)
    /// Another node leads, or none.
    case notLeader
    /// The ledger's file is a node's copy, by the file that is named, and no fleet is set.
    case ofFleet(String)
    /// The connection ended while a commit was under way: it may be kept or not. The same write
    /// may be repeated once the node leads or follows again: natural keys make it one.
    case outcomeUnknown
    /// The database has no room.
    case full
    /// Something else, with the SQLSTATE code.
    case failed(code: String, String)

    package var kind: LedgerError.Kind {
        switch self {
        case .unreachable, .notLeader, .outcomeUnknown: .busy
        case .full: .full
        case .damaged: .damaged
        case .refused, .standby, .foreign, .otherFormat, .otherLedger, .unexpectedLedger, .vacant,
            .empty, .behind, .otherChanges, .ahead, .weak, .ofFleet:
            .needsPerson
        case .failed: .failed
        }
    }

    package var code: String {
        switch self {
        case .unreachable: "ledger.database-unreachable"
        case .refused: "ledger.database-refused"
        case .standby: "ledger.database-standby"
        case .foreign: "ledger.database-foreign"
        case .otherFormat: "ledger.database-format"
        case .otherLedger, .unexpectedLedger: "ledger.other-ledger"
        case .vacant: "ledger.database-vacant"
        case .damaged: "ledger.database-damaged"
        case .empty: "ledger.database-empty"
        case .behind, .otherChanges: "ledger.database-behind"
        case .ahead: "ledger.database-ahead"
        case .weak: "ledger.database-weak"
        case .notLeader: "ledger.not-leader"
        case .ofFleet: "ledger.of-fleet"
        case .outcomeUnknown: "ledger.outcome-unknown"
        case .full: "ledger.database-full"
        case .failed: "ledger.database-failed"
        }
    }

    package func facts(in language: Language) -> [String] {
        switch self {
        case .unreachable(let words), .refused(let words), .foreign(let words),
            .ofFleet(let words):
            [words]
        case .otherFormat(let found, let known): ["\(found)", "\(known)"]
        case .otherLedger(let sequence): ["\(sequence)"]
        case .behind(let end, let file):
            [
                "\(end)", "\(file.number - end.number)", "\(LedgerSequence(end.number + 1))",
                "\(file)",
            ]
        case .otherChanges(let number): ["\(number)"]
        case .ahead(let end, let file): ["\(end)", "\(file)"]
        case .weak(let promised, let wanted): [promised, wanted]
        case .unexpectedLedger(let found, let wanted): [found, wanted]
        case .failed(let code, let words): [code, words]
        case .damaged(let problem): [problem.text(language)]
        case .standby, .vacant, .empty, .notLeader, .outcomeUnknown, .full: []
        }
    }
}
