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
        try require(AppAccountToken(token) != nil, or: .uuid)
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
        try require(customerConsented, or: .consent)
        let others = [
            delivery != nil, sample != nil, preference != nil, consumedMilliPercent != nil,
        ]
        if advancedCommerce != nil {
            try require(!others.contains(true), or: .advanced)
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
                page.add(AppStorePhrase.consumptionSent, id.text)
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

/// Why a renewal date is extended, in words.
enum ExtensionReasonWord: String, CaseIterable, ExpressibleByArgument {
    case undeclared
    case satisfaction
    case other
    case outage

    var reason: RenewalExtension.Reason {
        switch self {
        case .undeclared: .undeclared
        case .satisfaction: .satisfaction
        case .other: .other
        case .outage: .outage
        }
    }
}

/// By how much, why, and under which id.
struct RenewalExtensionOptions: ParsableArguments {
    @Option(help: "The number of days, from 1 to 90.")
    var days: Int

    @Option(help: "Why: undeclared, satisfaction, other or outage.")
    var reason: ExtensionReasonWord

    @Option(
        help: .value("id", "An id of your own, best a UUID; another request needs another one."))
    var requestID: String

    func validate() throws {
        if given == nil { throw ValidationError(.extensionDays) }
    }

    private var given: RenewalExtension? {
        RenewalExtension(extraDays: days, reason: reason.reason, requestID: requestID)
    }

    var extent: RenewalExtension {
        guard let given else {
            preconditionFailure("an extension is validated before it is asked for")
        }
        return given
    }
}

/// `usher app-store extend ID`.
struct AppStoreExtend: AppStoreCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend",
        abstract: "Extend the renewal date of a subscription.",
        discussion: """
            It is not sent again if no answer comes: look with 'usher app-store show statuses' whether \
            it was done. Exit codes: 0 extended, 1 rejected, unknown or not extended, 2 no answer.

            Example: usher app-store extend 2000000000000001 --environment production --days 7 \
            --reason outage --request-id 6f9619ff-8b86-4011-b42d-00cf4fc964ff
            """)

    @Argument(help: "The original transaction id.", transform: readName)
    var id: TransactionID

    @OptionGroup var place: AppStoreTargetOption
    @OptionGroup var extent: RenewalExtensionOptions
    @OptionGroup var options: AppStoreOptions

    func reply(of client: AppStoreClient) async throws(AppStoreFailure) -> ExtensionResult {
        try await client.extend(id, by: extent.extent, in: place.environment)
    }

    func isYes(_ result: ExtensionResult) -> Bool { result.succeeded }

    func json(_ result: ExtensionResult) -> JSONValue {
        [
            "original_transaction_id": .string(result.lineage.text),
            "succeeded": .bool(result.succeeded),
            "renews_at": result.renewsAt.map { .string($0.rfc3339) } ?? .null,
        ]
    }

    func line(_ result: ExtensionResult, _ language: Language) -> String {
        result.succeeded
            ? AppStorePhrase.extended.text(language, id.text, result.renewsAt?.date ?? "?")
            : AppStorePhrase.notExtended.text(language, id.text)
    }
}

/// `usher app-store extend-all PRODUCT`.
struct AppStoreExtendAll: AppStoreCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend-all",
        abstract: "Extend the renewal dates of all active subscribers of a product.",
        discussion: """
            Name the storefronts, or say that all are meant. It is not sent again if no answer \
            comes: ask with 'usher app-store extend-status'. Exit codes: 0 requested, 1 rejected, \
            2 no answer.

            Example: usher app-store extend-all pro.month --environment production --days 7 \
            --reason outage --request-id 6f9619ff-8b86-4011-b42d-00cf4fc964ff --storefront USA
            """)

    @Argument(help: "The product.", transform: readName)
    var product: ProductID

    @Option(help: .value("country", "A storefront by its three letters; repeat for more."))
    var storefront: [String] = []

    @Flag(help: "In all storefronts.")
    var allStorefronts = false

    @OptionGroup var place: AppStoreTargetOption
    @OptionGroup var extent: RenewalExtensionOptions
    @OptionGroup var options: AppStoreOptions

    func validate() throws {
        try require(storefront.isEmpty == allStorefronts, or: .storefronts)
        for code in storefront {
            guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                throw ValidationError(.storefront)
            }
        }
    }

    func reply(of client: AppStoreClient) async throws(AppStoreFailure) -> String {
        try await client.extendAll(
            of: product, by: extent.extent, storefronts: allStorefronts ? nil : storefront,
            in: place.environment)
    }

    func json(_ request: String) -> JSONValue {
        ["product": .string(product.text), "request": .string(request)]
    }

    func line(_ request: String, _ language: Language) -> String {
        AppStorePhrase.extensionRequested.text(language, product.text, request.shown)
    }
}

/// `usher app-store extend-status PRODUCT REQUEST`.
struct AppStoreExtendStatus: AppStoreCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "extend-status",
        abstract: "Show how far an extension for all subscribers is.",
        discussion: """
            Exit codes: 0 found, 1 unknown, 2 no answer.

            Example: usher app-store extend-status pro.month \
            6f9619ff-8b86-4011-b42d-00cf4fc964ff --environment production
            """)

    @Argument(help: "The product.", transform: readName)
    var product: ProductID

    @Argument(help: "The id of the request.")
    var request: String

    @OptionGroup var place: AppStoreTargetOption
    @OptionGroup var options: AppStoreOptions

    func reply(of client: AppStoreClient) async throws(AppStoreFailure) -> MassExtensionStatus {
        try await client.statusOfExtension(request, of: product, in: place.environment)
    }

    func json(_ status: MassExtensionStatus) -> JSONValue {
        .object(known: [
            ("request", .string(status.requestID)), ("complete", .bool(status.isComplete)),
            ("completed_at", status.completedAt.map { .string($0.rfc3339) }),
            ("succeeded", status.succeeded.map { .integer($0) }),
            ("failed", status.failed.map { .integer($0) }),
        ])
    }

    func line(_ status: MassExtensionStatus, _ language: Language) -> String {
        status.isComplete
            ? AppStorePhrase.extensionDone.text(
                language, "\(status.succeeded ?? 0)", "\(status.failed ?? 0)")
            : AppStorePhrase.extensionRunning.text(language)
    }
}
