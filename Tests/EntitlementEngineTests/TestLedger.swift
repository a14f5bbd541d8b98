internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import LedgerStore
internal import MemoryLedger
internal import TestSupport

/// Where the ledger of a test is kept: in memory, unless the test is about files, about damage, or
/// about what only one of the stores can do. `LEDGERS_IN_FILES` puts all of them into files.
struct TestLedger: LedgerLocation {
    enum Store: CaseIterable {
        case memory, file
    }

    /// Nil for one in a file.
    private let memory: MemoryLedger?
    /// The file, if it is in one.
    let path: String

    static let usual: Store =
        ProcessInfo.processInfo.environment["LEDGERS_IN_FILES"] == nil ? .memory : .file

    init(_ store: Store = usual, in folder: TemporaryFolder) {
        memory = store == .memory ? MemoryLedger() : nil
        path = folder.path + "/ledger"
    }

    private var file: LedgerFileLocation {
        LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts)
    }

    var isVacant: Bool { memory?.isVacant ?? file.isVacant }

    func open() throws(LedgerError) -> any Ledger {
        if let memory { return memory }
        return try file.open()
    }

    /// Beside an engine, or alone.
    func openForReading() throws(LedgerError) -> any ReadableLedger {
        if let memory { return memory }
        return try SQLiteLedger.openToVerify(path: path)
    }

    func audit(_ options: AuditOptions = AuditOptions()) throws -> LedgerAudit {
        let ledger = try openForReading()
        defer { try? ledger.close() }
        return try auditLedger(ledger, options)
    }

    /// Writes entries into the ledger, which nobody has open, as its writer would.
    func append(_ entries: [LedgerEntry], at instant: Instant) async throws {
        let ledger = try open()
        for entry in entries { _ = try await ledger.write { try $0.append(entry, at: instant) } }
        try ledger.close()
    }
}
