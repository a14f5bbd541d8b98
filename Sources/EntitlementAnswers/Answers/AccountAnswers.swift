package import EntitlementModel

/// What every report on an account says of itself.
package struct AccountFrame: WireObject {
    package var account: AccountID
    package var at: Instant
    package var policy: Digest256
    package var revision: LedgerSequence

    package init(
        account: AccountID, at: Instant, policy: Digest256, revision: LedgerSequence
    ) {
        self.account = account
        self.at = at
        self.policy = policy
        self.revision = revision
    }

    package static var shapeName: String { "AccountFrame" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> AccountFrame {
        AccountFrame(
            account: try visitor.value("account", \.account), at: try visitor.value("at", \.at),
            policy: try visitor.value("policy", \.policy),
            revision: try visitor.value("revision", \.revision))
    }
}

/// Everything that support needs to know of an account: `GET /v1/accounts/{account}`.
package struct AccountReport: WireObject {
    package var frame: AccountFrame
    package var rights: [Answer]
    package var units: [UnitAnswer]
    package var balances: [CreditBalance]
    package var grants: [GrantAnswer]
    package var blocks: [BlockAnswer]
    /// Its own claims, and those of others on what it owns or has owned.
    package var claims: [ClaimAnswer]
    package var findings: [Finding]

    package init(
        frame: AccountFrame, rights: [Answer], units: [UnitAnswer], balances: [CreditBalance],
        grants: [GrantAnswer], blocks: [BlockAnswer], claims: [ClaimAnswer], findings: [Finding]
    ) {
        self.frame = frame
        self.rights = rights
        self.units = units
        self.balances = balances
        self.grants = grants
        self.blocks = blocks
        self.claims = claims
        self.findings = findings
    }

    package static var shapeName: String { "Account" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> AccountReport {
        AccountReport(
            frame: try visitor.part(\.frame), rights: try visitor.value("rights", \.rights),
            units: try visitor.value("units", \.units),
            balances: try visitor.value("balances", \.balances),
            grants: try visitor.value("grants", \.grants),
            blocks: try visitor.value("blocks", \.blocks),
            claims: try visitor.value("claims", \.claims),
            findings: try visitor.value("findings", \.findings))
    }
}

/// All stretches of time, with states, owners and rights: `GET …/timeline`.
package struct TimelineReport: WireObject {
    package var frame: AccountFrame
    package var rights: [RightHistory]
    package var units: [UnitAnswer]

    package init(frame: AccountFrame, rights: [RightHistory], units: [UnitAnswer]) {
        self.frame = frame
        self.rights = rights
        self.units = units
    }

    package static var shapeName: String { "AccountTimeline" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> TimelineReport {
        TimelineReport(
            frame: try visitor.part(\.frame), rights: try visitor.value("rights", \.rights),
            units: try visitor.value("units", \.units))
    }
}

/// `GET …/accounts/{account}/findings`.
package struct AccountFindings: WireObject {
    package var frame: AccountFrame
    package var findings: [Finding]

    package init(frame: AccountFrame, findings: [Finding]) {
        self.frame = frame
        self.findings = findings
    }

    package static var shapeName: String { "AccountFindings" }

    package static func members(
        _ visitor: inout some MemberVisitor<Self>
    ) throws(ShapeError) -> AccountFindings {
        AccountFindings(
            frame: try visitor.part(\.frame),
            findings: try visitor.value("findings", \.findings))
    }
}
