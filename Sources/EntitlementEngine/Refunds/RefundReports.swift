package import EntitlementAnswers
package import EntitlementDerivation
package import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

extension LedgerQuestions {
    /// Refund requests in the ledger's order: those that are open, or all of them. Blocks.
    package func refundRequests(
        after place: LedgerSequence, onlyOpen: Bool, at instant: Instant, limit: Int
    ) throws(EngineError) -> RefundRequestList {
        let policy = policy
        return try ledger.reading { reader throws(LedgerError) in
            let reading = RefundReading(reader: reader, policy: policy)
            let from =
                onlyOpen ? max(place, try reading.beginningOfWindow(at: instant)) : place
            let events = try reading.allEvents(after: from)
            let latest = events.byTransaction
            let revision = try reader.head().sequence
            var list = RefundRequestList(
                at: instant, sends: refunds != nil, requests: [], next: nil, revision: revision)
            for event in events where event.isRequest {
                if onlyOpen, instant >= event.due { continue }
                let later = latest.later(than: event)
                let standing = try reading.standing(of: event, later: later, at: instant)
                if onlyOpen, standing.state != .open { continue }
                guard list.requests.count < limit else {
                    list.next = list.requests.last?.request
                    break
                }
                list.requests.append(answer(about: standing))
            }
            return list
        }
    }

    /// Nil if it is not a refund request. Blocks.
    package func refundRequest(
        _ number: LedgerSequence, at instant: Instant
    ) throws(EngineError) -> RefundRequestAnswer? {
        let policy = policy
        return try ledger.reading { reader throws(LedgerError) in
            let reading = RefundReading(reader: reader, policy: policy)
            guard let event = try reading.event(at: number), event.isRequest else { return nil }
            return answer(about: try reading.standing(of: event, at: instant))
        }
    }

    /// The open ones about some purchases.
    func openRefundRequests(
        about purchases: Set<TransactionKey>, at instant: Instant, _ reader: any LedgerReading
    ) throws(LedgerError) -> [RefundRequestAnswer] {
        guard !purchases.isEmpty else { return [] }
        let reading = RefundReading(reader: reader, policy: policy)
        let events = try reading.allEvents(after: reading.beginningOfWindow(at: instant))
            .filter { $0.transaction.map(purchases.contains) ?? false }
        var open: [RefundRequestAnswer] = []
        for event in events where event.isRequest && instant < event.due {
            let later = events.filter { $0.follows(event) }
            let standing = try reading.standing(of: event, later: later, at: instant)
            if standing.state == .open { open.append(answer(about: standing)) }
        }
        return open
    }

    /// With what this process knows of calls.
    private func answer(about standing: RefundStanding) -> RefundRequestAnswer {
        var answer = RefundRequestAnswer(standing)
        guard standing.state == .open, let open = refunds?[standing.event.place] else {
            return answer
        }
        answer.attempts = open.attempts
        if standing.statement != nil { answer.nextAttempt = open.nextLook }
        answer.failure = open.failure.flatMap { failure in
            AppStoreTrouble(rawValue: failure.closingCode).map {
                TicketFailure($0, status: failure.code.map(Int64.init))
            }
        }
        return answer
    }

    /// The answers of a policy to all requests of the ledger, with every customer's consent. Blocks
    /// while it reads all of them.
    ///
    /// - Parameters:
    ///   - candidate: nil for the policy in force.
    ///   - limit: how many of the newest are listed; all are counted.
    package func previewRefunds(
        under candidate: Policy?, after place: LedgerSequence = .zero, at instant: Instant,
        limit: Int
    ) throws(EngineError) -> RefundPreview {
        var policy = policy
        if let candidate, candidate.digest != policy.digest {
            var history = policy.history
            history.activate(
                candidate, at: max(instant, history.activations.map(\.activatedAt).max() ?? instant)
            )
            policy = ActivePolicy(history)
        }
        return try ledger.reading { [policy] reader throws(LedgerError) in
            let reading = RefundReading(reader: reader, policy: policy)
            let events = try reading.allEvents()
            let latest = events.byTransaction
            var counts = RefundCounts()
            var rows: [RefundRequestAnswer] = []
            for event in events where event.isRequest {
                var standing = try reading.standing(
                    of: event, later: latest.later(than: event), at: instant)
                // By the policy in question, even if an answer was begun.
                standing.begun = nil
                counts.add(standing)
                rows.append(RefundRequestAnswer(previewing: standing))
            }
            let earlier = rows.filter { $0.request < place.orNewest }
            let page = earlier.suffix(limit)
            return RefundPreview(
                at: instant, policy: policy.digest, requests: Array(page),
                next: page.count < earlier.count ? page.first?.request : nil,
                counts: counts.answers, revision: try reader.head().sequence)
        }
    }
}

