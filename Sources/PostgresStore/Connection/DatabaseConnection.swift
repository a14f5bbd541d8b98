#if PostgreSQL
    internal import Glibc
    internal import LedgerModel
    internal import LibPQ

    /// A session with the database. No call waits longer than its timeout for the next byte,
    /// whatever becomes of the network: where it ends, the session is over.
    ///
    /// Used by one thread at a time; whoever passes it on keeps no reference.
    final class DatabaseConnection: @unchecked Sendable {
        private let connection: OpaquePointer
        private var prepared: [String: String] = [:]
        /// Milliseconds.
        private let timeout: Int64
        private let warnings = Warnings()
        /// Of its socket: libpq is asked by one thread alone.
        private let descriptor: Int32

        /// - Parameters:
        ///   - text: as libpq takes it: `host=… dbname=…`, or a URI. Options in it have precedence.
        ///   - timeout: of each call. Milliseconds.
        /// - Throws: `.refused` if the server rejects the session, `.unreachable` if none answers.
        init(_ text: String, timeout: Int64) throws(FleetError) {
            self.timeout = timeout
            connection = try Self.begin(text, timeout)
            descriptor = PQsocket(connection)
            PQsetnonblocking(connection, 1)
            // It lives as long as the connection, whose calls alone come to it.
            PQsetNoticeReceiver(
                connection,
                { warnings, notice in
                    guard let warnings, let notice else { return }
                    Unmanaged<Warnings>.fromOpaque(warnings).takeUnretainedValue().note(notice)
                }, Unmanaged.passUnretained(warnings).toOpaque())
        }

        /// With the first host that takes the session.
        private static func begin(
            _ text: String, _ timeout: Int64
        ) throws(FleetError) -> OpaquePointer {
            // Only to parse the address as libpq does. The mode is invalid, so that this fails
            // before any name is resolved.
            let address = try start(text, timeout, [("sslmode", "none of them")])
            let choices = DatabaseHosts(of: address).choices
            PQfinish(address)
            if choices.count == 1 { return try finish(start(text, timeout), timeout) }
            // A host that refuses at once leaves its time to the next ones. Name resolution is not
            // counted: hosts may be fine while names are slow.
            var left = timeout
            var problems: [String] = []
            for (index, choice) in choices.enumerated() {
                do throws(FleetError) {
                    let started = try start(text, timeout, choice)
                    let waiting = Deadline(milliseconds: left)
                    defer { left = waiting.millisecondsLeft }
                    return try finish(started, left / Int64(choices.count - index))
                } catch {
                    guard case .unreachable(let words) = error else { throw error }
                    problems.append(words)
                }
            }
            throw .unreachable(problems.joined(separator: "; "))
        }

        /// Waits for the session, or ends it.
        private static func finish(
            _ started: OpaquePointer, _ timeout: Int64
        ) throws(FleetError) -> OpaquePointer {
            PQsetErrorVerbosity(started, PQERRORS_VERBOSE)
            let deadline = Deadline(milliseconds: timeout)
            var status = PGRES_POLLING_WRITING
            while PQstatus(started) != CONNECTION_BAD, status != PGRES_POLLING_OK {
                if status == PGRES_POLLING_FAILED { break }
                let waits = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
                guard wait(for: waits, on: started, until: deadline) else {
                    PQfinish(started)
                    throw .unreachable("no answer in \(timeout) ms")
                }
                status = PQconnectPoll(started)
            }
            guard PQstatus(started) == CONNECTION_OK else {
                var refusal = refusal(message(started))
                if case .refused(let words) = refusal, let file = passwordFileOfOthers(started) {
                    refusal = .refused("\(words); passed over: '\(file)', which others can read")
                }
                PQfinish(started)
                throw refusal
            }
            return started
        }

        /// libpq rejects a password file that others than its owner can read.
        private static func passwordFileOfOthers(_ started: OpaquePointer) -> String? {
            guard let options = PQconninfo(started) else { return nil }
            defer { PQconninfoFree(options) }
            var option = options
            while let keyword = option.pointee.keyword {
                if String(cString: keyword) == "passfile", let value = option.pointee.val {
                    var status = stat()
                    let path = String(cString: value)
                    return stat(path, &status) == 0 && status.st_mode & 0o077 != 0 ? path : nil
                }
                option += 1
            }
            return nil
        }

        deinit { PQfinish(connection) }

        /// Whether the server has warned about the last statement. Of a commit: that it stopped
        /// waiting for a standby, so that the rows may be on this server alone.
        var hasWarned: Bool { warnings.isThere }

        /// Of the server's process.
        var processID: Int64 { Int64(PQbackendPID(connection)) }

        /// For instance 150013.
        var serverVersion: Int { Int(PQserverVersion(connection)) }

        /// - Parameter choice: has precedence over the address.
        private static func start(
            _ text: String, _ timeout: Int64, _ choice: [(name: String, value: String)] = []
        ) throws(FleetError) -> OpaquePointer {
            let options =
                [
                    ("application_name", "usher"), ("tcp_user_timeout", "\(timeout)"),
                    ("keepalives_idle", "5"), ("keepalives_interval", "2"),
                    ("keepalives_count", "3"), ("target_session_attrs", "any"), ("dbname", text),
                ] + choice
            var (names, values) = options.reduce(
                into: ([] as [UnsafePointer<CChar>?], [] as [UnsafePointer<CChar>?])
            ) { lists, option in
                lists.0.append(UnsafePointer(strdup(option.0)))
                lists.1.append(UnsafePointer(strdup(option.1)))
            }
            defer {
                for text in names + values { free(UnsafeMutablePointer(mutating: text)) }
            }
            names.append(nil)
            values.append(nil)
            guard let started = PQconnectStartParams(names, values, 1) else {
                throw .unreachable("no memory")
            }
            return started
        }

        /// Runs a statement, prepared when it is first met, and returns its rows.
        func run(
            _ sql: String, _ values: DatabaseValue...
        ) throws(FleetError) -> DatabaseRows {
            try run(sql, values)
        }

        func run(_ sql: String, _ values: [DatabaseValue]) throws(FleetError) -> DatabaseRows {
            let name = try prepare(sql)
            let encoded = values.map(\.encoded)
            let sent = Self.withPointers(to: encoded) { pointers, lengths in
                PQsendQueryPrepared(
                    connection, name, Int32(encoded.count), pointers, lengths,
                    [Int32](repeating: 1, count: encoded.count), 1)
            }
            return try finish(sent)
        }

        /// Several statements without values and rows, in one transaction unless they say
        /// otherwise.
        func execute(_ sql: String) throws(FleetError) {
            _ = try finish(PQsendQuery(connection, sql))
        }

        /// Waits for a notification of the server, until the time is over.
        ///
        /// - Returns: the channels on which it has.
        func awaitNotification(
            milliseconds: Int64, waking waker: Waker? = nil
        ) throws(FleetError) -> Set<String> {
            let deadline = Deadline(milliseconds: milliseconds)
            while true {
                let channels = try takeNotifications()
                guard channels.isEmpty,
                    Self.wait(for: POLLIN, on: connection, until: deadline, orFor: waker)
                else { return channels }
            }
        }

        /// Waits until the time is over; notifications are discarded.
        ///
        /// - Throws: `.unreachable` at once where the server has ended the session.
        func awaitEnd(milliseconds: Int64, waking waker: Waker) throws(FleetError) {
            let deadline = Deadline(milliseconds: milliseconds)
            let hasEnded = Self.wait(
                for: Self.hangUp, on: connection, until: deadline, orFor: waker)
            _ = try takeNotifications()
            if hasEnded { throw .unreachable(Self.message(connection)) }
        }

        private func takeNotifications() throws(FleetError) -> Set<String> {
            guard PQconsumeInput(connection) == 1 else {
                throw .unreachable(Self.message(connection))
            }
            var channels: Set<String> = []
            while let notification = PQnotifies(connection) {
                channels.insert(String(cString: notification.pointee.relname))
                PQfreemem(notification)
            }
            return channels
        }

        /// What Linux calls POLLRDHUP: the other end has closed the connection.
        private static let hangUp: Int32 = 0x2000

        /// Whether the server has ended the session, as far as this machine knows: one that is
        /// silent has not. May be asked on any thread.
        var hasEnded: Bool {
            var entry = pollfd(fd: descriptor, events: Int16(Self.hangUp), revents: 0)
            return poll(&entry, 1, 0) > 0
        }

        private func prepare(_ sql: String) throws(FleetError) -> String {
            if let known = prepared[sql] { return known }
            let name = "s\(prepared.count)"
            _ = try finish(PQsendPrepare(connection, name, sql, 0, nil))
            prepared[sql] = name
            return name
        }

        /// - Parameter sent: what sending has returned.
        private func finish(_ sent: Int32) throws(FleetError) -> DatabaseRows {
            guard sent == 1 else { throw .unreachable(Self.message(connection)) }
            warnings.clear()
            try flush()
            var last: DatabaseRows?
            var failure: FleetError?
            while true {
                while PQisBusy(connection) == 1 { try move(POLLIN) }
                guard let result = PQgetResult(connection) else { break }
                let status = PQresultStatus(result)
                let rows = DatabaseRows(owning: result)
                if status != PGRES_TUPLES_OK, status != PGRES_COMMAND_OK {
                    failure = failure ?? Self.failure(result, connection)
                }
                last = rows
                // The result that says so is the last one.
                if PQstatus(connection) == CONNECTION_BAD { break }
            }
            if let failure { throw failure }
            guard let last else { throw .unreachable(Self.message(connection)) }
            return last
        }

        private func flush() throws(FleetError) {
            while true {
                switch PQflush(connection) {
                case 0: return
                case 1: try move(POLLIN | POLLOUT)
                default: throw .unreachable(Self.message(connection))
                }
            }
        }

        /// Waits until some bytes go, or come. A large answer on a slow line takes its time.
        private func move(_ events: Int32) throws(FleetError) {
            let deadline = Deadline(milliseconds: timeout)
            guard Self.wait(for: events, on: connection, until: deadline),
                PQconsumeInput(connection) == 1
            else { throw .unreachable(Self.message(connection)) }
        }

        private static func wait(
            for events: Int32, on connection: OpaquePointer, until deadline: Deadline,
            orFor waker: Waker? = nil
        ) -> Bool {
            MayBlock.check()
            while true {
                // A negative descriptor is ignored.
                var entries = [
                    pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0),
                    pollfd(fd: waker?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                ]
                let left = deadline.millisecondsLeft
                guard entries[0].fd >= 0, left > 0 else { return false }
                let ready = poll(&entries, 2, Int32(min(left, 60_000)))
                if entries[1].revents != 0 { waker?.clear() }
                if ready > 0 { return entries[0].revents != 0 }
                if ready < 0, errno != EINTR { return false }
            }
        }

        private static func withPointers<Result>(
            to values: [[UInt8]?],
            _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>) -> Result
        ) -> Result {
            let lengths = values.map { Int32($0?.count ?? 0) }
            // One block for all: the values lie behind one another.
            // One more, so that no value is without an address.
            let block = values.reduce(into: [0] as [UInt8]) { block, value in
                block += value ?? []
            }
            return block.withUnsafeBytes { bytes in
                let block = bytes.assumingMemoryBound(to: CChar.self)
                var place = 1
                let pointers = values.map { value -> UnsafePointer<CChar>? in
                    defer { place += value?.count ?? 0 }
                    return value == nil ? nil : block.baseAddress.map { $0 + place }
                }
                return body(pointers, lengths)
            }
        }
    }

    /// Whether the server had a warning since it was last asked something.
    private final class Warnings {
        private(set) var isThere = false

        func clear() { isThere = false }

        /// Notices below warnings are irrelevant.
        func note(_ notice: OpaquePointer) {
            let severity = Int32(Character("V").asciiValue ?? 0)
            let word = PQresultErrorField(notice, severity).map { String(cString: $0) }
            if word == "WARNING" { isThere = true }
        }
    }

    /// What failures of the library mean.
    extension DatabaseConnection {
        /// The library's words in one line.
        private static func message(_ connection: OpaquePointer) -> String {
            let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
            return firstLine(text)
        }

        private static func firstLine(_ text: String) -> String {
            let line = text.split(separator: "\n").first.map(String.init) ?? ""
            return line.isEmpty ? "the connection was closed" : line
        }

        /// Of a session that failed to begin; the SQLSTATE is in the message.
        private static func refusal(_ words: String) -> FleetError {
            let refusing = ["28P01: ", "28000: ", "3D000: ", "42501: ", "no password supplied"]
            return refusing.contains(where: words.contains)
                ? .refused(words) : .unreachable(words)
        }

        private static func failure(
            _ result: OpaquePointer, _ connection: OpaquePointer
        ) -> FleetError {
            func field(_ code: Character) -> String {
                let number = Int32(code.asciiValue ?? 0)
                return PQresultErrorField(result, number).map { String(cString: $0) } ?? ""
            }
            let (code, words) = (field("C"), firstLine(field("M")))
            switch code {
            case "53100", "53200", "53400": return .full
            case "25006": return .standby
            case "42501": return .refused(words)
            // The server is stopping or starting, or has ended this session.
            case "57P01", "57P02", "57P03", "57P05": return .unreachable(words)
            case "": return .unreachable(message(connection))
            default: return .failed(code: code, words)
            }
        }
    }

    /// A moment of the machine's steady clock.
    struct Deadline {
        private let end: ContinuousClock.Instant

        init(milliseconds: Int64) {
            end = ContinuousClock.now + .milliseconds(milliseconds)
        }

        var hasPassed: Bool { millisecondsLeft == 0 }

        var millisecondsLeft: Int64 {
            let left = ContinuousClock.now.duration(to: end)
            return left <= .zero ? 0 : Int64(left / .milliseconds(1)) + 1
        }
    }

    /// The hosts that an address names.
    ///
    /// libpq tries hosts one after the other and waits for a silent one as long as it may. A lost
    /// machine is silent; so each host is tried separately, for its part of the time.
    struct DatabaseHosts {
        /// The options that select each host; empty if there is only one.
        let choices: [[(name: String, value: String)]]

        /// - Parameter connection: one begun with the address, failed or not: it includes the
        ///   environment and the service file.
        init(of connection: OpaquePointer) {
            let said = Self.options(of: connection)
            func list(_ name: String) -> [String] {
                let value = said[name] ?? ""
                if value.isEmpty { return [] }
                return value.split(separator: ",", omittingEmptySubsequences: false)
                    .map(String.init)
            }
            let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
            let count = max(hosts.count, addresses.count)
            guard count > 1 else {
                choices = [[]]
                return
            }
            func item(_ list: [String], _ index: Int) -> String {
                list.indices.contains(index) ? list[index] : list.count == 1 ? list[0] : ""
            }
            choices = (0..<count).map { index in
                [
                    ("host", item(hosts, index)), ("hostaddr", item(addresses, index)),
                    ("port", item(ports, index)),
                ]
            }
        }

        private static func options(of connection: OpaquePointer) -> [String: String] {
            guard let list = PQconninfo(connection) else { return [:] }
            defer { PQconninfoFree(list) }
            var (options, next) = ([:] as [String: String], list)
            while let name = next.pointee.keyword {
                if let value = next.pointee.val {
                    options[String(cString: name)] = String(cString: value)
                }
                next += 1
            }
            return options
        }
    }
#endif
