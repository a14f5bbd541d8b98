/// The one form that all equal documents share: RFC 8785.
extension JSONDocument {
    /// The canonical form: members sorted by the UTF-16 code units of their names, numbers as
    /// ECMAScript writes the nearest double, no white space.
    ///
    /// Integers beyond 2^53 lose digits here, as the RFC has it; nothing is read back from it.
    package func canonical() -> [UInt8] {
        var canonical: [UInt8] = []
        canonical.reserveCapacity(bytes.count)
        append(.root, to: &canonical)
        return canonical
    }

    private func append(_ place: JSONOffset, to canonical: inout [UInt8]) {
        let node = nodes[place.index]
        switch node.kind {
        case .null, .yes, .no: canonical.append(contentsOf: bytes[node.range])
        case .number: appendNumber(node, to: &canonical)
        case .string: appendString(node, to: &canonical)
        case .array: appendElements(of: place, to: &canonical)
        case .object: appendMembers(of: place, to: &canonical)
        }
    }

    private func appendNumber(_ node: JSONNode, to canonical: inout [UInt8]) {
        let text = bytes.span.extracting(node.range)
        if let int64 = Int64(decimal: text), int64.magnitude <= 1 << 53 {
            canonical.append(contentsOf: bytes[node.range])
        } else {
            canonical.append(contentsOf: JSONNumber(text).canonicalText.utf8)
        }
    }

    /// A string written without escapes needs none.
    private func appendString(_ node: JSONNode, to canonical: inout [UInt8]) {
        if node.isPlain {
            let range = node.range
            canonical.append(contentsOf: bytes[(range.lowerBound - 1)...range.upperBound])
        } else {
            canonical.appendJSONString(string(node))
        }
    }

    private func appendElements(of array: JSONOffset, to canonical: inout [UInt8]) {
        canonical.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements(of: array) {
            if !isFirst { canonical.append(UInt8(ascii: ",")) }
            isFirst = false
            append(element, to: &canonical)
        }
        canonical.append(UInt8(ascii: "]"))
    }

    private func appendMembers(of object: JSONOffset, to canonical: inout [UInt8]) {
        canonical.append(UInt8(ascii: "{"))
        var isFirst = true
        let members = members(of: object).sorted { left, right in
            precedesCanonically(nodes[left.name.index], nodes[right.name.index])
        }
        for member in members {
            if !isFirst { canonical.append(UInt8(ascii: ",")) }
            isFirst = false
            appendString(nodes[member.name.index], to: &canonical)
            canonical.append(UInt8(ascii: ":"))
            append(member.value, to: &canonical)
        }
        canonical.append(UInt8(ascii: "}"))
    }

    /// In the order of UTF-16 code units. Bytes have the same order as long as no surrogate meets
    /// a character beyond them, and are compared much faster.
    private func precedesCanonically(_ left: JSONNode, _ right: JSONNode) -> Bool {
        let answer = left.withText(in: bytes.span, unescaped.span) { own in
            right.withText(in: bytes.span, unescaped.span) { own.precedesCanonically($0) }
        }
        return answer
            ?? string(left).utf16.lexicographicallyPrecedes(string(right).utf16)
    }
}

extension Span<UInt8> {
    /// Nil where the order of bytes may not be that of code units.
    fileprivate func precedesCanonically(_ other: Span<UInt8>) -> Bool? {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
            let isPlain = Swift.max(self[index], other[index]) < 0xEE
            return isPlain ? self[index] < other[index] : nil
        }
        return count < other.count
    }
}

extension JSONValue {
    /// The canonical form of the document that it is written as; see `JSONDocument.canonical`.
    package func canonical() -> [UInt8] {
        let unlimited = JSONLimits(bytes: .max, depth: .max, values: .max)
        guard let document = try? JSONDocument(serialized(), limits: unlimited) else {
            preconditionFailure("a tree is written as a document")
        }
        return document.canonical()
    }
}

extension JSONNumber {
    /// As ECMAScript's `Number::toString` writes the nearest double.
    var canonicalText: String {
        if let int64, int64.magnitude <= 1 << 53 { return text }
        let value = double
        if value == 0 { return "0" }
        let (digits, exponent) = Self.shortestDigits(value.magnitude)
        return (value < 0 ? "-" : "") + Self.layOut(digits, exponent)
    }

    /// The shortest digits d1…dk that round to the value, and n with value = 0.d1…dk × 10^n.
    private static func shortestDigits(_ value: Double) -> (digits: String, exponent: Int) {
        let parts = value.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var exponent = mantissa[0].utf8.count
        if parts.count == 2, let written = Int(parts[1]) { exponent += written }
        var digits = Substring(mantissa.joined())
        while digits.first == "0" {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.last == "0" { digits.removeLast() }
        return (String(digits), exponent)
    }

    /// ECMAScript's five cases.
    private static func layOut(_ digits: String, _ exponent: Int) -> String {
        let count = digits.utf8.count
        if count <= exponent, exponent <= 21 {
            return digits + String(repeating: "0", count: exponent - count)
        }
        if (1...21).contains(exponent) {
            return digits.prefix(exponent) + "." + digits.dropFirst(exponent)
        }
        if (-5...0).contains(exponent) {
            return "0." + String(repeating: "0", count: -exponent) + digits
        }
        let sign = exponent > 0 ? "+" : "-"
        let power = "e\(sign)\((exponent - 1).magnitude)"
        return count == 1 ? digits + power : digits.prefix(1) + "." + digits.dropFirst() + power
    }
}
