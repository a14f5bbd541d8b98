internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyLoading
internal import Sentences
internal import StoreBox

/// What happens in a story.
extension StoryRun {
    static let cause = AdminActionCause(actor: "story", reason: "a story")

    mutating func perform(_ step: StoryStep) async throws(EngineError) {
        note(step.sentence)
        if StoreVerb(rawValue: step.sentence.verb) != nil {
            return try await performInStore(step)
        }
        guard let verb = StoryVerb(rawValue: step.sentence.verb) else { return }
        switch verb {
        case .presents, .appleTells: try await present(step)
        case .registersToken: try await registerToken(step)
        case .grants, .grantsCredit, .revokesGrant: try await give(step, verb)
        case .blocks, .blocksSpending, .liftsBlock: try await block(step, verb)
        case .closes:
            let id = BlockID(unchecked: nextKey("block"))
            note(try await engine.close(step.account, id: id, Self.cause), step)
        case .reopens: note(try await engine.reopen(step.account, Self.cause), step)
        case .erases:
            let request = ErasureRequest(
                step.account, for: ErasureReference(unchecked: nextKey("erasure")))
            let id = BlockID(unchecked: nextKey("block"))
            note(try await engine.erase(request, id: id, Self.cause), step)
        case .approves, .refuses, .transfers, .releases: try await rule(step, verb)
        case .merges, .undoesMerge: try await merge(step, verb)
        case .spends, .holds, .captures, .releasesHold, .reversesSpend, .thaws:
            try await credit(step, verb)
        case .makesOrder, .reportsOrder, .settlesOrder, .refusesOrder, .undoesOrder,
            .reassignsOrder:
            try await order(step, verb)
        case .reportsInvalid, .reportsValid: try await report(step)
        case .consents, .withdrawsConsent:
            _ = try await engine.record(
                RefundConsent(
                    account: step.account, isGiven: verb == .consents, actor: "story",
                    reason: "a story"))
            await answerRefunds(until: clock.now())
        case .answersRefund: try await answerRefund(step)
        case .appleIsAway: appStore.setAway(true)
        case .appleIsBack: appStore.setAway(false)
        case .policyChanges: try await changePolicy(step)
        case .nothingHappens: break
        }
    }

    private mutating func note(_ sentence: Sentence) {
        for slot in [SentenceSlot.account, .into] {
            if let name = sentence[slot], let account = AccountID(name) {
                accounts.insert(account)
            }
        }
    }

    // MARK: The store

    private mutating func performInStore(_ step: StoryStep) async throws(EngineError) {
        var sentence = step.sentence
        if let name = sentence[.order], AppAccountToken(name) == nil {
            guard let id = orders[name] else { return reject(name, step) }
            sentence.values[.order] = SentenceValue(id.text)
        }
        do throws(PlayMistake.Reason) {
            let action = try recovering(PlayAction(sentence))
            let at = max(step.at, store.at)
            do throws(PlayMistake) {
                try store.play(PlayStep(line: step.place.line, at: at, action: action))
            } catch {
                throw error.reason
            }
        } catch {
            return fail(step, .stepFailed, [.plain(error.text(language))])
        }
        if sentence.verb == StoreVerb.refundIsAskedFor.rawValue {
            refundsUntil = step.at.advanced(byMilliseconds: 86_400_000)
        }
        try await submitEvents()
        await answerRefunds(until: clock.now())
    }

    /// A renewal after a failure is a recovery.
    private func recovering(_ action: PlayAction) -> PlayAction {
        guard case .event(let name, .renews) = action,
            store.purchases[store.meant(by: name)]?.renewal?.isInBillingRetryPeriod == true
        else { return action }
        return .event(name, .recovers)
    }

    private mutating func present(_ step: StoryStep) async throws(EngineError) {
        let name = store.meant(by: step.sentence[.purchase] ?? "")
        guard var transaction = store.purchases[name]?.transaction else {
            return fail(step, .unknownStoryName, [.written(name)])
        }
        let order = step.sentence[.order].flatMap { orders[$0] }
        transaction.signedDate = clock.now()
        try await submit(
            signing.store.sign(transaction.payload), for: step.sentence[.account],
            step.sentence.has(.account) ? .purchase : nil, order: order, at: step)
    }

    private mutating func registerToken(_ step: StoryStep) async throws(EngineError) {
        guard let token = AppAccountToken(store.names.token(of: step.account.text)) else {
            return
        }
        note(try await engine.register(token, for: step.account, Self.cause), step)
    }

    /// What the app of an account found at the store.
    private mutating func report(_ step: StoryStep) async throws(EngineError) {
        let product = step.sentence[.product].flatMap { store.products[$0]?.id }
        let outcome = try await engine.record(
            StoreReport(
                account: step.account, environment: story.environment,
                invalidProducts: [product].compactMap { $0.map(ProductID.init(unchecked:)) },
                actor: "story"))
        if case .tooMany = outcome { reject("catalog.too-many-reports", step) }
    }

    // MARK: Support

