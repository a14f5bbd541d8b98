internal import Foundation
internal import Synchronization

/// A PostgreSQL server of its own for tests, from the system's packages: it listens on a socket in
/// a folder that goes away with the process.
package final class DatabaseServer: Sendable {
    package enum Failure: Error {
        /// No server is installed.
        case missing
        /// One of its programs has failed, and why.
        case failed(String, String)
    }

    /// The one that tests share; made when it is first asked for.
    package static let shared = Result { try DatabaseServer(isDurable: true) }

    /// One that keeps nothing if the machine crashes.
    package static let quick = Result { try DatabaseServer(isDurable: false) }

    package let folder: String
    private let programs: String
    private let isDurable: Bool
    private let count = Atomic<Int>(0)

    /// - Parameter isDurable: whether what is committed is on its disk; where that is not what is
    ///   tested, it need not be.
    private init(isDurable: Bool) throws {
        self.isDurable = isDurable
        programs = try Self.programsFolder()
        folder = try Self.makeFolder()
        try run("initdb", "--auth=trust", "--encoding=UTF8", "--no-sync", "-D", data)
        try settings.write(toFile: data + "/postgresql.auto.conf")
        // The first line that fits counts: a role of this name needs its password.
        let access = data + "/pg_hba.conf"
        let usual = try String(contentsOfFile: access, encoding: .utf8)
        try ("local all guarded scram-sha-256\n" + usual).write(toFile: access)
        try start()
        Self.stopAtExit(self)
    }

    /// One that a test may stop.
    package convenience init() throws { try self.init(isDurable: true) }

    /// A standby that follows the primary from now on.
    package init(standbyOf primary: DatabaseServer) throws {
        (programs, isDurable) = (primary.programs, primary.isDurable)
        folder = try Self.makeFolder()
        try run(
            "pg_basebackup", "-h", primary.folder, "-U", Self.user, "-D", data, "-R", "-X",
            "stream", "-c", "fast")
        let settings = data + "/postgresql.auto.conf"
        let copied = try String(contentsOfFile: settings, encoding: .utf8)
        try (copied + "\nunix_socket_directories = '\(folder)'\n").write(toFile: settings)
        try start()
        Self.stopAtExit(self)
    }

    private static func makeFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "usher-database-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        if getuid() == 0 { try run("/bin/chown", ["postgres", folder]) }
        return folder
    }

    /// Returns once the standby has everything that the primary has now.
    package func catchUp(with primary: DatabaseServer) throws {
        let place = try primary.execute(
            "SELECT pg_current_wal_lsn()", in: primary.connection(to: "postgres"))
        try execute(
            """
            DO $$ BEGIN
                WHILE pg_last_wal_replay_lsn() < '\(place)' LOOP PERFORM pg_sleep(0.01); END LOOP;
            END $$
            """, in: connection(to: "postgres"))
    }

    private var data: String { folder + "/data" }

    /// It ends with a line break: what makes a standby adds its own line.
    private var settings: String {
        """
        listen_addresses = ''
        unix_socket_directories = '\(folder)'
        max_connections = 200
        fsync = \(isDurable)
        full_page_writes = \(isDurable)

        """
    }

    package func start() throws {
        try run("pg_ctl", "start", "-w", "-s", "-D", data, "-l", folder + "/log")
    }

    /// As a crash does it, or as an administrator does.
    package func stop(immediately: Bool = true) throws {
        try run("pg_ctl", "stop", "-w", "-s", "-m", immediately ? "immediate" : "fast", "-D", data)
    }

    /// Where a new, empty database is, as libpq takes it.
    package func makeDatabase() throws -> String {
        let name = "test\(count.add(1, ordering: .relaxed).newValue)"
        try execute("CREATE DATABASE \(name)", in: connection(to: "postgres"))
        return connection(to: name)
    }

    package func connection(to name: String) -> String {
        "host=\(folder) dbname=\(name) user=\(Self.user)"
    }

    /// What somebody with `psql` could do.
    @discardableResult
    package func execute(_ sql: String, in connection: String) throws -> String {
        try run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, connection)
    }

    private static var user: String { getuid() == 0 ? "postgres" : NSUserName() }

    /// The server does not run as root.
    @discardableResult
    private func run(_ program: String, _ arguments: String...) throws -> String {
        let path = programs + "/" + program
        guard getuid() == 0 else { return try Self.run(path, arguments) }
        return try Self.run("/sbin/runuser", ["-u", "postgres", "--", path] + arguments)
    }

    /// By the shell: Foundation waits for what the program has started, too.
    @discardableResult
    private static func run(_ path: String, _ arguments: [String]) throws -> String {
        let output = NSTemporaryDirectory() + "usher-output-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let words = ([path] + arguments).map { word in
            "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
        }
        let status = system(
            "cd / && \(words.joined(separator: " ")) >\(output) 2>\(output).err </dev/null")
        defer { try? FileManager.default.removeItem(atPath: output + ".err") }
        guard status == 0 else {
            let complaint = try? String(contentsOfFile: output + ".err", encoding: .utf8)
            throw Failure.failed(path, complaint ?? "")
        }
        return try String(contentsOfFile: output, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func programsFolder() throws -> String {
        let versions =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
            .map { "/usr/lib/postgresql/\($0)/bin" }
        let found = (folders + ["/usr/bin", "/usr/local/bin"]).first {
            FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
        }
        guard let found else { throw Failure.missing }
        return found
    }

    private static let running = Mutex<[DatabaseServer]>([])

    private static func stopAtExit(_ server: DatabaseServer) {
        let isFirst = running.withLock { running in
            running.append(server)
            return running.count == 1
        }
        guard isFirst else { return }
        atexit {
            for server in DatabaseServer.running.withLock(\.self) { server.remove() }
        }
    }

    package func remove() {
        try? stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

extension String {
    fileprivate func write(toFile path: String) throws {
        try write(toFile: path, atomically: false, encoding: .utf8)
    }
}
