/// How diagnostics are to be shown.
package struct RenderOptions: Hashable, Sendable {
    /// Who reads it.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// For people.
        case text
        /// One object, for programs.
        case json
        /// Workflow commands, which GitHub shows beside the lines.
        case github
        /// SARIF 2.1.0, which code review tools read.
        case sarif
    }

    /// What came of it for the policy that the service runs.
    package enum Outcome: String, Hashable, Sendable {
        /// The service keeps the one it had.
        case unchanged
        /// This one has taken its place.
        case replaced
    }

    package var format: Format
    package var language: MessageLanguage
    package var usesColour: Bool
    /// Put before every path.
    package var folder: String
    /// Nil where no policy is running.
    package var outcome: Outcome?

    package init(
        format: Format = .text, language: MessageLanguage = .english, usesColour: Bool = false,
        folder: String = "", outcome: Outcome? = nil
    ) {
        self.format = format
        self.language = language
        self.usesColour = usesColour
        self.folder = folder
        self.outcome = outcome
    }

    /// The path as the caller knows it.
    func path(_ file: String) -> String {
        if file.isEmpty { return folder.isEmpty ? "." : folder }
        return folder.isEmpty ? file : folder.hasSuffix("/") ? folder + file : "\(folder)/\(file)"
    }
}

/// Shows diagnostics in one of the formats; the text ends with a line break.
///
/// - Parameter summary: what was read, for people at the end and for programs as members.
package func render(
    _ diagnostics: [Diagnostic], sources: [PolicyText], summary: FolderSummary? = nil,
    as options: RenderOptions = .init()
) -> String {
    switch options.format {
    case .text:
        renderText(diagnostics, sources: sources, options)
            + (summary?.text(in: options.language) ?? "")
    case .json: renderJSON(diagnostics, options, summary).rendered() + "\n"
    case .github: renderGitHub(diagnostics, options)
    case .sarif: renderSARIF(diagnostics, options).rendered() + "\n"
    }
}
