package import EntitlementModel
internal import Glibc
package import LedgerModel
internal import Synchronization

/// `<ledger>.reconcile` and `<ledger>.reconcile-notes`: the state of reconciliation
/// (docs/RECONCILE.md).
///
/// The journal has one line for each step, followed by its SHA-256; the notes have 256 bytes for
/// each customer, with a checksum each. Whoever has the ledger open has exclusive use of them.
///
/// `<ledger>.push`, a journal of the same form, says how far changes are delivered (docs/PUSH.md),
/// `<ledger>.recent` has the numbers of the accounts that were asked about last, and
/// `<ledger>.erasures` is the list of erasures (`ErasureList`).
package final class JournalFile: ReconciliationStore {
    private static let noteBytes = 256
    /// Enough for a hundred thousand differences; a longer file is not a journal.
    private static let journalLimit = 256 << 20
    private let ledger: String
    private let access: FileAccess
    /// The end of the journal; nil before it was read.
    private let end = Mutex<Int?>(nil)

    /// What its name ends with.
    private let ending: String

    /// - Parameters:
    ///   - ledger: its path; the files are made when something is written.
    ///   - ending: what its name ends with.
    package init(
        besideLedger ledger: String, access: FileAccess = FileAccess(),
        ending: String = ".reconcile"
    ) {
        self.ending = ending
        self.ledger = (try? LedgerName(ledger).path) ?? ledger
        self.access = access
    }

    /// The suffix of the name on a fleet's node.
    package static let ofFleet = ".fleet"

    private var journal: String { ledger + ending }
    /// The path of one of the two.
    package var notes: String { ledger + ending + "-notes" }

    /// When a note was last written, by the machine's clock; nil if there is none.
    package var notedAt: Instant? {
        FileStamp(notes).map {
            let (seconds, rest) = ($0.changedAt.seconds, $0.changedAt.nanoseconds)
            return Instant(milliseconds: Int64(seconds) * 1_000 + Int64(rest) / 1_000_000)
        }
    }

    package func lines() throws(LedgerError) -> [[UInt8]] {
        guard FileStamp(journal) != nil else { return [] }
        return try withFile(journal) { descriptor throws(LedgerStoreError) in
            try Self.wholeLines(of: descriptor).lines
        }
    }

    package func append(_ lines: [[UInt8]]) throws(LedgerError) {
        let bytes = Self.bytes(of: lines)
        let known = end.withLock(\.self)
        let place = try withFile(journal) { descriptor throws(LedgerStoreError) in
            // A damaged line would hide all later ones.
            var place = known ?? 0
            if known == nil {
                place = try Self.wholeLines(of: descriptor).end
                guard ftruncate(descriptor, off_t(place)) == 0 else {
                    throw .inputOutput(code: errno)
                }
            }
            try Self.write(bytes, at: place, to: descriptor)
            guard fdatasync(descriptor) == 0 else { throw .inputOutput(code: errno) }
            return place
        }
        end.withLock { $0 = place + bytes.count }
    }

    package func replace(with lines: [[UInt8]]) throws(LedgerError) {
        let new = journal + "-new"
        let bytes = Self.bytes(of: lines)
        end.withLock { $0 = nil }
        try withFile(new) { descriptor throws(LedgerStoreError) in
            guard ftruncate(descriptor, 0) == 0 else { throw .inputOutput(code: errno) }
            try Self.write(bytes, at: 0, to: descriptor)
            guard fdatasync(descriptor) == 0 else { throw .inputOutput(code: errno) }
        }
        do throws(LedgerStoreError) {
            guard rename(new, journal) == 0 else { throw .inputOutput(code: errno) }
            try syncFolder(LedgerName.folder(of: journal))
        } catch {
            throw LedgerError(error)
        }
    }

    package func note(_ number: Int64) throws(LedgerError) -> [UInt8]? {
        guard number > 0, FileStamp(notes) != nil else { return nil }
        return try withFile(notes) { descriptor throws(LedgerStoreError) in
            var bytes = [UInt8](repeating: 0, count: Self.noteBytes)
            let place = off_t(number - 1) * off_t(Self.noteBytes)
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, place)
            }
            guard count >= 0 else { throw .inputOutput(code: errno) }
            guard count == Self.noteBytes, let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            else { return nil }
            return HeadSlot.text(ofChecked: bytes[..<end]).map { Array($0.utf8) }
        }
    }

    package func setNote(_ bytes: [UInt8], of number: Int64) throws(LedgerError) {
        precondition(bytes.count <= longestReconciliationNote, "a note has its room")
        precondition(number > 0, "customers are numbered from one on")
        var block = Self.bytes(of: [bytes])
        block += [UInt8](repeating: UInt8(ascii: " "), count: Self.noteBytes - block.count)
        try withFile(notes) { descriptor throws(LedgerStoreError) in
            try Self.write(block, at: Int(number - 1) * Self.noteBytes, to: descriptor)
        }
    }

    package func clear() throws(LedgerError) {
        end.withLock { $0 = nil }
        for path in [notes, journal] where unlink(path) != 0 && errno != ENOENT {
            throw LedgerError(LedgerStoreError.inputOutput(code: errno))
        }
    }
}

extension JournalFile {
    /// The lines of a file of this form that is not written meanwhile; nil where there is none.
    static func lines(at path: String) throws(LedgerStoreError) -> [[UInt8]]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .cannotOpen(path: path)
        }
        defer { close(descriptor) }
        return try wholeLines(of: descriptor).lines
    }

    private func withFile<Value>(
        _ path: String, _ body: (Int32) throws(LedgerStoreError) -> Value
    ) throws(LedgerError) -> Value {
        MayBlock.check()
        do throws(LedgerStoreError) {
            guard
                let descriptor = access.open(path, O_RDWR | O_NOFOLLOW, besideLedger: ledger)
            else { throw .cannotOpen(path: path) }
            defer { close(descriptor) }
            return try body(descriptor)
        } catch {
            throw LedgerError(error)
        }
    }

    private static func bytes(of lines: [[UInt8]]) -> [UInt8] {
        lines.flatMap {
            Array((HeadSlot.checked(String(decoding: $0, as: UTF8.self)) + "\n").utf8)
        }
    }

    /// Up to the first that is damaged, and where that begins.
    private static func wholeLines(
        of descriptor: Int32
    ) throws(LedgerStoreError) -> (lines: [[UInt8]], end: Int) {
        let size = Int(FileStamp(descriptor: descriptor)?.bytes ?? 0)
        guard size > 0, size <= journalLimit else { return ([], 0) }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .inputOutput(code: errno) }
        var lines: [[UInt8]] = []
        var rest = bytes.prefix(count)
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")),
            let text = HeadSlot.text(ofChecked: rest[..<newline])
        {
            lines.append(Array(text.utf8))
            rest = rest[(newline + 1)...]
        }
        return (lines, rest.startIndex)
    }

    private static func write(
        _ bytes: [UInt8], at place: Int, to descriptor: Int32
    ) throws(LedgerStoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(place + written))
            }
            guard count > 0 else {
                if count == 0 || errno == ENOSPC { throw .diskFull }
                if errno == EINTR { continue }
                throw .inputOutput(code: errno)
            }
            written += count
        }
    }
}
