internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import PolicyTools
internal import StrictJSON

/// `usher policy show`: the effective policy, built-in rules included (spec 2.5).
struct PolicyShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract:
            "Show what a policy gives, which rules decide, what is sold, and what has a date.",
        discussion: """
            Every cell of the tables lists the rules that decide some case of it, in order, the \
            built-in ones included. Exit codes: 0 shown, 1 the folder has errors, 2 failed.

            Example: usher policy show policies --format html --output policy.html
            """)

    @Argument(help: "The policy folder.", completion: .directory)
    var folder = "policies"

    @Option(help: .value(PolicyPart.names, "Show only this part; may be repeated."))
    var part: [PolicyPart] = []

    @Option(
        help: .value(
            "pattern",
            """
            Only products with this id, in which * stands for any characters, or with this text \
            in id or title.
            """))
    var product: String?

    @Option(help: .value("name", "Only what gives this entitlement."), transform: readName)
    var entitlement: EntitlementName?

    @Option(help: "Output format: text, json or html.")
    var format: ShowFormat?

    @Flag(help: "Print one self-contained HTML page, like --format html.")
    var html = false

    @Flag(help: "Show how many accounts stand in each cell, as the running service counted last.")
    var counts = false

    @Option(help: .value("file", "Write to this file."), completion: .file())
    var output: String?

    @Option(help: .value("number", "Columns of text, 40 to 400; those of the terminal if omitted."))
    var width: Int?

    @Option(
        help: .value("date", "The instant to mark as now; now if omitted."),
        transform: readInstant)
    var at: Instant?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var common: OutputOptions

    func validate() throws {
        try require(width ?? 80, in: 40...400, of: "--width")
        try require(
            product.map({ (1...256).contains($0.utf8.count) }) ?? true, or: .patternLength,
            "--product")
    }

    func run() throws {
        let checked = CheckedFolder(folder)
        guard let policy = checked.policy else {
            throw checked.refuse(folder, asJSON: chosen == .json, common.language)
        }
        try common.attempt { () throws(CommandFailure) in
            if let entitlement, policy.entitlements[entitlement] == nil {
                throw .said(sentence(on: entitlement, policy))
            }
            let tables = policyTables(
                policy,
                TableScope(products: product.map { ProductFilter($0) }, entitlement: entitlement))
            let service = ServiceCall(socket: sockets.usherSocket)
            try write(
                text(of: tables, counts ? service.counts(of: policy.digest, common.language) : nil))
        }
    }

    private var chosen: ShowFormat {
        format ?? (common.json ? .json : html ? .html : .text)
    }

    private func sentence(on entitlement: EntitlementName, _ policy: Policy) -> String {
        let language = common.language
        let names = policy.entitlements.keys.map(\.text).sorted()
        let meant = suggestion(for: entitlement.text, among: names)
        return ShowPhrase.unknownEntitlement.text(language, entitlement.text.shown)
            + (meant.map { SettingPhrase.didYouMean.text(language, $0) } ?? "")
    }

    /// Colours are for a terminal, which a file is not.
    private func text(of tables: PolicyTables, _ counts: PolicyCountsAnswer?) -> String {
        let terminal = Terminal.current
        let parts = part.isEmpty ? Set(PolicyPart.allCases) : Set(part)
        var showing = PolicyShowing(
            language: common.language, now: at ?? SystemClock().now(), parts: parts,
            width: width ?? terminal.columns.map { min(max($0, 40), 400) } ?? 80,
            isColoured: output == nil && terminal.isColoured,
            scope: [product, entitlement?.text].compactMap(\.self))
        showing.counts = counts
        switch chosen {
        case .json: return tables.json(showing).text + "\n"
        case .html: return tables.page(showing)
        case .text: return tables.text(showing)
        }
    }

    /// A file is whole or not there at all.
    private func write(_ text: String) throws(CommandFailure) {
        let isJSON = chosen == .json
        if let output {
            let safe = isJSON ? text.safeJSON : text.safeText(keepsColours: false)
            try OutputFile.write(Array(safe.utf8), to: output)
        } else if isJSON {
            try Terminal.current.printWhole(json: text)
        } else {
            try Terminal.current.printWhole(text)
        }
    }
}

