/// A JSON document that was read once and is looked into many times: its bytes, and an index of
/// everything in them.
///
/// Read as strictly as `parseJSON` reads, for less: nothing is copied out of the bytes before
/// somebody asks for it.
package struct JSONDocument: Sendable {
    package private(set) var bytes: [UInt8]
    private(set) var nodes: [JSONNode]

    /// Room for a document, with none in it yet.
    package init() {
        bytes = []
        nodes = []
    }

    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        self.bytes = bytes
        nodes = []
        try index(within: limits)
    }

    /// Reads another document into the room that this one took. After a fault there is none.
    package mutating func read(
        _ bytes: RawSpan, limits: JSONLimits = .standard
    ) throws(JSONError) {
        self.bytes.removeAll(keepingCapacity: true)
        bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
        try index(within: limits)
    }

    private mutating func index(within limits: JSONLimits) throws(JSONError) {
        // What a node can say of a place; more is never allowed.
        let most = min(limits.bytes, Int(UInt32.max) / 2)
        guard bytes.count <= most else { throw JSONError(.tooLarge, at: most) }
        var scanner = JSONScanner(limits: limits)
        swap(&scanner.nodes, &nodes)
        try scanner.readDocument(bytes.span)
        swap(&scanner.nodes, &nodes)
    }
}

/// Where one value stands in a document: valid in the document that it comes from.
package struct JSONPlace: Hashable, Sendable {
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    /// The value that is the whole document.
    package static let root = JSONPlace(0)
}
