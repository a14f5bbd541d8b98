package import EntitlementModel

/// `GET /v1/spends/{spend}` and `GET /v1/holds/{hold}`: what was spent or held, and what is left of
/// it.
package struct SpendStanding: WireObject {
    package enum State: String, WireWord {
        case held, captured, released, expired, spent, reversed
    }

    package var id: LedgerSequence
    package var state: State
    package var at: Instant
    package var account: AccountID
    package var environment: StoreEnvironment
    /// As it was made.
    package var credits: [CreditAmount]
    /// What could still be captured, or given back.
    package var left: [CreditAmount]
    /// The hold that was captured, of a spend that a capture has made.
    package var hold: LedgerSequence?
    /// When a hold ends, or has ended, by itself.
    package var until: Instant?
    /// The entry that has ended a hold: of a capture, the spend that it has made.
    package var end: LedgerSequence?
    package var reference: String?
    package var reason: String?
    package var revision: LedgerSequence

    package init(
        id: LedgerSequence, state: State, at: Instant, account: AccountID,
        environment: StoreEnvironment, credits: [CreditPart], left: [CreditPart],
        revision: LedgerSequence
    ) {
        self.id = id
        self.state = state
        self.at = at
        self.account = account
        self.environment = environment
        self.credits = credits.map { CreditAmount($0) }
        self.left = left.map { CreditAmount($0) }
        self.revision = revision
    }

    package static var shapeName: String { "SpendStanding" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> SpendStanding {
        var standing = SpendStanding(
            id: try visitor.value("id", \.id), state: try visitor.value("state", \.state),
            at: try visitor.value("at", \.at), account: try visitor.value("account", \.account),
            environment: try visitor.value("environment", \.environment),
            credits: try visitor.value("credits", \.credits).map(\.part),
            left: try visitor.value("left", \.left).map(\.part), revision: .zero)
        standing.hold = try visitor.optional("hold", \.hold)
        standing.until = try visitor.optional("until", \.until)
        standing.end = try visitor.optional("end", \.end)
        standing.reference = try visitor.optional("reference", \.reference)
        standing.reason = try visitor.optional("reason", \.reason)
        standing.revision = try visitor.value("revision", \.revision)
        return standing
    }
}
