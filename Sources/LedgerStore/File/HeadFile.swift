package import EntitlementModel
internal import Glibc
package import LedgerModel

/// `<ledger>.head`: the newest entry that was acknowledged, so that a ledger that has lost it is
/// not served (spec 3.4, docs/LEDGER.md).
///
/// Two slots, each with a checksum, written in turn: what a power loss tears is the older one.
/// Behind them a line for each rollback that a person accepted.
struct HeadFile: Sendable {
    /// What the file says.
    enum Content: Equatable, Sendable {
        /// There is none, or nothing was ever written to it.
        case none
        /// There is one, and neither slot is whole.
        case unreadable
        case head(LedgerPosition)
    }

    private static let slotBytes = 4_096
    let path: String
    private let ledger: String
    private let access: FileAccess

    init(of ledger: LedgerName, access: FileAccess) {
        path = ledger.head
        self.ledger = ledger.path
        self.access = access
    }

    func read() -> (content: Content, accepted: [LedgerPosition]) {
        guard FileStamp(path) != nil else { return (.none, []) }
        guard let bytes = try? contents() else { return (.unreadable, []) }
        let accepted = Self.accepted(in: bytes)
        if bytes.isEmpty { return (.none, []) }
        guard let newest = Self.newest(in: bytes)?.slot else { return (.unreadable, accepted) }
        return (.head(newest.place), accepted)
    }

    /// Writes the head over the older slot; it is on the disk when this returns.
    ///
    /// - Parameter accepted: a rollback that a person accepted, recorded before the head is.
    func write(
        _ place: LedgerPosition, accepting accepted: AcceptedRollback? = nil
    ) throws(LedgerStoreError) {
        let isNew = FileStamp(path) == nil
        guard
            let descriptor = access.open(path, O_RDWR | O_NOFOLLOW, besideLedger: ledger)
        else { throw .cannotOpen(path: path) }
        defer { close(descriptor) }
        let bytes = try Self.contents(of: descriptor)
        let newest = Self.newest(in: bytes)
        if let accepted { try append(accepted, insteadOf: newest?.slot.place, to: descriptor) }
        let slot = HeadSlot(number: (newest?.slot.number ?? 0) + 1, place: place)
        let index = newest.map { 1 - $0.index } ?? 0
        try write(slot.block(of: Self.slotBytes), at: index * Self.slotBytes, to: descriptor)
        // The first time both: a file of one slot would be as long, and half of it unreadable.
        if newest == nil {
            try write(
                slot.block(of: Self.slotBytes), at: (1 - index) * Self.slotBytes, to: descriptor)
        }
        guard fdatasync(descriptor) == 0 else { throw .inputOutput(code: errno) }
        if isNew { try syncFolder(LedgerName.folder(of: path)) }
    }

    private func append(
        _ accepted: AcceptedRollback, insteadOf place: LedgerPosition?, to descriptor: Int32
    ) throws(LedgerStoreError) {
        let end = max(Int(lseek(descriptor, 0, SEEK_END)), 2 * Self.slotBytes)
        let instead = place.map { " instead-of \($0)" } ?? ""
        let text = "accepted \(accepted.place)\(instead) at \(accepted.at.milliseconds)"
        try write(Array((HeadSlot.checked(text) + "\n").utf8), at: end, to: descriptor)
        guard fdatasync(descriptor) == 0 else { throw .inputOutput(code: errno) }
    }

    private func write(
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
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path) }
        defer { close(descriptor) }
        return try Self.contents(of: descriptor)
    }

    /// A file of ours is two slots and a line for each time that a person gave an entry up.
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
