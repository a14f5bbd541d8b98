package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// What the app sells, as one account sees it (spec 3.1, `…/catalog`). Reads and derives the
    /// account again, once for all products; nothing is kept. Blocks.
    ///
    /// - Parameter appleID: any key of the device's Apple ID, as for a preflight.
    package func catalogue(
        for account: AccountID, in environment: StoreEnvironment, on appleID: AppleIDKey?,
        at instant: Instant
    ) throws(EngineError) -> CatalogueReport {
        let account = policy.name(account)
        return try ledger.reading { reader throws(LedgerError) in
            let facts = try preflightFacts(of: account, on: appleID, reader)
            let view = policy.view(of: account, facts: try reader.facts(forAccount: account))
            let states = view.timeline.ownedStates(in: environment, at: instant)
            let products = policy.history.current.products.values.sorted { $0.id < $1.id }
            let items = products.map { product in
                let request = PreflightRequest(
                    account: account, product: product.id, environment: environment,
                    appleID: appleID)
                return CatalogueItem(
                    product, state: states[product.id],
                    verdict: policy.deriver.preflight(request, at: instant, facts))
            }
            return CatalogueReport(
                account: account, environment: environment, at: instant, policy: policy.digest,
                revision: try reader.head().sequence, products: items)
        }
    }
}

extension AccountTimeline {
    /// The best state of what the account owns at the instant, by product.
    fileprivate func ownedStates(
        in environment: StoreEnvironment, at instant: Instant
    ) -> [ProductID: EntitlementState] {
        var states: [ProductID: EntitlementState] = [:]
        for unit in units where unit.unit.environment == environment {
            let isOwned = unit.owners.contains {
                $0.account == account && $0.interval.contains(instant)
            }
            guard isOwned, let span = unit.states.first(where: { $0.interval.contains(instant) })
            else { continue }
            let known = states[span.productID]
            states[span.productID] =
                known.map { $0.isBetter(than: span.state) ? $0 : span.state }
                ?? span.state
        }
        return states
    }
}

extension EntitlementState {
    /// States are written from the best to the worst.
    fileprivate func isBetter(than other: EntitlementState) -> Bool {
        let order = Self.allCases
        return (order.firstIndex(of: self) ?? 0) < (order.firstIndex(of: other) ?? 0)
    }
}

extension LedgerQuestions {
    /// Looks at a purchase before the payment sheet is shown. Records nothing. Blocks.
    package func preflight(
        _ request: PreflightRequest, at instant: Instant
    ) throws(EngineError) -> PreflightAnswer {
        try ledger.reading { reader throws(LedgerError) in
            let facts = try preflightFacts(of: request.account, on: request.appleID, reader)
            var verdict = policy.deriver.preflight(request, at: instant, facts)
            let orders = OrderBook(reader: reader, policy: policy, instant: instant)
            let open = try orders.open(
                for: request.product, of: policy.name(request.account), in: request.environment)
            if let open { verdict.notes.append(.inFlight(open.id)) }
            return PreflightAnswer(
                request, at: instant, verdict: VerdictAnswer(verdict),
                policy: policy.digest, revision: try reader.head().sequence)
        }
    }

    /// The account's facts, and those of the Apple ID that is going to pay.
    func preflightFacts(
        of account: AccountID, on appleID: AppleIDKey?, _ reader: any LedgerReading
    ) throws(LedgerError) -> FactSet {
        var facts = policy.folding(try reader.facts(forAccount: account))
        guard let appleID, let lineage = try AppleIDName(appleID)?.lineages(in: reader).first
        else { return facts }
        facts.merge(policy.folding(try reader.facts(forLineage: lineage)))
        return facts
    }
}
