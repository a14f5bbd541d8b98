internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import Sentences
internal import StoreBox

/// What must be true. Whatever a story expects is answered in its own words: what is found is a
/// sentence of the same form.
extension StoryRun {
    mutating func check(
        _ expectation: StoryExpectation, _ step: StoryStep
    ) async throws(EngineError) {
        if let account = step.sentence[.account].flatMap({ AccountID($0) }) {
            accounts.insert(account)
        }
        let found: Sentence
        switch expectation {
        case .rejected:
            found = Sentence(
                verb: step.sentence.verb,
                values: [.code: SentenceValue(rejection?.code ?? "none")])
            rejection = nil
        case .change, .noChange, .told, .untold:
            while try await engine.advanceFeed(at: clock.now()) {}
            found = try change(step.sentence)
        default: found = try self.found(expectation, step.sentence)
        }
        guard !step.sentence.holds(in: found) else { return }
        let told = found.shortened(for: step.sentence)
        fail(
            step, .expectationFailed,
            [
                .plain(step.sentence.expected(in: language)),
                .plain(told.expected(in: language)),
            ],
            try explanation(of: step.sentence))
    }

    private func found(
        _ expectation: StoryExpectation, _ sentence: Sentence
    ) throws(EngineError) -> Sentence {
        switch expectation {
        case .has, .lacks: try right(sentence)
        case .balance, .lapse: try balance(sentence)
        case .finding, .noFinding: try finding(sentence)
        case .preflight: try preflight(sentence)
        case .owner, .noOwner: try owner(sentence)
        case .claim: try claim(sentence)
        case .order: try order(sentence)
        case .tokenSet, .tokenWaits: try token(sentence)
        case .sameOrder, .otherOrder: sameOrder(sentence)
        case .ownOrder: try ownOrder(sentence)
        case .lostOrder, .lostPayment, .nothingLost: try lost(sentence)
        case .refundRequest: try refundRequest(sentence)
        case .appleTold, .appleToldNumbers, .appleToldCount, .appleToldNothing:
            appleTold(sentence)
        case .change, .noChange, .told, .untold, .rejected: sentence
        }
    }

    // MARK: Rights and balances

    private func right(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let key = RightKey(
            environment(sentence), EntitlementName(unchecked: sentence[.entitlement] ?? ""))
        let answer = try engine.questions.answer(key, of: sentence.account, at: clock.now())
        return StoryAnswers.right(of: sentence.account, answer, language)
    }

    private func balance(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let (packed, _) = try engine.questions.account(sentence.account)
        let balances = packed.balances(in: environment(sentence), at: clock.now())
        return sentence.found(balances.first { $0.credit.text == sentence[.credit] })
    }

    private func environment(_ sentence: Sentence) -> StoreEnvironment {
        sentence[.environment].flatMap { StoreEnvironment(rawValue: $0) } ?? story.environment
    }

    private func change(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let page = try engine.questions.changes(
            after: nil, matching: ChangeFilter(account: sentence.account), limit: 1_000,
            at: clock.now())
        let rights = page.changes.map(\.change).filter { $0.at <= clock.now() }
        return sentence.found(rights)
    }

    // MARK: Findings, preflight, owners, claims

    private func finding(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let about = sentence[.account].flatMap { AccountID($0) }
        let kind = sentence[.finding].flatMap(Finding.Kind.init)
        // Those of the whole ledger: some are about no account.
        var standing = try engine.questions.findings(
            of: kind, after: nil, at: clock.now(), limit: 1_000
        ).findings
        if let about {
            standing.removeAll { !$0.accounts.contains(about) }
            standing += try engine.questions.findings(of: about, at: clock.now()).findings.filter {
                $0.kind == kind && $0.interval.contains(clock.now())
            }
        }
        return sentence.found(isThere: !standing.isEmpty)
    }

    private func preflight(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let request = PreflightRequest(sentence, store, story.environment)
        return sentence.found(try engine.questions.preflight(request, at: clock.now()).verdict)
    }

    private func owner(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let purchase = store.purchases[store.meant(by: sentence[.purchase] ?? "")]
        var reports: [AccountReport] = []
        for account in accounts {
            reports.append(try engine.questions.report(on: account, at: clock.now()))
        }
        return sentence.found(reports.owners(of: purchase, at: clock.now()))
    }

