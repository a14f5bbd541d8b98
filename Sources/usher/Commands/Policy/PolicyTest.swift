internal import ArgumentParser
internal import EntitlementEngine
internal import EntitlementModel
internal import FoundationEssentials
internal import Glibc
internal import PolicyLoading
internal import PolicyTools
internal import StrictJSON

/// `usher policy test`: plays the stories of a policy (spec 2.3).
struct PolicyTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Play the stories of a policy folder, and check what they expect.",
        discussion: """
            A story says what customers do and what must be true of them then: docs/STORIES.md \
            explains how to write one, --list-steps prints every sentence. Stories are the YAML \
            files in the folder 'tests' of the policy, without those in 'tests/policies'. Each is \
            played through the engine with evidence signed by a simulated App Store, with a clock \
            of its own, on a ledger that is deleted afterwards. Exit codes: 0 all passed, 1 a \
            story failed, or there is none, or coverage is below --fail-under, 2 failed.

            Example: usher policy test policies --coverage
            """)

    @Argument(
        help: "The policy folder, 'policies' if omitted; then story files, all if omitted.",
        completion: .file())
    var paths: [String] = []

    @Option(help: .value("text", "Only stories whose file or title contains this."))
    var filter: String?

    @Flag(help: "Also say which rules and states no story uses.")
    var coverage = false

    @Option(
        help: .value(
            "percent", "Exit with 1 if stories use less than this of the rules and states."))
    var failUnder: Int?

    @Option(help: "Output format: text, json, junit, github or sarif.")
    var format: StoryFormat?

    @Flag(help: "Print every sentence that a story can have, in English and Chinese.")
    var listSteps = false

    @Flag(help: "Play again whenever a file of the folder changes.")
    var watch = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require(failUnder ?? 0, in: 0...100, of: "--fail-under")
    }

    func run() async throws {
        if listSteps {
            return try await output.attempt { () async throws(CommandFailure) in
                try Terminal.current.printWhole(listedSteps(in: output.language))
            }
        }
        let code = watch ? try await playAgain() : try await playOnce()
        if code != .success { throw code }
    }

    /// Plays after every change, also of what could not be read, until the user interrupts it.
    ///
    /// - Returns: what came of the last time.
    private func playAgain() async throws -> ExitCode {
        // Before anything is read, so that no change falls in between.
        let changes = StoryFiles(paths).flatMap { FolderWatch($0.folder, besides: $0.storyFolders) }
        guard let changes else { return try await playOnce() }
        Interruption.holdBack(saying: "")
        var code = try await playWhatThereIs()
        while !Interruption.isPending {
            try await Task.sleep(for: .milliseconds(200))
            guard changes.hasChanged() else { continue }
            changes.renew()
            code = try await playWhatThereIs()
        }
        return code
    }

    /// A folder that cannot be read is being edited: it has been told, and is watched further.
    private func playWhatThereIs() async throws -> ExitCode {
        do {
            return try await playOnce()
        } catch let code as ExitCode {
            return code
        }
    }

    /// Reads everything again, plays it and tells it.
    private func playOnce() async throws -> ExitCode {
        var passed = false
        try await output.attempt { () async throws(CommandFailure) in
            guard let files = StoryFiles(paths) else {
                throw .unreadablePolicyFolder(paths.first ?? StoryFiles.usualFolder)
            }
            let checked = CheckedFolder(files.folder)
            let policy = try checked.required(files.folder)
            let options = StoryOptions(
                texts: checked.texts, policy: policy, makeLedger: { try ThrowAwayLedger.make() },
                readFolder: { files.policyFolder(named: $0) })
            var suite = await playStories(
                try files.stories(), options, filter: filter,
                width: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), language: output.language)
            suite.noteEmpty(files.testFolder)
            passed = try tell(suite, suite.coverage.report(on: policy))
        }
        return passed ? .success : .no
    }

    /// - Returns: whether the suite passed.
    private func tell(
        _ suite: StorySuiteResult, _ covered: StoryCoverageReport
    ) throws(CommandFailure) -> Bool {
        let language = output.language
        let isBelow = failUnder.map { covered.percent < $0 } ?? false
        let showsCoverage = coverage || failUnder != nil
        var options = RenderOptions(
            language: language, usesColour: Terminal.current.isColoured, folder: "")
        switch format ?? (output.json ? .json : .text) {
        case .text:
            var text = suite.text(options, filter: filter)
            if showsCoverage { text += covered.text(in: language, atLeast: failUnder) }
            try Terminal.current.printWhole(text)
        case .json:
            let json = suite.json(options, coverage: showsCoverage ? covered : nil)
            try Terminal.current.printWhole(json: json.text + "\n")
        case .junit: try Terminal.current.printWhole(suite.junit(in: language))
        case .github, .sarif:
            options.format = format == .sarif ? .sarif : .github
            let text = render(suite.allDiagnostics, sources: suite.sources, as: options)
            try Terminal.current.printWhole(format == .sarif ? text.safeJSON : text)
        }
        return suite.hasPassed && !isBelow
    }
}

