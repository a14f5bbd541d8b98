internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import StoreBox

/// What must be true of orders and refunds.
extension StoryRun {
    func order(_ sentence: Sentence) throws(EngineError) -> Sentence {
        guard let id = orders[sentence[.order] ?? ""] else {
            return sentence.found(nil as OrderAnswer?)
        }
        return sentence.found(try engine.questions.order(id, at: clock.now()))
    }

    /// Whether two names mean one order.
    func sameOrder(_ sentence: Sentence) -> Sentence {
        let (one, other) = (orders[sentence[.order] ?? ""], orders[sentence[.other] ?? ""])
        var told = sentence
        told.verb =
            (one != nil && one == other ? StoryExpectation.sameOrder : .otherOrder).rawValue
        return told
    }

    /// The order that was made for a payment, beside the one that its token names.
    func ownOrder(_ sentence: Sentence) throws(EngineError) -> Sentence {
        var all: [OrderAnswer] = []
        for account in accounts {
            all += try engine.questions.orders(of: account, at: clock.now(), limit: 100).orders
        }
        return sentence.found(all, paying: transaction(sentence[.purchase]), named: orders)
    }

    func lost(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let all = try engine.questions.lostOrders(after: .zero, at: clock.now(), limit: 100)
        let found: LostOrder?
        switch StoryExpectation(rawValue: sentence.verb) {
        case .lostOrder?:
            found = all.orders.first { $0.id != nil && $0.id == orders[sentence[.order] ?? ""] }
        case .lostPayment?:
            let id = transaction(sentence[.purchase])
            found = all.orders.first { $0.id == nil && $0.transaction == id }
        default: found = all.orders.first
        }
        guard let found else {
            return Sentence(verb: StoryExpectation.nothingLost.rawValue)
        }
        var told = sentence
        if sentence.verb == StoryExpectation.nothingLost.rawValue {
            let name = orders.first { $0.value == found.id }?.key
            told.verb = (name == nil ? StoryExpectation.lostPayment : .lostOrder).rawValue
            told.values[.order] = name.map { SentenceValue($0) }
            told.values[.purchase] = name == nil ? SentenceValue("?") : nil
        }
        told.values[.reason] = SentenceValue(found.reason.rawValue)
        return told
    }

    func refundRequest(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let requests = try refundRequests()
        let number = Int(sentence.number(.number) ?? 0)
        let request = requests.indices.contains(number - 1) ? requests[number - 1] : nil
        return sentence.found(request, language)
    }

    func appleTold(_ sentence: Sentence) -> Sentence {
        let (words, numbers) = (appStore.told, appStore.toldInNumbers)
        var told = sentence
        switch StoryExpectation(rawValue: sentence.verb) {
        case .appleToldCount?:
            told.values[.number] = SentenceValue("\(words.count + numbers.count)")
            return told
        case .appleToldNumbers?:
            let id = transaction(sentence[.purchase])
            return numbers.last { $0.transaction == id }.map { inNumbers($0.report, told) }
                ?? Sentence(verb: StoryExpectation.appleToldNothing.rawValue)
        case .appleTold?:
            let id = transaction(sentence[.purchase])
            return words.last { $0.transaction == id }.map { inWords($0.report, told) }
                ?? Sentence(verb: StoryExpectation.appleToldNothing.rawValue)
        default:
            if let last = words.last {
                told.values[.purchase] = SentenceValue(name(of: last.transaction))
                return inWords(last.report, told)
            }
            guard let last = numbers.last else { return sentence }
            told.values[.purchase] = SentenceValue(name(of: last.transaction))
            return inNumbers(last.report, told)
        }
    }

    private func name(of transaction: TransactionID) -> String {
        store.purchases.first { $0.value.transaction.transactionID == transaction.text }?.key
            ?? "?"
    }

    private func inWords(_ report: ConsumptionReport, _ sentence: Sentence) -> Sentence {
        var values = sentence.values
        values[.preference] = SentenceValue(report.preference?.rawValue ?? "none")
        values[.delivery] = SentenceValue(report.delivery.rawValue)
        values[.percent] = report.consumedMilliPercent.map { SentenceValue("\($0 / 1_000)") }
        let yes = SentenceValue("true")
        values[.noPercent] = report.consumedMilliPercent == nil ? yes : nil
        values[.tried] = report.hadSample ? yes : nil
        values[.untried] = report.hadSample ? nil : yes
        return Sentence(verb: StoryExpectation.appleTold.rawValue, values: values)
    }

    private func inNumbers(_ report: FirstConsumptionReport, _ sentence: Sentence) -> Sentence {
        var values = sentence.values
        let fields: [(SentenceSlot, FirstConsumptionReport.Field)] = [
            (.consumption, .consumptionStatus), (.delivery, .deliveryStatus),
            (.preference, .refundPreference),
        ]
        for (slot, field) in fields {
            values[slot] = SentenceValue(report.fields[field].map { "\($0)" } ?? "none")
        }
        return Sentence(verb: StoryExpectation.appleToldNumbers.rawValue, values: values)
    }
}