extension [RefundEvent] {
    fileprivate var byTransaction: [TransactionKey: [RefundEvent]] {
        reduce(into: [:]) { found, event in
            if let transaction = event.transaction { found[transaction, default: []].append(event) }
        }
    }
}

extension [TransactionKey: [RefundEvent]] {
    fileprivate func later(than event: RefundEvent) -> [RefundEvent] {
        event.transaction.flatMap { self[$0] }?.filter { $0.follows(event) } ?? []
    }
}

/// The requests of a preview by what would be answered, with the money.
private struct RefundCounts {
    private var counts: [RefundAnswerWord: Int64] = [:]
    private var withoutConsent: [RefundAnswerWord: Int64] = [:]
    private var amounts: [RefundAnswerWord: [String: Int64]] = [:]

    mutating func add(_ standing: RefundStanding) {
        let word = RefundAnswerWord(standing)
        counts[word, default: 0] += 1
        if standing.obstacle == .noConsent { withoutConsent[word, default: 0] += 1 }
        guard let price = standing.evaluation?.price, let currency = price.currency else { return }
        let sum = amounts[word, default: [:]][currency, default: 0]
        let (more, isTooMuch) = sum.addingReportingOverflow(price.milliunits)
        amounts[word, default: [:]][currency] = isTooMuch ? .max : more
    }

    var answers: [RefundAnswerCount] {
        RefundAnswerWord.allCases.compactMap { word in
            guard let count = counts[word] else { return nil }
            let sums = (amounts[word] ?? [:]).sorted { $0.key < $1.key }
            return RefundAnswerCount(
                answer: word, count: count, withoutConsent: withoutConsent[word] ?? 0,
                amounts: sums.map { PriceAnswer(Price(milliunits: $0.value, currency: $0.key)) })
        }
    }
}

extension RefundAnswerWord {
    init(_ standing: RefundStanding) {
        switch standing.told?.preference {
        case .grantFull: self = .grantFull
        case .grantProrated: self = .grantProrated
        case .decline: self = .decline
        case nil: self = .nothing
        }
    }
}

extension RefundStanding {
    /// The answer with consent; nil if none may be sent even then.
    var told: RefundStatement? { obstacle == nil || obstacle == .noConsent ? words : nil }
}

extension RefundRequestAnswer {
    init(_ standing: RefundStanding) {
        self.init(facts: standing)
        if let answer = standing.answer {
            statement = answer.value.statement.map(RefundStatementAnswer.init)
            if let rule = answer.value.rule { self.rule = rule }
            notes = []
            answered = RefundAnsweredAnswer(answer)
        } else {
            statement = standing.told.map(RefundStatementAnswer.init)
            begun = standing.begun.map(RefundAnsweredAnswer.init)
            if let begun = standing.begun?.value {
                rule = begun.rule ?? rule
                if begun.statement != standing.evaluation?.statement { notes = [] }
            }
        }
    }

    /// As it would have been answered, whatever has been.
    init(previewing standing: RefundStanding) {
        self.init(facts: standing)
        statement = standing.told.map(RefundStatementAnswer.init)
    }

    private init(facts standing: RefundStanding) {
        let (event, evaluation) = (standing.event, standing.evaluation)
        self.init(
            request: event.place, state: standing.state, environment: event.environment,
            askedAt: event.signedDate, dueAt: event.due, rule: evaluation?.rule)
        decision = standing.decision
        transaction = event.notice?.transaction
        reason = event.notice?.reason
        product = evaluation?.product
        kind = evaluation?.kind
        account = evaluation?.account
        purchasedAt = evaluation?.purchasedAt
        price = evaluation?.price.map(PriceAnswer.init)
        hasConsented = evaluation?.consent?.value.isGiven ?? false
        answer = evaluation?.answer
        consumed = evaluation?.consumed
        notes = (evaluation?.notes ?? []).map(RefundNoteAnswer.init)
        obstacle = standing.obstacle.map(RefundObstacleAnswer.init)
    }
}

extension EntitlementEngine {
    /// The open requests by why nothing was sent yet; nil for those that something may be sent for.
    package var openRefunds: [RefundObstacle?: Int64] {
        refundQueue.cases.reduce(into: [:]) { $0[$1.obstacle, default: 0] += 1 }
    }

    /// Seconds until the first open request lapses that an answer is wanted for; nil where none is.
    package func secondsUntilRefundLapses(at instant: Instant) -> Int64? {
        refundQueue.cases.first { $0.isWanted }.map {
            max(0, $0.event.due.milliseconds(since: instant)) / 1_000
        }
    }

    /// The outcomes of requests in this process.
    package var refundOutcomes: [RefundOutcome: Int64] { refundQueue.outcomes }
}
