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
            let page = try? JSONDocument(
                bytes, limits: JSONLimits(bytes: bytes.count, values: Self.mostValues)),
            page.member("signedPayload", of: .root) == nil, Self.isPage(page)
        else { return nil }
        var pieces: [[UInt8]] = []
        Self.read(page, at: .root, isSigned: false, into: &pieces)
        self.pieces = pieces
    }

    /// Of a file that somebody saved pages in.
    private static let mostValues = 1_000_000

    /// Whether anything stands under the names that Apple has for what is signed, at any depth.
    static func isPage(_ page: JSONDocument, at place: JSONOffset = .root) -> Bool {
        page.elements(of: place).contains { isPage(page, at: $0) }
            || page.members(of: place).contains { name, value in
                isOfSigned(name, of: page) || isPage(page, at: value)
            }
    }

    private static func read(
        _ page: JSONDocument, at place: JSONOffset, isSigned: Bool, into pieces: inout [[UInt8]]
    ) {
        if isSigned, let text = page.string(at: place) { pieces.append(Array(text.utf8)) }
        for element in page.elements(of: place) {
            read(page, at: element, isSigned: isSigned, into: &pieces)
        }
        for (name, value) in page.members(of: place) {
            read(page, at: value, isSigned: isOfSigned(name, of: page), into: &pieces)
        }
    }

    private static func isOfSigned(_ name: JSONOffset, of page: JSONDocument) -> Bool {
        names.contains { page.hasText($0, at: name) }
    }

    private static let names: [StaticString] = [
        "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedPayload",
        "signedAppTransactionInfo", "notificationHistory",
    ]
}
