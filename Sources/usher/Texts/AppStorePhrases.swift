internal import EntitlementAnswers
internal import EntitlementModel

/// What Apple's numbers mean: `errorCode` of the App Store Server API, `status` of verifyReceipt.
enum AppleCodePhrase: Int, CaseIterable, UsherText {
    case transactionIDInvalid = 4_000_006
    case noAppTransactionID = 4_000_048
    case cannotExtend = 4_030_004
    case accountNotFound = 4_040_001
    case accountNotFoundNow = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundNow = 4_040_004
    case originalNotFound = 4_040_005
    case originalNotFoundNow = 4_040_006
    case noNotificationURL = 4_040_007
    case testNotFound = 4_040_008
    case extensionNotFound = 4_040_009
    case transactionNotFound = 4_040_010
    case noAppTransaction = 4_040_019
    case tooOften = 4_290_000
    case failure = 5_000_000
    case failureNow = 5_000_001
    case receiptNotPosted = 21_000
    case receiptMalformed = 21_002
    case receiptNotAuthentic = 21_003
    case wrongSecret = 21_004
    case receiptServerDown = 21_005
    case receiptExpired = 21_006
    case receiptOfSandbox = 21_007
    case receiptOfProduction = 21_008
    case receiptDataFailure = 21_009
    case customerGone = 21_010

    var english: String {
        switch self {
        case .transactionIDInvalid: "the transaction id is not valid"
        case .noAppTransactionID: "this call does not take an app transaction id"
        case .cannotExtend: "the subscription cannot be extended"
        case .accountNotFound: "no customer of this App Store account"
        case .accountNotFoundNow: "the customer cannot be found at the moment"
        case .appNotFound: "no app has this bundle id"
        case .appNotFoundNow: "the app cannot be found at the moment"
        case .originalNotFound: "no purchase has this original transaction id"
        case .originalNotFoundNow: "the purchase cannot be found at the moment"
        case .noNotificationURL: "App Store Connect has no address for notifications"
        case .testNotFound: "the test notification is unknown, or not sent yet"
        case .extensionNotFound: "no extension for all subscribers has this id"
        case .transactionNotFound: "no purchase has this transaction id"
        case .noAppTransaction: "the customer has no app transaction"
        case .tooOften: "the limit of calls is reached"
        case .failure: "a failure at Apple"
        case .failureNow: "a failure at Apple that passes"
        case .receiptNotPosted: "the receipt was not posted"
        case .receiptMalformed: "the receipt is malformed, or the server failed"
        case .receiptNotAuthentic: "the receipt is not authentic"
        case .wrongSecret: "the shared secret is not the app's"
        case .receiptServerDown: "the receipt server is not available"
        case .receiptExpired: "the receipt is genuine and its subscription has expired"
        case .receiptOfSandbox: "the receipt is of the sandbox"
        case .receiptOfProduction: "the receipt is of production"
        case .receiptDataFailure: "Apple's data cannot be read at the moment"
        case .customerGone: "the customer's account is unknown or deleted"
        }
    }
}

/// What is said where Apple's servers cannot be asked as the settings have it.
enum AppStoreSetupPhrase: String, CaseIterable, UsherText, Wording {
    case notConfigured = """
        Apple's servers are not configured: set app-store.issuer-id, app-store.key-id and \
        app-store.key-file
        """
    case incomplete =
        "{0} is missing: issuer id, key id and key file of Apple's servers belong together"
    case unreadable = "{0}: the file {1} cannot be read, or is not a file of at most 64 KiB"
    case exposed = "{0}: others may read the file {1}; run 'chmod 600' on it"
    case issuerID = "{0}: the issuer id must be a UUID, as App Store Connect shows it"
    case keyID = "{0}: the key id must be letters and digits, as App Store Connect shows it"
    case notPEM = "{0}: the file {1} is not a .p8 file with a private key"
    case notP256 = "{0}: the private key in {1} is not a P-256 key, or is damaged"
    case secret = "{0}: the file {1} must contain one line of at most 256 printable characters"
    case bundleID = "set app-store.bundle-id: there is no valid policy that names the app"
}

