internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyLoading
internal import Sentences
internal import StoreBox

/// Answers in the words of an expectation, whoever gives them: the engine under test, or a running
/// service.
extension Sentence {
    /// Of a finding that stands or not.
    func found(isThere: Bool) -> Sentence {
        var told = self
        told.verb = (isThere ? StoryExpectation.finding : .noFinding).rawValue
        return told
    }

    /// What preflight says.
    func found(_ verdict: VerdictAnswer) -> Sentence {
        var told = self
        told.values[.verdict] = SentenceValue(verdict.effect.rawValue)
        let codes = verdict.notes.map(\.code.rawValue)
        if !codes.contains(self[.code] ?? "") {
            told.values[.code] = codes.first.map { SentenceValue($0) }
        }
        told.values[.outcome] = verdict.claim.map { SentenceValue($0.code) }
        return told
    }

    /// Who owns a purchase.
    func found(_ owners: Set<AccountID>) -> Sentence {
        var told = Sentence(verb: StoryExpectation.owner.rawValue, values: values)
        let asked = AccountID(unchecked: self[.account] ?? "")
        if let owner = owners.contains(asked) ? asked : owners.min() {
            told.values[.account] = SentenceValue(owner.text)
        } else {
            told.verb = StoryExpectation.noOwner.rawValue
            told.values[.account] = nil
        }
        return told
    }

    /// What became of a claim; nil where there is none.
    func found(_ claim: ClaimAnswer?, _ language: Language) -> Sentence {
        var told = self
        told.values[.outcome] = SentenceValue(claim?.outcome.rawValue ?? "none")
        told.values[.rule] = claim?.decision.map { SentenceValue($0.rule.name(in: language)) }
        return told
    }

    /// Where an order stands; nil where there is none.
    func found(_ order: OrderAnswer?) -> Sentence {
        var told = self
        told.values[.state] = SentenceValue(order?.state.rawValue ?? "none")
        guard let order else { return told }
        told.values[.until] = order.promisedUntil.map { SentenceValue($0.storyText) }
        told.values[.basis] = order.events.last { $0.basis != nil }?.basis.map {
            SentenceValue($0.rawValue)
        }
        return told
    }

    /// The order that was made for a payment, beside the one that its token names.
    func found(
        _ orders: [OrderAnswer], paying payment: TransactionID?, named: [String: OrderID]
    ) -> Sentence {
        let names = Set(named.values)
        let found = orders.filter { order in
            !names.contains(order.id)
                && order.events.contains { $0.transaction != nil && $0.transaction == payment }
        }
        var told = self
        let own = found.count == 1 ? found.first : nil
        told.values[.state] = SentenceValue(own?.state.rawValue ?? "none")
        let parent = named.filter { $0.value == own?.parent }.keys
        if !parent.contains(self[.order] ?? "") {
            told.values[.order] = SentenceValue(parent.min() ?? "none")
        }
        return told
    }

    /// Where a refund request stands; nil where there is none.
    func found(_ request: RefundRequestAnswer?, _ language: Language) -> Sentence {
        var told = self
        told.values[.state] = SentenceValue(request?.state.rawValue ?? "none")
        guard let request else { return told }
        told.values[.reason] = request.obstacle.map { SentenceValue($0.obstacle.rawValue) }
        if request.obstacle == nil { told.values[.noObstacle] = SentenceValue("true") }
        told.values[.outcome] = request.answer.map { SentenceValue($0.rawValue) }
        told.values[.rule] = request.rule.map { SentenceValue($0.name(in: language)) }
        return told
    }

    /// How much of a credit an account has, or how much of it lapses at the instant that is meant,
    /// else next.
    func found(_ balance: CreditBalance?) -> Sentence {
        var told = self
        guard verb == StoryExpectation.lapse.rawValue else {
            told.values[.units] = SentenceValue("\(balance?.balance ?? 0)")
            return told
        }
        let lapses = balance?.lapses ?? []
        let lapse = lapses.first { $0.at == date(.until) } ?? lapses.first
        told.values[.units] = SentenceValue("\(lapse?.units ?? 0)")
        if let lapse { told.values[.until] = SentenceValue(lapse.at.storyText) }
        return told
    }

    /// What the feed said last, for an expectation that it says something of an account or nothing.
    func found(_ changes: [FeedChange]) -> Sentence {
        if let credit = self[.credit] {
            return found(
                lapsing: changes.last { $0.kind == .creditLapsing && $0.subject == credit }?.after)
        }
        guard verb == StoryExpectation.change.rawValue else {
            guard let last = changes.last else { return self }
            return Sentence(
                verb: StoryExpectation.change.rawValue,
                values: [
                    .account: SentenceValue(account.text),
                    .change: SentenceValue(last.kind.rawValue),
                    .entitlement: SentenceValue(last.subject),
                ])
        }
        let wanted: FeedChange.Kind = self[.change] == "gains" ? .rightGained : .rightLost
        guard changes.lastGainOrLoss(of: self[.entitlement] ?? "")?.kind != wanted else {
            return self
        }
        return Sentence(
            verb: StoryExpectation.noChange.rawValue,
            values: [.account: SentenceValue(account.text)])
    }

