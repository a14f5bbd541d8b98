package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

/// Reports read and derive the account again; nothing is kept. They block.
extension LedgerQuestions {
    /// Everything that support needs to know of an account (spec 3.1).
    ///
    /// - Parameters:
    ///   - environment: Nil for all of them.
    ///   - appleID: Nil for all that the account has; else what came through this Apple ID.
    package func report(
        on account: AccountID, at instant: Instant, in environment: StoreEnvironment? = nil,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> AccountReport {
        let derived = try derive(
            account, at: instant, in: environment, through: appleID, withOrders: true)
        let timeline = derived.timeline
        var report = AccountReport(
            frame: derived.frame,
            rights: timeline.rights.inOrder.map { key, right in
                Answer(
                    key: key, timeline: right, at: instant, policy: derived.frame.policy,
                    revision: derived.frame.revision)
            },
            units: derived.units(
                bought: policy.deriver.purchases(of: timeline.units, at: instant, derived.facts),
                renewing: policy.deriver.renewals(of: timeline.units, at: instant, derived.facts)),
            orders: derived.orders,
            balances: StoreEnvironment.allCases.flatMap {
                timeline.balances.balances(in: $0, at: instant)
            },
            grants: derived.grants.map(\.answer), blocks: derived.blocks.map(\.answer),
            claims: derived.claims.map(\.answer), findings: timeline.findings,
            refundConsent: policy.folding(derived.facts).refundConsents
                .last { $0.value.account == derived.frame.account }.map(RefundConsentAnswer.init))
        try ledger.reading { reader throws(LedgerError) in
            report.actions = try derived.facts.actions(on: timeline.units.map(\.unit), reader)
            report.refundRequests = try openRefundRequests(
                about: Set(derived.facts.transactions.map(\.value.key)), at: instant, reader
            ).filter { $0.environment == environment ?? $0.environment }
        }
        return report
    }

    /// All stretches of time, with states, owners and rights.
    package func timeline(
        of account: AccountID, at instant: Instant, in environment: StoreEnvironment? = nil,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> TimelineReport {
        let derived = try derive(
            account, at: instant, in: environment, through: appleID, withOrders: true)
        return TimelineReport(
            frame: derived.frame, rights: derived.timeline.rights.inOrder.map(RightHistory.init),
            units: derived.units(
                renewing: policy.deriver.renewals(
                    of: derived.timeline.units, at: instant, derived.facts)), orders: derived.orders
        )
    }

    /// The account's findings.
    package func findings(
        of account: AccountID, at instant: Instant, in environment: StoreEnvironment? = nil,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> AccountFindings {
        let derived = try derive(account, at: instant, in: environment, through: appleID)
        return AccountFindings(frame: derived.frame, findings: derived.timeline.findings)
    }

    func derive(
        _ account: AccountID, at instant: Instant, in environment: StoreEnvironment?,
        through appleID: AppleIDKey?, withOrders: Bool = false
    ) throws(EngineError) -> DerivedAccount {
        let account = policy.name(account)
        let derived = try ledger.reading { reader throws(LedgerError) in
            let facts = try policy.facts(of: account, throughIfAny: appleID, reader)
            var timeline = policy.view(of: account, facts: facts).timeline
            let notices = try NoticeReading(reader: reader, policy: policy)
                .findings(about: account, at: instant)
            if !notices.isEmpty {
                timeline.findings = (timeline.findings + notices)
                    .sorted { FindingPosition($0) < FindingPosition($1) }
            }
            var frame = try reader.frame(of: account, at: instant, policy, knownBy: privacyKey)
            frame.isAssumed = assumedMark
            return DerivedAccount(
                frame: frame,
                facts: facts, timeline: timeline, appleIDs: appleIDs(of: timeline, facts),
                grants: facts.grantRecords(of: account), blocks: facts.blockRecords(of: account),
                claims: facts.claimRecords.filter { $0.concerns(timeline) },
                orders: withOrders
                    ? try orders(
                        of: account, at: instant, in: environment, through: appleID, facts, reader)
                    : [])
        }
        return environment.map(derived.limited) ?? derived
    }

    private func appleIDs(
        of timeline: AccountTimeline, _ facts: FactSet
    ) -> [LineageKey: AppleIDKey] {
        var keys: [LineageKey: AppleIDKey] = [:]
        for case .lineage(let lineage) in timeline.units.map(\.unit) {
            keys[lineage] = policy.deriver.deriveAppleID(holding: lineage, facts)?.key
        }
        return keys
    }
}

extension LedgerReading {
    /// What a report says of itself, as far as the ledger has it.
    func frame(
        of account: AccountID, at instant: Instant, _ policy: ActivePolicy,
        knownBy key: PrivacyKey?
    ) throws(LedgerError) -> AccountFrame {
        var frame = AccountFrame(
            account: account, at: instant, policy: policy.digest, revision: try head().sequence,
            mergedInto: try mergedInto(account, policy))
        if let last = try erasures(of: account, knownBy: key).last {
            frame.erased = try knows(account) ? nil : last
            frame.lastErasure = try entry(last).map {
                ErasureMark(erasure: last, recordedAt: $0.recordedAt)
            }
        } else if try maybeErased(account, knownBy: key) {
            frame.isMaybeErased = true
        }
        if try isPseudonym(account) { frame.isPseudonym = true }
        return frame
    }
}

/// What reports on an account are made of.
struct DerivedAccount {
    let frame: AccountFrame
    let facts: FactSet
    var timeline: AccountTimeline
    /// The Apple IDs of the lineages that it owns or has owned.
    let appleIDs: [LineageKey: AppleIDKey]
    var grants: [GrantRecord]
    let blocks: [BlockRecord]
    var claims: [ClaimRecord]
    let orders: [AccountOrder]

    /// The units that it owns or has owned, with their purchases, if asked for, and renewals.
    func units(
        bought purchases: [OwnedUnit: UnitPurchase] = [:],
        renewing renewals: [OwnedUnit: RenewalOutlook]
    ) -> [UnitAnswer] {
        timeline.units.map { unit in
            let lineage: LineageKey? = if case .lineage(let key) = unit.unit { key } else { nil }
            return UnitAnswer(
                unit, appleID: lineage.flatMap { appleIDs[$0] }, purchase: purchases[unit.unit],
                renewal: renewals[unit.unit], at: frame.at)
        }
    }

    /// The part of one environment. Blocks have no environment: they stay.
    func limited(to environment: StoreEnvironment) -> DerivedAccount {
        var limited = self
        limited.timeline.rights = timeline.rights.filter { $0.key.environment == environment }
        limited.timeline.balances = timeline.balances.filter { $0.key.environment == environment }
        limited.timeline.units.removeAll { $0.unit.environment != environment }
        limited.timeline.findings.removeAll { $0.environment != environment }
        limited.grants.removeAll { $0.grant.value.environment != environment }
        limited.claims.removeAll { $0.claim.value.transaction.environment != environment }
        return limited
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

extension ClaimRecord {
    fileprivate func concerns(_ timeline: AccountTimeline) -> Bool {
        if claim.value.account == timeline.account { return true }
        guard let unit = decision?.value.unit else { return false }
        return timeline.units.contains { $0.unit == unit }
    }
}

extension LedgerQuestions {
    /// How many orders a report on an account lists.
    private static let mostOrders = 100

    /// The newest orders of an account and of those that were merged into it, the newest first.
    ///
    /// - Parameters:
    ///   - environment: nil for all of them.
    ///   - appleID: nil for all; else those that were made for this Apple ID, or paid on it.
    ///   - facts: of the account, through that Apple ID.
    func orders(
        of account: AccountID, at instant: Instant, in environment: StoreEnvironment?,
        through appleID: AppleIDKey?, _ facts: FactSet, _ reader: any LedgerReading
    ) throws(LedgerError) -> [AccountOrder] {
        guard try reader.hasOrders() else { return [] }
        let payments = Set(facts.transactions.map(\.value.key))
        let book = OrderReader(reader: reader, policy: policy, instant: instant)
        var candidates: [OrderCandidate] = []
        for owner in try book.accounts(standingAs: account) {
            let newest = try reader.orders(
                of: owner, before: LedgerSequence(.max), limit: Self.mostOrders)
            for id in newest {
                // The ledger finds other spellings of the account too, which may be others.
                guard let history = try reader.order(id), policy.name(history.account) == owner,
                    try book.owner(of: history) == account
                else { continue }
                candidates.append(book.candidate(history))
            }
        }
        candidates = candidates.filter { candidate in
            let order = candidate.history.order.value
            guard environment.map({ $0 == order.environment }) ?? true else { return false }
            guard let appleID else { return true }
            return order.appleID == appleID
                || candidate.history.payment.map(payments.contains) ?? false
        }
        candidates.sort { $0.history.order.sequence > $1.history.order.sequence }
        return candidates.prefix(Self.mostOrders).map { AccountOrder($0.history, $0.state) }
    }
}
