internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// `usher changes undelivered`: how the subscriptions stand, and what was put aside.
struct ChangesUndelivered: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undelivered",
        abstract: "List the subscriptions, and the changes that no receiver has taken.",
        discussion: """
            Prints for each subscription of the settings how far it has come and why it waits, and \
            each change that was given up after several attempts: docs/PUSH.md. Asks the running \
            service. Exit codes: 0 all is delivered, 1 something waits or was given up, 2 no answer.

            Example: usher changes undelivered
            """)

    @Option(help: ArgumentHelp("Skip the first N changes.", valueName: "n"))
    var skip: Int64 = 0

    @Flag(name: .shortAndLong, help: "Print nothing: the exit code is the answer.")
    var quiet = false

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard skip >= 0 else { throw ValidationError(.notNegative, "--skip") }
    }

    func run() throws {
        var isEmpty = true
        try output.attempt(quiet: quiet) { () throws(CommandFailure) in
            let call = ServiceCall(socket: sockets.usherSocket)
            let answer = try Answered<UndeliveredList>(
                received: call.get("/v1/changes/undelivered?after=\(skip)"))
            isEmpty =
                answer.value.changes.isEmpty
                && !answer.value.subscriptions.contains(where: \.isBehind)
            try output.show(answer, quiet: quiet) { list, page in page.write(list) }
        }
        if !isEmpty { throw ExitCode.no }
    }
}

/// `usher changes resend NAME [NUMBER]`.
struct ChangesResend: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend",
        abstract: "Send a change that was given up once more, or all of a subscription.",
        discussion: """
            It is sent out of order, once, and stays undelivered if that fails. Exit codes: 0 it \
            will be sent, 1 there is no such subscription or change, 2 no answer.

            Example: usher changes resend back-end 412 --reason 'the receiver was mended'
            """)

    @OptionGroup var target: UndeliveredTarget
    @OptionGroup var options: AdminActionOptions

    func run() throws {
        let body = target.body(options.stated)
        try options.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/changes/undelivered/resend", body)
        } telling: { (done: ResendAnswer, line) in
            PushPhrase.resent.text(
                line.language, "\(done.changes)", done.subscription.shown)
        }
    }
}

/// `usher changes discard NAME [NUMBER]`.
struct ChangesDiscard: ParsableCommand {
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
    @OptionGroup var options: AdminActionOptions

    func run() throws {
        let body = target.body(options.stated)
        try options.carryOut { call throws(CommandFailure) in
            try call.ask("/v1/changes/undelivered/discard", body)
        } telling: { (done: DiscardedChanges, line) in
            PushPhrase.discarded.text(
                line.language, "\(done.changes)", done.subscription.shown)
        }
    }
}

/// The page of `usher changes undelivered`.
extension Page {
    mutating func write(_ list: UndeliveredList) {
        if list.subscriptions.isEmpty, list.changes.isEmpty {
            add(PushPhrase.none.text(language))
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
        if let next = list.next { add(PushPhrase.more.text(language, "\(next)")) }
        for discarded in list.discarded {
            add(
                PushPhrase.wasDiscarded.text(
                    language, discarded.subscription.shown, "\(discarded.changes)",
                    discarded.at.toTheSecond, discarded.actor.shown, discarded.reason.shown))
        }
    }

    /// `delivering, up to change 12, 3 wait, 1 change undelivered`: a row of `usher status`.
    func summary(of standing: PushStanding) -> String {
        let isGood = standing.state == .idle || standing.state == .delivering
        let state = PushStatePhrase.words(standing.state.rawValue, language)
        var parts = [paint(state, isGood ? .good : .care)]
        if let cursor = standing.cursor {
            parts.append(PushPhrase.cursor.text(language, "\(cursor.number)"))
        }
        if let waiting = standing.waiting, waiting > 0 {
            parts.append(PushPhrase.waiting.text(language, "\(waiting)"))
        }
        if standing.undelivered > 0 {
            parts.append(
                paint(PushPhrase.undelivered.text(language, "\(standing.undelivered)"), .care))
        }
        if let trouble = standing.trouble {
            let why = standing.status.map {
                PushPhrase.status.text(language, words(trouble), "\($0)")
            }
            parts.append(paint(why ?? words(trouble), .care))
        }
        if let next = standing.nextAttempt {
            parts.append(PushPhrase.next.text(language, next.toTheSecond))
        }
        if let unknown = unknownEntitlements(of: standing) { parts.append(unknown) }
        return language.clauses(parts)
    }

    private func unknownEntitlements(of standing: PushStanding) -> String? {
        guard let names = standing.unknownEntitlements else { return nil }
        return paint(
            PushPhrase.unknown.text(language, language.list(names.map(\.shown))), .care)
    }

    private mutating func write(_ standing: PushStanding) {
        let isGood = standing.state == .idle || standing.state == .delivering
        let state = PushStatePhrase.words(standing.state.rawValue, language)
        add(
            PushPhrase.title.text(
                language, paint(standing.subscription.shown, .strong),
                paint(state, isGood ? .good : .care)))
        var branches = [Branch(PushPhrase.receiver.text(language, standing.receiver.shown))]
        if let cursor = standing.cursor {
            branches.append(Branch(PushPhrase.cursor.text(language, "\(cursor.number)")))
        }
        if let waiting = standing.waiting, standing.state != .idle, waiting > 0 {
            branches.append(Branch(PushPhrase.waiting.text(language, "\(waiting)")))
        }
        if let trouble = standing.trouble, let since = standing.since {
            let why = standing.status.map {
                PushPhrase.status.text(language, words(trouble), "\($0)")
            }
            branches.append(
                Branch(PushPhrase.trouble.text(language, why ?? words(trouble), since.date)))
        }
        if let next = standing.nextAttempt {
            branches.append(Branch(PushPhrase.next.text(language, next.toTheSecond)))
        }
        if standing.undelivered > 0 {
            branches.append(
                Branch(PushPhrase.undelivered.text(language, "\(standing.undelivered)")))
        }
        if let unknown = unknownEntitlements(of: standing) { branches.append(Branch(unknown)) }
        tree(branches)
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
        guard !all || number == nil else {
            throw ValidationError(.allOrOne)
        }
        guard number ?? 1 > 0 else { throw ValidationError(.aboveZero) }
    }

    func body(_ reason: Reason) -> UndeliveredBody {
        UndeliveredBody(subscription: subscription, number: number, reason: reason)
    }
}
