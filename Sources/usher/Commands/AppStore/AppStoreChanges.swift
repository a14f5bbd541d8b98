internal import AppStoreClient
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

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
        help: ArgumentHelp("Show what became of this one instead.", valueName: "token"),
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

/// Reads a word of Apple's: a token, or an order id of an invoice.
func readAppleWord(_ text: String) throws -> String {
    guard (1...1_024).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ValidationError(.ascii) }
    return text
}

/// `usher app-store finish ID`.
struct AppStoreFinish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Finish a transaction in place of the app.",
        discussion: """
            A finished transaction is not presented to the app again: deliver before. Exit codes: \
            0 finished, 1 rejected or unknown, 2 no answer.

            Example: usher app-store finish 2000000000000010 --environment production
            """)

    @Argument(help: "The transaction id.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreTargetOption
    @OptionGroup var options: AppStoreOptions

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            try await session.ask { client throws(AppStoreFailure) in
                try await client.finish(id, in: place.environment)
            }
            try session.show(["finished": .string(id.text)]) { page in
                page.add(AppStorePhrase.finished.text(page.language, id.text))
            }
            return true
        }
    }
}

/// `usher app-store set-account-token ID UUID`.
struct AppStoreSetAccountToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-account-token",
        abstract: "Set the appAccountToken of a purchase, from now on.",
        discussion: """
            Not for family-shared and assigned transactions. Exit codes: 0 done, 1 rejected or \
            unknown, 2 no answer.

            Example: usher app-store set-account-token 2000000000000001 \
            6f9619ff-8b86-4011-b42d-00cf4fc964ff --environment production
            """)

    @Argument(help: "The original transaction id.", transform: readName)
    var id: TransactionID

    @Argument(help: "A UUID.")
    var token: String

    @OptionGroup var place: AppStoreTargetOption
    @OptionGroup var options: AppStoreOptions

    func validate() throws {
        guard AppAccountToken(token) != nil else {
            throw ValidationError(.uuid)
        }
    }

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            try await session.ask { client throws(AppStoreFailure) in
                try await client.setAccountToken(token, for: id, in: place.environment)
            }
            try session.show([
                "original_transaction_id": .string(id.text),
                "app_account_token": .string(token),
            ]) { page in
                page.add(AppStorePhrase.tokenSet.text(page.language, id.text))
            }
            return true
        }
    }
}
