internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading
internal import Sentences
internal import StoreBox

/// Expectations about what a service records when it gets it: claims, orders, the feed and refund
/// requests.
extension ServedStory {
    func laterQuestions(for step: StoryStep) -> [ServedQuestion]? {
        switch StoryExpectation(rawValue: step.sentence.verb) {
        // As of now: the service has just recorded them.
        case .claim?: everybody.map { .report($0, at: nil, nil) }
        case .change?, .noChange?:
            [.report(step.account, at: step.at, nil), .changes(step.account)]
        case .order?: order(step).map { [.order($0)] }
        case .ownOrder?: order(step).map { _ in everybody.map { .orders($0) } }
        case .lostOrder?: order(step).map { _ in [.lostOrders] }
        case .lostPayment?: [.lostOrders]
        case .refundRequest?: [.refundRequests]
        default: nil
        }
    }

    func laterVerdict(
        on step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        switch StoryExpectation(rawValue: step.sentence.verb) {
        case .claim?: claim(step, answers, language)
        case .change?: change(step, answers, language)
        case .noChange?:
            judge(step, step.sentence.found(answers.changes), language) {
                !answers.reports.flatMap(\.units).allSatisfy {
                    $0.isSame(at: step.at, and: answers.now)
                }
            }
        case .order?:
            judge(step, step.sentence.found(answers.orders.first), language) {
                answers.orders.first?.state == .abandoned || isPaidLater(step)
            }
        case .ownOrder?:
            judge(
                step,
                step.sentence.found(
                    answers.orders, paying: transaction(step), named: namedOrders), language
            ) { happensLater(to: purchaseName(step), than: step) }
        case .lostOrder?, .lostPayment?: lost(step, answers, language)
        case .refundRequest?: refundRequest(step, answers, language)
        default: .skipped(.notAsked)
        }
    }

    /// Fails where neither time nor a step that is not played explains what was found.
    private func judge(
        _ step: StoryStep, _ found: Sentence, _ language: Language,
        unless hasChanged: () -> Bool
    ) -> ServedVerdict {
        let verdict = step.verdict(found, language)
        if verdict.holds { return verdict }
        if needsService(step) { return .skipped(.notAsked) }
        return hasChanged() ? .skipped(.changedSince) : verdict
    }

    // MARK: Claims and the feed

    /// Who is first gets a purchase at any time; what others get may follow from the state of the
    /// purchase and from earlier moves, which is judged when the service gets the claim.
    private func claim(
        _ step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        let purchase = purchase(step)
        let claim = answers.reports.claims(on: purchase).last { $0.account == step.account }
        let lineage = purchase?.transaction.originalTransactionID
        let handedIn = presented.filter { $0.lineage == lineage }
        return judge(step, step.sentence.found(claim, language), language) {
            if handedIn.contains(where: {
                $0.line > step.place.line && $0.account == step.account.text
            }) {
                return true
            }
            let earlier = handedIn.filter { $0.line < step.place.line }
            guard let own = earlier.last(where: { $0.account == step.account.text }),
                earlier.contains(where: { $0.account != step.account.text })
            else { return false }
            if claim?.outcome == .cooldown || claim?.outcome == .limit { return true }
            return answers.reports.flatMap(\.units).contains {
                purchase.map($0.unit.isOf) ?? false
                    && !$0.isInSameState(at: own.at, and: answers.now)
            }
        }
    }

    /// The feed tells what changes by the service's clock. Somebody without a right is not told to
    /// have gained it last, whatever the clock says.
    private func change(
        _ step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        let right = answers.reports.first?.rights.first {
            $0.entitlement.text == step.sentence[.entitlement]
                && $0.environment == story.environment
        }
        let isGain = step.sentence[.change] == "gains"
        return judge(step, step.sentence.found(answers.changes), language) {
            guard let right, right.decision == isGain else { return false }
            let isLasting = right.until.map { $0 > answers.now } ?? true
            let last = answers.changes.lastGainOrLoss(of: step.sentence[.entitlement] ?? "")
            return !isLasting || !isGain && last == nil
        }
    }

    // MARK: Orders

    /// The order whose id the story writes: others are made by steps that are not played.
    private func order(_ step: StoryStep) -> OrderID? {
        step.sentence[.order].flatMap { AppAccountToken($0) }.map {
            OrderID(unchecked: $0.text)
        }
    }

    private var namedOrders: [String: OrderID] {
        let names = story.steps.compactMap { $0.sentence[.order] }
        return names.reduce(into: [:]) { orders, name in
            orders[name] = AppAccountToken(name).map { OrderID(unchecked: $0.text) }
        }
    }

    private func transaction(_ step: StoryStep) -> TransactionID? {
        purchase(step).map { TransactionID(unchecked: $0.transaction.transactionID) }
    }

    private func purchaseName(_ step: StoryStep) -> String {
        ended.meant(by: step.sentence[.purchase] ?? "")
    }

