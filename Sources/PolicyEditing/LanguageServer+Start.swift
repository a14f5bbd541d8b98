internal import EntitlementModel
internal import StrictJSON

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
