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

    /// A sentence for whoever reads a log: programs go by the number.
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
