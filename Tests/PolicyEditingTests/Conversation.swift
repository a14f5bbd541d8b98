internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

/// A client of a language server: what it sends, and what it was sent.
final class Conversation {
    private(set) var server: LanguageServer
    /// What came, in order, and was not looked at.
    private(set) var received: [JSONValue] = []
    private var lastID: Int64 = 0

    /// - Parameters:
    ///   - language: of the program; the client names `locale`.
    ///   - isOpen: whether the conversation has begun.
    init(
        locale: String? = "en", encodings: [String] = ["utf-16"], isOpen: Bool = true,
        capabilities: JSONValue = [:]
    ) throws {
        server = LanguageServer(
            LanguageServerOptions(
                language: .english, version: "0", manual: "https://example.com/d",
                now: { Instant(milliseconds: 1_780_000_000_000) },
                check: { checkPolicy($0, $1) }))
        guard isOpen else { return }
        var abilities = capabilities
        abilities["general"] = ["positionEncodings": .array(encodings.map { .string($0) })]
        var params: JSONValue = ["capabilities": abilities]
        if let locale { params["locale"] = .string(locale) }
        let result = try ask("initialize", params)
        try #require(result["result"]?["capabilities"] != nil)
        notify("initialized", [:])
    }

    static let everything: JSONValue = [
        "textDocument": [
            "publishDiagnostics": [
                "relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true,
            ]
        ]
    ]

    func send(_ messages: [JSONValue], settles: Bool = true) {
        server.receive(messages.map { $0.serialized() })
        if settles { server.settle() }
        for message in server.takeOutgoing() {
            received.append(parsed(message))
        }
    }

    func notify(_ method: String, _ params: JSONValue, settles: Bool = true) {
        send([Self.notification(method, params)], settles: settles)
    }

    static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "method": .string(method), "params": params]
    }

    /// The answer to a request, whole.
    func ask(_ method: String, _ params: JSONValue) throws -> JSONValue {
        lastID += 1
        let id = JSONValue.integer(lastID)
        send([["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]])
        let index = try #require(received.firstIndex { $0["id"] == id }, "no answer")
        return received.remove(at: index)
    }

    /// What came and was not looked at.
    func take() -> [JSONValue] {
        defer { received = [] }
        return received
    }

    // MARK: Documents

    func open(_ uri: String, _ text: String, version: Int64 = 1) {
        notify(
            "textDocument/didOpen",
            [
                "textDocument": [
                    "uri": .string(uri), "languageId": "yaml", "version": .integer(version),
                    "text": .string(text),
                ]
            ])
    }

    func change(_ uri: String, version: Int64, _ changes: JSONValue) {
        notify("textDocument/didChange", Self.change(uri, version: version, changes))
    }

    static func change(_ uri: String, version: Int64, _ changes: JSONValue) -> JSONValue {
        [
            "textDocument": ["uri": .string(uri), "version": .integer(version)],
            "contentChanges": changes,
        ]
    }

    /// The diagnostics that were published last for a file, by code; nil for none since the last
    /// look.
    func diagnostics(_ uri: String) -> [JSONValue]? {
        let published = received.filter {
            $0["method"]?.string == "textDocument/publishDiagnostics"
                && $0["params"]?["uri"]?.string == uri
        }
        received = []
        return published.last?["params"]?["diagnostics"]?.elements
    }

    func codes(_ uri: String) -> [String]? {
        diagnostics(uri)?.compactMap { $0["code"]?.string }
    }

    private func parsed(_ message: [UInt8]) -> JSONValue {
        do {
            return try parseJSON(message)
        } catch {
            Issue.record("the server sends what is no JSON: \(error)")
            return .null
        }
    }
}

/// A policy in one file, for a client to open.
enum SmallPolicy {
    static let uri = "untitled:policy.yaml"

    static let text = """
        usher: 1
        app:
          bundle_id: com.example.reader
          apple_id: 1234567890
        trust:
          roots:
            jws: [apple-root-ca-g3]
            receipt: [apple-inc-root]
        environments:
          production: trusted
        entitlements:
          premium: {title: Premium, title_zh: 高级阅读 🙂}
        groups:
          membership: {levels: [gold, silver]}
        products:
          com.example.reader.gold.monthly:
            kind: auto-renewable
            group: membership
            level: gold
            period: 1mo
            title: Gold, monthly
            title_zh: 黄金会员
            price: {USD: 9.99}
            grants: [premium]
        access:
          - name: 银行卡重试期间保留 🙂 premium
            when: {kind: auto-renewable, state: billing-retry, state_age: under 7d}
            then: grant

        """
}
