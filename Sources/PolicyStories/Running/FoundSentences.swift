internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import StoreSimulator

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

    /// Without details that were not asked for, but with what explains it.
    func shortened(for expected: Sentence) -> Sentence {
        let always: Set<SentenceSlot> = [.state, .rule, .reason]
        var told = self
        told.values = values.filter { slot, _ in
            expected.has(slot) || always.contains(slot) || StoryExpectation.needs(slot)
        }
        return told
    }
}

extension StoryExpectation {
    /// Whether there is an expectation that cannot be written without the slot.
    fileprivate static func needs(_ slot: SentenceSlot) -> Bool {
        allCases.contains { storyTable[$0.rawValue]?.requiredSlots.contains(slot) == true }
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

extension [AccountReport] {
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
    /// Whether it is one of these transactions, or their lineage.
    fileprivate func isNamed(by transactions: Set<String>, _ lineage: String?) -> Bool {
        switch self {
        case .purchase(let key): transactions.contains(key.transactionID.text)
        case .lineage(let key): key.originalTransactionID.text == lineage
        }
    }
}
