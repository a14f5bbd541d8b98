internal import AppStoreClient
internal import Glibc
internal import LedgerModel

#if PostgreSQL
    internal import PostgresStore
#endif

/// What the settings say of the fleet that this node belongs to, checked (docs/FLEET.md).
struct FleetSetup {
    private static let longestName = 64

    /// Where the database is; it may hold a password.
    let database: Secret
    fileprivate(set) var node: String
    fileprivate(set) var durability: FleetCondition.Durability

    /// What a node is called where nobody names it.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: longestName + 1)
        guard gethostname(&name, longestName) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    fileprivate static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension FleetSetup {
    /// For a command, which is no node.
    ///
    /// - Throws: `.badSetting` for a file that cannot be read, or that others can.
    init(databaseFile path: String) throws(CommandFailure) {
        do throws(SecretFile.Problem) {
            database = try SecretFile.read(path)
        } catch {
            throw .badSetting(.fleetDatabaseFile, value: path)
        }
        node = Self.hostName
        durability = .memory
    }
}

extension ServiceSettings {
    /// Nil where no database is named: then the ledger is in its file alone.
    ///
    /// - Throws: `.badSetting`.
    func fleet() throws(CommandFailure) -> FleetSetup? {
        guard let durability = FleetCondition.Durability(rawValue: self[.fleetDurability]) else {
            throw bad(.fleetDurability)
        }
        guard let path = textIfAny(.fleetDatabaseFile) else { return nil }
        let node = textIfAny(.fleetNode) ?? FleetSetup.hostName
        guard FleetSetup.isName(node) else { throw bad(.fleetNode) }
        var setup = try FleetSetup(databaseFile: path)
        setup.node = node
        setup.durability = durability
        return setup
    }
}

#if PostgreSQL
    extension FleetSettings {
        init(_ setup: FleetSetup) {
            let line = setup.database.revealed.split(separator: "\n").first.map(String.init)
            self.init(database: line ?? "", node: setup.node)
            durability = setup.durability
        }
    }
#endif
