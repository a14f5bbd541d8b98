/// A name that one thing has: printable ASCII without spaces (0x21 to 0x7E), compared byte by
/// byte.
///
/// The alphabet is what makes the comparison safe: Swift compares strings by canonical
/// equivalence and SQLite by bytes, and on ASCII the two agree.
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bytes.
    static var maximumLength: Int { get }
    /// Whether text of the alphabet has the form that these names have.
    static func hasForm(_ text: String) -> Bool
    var text: String { get }
    /// For text that is known to be in the alphabet and within the length.
    init(unchecked text: String)
}

extension Identifier {
    package static var maximumLength: Int { 128 }

    @inlinable
    package static func hasForm(_ text: String) -> Bool { true }

    /// Nil if the text is empty, too long, or has a byte outside 0x21 to 0x7E.
    @inlinable
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        let count = text.utf8.count
        guard count > 0, count <= Self.maximumLength else { return nil }
        // A loop, because the library's `allSatisfy` is called for each byte through a witness.
        for byte in text.utf8 where byte < 0x21 || byte > 0x7E { return nil }
        guard Self.hasForm(text) else { return nil }
        self.init(unchecked: text)
    }

    /// The same of text that is no string yet.
    @inlinable
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count > 0, bytes.count <= Self.maximumLength else { return nil }
        for index in bytes.indices where bytes[index] < 0x21 || bytes[index] > 0x7E { return nil }
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard Self.hasForm(text) else { return nil }
        self.init(unchecked: text)
    }

    package var description: String { text }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Apple's ids are numbers written out: a longer one is a larger one (spec 1.3).
    @inlinable
    package static func precedesByLength(_ left: Self, _ right: Self) -> Bool {
        let (leftCount, rightCount) = (left.text.utf8.count, right.text.utf8.count)
        return leftCount == rightCount ? left.text < right.text : leftCount < rightCount
    }
}
