/// What is said of Apple's servers, in English.
extension AppStoreSetupPhrase {
    var english: String {
        switch self {
        case .notConfigured:
            "Apple's servers are not configured: set app-store.issuer-id, app-store.key-id and "
                + "app-store.key-file"
        case .incomplete:
            "{0} is missing: issuer id, key id and key file of Apple's servers belong together"
        case .unreadable: "{0}: the file {1} cannot be read, or is not a file of at most 64 KiB"
        case .exposed: "{0}: others may read the file {1}; run 'chmod 600' on it"
        case .issuerID: "{0}: the issuer id must be a UUID, as App Store Connect shows it"
        case .keyID: "{0}: the key id must be letters and digits, as App Store Connect shows it"
        case .notPEM: "{0}: the file {1} is not a .p8 file with a private key"
        case .notP256: "{0}: the private key in {1} is not a P-256 key, or is damaged"
        case .secret: "{0}: the file {1} must contain one line of at most 256 printable characters"
        case .bundleID: "set app-store.bundle-id: there is no valid policy that names the app"
        }
    }
}

extension AppStorePhrase {
    var english: String {
        switch self {
        case .subscription: "original transaction {0}: {1}"
        case .status: "status {0}"
        case .transactions: "transactions: {0}"
        case .revision: "revision: {0}"
        case .more: "there is more: continue with --after {0}"
        case .next: "continue with --after {0}"
        case .noMore: "nothing more"
        case .badReport: "{0}: '{1}' is not what Apple defines for this call"
        case .attempts: "delivery"
        case .noAttempts: "delivery: no attempt is known yet"
        case .attempt: "{0}: {1}"
        case .order: "the order is valid"
        case .unknownOrder: "the App Store does not know this order of the app"
        case .testRequested:
            "a test notification was requested; ask what became of it with --status {0}"
        case .finished: "finished: transaction {0}"
        case .tokenSet: "done: the appAccountToken of original transaction {0} was set"
        case .consumptionSent: "sent: what was used of transaction {0}"
        case .extended: "extended: original transaction {0} renews {1}"
        case .notExtended: "not extended: original transaction {0}"
        case .extensionRequested:
            "requested; ask how far it is with 'usher app-store extend-status {0} {1}'"
        case .extensionRunning: "not complete yet"
        case .extensionDone: "complete: {0} extended, {1} failed"
        case .environment: "environment: {0}"
        }
    }
}

extension AppStoreStatusPhrase {
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

extension AppStoreFailurePhrase {
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

extension AppStoreFailureDetail {
    var english: String {
        switch self {
        case .code: "code {0}"
        case .codeMeaning: "code {0}: {1}"
        case .status: "HTTP {0}"
        case .library: "libcurl.so.4 is not installed; on Debian: apt install libcurl4"
        case .retryAt: "try again at {0}"
        }
    }
}

extension AppleCodePhrase {
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

extension BoxPhrase {
    var english: String {
        switch self {
        case .serving:
            """
            serving the App Store in a box on {0}
              production      {0}/production
              sandbox         {0}/sandbox
              control calls   {0}/box
              issuer id       {1}
              key id          {2}
              root (SHA-256)  {3}
            """
        case .trust:
            """

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
        case .badKeys: "{0} is not a file of keys that a box has kept"
        case .otherSeed: "the keys in {0} belong to seed {1}; omit '--seed', or name another folder"
        case .badListen: "'{0}' is not an address; write 127.0.0.1:8421"
        case .badNotify:
            """
            '{0}' is not an address for notifications; write http://127.0.0.1:8000/path or \
            unix:/path/to/usher.sock
            """
        case .badStart: "'{0}' is not an instant from 2008-07-10 to 2099-12-31"
        case .badSeed:
            "'--seed' must be a whole number from 0 to 18446744073709551615, not '{0}'"
        case .badNumber: "the speed must be from 0 to 1000000000 and the grace from 0 to 28 days"
        case .notServing: "cannot listen on {0}; another program may be using the address"
        }
    }
}
