internal import EntitlementModel
internal import StrictJSON

/// A request to the server API, taken apart.
struct APICall {
    let method: String
    /// Behind `/inApps/`.
    let path: [String]
    let query: [(name: String, value: String)]
    let body: [UInt8]

    /// The first value of a parameter.
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// All values of a parameter.
    func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    /// The body as an object of JSON.
    func object() throws(AppStoreError) -> JSONValue {
        guard let value = try? parseJSON(body), value.members != nil else {
            throw .generalBadRequest
        }
        return value
    }
}

/// The address of a request, decoded.
struct RequestTarget {
    let path: [String]
    let query: [(name: String, value: String)]

    init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts[0].split(separator: "/").map { Self.decoded($0) }
        guard parts.count == 2 else {
            query = []
            return
        }
        query = parts[1].split(separator: "&").map { pair in
            let sides = pair.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(sides[0]), sides.count == 2 ? Self.decoded(sides[1]) : "")
        }
    }

    /// Without escapes; `+` is a space.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Who answers what.
extension AppStoreWorld {
    func answer(_ request: AppStoreRequest) -> AppStoreResponse {
        let target = RequestTarget(request.target)
        if target.path.first == "box" { return control(request, target) }
        if let rule = failure(for: request) { return answer(request, failing: rule) }
        return answer(undisturbed: request)
    }

    func answer(undisturbed request: AppStoreRequest) -> AppStoreResponse {
        let target = RequestTarget(request.target)
        guard let first = target.path.first,
            let environment = StoreEnvironment(rawValue: first),
            environment == .production || environment == .sandbox
        else { return AppStoreResponse(status: 404) }
        let side = side(environment)
        let path = Array(target.path.dropFirst())
        if path == ["verifyReceipt"] { return verifyReceipt(request, side) }
        guard path.first == "inApps" else { return AppStoreResponse(status: 404) }
        guard tokens.accepts(request.headers["authorization"], by: tokenRules) else {
            return AppStoreResponse(
                status: 401, headers: ["content-type": "text/plain"],
                body: Array("Unauthenticated\n".utf8))
        }
        let call = APICall(
            method: request.method, path: Array(path.dropFirst()), query: target.query,
            body: request.body)
        return answer(call, side)
    }

    func answer(_ call: APICall, _ side: StoreSide) -> AppStoreResponse {
        do throws(AppStoreError) {
            return try route(call, side) ?? AppStoreResponse(status: 404)
        } catch {
            return AppStoreResponse(error)
        }
    }

