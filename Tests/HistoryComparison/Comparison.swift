internal import EntitlementDerivation
package import EntitlementModel
internal import EntitlementSpecification
package import TestSupport

/// The derivation beside the specification, over one history, or over what one has recorded.
package struct Comparison {
    package private(set) var disagreements: [Disagreement]
    package private(set) var instantsCompared = 0
    package private(set) var judgementsCompared: Int
    package internal(set) var coverage: Coverage
    let specification: Specification
    let derived: DerivedTimelines
    private let deriver: Deriver
    private let facts: FactSet
    let accounts: [AccountID]
    /// An account that no fact names: it has what is open to everybody.
    private let stranger: AccountTimeline
    private let entitlements: [EntitlementName]
    private let environments: [StoreEnvironment]
    private let appleIDs: [(AppleIDKey, AppleIDTimeline)]

    package init(_ history: History) {
        let playback = Playback(history)
        self.init(playback.policies, playback.facts, playback.coverage)
        disagreements = playback.disagreements + disagreements
        judgementsCompared = playback.judgements
        compareRefunds(history.refundRequests, playback.policies, playback.facts)
        disagreements += properties(of: playback, derived: derived)
    }

    /// Of what is recorded: what was decided is taken as it is.
    package init(policies: PolicyHistory, facts: FactSet) {
        self.init(policies, facts, Coverage())
    }

    private init(_ policies: PolicyHistory, _ facts: FactSet, _ visited: Coverage) {
        disagreements = []
        judgementsCompared = 0
        coverage = visited
        specification = Specification(policies: policies, facts: facts)
        derived = derive(policies: policies, facts: facts)
        deriver = Deriver(policies: policies)
        self.facts = facts
        let named = specification.facts
        let owners = named.decisions.flatMap(\.value.ownersAfter)
        let spenders =
            named.creditSpends.map(\.value.account) + named.creditHolds.map(\.value.account)
            + named.accountMerges.map(\.value.into)
        stranger = deriveAccount(
            AccountID(unchecked: "stranger"), policies: policies, facts: FactSet())
        accounts = Set(
            owners + named.grants.map(\.value.account) + spenders + [stranger.account]
        ).sorted()
        entitlements = policies.current.entitlements.keys.sorted()
        environments = [.production, .sandbox]
        appleIDs = derived.appleIDs.sorted { $0.key < $1.key }
        compareAppleIDs()
        compareStandingFindings()
        compareDeniedClaims(specification.facts)
        compareCaseConflicts()
        compareDeniedSuccessions()
        compareForeignPurchases()
        compareLedgerFindings(policies, facts)
        comparePreflights(policies, facts)
        for instant in instants() {
            compare(at: instant)
            instantsCompared += 1
            if disagreements.count > 20 { break }
        }
    }

    /// Every boundary that either knows of, and one millisecond either side.
    private func instants() -> [Instant] {
        var instants = Set(specification.boundaries())
        for timeline in derived.accounts.values {
            for right in timeline.rights.values {
                instants.formUnion(right.spans.map(\.interval.start))
            }
            instants.formUnion(timeline.balances.values.flatMap(\.entries).map(\.occurredAt))
            instants.formUnion(timeline.units.flatMap(\.states).map(\.interval.start))
            instants.formUnion(timeline.findings.map(\.interval.start))
        }
        for timeline in derived.appleIDs.values {
            for right in timeline.rights.values {
                instants.formUnion(right.spans.map(\.interval.start))
            }
        }
        return Set(
            instants.filter { $0 > .distantPast }.flatMap { instant in
                [-1, 0, 1].map { instant.advanced(byMilliseconds: $0) }
            }
        ).sorted()
    }

    mutating func expect(
        _ question: @autoclosure () -> String, at instant: Instant? = nil, derived: String,
        specified: String
    ) {
        guard derived != specified else { return }
        disagreements.append(
            Disagreement(question(), at: instant, derived: derived, specified: specified))
    }

    private mutating func compare(at instant: Instant) {
        compareUnits(at: instant)
        for environment in environments {
            for entitlement in entitlements {
                compareRights(RightKey(environment, entitlement), at: instant)
            }
            for credit in specification.policy.credits.keys.sorted() {
                compareBalances(CreditKey(environment, credit), at: instant)
            }
        }
        compareFindings(at: instant)
    }
}

