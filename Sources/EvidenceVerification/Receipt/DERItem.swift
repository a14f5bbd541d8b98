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

/// The consecutive items in some bytes; passed items are not kept.
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

/// The range of an item in some bytes: hundreds of thousands of them are read without retaining the
/// bytes.
struct DEROffset {
    let tag: UInt8
    /// Of the content.
    let start: Int
    let end: Int

    init(tag: UInt8, start: Int, end: Int) {
        self.tag = tag
        self.start = start
        self.end = end
    }

    /// The item at an index, which is advanced past it; nil for anything but short tags and minimal
    /// definite lengths: the index is meaningless then.
    init?(in bytes: Span<UInt8>, at index: inout Int, before limit: Int) {
        guard index < limit else { return nil }
        tag = bytes[index]
        index += 1
        guard tag & 0x1F != 0x1F, let length = Self.readLength(in: bytes, at: &index, limit),
            length <= limit - index
        else { return nil }
        start = index
        index += length
        end = index
    }

    private static func readLength(
        in bytes: Span<UInt8>, at index: inout Int, _ limit: Int
    ) -> Int? {
        guard index < limit else { return nil }
        let first = bytes[index]
        index += 1
        if first < 0x80 { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), count <= limit - index, bytes[index] != 0 else {
            return nil
        }
        var length = 0
        for _ in 0..<count {
            length = length << 8 | Int(bytes[index])
            index += 1
        }
        return length >= 0x80 ? length : nil
    }

    /// The value of an INTEGER of up to eight bytes.
    func integer(in bytes: Span<UInt8>) -> Int64? {
        guard tag == DERItem.Tag.integer, (1...8).contains(end - start) else { return nil }
        var value: Int64 = bytes[start] & 0x80 == 0 ? 0 : -1
        for index in start..<end { value = value << 8 | Int64(bytes[index]) }
        return value
    }
}
