internal import EntitlementModel
internal import StrictJSON

/// Reading the service's answers for people.
extension JSONValue {
    /// The text of a member, safe to print; nil where there is none.
    func word(_ key: String) -> String? { self[key]?.string?.shown }

    /// The elements of a member; none where it is missing.
    func list(_ key: String) -> [JSONValue] { self[key]?.elements ?? [] }

    /// The texts of a member that is a list.
    func words(_ key: String) -> [String] { list(key).compactMap { $0.string?.shown } }

    func instant(_ key: String) -> Instant? {
        self[key]?.string.flatMap { Instant(rfc3339: $0) }
    }

    /// A date for people, as `--at` reads it.
    func date(_ key: String) -> String? { self[key]?.string.map(Self.shortDate) }

    /// Without the milliseconds, which are zero nearly always.
    private static func shortDate(_ text: String) -> String {
        text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text.shown
    }

    func number(_ key: String) -> String? { self[key]?.number?.text }

    /// Whether `from` and `until` hold the instant; either may be missing.
    func contains(_ instant: Instant) -> Bool {
        let isBegun = self.instant("from").map { $0 <= instant } ?? true
        return isBegun && (self.instant("until").map { instant < $0 } ?? true)
    }

    /// The members that have a value.
    static func object(known members: [(String, JSONValue?)]) -> JSONValue {
        .object(
            members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}
