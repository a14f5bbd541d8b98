/// Where an item is in some bytes: what is read by the hundred thousand holds on to none of them.
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

    /// The item at an index, which goes on behind it; nil for anything but short tags and minimal
    /// definite lengths: then the index means nothing.
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
