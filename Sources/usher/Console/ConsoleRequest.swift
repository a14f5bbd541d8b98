internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools

/// A request of a browser, whole.
struct ConsoleRequest: Sendable {
    let method: String
    /// As it was asked for.
    let target: String
    /// The segments of the path, percent-decoded.
    let path: [String]
    let query: FormValues
    /// Names in lower case, in the order in which they came.
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    /// - Returns: nil for a target that is no path, or whose text is not UTF-8.
    init?(method: String, target: String, fields: [(String, String)], body: [UInt8]) {
        let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target.hasPrefix("/"), let query = FormValues(sides.count == 2 ? sides[1] : "")
        else { return nil }
        var path: [String] = []
        for segment in sides[0].split(separator: "/") {
            guard let text = FormValues.decoded(segment, plusIsSpace: false) else { return nil }
            path.append(text)
        }
        (self.method, self.target) = (method, target)
        self.path = path
        self.query = query
        self.fields = fields.map { ($0.0.lowercased(), $0.1) }
        self.body = body
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The one value of a field; nil where there are none or several.
    func value(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    func cookie(_ name: String) -> String? {
        for line in values("cookie") {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
            }
        }
        return nil
    }

    /// What a form says; nil for a body that is none.
    var form: FormValues? {
        guard value("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true,
            let text = String(validating: body, as: UTF8.self)
        else { return nil }
        return FormValues(text[...])
    }

    var language: Language {
        let wanted = Array((value("accept-language") ?? "").utf8)
        return Language(acceptLanguage: 0..<wanted.count, in: wanted.span)
    }
}

/// Names with values, as a query and a form have them.
struct FormValues: Sendable {
    private(set) var pairs: [(name: String, value: String)] = []

    init() {}

    init?(_ text: Substring) {
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]),
                let value = Self.decoded(sides.count == 2 ? sides[1] : "")
            else { return nil }
            pairs.append((name, value))
        }
    }

    /// The first value of that name that says something.
    subscript(name: String) -> String? {
        pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// What is pasted may have blanks around it.
    var trimmed: FormValues {
        var values = self
        values.pairs = pairs.map { ($0.name, $0.value.trimmed) }
        return values
    }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    mutating func set(_ name: String, _ value: String) {
        pairs.removeAll { $0.name == name }
        add(name, value)
    }

    mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }

    static func decoded(_ text: Substring, plusIsSpace: Bool = true) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard rest.count >= 2,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension String {
    fileprivate var trimmed: String {
        let begun = drop(while: \.isWhitespace)
        let length = begun.reversed().drop(while: \.isWhitespace).count
        return String(begun.prefix(length))
    }
}

/// What a browser gets.
struct ConsoleResponse: Sendable {
    var status = 200
    var mediaType = "text/html; charset=utf-8"
    var body: [UInt8] = []
    /// Beside those that every answer has.
    var fields: [(name: String, value: String)] = []

    /// What every answer has: nothing from elsewhere, nothing kept, no frame around it.
    static let standing: [(name: String, value: String)] = [
        (
            "content-security-policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
                + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"), ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ]

    static func redirect(to path: String) -> ConsoleResponse {
        ConsoleResponse(status: 303, fields: [("location", path)])
    }
}
