package import EntitlementModel

/// Accounts as JSON: the same bytes from the socket and from the command line.
extension AnswerWriter {
    /// `GET /v1/accounts/{account}`.
    package mutating func append(_ report: AccountReport) {
        object { writer in
            writer.frame(report)
            writer.member("rights", list: report.view.timeline.rights.inOrder) {
                $0.append(rights: $1, at: report)
            }
            writer.appendUnits(of: report)
            writer.member("balances", list: report.balances) { writer, balance in
                writer.append(balance)
            }
            writer.member("grants", list: report.grants) { $0.append($1) }
            writer.member("blocks", list: report.blocks) { $0.append($1) }
            writer.member("claims", list: report.claims) { $0.append($1) }
            writer.member("findings", list: report.view.timeline.findings) { $0.append($1) }
        }
    }

    /// `GET …/timeline`: all stretches, with states, owners and rights.
    package mutating func append(timelineOf report: AccountReport) {
        object { writer in
            writer.frame(report)
            writer.member("rights", list: report.view.timeline.rights.inOrder) { writer, right in
                writer.object { writer in
                    writer.member("entitlement", right.key.entitlement.text)
                    writer.member("environment", right.key.environment.rawValue)
                    writer.member("spans", list: right.value.spans) { $0.append($1) }
                }
            }
            writer.appendUnits(of: report)
        }
    }

    /// `GET …/findings`.
    package mutating func append(findingsOf report: AccountReport) {
        object { writer in
            writer.frame(report)
            writer.member("findings", list: report.view.timeline.findings) { $0.append($1) }
        }
    }

    /// `GET /v1/findings`.
    package mutating func append(_ page: FindingPage) {
        object { writer in
            writer.member("at", page.at)
            writer.member("policy", page.policy)
            writer.member("revision", page.revision.number)
            writer.member("complete", page.isComplete)
            writer.member("findings", list: page.findings) { $0.append($1) }
            writer.member("next", page.next?.text)
        }
    }

    /// `GET /v1/claims?state=waiting`.
    package mutating func append(claims: [ClaimRecord]) {
        object { writer in writer.member("claims", list: claims) { $0.append($1) } }
    }

    private mutating func frame(_ report: AccountReport) {
        member("account", report.account.text)
        member("at", report.at)
        member("policy", report.view.policy)
        member("revision", report.revision.number)
    }

    private mutating func append(
        rights right: (key: RightKey, value: RightTimeline), at report: AccountReport
    ) {
        append(report.view.answer(right.key, at: report.at, revision: report.revision))
    }

    private mutating func appendUnits(of report: AccountReport) {
        member("units", list: report.view.timeline.units) { writer, unit in
            writer.object { writer in
                writer.members(of: unit.unit)
                if case .lineage(let lineage) = unit.unit {
                    writer.memberIfAny("apple_id", report.appleIDs[lineage]?.text)
                }
                writer.appendMembers(of: unit)
            }
        }
    }
}

/// The parts.
extension AnswerWriter {
    package mutating func appendMembers(of unit: UnitTimeline) {
        member("kind", unit.kind.word)
        member("states", list: unit.states) { writer, state in
            writer.object { writer in
                writer.members(of: state.interval)
                writer.member("state", state.state.rawValue)
                writer.memberIfAny("expiry_reason", state.expiryReason?.rawValue)
                writer.member("product", state.productID.text)
                writer.member("transaction", state.transactionID.text)
                writer.member("paid_until", state.paidUntil)
            }
        }
        member("owners", list: unit.owners) { writer, owner in
            writer.object { writer in
                writer.member("account", owner.account.text)
                writer.members(of: owner.interval)
                writer.member("decision", owner.decision.number)
            }
        }
    }

    mutating func append(_ span: RightSpan) {
        object { writer in
            writer.members(of: span.interval)
            writer.member("decision", span.isGranted)
            writer.member("state", span.state?.rawValue)
            writer.memberIfAny("expiry_reason", span.expiryReason?.rawValue)
            writer.member("paid_until", span.paidUntil)
            writer.name("source")
            writer.append(span.source)
            writer.member("rule", span.rule)
            writer.member("facts", list: span.facts) { $0.append($1.number) }
        }
    }

