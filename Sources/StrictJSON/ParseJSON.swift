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
