package import EntitlementModel

/// An item of a grant.
extension GrantedGift {
    package var entitlement: EntitlementName? {
        guard case .entitlement(let name) = self else { return nil }
        return name
    }

    package var credit: CreditName? {
        guard case .credit(let name, _) = self else { return nil }
        return name
    }

    package var units: Int64? {
        guard case .credit(_, let units) = self else { return nil }
        return units
    }
}

extension GrantedGift: WireObject {
    package static var shapeName: String { "Gift" }

    /// Either an entitlement, or a credit and how many of it.
    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        let entitlement = try shape.optional("entitlement", \.entitlement)
        let credit = try shape.optional("credit", \.credit)
        let units = try shape.optional("units", \.units)
        if let entitlement { return .entitlement(entitlement) }
        guard let credit else { throw ShapeError(.missing, member: "entitlement") }
        guard let units else { throw ShapeError(.missing, member: "units") }
        return .credit(credit, units: units)
    }
}

/// `POST /v1/grants` and `DELETE /v1/grants/{grant}`: a grant, and the end that a person put to
/// it.
package struct GrantAnswer: WireObject {
    package var id: GrantID
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var account: AccountID
    package var environment: StoreEnvironment
    package var gift: GrantedGift
    package var from: Instant
    package var until: Instant?
    package var actor: String
    package var reason: String
    package var revoked: Ending?

    package static var shapeName: String { "GrantRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        GrantAnswer(
            id: try shape.value("grant", \.id),
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            account: try shape.value("account", \.account),
            environment: try shape.value("environment", \.environment),
            gift: try shape.part(\.gift), from: try shape.value("from", \.from),
            until: try shape.nullable("until", \.until),
            actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason),
            revoked: try shape.optional("revoked", \.revoked))
    }
}

extension GrantAnswer {
    package init(_ grant: Recorded<Grant>, revocation: Recorded<GrantRevocation>?) {
        let value = grant.value
        self.init(
            id: value.id, sequence: grant.sequence, recordedAt: grant.recordedAt,
            account: value.account, environment: value.environment, gift: value.gift,
            from: value.from, until: value.until, actor: value.actor, reason: value.reason,
            revoked: revocation.map {
                Ending(at: $0.recordedAt, actor: $0.value.actor, reason: $0.value.reason)
            })
    }
}

/// `POST /v1/blocks` and `DELETE /v1/blocks/{block}`: a block, and its end.
package struct BlockAnswer: WireObject {
    package var id: BlockID
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var account: AccountID
    /// The entitlements that it stops; everything if both lists are absent.
    package var entitlements: [EntitlementName]?
    package var credits: [CreditName]?
    /// True for a closed account; else absent.
    package var closes: Bool?
    /// When a closed account is erased, if it is to be.
    package var erasureDue: Instant?
    package var actor: String
    package var reason: String
    package var lifted: Ending?

    package static var shapeName: String { "BlockRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        BlockAnswer(
            id: try shape.value("block", \.id),
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            account: try shape.value("account", \.account),
            entitlements: try shape.optional("entitlements", \.entitlements),
            credits: try shape.optional("credits", \.credits),
            closes: try shape.optional("closes", \.closes),
            erasureDue: try shape.optional("erasure_due", \.erasureDue),
            actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason),
            lifted: try shape.optional("lifted", \.lifted))
    }
}

extension Array {
    var nonEmpty: [Element]? { isEmpty ? nil : self }
}

extension BlockAnswer {
    /// The names that it stops; empty for everything.
    package var stops: [String] {
        (entitlements ?? []).map(\.text) + (credits ?? []).map(\.text)
    }

    package init(_ block: Recorded<Block>, removal: Recorded<BlockRemoval>?) {
        self.init(
            id: block.value.id, sequence: block.sequence, recordedAt: block.recordedAt,
            account: block.value.account,
            entitlements: block.value.scope.entitlements.nonEmpty,
            credits: block.value.scope.credits.nonEmpty,
            closes: block.value.purpose.closes ? true : nil,
            erasureDue: block.value.purpose.due, actor: block.value.actor,
            reason: block.value.reason,
            lifted: removal.map {
                Ending(at: $0.recordedAt, actor: $0.value.actor, reason: $0.value.reason)
            })
    }
}

/// `POST /v1/claims/{claim}/ruling`: a ruling with the decisions that followed, its own first.
package struct RulingAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var verb: Ruling.Verb
    package var unit: OwnedUnit
    package var account: AccountID?
    package var actor: String
    package var reason: String
    package var decisions: [DecisionAnswer]

    package static var shapeName: String { "RulingRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RulingAnswer(
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            verb: try shape.value("verb", \.verb), unit: try shape.part(\.unit),
            account: try shape.optional("account", \.account),
            actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason),
            decisions: try shape.value("decisions", \.decisions))
    }
}

extension RulingAnswer {
    package init(_ ruling: Recorded<Ruling>, decisions: [Recorded<OwnershipDecision>]) {
        let value = ruling.value
        self.init(
            sequence: ruling.sequence, recordedAt: ruling.recordedAt, verb: value.verb,
            unit: value.unit, account: value.account, actor: value.actor, reason: value.reason,
            decisions: decisions.map(DecisionAnswer.init))
    }
}

