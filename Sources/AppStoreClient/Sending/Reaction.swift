internal import EntitlementEngine
internal import EntitlementModel
internal import StrictJSON

/// What an HTTP answer of Apple's means: a row each of the tables of docs/APP_STORE.md.
enum Reaction: Sendable {
    /// The answer that was asked for; of verifyReceipt, also one that names the other environment.
    case answered
    /// - Parameter isRepeated: whether the client itself sends the call again, after a pause.
    case failed(AppStoreFailure, isRepeated: Bool)

    static func to(
        _ response: TransportResponse, of service: AppStoreCall.Service, at now: Instant,
        longestRetryAfter: Int64
    ) -> Reaction {
        let status = response.status
        switch status {
        case 200..<300: return service == .verifyReceipt ? verifyReceipt(response) : .answered
        case 300..<400: return .failed(.init(.badAnswer, httpStatus: status), isRepeated: false)
        case 429:
            let failure = AppStoreFailure(
                .rateLimited, code: APIErrorCode(response)?.number, httpStatus: status,
                retryAt: retryAt(response, at: now, longest: longestRetryAfter))
            return .failed(failure, isRepeated: true)
        default:
            guard service == .serverAPI else {
                return status >= 500
                    ? .failed(.init(.unavailable, httpStatus: status), isRepeated: true)
                    : .failed(.init(.rejected, httpStatus: status), isRepeated: false)
            }
            return serverAPI(status, APIErrorCode(response))
        }
    }

    /// `Retry-After` is the Unix time in milliseconds. Nil for one that is missing, unreadable or
    /// past; one that is too far ahead is cut off.
    private static func retryAt(
        _ response: TransportResponse, at now: Instant, longest: Int64
    ) -> Instant? {
        guard let text = response.retryAfter, let milliseconds = Int64(text) else { return nil }
        let instant = Instant(milliseconds: milliseconds)
        guard instant > now else { return nil }
        return min(instant, now.advanced(byMilliseconds: longest))
    }
}

/// Errors of the App Store Server API.
extension Reaction {
    private static func serverAPI(_ status: Int, _ code: APIErrorCode?) -> Reaction {
        func failed(_ kind: AppStoreFailure.Kind, isRepeated: Bool = false) -> Reaction {
            .failed(
                AppStoreFailure(kind, code: code?.number, httpStatus: status),
                isRepeated: isRepeated)
        }
        if status == 401 { return failed(.unauthorized) }
        if status >= 500 {
            // Apple marks which of its own errors are worth another attempt; a server without a
            // code is one in front of it.
            return failed(.unavailable, isRepeated: code.map(\.isRetryable) ?? true)
        }
        guard let code else {
            // A missing page of another server must not look like a missing purchase.
            return failed(status == 404 ? .badAnswer : .rejected)
        }
        if code.isRetryable { return failed(.unavailable, isRepeated: true) }
        return failed(code.saysNotFound ? .notFound : .rejected)
    }
}

/// Apple's `errorCode`: the status of HTTP and four more digits.
struct APIErrorCode: Hashable, Sendable {
    let number: Int

    /// Nil unless the body has one, and it is one of the answer's own status.
    init?(_ response: TransportResponse) {
        guard let document = try? JSONDocument(response.body),
            let place = document.member("errorCode", of: .root),
            let number = document.int64(at: place), number / 10_000 == response.status
        else { return nil }
        self.number = Int(number)
    }

    /// Apple says of these that the same request may succeed later.
    var isRetryable: Bool {
        [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_001].contains(number)
    }

    /// The subject of the call is unknown: an account, a purchase, a test notification, a mass
    /// extension, an app transaction, a group. The app (4040003) and the address of its server
    /// (4040007) are the caller's settings instead.
    var saysNotFound: Bool {
        [
            4_040_001, 4_040_005, 4_040_008, 4_040_009, 4_040_010, 4_040_019, 4_040_022,
        ].contains(number)
    }

    /// The id belongs to the other environment, or to none.
    static func asksForSandbox(_ code: Int?) -> Bool { code == 4_040_010 || code == 4_040_005 }
}

