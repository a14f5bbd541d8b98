internal import EntitlementModel
internal import StrictJSON

/// What goes wrong on demand: which requests, how many of them, and how.
package struct FailureRule: Hashable, Sendable {
    /// What becomes of an answer.
    package enum Effect: Hashable, Sendable {
        /// Nothing but the delay.
        case delayed
        /// A status, with Apple's code in the body if there is one, and `Retry-After` in that many
        /// milliseconds.
        case status(Int, code: Int64?, retryAfter: Int64?)
        /// No answer: the connection is closed.
        case cut
        /// Half of the body, then the connection is closed.
        case truncated
        /// A body that is not JSON.
        case wrongJSON
        case redirect(String)
        /// The same page for ever, with the same revision.
        case samePage
        /// The same page for ever, with a new revision each time.
        case endlessPages
        /// Everything signed for another app.
        case otherApp(String)
        /// Everything signed for the other environment.
        case otherEnvironment
        /// Signed under another root of the same shape.
        case wrongIssuer
        /// Signed by a clock that is that many milliseconds ahead.
        case skew(Int64)
        /// A status of verifyReceipt.
        case receiptStatus(Int64, isRetryable: Bool?)
        /// That many bytes of white space before the answer.
        case padded(Int)
    }

    /// A part of the path; an empty text matches all.
    package var path: String
    /// How many requests fail; nil for no end.
    package var times: Int?
    /// How many of a hundred of those that match.
    package var percent: Int
    package var delay: Int64
    package var effect: Effect

    package init(
        path: String = "", times: Int? = nil, percent: Int = 100, delay: Int64 = 0,
        _ effect: Effect
    ) {
        self.path = path
        self.times = times
        self.percent = percent
        self.delay = delay
        self.effect = effect
    }
}

/// What happens to notifications on their way.
package struct NotificationChaos: Hashable, Sendable {
    /// How many of a hundred attempts never arrive.
    package var dropPercent = 0
    /// How many of a hundred arrive twice.
    package var repeatPercent = 0
    /// Each is sent up to that many milliseconds late: they arrive in another order.
    package var lateMilliseconds: Int64 = 0

    package init() {}
}

/// How the signed part of an answer is falsified.
struct Falsification {
    var bundleID: String?
    var environment: StoreEnvironment?
    var skew: Int64 = 0
    var hasWrongIssuer = false
    var repeatsPage = false
    var hasEndlessPages = false
}

extension AppStoreWorld {
    /// The first rule that this request falls under, counted down.
    func failure(for request: AppStoreRequest) -> FailureRule? {
        for index in failures.indices {
            let rule = failures[index]
            guard rule.times != 0, rule.path.isEmpty || request.target.contains(rule.path) else {
                continue
            }
            guard rule.percent >= 100 || dice.below(100) < rule.percent else { continue }
            failures[index].times = rule.times.map { $0 - 1 }
            return rule
        }
        return nil
    }

    /// Answers under a rule.
    func answer(_ request: AppStoreRequest, failing rule: FailureRule) -> AppStoreResponse {
        var answer: AppStoreResponse
        switch rule.effect {
        case .status(let status, let code, let retryAfter):
            answer = failed(status, code, retryAfter)
        case .redirect(let address):
            answer = AppStoreResponse(status: 302, headers: ["location": address])
        case .receiptStatus(let status, let isRetryable):
            var body: JSONValue = ["status": .integer(status)]
            body["is_retryable"] = isRetryable.map(JSONValue.bool)
            answer = AppStoreResponse(json: body)
        case .wrongJSON:
            answer = AppStoreResponse(json: [:])
            answer.body = Array("<html><body>It works!</body></html>".utf8)
        case .delayed, .cut, .truncated, .samePage, .endlessPages, .otherApp, .otherEnvironment,
            .wrongIssuer, .skew, .padded:
            falsification = Falsification(rule.effect, otherThan: request.target)
            answer = self.answer(undisturbed: request)
            falsification = nil
            rule.effect.damage(&answer)
        }
        answer.delay = rule.delay
        return answer
    }

    private func failed(_ status: Int, _ code: Int64?, _ retryAfter: Int64?) -> AppStoreResponse {
        var answer = AppStoreResponse(status: status)
        if let code {
            answer = AppStoreResponse(
                status: status,
                json: ["errorCode": .integer(code), "errorMessage": "An error on demand."])
        }
        if let retryAfter {
            let now = settings.callersClock?() ?? now
            answer.headers["retry-after"] = "\(now.milliseconds + retryAfter)"
        }
        return answer
    }
}

