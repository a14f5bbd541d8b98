#if PostgreSQL
    internal import EntitlementModel
    package import LedgerModel
    package import LedgerStore

    /// The location of a fleet's ledger: a database, with a copy in this node's file.
    package struct FleetLocation: LedgerLocation {
        private let file: LedgerFileLocation
        private let settings: FleetSettings

        package init(_ file: LedgerFileLocation, _ settings: FleetSettings) {
            self.file = file
            self.settings = settings
        }

        /// If the database cannot be asked, opening it reports why.
        package var isVacant: Bool {
            guard file.isVacant else { return false }
            do throws(FleetError) {
                let connection = try DatabaseConnection.openToRead(settings)
                return try DatabaseHead(connection).ledger.sequence == .zero
            } catch {
                return error == .vacant
            }
        }

        package func open() throws(LedgerError) -> any Ledger {
            let ledger = try file.openFile()
            do throws(FleetError) {
                return try join(ledger)
            } catch {
                try? ledger.close()
                throw LedgerError(error)
            }
        }

        private func join(_ ledger: SQLiteLedger) throws(FleetError) -> DatabaseLedger {
            let places = JournalFile(
                besideLedger: file.path, access: file.custody.access,
                ending: JournalFile.ofFleet)
            var settings = settings
            let head = try CatchUp.mapping(ledger.head)
            settings.makesTables = settings.ledger == nil && head.sequence == .zero
            let mail = try FleetMail(settings)
            let node = try FleetNode(ledger, settings, places: places)
            ledger.setJournal(node)
            do throws(FleetError) {
                try node.begin()
            } catch {
                node.leave()
                throw error
            }
            return DatabaseLedger(ledger, node, mail, settings, places)
        }
    }

    /// The ledger of a node: asked from its file, committed by the database.
    final class DatabaseLedger: FleetLedger, CopyableLedger {
        let ledger: SQLiteLedger
        private let node: FleetNode
        private let mail: FleetMail
        private let settings: FleetSettings
        private let places: JournalFile

        init(
            _ ledger: SQLiteLedger, _ node: FleetNode, _ mail: FleetMail,
            _ settings: FleetSettings, _ places: JournalFile
        ) {
            self.places = places
            self.ledger = ledger
            self.node = node
            self.mail = mail
            self.settings = settings
            node.watchLead { mail.setLeads($0) }
            mail.begin()
        }

        var fleet: FleetCondition { node.condition }

        func watchLead(_ tell: @escaping @Sendable (_ leads: Bool) -> Void) {
            node.watchLead(tell)
        }

        func setEligible(_ isEligible: Bool) { node.setEligible(isEligible) }
        func resign() { node.resign() }

        func forwardToLeader(_ call: [UInt8]) async throws(LedgerError) -> [UInt8] {
            do throws(FleetError) {
                // Between two leaders the call waits for the next one.
                let condition = node.condition
                guard condition.leader != nil || condition.problem == nil else { throw .notLeader }
                return try await mail.forwardToLeader(call)
            } catch {
                throw LedgerError(error)
            }
        }

        func askNewest(_ tell: @escaping @Sendable (LedgerSequence?) -> Void) {
            mail.askNewest(tell)
        }

        func answerCalls(_ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]) {
            mail.answerCalls(answer)
        }

        func journal(
            _ journal: SharedJournal, before: (any JournalStore)?
        ) -> any ReconciliationStore {
            DatabaseJournal(journal, settings, before: before) { [node] in node.epoch }
        }

        func watchChanges(_ tell: @escaping @Sendable (ClosedRange<Int64>) -> Void) {
            node.watchChanges(tell)
        }

        func read<Value>(_ body: (any LedgerReading) throws -> Value) throws -> Value {
            try ledger.read(body)
        }

        func verify(
            anchor: LedgerHead?,
            progress: @escaping (_ checked: Int64, _ total: Int64) -> Void
        ) throws(LedgerError) -> [LedgerProblem] {
            try ledger.verify(anchor: anchor, progress: progress)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any LedgerWriting) throws -> Value,
            committed: @escaping @Sendable (Value, LedgerHead) -> Void
        ) async throws -> Value {
            try await ledger.write(body, committed: committed)
        }

        func rehearse<Value: Sendable>(
            _ body: @escaping @Sendable (any LedgerWriting) throws -> Value
        ) async throws -> Value {
            try await ledger.rehearse(body)
        }

        func follow(_ follower: @escaping @Sendable (LedgerHead) -> Void) {
            ledger.follow(follower)
        }

        func prepareWritingThreads(_ prepare: @escaping @Sendable () -> Void) {
            ledger.prepareWritingThreads(prepare)
        }

        var stopped: LedgerError? { ledger.stopped }

        var isFull: Bool { ledger.isFull }

        func watchRoom(_ tell: @escaping @Sendable (_ isFull: Bool) -> Void) {
            ledger.watchRoom(tell)
        }

        func onNotice(_ tell: @escaping @Sendable (any LedgerNotice) -> Void) {
            ledger.onNotice(tell)
        }

        func condition() throws(LedgerError) -> LedgerCondition {
            var condition = try ledger.condition()
            var fleet = node.condition
            if fleet.problem != nil { fleet.answeredAt = places.notedAt }
            condition.fleet = fleet
            return condition
        }

        func backUp(to path: String) throws(LedgerError) { try ledger.backUp(to: path) }

        func removeInterruptedCopies(
            in folder: String, named isOwn: (Substring) -> Bool
        ) {
            ledger.removeInterruptedCopies(in: folder, named: isOwn)
        }

        /// Queued writes are still committed. The next leader does not wait for the file.
        func close() throws(LedgerError) {
            mail.close()
            node.stopFollowing()
            ledger.awaitWrites()
            node.leave()
            try ledger.close()
        }
    }

    /// The settings of a node.
    package struct FleetSettings: Sendable {
        /// The database, as libpq takes it: `host=… dbname=…`, or a URI.
        package var database: String
        /// This node's name in answers.
        package var node: String
        /// The least durability required of the database.
        package var durability = FleetCondition.Durability.disk
        /// The prefix of the hash of the ledger's first entry; nil to accept any ledger.
        package var ledger: String?
        /// Whether the tables are made where there are none: not by a node that has a ledger already.
        var makesTables = true
        /// How long a call to the database may take. Milliseconds.
        package var callTimeout: Int64 = 5_000
        /// How long a leader may be silent before another node ends its session. Milliseconds.
        package var silence: Int64 = 5_000
        /// For how long others come first after a node has resigned. Milliseconds.
        package var stepDownBackoff: Int64 = 600_000
        /// How long it waits then for another one to lead: longer than they need to notice.
        /// Milliseconds.
        package var electionDelay: Int64 = 3_000

        /// Beats of the leader that a call without a caller may stay in the table.
        package var callBeats: Int64 = 30

        package init(database: String, node: String) {
            self.database = database
            self.node = node
        }
    }
#endif