/// Statuses of verifyReceipt.
extension Reaction {
    private static func verifyReceipt(_ response: TransportResponse) -> Reaction {
        guard let answer = ReceiptAnswer(response.body) else {
            return .failed(.init(.badAnswer, httpStatus: response.status), isRepeated: false)
        }
        func failed(_ kind: AppStoreFailure.Kind, isRepeated: Bool = false) -> Reaction {
            .failed(
                AppStoreFailure(kind, code: answer.status, httpStatus: response.status),
                isRepeated: isRepeated)
        }
        switch answer.status {
        case 0, 21_006, 21_007, 21_008: return .answered
        // Malformed, or a temporary problem: only a repetition can tell.
        case 21_002: return failed(.rejected, isRepeated: true)
        // Our own shared secret is wrong: that says nothing of the receipt.
        case 21_004: return failed(.unauthorized)
        case 21_005, 21_009: return failed(.unavailable, isRepeated: true)
        case 21_010: return failed(.notFound)
        case 21_100...21_199:
            let isRetryable = answer.isRetryable ?? true
            return failed(isRetryable ? .unavailable : .rejected, isRepeated: isRetryable)
        default: return failed(.rejected)
        }
    }
}

/// The part of an answer of verifyReceipt that the client reads.
struct ReceiptAnswer {
    let status: Int
    /// Apple writes `is_retryable` or `is-retryable`, as a boolean or as 0 and 1.
    let isRetryable: Bool?
    /// Apple's spelling; missing in answers of the old form and in errors.
    let environment: String?

    /// Nil if it is not a JSON object with a status.
    init?(_ body: [UInt8]) {
        let limits = JSONLimits(bytes: body.count, values: 2_000_000)
        guard let document = try? JSONDocument(body, limits: limits),
            let place = document.member("status", of: .root),
            let status = document.int64(at: place)
                ?? document.string(at: place).flatMap({ Int64($0) })
        else { return nil }
        self.status = Int(status)
        environment = document.member("environment", of: .root).flatMap(document.string)
        let retryable =
            document.member("is_retryable", of: .root)
            ?? document.member("is-retryable", of: .root)
        isRetryable = retryable.flatMap { Self.flag(document, at: $0) }
    }

    private static func flag(_ document: JSONDocument, at place: JSONOffset) -> Bool? {
        if let flag = document.bool(at: place) { return flag }
        switch document.int64(at: place).map(String.init) ?? document.string(at: place) {
        case "1", "true": return true
        case "0", "false": return false
        default: return nil
        }
    }
}

/// One call of Apple's, before it is known to which environment it goes.
struct AppStoreCall: Sendable {
    enum Service: Sendable {
        case serverAPI
        case verifyReceipt
    }

    var service = Service.serverAPI
    var method = "GET"
    /// Of the server API, below its base; each part encoded.
    var path = ""
    var query: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// Apple's own limit in production, in calls a second; the sandbox has a tenth of it.
    var limit = 50
    /// Whether sending it twice does no more than sending it once. A call that is not repeatable is
    /// sent again only where the first one was certainly not carried out.
    var isRepeatable = true

    /// - Parameter parts: of the path; ids are encoded, so that none leads elsewhere.
    static func get(_ parts: [String], limit: Int = 50) -> AppStoreCall {
        AppStoreCall(path: path(parts), limit: limit)
    }

    static func send(
        _ method: String, _ parts: [String], _ body: JSONValue? = nil, limit: Int = 50
    ) -> AppStoreCall {
        AppStoreCall(
            method: method, path: path(parts), body: body?.serialized(), limit: limit)
    }

    private static func path(_ parts: [String]) -> String {
        "/inApps/" + parts.map(percentEncoded).joined(separator: "/")
    }

    /// Path and query.
    var target: String {
        guard !query.isEmpty else { return path }
        return path + "?"
            + query.map { $0.name + "=" + percentEncoded($0.value) }.joined(separator: "&")
    }
}

/// With everything escaped but what RFC 3986 leaves unreserved.
private func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
        let scalar = Unicode.Scalar(byte)
        let isPlain =
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
            || ("0"..."9").contains(scalar) || ["-", ".", "_", "~"].contains(scalar)
        // A path that consists of dots would lead elsewhere.
        if isPlain, text != ".", text != ".." {
            encoded.unicodeScalars.append(scalar)
        } else {
            encoded += "%" + byte.hexadecimal(width: 2, uppercase: true)
        }
    }
    return encoded
}
