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

    /// The items that fill `bytes` to the last one; nil for anything but short tags and minimal
    /// definite lengths.
    static func items(in bytes: ArraySlice<UInt8>) -> [DERItem]? {
        var items: [DERItem] = []
        var rest = bytes
        while !rest.isEmpty {
            guard let item = DERItem(from: &rest) else { return nil }
            items.append(item)
        }
        return items
    }

    /// The one item that fills `bytes`.
    static func only(in bytes: ArraySlice<UInt8>) -> DERItem? {
        var rest = bytes
        guard let item = DERItem(from: &rest), rest.isEmpty else { return nil }
        return item
    }

    private init?(from rest: inout ArraySlice<UInt8>) {
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F,
            let length = Self.readLength(from: &rest), length <= rest.count
        else { return nil }
        self.tag = tag
        content = rest.prefix(length)
        rest = rest.dropFirst(length)
    }

    private static func readLength(from rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        if first < 0x80 { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), count <= rest.count, rest.first != 0 else { return nil }
        let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
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