extension Falsification {
    /// Nil for effects that do not change signed data.
    fileprivate init?(_ effect: FailureRule.Effect, otherThan target: String) {
        switch effect {
        case .samePage: repeatsPage = true
        case .endlessPages: hasEndlessPages = true
        case .otherApp(let bundle): bundleID = bundle
        case .otherEnvironment:
            environment = target.hasPrefix("/production") ? .sandbox : .production
        case .wrongIssuer: hasWrongIssuer = true
        case .skew(let milliseconds): skew = milliseconds
        case .delayed, .status, .cut, .truncated, .wrongJSON, .redirect, .receiptStatus, .padded:
            return nil
        }
    }
}

extension FailureRule.Effect {
    /// Applies it to a correct answer.
    fileprivate func damage(_ answer: inout AppStoreResponse) {
        switch self {
        case .cut: answer.cut = .beforeHead
        case .truncated: answer.cut = .afterBytes(answer.body.count / 2)
        case .padded(let bytes):
            answer.body = [UInt8](repeating: UInt8(ascii: " "), count: bytes) + answer.body
        case .delayed, .status, .wrongJSON, .redirect, .samePage, .endlessPages, .otherApp,
            .otherEnvironment, .wrongIssuer, .skew, .receiptStatus:
            break
        }
    }
}

/// Failures as a control call gives them: `{"failure": "status", "status": 503, "times": 3}`.
extension FailureRule {
    init(_ value: JSONValue) throws(ControlError) {
        let fields = ControlFields(value)
        try fields.allow([
            "failure", "path", "times", "percent", "delay_ms", "status", "code",
            "retry_after_ms", "location", "bundle_id", "milliseconds", "is_retryable", "bytes",
        ])
        effect = try Effect(fields)
        path = try fields.string("path") ?? ""
        times = try fields.integer("times", 1...1_000_000).map { Int($0) }
        percent = Int(try fields.integer("percent", 1...100) ?? 100)
        delay = try fields.integer("delay_ms", 0...3_600_000) ?? 0
    }

    var json: JSONValue {
        var value: JSONValue = ["failure": .string(effect.word), "path": .string(path)]
        value["times_left"] = times.map { .integer(Int64($0)) }
        value["percent"] = .integer(Int64(percent))
        value["delay_ms"] = .integer(delay)
        return value
    }
}

extension FailureRule.Effect {
    fileprivate init(_ fields: ControlFields) throws(ControlError) {
        let day: Int64 = 86_400_000
        switch try fields.required("failure") {
        case "delay": self = .delayed
        case "status":
            self = .status(
                Int(try fields.integer("status", 100...599) ?? 500),
                code: try fields.integer("code", 1_000_000...9_999_999),
                retryAfter: try fields.integer("retry_after_ms", -day...day))
        case "cut": self = .cut
        case "truncate": self = .truncated
        case "wrong-json": self = .wrongJSON
        case "redirect": self = .redirect(try fields.required("location"))
        case "same-page": self = .samePage
        case "endless-pages": self = .endlessPages
        case "other-app":
            self = .otherApp(try fields.string("bundle_id") ?? "com.example.other")
        case "other-environment": self = .otherEnvironment
        case "wrong-issuer": self = .wrongIssuer
        case "skew":
            self = .skew(try fields.integer("milliseconds", -36_500 * day...36_500 * day) ?? 0)
        case "receipt-status":
            self = .receiptStatus(
                try fields.integer("status", 0...99_999) ?? 21_005,
                isRetryable: try fields.bool("is_retryable"))
        case "padding":
            self = .padded(Int(try fields.integer("bytes", 0...100_000_000) ?? 10_000_000))
        case let other: throw ControlError(.unknownWord, "failure", other)
        }
    }

    fileprivate var word: String {
        switch self {
        case .delayed: "delay"
        case .status: "status"
        case .cut: "cut"
        case .truncated: "truncate"
        case .wrongJSON: "wrong-json"
        case .redirect: "redirect"
        case .samePage: "same-page"
        case .endlessPages: "endless-pages"
        case .otherApp: "other-app"
        case .otherEnvironment: "other-environment"
        case .wrongIssuer: "wrong-issuer"
        case .skew: "skew"
        case .receiptStatus: "receipt-status"
        case .padded: "padding"
        }
    }
}
