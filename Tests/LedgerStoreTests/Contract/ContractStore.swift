internal import LedgerModel
internal import LedgerStore
internal import MemoryLedger
internal import TestSupport
internal import Testing

#if PostgreSQL
    internal import PostgresStore
#endif

/// The stores that the contract holds for. Whoever adds a store adds it here; whoever adds a
/// question asks it in `LedgerAnswers`.
enum ContractStore: CaseIterable, CustomTestStringConvertible {
    case file, memory
    #if PostgreSQL
        /// A fleet of one node.
        case database
    #endif

    var testDescription: String { "\(self)" }

    /// A new ledger; the folder must stay until it is closed.
    func open(in folder: TemporaryFolder) throws -> any Ledger {
        switch self {
        case .file: return try folder.openLedger()
        case .memory: return MemoryLedger()
        #if PostgreSQL
            case .database:
                let database = try DatabaseServer.shared.get().makeDatabase()
                return try folder.openNode("database", in: database)
        #endif
        }
    }
}