/// What `usher app-store …` says.
enum AppStorePhrase: String, CaseIterable, UsherText, Wording {
    case subscription = "original transaction {0}: {1}"
    case status = "status {0}"
    case transactions = "transactions: {0}"
    case revision = "revision: {0}"
    case more = "there is more: continue with --after {0}"
    case next = "continue with --after {0}"
    case noMore = "nothing more"
    case attempts = "delivery"
    case badReport = "{0}: '{1}' is not what Apple defines for this call"
    case noAttempts = "delivery: no attempt is known yet"
    case attempt = "{0}: {1}"
    case order = "the order is valid"
    case unknownOrder = "the App Store does not know this order of the app"
    case testRequested =
        "a test notification was requested; ask what became of it with --status {0}"
    case finished = "finished: transaction {0}"
    case tokenSet = "done: the appAccountToken of original transaction {0} was set"
    case consumptionSent = "sent: what was used of transaction {0}"
    case extended = "extended: original transaction {0} renews {1}"
    case notExtended = "not extended: original transaction {0}"
    case extensionRequested =
        "requested; ask how far it is with 'usher app-store extend-status {0} {1}'"
    case extensionRunning = "not complete yet"
    case extensionDone = "complete: {0} extended, {1} failed"
    case environment = "environment: {0}"
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

/// Why Apple's servers gave no answer: the kinds of `AppStoreFailure`.
enum AppStoreFailurePhrase: String, CaseIterable, UsherText {
    case unauthorized
    case notFound = "not-found"
    case rateLimited = "rate-limited"
    case unavailable
    case network
    case badAnswer = "bad-answer"
    case rejected

