/// What the nodes of strings say.
extension JSONNode {
    /// The text without its escapes.
    func text(in bytes: Span<UInt8>) -> [UInt8] {
        if isPlain { return Array(bytes.extracting(range)) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var scanner = JSONScanner(at: range.lowerBound)
        while scanner.index < range.upperBound {
            guard bytes[scanner.index] == UInt8(ascii: "\\") else {
                text.append(bytes[scanner.index])
                scanner.index += 1
                continue
            }
            guard let scalar = try? scanner.readEscape(in: bytes) else {
                preconditionFailure("an escape is read twice the same")
            }
            text.append(contentsOf: Array(String(scalar).utf8))
        }
        return text
    }

    /// Names are compared as bytes: Swift's `==` would take the Kelvin sign for a K.
    func hasSameText(as other: JSONNode, in bytes: Span<UInt8>) -> Bool {
        guard isPlain, other.isPlain else { return text(in: bytes) == other.text(in: bytes) }
        return bytes.extracting(range).equals(bytes.extracting(other.range))
    }

    func hasText(_ text: StaticString, in bytes: Span<UInt8>) -> Bool {
        guard isPlain else { return self.text(in: bytes).span.equals(text) }
        return bytes.extracting(range).equals(text)
    }
}

extension [UInt8] {
    init(_ span: Span<UInt8>) {
        self = span.withUnsafeBufferPointer { Array($0) }
    }
}

extension String {
    /// Of text that is known to be UTF-8.
    init(_ span: Span<UInt8>) {
        self = span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension Span<UInt8> {
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    func equals(_ other: StaticString) -> Bool {
        guard count == other.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != other.utf8Start[index] { return false }
        return true
    }

    /// In the order of bytes.
    func precedes(_ other: Span<UInt8>) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            return self[index] < other[index]
        }
        return count < other.count
    }
}
