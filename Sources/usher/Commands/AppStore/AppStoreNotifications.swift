internal import AppleSync
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

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
        guard (1...5_000).contains(count) else {
            throw ValidationError(.range, "--pages", "1", "5000")
        }
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
                    page.add(AppStorePhrase.testRequested.text(page.language, token.shown))
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
            return add(AppStorePhrase.noAttempts.text(language))
        }
        add(AppStorePhrase.attempts.text(language))
        tree(
            attempts.map {
                Branch(Phrase.labelled.text(language, $0.at.date, $0.result.shown))
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
