/// A JSON document that was read once and is looked into many times: its bytes, and an index of
/// everything in them.
///
/// Read as strictly as `parseJSON` reads, for less: nothing is copied out of the bytes before
/// somebody asks for it.
package struct JSONDocument: Sendable {
    package let bytes: [UInt8]
    let nodes: [JSONNode]

    package init(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        // What a node can say of a place; more is never allowed.
        let most = min(limits.bytes, Int(UInt32.max) / 2)
        guard bytes.count <= most else { throw JSONError(.tooLarge, at: most) }
        var scanner = JSONScanner(limits: limits)
        try scanner.readDocument(bytes.span)
        self.bytes = bytes
        nodes = scanner.nodes
    }
}

/// Where one value stands in a document: valid in the document that it comes from.
package struct JSONOffset: Hashable, Sendable {
    let index: Int

    init(_ index: Int) {
        self.index = index
    }

    /// The value that is the whole document.
    package static let root = JSONOffset(0)
}
