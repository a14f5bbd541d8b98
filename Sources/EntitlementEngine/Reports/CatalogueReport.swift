package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// The app's products as one account sees them (spec 3.1, `…/catalog`). Reads and derives the
    /// account again, once for all products; nothing is kept. Blocks.
    ///
    /// - Parameters:
    ///   - appleID: any key of the device's Apple ID, as for a preflight.
    ///   - storefront: alpha-3; nil for the prices of all currencies only.
    package func catalogue(
        for account: AccountID, in environment: StoreEnvironment, on appleID: AppleIDKey?,
        storefront: String? = nil, at instant: Instant
    ) throws(EngineError) -> CatalogueReport {
        try ledger.reading { reader throws(LedgerError) in
            let asked = policy.name(account)
            let account = try reader.account(standingFor: asked, policy)
            let facts = try preflightFacts(of: account, on: appleID, reader)
            let view = policy.view(of: account, facts: try reader.facts(forAccount: account))
            let states = view.timeline.ownedStates(in: environment, at: instant)
            let open = try OrderReader(reader: reader, policy: policy, instant: instant)
                .openByProduct(of: account, in: environment)
            let invalid = facts.invalidProducts(
                reportedBy: account, in: environment, at: instant)
            let products = policy.history.current.soldProducts
            let items = products.filter { !invalid.contains($0.id) }.map { product in
                let request = PreflightRequest(
                    account: account, product: product.id, environment: environment,
                    appleID: appleID, storefront: storefront)
                var verdict = policy.deriver.preflight(request, at: instant, facts)
                if let order = open[product.id] { verdict.notes.append(.inFlight(order)) }
                return CatalogueItem(
                    product, storefront: storefront, state: states[product.id], verdict: verdict)
            }
            return CatalogueReport(
                account: asked, environment: environment, storefront: storefront, at: instant,
                policy: policy.digest, revision: try reader.head().sequence, isAssumed: assumedMark,
                groups: CatalogueGroup.all(of: policy.history.current), products: items,
                leftOut: products.map(\.id).filter(invalid.contains))
        }
    }
}

extension OrderReader {
    /// The open orders of an account by product; consumables may be bought several times at once.
    fileprivate func openByProduct(
        of account: AccountID, in environment: StoreEnvironment
    ) throws(LedgerError) -> [ProductID: OrderID] {
        guard try reader.hasOrders() else { return [:] }
        let histories = try open(of: account, in: environment)
        var newest: [ProductID: OrderID] = [:]
        for order in histories.sorted(by: { $0.order.sequence < $1.order.sequence }) {
            let order = order.order.value
            guard policy.history.current.products[order.product]?.kind != .consumable else {
                continue
            }
            newest[order.product] = order.id
        }
        return newest
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
            try preflight(request, at: instant, reader)
        }
    }

    func preflight(
        _ request: PreflightRequest, at instant: Instant, _ reader: any LedgerReading
    ) throws(LedgerError) -> PreflightAnswer {
        var standing = request
        standing.account = try reader.account(standingFor: policy.name(request.account), policy)
        let facts = try preflightFacts(of: standing.account, on: request.appleID, reader)
        var verdict = policy.deriver.preflight(standing, at: instant, facts)
        let orders = OrderReader(reader: reader, policy: policy, instant: instant)
        let open = try orders.open(
            for: request.product, of: standing.account, in: request.environment)
        if let open { verdict.notes.append(.inFlight(open.id)) }
        return PreflightAnswer(
            request, at: instant, verdict: VerdictAnswer(verdict), policy: policy.digest,
            revision: try reader.head().sequence, isAssumed: assumedMark)
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

extension LedgerQuestions {
    /// Every product of which there is evidence, sorted. Reads the whole ledger, a portion at a
    /// time. Blocks.
    package func productsSeen() throws(EngineError) -> [ProductID] {
        try ledger.reading { reader throws(LedgerError) in
            var seen: Set<ProductID> = []
            var last = LedgerSequence(0)
            while true {
                let portion = try reader.entries(after: last, limit: 1_000)
                guard let newest = portion.last else { return seen.sorted() }
                last = newest.sequence
                for case .transaction(let fact) in portion.map(\.value) {
                    seen.insert(fact.snapshot.productID)
                }
            }
        }
    }
}
