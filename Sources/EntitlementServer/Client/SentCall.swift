internal import EntitlementModel
package import StrictJSON

/// A call as a client has sent it. A problem names the member, parameter or header at fault; the
/// message shows what was given for it.
package struct SentCall: Sendable {
    /// A path with its query, percent-encoded.
    let target: String
    let body: JSONValue?
    let key: String?

    package init(_ target: String, body: JSONValue? = nil, key: String? = nil) {
        self.target = target
        self.body = body
        self.key = key
    }

    /// What was given for the `field` of a problem: text or a number. Nil if nothing was, or an
    /// object or a list.
    package func value(of field: String) -> String? {
        if field == "Idempotency-Key" { return key }
        let bytes = Array(target.utf8)
        return body.flatMap { Self.member(field, of: $0) } ?? Self.parameter(field, bytes.span)
    }

    /// By a path such as `credits[0].amount`.
    private static func member(_ path: String, of body: JSONValue) -> String? {
        var value: JSONValue? = body
        for part in path.split(whereSeparator: { ".[]".contains($0) }) {
            value =
                Int(part).map { index in
                    value?.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                } ?? value?[String(part)]
        }
        guard let value else { return nil }
        return value.string ?? value.int64.map { "\($0)" }
    }

    /// Of the query, or a name in the path.
    private static func parameter(_ field: String, _ bytes: Span<UInt8>) -> String? {
        let all = 0..<bytes.count
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"), in: all)
        let query = mark.map { $0 + 1..<bytes.count }
        let pairs = (try? QueryValues.pairs(query, in: bytes)) ?? []
        if let pair = pairs.first(where: { $0.name == field }) {
            return String(validating: pair.value, as: UTF8.self)
        }
        guard let match = EndpointTable.match(0..<(mark ?? bytes.count), in: bytes),
            let place = match.path.endpoints.first?.names.firstIndex(where: { $0.name == field }),
            let names = try? match.names(in: bytes)
        else { return nil }
        return String(validating: names[place], as: UTF8.self)
    }
}
