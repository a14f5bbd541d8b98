internal import LedgerModel
internal import LedgerStore
internal import MemoryLedger
internal import TestSupport
internal import Testing

/// The stores that the contract holds for. Whoever adds a store adds it here; whoever adds a
/// question asks it in `LedgerAnswers`.
enum ContractStore: CaseIterable, CustomTestStringConvertible {
    case file, memory

    var testDescription: String { "\(self)" }

    /// A new ledger; the folder must stay until it is closed.
    func open(in folder: TemporaryFolder) throws -> any Ledger {
        switch self {
        case .file: try folder.openLedger()
        case .memory: MemoryLedger()
        }
    }
}
