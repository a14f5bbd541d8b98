internal import StrictJSON

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
