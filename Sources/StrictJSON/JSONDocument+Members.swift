/// What is inside the arrays and objects of a document.
extension JSONDocument {
    /// The value of the member of that name; nil if there is none, or if this is no object.
    package func member(_ name: StaticString, of object: JSONOffset) -> JSONOffset? {
        let node = nodes[object.index]
        guard node.kind == .object else { return nil }
        let bytes = bytes.span
        var member = object.index + 1
        while member < node.next {
            if nodes[member].hasText(name, in: bytes) { return JSONOffset(member + 1) }
            member = Int(nodes[member].next)
        }
        return nil
    }

    /// In the order of the text; none if this is no object.
    package func members(of object: JSONOffset) -> JSONMembers {
        let node = nodes[object.index]
        let end = node.kind == .object ? Int(node.next) : 0
        return JSONMembers(nodes: nodes, node: object.index + 1, end: end)
    }

    /// In the order of the text; none if this is no array.
    package func elements(of array: JSONOffset) -> JSONElements {
        let node = nodes[array.index]
        let end = node.kind == .array ? Int(node.next) : 0
        return JSONElements(nodes: nodes, node: array.index + 1, end: end)
    }
}

/// The members of one object: where each name stands, and where its value does.
package struct JSONMembers: Sequence, IteratorProtocol {
    fileprivate let nodes: [JSONNode]
    fileprivate var node: Int
    fileprivate let end: Int

    package mutating func next() -> (name: JSONOffset, value: JSONOffset)? {
        guard node < end else { return nil }
        defer { node = Int(nodes[node].next) }
        return (JSONOffset(node), JSONOffset(node + 1))
    }
}

/// The places of the elements of one array.
package struct JSONElements: Sequence, IteratorProtocol {
    fileprivate let nodes: [JSONNode]
    fileprivate var node: Int
    fileprivate let end: Int

    package mutating func next() -> JSONOffset? {
        guard node < end else { return nil }
        defer { node = Int(nodes[node].next) }
        return JSONOffset(node)
    }
}
