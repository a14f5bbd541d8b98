internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox

/// Credits and orders.
extension StoryRun {
    private static let creditCause = CreditCause(actor: "story")

    mutating func credit(_ step: StoryStep, _ verb: StoryVerb) async throws(EngineError) {
        let sentence = step.sentence
        let name = CreditName(unchecked: sentence[.credit] ?? "")
        let parts = [CreditPart(name, sentence.number(.units) ?? 0)]
        let report: CreditReport
        switch verb {
        case .spends, .holds:
            report = try await engine.spend(
                SpendRequest(
                    account: step.account, environment: story.environment, parts: parts,
                    until: verb == .holds ? sentence.date(.until) : nil, key: nextKey("spend"),
                    cause: Self.creditCause))
        case .captures, .releasesHold:
            guard let hold = entries[.hold]?[sentence[.hold] ?? ""] else { return }
            report = try await engine.endHold(
                HoldEndRequest(
                    hold: hold, captured: verb == .captures ? parts : [],
                    cause: Self.creditCause))
        case .reversesSpend:
            guard let spend = entries[.spend]?[sentence[.spend] ?? ""] else { return }
            report = try await engine.reverse(
                ReversalRequest(
                    spend: spend, parts: sentence.has(.units) ? parts : nil,
                    key: nextKey("reversal"), cause: Self.creditCause))
        default:
            report = try await engine.thaw(
                ThawRequest(
                    account: step.account, environment: story.environment, credit: name,
                    cause: Self.cause))
        }
        switch report {
        case .rejected(let rejection): reject(rejection.code.rawValue, step)
        case .done(let done):
            let slot: SentenceSlot = verb == .holds ? .hold : .spend
            if let id = done.id, verb != .reversesSpend {
                let label = sentence[.name] ?? sentence[.account] ?? sentence[.hold] ?? ""
                entries[slot, default: [:]][label] = id
            }
        }
    }

    mutating func order(_ step: StoryStep, _ verb: StoryVerb) async throws(EngineError) {
        let sentence = step.sentence
        if verb == .makesOrder { return try await makeOrder(step) }
        guard let id = orders[sentence[.order] ?? ""] else {
            return reject(OrderRejection.unknown.code.rawValue, step)
        }
        let ruling: OrderRuling
        switch verb {
        case .reportsOrder:
            let request = OrderEventRequest(
                order: id, kind: OrderEventKind(rawValue: sentence[.event] ?? "") ?? .paying,
                transaction: transaction(sentence[.naming]), actor: "story")
            return note(try await engine.report(request), step)
        case .settlesOrder: ruling = .settle(transaction(sentence[.with]))
        case .refusesOrder: ruling = .refuse
        case .undoesOrder: ruling = .undo
        default: ruling = .reassign(step.account)
        }
        note(try await engine.rule(on: id, ruling, Self.cause), step)
    }

    private mutating func makeOrder(_ step: StoryStep) async throws(EngineError) {
        let sentence = step.sentence
        guard let product = store.products[sentence[.product] ?? ""] else { return }
        let made = try await engine.makeOrder(
            OrderRequest(
                account: step.account, environment: story.environment,
                product: ProductID(unchecked: product.id),
                quantity: sentence.number(.quantity) ?? 1,
                price: sentence[.price].flatMap { Price(play: $0) }, actor: "story"))
        switch made.report {
        case .done(let history), .inFlight(let history):
            orders[sentence[.order] ?? ""] = history.id
        case .rejected(let rejection): reject(rejection.code.rawValue, step)
        }
    }

    private mutating func note(_ report: OrderReport, _ step: StoryStep) {
        if case .rejected(let rejection) = report { reject(rejection.code.rawValue, step) }
    }

    /// The newest transaction of a purchase.
    func transaction(_ name: String?) -> TransactionID? {
        name.flatMap { store.purchases[store.meant(by: $0)] }.map {
            TransactionID(unchecked: $0.transaction.transactionID)
        }
    }
}
