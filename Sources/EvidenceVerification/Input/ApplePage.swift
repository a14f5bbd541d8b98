internal import EntitlementModel
internal import StrictJSON

/// A page of the App Store Server API as it was answered, saved as a file (spec 4.0): a history, a
/// notification history, a transaction, statuses. It is not signed; each piece in it is.
package struct ApplePage: Sendable {
    /// The JWS in it, in its order.
    package let pieces: [[UInt8]]

    /// Nil for what is no such page, such as evidence itself.
    package init?(_ bytes: [UInt8]) {
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard start == UInt8(ascii: "{") || start == UInt8(ascii: "["),
            let page = try? parseJSON(
                bytes, limits: JSONLimits(bytes: bytes.count, values: Self.mostValues)),
            page["signedPayload"] == nil
        else { return nil }
        guard Self.isPage(page) else { return nil }
        var pieces: [[UInt8]] = []
        Self.read(page, under: nil, into: &pieces)
        self.pieces = pieces
    }

    /// Of a file that somebody saved pages in.
    private static let mostValues = 1_000_000

    /// Whether anything stands under the names that Apple has for what is signed, at any depth.
    static func isPage(_ value: JSONValue) -> Bool {
        (value.elements ?? []).contains(where: isPage)
            || (value.members ?? []).contains { names.contains($0.key) || isPage($0.value) }
    }

    private static func read(
        _ value: JSONValue, under name: String?, into pieces: inout [[UInt8]]
    ) {
        if let name, names.contains(name), let text = value.string {
            pieces.append(Array(text.utf8))
        }
        for element in value.elements ?? [] { read(element, under: name, into: &pieces) }
        for member in value.members ?? [] { read(member.value, under: member.key, into: &pieces) }
    }

    private static let names: Set<String> = [
        "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedPayload",
        "signedAppTransactionInfo", "notificationHistory",
    ]
}
