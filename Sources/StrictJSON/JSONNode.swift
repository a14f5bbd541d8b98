/// One value of a document, or the name of one member, as the index holds it: where its text
/// stands, and where the next one is.
///
/// Nodes stand in the order of the text. An array is followed by its elements, an object by its
/// members, each a name and its value.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case null
        case yes
        case no
        case number
        case string
        case array
        case object
    }

    let kind: Kind
    /// Whether a string has no backslash: its text is what it says.
    let isPlain: Bool
    /// The first byte of the text; of a string, the one behind the quote.
    let start: UInt32
    /// The byte behind the text; of a string, the closing quote.
    var end: UInt32
    /// The node behind this one and all that belongs to it: a name has its value.
    var next: UInt32

    init(_ kind: Kind, from start: Int, to end: Int, next: Int, isPlain: Bool = true) {
        self.kind = kind
        self.isPlain = isPlain
        // The size of a document is checked before it is read.
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
    }

    var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
}