// Names and what is found once and for all.
extension Comparison {
    private mutating func compareAppleIDs() {
        for lineage in specification.lineages {
            expect(
                "Apple ID of \(OwnedUnit.lineage(lineage).text)",
                derived: derived.appleIDOfLineage[lineage]?.text ?? "none",
                specified: specification.appleIDKey(of: lineage)?.text ?? "none")
        }
    }

    private mutating func compareStandingFindings() {
        let kinds: Set<Finding.Kind> = [
            .unmappedProduct, .kindMismatch, .appleIDConflict, .successorMissing,
            .splitTransaction,
        ]
        let found = Set(
            allFindings.filter { kinds.contains($0.kind) }.map { finding in
                let byProduct =
                    finding.kind == .unmappedProduct || finding.kind == .kindMismatch
                return SpecifiedFinding(
                    kind: finding.kind, environment: finding.environment,
                    units: byProduct ? [] : Array(finding.units.prefix(1)),
                    product: byProduct ? finding.product : nil)
            })
        for finding in specification.standingFindings() {
            coverage.visit("finding \(finding.kind.rawValue)")
        }
        expect(
            "standing findings", derived: describe(found),
            specified: describe(specification.standingFindings()))
    }

    /// Every refused claim raises a finding from its recording on (spec 1.6).
    private mutating func compareDeniedClaims(_ facts: FactSet) {
        let found = allFindings.filter {
            $0.kind == .accountSwitch || $0.kind == .paidWithoutRight
        }
        for decision in facts.decisions {
            guard case .denied(let refusal) = decision.value.outcome,
                ![.ownedByOther, .accountClosed].contains(refusal),
                !["a person took it from the account", "bought before claims_from"].contains(
                    decision.value.rule.name),
                !specification.caseConflicts().contains(decision.sequence),
                let claim = facts.claims.first(where: { $0.sequence == decision.value.cause })
            else { continue }
            let isNew = specification.isNewPurchase(presentedBy: claim)
            let kind: Finding.Kind = isNew ? .paidWithoutRight : .accountSwitch
            coverage.visit("finding \(kind.rawValue)")
            let unit = specification.unit(decidedBy: decision.value)
            // One that was accepted in the same instant after all, or that a person refused in it,
            // has nothing to report.
            let isDeniedByHand = facts.rulings.contains {
                $0.value.verb == .refuse && $0.value.claim == claim.sequence
                    && $0.recordedAt == decision.recordedAt
            }
            let isMadeGood = facts.decisions.contains {
                $0.sequence > decision.sequence && $0.recordedAt == decision.recordedAt
                    && $0.value.ownersAfter.contains(claim.value.account)
            }
            if isMadeGood || isDeniedByHand { continue }
            let isRaised = found.contains {
                $0.kind == kind && $0.units == [unit] && $0.interval.start == decision.recordedAt
                    && $0.accounts.contains(claim.value.account)
            }
            expect(
                "finding for the refused claim \(claim.sequence) on \(unit.text)",
                derived: isRaised ? kind.rawValue : "none", specified: kind.rawValue)
        }
    }

    var allFindings: [Finding] {
        derived.findings + derived.accounts.values.flatMap(\.findings)
            + derived.appleIDs.values.flatMap(\.findings)
    }

    private mutating func compareFindings(at instant: Instant) {
        let kinds: Set<Finding.Kind> = [
            .unclaimedPayment, .duplicateAppleID, .duplicateAppleIDPossible,
        ]
        let found = Set(
            allFindings.filter { kinds.contains($0.kind) && $0.interval.contains(instant) }
                .map {
                    SpecifiedFinding(
                        kind: $0.kind, environment: $0.environment,
                        accounts: $0.kind == .unclaimedPayment ? [] : $0.accounts,
                        units: $0.units.sorted(by: OwnedUnit.comesBefore),
                        product: $0.duplicate == nil ? nil : $0.product,
                        keep: $0.duplicate?.keep)
                })
        let specified = specification.findings(at: instant)
        for finding in specified { coverage.visit("finding \(finding.kind.rawValue)") }
        expect(
            "findings", at: instant, derived: describe(found), specified: describe(specified))
    }
}

