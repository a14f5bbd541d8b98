package import EntitlementModel
package import PolicyAnalysis
package import PolicyLoading
internal import StrictJSON

/// What a language server is given by the program.
package struct LanguageServerOptions: Sendable {
    /// Makes a policy of texts that are to come into force.
    package typealias Check = @Sendable ([PolicyText], PolicyCheckOptions) -> PolicyReport

    /// For a client that names no locale.
    package var language: Language
    package var version: String
    /// The address of the manual of diagnostics; nil for none.
    package var manual: String?
    package var now: @Sendable () -> Instant
    package var check: Check

    package init(
        language: Language, version: String, manual: String? = nil,
        now: @escaping @Sendable () -> Instant, check: @escaping Check
    ) {
        (self.language, self.version, self.manual) = (language, version, manual)
        (self.now, self.check) = (now, check)
    }
}

/// A server of the Language Server Protocol 3.17 for policy files: messages in, messages out.
///
/// It knows no streams and waits for nothing. Changes are checked when `settle` is called, which
/// the program does once no message waits, so that many changes in a row are checked once, and
/// what is published is never older than what was published before.
package struct LanguageServer: Sendable {
    /// How far the conversation is.
    enum Phase: Sendable {
        case starting
        case running
        /// After `shutdown`: nothing but `exit` is expected.
        case stopped
    }

    let options: LanguageServerOptions
    var phase = Phase.starting
    var language: Language
    var encoding = PositionEncoding.utf16
    var client = ClientAbilities()
    var workspace = PolicyWorkspace()
    var checks: [PolicyHome: CheckedPolicy] = [:]
    /// Policies that changed since they were checked.
    var unchecked: Set<PolicyHome> = []
    /// What the client shows, by policy and URI.
    var published: [PolicyHome: [String: PublishedDiagnostics]] = [:]
    var scans: [String: ScannedFile] = [:]
    var outgoing: [JSONValue] = []
    private var log: [String] = []
    /// What the program ends with; nil while it goes on.
    package private(set) var exitCode: Int32?

    package init(_ options: LanguageServerOptions) {
        self.options = options
        language = options.language
    }

    /// What is to be sent, in order.
    package mutating func takeOutgoing() -> [[UInt8]] {
        defer { outgoing = [] }
        return outgoing.map { $0.serialized() }
    }

    /// What is to be logged, in lines.
    package mutating func takeLog() -> [String] {
        defer { log = [] }
        return log
    }

    mutating func tell(_ phrase: EditingPhrase, _ facts: String...) {
        log.append(phrase.filled(with: facts.map(\.shown), in: options.language))
    }

    // MARK: Messages

    /// Takes the messages that have arrived, in order. Of requests that are taken back by a later
    /// message none is carried out.
    package mutating func receive(_ contents: [[UInt8]]) {
        let messages = contents.map { ProtocolMessage($0) }
        var cancellations: [RequestID: Int] = [:]
        for (index, message) in messages.enumerated() {
            if case .notification("$/cancelRequest", let params) = message,
                let id = params["id"].flatMap({ RequestID($0) })
            {
                cancellations[id] = index
            }
        }
        for (index, message) in messages.enumerated() where exitCode == nil {
            receive(message) { (cancellations[$0] ?? -1) > index }
        }
    }

    /// The stream cannot be read further: says why, and ends.
    package mutating func fail(_ failure: MessageReader.Failure) {
        let error = ResponseError(.parseError, "\(failure)")
        outgoing.append(OutgoingMessage.error(nil, error))
        tell(.streamUnreadable, "\(failure)")
        exitCode = 1
    }

    /// The client has closed the stream.
    package mutating func end() {
        guard exitCode == nil else { return }
        tell(.streamEnded)
        exitCode = phase == .stopped ? 0 : 1
    }

    private mutating func receive(
        _ message: ProtocolMessage, isCancelled: (RequestID) -> Bool
    ) {
        switch message {
        case .response: break
        case .invalid(let id, let error):
            outgoing.append(OutgoingMessage.error(id, error))
            tell(.messageRefused, error.message)
        case .notification("exit", _): exitCode = phase == .stopped ? 0 : 1
        case .notification(let method, let params):
            if phase == .running { take(method, params) }
        case .request(let id, let method, let params):
            if isCancelled(id) {
                let error = ResponseError(.requestCancelled, "cancelled by the client")
                outgoing.append(OutgoingMessage.error(id, error))
                return
            }
            do throws(ResponseError) {
                outgoing.append(OutgoingMessage.result(id, try answer(method, params)))
            } catch {
                outgoing.append(OutgoingMessage.error(id, error))
            }
        }
    }

    private mutating func answer(
        _ method: String, _ params: JSONValue
    ) throws(ResponseError) -> JSONValue {
        switch (phase, method) {
        case (.starting, "initialize"): return initialize(params)
        case (.starting, _):
            throw ResponseError(.serverNotInitialized, "initialize comes first")
        case (.stopped, _):
            throw ResponseError(.invalidRequest, "the server has been shut down")
        case (.running, "initialize"):
            throw ResponseError(.invalidRequest, "the server has been initialized")
        case (.running, "shutdown"):
            phase = .stopped
            return .null
        case (.running, _): return try answerFeature(method, params)
        }
    }

    private mutating func answerFeature(
        _ method: String, _ params: JSONValue
    ) throws(ResponseError) -> JSONValue {
        switch method {
        case "textDocument/completion": return try complete(params)
        case "textDocument/hover": return try hover(params)
        case "textDocument/codeAction": return try codeActions(params)
        default: throw ResponseError(.methodNotFound, "unknown method '\(method.shown)'")
        }
    }

    private mutating func take(_ method: String, _ params: JSONValue) {
        do throws(ResponseError) {
            switch method {
            case "initialized": askForFileChanges()
            case "textDocument/didOpen": try open(params)
            case "textDocument/didChange": try change(params)
            case "textDocument/didClose": try close(params)
            case "textDocument/didSave", "workspace/didChangeWatchedFiles": rereadDisk()
            case "workspace/didChangeWorkspaceFolders": changeFolders(params)
            default: break
            }
        } catch {
            // A notification has no answer.
            tell(.messageRefused, "\(method): \(error.message)")
        }
    }
}

