internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import StrictJSON

/// `usher policy diff`: who gains and who loses what by a change (spec 2.4).
struct PolicyDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show who gains and who loses what by a change of the policy.",
        discussion: """
            With --ledger or --live, every account that holds a product of which anything changes \
            is derived by both policies, now and for the next 30 days, or as many as --days says. \
            What is listed follows from what is known today: renewals to come are not assumed. \
            --accounts lists each of the accounts with what it loses or gains, from when until \
            when, and what it paid last; the file is written whole or not at all.

            Without them, the two policies alone are compared: every product, right and state of \
            which the rules give more or less, with the smallest example and how long the right \
            lasts there; and every claim of which account_switch decides otherwise, which is no \
            loss: what is owned stays owned. Exit codes: 0 compared, 1 with --fail-on-loss if \
            anybody loses anything, 2 failed.

            Example: usher policy diff policies new-policies --ledger usher.ledger
            """)

    @Argument(
        help:
            "The policy folder before and the one after; the policy in force is before if omitted.",
        completion: .directory)
    var folders: [String]

    @Option(help: .value("file", "Compare for the accounts of this ledger."), completion: .file())
    var ledger: String?

    @Option(
        help: .value("date", "The instant to begin at; now if omitted."),
        transform: readInstant)
    var at: Instant?

    @Flag(help: "Compare for the accounts of the running service.")
    var live = false

    @Option(help: .value("number", "How many days to look ahead, from 1 to 400; 30 if omitted."))
    var days: Int?

    @Option(
        help: .value(
            "file",
            "List every account that loses or gains something in this file (.csv or .jsonl)."),
        completion: .file())
    var accounts: String?

    @Option(help: "Output format: text, json or csv.")
    var format: DiffFormat?

    @Flag(help: "Exit with 1 if anybody loses anything.")
    var failOnLoss = false

    @Option(
        help: .value(
            "file", "Keep the state of a long comparison in this file and continue from it."),
        completion: .file())
    var resume: String?

    @Option(help: .value("text", "Write the accept.yaml that accepts the loss, for this reason."))
    var accept: String?

    @OptionGroup var sockets: SocketOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...2).contains(folders.count) else {
            throw ValidationError(.oneOrTwoFolders)
        }
        guard ledger == nil || !live else {
            throw ValidationError(.exclusive, "--ledger", "--live")
        }
        guard ledger != nil || at == nil, ledger != nil || resume == nil else {
            throw ValidationError(.bothNeed, "--at", "--resume", "--ledger")
        }
        guard live || ledger != nil || folders.count == 2 else {
            throw ValidationError(.twoFolders, "--ledger", "--live")
        }
        try validateReach()
        guard let accept else { return }
        guard live || ledger != nil else {
            throw ValidationError(.needsEither, "--accept", "--ledger", "--live")
        }
        guard !accept.isEmpty, accept.utf8.count <= 1_000 else {
            throw ValidationError(.acceptReason)
        }
    }

    private func validateReach() throws {
        if let days {
            guard live || ledger != nil else {
                throw ValidationError(.needsEither, "--days", "--ledger", "--live")
            }
            guard EntitlementEngine.impactDays.contains(Int64(days)) else {
                throw ValidationError(.range, "--days", "1", "400")
            }
        }
        guard let accounts else { return }
        guard ledger != nil else {
            throw ValidationError(.accountsLedger, "--accounts", "--ledger")
        }
        guard resume == nil else {
            throw ValidationError(.exclusive, "--accounts", "--resume")
        }
        guard AccountsFile.Format(path: accounts) != nil else {
            throw ValidationError(.accountsFile, "--accounts")
        }
    }

    func run() throws {
        try output.decide { () throws(CommandFailure) in
            let isLoss = try showLoss(of: ComparedFolders(folders))
            return !failOnLoss || !isLoss
        }
    }

    /// - Returns: whether anything is lost.
    private func showLoss(of pair: ComparedFolders) throws(CommandFailure) -> Bool {
        guard live || ledger != nil else { return try showCells(pair) }
        let impact = try impact(pair)
        try show(impact)
        if let accept { try self.accept(impact, because: accept) }
        return impact.losingEver > 0
    }

    private func impact(
        _ pair: ComparedFolders
    ) throws(CommandFailure) -> PolicyImpactAnswer {
        if live {
            return try LiveImpact(
                call: ServiceCall(socket: sockets.usherSocket), days: days, output: output
            ).compare(pair.oldTexts, pair.newTexts)
        }
        return try LedgerImpact(
            path: ledger ?? "", at: at ?? SystemClock().now(), resume: resume,
            days: days ?? ImpactWindow.usualDays, accounts: accounts, output: output
        ).compare(pair.old, pair.new)
    }

    /// - Returns: whether anything is lost.
    private func showCells(_ pair: ComparedFolders) throws(CommandFailure) -> Bool {
        guard let old = pair.old, let oldTexts = pair.oldTexts else {
            throw .unreadablePolicyFolder(folders[0])
        }
        let comparison = CellComparison(
            from: old, to: pair.new,
            zones: timeZoneEdits(from: oldTexts, to: pair.newTexts))
        switch format ?? (output.json ? .json : .text) {
        case .json: try Terminal.current.printWhole(json: comparison.json.text + "\n")
        case .csv: try Terminal.current.printWhole(Array(comparison.csv.utf8))
        case .text:
            var page = Page(output.language)
            page.write(comparison)
            try Terminal.current.printWhole(page.text)
        }
        return comparison.isLoss
    }

    private func show(_ impact: PolicyImpactAnswer) throws(CommandFailure) {
        switch format ?? (output.json ? .json : .text) {
        case .json:
            let text = String(decoding: impact.json, as: UTF8.self)
            try Terminal.current.printWhole(json: text + "\n")
        case .csv: try Terminal.current.printWhole(Array(impact.csv.utf8))
        case .text:
            var page = Page(output.language)
            page.write(impact)
            try Terminal.current.printWhole(page.text)
        }
    }

    private func accept(
        _ impact: PolicyImpactAnswer, because reason: String
    ) throws(CommandFailure) {
        let path = folders[folders.count - 1] + "/" + FolderAcceptance.file
        var page = Page(output.language)
        if impact.losingEver == 0 {
            page.add(ImpactPhrase.nothingToAccept.text(output.language, path.shown))
        } else {
            let text = """
                from: \(impact.replaces.hexadecimal)
                because: \(JSONValue.string(reason).text)
                accounts_at_most: \(impact.losingEver)

                """
            try OutputFile.write(Array(text.utf8), to: path)
            page.add(
                ImpactPhrase.accepted.text(output.language, path.shown, "\(impact.losingEver)"))
        }
        Terminal.current.printErrorText(page.text)
    }
}

enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, csv
}

/// The folders of a comparison: the one before may be left out.
struct ComparedFolders {
    let newTexts: [PolicyText]
    let new: Policy
    /// Nil for what is in force.
    let oldTexts: [PolicyText]?
    let old: Policy?

    init(_ folders: [String]) throws(CommandFailure) {
        let last = folders[folders.count - 1]
        let checked = CheckedFolder(last)
        new = try checked.required(last)
        newTexts = checked.texts
        guard folders.count == 2 else {
            (oldTexts, old) = (nil, nil)
            return
        }
        let before = CheckedFolder(folders[0])
        oldTexts = before.texts
        // Whatever is an error today, it may have been in force.
        if let policy = loadOldPolicy(before.texts) {
            old = policy
        } else {
            old = try before.required(folders[0])
        }
    }
}
