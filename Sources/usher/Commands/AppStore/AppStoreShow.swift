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
            page.add(
                AppStorePhrase.environment.text(
                    page.language, found.environment.rawValue))
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
            page.add(AppStorePhrase.environment.text(page.language, environment.rawValue))
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
