internal import AppleSync
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// What `usher app-store show` is asked for.
enum AppStoreReading: String, CaseIterable, ExpressibleByArgument {
    case statuses
    case history
    case refunds
    case transaction
    case appTransaction = "app-transaction"
    case order

    /// Whether it comes in pages.
    fileprivate var isPaged: Bool { self == .history || self == .refunds }
}

/// `usher app-store show WHAT ID`.
struct AppStoreShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what Apple's servers know of a customer, a transaction or an order.",
        discussion: """
            Of a customer, named by any transaction id, original transaction id or app transaction \
            id: 'statuses' shows how all subscriptions stand, 'history' all transactions, oldest \
            change first, 'refunds' all that were refunded, 'app-transaction' the app transaction. \
            'transaction' shows one transaction, and 'order' looks up the order id on an invoice, \
            in production only. A history ends with the revision; with --after, only what was added \
            or changed since is shown. Exit codes: 0 found or valid, 1 unknown, not an order of \
            the app or not genuine, 2 no answer.

            Example: usher app-store show statuses 2000000000000010 --environment sandbox
            """)

    @Argument(help: "What to show.")
    var what: AppStoreReading

    /// That of an order is a word of the same form.
    @Argument(
        help: "An id of the customer, or that of the transaction or the order.",
        transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreEnvironmentOption
    @OptionGroup var part: AppStorePageOptions
    @OptionGroup var options: AppStoreOptions

    func validate() throws {
        if part.isNamed, !what.isPaged {
            throw ValidationError(.belongsTo, "--after, --pages", "history, refunds")
        }
        if what == .order, place.environment == .sandbox {
            throw ValidationError(.exclusive, "order", "--environment sandbox")
        }
    }

    func run() async throws {
        let environment = place.environment
        try await options.ask { session throws(CommandFailure) in
            switch what {
            case .statuses: try await session.showStatuses(of: id, in: environment)
            case .history:
                try await session.showPages(part) { client, take throws(AppStoreFailure) in
                    _ = try await client.walkHistory(
                        of: id, in: environment, after: part.after, take: take)
                }
            case .refunds:
                try await session.showPages(part) { client, take throws(AppStoreFailure) in
                    _ = try await client.walkRefunds(
                        of: id, in: environment, after: part.after, take: take)
                }
            case .transaction:
                try await session.showTransaction(id, in: environment)
            case .appTransaction:
                try await session.showAppTransaction(of: id, in: environment)
            case .order: try await session.showOrder(id.text)
            }
        }
    }
}

extension AppStoreSession {
    /// Each of these prints what it has found: whether all of it is genuine.
    fileprivate func showStatuses(of id: TransactionID, in environment: StoreEnvironment?)
        async throws(CommandFailure) -> Bool
    {
        let found = try await ask { client throws(AppStoreFailure) in
            try await client.statuses(of: id, in: environment)
        }
        let parts = found.items.map { item in
            (
                item, inspect(item.signedTransaction),
                item.signedRenewal.map(inspect)
            )
        }
        let json = JSONValue.array(
            parts.map { item, transaction, renewal in
                .object(known: [
                    ("original_transaction_id", .string(item.lineage.text)),
                    ("status", .integer(Int64(item.status))),
                    ("transaction", transaction.json()), ("renewal", renewal?.json()),
                ])
            })
        try show([
            "environment": .string(found.environment.rawValue), "subscriptions": json,
        ]) { page in
            page.add(AppStorePhrase.environment, found.environment.rawValue)
            for (item, transaction, renewal) in parts {
                let status =
                    AppStoreStatusPhrase(rawValue: item.status)?.text(page.language)
                    ?? AppStorePhrase.status.text(page.language, "\(item.status)")
                page.write(
                    AppStorePhrase.subscription.text(
                        page.language, item.lineage.text, status),
                    [transaction] + (renewal.map { [$0] } ?? []))
            }
        }
        return parts.allSatisfy { $1.isGenuine && $2?.isGenuine ?? true }
    }

    fileprivate func showTransaction(
        _ id: TransactionID, in environment: StoreEnvironment?
    ) async throws(CommandFailure) -> Bool {
        let found = try await ask { client throws(AppStoreFailure) in
            try await client.transaction(id, in: environment)
        }
        return try show(found.signedTransaction, as: "transaction", of: found.environment)
    }

    fileprivate func showAppTransaction(
        of id: TransactionID, in environment: StoreEnvironment?
    ) async throws(CommandFailure) -> Bool {
        let found = try await ask { client throws(AppStoreFailure) in
            try await client.appTransaction(of: id, in: environment)
        }
        return try show(
            found.signedAppTransaction, as: "app_transaction", of: found.environment)
    }

    fileprivate func showOrder(_ order: String) async throws(CommandFailure) -> Bool {
        let found = try await ask { client throws(AppStoreFailure) in
            try await client.lookUp(order: order)
        }
        let inspections = inspect(found.signedTransactions)
        try show([
            "valid": .bool(found.isValid),
            "transactions": .array(inspections.map { $0.json() }),
        ]) { page in
            let phrase: AppStorePhrase = found.isValid ? .order : .unknownOrder
            page.write(phrase.text(page.language), inspections)
        }
        return found.isValid && inspections.allSatisfy(\.isGenuine)
    }