    package mutating func append(_ record: GrantRecord) {
        let grant = record.grant.value
        object { writer in
            writer.member("grant", grant.id.text)
            writer.member("sequence", record.grant.sequence.number)
            writer.member("recorded_at", record.grant.recordedAt)
            writer.member("account", grant.account.text)
            writer.member("environment", grant.environment.rawValue)
            switch grant.gift {
            case .entitlement(let name): writer.member("entitlement", name.text)
            case .credit(let name, let units):
                writer.member("credit", name.text)
                writer.member("units", units)
            }
            writer.member("from", grant.from)
            writer.member("until", grant.until)
            writer.member("actor", grant.actor)
            writer.member("reason", grant.reason)
            guard let revocation = record.revocation else { return }
            writer.member("revoked") { writer in
                writer.member("at", revocation.recordedAt)
                writer.member("actor", revocation.value.actor)
                writer.member("reason", revocation.value.reason)
            }
        }
    }

    package mutating func append(_ record: BlockRecord) {
        object { writer in
            writer.member("block", record.block.value.id.text)
            writer.member("sequence", record.block.sequence.number)
            writer.member("recorded_at", record.block.recordedAt)
            writer.member("account", record.block.value.account.text)
            writer.member("actor", record.block.value.actor)
            writer.member("reason", record.block.value.reason)
            guard let removal = record.removal else { return }
            writer.member("lifted") { writer in
                writer.member("at", removal.recordedAt)
                writer.member("actor", removal.value.actor)
                writer.member("reason", removal.value.reason)
            }
        }
    }

    package mutating func append(_ record: ClaimRecord) {
        let claim = record.claim.value
        object { writer in
            writer.member("claim", record.claim.sequence.number)
            writer.member("recorded_at", record.claim.recordedAt)
            writer.member("account", claim.account.text)
            writer.member("environment", claim.transaction.environment.rawValue)
            writer.member("transaction", claim.transaction.transactionID.text)
            writer.member("moment", claim.moment.rawValue)
            writer.memberIfAny("order", claim.order?.text)
            writer.member("outcome", record.outcome)
            if let decision = record.decision {
                writer.member("decision") { $0.appendMembers(of: decision) }
            }
            guard let approval = record.approval else { return }
            writer.member("approval") { writer in
                writer.member("at", approval.recordedAt)
                writer.member("actor", approval.value.actor)
                writer.member("reason", approval.value.reason)
            }
        }
    }

    package mutating func appendMembers(of decision: Recorded<OwnershipDecision>) {
        member("sequence", decision.sequence.number)
        member("recorded_at", decision.recordedAt)
        members(of: decision.value.unit)
        member("outcome", decision.value.outcome.code)
        member("rule", decision.value.rule)
        member("policy", decision.value.policy)
        member("owners_before", ids: decision.value.ownersBefore)
        member("owners_after", ids: decision.value.ownersAfter)
        member("from", decision.value.from == .distantPast ? nil : decision.value.from)
    }

    package mutating func append(_ finding: Finding) {
        object { writer in
            writer.member("kind", finding.kind.rawValue)
            writer.member("environment", finding.environment.rawValue)
            writer.members(of: finding.interval)
            writer.member("accounts", ids: finding.accounts)
            writer.member("units", list: finding.units) { writer, unit in
                writer.object { $0.members(of: unit) }
            }
            writer.memberIfAny("product", finding.product?.text)
            if let duplicate = finding.duplicate { writer.appendMembers(of: duplicate) }
            writer.member("facts", list: finding.facts) { $0.append($1.number) }
        }
    }

    private mutating func appendMembers(of duplicate: DuplicateDetail) {
        member("duplicate") { writer in
            writer.member("sides", list: duplicate.sides) { writer, side in
                writer.object { writer in
                    writer.member("lineage", side.lineage.originalTransactionID.text)
                    writer.member("apple_id", side.appleID.text)
                    writer.member("product", side.product.text)
                    if let price = side.price {
                        writer.member("price_milliunits", price.milliunits)
                        writer.member("currency", price.currency)
                    }
                    writer.member("renews_at", side.renewsAt)
                }
            }
            if let days = duplicate.overlapDays { writer.member("overlap_days", days) }
            writer.member("keep", duplicate.keep.originalTransactionID.text)
        }
    }
}

extension AccountReport {
    /// Those of all environments.
    fileprivate var balances: [CreditBalance] {
        StoreEnvironment.allCases.flatMap { view.timeline.balances.balances(in: $0, at: at) }
    }
}

extension [RightKey: RightTimeline] {
    /// By environment and entitlement, so that the same rights are always the same bytes.
    fileprivate var inOrder: [(key: RightKey, value: RightTimeline)] {
        sorted { left, right in
            let (own, other) = (left.key.environment.rawValue, right.key.environment.rawValue)
            return own == other ? left.key.entitlement < right.key.entitlement : own < other
        }
    }
}

extension Stated<ProductKind> {
    fileprivate var word: String {
        switch self {
        case .known(let kind): kind.rawValue
        case .unknown(let text): text
        }
    }
}