    mutating func note<Done>(_ report: AdminActionReport<Done>, _ step: StoryStep) {
        if case .rejected(let rejection) = report { reject(rejection.code.rawValue, step) }
    }

    private mutating func give(_ step: StoryStep, _ verb: StoryVerb) async throws(EngineError) {
        let sentence = step.sentence
        if verb == .revokesGrant {
            guard let id = gifts[sentence[.grant] ?? ""] else { return }
            return note(try await engine.revokeGrant(id, Self.cause), step)
        }
        let gift: GrantedGift =
            verb == .grants
            ? .entitlement(EntitlementName(unchecked: sentence[.entitlement] ?? ""))
            : .credit(
                CreditName(unchecked: sentence[.credit] ?? ""),
                units: sentence.number(.units) ?? 0)
        let id = GrantID(unchecked: nextKey("grant"))
        gifts[sentence[.name] ?? step.account.text] = id
        note(
            try await engine.grant(
                GrantRequest(
                    id: id, account: step.account, environment: story.environment, gift: gift,
                    until: sentence.date(.until), cause: Self.cause)), step)
    }

    private mutating func block(_ step: StoryStep, _ verb: StoryVerb) async throws(EngineError) {
        let sentence = step.sentence
        if verb == .liftsBlock {
            guard let id = blocks[sentence[.block] ?? ""] else { return }
            return note(try await engine.liftBlock(id, Self.cause), step)
        }
        let id = BlockID(unchecked: nextKey("block"))
        blocks[sentence[.name] ?? step.account.text] = id
        let scope = BlockScope(
            entitlements: sentence[.entitlement].map { [EntitlementName(unchecked: $0)] } ?? [],
            credits: sentence[.credit].map { [CreditName(unchecked: $0)] } ?? [])
        note(try await engine.block(step.account, scope: scope, id: id, Self.cause), step)
    }

    private mutating func rule(_ step: StoryStep, _ verb: StoryVerb) async throws(EngineError) {
        let rulings: [StoryVerb: Ruling.Verb] = [
            .approves: .approve, .refuses: .refuse, .transfers: .transfer, .releases: .release,
        ]
        let name = store.meant(by: step.sentence[.purchase] ?? "")
        let claimant: AccountID? =
            verb == .approves || verb == .refuses ? step.account : nil
        guard let claim = try claims(on: name, by: claimant).last else {
            return reject(AdminActionRejection.unknownClaim.code.rawValue, step)
        }
        let account: AccountID? =
            switch verb {
            case .transfers: step.account
            case .releases: step.sentence[.account].map { AccountID(unchecked: $0) }
            default: nil
            }
        note(
            try await engine.rule(
                RulingRequest(
                    verb: rulings[verb] ?? .approve, claim: claim.claim, account: account,
                    cause: Self.cause)), step)
    }

    /// All claims on a purchase in the ledger's order.
    func claims(
        on name: String, by account: AccountID?
    ) throws(EngineError) -> [ClaimAnswer] {
        var reports: [AccountReport] = []
        for account in accounts {
            reports.append(try engine.questions.report(on: account, at: clock.now()))
        }
        return reports.claims(on: store.purchases[name]).filter {
            account == nil || $0.account == account
        }
    }

    private mutating func merge(_ step: StoryStep, _ verb: StoryVerb) async throws(EngineError) {
        let report: AdminActionReport<Recorded<AccountMerge>>
        if verb == .merges {
            report = try await engine.merge(
                AccountMerge(
                    from: step.account, into: AccountID(unchecked: step.sentence[.into] ?? ""),
                    actor: "story", reason: "a story"))
        } else {
            guard let place = entries[.into]?[step.account.text] else {
                return reject(step.account.text, step)
            }
            report = try await engine.undoMerge(place, Self.cause)
        }
        if case .done(let merge) = report {
            entries[.into, default: [:]][step.account.text] = merge.sequence
        }
        note(report, step)
    }

    private mutating func answerRefund(_ step: StoryStep) async throws(EngineError) {
        let requests = try refundRequests()
        guard let number = step.sentence.number(.number),
            requests.indices.contains(Int(number) - 1)
        else { return reject(AdminActionRejection.unknownRefund.code.rawValue, step) }
        note(
            try await engine.recordAnswered(requests[Int(number) - 1].request, Self.cause), step)
    }

    func refundRequests() throws(EngineError) -> [RefundRequestAnswer] {
        try engine.questions.refundRequests(
            after: .zero, onlyOpen: false, at: clock.now(), limit: 1_000
        ).requests
    }

    private mutating func changePolicy(_ step: StoryStep) async throws(EngineError) {
        let folder = step.sentence[.folder] ?? ""
        guard let texts = options.readFolder(folder) else {
            return fail(step, .folderMissing, [.written(folder)])
        }
        let trusting = Self.trusting(&signing, story, texts)
        switch try await engine.activate(trusting) {
        case .activated, .unchanged: break
        case .waiting: reject("policy.waiting", step)
        case .rejected: reject("policy.refused", step)
        }
    }
}

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