/// What the client said of itself that matters here.
struct ClientAbilities: Sendable {
    var showsRelated = false
    var showsVersions = false
    var showsManual = false
    var watchesFiles = false
    var completesMarkdown = false
    var hoversMarkdown = false
    var takesCodeActions = false

    init() {}

    init(_ capabilities: JSONValue?) {
        let published = capabilities?["textDocument"]?["publishDiagnostics"]
        showsRelated = published?["relatedInformation"]?.bool ?? false
        showsVersions = published?["versionSupport"]?.bool ?? false
        showsManual = published?["codeDescriptionSupport"]?.bool ?? false
        let texts = capabilities?["textDocument"]
        let completed = texts?["completion"]?["completionItem"]?["documentationFormat"]
        completesMarkdown = completed?.listsMarkdown ?? false
        hoversMarkdown = texts?["hover"]?["contentFormat"]?.listsMarkdown ?? false
        takesCodeActions = texts?["codeAction"]?["codeActionLiteralSupport"] != nil
        let watched = capabilities?["workspace"]?["didChangeWatchedFiles"]
        watchesFiles = watched?["dynamicRegistration"]?.bool ?? false
    }

    /// A text in Markdown, or for a client that shows none without its signs.
    func markup(_ text: String, _ isMarkdown: Bool) -> JSONValue {
        if isMarkdown { return ["kind": "markdown", "value": .string(text)] }
        var plain = ""
        var isEscaped = false
        for character in text {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            if isEscaped || !"*`".contains(character) { plain.append(character) }
            isEscaped = false
        }
        return ["kind": "plaintext", "value": .string(plain)]
    }
}

extension JSONValue {
    fileprivate var listsMarkdown: Bool {
        elements?.contains { $0.string == "markdown" } ?? false
    }
}

/// The beginning of a conversation.
extension LanguageServer {
    mutating func initialize(_ params: JSONValue) -> JSONValue {
        phase = .running
        if let locale = params["locale"]?.string { language = Language(locale: locale) }
        let capabilities = params["capabilities"]
        client = ClientAbilities(capabilities)
        let offered = capabilities?["general"]?["positionEncodings"]?.elements ?? []
        encoding = PositionEncoding(offered: offered.compactMap(\.string))
        let folders = params["workspaceFolders"]?.elements?.compactMap { $0["uri"]?.string }
        let root = params["rootUri"]?.string
        workspace.roots = (folders ?? root.map { [$0] } ?? []).compactMap(FileAddress.path)
        tell(.started, options.version, encoding.rawValue, language.rawValue)
        return [
            "capabilities": abilities,
            "serverInfo": ["name": "usher", "version": .string(options.version)],
        ]
    }

    private var abilities: JSONValue {
        [
            "positionEncoding": .string(encoding.rawValue),
            "textDocumentSync": ["openClose": true, "change": 2, "save": true],
            "completionProvider": ["triggerCharacters": [" ", "[", "{", ",", "\""]],
            "hoverProvider": true,
            "codeActionProvider": ["codeActionKinds": ["quickfix"]],
            "workspace": [
                "workspaceFolders": ["supported": true, "changeNotifications": true]
            ],
        ]
    }

    /// Asks to be told when files change that are not open.
    mutating func askForFileChanges() {
        guard client.watchesFiles else { return }
        let watchers: JSONValue = [["globPattern": "**/*.{yaml,yml,pem,der}"]]
        outgoing.append([
            "jsonrpc": "2.0", "id": "watch-files", "method": "client/registerCapability",
            "params": [
                "registrations": [
                    [
                        "id": "watch-files", "method": "workspace/didChangeWatchedFiles",
                        "registerOptions": ["watchers": watchers],
                    ]
                ]
            ],
        ])
    }

    mutating func changeFolders(_ params: JSONValue) {
        func paths(_ key: String) -> [String] {
            (params["event"]?[key]?.elements ?? []).compactMap { $0["uri"]?.string }
                .compactMap(FileAddress.path)
        }
        let removed = Set(paths("removed"))
        workspace.roots = workspace.roots.filter { !removed.contains($0) } + paths("added")
        rereadDisk()
    }
}
