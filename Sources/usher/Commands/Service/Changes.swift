internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import LedgerModel

/// `usher changes`: the change feed.
struct Changes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List what has changed: rights, owners, balances, findings, orders.",
        discussion: """
            Prints one line for each change, in the order of their numbers; with --json one object \
            a line. --after takes a number, or the 'cursor' of a change. --follow goes on with what \
            changes from now on, until it is interrupted. Asks the running service. With --ledger \
            it reads the ledger file instead, as far as a service has told the changes. Exit \
            codes: 0 all printed, 2 no answer.

            Example: usher changes --account alice
            """,
        subcommands: [ChangesUndelivered.self, ChangesResend.self, ChangesDiscard.self])

    @Option(help: .value("cursor", "Only what comes after this change."), transform: readCursor)
    var after: FeedCursor?

    @Option(help: "Only this account.", transform: readName)
    var account: AccountID?

    @Option(help: "Only this entitlement.", transform: readName)
    var entitlement: EntitlementName?

    @Option(help: "Only this kind.")
    var kind: FeedChange.Kind?

    @Flag(help: "Go on with what changes from now on.")
    var follow = false

    @OptionGroup var reading: ReadingOptions

    /// Of a page.
    private static let limit = 500

    func validate() throws {
        if reading.at != nil { throw ValidationError(.changesNow) }
        try reading.requirePresent()
        if follow, reading.ledger != nil {
            throw ValidationError(.followService)
        }
        if filter.isContradictory {
            throw ValidationError(.contradiction)
        }
    }

    private var filter: ChangeFilter {
        ChangeFilter(account: account, entitlement: entitlement, kind: kind)
    }

    func run() throws {
        try reading.output.attempt(quiet: reading.quiet) { () throws(CommandFailure) in
            var place = after
            while true {
                let answer = try page(after: place)
                try show(answer.value)
                place = answer.value.next
                if answer.value.isAtHead, !follow { return }
            }
        }
    }

    private func page(after place: FeedCursor?) throws(CommandFailure) -> Answered<ChangePage> {
        let query: Parameters = [
            ("limit", "\(Self.limit)"), ("after", place?.text), ("account", account?.text),
            ("entitlement", entitlement?.text), ("kind", kind?.rawValue),
            ("wait", follow ? "20s" : nil),
        ]
        return try reading.answer("/v1/changes", query) { questions throws(EngineError) in
            try questions.changes(
                after: place, matching: filter, limit: Self.limit,
                at: reading.instant(of: questions))
        }
    }

    private func show(_ page: ChangePage) throws(CommandFailure) {
        guard !page.changes.isEmpty else { return }
        try reading.output.show(quiet: reading.quiet) {
            // The last line ends with what is printed.
            Array(page.changes.map(\.json).joined(separator: Array("\n".utf8)))
        } as: {
            $0.write(page)
        }
    }
}

extension FeedChange.Kind: ExpressibleByArgument {}

/// Reads a place in the feed.
private func readCursor(_ text: String) throws -> FeedCursor {
    guard let cursor = FeedCursor(text) else {
        throw ValidationError(.notCursor, text)
    }
    return cursor
}

/// The page of `usher changes`.
extension Page {
    mutating func write(_ page: ChangePage) {
        table(page.changes.map(cells), indentedBy: 0)
    }

    /// The changes that would be sent again, or never.
    mutating func write(_ delivery: EffectDelivery) {
        let receiver = Phrase.bracketed.text(
            language, delivery.subscription.shown, (delivery.receiver ?? "-").shown)
        add(
            delivery.isSentAgain ? EffectPagePhrase.sentAgain : .struckOff, "\(delivery.count)",
            receiver)
        table(delivery.changes.map(cells))
        let more = delivery.count - Int64(delivery.changes.count)
        if more > 0 { add(EffectPagePhrase.more, "\(more)") }
    }

    private func cells(_ answer: ChangeAnswer) -> [String] {
        let change = answer.change
        var subject = change.kind == .policyActivated ? "" : change.subject
        if let environment = change.environment, environment != .production {
            subject += " (\(environment.rawValue))"
        }
        return [
            "\(answer.cursor.number)", change.at.date, change.account?.text ?? "-",
            change.kind.text(language), subject, effect(of: change),
        ]
    }

    private func effect(of change: FeedChange) -> String {
        switch change.kind {
        case .findingOpened, .findingClosed, .erased: ""
        case .rightGained, .rightLost, .rightMoved, .rightState:
            right(change.after) + (change.corrected.map { " [\(span($0))]" } ?? "")
        case .balanceChanged, .creditLapsing, .orderChanged, .ownerChanged, .policyActivated:
            FeedPhrase.fromTo.text(language, word(change.before), word(change.after))
        }
    }

    private func right(_ value: FeedValue?) -> String {
        guard case .right(let right)? = value else { return "" }
        let end = right.until.map { AccountPhrase.until.text(language, $0.date) }
        return language.clauses([right.state?.text(language), end].compactMap(\.self))
    }