    /// Nil if it is not one of Apple's calls.
    private func route(
        _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse? {
        let path = call.path
        switch (call.method, path.count) {
        case ("GET", 3) where path.starts(with: ["v1", "transactions"]):
            return try transactionInfo(path[2], side)
        case ("GET", 4) where path.starts(with: ["v1", "transactions", "appTransactions"]):
            return try appTransactionInfo(path[3], side)
        case ("GET", 3) where path[1] == "history" && ["v1", "v2"].contains(path[0]):
            return try history(path[2], call, side)
        case ("GET", 3) where path.starts(with: ["v1", "subscriptions"]):
            return try statuses(path[2], call, side)
        case ("GET", 4) where path.starts(with: ["v2", "refund", "lookup"]):
            return try refunds(path[3], call, side)
        case ("GET", 3) where path.starts(with: ["v1", "lookup"]):
            return lookUp(path[2], side)
        default:
            if let answer = try routeChange(call, side) { return answer }
            return try routeNotification(call, side)
        }
    }

    /// Calls that change something.
    private func routeChange(
        _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse? {
        let path = call.path
        switch (call.method, path.count) {
        case ("PUT", 4) where path[1] == "transactions" && path[3] == "appAccountToken":
            return try setAccountToken(path[2], call, side)
        case ("POST", 4) where path[1] == "transactions" && path[3] == "finish":
            return try finish(path[2], side)
        case ("PUT", 4) where path.starts(with: ["v2", "transactions", "consumption"]):
            return try consumption(path[3], call, side)
        case ("PUT", 4) where path.starts(with: ["v1", "transactions", "consumption"]):
            return try oldConsumption(path[3], call, side)
        case ("PUT", 4) where path.starts(with: ["v1", "subscriptions", "extend"]):
            return try extend(path[3], call, side)
        case ("POST", 4) where path == ["v1", "subscriptions", "extend", "mass"]:
            return try extendAll(call, side)
        case ("GET", 6) where path.starts(with: ["v1", "subscriptions", "extend", "mass"]):
            return try massExtension(path[4], path[5], side)
        default: return nil
        }
    }

    private func routeNotification(
        _ call: APICall, _ side: StoreSide
    ) throws(AppStoreError) -> AppStoreResponse? {
        let path = call.path
        guard path.starts(with: ["v1", "notifications"]) else { return nil }
        switch (call.method, path.count, path.last) {
        case ("POST", 3, "history"): return try notificationHistory(call, side)
        case ("POST", 3, "test"): return try requestTest(side)
        case ("GET", 4, let token?) where path[2] == "test":
            return try testStatus(token, side)
        default: return nil
        }
    }
}

/// An error of the App Store Server API: Apple's `errorCode`, whose first three digits are the
/// status of HTTP.
enum AppStoreError: Int, Error, CaseIterable, Sendable {
    case generalBadRequest = 4_000_000
    case invalidAppIdentifier = 4_000_002
    case invalidRequestRevision = 4_000_005
    case invalidTransactionID = 4_000_006
    case invalidOriginalTransactionID = 4_000_008
    case invalidExtendByDays = 4_000_009
    case invalidExtendReasonCode = 4_000_010
    case invalidRequestIdentifier = 4_000_011
    case startDateTooFarInPast = 4_000_012
    case startDateAfterEndDate = 4_000_013
    case invalidPaginationToken = 4_000_014
    case invalidStartDate = 4_000_015
    case invalidEndDate = 4_000_016
    case paginationTokenExpired = 4_000_017
    case invalidNotificationType = 4_000_018
    case multipleFiltersSupplied = 4_000_019
    case invalidTestNotificationToken = 4_000_020
    case invalidSort = 4_000_021
    case invalidProductType = 4_000_022
    case invalidProductID = 4_000_023
    case invalidSubscriptionGroup = 4_000_024
    case invalidExcludeRevoked = 4_000_025
    case invalidOwnershipType = 4_000_026
    case invalidEmptyStorefrontList = 4_000_027
    case invalidStorefront = 4_000_028
    case invalidRevoked = 4_000_030
    case invalidStatus = 4_000_031
    case invalidAccountTenure = 4_000_032
    case invalidAppAccountToken = 4_000_033
    case invalidConsumptionStatus = 4_000_034
    case invalidCustomerConsented = 4_000_035
    case invalidDeliveryStatus = 4_000_036
    case invalidLifetimeDollarsPurchased = 4_000_037
    case invalidLifetimeDollarsRefunded = 4_000_038
    case invalidPlatform = 4_000_039
    case invalidPlayTime = 4_000_040
    case invalidSampleContentProvided = 4_000_041
    case invalidUserStatus = 4_000_042
    case invalidTransactionTypeNotSupported = 4_000_047
    case appTransactionIDNotSupported = 4_000_048
    case invalidAppAccountTokenUUID = 4_000_183
    case familyTransactionNotSupported = 4_000_185
    case transactionIDIsNotOriginal = 4_000_187
    case subscriptionExtensionIneligible = 4_030_004
    case subscriptionMaxExtension = 4_030_005
    case familySharedExtensionIneligible = 4_030_007
    case accountNotFound = 4_040_001
    case accountNotFoundRetryable = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundRetryable = 4_040_004
    case originalTransactionIDNotFound = 4_040_005
    case originalTransactionIDNotFoundRetryable = 4_040_006
    case notificationURLNotFound = 4_040_007
    case testNotificationNotFound = 4_040_008
    case statusRequestNotFound = 4_040_009
    case transactionIDNotFound = 4_040_010
    case appTransactionDoesNotExist = 4_040_019
    case rateLimitExceeded = 4_290_000
    case generalInternal = 5_000_000
    case generalInternalRetryable = 5_000_001

    /// A sentence for logs: programs use the number.
    var message: String {
        switch self {
        case .transactionIDNotFound: "Transaction id not found."
        case .originalTransactionIDNotFound: "Original transaction id not found."
        case .accountNotFound: "Account not found."
        case .rateLimitExceeded: "Rate limit exceeded."
        case .multipleFiltersSupplied: "Invalid request. Multiple filters supplied."
        case .generalBadRequest: "Bad request."
        default: "\(self)".sentence
        }
    }
}

extension String {
    /// `invalidSort` becomes `Invalid sort.`
    fileprivate var sentence: String {
        var text = ""
        var wasUpper = false
        for character in self {
            if character.isUppercase, !text.isEmpty, !wasUpper { text += " " }
            wasUpper = character.isUppercase
            text += text.isEmpty ? character.uppercased() : character.lowercased()
        }
        return text + "."
    }
}
