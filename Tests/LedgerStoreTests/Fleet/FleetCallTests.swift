#if PostgreSQL
    internal import EntitlementModel
    internal import LedgerModel
    internal import PostgresStore
    internal import Synchronization
    internal import TestSupport
    internal import Testing

    /// Calls that are passed on, and nodes that end meanwhile (docs/FLEET.md).
    @Suite("A call whose node has ended", .timeLimit(.minutes(5)))
    struct FleetCallTests {
        private let server: DatabaseServer
        private let database: String
        private let folder: TemporaryFolder

        init() throws {
            server = try DatabaseServer.shared.get()
            database = try server.makeDatabase()
            folder = try TemporaryFolder()
        }

        /// Calls as nodes leave them that are killed: their ids, and where they stand.
        private func leave(_ calls: [(id: Int, taken: Int, isAnswered: Bool)]) throws {
            for call in calls {
                let answer = call.isAnswered ? "'done'" : "NULL"
                try server.execute(
                    "INSERT INTO usher.call VALUES "
                        + "('\\x0\(call.id)', \(call.taken), 'call', \(answer))", in: database)
            }
        }

        private var calls: String {
            get throws { try server.execute("SELECT count(*) FROM usher.call", in: database) }
        }

        @Test("is removed once it was answered, and after some beats where it was not")
        func taken() throws {
            let node = try folder.openNode("node", in: database, callBeats: 1)
            try leave([(1, 1, true), (2, 1, false)])
            while try calls != "0" {}
            #expect(node.fleet.leads)
            try node.close()
        }

        @Test("is not done by a leader that comes later")
        func untaken() async throws {
            try folder.openNode("node", in: database).close()
            try leave([(1, 0, false), (2, 0, false)])
            let done = Mutex(0)
            let node = try folder.openNode("node", in: database, callBeats: 1)
            node.answerCalls { call in
                done.withLock { $0 += 1 }
                return call
            }
            while try calls != "0" {}
            #expect(done.withLock(\.self) == 0)
            try node.close()
        }

        @Test("is done by the next leader where its node still waits")
        func inherited() async throws {
            // However busy the machine is.
            let first = try folder.openNode("first", in: database, patience: 60_000)
            let second = try folder.openNode("second", in: database, patience: 60_000)
            let done = Mutex(0)
            second.answerCalls { call in
                done.withLock { $0 += 1 }
                return call + [1]
            }
            // The first one takes no calls, and ends while one is in the table.
            async let answer = second.forwardToLeader([7])
            while try calls != "1" {}
            try first.close()
            #expect(try await answer == [7, 1])
            #expect(try calls == "0" && done.withLock(\.self) == 1)
            try second.close()
        }
    }
#endif
