package import EntitlementModel
package import LedgerModel

/// What keeps each commit before the ledger's file does: the database of a fleet. The file is a
/// copy of what it keeps, never ahead of it.
package protocol CommitJournal: Sendable {
    /// Asked before a batch is judged, on the writer's thread.
    ///
    /// - Throws: why nothing can be kept now.
    func expectReady() throws(FleetError)

    /// Returns once the rows are kept for good. Throws if none is, or if that is unknown: then it
    /// is not ready again before the file has what the journal has.
    func keep(_ rows: LedgerRows) throws(FleetError)

    /// Called if a batch adds nothing: its results are valid only if no other node has added
    /// anything meanwhile.
    ///
    /// - Throws: why that cannot be said.
    func confirm() throws(FleetError)

    /// Called if the file had no space for rows that were kept: no more are kept before the file
    /// has them.
    func fileHadNoRoom()
}

/// The rows that one commit adds to a ledger's tables. The index follows from them.
package struct LedgerRows: Sendable {
    /// An entry. Salt and payload are nil where they were erased.
    package struct Entry: Sendable {
        package var sequence: Int64
        /// Milliseconds since 1970.
        package var recordedAt: Int64
        package var kind: Int64
        package var salt: [UInt8]?
        package var payload: [UInt8]?
        package var payloadDigest: [UInt8]
        package var hash: [UInt8]

        package init(
            sequence: Int64, recordedAt: Int64, kind: Int64, salt: [UInt8]?, payload: [UInt8]?,
            payloadDigest: [UInt8], hash: [UInt8]
        ) {
            self.sequence = sequence
            self.recordedAt = recordedAt
            self.kind = kind
            self.salt = salt
            self.payload = payload
            self.payloadDigest = payloadDigest
            self.hash = hash
        }
    }

    /// A header that many pieces of evidence have in common.
    package struct Header: Sendable {
        package var id: Int64
        package var digest: [UInt8]
        package var bytes: [UInt8]

        package init(id: Int64, digest: [UInt8], bytes: [UInt8]) {
            self.id = id
            self.digest = digest
            self.bytes = bytes
        }
    }

    /// Bytes of evidence, without their header where they have one of those.
    package struct Evidence: Sendable {
        package var sequence: Int64
        package var header: Int64?
        package var headerAt: Int64?
        package var bytes: [UInt8]?

        package init(sequence: Int64, header: Int64?, headerAt: Int64?, bytes: [UInt8]?) {
            self.sequence = sequence
            self.header = header
            self.headerAt = headerAt
            self.bytes = bytes
        }
    }

    /// A published change.
    package struct Change: Equatable, Sendable {
        package var number: Int64
        package var at: Int64
        package var revision: Int64
        /// By its name.
        package var account: String?
        package var environment: Int64?
        package var kind: Int64
        package var subject: String
        package var payload: [UInt8]

        package init(
            number: Int64, at: Int64, revision: Int64, account: String?, environment: Int64?,
            kind: Int64, subject: String, payload: [UInt8]
        ) {
            self.number = number
            self.at = at
            self.revision = revision
            self.account = account
            self.environment = environment
            self.kind = kind
            self.subject = subject
            self.payload = payload
        }
    }

    /// The feed's new record of an account or order.
    package struct Outlook: Sendable {
        package var name: String
        package var due: Int64?
        package var bytes: [UInt8]

        package init(name: String, due: Int64?, bytes: [UInt8]) {
            self.name = name
            self.due = due
            self.bytes = bytes
        }
    }

    /// What erasures among the entries take from rows that were there before.
    package struct Erased: Sendable {
        /// Those without salt and payload from now on.
        package var entries: [Int64] = []
        /// Those without bytes.
        package var evidence: [Int64] = []
        /// As they are from now on.
        package var changes: [Change] = []
        /// Those that are gone, by their names.
        package var outlooks: [String] = []

        package init() {}

        package var isEmpty: Bool {
            entries.isEmpty && evidence.isEmpty && changes.isEmpty && outlooks.isEmpty
        }
    }

    package var entries: [Entry] = []
    package var headers: [Header] = []
    package var evidence: [Evidence] = []
    package var changes: [Change] = []
    package var outlooks: [Outlook] = []
    package var erased = Erased()
    /// Nil where the feed has not moved.
    package var place: FeedPlace?
    /// The ledger's end before these rows, and behind them.
    package var before = LedgerHead.beginning
    package var head = LedgerHead.beginning

    package init() {}

    package var isEmpty: Bool {
        entries.isEmpty && changes.isEmpty && outlooks.isEmpty && erased.isEmpty && place == nil
    }
}
