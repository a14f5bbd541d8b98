internal import ArgumentParser
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

    @Option(help: .value("file", "Write to this file."), completion: .file())
    var output: String?

    @Option(help: .value("number", "Columns of text, 40 to 400; those of the terminal if omitted."))
    var width: Int?

    @Option(
        help: .value("date", "The instant to mark as now; now if omitted."),
        transform: readInstant)
    var at: Instant?

    @OptionGroup var common: OutputOptions

    func validate() throws {
        guard (40...400).contains(width ?? 80) else {
            throw ValidationError(.range, "--width", "40", "400")
        }
        guard product.map({ (1...256).contains($0.utf8.count) }) ?? true else {
            throw ValidationError(.patternLength, "--product")
        }
    }

    func run() throws {
        let checked = CheckedFolder(folder)
        guard let policy = checked.policy else {
            tell(checked)
            throw checked.isReadable ? ExitCode.no : ExitCode.unanswered
        }
        try common.attempt { () throws(CommandFailure) in
            if let entitlement, policy.entitlements[entitlement] == nil {
                throw .said(sentence(on: entitlement, policy))
            }
            let tables = policyTables(
                policy,
                TableScope(products: product.map { ProductFilter($0) }, entitlement: entitlement))
            try write(text(of: tables))
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
    private func text(of tables: PolicyTables) -> String {
        let terminal = Terminal.current
        let parts = part.isEmpty ? Set(PolicyPart.allCases) : Set(part)
        let showing = PolicyShowing(
            language: common.language, now: at ?? SystemClock().now(), parts: parts,
            width: width ?? terminal.columns.map { min(max($0, 40), 400) } ?? 80,
            isColoured: output == nil && terminal.isColoured,
            scope: [product, entitlement?.text].compactMap(\.self))
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

    /// Why there is no table: for programs in its place, for people next to it, so that a page
    /// that is written to a file is a page or nothing.
    private func tell(_ checked: CheckedFolder) {
        let isJSON = chosen == .json
        let options = RenderOptions(
            format: isJSON ? .json : .text, language: common.language, folder: folder)
        let rendered = render(checked.diagnostics, sources: checked.texts, as: options)
        if isJSON {
            Terminal.current.printText(rendered.safeJSON)
        } else {
            Terminal.current.printErrorText(rendered)
        }
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
}
