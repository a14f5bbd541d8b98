package import EntitlementModel
internal import Glibc
package import LedgerModel

/// `<ledger>.head`: the newest entry that was acknowledged, so that a ledger that has lost it is
/// not served (spec 3.4, docs/LEDGER.md).
///
/// Two slots, each with a checksum. One is on the disk and left alone; the other one is written
/// with each commit, and may be torn by a power loss until it is synced. Then they change places.
/// Behind them a line for each rollback that a person accepted.
struct HeadFile: Sendable {
    /// The content of the file.
    enum Content: Equatable, Sendable {
        /// There is no file, or it is empty.
        case none
        /// There is one, and neither slot is whole.
        case unreadable
        case head(LedgerPosition)

        var place: LedgerPosition? { if case .head(let place) = self { place } else { nil } }
    }

    fileprivate static let slotBytes = 4_096
    let path: String
    private let ledger: String
    private let access: FileAccess

    init(of ledger: LedgerName, access: FileAccess) {
        path = ledger.head
        self.ledger = ledger.path
        self.access = access
    }

    func read() -> (content: Content, accepted: [LedgerPosition]) {
        guard let found = FileStamp(path) else { return (.none, []) }
        guard found.isRegular, let bytes = try? contents() else { return (.unreadable, []) }
        let accepted = Self.accepted(in: bytes)
        if bytes.isEmpty { return (.none, []) }
        guard let newest = Self.newest(in: bytes)?.slot else { return (.unreadable, accepted) }
        return (.head(newest.place), accepted)
    }

    /// Writes the head; it is on the disk when this returns.
    ///
    /// - Parameter accepted: a rollback that a person accepted, recorded before the head is.
    func write(
        _ place: LedgerPosition, accepting accepted: AcceptedRollback? = nil
    ) throws(LedgerStoreError) {
        try open(writing: place, accepting: accepted).close()
    }

    /// The same, for further writes.
    func open(
        writing place: LedgerPosition, accepting accepted: AcceptedRollback? = nil
    ) throws(LedgerStoreError) -> OpenHead {
        let found = FileStamp(path)
        if let found, !found.isRegular { throw .cannotOpen(path: path) }
        guard
            let descriptor = access.open(path, O_RDWR | O_NOFOLLOW, besideLedger: ledger)
        else { throw .cannotOpen(path: path) }
        do {
            let newest = Self.newest(in: try Self.contents(of: descriptor))
            if let accepted {
                try Self.append(accepted, insteadOf: newest?.slot.place, to: descriptor)
            }
            var open = OpenHead(
                descriptor, number: newest?.slot.number ?? 0,
                index: newest.map { 1 - $0.index } ?? 0)
            try open.put(place)
            try open.sync()
            // The first time both: a file of one slot would be as long, and half of it unreadable.
            if newest == nil {
                try open.put(place)
                try open.sync()
            }
            if found == nil { try syncFolder(LedgerName.folder(of: path)) }
            return open
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func append(
        _ accepted: AcceptedRollback, insteadOf place: LedgerPosition?, to descriptor: Int32
    ) throws(LedgerStoreError) {
        let end = max(Int(lseek(descriptor, 0, SEEK_END)), 2 * slotBytes)
        let instead = place.map { " instead-of \($0)" } ?? ""
        let text = "accepted \(accepted.place)\(instead) at \(accepted.at.milliseconds)"
        try write(Array((HeadSlot.checked(text) + "\n").utf8), at: end, to: descriptor)
        guard fdatasync(descriptor) == 0 else { throw .inputOutput(code: errno) }
    }

    fileprivate static func write(
        _ bytes: [UInt8], at place: Int, to descriptor: Int32
    ) throws(LedgerStoreError) {
        let count = bytes.withUnsafeBytes {
            pwrite(descriptor, $0.baseAddress, $0.count, off_t(place))
        }
        guard count == bytes.count else {
            if count >= 0 || errno == ENOSPC { throw .diskFull }
            throw .inputOutput(code: errno)
        }
    }

    private func contents() throws(LedgerStoreError) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path) }
        defer { close(descriptor) }
        return try Self.contents(of: descriptor)
    }

    /// A valid file is two slots, and a line for each rollback that a person has accepted.
    private static func contents(
        of descriptor: Int32
    ) throws(LedgerStoreError) -> [UInt8] {
        let size = FileStamp(descriptor: descriptor)?.bytes ?? 0
        var bytes = [UInt8](repeating: 0, count: Int(min(max(size, 0), 1 << 20)))
        let count = bytes.withUnsafeMutableBytes {
            pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw .inputOutput(code: errno) }
        return Array(bytes.prefix(count))
    }

    private static func newest(in bytes: [UInt8]) -> (slot: HeadSlot, index: Int)? {
        let slots = [0, 1].compactMap { index -> (slot: HeadSlot, index: Int)? in
            let block = bytes.dropFirst(index * slotBytes).prefix(slotBytes)
            return HeadSlot(block).map { ($0, index) }
        }
        return slots.max { $0.slot.number < $1.slot.number }
    }

    private static func accepted(in bytes: [UInt8]) -> [LedgerPosition] {
        bytes.dropFirst(2 * slotBytes).split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let text = HeadSlot.text(ofChecked: line) else { return nil }
            let words = text.split(separator: " ")
            guard words.count > 1, words[0] == "accepted" else { return nil }
            return LedgerPosition(words[1])
        }
    }
}

