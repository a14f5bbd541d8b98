internal import AppStoreClient
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// How much of a history a command reads.
struct AppStorePageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Continue after this point.", valueName: "revision"))
    var after: String?

    @Option(help: "The maximum number of pages of 20, from 1 to 5000.")
    var pages = 50

    func validate() throws {
        guard (1...5_000).contains(pages) else {
            throw ValidationError(.range, "--pages", "1", "5000")
        }
    }
}

/// `usher app-store history ID`.
struct AppStoreHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show all transactions of a customer, oldest change first.",
        discussion: """
            Ends with the revision; with --after, only what was added or changed since is shown. \
            Exit codes: 0 found, 1 unknown or not genuine, 2 no answer.

            Example: usher app-store history 2000000000000010 --pages 3
            """)

    @Argument(help: "An id of the customer.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreEnvironmentOption
    @OptionGroup var part: AppStorePageOptions
    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            try await session.showPages(part) { client, take throws(AppStoreFailure) in
                _ = try await client.walkHistory(
                    of: id, in: place.environment, after: part.after, take: take)
            }
        }
    }
}

/// `usher app-store refunds ID`.
struct AppStoreRefunds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds",
        abstract: "Show all refunded transactions of a customer.",
        discussion: """
            Exit codes: 0 found, 1 unknown or not genuine, 2 no answer.

            Example: usher app-store refunds 2000000000000010
            """)

    @Argument(help: "An id of the customer.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreEnvironmentOption
    @OptionGroup var part: AppStorePageOptions
    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            try await session.showPages(part) { client, take throws(AppStoreFailure) in
                _ = try await client.walkRefunds(
                    of: id, in: place.environment, after: part.after, take: take)
            }
        }
    }
}

extension AppStoreSession {
    /// Prints the pages of a history; whether all in it is genuine.
    fileprivate func showPages(
        _ part: AppStorePageOptions,
        _ walk: (
            AppStoreClient, (FetchedHistory) async throws(AppStoreFailure) -> Bool
        ) async throws(AppStoreFailure) -> Void
    ) async throws(CommandFailure) -> Bool {
        var pages: [FetchedHistory] = []
        try await ask { client throws(AppStoreFailure) in
            try await walk(client) { page throws(AppStoreFailure) in
                pages.append(page)
                return pages.count < part.pages
            }
        }
        guard let last = pages.last else { throw .appStore(.init(.badAnswer)) }
        let inspections = inspect(pages.flatMap(\.signedTransactions))
        try show([
            "environment": .string(last.environment.rawValue),
            "transactions": .array(inspections.map { $0.json() }),
            "revision": .string(last.revision), "has_more": .bool(last.hasMore),
        ]) { page in
            page.add(AppStorePhrase.environment.text(page.language, last.environment.rawValue))
            page.write(
                AppStorePhrase.transactions.text(page.language, "\(inspections.count)"),
                inspections)
            let phrase: AppStorePhrase = last.hasMore ? .more : .revision
            page.add(phrase.text(page.language, last.revision.shown))
        }
        return inspections.allSatisfy(\.isGenuine)
    }
}

/// `usher app-store notifications`.
struct AppStoreNotifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Show the notifications that Apple sent, and how that went.",
        discussion: """
            Apple keeps them for 180 days in production and 30 in the sandbox. --transaction and \
            --type cannot be combined. Exit codes: 0 found, 1 rejected or not genuine, 2 no answer.

            Example: usher app-store notifications --environment production --from 2026-11-01 \
            --to 2026-11-08 --only-failures
            """)

    @OptionGroup var place: AppStoreTargetOption

    @Option(help: ArgumentHelp("From this date on.", valueName: "date"), transform: readInstant)
    var from: Instant

    @Option(help: ArgumentHelp("Before this date.", valueName: "date"), transform: readInstant)
    var to: Instant

    @Option(
        help: ArgumentHelp("Only those about this transaction.", valueName: "id"),
        transform: readName)
    var transaction: TransactionID?

    @Option(help: ArgumentHelp("Only those of Apple's notificationType.", valueName: "type"))
    var type: String?

    @Option(help: ArgumentHelp("And of this subtype.", valueName: "subtype"))
    var subtype: String?

    @Flag(help: "Only those that Apple could not deliver.")
    var onlyFailures = false

    @OptionGroup var part: AppStorePageOptions
    @OptionGroup var options: AppStoreOptions

    func validate() throws {
        guard from < to else { throw ValidationError(.fromBeforeTo) }
        guard transaction == nil || type == nil else {
            throw ValidationError(.exclusive, "--transaction", "--type")
        }
        guard subtype == nil || type != nil else {
            throw ValidationError(.belongsTo, "--subtype", "--type")
        }
    }

    private var query: NotificationQuery {
        var query = NotificationQuery(from: from, to: to)
        query.transaction = transaction
        query.type = type
        query.subtype = subtype
        query.onlyFailures = onlyFailures
        return query
    }

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            let found = try await session.ask { client throws(AppStoreFailure) in
                try await read(client)
            }
            let next = found.nextToken
            let parts = found.records.map { ($0, session.inspect($0.signedPayload)) }
            try session.show([
                "environment": .string(place.environment.rawValue),
                "notifications": .array(parts.map { $0.json($1) }),
                "next": next.map { .string($0) } ?? .null,
            ]) { page in
                for (record, inspection) in parts {
                    page.write(inspection)
                    page.write(record.attempts)
                }
                page.add(
                    next.map { AppStorePhrase.next.text(page.language, $0.shown) }
                        ?? AppStorePhrase.noMore.text(page.language))
            }
            return parts.allSatisfy { $1.isGenuine }
        }
    }

    /// So many pages as one.
    private func read(
        _ client: AppStoreClient
    ) async throws(AppStoreFailure) -> NotificationPage {
        var whole = try await client.notificationRecords(
            query, in: place.environment, after: part.after)
        for _ in 1..<part.pages {
            guard let next = whole.nextToken else { break }
            let page = try await client.notificationRecords(
                query, in: place.environment, after: next)
            whole.records += page.records
            whole.nextToken = page.nextToken
        }
        return whole
    }
}
