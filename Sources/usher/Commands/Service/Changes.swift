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
                after: place, matching: filter, limit: Self.limit, at: reading.instant)
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
        case .findingOpened, .findingClosed: ""
        case .rightGained, .rightLost, .rightMoved, .rightState:
            right(change.after) + (change.corrected.map { " [\(span($0))]" } ?? "")
        case .balanceChanged, .orderChanged, .ownerChanged, .policyActivated:
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
}
