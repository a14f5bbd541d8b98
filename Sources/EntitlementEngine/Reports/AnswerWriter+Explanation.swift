internal import EntitlementDerivation
internal import EntitlementModel

/// Explanations and preflight as JSON.
extension AnswerWriter {
    /// `GET …/explain/{entitlement}` (spec 1.10).
    package mutating func append(_ explanation: Explanation) {
        object { writer in
            writer.member("account", explanation.account.text)
            writer.member("at", explanation.at)
            writer.name("answer")
            writer.append(explanation.answer)
            writer.member("stretch") { $0.members(of: explanation.stretch) }
            writer.member("facts", list: explanation.facts) { $0.append($1) }
            writer.member("units", list: explanation.units) { $0.append($1) }
            writer.member("grants", list: explanation.grants) { $0.append($1) }
            writer.member("blocks", list: explanation.blocks) { $0.append($1) }
            writer.member("claims", list: explanation.claims) { $0.append($1) }
            writer.member("unclaimed", list: explanation.unclaimed) { $0.append($1) }
            writer.name("nearest_miss")
            writer.append(explanation.nearestMiss)
        }
    }

    private mutating func append(_ unit: ExplainedUnit) {
        object { writer in
            writer.members(of: unit.timeline.unit)
            writer.member("product", unit.product?.text)
            writer.member("owned", unit.isOwned)
            writer.member("state", unit.state?.state.rawValue)
            writer.memberIfAny("expiry_reason", unit.state?.expiryReason?.rawValue)
            writer.member("paid_until", unit.state?.paidUntil)
            writer.member("owners", list: unit.timeline.owners) { writer, owner in
                writer.object { writer in
                    writer.member("account", owner.account.text)
                    writer.members(of: owner.interval)
                    writer.member("decision", owner.decision.number)
                }
            }
        }
    }

    private mutating func append(_ miss: NearestMiss) {
        object { writer in
            writer.member("change", miss.change.word)
            switch miss.change {
            case .time(let instant): writer.member("at", instant)
            case .liftBlock(let id): writer.member("block", id.text)
            case .approveClaim(let claim), .transferClaim(let claim):
                writer.member("claim", claim.number)
            case .extendGrant(let id), .revokeGrant(let id): writer.member("grant", id.text)
            case .renew(let lineage, let product):
                writer.member("lineage", lineage.originalTransactionID.text)
                writer.member("product", product.text)
            case .reverseRefund(let key), .refund(let key):
                writer.member("transaction", key.transactionID.text)
            case .buy(let product): writer.member("product", product.text)
            case .block, .policy: break
            }
            writer.member("decision", miss.decision)
        }
    }

    private mutating func append(_ fact: ExplainedFact) {
        object { writer in
            writer.member("sequence", fact.entry.sequence.number)
            writer.member("recorded_at", fact.entry.recordedAt)
            writer.appendMembers(of: fact.entry.value)
            if let cause = fact.cause { writer.appendMembers(ofCause: cause) }
            guard let evidence = fact.evidence else { return }
            writer.member("evidence") { writer in
                writer.member("sequence", evidence.sequence.number)
                writer.member("recorded_at", evidence.recordedAt)
                writer.member("kind", evidence.value.kind.rawValue)
                writer.member("sha256", evidence.value.digest)
                writer.member("judged_at", evidence.value.judgedAt)
            }
        }
    }

    /// What kind of fact it is, and its dates.
    private mutating func appendMembers(of entry: LedgerEntry) {
        switch entry {
        case .transaction(let fact): appendMembers(of: fact.snapshot)
        case .renewal(let fact): appendMembers(of: fact.snapshot)
        case .decision(let decision):
            member("fact", "decision")
            member("outcome", decision.outcome.code)
            member("rule", decision.rule)
            member("owners_after", ids: decision.ownersAfter)
        case .grant(let grant):
            member("fact", "grant")
            member("grant", grant.id.text)
            member("reason", grant.reason)
        case .grantRevocation(let revocation):
            member("fact", "grant-revocation")
            member("grant", revocation.grant.text)
            member("reason", revocation.reason)
        case .block(let block):
            member("fact", "block")
            member("block", block.id.text)
            member("reason", block.reason)
        default: member("fact", "other")
        }
    }

    /// What a decision decided: somebody's claim, or what a person did and why.
    private mutating func appendMembers(ofCause cause: Recorded<LedgerEntry>) {
        switch cause.value {
        case .claim(let claim):
            member("claim", cause.sequence.number)
            member("account", claim.account.text)
        case .ruling(let ruling):
            member("ruling", cause.sequence.number)
            member("verb", ruling.verb.rawValue)
            member("actor", ruling.actor)
            member("reason", ruling.reason)
        case .accountMerge(let merge):
            member("merge", cause.sequence.number)
            member("from", merge.from.text)
            member("into", merge.into.text)
            if let undone = merge.undoes { member("undoes", undone.number) }
            member("actor", merge.actor)
            member("reason", merge.reason)
        default: break
        }
    }

    private mutating func appendMembers(of snapshot: TransactionSnapshot) {
        member("fact", "transaction")
        member("transaction", snapshot.transactionID.text)
        member("product", snapshot.productID.text)
        member("purchased_at", snapshot.purchaseDate)
        member("expires_at", snapshot.expiresDate)
        if let revocation = snapshot.revocation {
            member("revoked_at", revocation.date)
            memberIfAny("revocation_type", revocation.type?.known?.rawValue)
        }
        member("ownership", snapshot.ownership.word)
        member("signed_at", snapshot.signedDate)
    }

    private mutating func appendMembers(of snapshot: RenewalSnapshot) {
        member("fact", "renewal")
        member("lineage", snapshot.originalTransactionID.text)
        if let willRenew = snapshot.autoRenewStatus { member("auto_renew", willRenew) }
        if let isRetrying = snapshot.isInBillingRetryPeriod {
            member("billing_retry", isRetrying)
        }
        if let end = snapshot.gracePeriodExpiresDate { member("grace_until", end) }
        member("signed_at", snapshot.signedDate)
    }

    /// `POST /v1/preflight` (spec 1.8).
    package mutating func append(_ answer: PreflightAnswer) {
        object { writer in
            writer.member("account", answer.request.account.text)
            writer.member("product", answer.request.product.text)
            writer.member("environment", answer.request.environment.rawValue)
            writer.member("at", answer.at)
            writer.appendMembers(of: answer)
        }
    }

    /// The members that preflight and AuthZEN's `context` share.
    package mutating func appendMembers(of answer: PreflightAnswer) {
        appendMembers(of: answer.verdict)
        member("policy", answer.policy)
        member("revision", answer.revision.number)
    }

    mutating func appendMembers(of verdict: PreflightVerdict) {
        member("verdict", verdict.effect.rawValue)
        member("claim", verdict.claim?.code)
        member("notes", list: verdict.notes) { writer, note in
            writer.object { writer in
                writer.member("code", note.code.rawValue)
                writer.member("effect", note.effect.rawValue)
                writer.member("text") { writer in
                    writer.member("en", note.text.english)
                    writer.memberIfAny("zh", note.text.chinese)
                }
                writer.memberIfAny("lineage", note.lineage?.originalTransactionID.text)
                writer.memberIfAny("owner", note.maskedAccount)
                if let until = note.until { writer.member("until", until) }
            }
        }
    }
}
