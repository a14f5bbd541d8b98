/// The one form that all equal documents share: RFC 8785.
extension JSONValue {
    /// The canonical form: members sorted by the UTF-16 code units of their names, numbers as
    /// ECMAScript writes the nearest double, no white space.
    ///
    /// Integers beyond 2^53 lose digits here, as the RFC has it; nothing is read back from it.
    package func canonical() -> [UInt8] {
        var writer = JSONWriter()
        writer.canonicalValue(self)
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func canonicalValue(_ value: JSONValue) {
        switch value {
        case .null, .bool, .string: self.value(value)
        case .number(let number): raw(number.canonicalText)
        case .array(let elements):
            beginArray()
            for element in elements { canonicalValue(element) }
            endArray()
        case .object(let members):
            beginObject()
            let order = members.indices.sorted {
                members[$0].key.precedesCanonically(members[$1].key)
            }
            for index in order {
                key(members[index].key)
                canonicalValue(members[index].value)
            }
            endObject()
        }
    }
}

extension String {
    /// In the order of UTF-16 code units. Bytes have the same order as long as no surrogate meets
    /// a character beyond them, and are compared much faster.
    fileprivate func precedesCanonically(_ other: String) -> Bool {
        let answer = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { Self.precedes(left, $0) } ?? nil
        }
        return (answer ?? nil) ?? utf16.lexicographicallyPrecedes(other.utf16)
    }

    /// Nil where the order of bytes may not be that of code units.
    private static func precedes(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool? {
        for index in 0..<Swift.min(left.count, right.count) where left[index] != right[index] {
            let isPlain = Swift.max(left[index], right[index]) < 0xEE
            return isPlain ? left[index] < right[index] : nil
        }
        return left.count < right.count
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