/// How the results of stories are printed.
enum StoryFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, junit, github, sarif
}

/// The stories of a policy folder, or those that were named.
struct StoryFiles: Sendable {
    static let usualFolder = "policies"

    let folder: String
    /// Story files by name; empty for all of the folder.
    private let named: [String]

    /// - Parameter paths: a folder, then files; each may be left out. Nil where the folder is none.
    init?(_ paths: [String]) {
        let first = paths.first ?? Self.usualFolder
        let hasFolder = InputFile.isFolder(first)
        folder = hasFolder ? first : Self.usualFolder
        named = Array(hasFolder ? paths.dropFirst() : paths[...])
        guard InputFile.isFolder(folder) else { return nil }
    }

    var testFolder: String { folder + "/tests" }

    /// Where stories are, besides the folder itself.
    var storyFolders: [String] {
        let above = named.map { path in
            path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        }
        return [testFolder] + Set(above).sorted()
    }

    /// Read, in the order of their paths.
    func stories() throws(CommandFailure) -> [PolicyText] {
        var texts: [PolicyText] = []
        for path in named.isEmpty ? found : named {
            guard let bytes = try? InputFile.read(path, limit: 1 << 20) else {
                throw .unreadableFile(path)
            }
            texts.append(PolicyText(path: path, bytes: bytes))
        }
        return texts
    }

    private var found: [String] {
        InputFile.files(in: testFolder).filter { path in
            (path.hasSuffix(".yaml") || path.hasSuffix(".yml"))
                && !path.hasPrefix(testFolder + "/policies/")
        }
    }

    /// The texts of a folder in `tests/policies`; nil where it cannot be read.
    func policyFolder(named name: String) -> [PolicyText]? {
        guard !name.contains("/"), !name.hasPrefix(".") else { return nil }
        return try? readPolicyFolder(testFolder + "/policies/" + name)
    }
}

extension StorySuiteResult {
    /// A suite without stories is a failure.
    mutating func noteEmpty(_ folder: String) {
        guard results.isEmpty, sources.isEmpty else { return }
        diagnostics.append(
            Diagnostic(
                id: .noStory, place: TextLocation(file: folder), facts: [.written(folder)]))
    }
}

/// A ledger for one story: in `TMPDIR`, or in memory where the system has a folder for that.
enum ThrowAwayLedger {
    static func make() throws -> StoryLedger {
        var template = Array((folder + "/usher-story-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw CommandFailure.unwritableFile(folder) }
        let made = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        return StoryLedger(LedgerFile(made + "/ledger").throwAway) {
            try? FileManager.default.removeItem(atPath: made)
        }
    }

    private static var folder: String {
        if let named = Terminal.current.environment["TMPDIR"], !named.isEmpty { return named }
        return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    }
}
