internal import EntitlementEngine
internal import LedgerModel

/// A fleet's database as commands name it: `database:FILE`, where FILE holds its address, or
/// `database:` where the environment has it.
struct DatabaseName {
    private static let prefix = "database:"

    private let address: String

    /// Nil for what names a file.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        address = String(text.dropFirst(Self.prefix.count))
    }

    /// - Throws: `.badSetting` for a file that cannot be read, or that others can.
    func setup() throws(CommandFailure) -> FleetSetup {
        try FleetSetup(databaseNamed: address, Terminal.current.environment)
    }
}

extension LedgerFileOptions {
    /// Runs `body` with the ledger's file. What a database keeps is copied into one first, which is
    /// gone afterwards.
    ///
    /// - Parameter folder: where that file is to be; that for temporary files if nil.
    func withFile<Value>(
        in folder: String? = nil, _ body: (LedgerFile) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        try withFile(in: folder, body) { (damage: CopiedLedger) throws(CommandFailure) in
            guard let problem = damage.problems.first else {
                preconditionFailure("damage is a problem")
            }
            throw .engine(.ledger(LedgerError(FleetError.damaged(problem))))
        }
    }

    /// - Parameter tell: run instead where the database does not keep a whole ledger.
    func withFile<Value>(
        in folder: String? = nil, _ body: (LedgerFile) throws(CommandFailure) -> Value,
        damaged tell: (CopiedLedger) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        guard let database = DatabaseName(path) else { return try body(LedgerFile(path)) }
        let scratch = try ScratchFolder(in: folder ?? ScratchFolder.usual)
        defer { scratch.remove() }
        let file = LedgerFile(scratch.ledger)
        let copied = try file.fill(from: database)
        return copied.problems.isEmpty ? try body(file) : try tell(copied)
    }
}