    private func word(_ value: FeedValue?) -> String {
        switch value {
        case .balance(let balance)?: "\(balance)"
        case .lapse(let lapse)?: FeedPhrase.lapse.text(language, "\(lapse.units)", lapse.at.date)
        case .order(let state)?: state.text(language)
        case .owners(let owners)?:
            owners.isEmpty ? "-" : language.list(owners.map(\.text))
        case .policy(let digest)?: digest.short
        case .right?, .finding?: ""
        case nil: "-"
        }
    }
}

/// What `usher changes` says.
enum FeedPhrase: String, CaseIterable, UsherText, Wording {
    case fromTo = "{0} -> {1}"
    case lapse = "{0} on {1}"
}

/// `usher changes undelivered`: how the subscriptions stand, and what was put aside.
struct ChangesUndelivered: ReportCommand {
    static let configuration = CommandConfiguration(
        commandName: "undelivered",
        abstract: "List the subscriptions, and the changes that no receiver has taken.",
        discussion: """
            Prints for each subscription of the settings how far it has come and why it waits, and \
            each change that was given up after several attempts: docs/PUSH.md. Asks the running \
            service. Exit codes: 0 all is delivered, 1 something waits or was given up, 2 no answer.

            Example: usher changes undelivered
            """)

    @Option(help: .value("n", "Skip the first N changes."))
    var skip: Int64 = 0

    @OptionGroup var service: ServiceOptions

    var output: OutputOptions { service.output }
    var quiet: Bool { service.quiet }

    func validate() throws {
        try require(skip >= 0, or: .notNegative, "--skip")
    }

    func answer() throws(CommandFailure) -> Answered<UndeliveredList> {
        try Answered(received: service.call.get("/v1/changes/undelivered?after=\(skip)"))
    }

    /// Whether all is delivered.
    func isYes(_ list: UndeliveredList) -> Bool {
        list.changes.isEmpty && !list.subscriptions.contains(where: \.isBehind)
    }

    func write(_ list: UndeliveredList, to page: inout Page) { page.write(list) }
}

/// `usher changes resend NAME [NUMBER]`.
struct ChangesResend: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send a change that was given up once more, or all of a subscription.",
        discussion: """
            It is sent out of order, once, and stays undelivered if that fails. Exit codes: 0 it \
            will be sent, 1 there is no such subscription or change, 2 no answer.

            Example: usher changes resend back-end 412 --reason 'the receiver was mended'
            """)

    @OptionGroup var target: UndeliveredTarget
    @OptionGroup var action: AdminActionOptions

    /// Nobody has less by it.
    static var asks: Bool { false }

    var call: AdminCall {
        AdminCall("/v1/changes/undelivered/resend", target.body(action.stated))
    }

    func write(_ done: ResendAnswer, to page: inout Page) {
        page.add(whole: PushPhrase.resent, "\(done.changes)", done.subscription.shown)
    }
}

/// `usher changes discard NAME [NUMBER]`.
struct ChangesDiscard: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Strike a change that was given up off the list, or all of a subscription.",
        discussion: """
            Nobody is sent it any more; the feed still has it. Who did it and why is listed by \
            'usher changes undelivered'. Exit codes: 0 it is off the list, 1 there is no such \
            subscription or change, 2 no answer.

            Example: usher changes discard back-end 412 --reason 'settled by hand'
            """)

    @OptionGroup var target: UndeliveredTarget
    @OptionGroup var action: AdminActionOptions

    /// Nobody has less by it.
    static var asks: Bool { false }

    var call: AdminCall {
        AdminCall("/v1/changes/undelivered/discard", target.body(action.stated))
    }

    func write(_ done: DiscardedChanges, to page: inout Page) {
        page.add(whole: PushPhrase.discarded, "\(done.changes)", done.subscription.shown)
    }
}

/// The page of `usher changes undelivered`.
extension Page {
    mutating func write(_ list: UndeliveredList) {
        if list.subscriptions.isEmpty, list.changes.isEmpty {
            add(PushPhrase.none)
        }
        for standing in list.subscriptions { write(standing) }
        for change in list.changes {
            let trouble = [words(change.trouble), change.status.map { "HTTP \($0)" }]
            let line = PushPhrase.change.text(
                language, "\(change.number)", language.list(trouble.compactMap(\.self)),
                "\(change.attempts)", change.since.date)
            let again = change.isSentAgain ? PushPhrase.again.text(language) : nil
            add(language.clauses([change.subscription.shown, line, again].compactMap(\.self)))
        }
        if let next = list.next { add(PushPhrase.more, "\(next)") }
        for discarded in list.discarded {
            add(
                PushPhrase.wasDiscarded, discarded.subscription.shown, "\(discarded.changes)",
                discarded.at.toTheSecond, discarded.actor.shown, discarded.reason.shown)
        }
    }

