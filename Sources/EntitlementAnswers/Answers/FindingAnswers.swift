package import EntitlementModel

/// What a person should look at.
extension Finding: WireObject {
    package static var shapeName: String { "Finding" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> Finding {
        let kind = try visitor.value("kind", \.kind)
        let environment = try visitor.value("environment", \.environment)
        return Finding(
            kind: kind, environment: environment, interval: try visitor.part(\.interval),
            accounts: try visitor.value("accounts", \.accounts),
            units: try visitor.value("units", \.units),
            product: try visitor.optional("product", \.product),
            duplicate: try visitor.optional("duplicate") {
                $0.duplicate.map(DuplicateAnswer.init)
            }?.detail(in: environment),
            facts: try visitor.value("facts", \.facts))
    }
}

/// Two subscriptions that one account pays for on two Apple IDs.
private struct DuplicateAnswer: WireObject {
    var sides: [Side]
    var overlapDays: Int64?
    var keep: TransactionID

    static var shapeName: String { "Duplicate" }

    static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> DuplicateAnswer {
        DuplicateAnswer(
            sides: try visitor.value("sides", \.sides),
            overlapDays: try visitor.optional("overlap_days", \.overlapDays),
            keep: try visitor.value("keep", \.keep))
    }

    struct Side: WireObject {
        var lineage: TransactionID
        var appleID: AppleIDKey
        var product: ProductID
        var price: Price?
        var renewsAt: Instant?

        static var shapeName: String { "DuplicateSide" }

        static func members(
            _ visitor: inout some MemberVisitor<Self>
        ) throws(ShapeError) -> Side {
            let lineage = try visitor.value("lineage", \.lineage)
            let appleID = try visitor.value("apple_id", \.appleID)
            let product = try visitor.value("product", \.product)
            return Side(
                lineage: lineage, appleID: appleID, product: product,
                price: try visitor.price(\.price),
                renewsAt: try visitor.nullable("renews_at", \.renewsAt))
        }
    }
}

extension DuplicateAnswer {
    init(_ detail: DuplicateDetail) {
        self.init(
            sides: detail.sides.map { side in
                Side(
                    lineage: side.lineage.originalTransactionID, appleID: side.appleID,
                    product: side.product, price: side.price, renewsAt: side.renewsAt)
            },
            overlapDays: detail.overlapDays, keep: detail.keep.originalTransactionID)
    }

    func detail(in environment: StoreEnvironment) -> DuplicateDetail {
        DuplicateDetail(
            sides: sides.map { side in
                DuplicateDetail.Side(
                    lineage: LineageKey(environment, side.lineage), appleID: side.appleID,
                    product: side.product, price: side.price, renewsAt: side.renewsAt)
            },
            overlapDays: overlapDays, keep: LineageKey(environment, keep))
    }
}

/// Some of the findings of the whole ledger: `GET /v1/findings`.
package struct FindingPage: WireObject {
    package var at: Instant
    package var policy: Digest256
    package var revision: LedgerSequence
    /// Whether all of the ledger has been looked at.
    package var isComplete: Bool
    package var findings: [Finding]
    /// What `after` has to be for the next page; nil for the last one.
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

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> FindingPage {
        FindingPage(
            at: try visitor.value("at", \.at), policy: try visitor.value("policy", \.policy),
            revision: try visitor.value("revision", \.revision),
            isComplete: try visitor.value("complete", \.isComplete),
            findings: try visitor.value("findings", \.findings),
            next: try visitor.nullable("next", \.next))
    }
}
