/// What is inside the arrays and objects of a document.
extension JSONDocument {
    /// The value of the member of that name; nil if there is none, or if this is no object.
    package func member(_ name: StaticString, of object: JSONPlace) -> JSONPlace? {
        let node = nodes[object.index]
        guard node.kind == .object else { return nil }
        let bytes = bytes.span
        var member = object.index + 1
        while member < node.next {
            if nodes[member].hasText(name, in: bytes) { return JSONPlace(member + 1) }
            member = Int(nodes[member].next)
        }
        return nil
    }

    /// In the order of the text; none if this is no object.
    package func members(of object: JSONPlace) -> JSONMembers {
        let node = nodes[object.index]
        let end = node.kind == .object ? Int(node.next) : 0
        return JSONMembers(nodes: nodes, node: object.index + 1, end: end)
    }

    /// In the order of the text; none if this is no array.
    package func elements(of array: JSONPlace) -> JSONElements {
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

    package mutating func next() -> (name: JSONPlace, value: JSONPlace)? {
        guard node < end else { return nil }
        defer { node = Int(nodes[node].next) }
        return (JSONPlace(node), JSONPlace(node + 1))
    }
}

/// The places of the elements of one array.
package struct JSONElements: Sequence, IteratorProtocol {
    fileprivate let nodes: [JSONNode]
    fileprivate var node: Int
    fileprivate let end: Int

    package mutating func next() -> JSONPlace? {
        guard node < end else { return nil }
        defer { node = Int(nodes[node].next) }
        return JSONPlace(node)
    }
}

/// The members of an object whose names ascend, as canonical documents have them, for a reader
/// that asks for them in nearly that order: each is then found in a step or two.
///
/// In an object of another order, members are missed.
package struct JSONAscendingMembers: Sendable {
    private let first: Int
    private let end: Int
    private var next: Int
    private var asked: StaticString = ""

    /// Of no object.
    package init() {
        (first, next, end) = (0, 0, 0)
    }

    /// Nil if this is no object.
    package init?(of document: JSONDocument, at place: JSONPlace) {
        let node = document.nodes[place.index]
        guard node.kind == .object else { return nil }
        (first, next, end) = (place.index + 1, place.index + 1, Int(node.next))
    }

    /// The value of the member of that name; nil if there is none.
    package mutating func value(of name: StaticString, in document: JSONDocument) -> JSONPlace? {
        // What was asked for before stands before `next`, or would have to.
        if !asked.precedes(name) { next = first }
        asked = name
        let bytes = document.bytes.span
        while next < end {
            let node = document.nodes[next]
            if node.hasText(name, in: bytes) {
                defer { next = Int(node.next) }
                return JSONPlace(next + 1)
            }
            guard node.precedes(name, in: bytes) else { return nil }
            next = Int(node.next)
        }
        return nil
    }

    package func count(in document: JSONDocument) -> Int {
        var (member, count) = (first, 0)
        while member < end {
            member = Int(document.nodes[member].next)
            count += 1
        }
        return count
    }
}

extension StaticString {
    /// In the order of bytes.
    fileprivate func precedes(_ other: StaticString) -> Bool {
        for index in 0..<min(utf8CodeUnitCount, other.utf8CodeUnitCount)
        where utf8Start[index] != other.utf8Start[index] {
            return utf8Start[index] < other.utf8Start[index]
        }
        return utf8CodeUnitCount < other.utf8CodeUnitCount
    }
}

extension JSONNode {
    fileprivate func precedes(_ name: StaticString, in bytes: Span<UInt8>) -> Bool {
        guard isPlain else { return text(in: bytes).span.precedes(name) }
        return bytes.extracting(range).precedes(name)
    }
}

extension Span<UInt8> {
    fileprivate func precedes(_ other: StaticString) -> Bool {
        for index in 0..<Swift.min(count, other.utf8CodeUnitCount)
        where self[index] != other.utf8Start[index] {
            return self[index] < other.utf8Start[index]
        }
        return count < other.utf8CodeUnitCount
    }
}