    /// The token that Apple has for a purchase, or that waits to be set.
    private func token(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let name = store.meant(by: sentence[.purchase] ?? "")
        let lineage = store.purchases[name].map {
            TransactionID(unchecked: $0.transaction.originalTransactionID)
        }
        var told = sentence
        let token = AppAccountToken(store.names.token(of: sentence.account.text))
        if let lineage, let set = appStore.tokens[lineage], AppAccountToken(set) == token {
            told.verb = StoryExpectation.tokenSet.rawValue
            return told
        }
        told.verb = StoryExpectation.tokenWaits.rawValue
        let waiting = try engine.questions.waitingTickets(
            after: .zero, at: clock.now(), limit: 100
        ).tickets.last { $0.form == .accountToken && $0.transaction == lineage }
        told.values[.account] = SentenceValue(waiting?.account?.text ?? "nobody")
        return told
    }

    private func claim(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let name = store.meant(by: sentence[.purchase] ?? "")
        return sentence.found(try claims(on: name, by: sentence.account).last, language)
    }
}

extension Sentence {
    var account: AccountID { AccountID(unchecked: self[.account] ?? "") }

    /// Whether what was found says at least what was expected.
    func holds(in found: Sentence) -> Bool {
        guard verb == found.verb else { return false }
        return values.allSatisfy { slot, value in
            guard let other = found[slot] else { return false }
            // Rules that no policy has can be named in either language.
            if slot == .rule, let rule = BuiltInRule(named: value.text) {
                return BuiltInRule(named: other) == rule
            }
            guard slot.kind == .date else { return value.text == other }
            return Instant(rfc3339: value.text) == Instant(rfc3339: other)
        }
    }
}

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

/// Answers in the words of a story.
enum StoryAnswers {
    static func right(
        of account: AccountID, _ answer: Answer, _ language: Language = .english
    ) -> Sentence {
        var values: [SentenceSlot: SentenceValue] = [
            .account: SentenceValue(account.text),
            .entitlement: SentenceValue(answer.entitlement.text),
            .environment: SentenceValue(answer.environment.rawValue),
            .rule: SentenceValue(answer.rule.name(in: language)),
        ]
        values[.state] = answer.state.map { SentenceValue($0.rawValue) }
        values[.reason] = answer.expiryReason.map { SentenceValue($0.rawValue) }
        values[.until] = answer.until.map { SentenceValue($0.storyText) }
        if answer.until == nil { values[.always] = SentenceValue("true") }
        values[.paidUntil] = answer.paidUntil.map { SentenceValue($0.storyText) }
        let verb: StoryExpectation = answer.decision ? .has : .lacks
        return Sentence(verb: verb.rawValue, values: values)
    }
}

extension Instant {
    /// As a story writes it: a day where it is midnight.
    var storyText: String {
        let text = rfc3339.replacing(".000Z", with: "Z")
        return text.hasSuffix("T00:00:00Z") ? String(text.prefix(10)) : text
    }
}

extension StoryRun {
    /// Why the answer is what it is, a sentence a line; of rights only.
    func explanation(of sentence: Sentence) throws(EngineError) -> [String] {
        guard let name = sentence[.entitlement], let entitlement = EntitlementName(name),
            let account = sentence[.account].flatMap({ AccountID($0) })
        else { return [] }
        let key = RightKey(story.environment, entitlement)
        let told = try engine.questions.explain(key, of: account, at: clock.now())
        let rule = told.answer.rule
        let place =
            rule.isBuiltIn
            ? StoryPhrase.builtIn.text(language) : "\(rule.file):\(rule.line)"
        var lines = [
            StoryPhrase.decidedBy.text(language, rule.name(in: language), place)
        ]
        for unit in told.units {
            guard let state = unit.state else { continue }
            lines.append(
                StoryPhrase.unitIs.text(
                    language, unit.product?.text ?? "?", state.rawValue,
                    unit.paidUntil?.storyText ?? "–"))
            if !unit.isOwned { lines.append(StoryPhrase.ownedByAnother.text(language)) }
        }
        if told.units.isEmpty { lines.append(StoryPhrase.nothingGivesIt.text(language)) }
        if let until = told.answer.until {
            lines.append(StoryPhrase.changesAt.text(language, until.storyText))
        }
        return lines
    }
}
