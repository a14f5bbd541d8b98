package import EntitlementModel

/// Why Apple's servers gave no answer that can be used, and what to do about it.
///
/// It holds no secret and nothing of what was sent: it may be logged and shown.
package struct AppStoreFailure: Error, Hashable, Sendable {
    /// What went wrong, by what a caller can do about it.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// 401: the key, the issuer or the clock is wrong; or the app has no production release.
        case unauthorized
        /// The id is not known in any environment that was asked; do not deliver for it.
        case notFound = "not-found"
        /// 429 or the own budget: not before `retryAt`.
        case rateLimited = "rate-limited"
        /// 5xx, codes that Apple marks as retryable, retryable statuses of verifyReceipt.
        case unavailable
        /// No connection, a time-out, a connection that broke off.
        case network
        /// An answer that is no answer: a redirect, wrong JSON, too many bytes or pages, another app
        /// or environment.
        case badAnswer = "bad-answer"
        /// Apple rejects the request, and would again.
        case rejected
    }

    package var kind: Kind
    /// Apple's `errorCode`, or the status of verifyReceipt.
    package var code: Int?
    /// The status of HTTP.
    package var httpStatus: Int?
    /// When to try again at the earliest, where Apple or the budget says so.
    package var retryAt: Instant?
    /// Whether production has answered that the sandbox is to be asked, and the sandbox has failed:
    /// that says nothing of production.
    package var isAfterFallback = false
    /// Whether there is no connection because the system lacks the library that opens them.
    package var lacksLibrary = false

    package init(
        _ kind: Kind, code: Int? = nil, httpStatus: Int? = nil, retryAt: Instant? = nil
    ) {
        self.kind = kind
        self.code = code
        self.httpStatus = httpStatus
        self.retryAt = retryAt
    }

    /// Whether the same call may succeed later without anybody changing something.
    package var isRetryable: Bool {
        switch kind {
        case .rateLimited, .unavailable, .network: true
        case .unauthorized, .notFound, .badAnswer, .rejected: false
        }
    }
}
