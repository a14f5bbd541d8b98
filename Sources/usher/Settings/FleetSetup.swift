internal import EntitlementEngine
internal import Glibc
internal import LedgerModel

#if PostgreSQL
    internal import PostgresStore
#endif

/// What the settings say of the fleet that this node belongs to, checked (docs/FLEET.md).
struct FleetSetup {
    private static let longestName = 64
    /// The variable with the address itself, for those who keep secrets in the environment. It is
    /// no setting: it is never shown, and nothing else can set it.
    static let variable = "USHER_FLEET_DATABASE"

    /// Where the database is; it may hold a password.
    let database: Secret
    fileprivate(set) var node: String
    fileprivate(set) var durability: FleetCondition.Durability
    /// The ledger that the database has to keep, by its name; nil for any.
    fileprivate(set) var ledger: String?

    /// What a node is called where nobody names it.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: longestName + 1)
        guard gethostname(&name, longestName) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// As the cursors of the change feed begin with it, or more of the hash.
    fileprivate static func isLedger(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }

    fileprivate static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension FleetSetup {
    /// For a command, which is no node.
    ///
    /// - Parameter file: the one with the address; empty where the environment has it.
    /// - Throws: for a file that cannot be read, or that others can, and for a variable that is
    ///   missing.
    init(
        databaseNamed file: String, _ environment: [String: String]
    ) throws(CommandFailure) {
        func problem(_ phrase: SettingPhrase) -> CommandFailure {
            .settings(SettingProblem(.fleet, phrase, file.isEmpty ? Self.variable : file))
        }
        let text: Secret
        if file.isEmpty {
            guard let found = environment[Self.variable] else { throw problem(.databaseVariable) }
            text = Secret(found)
        } else {
            do throws(SecretFile.Problem) {
                text = try SecretFile.read(file)
            } catch {
                throw problem(error == .exposed ? .databaseExposed : .databaseUnreadable)
            }
        }
        guard let address = Self.address(in: text) else {
            throw problem(file.isEmpty ? .databaseVariable : .databaseLines)
        }
        database = address
        node = Self.hostName
        durability = .memory
    }

    /// The one line of the text; nil where there is none, or another one.
    private static func address(in text: Secret) -> Secret? {
        let lines = text.revealed.split(whereSeparator: \.isNewline)
            .filter { !$0.allSatisfy(\.isWhitespace) }
        return lines.count == 1 ? Secret(String(lines[0])) : nil
    }
}

extension ServiceSettings {
    /// Nil where no database is named: then the ledger is in its file alone.
    ///
    /// - Throws: `.badSetting`.
    func fleet() throws(CommandFailure) -> FleetSetup? {
        let durability: FleetCondition.Durability = try word(.fleetDurability)
        let path = textIfAny(.fleetDatabaseFile)
        guard path != nil || hasDatabaseVariable else { return nil }
        // Nobody can tell which one was meant.
        guard path == nil || !hasDatabaseVariable else {
            throw .settings(
                SettingProblem(.fleet, SettingPhrase.twoDatabases, FleetSetup.variable))
        }
        let node = textIfAny(.fleetNode) ?? FleetSetup.hostName
        guard FleetSetup.isName(node) else { throw bad(.fleetNode) }
        let ledger = textIfAny(.fleetLedger)
        guard ledger.map(FleetSetup.isLedger) ?? true else { throw bad(.fleetLedger) }
        var setup = try FleetSetup(databaseNamed: path ?? "", environment)
        setup.node = node
        setup.durability = durability
        setup.ledger = ledger
        return setup
    }
}

#if PostgreSQL
    extension FleetSettings {
        init(_ setup: FleetSetup) {
            self.init(database: setup.database.revealed, node: setup.node)
            durability = setup.durability
            ledger = setup.ledger
        }
    }
#endif

/// A file with a secret: it is read only if nobody else can read it.
enum SecretFile {
    enum Problem: Error {
        /// There is none, it is not a file, or it is too large.
        case unreadable
        /// Its group or others may read or write it.
        case exposed
    }

    private static let limit = 65_536

    /// The user to whom a file belongs that this one may not read; nil where that is not the
    /// reason.
    static func otherOwner(of path: String) -> UInt32? {
        var status = stat()
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0, errno == EACCES,
            stat(path, &status) == 0,
            status.st_uid != geteuid()
        else { return nil }
        return status.st_uid
    }

    static func read(_ path: String) throws(Problem) -> Secret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { throw .unreadable }
        guard status.st_mode & 0o077 == 0 else { throw .exposed }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = bytes.withUnsafeMutableBytes {
            Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        guard (0...limit).contains(count),
            let text = String(validating: bytes[..<count], as: UTF8.self)
        else { throw .unreadable }
        return Secret(text)
    }
}
