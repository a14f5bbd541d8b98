package import EntitlementModel
package import StrictJSON

/// A finding that a person should examine.
extension Finding: WireObject {
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let kind = try shape.value("kind", \.kind)
        let environment = try shape.value("environment", \.environment)
        var finding = Finding(
            kind: kind, environment: environment, interval: try shape.part(\.interval),
            accounts: try shape.value("accounts", \.accounts),
            units: try shape.value("units", \.units),
            product: try shape.optional("product", \.product),
            credit: try shape.optional("credit", \.credit),
            duplicate: try shape.optional("duplicate") {
                $0.duplicate.map(DuplicateAnswer.init)
            }?.detail(in: environment),
            facts: try shape.value("facts", \.facts),
            count: try shape.optional("count", \.count))
        finding.notification = try shape.optional("notification", \.notification)
        return finding
    }
}

/// An entitlement that one account pays for on two Apple IDs.
private struct DuplicateAnswer: WireObject {
    var sides: [Side]
    var overlapDays: Int64?
    var keep: TransactionID

    static var shapeName: String { "Duplicate" }

    static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        DuplicateAnswer(
            sides: try shape.value("sides", \.sides),
            overlapDays: try shape.optional("overlap_days", \.overlapDays),
            keep: try shape.value("keep", \.keep))
    }

    struct Side: WireObject {
        var lineage: TransactionID
        var appleID: AppleIDKey
        var product: ProductID
        var price: Price?
        /// As `renewal.at`.
        var renewsAt: Instant?
        /// Nil for what never renews.
        var renewal: RenewalOutlook?

        static var shapeName: String { "DuplicateSide" }

        static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
            let lineage = try shape.value("lineage", \.lineage)
            let appleID = try shape.value("apple_id", \.appleID)
            let product = try shape.value("product", \.product)
            return Side(
                lineage: lineage, appleID: appleID, product: product,
                price: try shape.price(\.price),
                renewsAt: try shape.nullable("renews_at", \.renewsAt),
                renewal: try shape.optional("renewal", \.renewal))
        }
    }
}

extension DuplicateAnswer {
    init(_ detail: DuplicateDetail) {
        self.init(
            sides: detail.sides.map { side in
                Side(
                    lineage: side.lineage.originalTransactionID, appleID: side.appleID,
                    product: side.product, price: side.price, renewsAt: side.renewal?.at,
                    renewal: side.renewal)
            },
            overlapDays: detail.overlapDays, keep: detail.keep.originalTransactionID)
    }

    func detail(in environment: StoreEnvironment) -> DuplicateDetail {
        DuplicateDetail(
            sides: sides.map { side in
                DuplicateDetail.Side(
                    lineage: LineageKey(environment, side.lineage), appleID: side.appleID,
                    product: side.product, price: side.price, renewal: side.renewal)
            },
            overlapDays: overlapDays, keep: LineageKey(environment, keep))
    }
}

/// Some of the findings of the whole ledger: `GET /v1/findings`.
package struct FindingPage: WireObject {
    package var at: Instant
    package var policy: Digest256
    package var revision: LedgerSequence
    /// Whether all of the ledger was examined.
    package var isComplete: Bool
    package var findings: [Finding]
    /// The value of `after` for the next page; nil for the last one.
    package var next: FindingPosition?

    package init(
        at: Instant, policy: Digest256, revision: LedgerSequence, isComplete: Bool,
        findings: [Finding], next: FindingPosition?
    ) {
        self.at = at
        self.policy = policy
        self.revision = revision
        self.isComplete = isComplete
        self.findings = findings
        self.next = next
    }

    package static var shapeName: String { "Findings" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        FindingPage(
            at: try shape.value("at", \.at), policy: try shape.value("policy", \.policy),
            revision: try shape.value("revision", \.revision),
            isComplete: try shape.value("complete", \.isComplete),
            findings: try shape.value("findings", \.findings),
            next: try shape.nullable("next", \.next))
    }
}

/// The position of a finding in the list: by kind, then the oldest first (spec 3.1).
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

    /// The form in which callers pass it back.
    package var text: String {
        "\(kind.rawValue).\(start.milliseconds).\(fact.number).\(mark.hexadecimal())"
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
        let names =
            units.map { "\($0)" } + accounts.map(\.text) + [product?.text ?? ""]
            + (credit.map { [$0.text] } ?? [])
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
