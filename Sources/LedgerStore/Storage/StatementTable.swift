/// Prepared statements by where their texts stand in the program.
///
/// The writer looks some of them up for each entry, so this is a table without the library's
/// hashing: a place is a few bits of the address, and the next free one where that is taken.
struct StatementTable {
    private var entries: [(text: UnsafePointer<UInt8>, statement: PreparedStatement)?] =
        Array(repeating: nil, count: 32)
    private var count = 0

    subscript(text: StaticString) -> PreparedStatement? {
        entries[place(of: text.utf8Start)]?.statement
    }

    /// For a text that has none yet.
    mutating func insert(_ statement: PreparedStatement, for text: StaticString) {
        if 2 * count >= entries.count { grow() }
        entries[place(of: text.utf8Start)] = (text.utf8Start, statement)
        count += 1
    }

    /// Where the text is, or belongs. At least half of the places are free.
    private func place(of text: UnsafePointer<UInt8>) -> Int {
        let mask = entries.count - 1
        let mixed = UInt64(UInt(bitPattern: text)) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(mixed >> 32) & mask
        while let entry = entries[place], entry.text != text { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let known = entries
        entries = Array(repeating: nil, count: 2 * known.count)
        for case let entry? in known { entries[place(of: entry.text)] = entry }
    }
}
