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
        guard index < bytes.endIndex else { return nil }
        let tag = bytes[index]
        index += 1
        guard tag & 0x1F != 0x1F, let length = Self.readLength(in: bytes, at: &index),
            length <= bytes.endIndex - index
        else { return nil }
        self.tag = tag
        content = bytes[index..<index + length]
        index += length
    }

    private static func readLength(in bytes: ArraySlice<UInt8>, at index: inout Int) -> Int? {
        guard index < bytes.endIndex else { return nil }
        let first = bytes[index]
        index += 1
        if first < 0x80 { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), count <= bytes.endIndex - index, bytes[index] != 0 else {
            return nil
        }
        let length = bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
        index += count
        return length >= 0x80 ? length : nil
    }

    /// The value of an INTEGER of up to eight bytes.
    var integer: Int64? {
        guard tag == Tag.integer, (1...8).contains(content.count), let first = content.first
        else { return nil }
        let sign: Int64 = first & 0x80 == 0 ? 0 : -1
        return content.reduce(sign) { $0 << 8 | Int64($1) }
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