extension ServiceCall {
    /// The accounts in each cell of the policy.
    ///
    /// - Throws: `.said` where the service has not counted, or by another policy.
    func counts(
        of policy: Digest256, _ language: Language
    ) throws(CommandFailure) -> PolicyCountsAnswer {
        let report = try Answered<PolicyCountsReport>(received: get("/v1/policy/counts")).value
        guard let counts = report.counts else {
            throw .said(ShowPhrase.notCounted.text(language))
        }
        guard counts.policy == policy else {
            throw .said(ShowPhrase.otherPolicy.text(language, counts.policy.short, policy.short))
        }
        return counts
    }
}

/// What `policy show` writes.
enum ShowFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case html
}

extension PolicyPart: ExpressibleByArgument {
    /// `access|products|…`.
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: "|") }
}

/// `usher policy schema`.
struct PolicySchema: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of policy files, for editors.",
        discussion: "Example: usher policy schema > policies/schema.json")

    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.attempt { () throws(CommandFailure) in
            try Terminal.current.printWhole(policySchema(in: output.language))
        }
    }
}

/// What `usher policy show` says instead of tables.
enum ShowPhrase: String, CaseIterable, UsherText, Wording {
    case unknownEntitlement = "the policy has no entitlement '{0}'"
    case notCounted = "the service has not counted the accounts yet; try again later"
    case otherPolicy = "the service has counted by policy {0}, and this one is {1}"
}

/// `usher policy explain`: what an id or a name stands for.
struct PolicyExplain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain the id of a diagnostic or finding, a key, or what a policy has named.",
        discussion: """
            Of a diagnostic, a finding or a key of a policy file: what it means. Of a rule: what \
            it can decide, and the rules that are tried before it. Of a product: what it gives in \
            each state, and by which rules. Of an entitlement or credit: who gives it. Of a group or a \
            level: its products, and the rules that name it. Exit codes: 0 explained, 1 the policy \
            has errors, 2 unknown.

            Example: usher policy explain premium policies
            """)

    @Argument(help: "The id of a diagnostic or finding, a key, or a name.")
    var name: String

    @Argument(
        help: .value("folder", "The policy folder; 'policies' if omitted."),
        completion: .directory)
    var place: String?

    @Option(help: "The policy folder, instead of naming it last.", completion: .directory)
    var folder: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require(place == nil || folder == nil, or: .folderOnce)
    }

    func run() throws {
        let folder = place ?? self.folder ?? "policies"
        if let id = DiagnosticID(rawValue: name) {
            return try print([explain(id, in: output.language)])
        }
        let known = explain(word: name, in: output.language)
        let checked = CheckedFolder(folder)
        guard let policy = checked.policy else {
            return known.isEmpty ? try refuse(checked, in: folder) : try print(known)
        }
        let found =
            known
            + explain(
                name, in: policy, cells: decidedCells, language: output.language)
        guard !found.isEmpty else { return try tellUnknown(policy) }
        try print(found)
    }

    private func print(_ explanations: [PolicyExplanation]) throws {
        try output.attempt { () throws(CommandFailure) in
            if output.json {
                try Terminal.current.printWhole(json: PolicyExplanation.json(explanations))
            } else {
                let texts = explanations.map { $0.text(in: output.language) }
                try Terminal.current.printWhole(texts.joined(separator: "\n"))
            }
        }
    }

    private func tellUnknown(_ policy: Policy?) throws {
        let names = explainableNames(of: policy)
        let phrase: ExplainUnknownPhrase
        let near = suggestion(for: name, among: names)
        phrase = near == nil ? .unknown : .unknownNear
        let sentence = phrase.text(output.language, name.shown, near?.shown ?? "")
        try output.attempt { () throws(CommandFailure) in throw .said(sentence) }
    }

    /// Why nothing of the folder can be explained. A misspelt id needs no policy.
    private func refuse(_ checked: CheckedFolder, in folder: String) throws {
        if suggestion(for: name, among: explainableNames(of: nil)) != nil {
            return try tellUnknown(nil)
        }
        throw checked.refuse(folder, asJSON: output.json, output.language)
    }
}

/// What `usher policy explain` says of a name that nothing has.
enum ExplainUnknownPhrase: String, CaseIterable, UsherText, Wording {
    case unknown =
        "'{0}' is not a diagnostic, finding or key, and the policy has nothing of that name"
    case unknownNear = """
        '{0}' is not a diagnostic, finding or key, and the policy has nothing of that name; did \
        you mean '{1}'?
        """
}