    /// Whether a later step pays an order or happens to what has paid it.
    private func isPaidLater(_ step: StoryStep) -> Bool {
        let id = order(step)
        let paid = ended.purchases.filter { _, purchase in
            purchase.transactions.contains {
                $0.appAccountToken.flatMap { AppAccountToken($0) }?.text == id?.text
            }
        }
        return paid.keys.contains { happensLater(to: $0, than: step) }
            || story.steps.contains {
                $0.isLater(than: step) && order($0) == id && !$0.isExpectation
            }
    }

    /// A restore is of the device: nothing happens to the purchase.
    private func happensLater(to name: String, than step: StoryStep) -> Bool {
        story.steps.contains { later in
            later.isLater(than: step) && !later.isExpectation
                && later.sentence.verb != StoreVerb.restores.rawValue
                && later.sentence.verb != StoreVerb.lists.rawValue
                && later.sentence[.purchase].map { ended.meant(by: $0) } == name
        }
    }

    /// For how long something has waited is counted by the service's clock: what is not lost yet may
    /// be.
    private func lost(
        _ step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        let isPayment = step.sentence.verb == StoryExpectation.lostPayment.rawValue
        let (payment, order) = (transaction(step), order(step))
        let found = answers.lostOrders.first {
            isPayment ? $0.id == nil && $0.transaction == payment : $0.id == order
        }
        guard let found else { return .skipped(.changedSince) }
        var told = step.sentence
        told.values[.reason] = SentenceValue(found.reason.rawValue)
        return judge(step, told, language) { false }
    }

    // MARK: Refund requests

    /// Requests are counted among those about the story's purchases. Until when Apple takes an
    /// answer is counted by the service's clock.
    private func refundRequest(
        _ step: StoryStep, _ answers: ServedAnswers, _ language: Language
    ) -> ServedVerdict {
        let ids = Set(ended.purchases.values.flatMap(\.transactions).map(\.transactionID))
        let own = answers.refundRequests.filter { request in
            request.transaction.map { ids.contains($0.text) } ?? false
        }
        let number = Int(step.sentence.number(.number) ?? 0)
        let request = own.indices.contains(number - 1) ? own[number - 1] : nil
        let isBeforeEnd = ["open", "sent", "refused", "answered"].contains(step.sentence[.state])
        return judge(step, step.sentence.found(request, language), language) {
            guard let request, request.state.rawValue != step.sentence[.state] else {
                return false
            }
            let name = ended.purchases.first { _, purchase in
                purchase.transactions.contains { $0.transactionID == request.transaction?.text }
            }?.key
            return isBeforeEnd || name.map { happensLater(to: $0, than: step) } ?? false
        }
    }
}

/// Which steps of the service, which `simulate` does not play, bear on an expectation.
extension ServedStory {
    /// Whether what is expected may follow from an earlier step that is not played.
    func needsService(_ step: StoryStep) -> Bool {
        guard let verbs = StoryExpectation(rawValue: step.sentence.verb)?.causes else {
            return false
        }
        let own = names(in: step)
        return story.steps.contains { earlier in
            guard step.isLater(than: earlier), earlier.isOutsideStore,
                let verb = StoryVerb(rawValue: earlier.sentence.verb), verbs.contains(verb)
            else { return false }
            let others = names(in: earlier)
            return own.isEmpty || others.isEmpty || !own.isDisjoint(with: others)
        }
    }

    /// Accounts, purchases with those who bought them, and orders.
    private func names(in step: StoryStep) -> Set<String> {
        let slots: [SentenceSlot] = [.account, .into, .order]
        let plain = slots.compactMap { step.sentence[$0] }
        let purchases = [SentenceSlot.purchase, .with, .naming].compactMap { slot in
            step.sentence[slot].map { ended.meant(by: $0) }
        }
        return Set(plain + purchases + purchases.compactMap { ended.purchases[$0]?.account })
    }
}

extension StoryExpectation {
    /// What can lead to it outside the App Store; nil where that is not asked.
    fileprivate var causes: Set<StoryVerb>? {
        let rulings: Set<StoryVerb> = [
            .approves, .refuses, .transfers, .releases, .merges, .undoesMerge, .presents,
            .appleTells, .registersToken, .policyChanges,
        ]
        let orders: Set<StoryVerb> = [
            .presents, .makesOrder, .reportsOrder, .settlesOrder, .refusesOrder, .undoesOrder,
            .reassignsOrder, .policyChanges,
        ]
        let rights: Set<StoryVerb> = [
            .grants, .revokesGrant, .blocks, .liftsBlock, .closes, .reopens, .erases,
            .settlesOrder, .undoesOrder, .reassignsOrder,
        ]
        switch self {
        case .claim: return rulings
        case .finding, .noFinding, .noChange: return Set(StoryVerb.allCases)
        case .change: return rulings.union(rights)
        case .order, .ownOrder, .lostOrder, .lostPayment: return orders
        case .refundRequest:
            return rulings.union([.consents, .withdrawsConsent, .answersRefund, .grants])
        default: return nil
        }
    }
}
