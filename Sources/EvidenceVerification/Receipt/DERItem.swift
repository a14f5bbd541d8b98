/// One tag, length and value of DER, for the many small values of a receipt: a whole receipt
/// has a hundred thousand of them, and each is read once.
struct DERItem {
    enum Tag {
        static let integer: UInt8 = 0x02
        static let octetString: UInt8 = 0x04
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
        /// UTF8String, PrintableString, TeletexString and IA5String: Apple may swap them.
        static let strings: Set<UInt8> = [0x0C, 0x13, 0x14, 0x16]
    }

    let tag: UInt8
    let content: ArraySlice<UInt8>

    /// The one item that fills `bytes`.
    static func only(in bytes: ArraySlice<UInt8>) -> DERItem? {
        var items = DERItems(bytes)
        guard let item = items.next(), items.isAtEnd else { return nil }
        return item
    }

    fileprivate init?(in bytes: ArraySlice<UInt8>, at index: inout Int) {
        var place = index - bytes.startIndex
        guard let item = DEROffset(in: bytes.span, at: &place, before: bytes.count) else {
            return nil
        }
        tag = item.tag
        content = bytes[bytes.startIndex + item.start..<bytes.startIndex + item.end]
        index = bytes.startIndex + place
    }

    /// The value of an INTEGER of up to eight bytes.
    var integer: Int64? {
        DEROffset(tag: tag, start: 0, end: content.count).integer(in: content.span)
    }

    /// The value of any kind of string, which must be UTF-8.
    var text: String? {
        guard Tag.strings.contains(tag) else { return nil }
        return String(validating: content, as: UTF8.self)
    }
}

/// The items that stand in some bytes, one after the other: nothing is kept of those that have
/// been passed.
struct DERItems {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// Whether everything was read.
    var isAtEnd: Bool { index == bytes.endIndex }

    /// The next item; nil at the end, and for anything but short tags and minimal definite
    /// lengths: then it is not at the end.
    mutating func next() -> DERItem? {
        let start = index
        guard let item = DERItem(in: bytes, at: &index) else {
            index = start
            return nil
        }
        return item
    }
}