    /// `delivering, up to change 12, 3 wait, 1 change undelivered`: a row of `usher status`.
    func summary(of standing: PushStanding) -> String {
        var parts = [state(of: standing), cursor(of: standing), waiting(of: standing)]
        parts.append(undelivered(of: standing).map { paint($0, .care) })
        parts.append(reason(of: standing).map { paint($0, .care) })
        parts += [nextAttempt(of: standing), unknownEntitlements(of: standing)]
        return language.clauses(parts.compactMap(\.self))
    }

    private mutating func write(_ standing: PushStanding) {
        add(Phrase.labelled, paint(standing.subscription.shown, .strong), state(of: standing))
        let trouble = standing.since.flatMap { since in
            reason(of: standing).map { PushPhrase.trouble.text(language, $0, since.date) }
        }
        let parts = [
            PushPhrase.receiver.text(language, standing.receiver.shown), cursor(of: standing),
            standing.state == .idle ? nil : waiting(of: standing), trouble,
            nextAttempt(of: standing), undelivered(of: standing),
            unknownEntitlements(of: standing),
        ]
        tree(parts.compactMap(\.self).map { Branch($0) })
    }

    private func state(of standing: PushStanding) -> String {
        let isGood = standing.state == .idle || standing.state == .delivering
        return paint(
            PushStatePhrase.words(standing.state.rawValue, language), isGood ? .good : .care)
    }

    private func cursor(of standing: PushStanding) -> String? {
        standing.cursor.map { PushPhrase.cursor.text(language, "\($0.number)") }
    }

    private func waiting(of standing: PushStanding) -> String? {
        guard let waiting = standing.waiting, waiting > 0 else { return nil }
        return PushPhrase.waiting.text(language, "\(waiting)")
    }

    private func undelivered(of standing: PushStanding) -> String? {
        guard standing.undelivered > 0 else { return nil }
        return PushPhrase.undelivered.text(language, "\(standing.undelivered)")
    }

    /// Why it waits.
    private func reason(of standing: PushStanding) -> String? {
        standing.trouble.map { trouble in
            standing.status.map { PushPhrase.status.text(language, words(trouble), "\($0)") }
                ?? words(trouble)
        }
    }

    private func nextAttempt(of standing: PushStanding) -> String? {
        standing.nextAttempt.map { PushPhrase.next.text(language, $0.toTheSecond) }
    }

    private func unknownEntitlements(of standing: PushStanding) -> String? {
        standing.unknownEntitlements.map {
            paint(PushPhrase.unknown.text(language, language.list($0.map(\.shown))), .care)
        }
    }

    private func words(_ trouble: PushTrouble) -> String {
        PushTroublePhrase.words(trouble.rawValue, language)
    }
}

/// Which of the changes that were put aside is meant.
struct UndeliveredTarget: ParsableArguments {
    @Argument(help: "The name of the subscription.")
    var subscription: String

    @Argument(help: "The number of the change; all if omitted.")
    var number: Int64?

    @Flag(help: "All that the subscription has put aside.")
    var all = false

    func validate() throws {
        try require(!all || number == nil, or: .allOrOne)
        try require(number ?? 1 > 0, or: .aboveZero)
    }

    func body(_ reason: Reason) -> UndeliveredBody {
        UndeliveredBody(subscription: subscription, number: number, reason: reason)
    }
}

/// What `usher changes undelivered`, `resend` and `discard` say.
enum PushPhrase: String, CaseIterable, UsherText, Wording {
    case none = "no subscriptions"
    case receiver = "to {0}"
    case cursor = "delivered up to change {0}"
    case trouble = "{0} since {1}"
    case status = "{0} (HTTP {1})"
    case next = "next attempt {0}"
    case undelivered = "{0 change|changes} undelivered"
    case change = "change {0}: {1}, {2 attempt|attempts}, since {3}"
    case again = "sent again"
    case more = "more: usher changes undelivered --skip {0}"
    case resent = "{0 change is|changes are} sent again to {1}"
    case discarded = "{0 change is|changes are} not sent to {1} any more"
    case wasDiscarded = "{0}: {1 change|changes} struck off {2} by {3}: {4}"
    case waiting = "{0 change waits|changes wait}"
    case unknown = "no policy has ever had {0}: nothing of it is sent"
}

/// By the state's own word.
enum PushStatePhrase: String, CaseIterable, UsherText {
    case idle, delivering, failing, gone, full, elsewhere

    var english: String {
        switch self {
        case .idle: "all is delivered"
        case .delivering: "delivering"
        case .failing: "failing"
        case .gone: "the receiver wants nothing"
        case .full: "waiting: too much is undelivered"
        case .elsewhere: "another node sends"
        }
    }
}

/// By the trouble's own word.
enum PushTroublePhrase: String, CaseIterable, UsherText {
    case rejected, failed, busy, gone, unreachable

    var english: String {
        switch self {
        case .rejected: "the receiver rejects the change"
        case .failed: "the receiver fails"
        case .busy: "the receiver asks for time"
        case .gone: "the receiver wants nothing"
        case .unreachable: "nobody listens"
        }
    }
}
