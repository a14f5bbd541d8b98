package import EntitlementModel
package import StrictJSON

/// Where a finding stands in the list of all: by kind, then the oldest first (spec 3.1).
package struct FindingPosition: Hashable, Comparable, Sendable {
    package let kind: Finding.Kind
    package let start: Instant
    private let fact: LedgerSequence
    /// Tells findings apart that the rest does not.
    private let mark: UInt64

    package init(_ finding: Finding) {
        kind = finding.kind
        start = finding.interval.start
        fact = finding.facts.first ?? .zero
        mark = finding.mark
    }

    /// As in `text`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, let kind = Finding.Kind(rawValue: String(parts[0])),
            let start = Int64(parts[1]), let fact = Int64(parts[2]),
            let mark = UInt64(parts[3], radix: 16)
        else { return nil }
        self.kind = kind
        self.start = Instant(milliseconds: start)
        self.fact = LedgerSequence(fact)
        self.mark = mark
    }

    /// What a caller gives back to go on after it.
    package var text: String {
        "\(kind.rawValue).\(start.milliseconds).\(fact.number).\(String(mark, radix: 16))"
    }

    package static func < (left: FindingPosition, right: FindingPosition) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        if left.start != right.start { return left.start < right.start }
        return (left.fact.number, left.mark) < (right.fact.number, right.mark)
    }
}

extension Finding {
    /// A number of what it is about, the same at every start (FNV-1a).
    fileprivate var mark: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let names = units.map { "\($0)" } + accounts.map(\.text) + [product?.text ?? ""]
        for name in names {
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        return hash
    }
}

extension FindingPosition: WireText {
    package var wireText: String { text }

    package init(wireText: String) throws(ShapeError) {
        guard let position = FindingPosition(wireText) else { throw ShapeError(.value) }
        self = position
    }

    package static var textSchema: JSONValue { ["type": "string"] }
    package static var sample: FindingPosition {
        FindingPosition(
            Finding(kind: .unclaimedPayment, environment: .production, interval: .always))
    }
}
