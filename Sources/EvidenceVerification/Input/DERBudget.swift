/// Limits for the structure of unverified DER or BER.
///
/// DER libraries build a tree first: a megabyte of empty values becomes a hundred megabytes of
/// nodes. So the bytes are walked once without building anything, and rejected beyond the budget
/// (THREATS.md B19, H28).
struct DERBudget: Sendable {
    enum Finding: Equatable {
        case within
        /// Not DER: bytes after the fault were not examined.
        case malformed
        case exceeded
    }

    let bytes: Int
    /// Tags with a length and a value each, all levels together.
    let nodes: Int
    /// Nodes around a node, itself included.
    let depth: Int
    /// SETs: in a certificate each is a part of a name.
    let sets: Int
    /// Bytes of one primitive value that is no OCTET STRING: numbers, object identifiers, keys.
    let valueBytes: Int

    /// Apple's have 800 to 1,500 bytes, 60 to 110 nodes and six parts of names.
    static let certificate = DERBudget(
        bytes: 16_384, nodes: 1_024, depth: 16, sets: 64, valueBytes: 4_096)
    /// A receipt without the content of its payload, which is one value here. Apple's have 350
    /// nodes, Xcode's one for each piece of the payload.
    static let container = DERBudget(
        bytes: .max, nodes: 4_096, depth: 20, sets: 1_024, valueBytes: 4_096)

    /// Walks the bytes until they end or the budget does.
    func check(_ bytes: ArraySlice<UInt8>, allowsBER: Bool = false) -> Finding {
        guard bytes.count <= self.bytes else { return .exceeded }
        var walk = DERWalk(bytes, allowsBER: allowsBER)
        while let node = walk.next() {
            let isValue = !node.isConstructed && node.tag != DERItem.Tag.octetString
            guard walk.nodes <= nodes, walk.depth <= depth, walk.sets <= sets,
                !isValue || node.length <= valueBytes
            else { return .exceeded }
        }
        return walk.isWhole ? .within : .malformed
    }
}

/// Steps from node to node of some DER, into whatever has nodes inside, keeping nothing but where
/// the nodes around the present one end.
private struct DERWalk {
    struct Node {
        let tag: UInt8
        let isConstructed: Bool
        /// Bytes of the value; zero where the length is indefinite.
        let length: Int
    }

    private struct Level {
        /// Of an indefinite one: where the one around it ends.
        let end: Int
        let isIndefinite: Bool
    }

    private let bytes: ArraySlice<UInt8>
    private let allowsBER: Bool
    private var index: Int
    private var levels: [Level] = []
    private(set) var nodes = 0
    private(set) var sets = 0
    /// Of the last node.
    private(set) var depth = 0
    /// Whether one node fills the bytes to the last.
    private(set) var isWhole = false

    init(_ bytes: ArraySlice<UInt8>, allowsBER: Bool) {
        self.bytes = bytes
        self.allowsBER = allowsBER
        index = bytes.startIndex
    }

    /// The next node; nil at the end, and at a malformed one.
    mutating func next() -> Node? {
        guard closeLevels() else { return nil }
        if levels.isEmpty, nodes > 0 {
            isWhole = index == bytes.endIndex
            return nil
        }
        let end = levels.last?.end ?? bytes.endIndex
        guard let tag = readTag(before: end), let length = readLength(before: end) else {
            return nil
        }
        let isConstructed = tag & 0x20 != 0
        nodes += 1
        depth = levels.count + 1
        if tag == DERItem.Tag.set { sets += 1 }
        switch (length, isConstructed) {
        case (let length?, true): levels.append(Level(end: index + length, isIndefinite: false))
        case (let length?, false): index += length
        case (nil, true) where allowsBER: levels.append(Level(end: end, isIndefinite: true))
        case (nil, _): return nil
        }
        return Node(tag: tag, isConstructed: isConstructed, length: length ?? 0)
    }

    /// Leaves the nodes that end here; false where one of them cannot.
    private mutating func closeLevels() -> Bool {
        while let level = levels.last {
            if level.isIndefinite {
                guard index + 2 <= level.end else { return false }
                guard bytes[index] == 0, bytes[index + 1] == 0 else { return true }
                index += 2
            } else if index < level.end {
                return true
            }
            levels.removeLast()
        }
        return true
    }

    /// The first byte of the tag; longer ones are stepped over.
    private mutating func readTag(before end: Int) -> UInt8? {
        guard index < end else { return nil }
        let tag = bytes[index]
        index += 1
        guard tag & 0x1F == 0x1F else { return tag }
        for _ in 0..<9 where index < end {
            index += 1
            if bytes[index - 1] & 0x80 == 0 { return tag }
        }
        return nil
    }

    /// The length, which the bytes have room for; `.some(nil)` where it is indefinite.
    private mutating func readLength(before end: Int) -> Int?? {
        guard index < end else { return nil }
        let first = bytes[index]
        index += 1
        if first == 0x80 { return .some(nil) }
        var length = Int(first)
        if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 8, count <= end - index else { return nil }
            length = 0
            for _ in 0..<count {
                // Beyond this it fits no memory, and one more byte would overflow.
                guard length < 1 << 48 else { return nil }
                length = length << 8 | Int(bytes[index])
                index += 1
            }
        }
        return length <= end - index ? length : nil
    }
}
