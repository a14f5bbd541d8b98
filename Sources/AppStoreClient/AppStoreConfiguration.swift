package import EntitlementEngine
package import EntitlementModel

/// How Apple's servers are asked, and for which app.
package struct AppStoreConfiguration: Sendable {
    /// Apple's addresses (apple.com's documentation, 2026).
    package static let production = "https://api.storekit.apple.com"
    package static let sandbox = "https://api.storekit-sandbox.apple.com"
    package static let verifyReceiptProduction = "https://buy.itunes.apple.com/verifyReceipt"
    package static let verifyReceiptSandbox = "https://sandbox.itunes.apple.com/verifyReceipt"

    /// One address for each environment that has a server.
    package struct Servers: Hashable, Sendable {
        package var production: ServerURL
        package var sandbox: ServerURL

        package init(production: ServerURL, sandbox: ServerURL) {
            self.production = production
            self.sandbox = sandbox
        }

        /// Nil for the environments of Xcode, which have no server.
        subscript(environment: StoreEnvironment) -> ServerURL? {
            switch environment {
            case .production: production
            case .sandbox: sandbox
            case .xcode, .localTesting: nil
            }
        }
    }

    /// For the App Store Server API; without it, only verifyReceipt can be called.
    package var key: AppStoreKey?
    /// The app's shared secret; verifyReceipt demands it for receipts with subscriptions.
    package var sharedSecret: Secret?
    package var bundleID: BundleID
    /// Apple's number of the app; answers of production that state another one are not accepted.
    package var appAppleID: Int64?
    package var api: Servers
    package var verifyReceipt: Servers
    /// False for an app without a production release, for which production answers 401: then IDs of
    /// an unknown environment are looked up in the sandbox.
    package var isReleased = true
    /// Calls a second in production on average; a tenth of it in the sandbox, as Apple's own
    /// limits are.
    package var callsPerSecond = 10
    /// Calls under way at once.
    package var concurrency = 8
    package var limits = CallLimits()

    package init(
        key: AppStoreKey?, sharedSecret: Secret?, bundleID: BundleID, api: Servers,
        verifyReceipt: Servers
    ) {
        self.key = key
        self.sharedSecret = sharedSecret
        self.bundleID = bundleID
        self.api = api
        self.verifyReceipt = verifyReceipt
    }
}

/// The limits of a call, and of its repetition.
package struct CallLimits: Hashable, Sendable {
    /// How often a call is sent before its failure is the caller's.
    package var attempts = 4
    /// Before the first repetition; doubled before each further one, and shortened at random by up
    /// to a half, so that many callers do not come back at once. Milliseconds.
    package var firstPause: Int64 = 500
    /// No pause between attempts is longer. Milliseconds.
    package var longestPause: Int64 = 8_000
    /// How long a call waits for the budget or for a `Retry-After` before it fails instead with the
    /// instant to come back at. Milliseconds.
    package var longestWait: Int64 = 10_000
    /// A `Retry-After` beyond this is not believed: Apple counts calls by the hour. Milliseconds.
    package var longestRetryAfter: Int64 = 3_600_000
    /// From a request to the last byte of its answer. Milliseconds.
    package var timeout: Int64 = 30_000
    /// Bytes of an answer of the server API.
    package var answerBytes = 4 << 20
    /// Bytes of an answer of verifyReceipt, which is not paged.
    package var receiptAnswerBytes = 16 << 20
    /// Signed items on one page; Apple documents 20.
    package var pageItems = 200
    /// Pages of one walk.
    package var pages = 5_000

    package init() {}
}

/// The address of one of Apple's servers, or of a substitute: `https`, or `http` on this machine
/// only.
package struct ServerURL: Hashable, Sendable {
    package let text: String

    /// - Parameter text: an absolute URL, with or without a path; a slash at its end is dropped.
    ///   Nil for another scheme, `http` to another machine, a user name, a query, a fragment, and
    ///   anything but printable ASCII.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy(Self.isPlain) else { return nil }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty, Self.isAuthority(parts[2]) else { return nil }
        switch parts[0] {
        case "https:": break
        case "http:": guard Self.isThisMachine(Self.host(of: parts[2])) else { return nil }
        default: return nil
        }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Printable ASCII that has no meaning in a URL but as a part of its path.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Array("\"<>\\^`{|}?#@".utf8).contains(byte)
    }

    private static func isAuthority(_ authority: Substring) -> Bool {
        let host = host(of: authority)
        let port = authority.dropFirst(host.count)
        guard !host.isEmpty, host != "[]" else { return false }
        guard !port.isEmpty else { return true }
        return UInt16(port.dropFirst()).map { $0 > 0 } ?? false
    }

    /// `[::1]` of `[::1]:8080`, `localhost` of `localhost:8080`.
    private static func host(of authority: Substring) -> Substring {
        guard authority.hasPrefix("[") else { return authority.prefix { $0 != ":" } }
        guard let end = authority.firstIndex(of: "]") else { return "" }
        return authority[...end]
    }

    private static func isThisMachine(_ host: Substring) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