// States and owners.
extension Comparison {
    private mutating func compareUnits(at instant: Instant) {
        for unit in specification.units { coverage.visit(unit, at: instant, in: specification) }
        var seen: [OwnedUnit: UnitTimeline] = [:]
        for timeline in derived.appleIDs.values {
            for unit in timeline.units { seen[unit.unit] = unit }
        }
        for timeline in derived.accounts.values {
            for unit in timeline.units { seen[unit.unit] = unit }
        }
        for (unit, timeline) in seen.sorted(by: { OwnedUnit.comesBefore($0.key, $1.key) }) {
            let span = timeline.states.last { $0.interval.contains(instant) }
            let state = specification.state(of: unit, at: instant)
            expect(
                "state of \(unit.text)", at: instant,
                derived: describe(span?.state, span?.expiryReason?.rawValue),
                specified: describe(state?.0, state?.1?.rawValue))
            let owners = timeline.owners.filter { $0.interval.contains(instant) }
            expect(
                "owners of \(unit.text)", at: instant,
                derived: owners.map(\.account.text).sorted().joined(separator: "+"),
                specified: specification.owners(of: unit, at: instant).map(\.text).sorted()
                    .joined(separator: "+"))
        }
        compareSeats(of: Array(seen.values), at: instant)
    }

    /// Asked where there are some, and now and then where there are none.
    private mutating func compareSeats(of timelines: [UnitTimeline], at instant: Instant) {
        let running = timelines.filter { $0.states.contains { $0.interval.contains(instant) } }
        var specified: [OwnedUnit: Int64] = [:]
        for case .lineage(let lineage) in running.map(\.unit) {
            specified[.lineage(lineage)] = specification.seats(of: lineage, at: instant)
        }
        guard !specified.isEmpty || instantsCompared.isMultiple(of: 32) else { return }
        if !specified.isEmpty { coverage.visit("seats") }
        let purchases = deriver.purchases(of: running, at: instant, facts)
        for unit in running.map(\.unit).sorted(by: OwnedUnit.comesBefore) {
            expect(
                "seats of \(unit.text)", at: instant,
                derived: purchases[unit]?.seats.map { "\($0)" } ?? "none",
                specified: specified[unit].map { "\($0)" } ?? "none")
        }
    }
}

// Rights and balances.
extension Comparison {
    private mutating func compareRights(_ key: RightKey, at instant: Instant) {
        for account in accounts {
            let span = (derived.accounts[account] ?? stranger).right(key).span(at: instant)
            let right = specification.right(of: account, key: key, at: instant)
            coverage.visit(right, key: key)
            expect(
                "right of \(account) to \(key.entitlement) in \(key.environment.rawValue)",
                at: instant, derived: describe(span, like: right), specified: describe(right))
            if right.isDeniedByItsSources, isSampled {
                let last = specification.lastSource(of: account, key: key, at: instant)
                expect(
                    "last source of \(key.entitlement) for \(account)", at: instant,
                    derived: describe(span.source), specified: describe(last))
            }
        }
        for (name, timeline) in appleIDs {
            guard let lineage = timeline.lineages.first else { continue }
            let span = timeline.right(key).span(at: instant)
            let right = specification.right(
                ofAppleIDHolding: lineage, key: key, at: instant)
            expect(
                "right of \(name) to \(key.entitlement) in \(key.environment.rawValue)",
                at: instant, derived: describe(span, like: right), specified: describe(right))
            if right.isDeniedByItsSources, isSampled {
                let last = specification.lastSource(
                    ofAppleIDHolding: lineage, key: key, at: instant)
                expect(
                    "last source of \(key.entitlement) for \(name)", at: instant,
                    derived: describe(span.source), specified: describe(last))
            }
        }
    }

    /// The source of a denial takes long to find: it is asked for at some of the instants.
    private var isSampled: Bool { instantsCompared % 8 == 0 }

    private mutating func compareBalances(_ key: CreditKey, at instant: Instant) {
        for account in accounts {
            let timeline = derived.accounts[account]?.balances[key]
            let balance = timeline?.balance(at: instant) ?? 0
            let specified = specification.balance(of: account, key: key, at: instant)
            if specified != 0 { coverage.visit("a balance") }
            for entry in timeline?.entries ?? [] where entry.occurredAt == instant {
                coverage.visit(entry)
            }
            expect(
                "\(key.credit) of \(account) in \(key.environment.rawValue)", at: instant,
                derived: "\(balance)", specified: "\(specified)")
            let held = specification.held(by: account, key: key, at: instant)
            let isFrozen = specification.isFrozen(account, key: key, at: instant)
            if specified < 0 { coverage.visit("a balance below zero") }
            if isFrozen { coverage.visit("a frozen credit") }
            expect(
                "\(key.credit) held and frozen for \(account) in \(key.environment.rawValue)",
                at: instant,
                derived: "\(timeline?.held(at: instant) ?? 0) "
                    + "\(timeline?.isFrozen(at: instant) ?? false)",
                specified: "\(held) \(isFrozen)")
        }
    }
}
