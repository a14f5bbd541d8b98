internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// An answer of the service, or the same made from a ledger file.
struct Answered<Shape: WireObject> {
    let value: Shape
    /// As it came.
    private let received: [UInt8]?

    init(_ value: Shape) {
        self.value = value
        received = nil
    }

    init(received bytes: [UInt8]) throws(CommandFailure) {
        // The service is trusted; what it says of an account may be long.
        let limits = JSONLimits(bytes: bytes.count, values: bytes.count)
        guard let json = try? parseJSON(bytes, limits: limits),
            let value = try? Shape.read(json)
        else { throw .unreadableAnswer }
        self.value = value
        received = bytes
    }

    /// The same bytes wherever it comes from.
    var json: [UInt8] { received ?? value.json }
}

extension Instant {
    /// A date for people, as `--at` reads it: without milliseconds, which are zero nearly always.
    var date: String {
        let text = rfc3339
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }
}

/// Reading JSON for people.
extension JSONValue {
    /// The text of a member, safe to print; nil where there is none.
    func word(_ key: String) -> String? { self[key]?.string?.shown }

    /// The elements of a member; none where it is missing.
    func list(_ key: String) -> [JSONValue] { self[key]?.elements ?? [] }

    /// The members that have a value.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(
            members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}
