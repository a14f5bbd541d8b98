/// Reads one JSON document, strictly as RFC 8259 has it and a little stricter: UTF-8 only, no
/// byte order mark, no name twice in one object, no lone surrogates, all within the limits.
///
/// A tree is easy to take apart and to change. Who only looks into a document reads a
/// `JSONDocument`, which costs a fraction.
package func parseJSON(
    _ bytes: [UInt8], limits: JSONLimits = .standard
) throws(JSONError) -> JSONValue {
    try JSONDocument(bytes, limits: limits).value()
}

/// Why bytes are not acceptable JSON: a stable code and the place.
package struct JSONError: Error, Hashable, Sendable {
    /// What is wrong. The raw values are the contract (spec 4.2).
    package enum Code: String, CaseIterable, Hashable, Sendable {
        /// Not UTF-8, a byte order mark, or a lone surrogate.
        case encoding = "input.encoding"
        /// One name twice in one object, compared after unescaping.
        case duplicateKey = "input.duplicate-key"
        /// Not a JSON number, or one beyond the range of a double.
        case number = "input.number"
        /// Beyond one of `JSONLimits`.
        case tooLarge = "input.too-large"
        /// Not JSON.
        case malformed = "input.malformed"
    }

    package let code: Code
    /// Bytes from the start of the input to what is wrong.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

/// How much a document may cost before it is refused.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole document.
    package var bytes: Int
    /// Arrays and objects around a value, itself included.
    package var depth: Int
    /// Values of every type; names of members are not counted.
    package var values: Int

    package init(bytes: Int = 2_097_152, depth: Int = 32, values: Int = 100_000) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// 2 MiB, depth 32, 100,000 values (spec 3.1).
    package static let standard = JSONLimits()
}
