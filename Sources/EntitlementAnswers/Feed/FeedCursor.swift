package import EntitlementModel
package import StrictJSON

/// A place in the change feed: the number of a change, and which ledger's feed it is.
package struct FeedCursor: Hashable, Sendable {
    /// Nil where a bare number was given, which says nothing of the ledger.
    package let ledger: String?
    package let number: Int64

    package init(ledger: String?, number: Int64) {
        self.ledger = ledger
        self.number = number
    }

    /// The name of a ledger, by the hash of its first entry: no other ledger has it, and copies of
    /// this one do.
    package static func name(ofLedger hash: Digest256?) -> String {
        hash.map { String($0.hexadecimal.prefix(nameLength)) } ?? emptyName
    }

    private static let nameLength = 16
    /// Of a ledger without entries.
    private static let emptyName = String(repeating: "0", count: nameLength)

    /// Reads `9f3a…:412`, or a number alone; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2, !last.isEmpty, last.utf8.count <= 18,
            last.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(last)
        else { return nil }
        if parts.count == 2 {
            guard parts[0].utf8.count == Self.nameLength,
                parts[0].utf8.allSatisfy({
                    (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
                })
            else { return nil }
        }
        ledger = parts.count == 2 ? String(parts[0]) : nil
        self.number = number
    }

    package var text: String { (ledger.map { $0 + ":" } ?? "") + "\(number)" }
}

extension FeedCursor: WireText {
    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let cursor = FeedCursor(wireText) else { throw ShapeError(.value) }
        self = cursor
    }

    package static var schemaName: String? { "FeedCursor" }

    package static var textSchema: JSONValue {
        [
            "type": "string", "pattern": "^([0-9a-f]{16}:)?[0-9]{1,18}$",
            "description": "The ledger and the number of a change.",
        ]
    }

    package static var sample: FeedCursor {
        FeedCursor(ledger: emptyName, number: 1)
    }
}
