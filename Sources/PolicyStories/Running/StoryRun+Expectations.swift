internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
internal import StoreSimulator

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
        case .change, .noChange:
            while try await engine.advanceFeed(at: clock.now()) {}
            found = try change(step.sentence)
        default: found = try self.found(expectation, step.sentence)
        }
        guard !step.sentence.holds(in: found) else { return }
        let said = step.sentence.values.keys
        var told = found
        let always: Set<SentenceSlot> = [.state, .rule, .reason]
        told.values = found.values.filter {
            said.contains($0.key) || always.contains($0.key) || expectation.names($0.key)
        }
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
        case .balance: try balance(sentence)
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
        case .change, .noChange, .rejected: sentence
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
        let found = balances.first { $0.credit.text == sentence[.credit] }
        var told = sentence
        told.values[.units] = SentenceValue("\(found?.balance ?? 0)")
        return told
    }

    private func environment(_ sentence: Sentence) -> StoreEnvironment {
        sentence[.environment].flatMap { StoreEnvironment(rawValue: $0) } ?? story.environment
    }

    private func change(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let page = try engine.questions.changes(
            after: nil, matching: ChangeFilter(account: sentence.account), limit: 1_000,
            at: clock.now())
        let rights = page.changes.map(\.change).filter { $0.at <= clock.now() }
        guard sentence.verb == StoryExpectation.change.rawValue else {
            guard let first = rights.last else { return sentence }
            return Sentence(
                verb: StoryExpectation.change.rawValue,
                values: [
                    .account: SentenceValue(sentence.account.text),
                    .change: SentenceValue(first.kind.rawValue),
                    .entitlement: SentenceValue(first.subject),
                ])
        }
        let isGain = sentence[.change] == "gains"
        let wanted: FeedChange.Kind = isGain ? .rightGained : .rightLost
        let last = rights.last {
            $0.kind.isGainOrLoss && $0.subject == sentence[.entitlement]
        }
        guard last?.kind != wanted else { return sentence }
        return Sentence(
            verb: StoryExpectation.noChange.rawValue,
            values: [.account: SentenceValue(sentence.account.text)])
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
        let isThere = !standing.isEmpty
        var told = sentence
        told.verb =
            (isThere ? StoryExpectation.finding : .noFinding).rawValue
        return told
    }

    private func preflight(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let product = store.products[sentence[.product] ?? ""]?.id ?? sentence[.product] ?? ""
        let appleID = sentence[.appleID].flatMap {
            AppleIDKey(
                "atx:\(story.environment.rawValue):\(store.names.appTransactionID(of: $0))")
        }
        let request = PreflightRequest(
            account: sentence.account, product: ProductID(unchecked: product),
            environment: story.environment, appleID: appleID)
        let verdict = try engine.questions.preflight(request, at: clock.now()).verdict
        var told = sentence
        told.values[.verdict] = SentenceValue(verdict.effect.rawValue)
        let codes = verdict.notes.map(\.code.rawValue)
        if !codes.contains(sentence[.code] ?? "") {
            told.values[.code] = codes.first.map { SentenceValue($0) }
        }
        told.values[.outcome] = verdict.claim.map { SentenceValue($0.code) }
        return told
    }

    private func owner(_ sentence: Sentence) throws(EngineError) -> Sentence {
        let name = store.meant(by: sentence[.purchase] ?? "")
        let ids = Set((store.purchases[name]?.transactions ?? []).map(\.transactionID))
        let lineage = store.purchases[name]?.transaction.originalTransactionID
        var owners: Set<AccountID> = []
        for account in accounts {
            for unit in try engine.questions.report(on: account, at: clock.now()).units
            where unit.unit.isNamed(by: ids, lineage) {
                owners.formUnion(
                    unit.owners.filter { $0.interval.contains(clock.now()) }.map(\.account))
            }
        }
        var told = Sentence(verb: StoryExpectation.owner.rawValue, values: sentence.values)
        let asked = AccountID(unchecked: sentence[.account] ?? "")
        if let owner = owners.contains(asked) ? asked : owners.min() {
            told.values[.account] = SentenceValue(owner.text)
        } else {
            told.verb = StoryExpectation.noOwner.rawValue
            told.values[.account] = nil
        }
        return told
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
        let claim = try claims(on: name, by: sentence.account).last
        var told = sentence
        told.values[.outcome] = SentenceValue(claim?.outcome.rawValue ?? "none")
        told.values[.rule] = claim?.decision.map { SentenceValue($0.rule.name(in: language)) }
        return told
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

extension StoryExpectation {
    /// Whether the sentence cannot be written without the slot.
    fileprivate func names(_ slot: SentenceSlot) -> Bool {
        StoryExpectation.allCases.contains {
            storyTable[$0.rawValue]?.requiredSlots.contains(slot) == true
        }
    }
}

extension FeedChange.Kind {
    fileprivate var isGainOrLoss: Bool { self == .rightGained || self == .rightLost }
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