    /// Prints one JWS; whether it is genuine.
    private func show(
        _ jws: String, as name: String, of environment: StoreEnvironment
    ) throws(CommandFailure) -> Bool {
        let inspection = inspect(jws)
        var json: JSONValue = ["environment": .string(environment.rawValue)]
        json[name] = inspection.json()
        try show(json) { page in
            page.add(AppStorePhrase.environment, environment.rawValue)
            page.write(inspection)
        }
        return inspection.isGenuine
    }

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
                return pages.count < part.count
            }
        }
        guard let last = pages.last else { throw .appStore(.init(.badAnswer)) }
        let inspections = inspect(pages.flatMap(\.signedTransactions))
        try show([
            "environment": .string(last.environment.rawValue),
            "transactions": .array(inspections.map { $0.json() }),
            "revision": .string(last.revision), "has_more": .bool(last.hasMore),
        ]) { page in
            page.add(AppStorePhrase.environment, last.environment.rawValue)
            page.write(
                AppStorePhrase.transactions.text(page.language, "\(inspections.count)"),
                inspections)
            let phrase: AppStorePhrase = last.hasMore ? .more : .revision
            page.add(phrase, last.revision.shown)
        }
        return inspections.allSatisfy(\.isGenuine)
    }
}

/// How a subscription stands, by Apple's number.
enum AppStoreStatusPhrase: Int, CaseIterable, UsherText {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case grace = 4
    case revoked = 5

    var english: String {
        switch self {
        case .active: "active"
        case .expired: "expired"
        case .billingRetry: "in billing retry"
        case .grace: "in the grace period"
        case .revoked: "revoked"
        }
    }
}

/// How much of a history a command reads.
struct AppStorePageOptions: ParsableArguments {
    @Option(help: .value("revision", "Continue after this point."))
    var after: String?

    @Option(help: "The maximum number of pages of 20, from 1 to 5000; 50 if omitted.")
    var pages: Int?

    var count: Int { pages ?? 50 }

    /// Whether a part is asked for.
    var isNamed: Bool { after != nil || pages != nil }

    func validate() throws {
        try require(count, in: 1...5_000, of: "--pages")
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

    @Option(help: .value("date", "From this date on."), transform: readInstant)
    var from: Instant

    @Option(help: .value("date", "Before this date."), transform: readInstant)
    var to: Instant

    @Option(help: .value("id", "Only those about this transaction."), transform: readName)
    var transaction: TransactionID?

    @Option(help: .value("type", "Only those of Apple's notificationType."))
    var type: String?

    @Option(help: .value("subtype", "And of this subtype."))
    var subtype: String?

    @Flag(help: "Only those that Apple could not deliver.")
    var onlyFailures = false

    @OptionGroup var part: AppStorePageOptions
    @OptionGroup var options: AppStoreOptions

    func validate() throws {
        try require(from < to, or: .fromBeforeTo)
        try require(transaction == nil || type == nil, or: .exclusive, "--transaction", "--type")
        try require(subtype == nil || type != nil, or: .belongsTo, "--subtype", "--type")
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
        for _ in 1..<part.count {
            guard let next = whole.nextToken else { break }
            let page = try await client.notificationRecords(
                query, in: place.environment, after: next)
            whole.records += page.records
            whole.nextToken = page.nextToken
        }
        return whole
    }
}

/// `usher app-store test-notification`.
struct AppStoreTestNotification: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-notification",
        abstract: "Have Apple send a test notification, or see what became of it.",
        discussion: """
            Exit codes: 0 requested or found, 1 rejected, unknown or not genuine, 2 no answer.

            Example: usher app-store test-notification --environment sandbox
            """)

    @OptionGroup var place: AppStoreTargetOption

    @Option(
        help: .value("token", "Show what became of this one instead."),
        transform: readAppleWord)
    var status: String?

    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            guard let status else {
                let token = try await session.ask { client throws(AppStoreFailure) in
                    try await client.requestTestNotification(in: place.environment)
                }
                try session.show(["token": .string(token)]) { page in
                    page.add(AppStorePhrase.testRequested, token.shown)
                }
                return true
            }
            let record = try await session.ask { client throws(AppStoreFailure) in
                try await client.testNotification(status, in: place.environment)
            }
            let inspection = session.inspect(record.signedPayload)
            try session.show(record.json(inspection)) { page in
                page.write(inspection)
                page.write(record.attempts)
            }
            return inspection.isGenuine
        }
    }
}

/// Reads a word of Apple's: a token.
private func readAppleWord(_ text: String) throws -> String {
    guard (1...1_024).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ValidationError(.ascii) }
    return text
}

extension Page {
    /// What happened when Apple sent a notification.
    fileprivate mutating func write(_ attempts: [NotificationRecord.Attempt]) {
        guard !attempts.isEmpty else {
            return add(AppStorePhrase.noAttempts)
        }
        add(AppStorePhrase.attempts)
        tree(
            attempts.map {
                branch(Phrase.labelled, $0.at.date, $0.result.shown)
            })
    }
}

extension NotificationRecord {
    /// With what its JWS says.
    fileprivate func json(_ inspection: Inspection) -> JSONValue {
        [
            "notification": inspection.json(),
            "attempts": .array(
                attempts.map {
                    ["at": .string($0.at.rfc3339), "result": .string($0.result)]
                }),
        ]
    }
}
