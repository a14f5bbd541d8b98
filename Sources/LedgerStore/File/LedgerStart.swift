internal import EntitlementModel
internal import GRDB
internal import LedgerModel

/// What is looked at before a ledger is opened for writing, so that a start that is refused has
/// changed nothing (spec 3.4, THREATS.md H22).
struct LedgerStart {
    let name: LedgerName
    let custody: LedgerFilePolicy
    let head: HeadFile
    private(set) var notices: [LedgerFileNotice] = []
    /// What the head file gets: nil for what the ledger's end is.
    private(set) var accepted: AcceptedRollback?

    init(_ name: LedgerName, _ custody: LedgerFilePolicy) {
        self.name = name
        self.custody = custody
        head = HeadFile(of: name, access: custody.access)
    }

    /// A ledger is made where there is nothing, not where one has been.
    func expectNothingIsMissing() throws(LedgerStoreError) {
        guard FileStatus.bytes(of: name.path) == 0 else { return }
        let isThere = FileStamp(name.path) != nil
        // A crash may leave an empty file with a journal, but neither a log nor a head: those
        // come after the file's first page is on the disk.
        let remains = isThere ? [name.head] : [name.log, name.journal, name.head]
        for path in remains where FileStamp(path) != nil {
            throw .missing(path: name.path, beside: path)
        }
        if isThere && FileStatus.bytes(of: name.log) > 0 {
            throw .missing(path: name.path, beside: name.log)
        }
    }

    /// A file with two names has its log and its head under one of them; under the other it would
    /// be opened without what is in those.
    func expectOneName() throws(LedgerStoreError) {
        guard let found = FileStamp(name.path), found.isRegular, found.names > 1,
            FileStamp(name.head) == nil, FileStatus.bytes(of: name.log) == 0
        else { return }
        throw .secondName(path: name.path)
    }

    /// The ledger holds the newest entry that was acknowledged, or a person has accepted its end.
    mutating func expectHead() throws(LedgerStoreError) {
        let (content, acceptedBefore) = head.read()
        switch content {
        case .none: break
        case .unreadable: notices.append(.headUnreadable(path: head.path))
        case .head(let place): try expect(place, acceptedBefore)
        }
        if accepted == nil, let place = custody.accepted?.place {
            notices.append(.nothingToAccept(place))
        }
    }

    private mutating func expect(
        _ place: LedgerPosition, _ acceptedBefore: [LedgerPosition]
    ) throws(LedgerStoreError) {
        let (end, holdsPlace) = try look(for: place)
        if holdsPlace { return }
        guard let accepted = custody.accepted, accepted.place == end,
            !acceptedBefore.contains(end)
        else {
            throw .rolledBack(
                end: end, acknowledged: place, wasAccepted: acceptedBefore.contains(end))
        }
        self.accepted = accepted
        notices.append(.rollbackAccepted(end, insteadOf: place))
    }

    private func look(
        for place: LedgerPosition
    ) throws(LedgerStoreError) -> (end: LedgerPosition, holdsPlace: Bool) {
        let pool = try LedgerFile.openForLooking(path: name.path)
        return try LedgerStoreError.mapping(name.path) {
            let result = try pool.read { database in
                let connection = Connection(database: database)
                let end = LedgerPosition(try LedgerTransaction(database).head())
                if place.sequence == .zero { return (end, place.hash == EntryHash.genesis) }
                let hash =
                    try connection.first(
                        "SELECT hash FROM entry WHERE seq = ?", place.sequence.number
                    ) { try $0.bytes(0).flatMap { Digest256($0) } } ?? nil
                return (end, hash == place.hash)
            }
            try pool.close()
            return result
        }
    }
}
