internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import LedgerModel
internal import LedgerStore
internal import MemoryLedger
internal import TestSupport

#if PostgreSQL
    internal import PostgresStore
#endif

/// Where the ledger of a test is kept: in memory, unless the test is about files, about damage, or
/// about what only one of the stores can do. `LEDGERS_IN_FILES` puts all of them into files, and
/// `LEDGERS_IN_DATABASES` each into a database of its own, as a fleet of one node.
struct TestLedger: LedgerLocation {
    enum Store: CaseIterable {
        case memory, file
        #if PostgreSQL
            case database
        #endif
    }

    /// Nil for one in a file.
    private let memory: MemoryLedger?
    #if PostgreSQL
        /// Nil for one that is in no database.
        private let database: Result<String, any Error>?
    #endif
    /// The file, if it is in one.
    let path: String

    static let usual: Store = {
        let environment = ProcessInfo.processInfo.environment
        #if PostgreSQL
            if environment["LEDGERS_IN_DATABASES"] != nil { return .database }
        #endif
        return environment["LEDGERS_IN_FILES"] == nil ? .memory : .file
    }()

    init(_ store: Store = usual, in folder: TemporaryFolder) {
        memory = store == .memory ? MemoryLedger() : nil
        path = folder.path + "/ledger"
        #if PostgreSQL
            database =
                store == .database
                ? Result { try DatabaseServer.quick.get().makeDatabase() } : nil
        #endif
    }

    private var file: LedgerFileLocation {
        LedgerFileLocation(path, makeSalts: EngineOptions.randomSalts)
    }

    var isVacant: Bool { memory?.isVacant ?? location.isVacant }

    func open() throws(LedgerError) -> any Ledger {
        if let memory { return memory }
        let ledger = try location.open()
        // Whoever had it before may hold the lead for a moment.
        while let fleet = (ledger as? any FleetLedger)?.fleet, !fleet.leads { sched_yield() }
        return ledger
    }

    private var location: any LedgerLocation {
        #if PostgreSQL
            if database != nil { return node("node", file) }
        #endif
        return file
    }

    #if PostgreSQL
        /// Another node of the fleet whose ledger this is; the one that is opened first leads.
        var secondNode: any LedgerLocation {
            node("second", LedgerFileLocation(path + "-2", makeSalts: EngineOptions.randomSalts))
        }

        private func node(_ name: String, _ file: LedgerFileLocation) -> any LedgerLocation {
            let address = (try? database?.get()) ?? "host=/nowhere"
            var settings = FleetSettings(database: address, node: name)
            settings.durability = .memory
            return FleetLocation(file, settings)
        }
    #endif

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
