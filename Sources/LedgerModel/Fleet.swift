package import EntitlementModel

/// A ledger that several nodes share through a database: one of them writes, all of them answer
/// (docs/FLEET.md).
package protocol FleetLedger: Ledger {
    /// Cheap; as far as this node knows.
    var fleet: FleetCondition { get }

    /// Hands to `tell` whether this node leads: at once, and whenever that changes, on any thread.
    /// It must not block. A node that begins to lead has every entry of the ledger.
    func watchLead(_ tell: @escaping @Sendable (_ leads: Bool) -> Void)

    /// Hands the newest entry that the database has to `tell`, once, on any thread; nil where it
    /// does not answer.
    func askNewest(_ tell: @escaping @Sendable (LedgerSequence?) -> Void)

    /// Hands a call to the node that leads, and returns what it answers.
    ///
    /// - Throws: `FleetError.notLeader` where none is known, `.outcomeUnknown` where no answer
    ///   came: it may have been done.
    func passOn(_ call: [UInt8]) async throws(LedgerError) -> [UInt8]

    /// From now on answers the calls that other nodes pass on while this one leads. To be called
    /// once.
    func answerCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8])

    /// Hands to `tell` the numbers of the changes that another node has told, once they are here;
    /// on the writer's thread. It must not block.
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
    /// What a commit is worth that the database has acknowledged.
    package var durability = Durability.disk
    /// Why this node neither leads nor follows; nil while it does either.
    package var problem: FleetError?

    package init(node: String) {
        self.node = node
    }

    /// What survives what, from the least to the most.
    package enum Durability: String, CaseIterable, Comparable, Sendable {
        /// A crash of the database may lose what was acknowledged.
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
