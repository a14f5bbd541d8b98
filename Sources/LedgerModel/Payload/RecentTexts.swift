internal import EntitlementModel

/// Texts that were read a short while ago: one that is read again takes no memory of its own.
///
/// The payloads of one account say the same names over and over, and the apps and products of
/// all accounts are few.
struct RecentTexts: Sendable {
    private static let placeBits = 6
    /// Up to here a string holds its text in itself.
    private static let inlineLength = 15

    /// The last text that fell to each place.
    private var places: [String] = []

    /// The text that the bytes there, which are ASCII, say.
    mutating func text(at range: Range<Int>, in document: [UInt8]) -> String {
        let bytes = document.span.extracting(range)
        guard bytes.count > Self.inlineLength else { return Self.string(bytes) }
        if places.isEmpty { places = Array(repeating: "", count: 1 << Self.placeBits) }
        // Names differ at their ends.
        let end = bytes.bytes.unsafeLoadUnaligned(
            fromByteOffset: bytes.count - 8, as: UInt64.self)
        let mixed = (end ^ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
        let place = Int(mixed >> UInt64(64 - Self.placeBits))
        if !places[place].utf8.span.isSame(as: bytes) { places[place] = Self.string(bytes) }
        return places[place]
    }

    private static func string(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