/// `POST /v1/account-tokens`.
package struct TokenAnswer: WireObject {
    package var sequence: LedgerSequence
    package var recordedAt: Instant
    package var token: AppAccountToken
    package var account: AccountID
    package var actor: String
    package var reason: String

    package static var shapeName: String { "TokenRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        TokenAnswer(
            sequence: try shape.value("sequence", \.sequence),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            token: try shape.value("token", \.token),
            account: try shape.value("account", \.account),
            actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason))
    }
}

extension TokenAnswer {
    package init(_ registration: Recorded<AccountTokenRegistration>) {
        let value = registration.value
        self.init(
            sequence: registration.sequence, recordedAt: registration.recordedAt,
            token: value.token, account: value.account, actor: value.actor, reason: value.reason)
    }
}

/// `POST /v1/merges` and `DELETE /v1/merges/{merge}`.
package struct MergeAnswer: WireObject {
    package var merge: LedgerSequence
    package var recordedAt: Instant
    package var from: AccountID
    package var into: AccountID
    package var undoes: LedgerSequence?
    /// Nil for a merge of all that will ever come.
    package var isUpToNow: Bool?
    package var actor: String
    package var reason: String

    package static var shapeName: String { "MergeRecord" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        MergeAnswer(
            merge: try shape.value("merge", \.merge),
            recordedAt: try shape.value("recorded_at", \.recordedAt),
            from: try shape.value("from", \.from), into: try shape.value("into", \.into),
            undoes: try shape.optional("undoes", \.undoes),
            isUpToNow: try shape.optional("up_to_now", \.isUpToNow),
            actor: try shape.value("actor", \.actor),
            reason: try shape.value("reason", \.reason))
    }
}

extension MergeAnswer {
    package init(_ merge: Recorded<AccountMerge>) {
        let value = merge.value
        self.init(
            merge: merge.sequence, recordedAt: merge.recordedAt, from: value.from,
            into: value.into, undoes: value.undoes, isUpToNow: value.isUpToNow ? true : nil,
            actor: value.actor, reason: value.reason)
    }
}

/// `POST /v1/policy/reload`.
package struct ReloadAnswer: WireObject {
    package enum Outcome: String, WireWord {
        case activated
        case unchanged
    }

    package var outcome: Outcome
    package var policy: Digest256
    /// How many losses were accepted; nil where nothing could be lost.
    package var losses: Int64?
    package var acceptedBy: PolicyActivation.Acceptance.Means?
    package var accountsAtMost: Int64?
    /// How many accounts lose something; nil where nothing could be lost.
    package var losing: Int64?
    /// The files that the policy before it had, and it has not; nil where there are none.
    package var missingFiles: [String]?

    package init(
        outcome: Outcome, policy: Digest256, losses: Int64? = nil,
        acceptedBy: PolicyActivation.Acceptance.Means? = nil, accountsAtMost: Int64? = nil,
        losing: Int64? = nil, missingFiles: [String]? = nil
    ) {
        self.losing = losing
        self.missingFiles = missingFiles
        self.outcome = outcome
        self.policy = policy
        self.losses = losses
        self.acceptedBy = acceptedBy
        self.accountsAtMost = accountsAtMost
    }

    package static var shapeName: String { "Reload" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ReloadAnswer(
            outcome: try shape.value("outcome", \.outcome),
            policy: try shape.value("policy", \.policy),
            losses: try shape.optional("losses", \.losses),
            acceptedBy: try shape.optional("accepted_by", \.acceptedBy),
            accountsAtMost: try shape.optional("accounts_at_most", \.accountsAtMost),
            losing: try shape.optional("losing", \.losing),
            missingFiles: try shape.optional("missing_files", \.missingFiles))
    }
}

/// `POST /v1/policy/rollback`.
package struct RollbackAnswer: WireObject {
    package var policy: Digest256
    /// The policy that was in force before.
    package var replaced: Digest256
    /// What that one gave and this one may not.
    package var losses: Int64

    package init(policy: Digest256, replaced: Digest256, losses: Int64) {
        self.policy = policy
        self.replaced = replaced
        self.losses = losses
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        RollbackAnswer(
            policy: try shape.value("policy", \.policy),
            replaced: try shape.value("replaced", \.replaced),
            losses: try shape.value("losses", \.losses))
    }
}

/// `POST /v1/backup`.
package struct BackupAnswer: WireObject {
    package var file: String
    package var at: Instant
    package var revisionAtLeast: LedgerSequence

    package init(file: String, at: Instant, revisionAtLeast: LedgerSequence) {
        self.file = file
        self.at = at
        self.revisionAtLeast = revisionAtLeast
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        BackupAnswer(
            file: try shape.value("file", \.file), at: try shape.value("at", \.at),
            revisionAtLeast: try shape.part(\.revision).former)
    }

    private var revision: RevisionOfBackup { RevisionOfBackup(former: revisionAtLeast) }
}

/// The same under the name that every answer has for it, and under its former one.
private struct RevisionOfBackup: WireObject {
    let former: LedgerSequence

    static var shapeName: String { "RevisionOfBackup" }

    static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        _ = try shape.optional("revision") { $0.former }
        return RevisionOfBackup(former: try shape.value("revision_at_least", \.former))
    }
}