    /// What the feed said last of what lapses.
    private func found(lapsing value: FeedValue?) -> Sentence {
        var told = Sentence(verb: StoryExpectation.untold.rawValue, values: values)
        (told.values[.units], told.values[.until]) = (nil, nil)
        guard case .lapse(let lapse)? = value else { return told }
        told.verb = StoryExpectation.told.rawValue
        told.values[.units] = SentenceValue("\(lapse.units)")
        told.values[.until] = SentenceValue(lapse.at.storyText)
        return told
    }

    /// Without details that were not asked for, but with what explains it.
    func shortened(for expected: Sentence) -> Sentence {
        let always: Set<SentenceSlot> = [.state, .rule, .reason]
        var told = self
        told.values = values.filter { slot, _ in
            expected.has(slot) || always.contains(slot)
                || storyTable[verb]?.requiredSlots.contains(slot) == true
        }
        return told
    }
}

extension PreflightRequest {
    /// What an expectation asks before a purchase.
    init(_ sentence: Sentence, _ store: SimulatedStore, _ environment: StoreEnvironment) {
        let product = store.products[sentence[.product] ?? ""]?.id ?? sentence[.product] ?? ""
        let appleID = sentence[.appleID].flatMap {
            AppleIDKey("atx:\(environment.rawValue):\(store.names.appTransactionID(of: $0))")
        }
        self.init(
            account: sentence.account, product: ProductID(unchecked: product),
            environment: environment, appleID: appleID)
    }
}

extension [FeedChange] {
    /// The last change by which somebody got or lost a right.
    func lastGainOrLoss(of entitlement: String) -> FeedChange? {
        last {
            ($0.kind == .rightGained || $0.kind == .rightLost) && $0.subject == entitlement
        }
    }
}

extension [AccountReport] {
    /// All claims on a purchase of the store, each once, in the ledger's order.
    func claims(on purchase: PlayedPurchase?) -> [ClaimAnswer] {
        let ids = Set((purchase?.transactions ?? []).map(\.transactionID))
        let found = flatMap(\.claims).filter { ids.contains($0.transaction.text) }
        return Dictionary(found.map { ($0.claim, $0) }) { claim, _ in claim }
            .values.sorted { $0.claim < $1.claim }
    }

    /// Who owns a purchase of the store at an instant.
    func owners(of purchase: PlayedPurchase?, at instant: Instant) -> Set<AccountID> {
        let ids = Set((purchase?.transactions ?? []).map(\.transactionID))
        let lineage = purchase?.transaction.originalTransactionID
        return reduce(into: []) { owners, report in
            for unit in report.units where unit.unit.isNamed(by: ids, lineage) {
                owners.formUnion(unit.owners(at: instant))
            }
        }
    }
}

extension UnitAnswer {
    func owners(at instant: Instant) -> Set<AccountID> {
        Set(owners.filter { $0.interval.contains(instant) }.map(\.account))
    }
}

extension OwnedUnit {
    func isOf(_ purchase: PlayedPurchase) -> Bool {
        isNamed(
            by: Set(purchase.transactions.map(\.transactionID)),
            purchase.transaction.originalTransactionID)
    }

    /// Whether it is one of these transactions, or their lineage.
    fileprivate func isNamed(by transactions: Set<String>, _ lineage: String?) -> Bool {
        switch self {
        case .purchase(let key): transactions.contains(key.transactionID.text)
        case .lineage(let key): key.originalTransactionID.text == lineage
        }
    }
}

/// Expectations that a report on an account answers, whoever makes it.
extension StoryStep {
    var account: AccountID { AccountID(unchecked: sentence[.account] ?? "") }

    /// Nil where the report says what is expected. Balances do not name their environment: the report
    /// must be of that one alone.
    func failure(
        in report: AccountReport, of environment: StoreEnvironment, _ language: Language
    ) -> Diagnostic? {
        let environment =
            sentence[.environment].flatMap { StoreEnvironment(rawValue: $0) } ?? environment
        var found = sentence
        switch StoryExpectation(rawValue: sentence.verb) {
        case .balance?, .lapse?:
            found = sentence.found(
                report.balances.first { $0.credit.text == sentence[.credit] })
        default:
            let right = report.rights.first {
                $0.entitlement.text == sentence[.entitlement] && $0.environment == environment
            }
            found =
                right.map { StoryAnswers.right(of: account, $0, language) }
                ?? Sentence(verb: StoryExpectation.lacks.rawValue, values: sentence.values)
        }
        return failure(found, language)
    }

    /// Nil where what was found is what is expected.
    func failure(_ found: Sentence, _ language: Language) -> Diagnostic? {
        guard !sentence.holds(in: found) else { return nil }
        return Diagnostic(
            id: .expectationFailed, place: place,
            facts: [
                .plain(sentence.expected(in: language)), .plain(found.expected(in: language)),
            ])
    }
}

extension Sentence {
    /// An expectation without the word that each begins with.
    func expected(in language: Language) -> String {
        let text = storyTable.write(self, in: language) ?? verb
        let prefix = ["expect ", "期望 ", "期望"].first { text.hasPrefix($0) } ?? ""
        return String(text.dropFirst(prefix.count))
    }
}
