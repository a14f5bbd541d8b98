internal import AppleSync
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import EvidenceVerification
internal import StrictJSON

/// `usher app-store finish ID`.
struct AppStoreFinish: AppStoreCallCommand {
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

    func reply(of client: AppStoreClient) async throws(AppStoreFailure) -> TransactionID {
        try await client.finish(id, in: place.environment)
        return id
    }

    func json(_ id: TransactionID) -> JSONValue { ["finished": .string(id.text)] }

    func line(_ id: TransactionID, _ language: Language) -> String {
        AppStorePhrase.finished.text(language, id.text)
    }
}

/// `usher app-store set-account-token ID UUID`.
struct AppStoreSetAccountToken: AppStoreCallCommand {
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

    func reply(of client: AppStoreClient) async throws(AppStoreFailure) -> TransactionID {
        try await client.setAccountToken(token, for: id, in: place.environment)
        return id
    }

    func json(_ id: TransactionID) -> JSONValue {
        ["original_transaction_id": .string(id.text), "app_account_token": .string(token)]
    }

    func line(_ id: TransactionID, _ language: Language) -> String {
        AppStorePhrase.tokenSet.text(language, id.text)
    }
}

extension ConsumptionReport.Delivery: ExpressibleByArgument {}
extension ConsumptionReport.Preference: ExpressibleByArgument {}

/// `usher app-store consumption ID`.
struct AppStoreConsumption: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consumption",
        abstract: "Tell Apple how much of a purchase was used before it decides on a refund.",
        discussion: """
            The customer must have consented. Purchases of Advanced Commerce take the first version \
            of this call: a JSON file with its numbers, such as {"deliveryStatus": 1, "platform": \
            1, "sampleContentProvided": true}; what it omits is not stated. Exit codes: 0 sent, 1 \
            rejected or unknown, 2 no answer.

            Example: usher app-store consumption 2000000000000010 --environment production \
            --customer-consented --delivery DELIVERED --no-sample --preference GRANT_PRORATED \
            --consumed-milli-percent 25000
            """)

    @Argument(help: "The transaction id.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreTargetOption

    @Flag(help: "The customer has consented that this is sent; without it nothing is.")
    var customerConsented = false

    @Option(help: "How it was delivered.")
    var delivery: ConsumptionReport.Delivery?

    @Flag(inversion: .prefixedNo, help: "Whether the customer could try it first.")
    var sample: Bool?

    @Option(help: "Which decision is preferred.")
    var preference: ConsumptionReport.Preference?

    @Option(help: .value("number", "How much was used: 100000 is all. For GRANT_PRORATED."))
    var consumedMilliPercent: Int64?

    @Option(
        help: .value("file", "The numbers of the first version, for Advanced Commerce only."),
        completion: .file())
    var advancedCommerce: String?

    @OptionGroup var options: AppStoreOptions

    func validate() throws {
        guard customerConsented else {
            throw ValidationError(.consent)
        }
        let others = [
            delivery != nil, sample != nil, preference != nil, consumedMilliPercent != nil,
        ]
        if advancedCommerce != nil {
            guard !others.contains(true) else {
                throw ValidationError(.advanced)
            }
        } else if delivery == nil || sample == nil {
            throw ValidationError(.delivery)
        }
        if let share = consumedMilliPercent, !(0...100_000).contains(share) {
            throw ValidationError(.range, "--consumed-milli-percent", "0", "100000")
        }
    }

    func run() async throws {
        try await options.ask { session throws(CommandFailure) in
            if let advancedCommerce {
                let report = try FirstConsumptionReport(file: advancedCommerce, options.output)
                try await session.ask { client throws(AppStoreFailure) in
                    try await client.sendConsumption(report, of: id, in: place.environment)
                }
            } else if let delivery, let sample {
                let report = ConsumptionReport(
                    delivery: delivery, hadSample: sample, preference: preference,
                    consumedMilliPercent: consumedMilliPercent)
                try await session.ask { client throws(AppStoreFailure) in
                    try await client.sendConsumption(report, of: id, in: place.environment)
                }
            }
            try session.show(["sent": .string(id.text)]) { page in
                page.add(AppStorePhrase.consumptionSent.text(page.language, id.text))
            }
            return true
        }
    }
}

extension FirstConsumptionReport {
    /// - Throws: for a file that is not a JSON object of its members, and for numbers that Apple
    ///   does not define.
    fileprivate init(file: String, _ output: OutputOptions) throws(CommandFailure) {
        guard let bytes = try? InputFile.read(file, limit: 65_536) else {
            throw .unreadableFile(file)
        }
        guard let members = (try? parseJSON(bytes))?.members else {
            throw .said(AppStorePhrase.badReport.text(output.language, file.shown, "{}"))
        }
        var report = FirstConsumptionReport(hadSample: false)
        for member in members {
            guard report.take(member) else {
                throw .said(
                    AppStorePhrase.badReport.text(
                        output.language, file.shown, member.key.shown))
            }
        }
        self = report
    }

    private mutating func take(_ member: JSONMember) -> Bool {
        switch member.key {
        case "sampleContentProvided":
            guard let flag = member.value.bool else { return false }
            hadSample = flag
            return true
        case "appAccountToken":
            guard let text = member.value.string else { return false }
            appAccountToken = text
            return true
        default:
            guard let field = Field(rawValue: member.key), let number = member.value.int64 else {
                return false
            }
            return set(field, to: number)
        }
    }
}
