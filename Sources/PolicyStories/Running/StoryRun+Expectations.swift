internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel
internal import PolicyLoading
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
        case .change, .noChange:
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
