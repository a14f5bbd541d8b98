internal import EntitlementModel
internal import StrictJSON

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
