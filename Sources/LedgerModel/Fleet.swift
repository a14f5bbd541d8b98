package import EntitlementModel

/// A ledger that several nodes share through a database: one of them writes, all of them answer
/// (docs/FLEET.md).
package protocol FleetLedger: Ledger {
    /// Cheap; as far as this node knows.
    var fleet: FleetCondition { get }

    /// Calls `tell` with whether this node leads: at once and at each change, on any thread. It
    /// must not block. A node that begins to lead has every entry of the ledger.
    func watchLead(_ tell: @escaping @Sendable (_ leads: Bool) -> Void)

    /// Whether this node may lead from now on; where it leads and may not, it stops at once.
    func setEligible(_ isEligible: Bool)

    /// Lets another node lead, where this one does, and the others come first for some minutes.
    /// They may do no better, or not be there: this one leads again where none has taken the lead
    /// within seconds, and does not resign again before those minutes are over.
    func resign()

    /// Calls `tell` once with the newest entry of the database, on any thread; nil if the database
    /// does not answer.
    func askNewest(_ tell: @escaping @Sendable (LedgerSequence?) -> Void)

    /// Hands a call to the node that leads, and returns what it answers.
    ///
    /// - Throws: `FleetError.notLeader` where none is known, `.outcomeUnknown` where no answer
    ///   came: it may have been done.
    func forwardToLeader(_ call: [UInt8]) async throws(LedgerError) -> [UInt8]

    /// From now on answers the calls that other nodes pass on while this one leads. To be called
    /// once.
    func answerCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8])

    /// The journal that all nodes share. Only the leader writes it, under the epoch in which it has
    /// read it: a deposed one changes nothing.
    ///
    /// - Parameter before: the journal from before there was a fleet; the leader copies it if the
    ///   fleet has none. Nil if it is not needed.
    func journal(
        _ journal: SharedJournal, before: (any JournalStore)?
    ) -> any ReconciliationStore

    /// Calls `tell` with the numbers of the changes that another node has published, once they are
    /// here; on the writer's thread. It must not block.
    func watchChanges(_ tell: @escaping @Sendable (ClosedRange<Int64>) -> Void)
}

/// A node's part in its fleet.
package struct FleetCondition: Hashable, Sendable {
    /// This node's name.
    package var node: String
    package var leads = false
    /// The name of the node that leads; nil while this one knows of none.
    package var leader: String?
    /// Counts changes of leader.
    package var epoch: Int64 = 0
    /// How often this node has resigned since it was started.
    package var resignations: Int64 = 0
    /// The database's durability; nil before it was read.
    package var promise: Promise?
    /// Why this node neither leads nor follows; nil while it does either.
    package var problem: FleetError?
    /// When the database last answered; nil while it does, or if nothing was asked.
    package var answeredAt: Instant?

    package init(node: String) {
        self.node = node
    }

    /// The node that leads, as far as this one can know: one that neither leads nor can ask the
    /// database knows of none.
    package var knownLeader: String? { problem == nil || leads ? leader : nil }

    /// Whether the database does not answer.
    package var isUnreachable: Bool {
        if case .unreachable = problem { true } else { false }
    }

    /// How durable a commit is that the database has acknowledged, and by which setting.
    package struct Promise: Hashable, Sendable {
        package var durability: Durability
        package var synchronousCommit: String
        /// `synchronous_standby_names`; empty for none.
        package var standbys: String

        package init(durability: Durability, synchronousCommit: String, standbys: String) {
            self.durability = durability
            self.synchronousCommit = synchronousCommit
            self.standbys = standbys
        }
    }

    /// What survives what, from the least to the most.
    package enum Durability: String, CaseIterable, Comparable, Sendable {
        /// A crash of the database may lose acknowledged commits.
        case memory
        /// It is on the database's disk.
        case disk
        /// It is on a standby's disk too.
        case replicated

        package static func < (left: Self, right: Self) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int {
            switch self {
            case .memory: 0
            case .disk: 1
            case .replicated: 2
            }
        }
    }
}

/// Why the database of a fleet, or another node, has stopped an operation (docs/FLEET.md).
package enum FleetError: LedgerText, StoreFailure {
    /// The database does not answer; in the words of the library that asks it.
    case unreachable(String)
    /// It turned this node away: a wrong password, a missing permission.
    case refused(String)
    /// A standby, which takes no writes.
    case standby
    /// Its content was not made by this program; names the first difference.
    case foreign(String)
    /// It keeps a ledger of another format.
    case otherFormat(found: Int64, known: Int64)
    /// The ledger's file is not a copy of what the database keeps.
    case otherLedger(LedgerSequence)
    /// It keeps another ledger than the settings name: both by their first entry's hash.
    case unexpectedLedger(found: String, wanted: String)
    /// There is no ledger in it.
    case vacant
    /// Its rows are not what a node has written.
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

    package var english: String {
        switch self {
        case .unreachable: "the database does not answer: {0}"
        case .refused: "the database refuses this node: {0}"
        case .standby:
            "the database is a standby and takes no writes; connect to the primary, or promote it"
        case .foreign: "the schema 'usher' of the database was not made by this program: {0}"
        case .otherFormat:
            "the database keeps a ledger of format {0}, and this version knows format {1}; use the "
                + "same version on all nodes"
        case .otherLedger:
            "the ledger file is no copy of the ledger in the database: they differ at entry {0}; "
                + "check the database's address; where it is right, move the file away to get a "
                + "new copy"
        case .unexpectedLedger:
            "the database keeps the ledger {0}, and 'fleet.ledger' names {1}; check the database's "
                + "address"
        case .vacant: "the database keeps no ledger"
        case .damaged: "what the database keeps is no sound ledger: {0}"
        case .empty:
            "the database is empty and the ledger file is not; move the ledger into the database "
                + "with 'usher ledger copy', or move the file away to start a new ledger"
        case .behind:
            "the database ends with entry {0}, and this node's ledger file has {1} more, from "
                + "entry {2} to {3}, which may have been acknowledged; connect to the database "
                + "that has them, or keep them with 'usher ledger export --after {0}', move the "
                + "file away with all files whose names begin with its name, and start again: the "
                + "ledger is fetched from the database"
        case .otherChanges:
            "change {0} of the feed in this node's ledger file is not in the database, and "
                + "receivers may have been told it; connect to the database that has it, or move "
                + "the file away with all files whose names begin with its name, and start again: "
                + "the ledger is fetched from the database, which gives that number to another "
                + "change"
        case .ahead:
            "the database has this ledger already: it ends with entry {0}, and the file with {1}; "
                + "there is nothing to copy"
        case .weak: "the database promises {0}, and 'fleet.durability' asks for {1}"
        case .notLeader: "this node does not lead: another one of the fleet does, or none now"
        case .ofFleet:
            "the ledger is a copy that a node of a fleet keeps ('{0}' is there): what is recorded "
                + "in it alone begins a second ledger; set 'fleet.database-file', or, where there "
                + "is no fleet any more, remove that file"
        case .outcomeUnknown:
            "the connection to the database ended during a commit; repeat the call to learn "
                + "whether it was recorded"
        case .full: "the database has no room; nothing was written"
        case .failed: "the database failed [{0}]: {1}"
        }
    }
}
