internal import AppStoreClient
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// `usher app-store statuses ID`.
struct AppStoreStatuses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statuses",
        abstract: "Show how all subscriptions of a customer stand.",
        discussion: """
            The id is any transaction id, original transaction id or app transaction id of the \
            customer. Exit codes: 0 found, 1 unknown or not genuine, 2 no answer.

            Example: usher app-store statuses 2000000000000010 --environment sandbox
            """)

    @Argument(help: "An id of the customer.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreEnvironmentOption
    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            let found = try await session.ask { client throws(AppStoreFailure) in
                try await client.statuses(of: id, in: place.environment)
            }
            let parts = found.items.map { item in
                (
                    item, session.inspect(item.signedTransaction),
                    item.signedRenewal.map(session.inspect)
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
            try session.show([
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
    }
}

/// `usher app-store transaction ID`.
struct AppStoreTransaction: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transaction",
        abstract: "Show one transaction.",
        discussion: """
            Exit codes: 0 found, 1 unknown or not genuine, 2 no answer.

            Example: usher app-store transaction 2000000000000010
            """)

    @Argument(help: "The transaction id.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreEnvironmentOption
    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            let found = try await session.ask { client throws(AppStoreFailure) in
                try await client.transaction(id, in: place.environment)
            }
            return try session.show(
                found.signedTransaction, as: "transaction", of: found.environment)
        }
    }
}

/// `usher app-store app-transaction ID`.
struct AppStoreAppTransaction: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-transaction",
        abstract: "Show the app transaction of a customer.",
        discussion: """
            The id is any transaction id, original transaction id or app transaction id of the \
            customer. Exit codes: 0 found, 1 unknown or not genuine, 2 no answer.

            Example: usher app-store app-transaction 2000000000000010
            """)

    @Argument(help: "An id of the customer.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreEnvironmentOption
    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            let found = try await session.ask { client throws(AppStoreFailure) in
                try await client.appTransaction(of: id, in: place.environment)
            }
            return try session.show(
                found.signedAppTransaction, as: "app_transaction", of: found.environment)
        }
    }
}

extension AppStoreSession {
    /// Prints one JWS; whether it is genuine.
    fileprivate func show(
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
}

/// `usher app-store order ORDER`.
struct AppStoreOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Look up the order id on a customer's invoice.",
        discussion: """
            Production only. Exit codes: 0 valid, 1 not an order of the app or not genuine, 2 no \
            answer.

            Example: usher app-store order MN0ABCDEFG
            """)

    @Argument(help: "The order id.", transform: readAppleWord)
    var order: String

    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            let found = try await session.ask { client throws(AppStoreFailure) in
                try await client.lookUp(order: order)
            }
            let inspections = session.inspect(found.signedTransactions)
            try session.show([
                "valid": .bool(found.isValid),
                "transactions": .array(inspections.map { $0.json() }),
            ]) { page in
                let phrase: AppStorePhrase = found.isValid ? .order : .unknownOrder
                page.write(phrase.text(page.language), inspections)
            }
            return found.isValid && inspections.allSatisfy(\.isGenuine)
        }
    }
}
