internal import EntitlementDerivation
internal import EntitlementModel
internal import EntitlementSpecification

extension Comparison {
    /// Two spellings of one account that were judged against each other (spec 1.1).
    mutating func compareCaseConflicts() {
        let found = allFindings.filter { $0.kind == .accountCaseConflict }
            .compactMap(\.facts.last)
        // One that a person settled in the same instant has no length.
        let specified = specification.caseConflicts().filter { place in
            let decision = specification.facts.decisions.first { $0.sequence == place }
            return !specification.facts.rulings.contains {
                $0.recordedAt == decision?.recordedAt && $0.sequence > place
            }
        }
        if !specified.isEmpty { coverage.visit("finding account-case-conflict") }
        expect(
            "spellings judged against each other",
            derived: Set(found).subtracting(settledAtOnce(found)).sorted().description,
            specified: specified.sorted().description)
    }

    private func settledAtOnce(_ places: [LedgerSequence]) -> Set<LedgerSequence> {
        Set(
            places.filter { place in
                let decision = specification.facts.decisions.first { $0.sequence == place }
                return specification.facts.rulings.contains {
                    $0.recordedAt == decision?.recordedAt && $0.sequence > place
                }
            })
    }

    /// Lineages that go on from one account's and had another owner already (spec 1.4).
    mutating func compareDeniedSuccessions() {
        let statements = Set(specification.facts.transactions.map(\.sequence))
        let found = allFindings.filter {
            $0.kind == .accountSwitch && $0.facts.first.map(statements.contains) == true
        }.map { "\($0.facts) \($0.accounts) \($0.interval)" }
        let specified = specification.deniedSuccessions().map {
            "\($0.facts) \($0.accounts) \($0.interval)"
        }
        expect(
            "successions of what another account has", derived: Set(found).sorted().description,
            specified: specified.sorted().description)
    }

    /// New purchases whose token names an account that does not own them (spec 1.6).
    mutating func compareForeignPurchases() {
        let found = Set(
            allFindings.filter {
                $0.kind == .tokenOfAnother || $0.kind == .paidWithoutRight && $0.product != nil
            }.map {
                "\($0.kind) \($0.units.map(\.text)) \($0.accounts) "
                    + "\($0.interval.start.milliseconds)"
            })
        let specified = Set(
            specification.foreignPurchases().map {
                "\($0.kind) \([$0.unit.text]) \($0.accounts) \($0.from.milliseconds)"
            })
        for finding in specification.foreignPurchases() {
            coverage.visit("finding \(finding.kind.rawValue) by a token")
        }
        expect(
            "purchases for others than their tokens name", derived: found.sorted().description,
            specified: specified.sorted().description)
    }

    /// The list of a whole ledger is found in parts: none is missing, and none is there twice.
    mutating func compareLedgerFindings(_ policies: PolicyHistory, _ facts: FactSet) {
        let deriver = Deriver(policies: policies)
        var listed = deriver.findings(aboutLineagesOf: facts)
        for account in Set(derived.accounts.keys).sorted() {
            listed += deriver.findings(aboutHoldingsOf: account, facts)
        }
        for quarantine in facts.quarantines {
            listed.append(deriver.finding(aboutQuarantine: quarantine))
        }
        let all = Set(allFindings)
        expect(
            "the findings of the ledger, in parts",
            derived: "\(listed.count) \(Set(listed) == all)", specified: "\(all.count) true")
    }
}
