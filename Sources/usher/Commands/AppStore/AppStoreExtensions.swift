internal import AppleSync
internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

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
        guard storefront.isEmpty == allStorefronts else {
            throw ValidationError(.storefronts)
        }
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
