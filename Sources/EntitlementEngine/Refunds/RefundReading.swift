internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import EvidenceVerification
internal import LedgerModel

/// A notification about a refund, with the purchase that it is about.
struct RefundEvent: Sendable {
    let place: LedgerSequence
    let recordedAt: Instant
    let signedDate: Instant
    let environment: StoreEnvironment
    /// False for the word that Apple has declined a refund.
    let isRequest: Bool
    /// Nil where the evidence was erased, or names no transaction.
    let notice: RefundNotice?

    var transaction: TransactionKey? {
        notice.map { TransactionKey(environment, $0.transaction) }
    }

    /// Nil if it is not a request, or names no transaction.
    var request: RefundRequest? {
        guard isRequest, let notice, let transaction else { return nil }
        return RefundRequest(
            transaction: transaction, askedAt: signedDate, reason: notice.reason,
            isAdvancedCommerce: notice.isAdvancedCommerce)
    }

    /// Apple takes no answer from here on.
    var due: Instant { signedDate.advanced(byMilliseconds: RefundRequest.window) }
}

/// Reads refund requests within one view of the ledger.
struct RefundReading {
    let reader: any LedgerReading
    let policy: ActivePolicy

    /// How many notifications are looked up at once.
    static let portion = 256
    /// Milliseconds before the twelve hours in which a request may have been recorded that is still
    /// due: clocks differ, and a ledger's instants never go back.
    static let margin: Int64 = 24 * 3_600_000

    /// Nil if it is not a notification about a refund.
    func event(at place: LedgerSequence) throws(LedgerError) -> RefundEvent? {
        guard let entry = try reader.entry(place), case .notification(let fact) = entry.value,
            fact.isAboutRefund
        else { return nil }
        var notice: RefundNotice?
        if case .evidence(let record)? = try reader.entry(fact.evidence)?.value {
            notice = RefundNotice(reading: record.bytes)
        }
        return RefundEvent(
            place: place, recordedAt: entry.recordedAt, signedDate: fact.signedDate,
            environment: fact.environment,
            isRequest: fact.type == RefundRequest.notificationType, notice: notice)
    }

    /// The next ones, in the ledger's order; fewer than `portion` at the end.
    func events(after place: LedgerSequence) throws(LedgerError) -> [RefundEvent] {
        var events: [RefundEvent] = []
        for place in try reader.refundNotifications(after: place, limit: Self.portion) {
            if let event = try event(at: place) { events.append(event) }
        }
        return events
    }

    /// All of them, in the ledger's order.
    func allEvents(after place: LedgerSequence = .zero) throws(LedgerError) -> [RefundEvent] {
        var (events, last) = ([RefundEvent](), place)
        while true {
            let places = try reader.refundNotifications(after: last, limit: Self.portion)
            guard let next = places.last else { return events }
            for place in places {
                if let event = try event(at: place) { events.append(event) }
            }
            last = next
        }
    }

    /// The entry after which every request is that may still be due at the instant.
    func beginningOfWindow(at instant: Instant) throws(LedgerError) -> LedgerSequence {
        try reader.lastEntry(
            recordedBy: instant.advanced(byMilliseconds: -RefundRequest.window - Self.margin))
    }

    /// The policy's answer; nil if no purchase of it has effect.
    func evaluate(_ request: RefundRequest) throws(LedgerError) -> RefundEvaluation? {
        let deriver = policy.deriver
        let facts = try reader.facts(forTransactions: [request.transaction])
        guard let account = deriver.account(of: request, facts) else {
            return deriver.evaluate(request, facts)
        }
        return deriver.evaluate(request, try reader.facts(forAccount: account))
    }

    /// The state of a request at the instant.
    ///
    /// - Parameter later: what Apple has said of the same purchase since.
    func standing(
        of event: RefundEvent, _ evaluation: RefundEvaluation?, later: [RefundEvent],
        at instant: Instant
    ) throws(LedgerError) -> (state: RefundState, answer: Recorded<RefundAnswer>?) {
        let answer = try reader.refundAnswer(to: event.place, begun: false)
        if let answer { return (RefundState(answer.value.outcome), answer) }
        if evaluation?.decision(on: event, later: later) != nil { return (.decided, nil) }
        if later.contains(where: \.isRequest) { return (.superseded, nil) }
        return (instant < event.due ? .open : .lapsed, nil)
    }

    /// The same for one request, whose answer is searched in the entries after it.
    func standing(
        of event: RefundEvent, at instant: Instant
    ) throws(LedgerError) -> RefundStanding {
        let later = try allEvents(after: event.place).filter { $0.follows(event) }
        return try standing(of: event, later: later, at: instant)
    }

    func standing(
        of event: RefundEvent, later: [RefundEvent], at instant: Instant
    ) throws(LedgerError) -> RefundStanding {
        let evaluation = try event.request.flatMap { request throws(LedgerError) in
            try evaluate(request)
        }
        let (state, answer) = try standing(of: event, evaluation, later: later, at: instant)
        return RefundStanding(
            event: event, evaluation: evaluation, state: state, answer: answer,
            begun: answer == nil ? try reader.refundAnswer(to: event.place, begun: true) : nil,
            decision: evaluation?.decision(on: event, later: later))
    }
}

/// A request with all that there is to say of it at an instant.
struct RefundStanding: Sendable {
    let event: RefundEvent
    /// Nil where no purchase of it has effect.
    let evaluation: RefundEvaluation?
    let state: RefundState
    let answer: Recorded<RefundAnswer>?
    /// The answer that is going to be sent, or may have been; nil before, and once it is answered.
    var begun: Recorded<RefundAnswer>?
    /// Of Apple's.
    let decision: RefundDecision?

    /// Why nothing is sent; nil if something may be. A begun answer is finished, whatever the rules
    /// say now.
    var obstacle: RefundObstacle? {
        guard let evaluation else { return .unknownTransaction }
        guard begun != nil, evaluation.obstacle == .rule else { return evaluation.obstacle }
        return evaluation.consent?.value.isGiven == true ? nil : .noConsent
    }

    /// The answer to Apple, sent or possible; a begun one is final.
    var words: RefundStatement? { begun?.value.statement ?? evaluation?.statement }

    /// The answer to send now; nil if none may be, or has to be.
    var statement: RefundStatement? {
        state == .open && obstacle == nil ? words : nil
    }

    /// Whether a person should examine it before its deadline: an answer is wanted, and only an
    /// account or its consent may be missing.
    var isWanted: Bool {
        guard state == .open, words != nil else { return false }
        return [nil, .noConsent, .unowned].contains(obstacle)
    }
}

extension RefundEvent {
    /// Whether it is about the same purchase and later.
    func follows(_ other: RefundEvent) -> Bool {
        transaction != nil && transaction == other.transaction
            && (signedDate, place) > (other.signedDate, other.place)
    }
}

extension RefundEvaluation {
    fileprivate func decision(on event: RefundEvent, later: [RefundEvent]) -> RefundDecision? {
        if revokedAt != nil { return .refunded }
        return later.contains { !$0.isRequest } ? .declined : nil
    }
}

extension RefundState {
    init(_ outcome: RefundAnswer.Outcome) {
        switch outcome {
        case .begun: self = .open
        case .sent: self = .sent
        case .refused: self = .refused
        case .byPerson: self = .answered
        }
    }
}