/// The head file of a ledger that is open.
struct OpenHead {
    private let descriptor: Int32
    /// Which file it is.
    let identity: FileIdentity?
    private var number: Int64
    /// Of the slot that is written; the other one is on the disk.
    private var index: Int
    /// Whether something was put there since it was last synced.
    private(set) var isChanged = false

    fileprivate init(_ descriptor: Int32, number: Int64, index: Int) {
        self.descriptor = descriptor
        identity = FileStamp(descriptor: descriptor)?.identity
        self.number = number
        self.index = index
    }

    /// It is in the file when this returns, whatever becomes of the process.
    mutating func put(_ place: LedgerPosition) throws(LedgerStoreError) {
        let slot = HeadSlot(number: number + 1, place: place)
        try HeadFile.write(
            slot.block(of: HeadFile.slotBytes), at: index * HeadFile.slotBytes, to: descriptor)
        number += 1
        isChanged = true
    }

    /// It is on the disk when this returns. There must be no `put` meanwhile.
    mutating func sync() throws(LedgerStoreError) {
        guard fdatasync(descriptor) == 0 else { throw .inputOutput(code: errno) }
        index = 1 - index
        isChanged = false
    }

    func close() { Glibc.close(descriptor) }
}

/// A rollback that a person accepted by name (`--accept-rollback`).
package struct AcceptedRollback: Hashable, Sendable {
    /// The end of the ledger that was accepted.
    package let place: LedgerPosition
    package let at: Instant

    package init(place: LedgerPosition, at: Instant) {
        self.place = place
        self.at = at
    }
}

/// One of the two slots, as a line of text with its checksum.
struct HeadSlot: Equatable, Sendable {
    /// One more each time that a head is written.
    let number: Int64
    let place: LedgerPosition

    init(number: Int64, place: LedgerPosition) {
        self.number = number
        self.place = place
    }

    /// Nil where the block is not whole.
    init?(_ block: some Collection<UInt8>) {
        guard let end = block.firstIndex(of: UInt8(ascii: "\n")),
            let text = Self.text(ofChecked: block[..<end])
        else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 3, words[0] == "usher-head-1", let number = Int64(words[1]),
            (0...Int64.max / 2).contains(number), let place = LedgerPosition(words[2])
        else { return nil }
        self.number = number
        self.place = place
    }

    /// The line, and blanks up to the block's end.
    func block(of bytes: Int) -> [UInt8] {
        let line = Array((Self.checked("usher-head-1 \(number) \(place)") + "\n").utf8)
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: bytes - line.count - 1)
        return line + blanks + [UInt8(ascii: "\n")]
    }

    /// The text, and its SHA-256 behind it.
    static func checked(_ text: String) -> String {
        text + " " + EntryHash.digest(of: Array(text.utf8)).hexadecimal
    }

    static func text(ofChecked line: some Collection<UInt8>) -> String? {
        guard line.count > 65 else { return nil }
        let text = line.dropLast(65)
        guard line.dropLast(64).suffix(1).first == UInt8(ascii: " ") else { return nil }
        let found = String(decoding: line.suffix(64), as: UTF8.self)
        guard EntryHash.digest(of: Array(text)).hexadecimal == found else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