    var english: String {
        switch self {
        case .unauthorized:
            "Apple's servers do not accept the credentials: check the key, its ids, the shared "
                + "secret, the bundle id and the clock"
        case .notFound: "Apple's servers do not know this"
        case .rateLimited: "Apple's servers must not be asked so often"
        case .unavailable: "Apple's servers have a temporary failure"
        case .network: "Apple's servers cannot be reached"
        case .badAnswer: "Apple's servers gave an answer that cannot be used"
        case .rejected: "Apple's servers reject the request"
        }
    }
}

/// What belongs to such a sentence.
enum AppStoreFailureDetail: String, CaseIterable, UsherText, Wording {
    case code = "code {0}"
    case codeMeaning = "code {0}: {1}"
    case status = "HTTP {0}"
    case library = "libcurl.so.4 is not installed; on Debian: apt install libcurl4"
    case retryAt = "try again at {0}"
}

/// What `usher simulate serve` says.
enum BoxPhrase: String, CaseIterable, UsherText, Wording {
    case serving = """
        serving the App Store in a box on {0}
          production      {0}/production
          sandbox         {0}/sandbox
          control calls   {0}/box
          issuer id       {1}
          key id          {2}
          root (SHA-256)  {3}
        """
    case trust = """

        To have a policy accept what it signs, copy {0}/root.pem and {0}/receipt-root.pem into
        the policy folder, and write into app.yaml:

          app:
            bundle_id: {1}
            apple_id: {2}
          trust:
            roots:
              jws: [{file: root.pem}]
              receipt: [{file: receipt-root.pem}]
        """
    case badListen = "'{0}' is not an address; write 127.0.0.1:8421"
    case badNotify = """
        '{0}' is not an address for notifications; write http://127.0.0.1:8000/path or \
        unix:/path/to/usher.sock
        """
    case badStart = "'{0}' is not an instant from 2008-07-10 to 2099-12-31"
    case badSeed = "'--seed' must be a whole number from 0 to 18446744073709551615, not '{0}'"
    case badNumber = "the speed must be from 0 to 1000000000 and the grace from 0 to 28 days"
    case badKeys = "{0} is not a file of keys that a box has kept"
    case otherSeed = "the keys in {0} belong to seed {1}; omit '--seed', or name another folder"
    case notServing = "cannot listen on {0}; another program may be using the address"
}

/// What `usher reconcile` says.
enum ReconciliationPhrase: String, CaseIterable, UsherText, Wording {
    case run = "reconciliation {0}: {1}"
    case running, finished
    case stopped = "stopped before its end [{0}]"
    case resumed = "resumed"
    case from = "time"
    case customers = "Apple IDs"
    case of = "{0} of {1}"
    case calls = "calls"
    case notifications = "notifications"
    case written = "evidence written"
    case unanswered = "Apple gave no usable answer about {0 Apple ID|Apple IDs}"
    case refused = "{0 piece|pieces} of Apple's answers refused as evidence"
    case noDrift = "no drift"
    case nothingCompared = "nothing was compared"
    case drift = "drift: {0 difference|differences}, {1 Apple ID|Apple IDs}, {2 account|accounts}"
    case customer = "{0}: account {1}"
    case noCustomer = "no Apple ID"
    case notification = "notification {0}"
    case status = "Apple's status {0}"
    case omitted = "{0} more; '--json' prints all"
    case progress = "{0} of {1 Apple ID|Apple IDs}, {2 call|calls}, {3 difference|differences}"
    case risk = "CLASS OF RISK"
    case planCustomers = "APPLE IDS"
    case planLineages = "PURCHASES"
    case every = "EVERY"
    case hours = "{0} h"
    case silent = """
        Apple has not answered for 10 seconds; calls are repeated for about two minutes, and after \
        a limit for as long as Apple says
        """
    case callsPerDay = "CALLS/DAY"
    case due = "DUE NOW"
    case callsDue = "CALLS DUE"
    case sum = "all"
    case allowed = "{0} calls a second allow {1} calls a day"
    case duration = "what is due now takes {0} at this rate"
    case last = "reconciliation"
    case found = "{0 difference|differences}"
}

extension DriftCause: UsherText {
    package var english: String {
        switch self {
        case .missedNotification: "missed notification"
        case .notificationsUnreadable: "notification history not readable to its end"
        case .refundUnknown: "refund unknown"
        case .reversalUnknown: "reversed refund unknown"
        case .renewalUnknown: "renewal unknown"
        case .transactionUnknown: "transaction unknown"
        case .lineageUnknown: "purchase unknown"
        case .stateUnknown: "renewal state unknown"
        case .detailUnknown: "detail of a transaction unknown"
        case .lineageNotFound: "purchase not found at Apple"
        case .statusDiffers: "Apple's status differs"
        case .extraRight: "extra right"
        case .missingRight: "missing right"
        }
    }
}

extension RiskClass: UsherText {
    package var english: String {
        switch self {
        case .expiring: "about to expire"
        case .retrying: "in grace or retrying"
        case .silent: "silent for long"
        case .refunded: "refunded lately"
        case .steady: "all others"
        }
    }
}

/// What `usher refunds …` says.
enum RefundPhrase: String, CaseIterable, UsherText, Wording {
    case none = "no refund request is open"
    case noneYet = "no refund request is known"
    case sendsNothing = "this service tells Apple nothing: a person has to"
    case title = "refund request {0}: {1}"
    case asked = "asked {0}; Apple takes an answer until {1}"
    case reason = "Apple's reason: {0}"
    case wouldSay = "Apple would be told: {0}"
    case said = "Apple was told: {0}"
    case used = "{0} used"
    case sample = "tried before"
    case tellsNothing = "nothing is sent: {0} [{1}]"
    case at = "recorded {0}"
    case byPerson = "by {0}: {1}"
    case howTo = "to answer it yourself:"
    case preview = "what policy {0} would have answered, with every customer's consent"
    case withoutConsent = "{0} without consent"
    case newest = "the newest {0}:"
    case needsLedger = "--policies needs the ledger: name it with --ledger"
    case consentGiven = "recorded: {0} lets Apple be told what was used"
    case consentWithdrawn = "recorded: {0} does not let Apple be told what was used"
    case recorded = "recorded: a person has answered refund request {0}"
    case consents = "Apple may be told what was used"
    case consentsNot = "Apple may not be told what was used"
    case file = "  FILE: {0}"
    case begun = "this stands since {0}; Apple may have been told"
}
