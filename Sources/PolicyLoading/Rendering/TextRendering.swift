package import EntitlementModel
internal import StrictJSON

/// How diagnostics are to be shown.
package struct RenderOptions: Hashable, Sendable {
    /// Who reads it.
    package enum Format: String, CaseIterable, Hashable, Sendable {
        /// For people.
        case text
        /// One object, for programs.
        case json
        /// Workflow commands, which GitHub shows next to the lines.
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
    package var language: Language
    package var usesColour: Bool
    /// Put before every path.
    package var folder: String
    /// Nil where no policy is running.
    package var outcome: Outcome?

    package init(
        format: Format = .text, language: Language = .english, usesColour: Bool = false,
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
    case .json: renderJSON(diagnostics, options, summary).laidOut + "\n"
    case .github: renderGitHub(diagnostics, options)
    case .sarif: renderSARIF(diagnostics, options).laidOut + "\n"
    }
}

/// Diagnostics for people: the sentence, the line with what is meant underlined, and the help.
func renderText(
    _ diagnostics: [Diagnostic], sources: [PolicyText], _ options: RenderOptions
) -> String {
    var renderer = TextRenderer(sources: sources, options: options)
    return diagnostics.map { renderer.render($0) }.joined(separator: "\n")
        + (diagnostics.isEmpty ? "" : "\n")
        + summary(of: diagnostics, options) + "\n"
}

/// `1 error, 2 warnings; the running policy is unchanged`.
func summary(of diagnostics: [Diagnostic], _ options: RenderOptions) -> String {
    let errors = diagnostics.count(of: .error)
    let warnings = diagnostics.count(of: .warning)
    let language = options.language
    let counts = [
        errors == 1
            ? CheckPhrase.oneError.text(language)
            : CheckPhrase.errors.text(language, "\(errors)"),
        warnings == 1
            ? CheckPhrase.oneWarning.text(language)
            : CheckPhrase.warnings.text(language, "\(warnings)"),
    ].joined(separator: CheckPhrase.listSeparator.text(language))
    guard let outcome = options.outcome else { return counts }
    let phrase: CheckPhrase =
        switch outcome {
        case .unchanged: .unchanged
        case .replaced: .replaced
        }
    return [counts, phrase.text(language)]
        .joined(separator: CheckPhrase.clauseSeparator.text(language))
}

extension [Diagnostic] {
    /// Those of a severity, with those that are not shown.
    func count(of severity: Severity) -> Int {
        reduce(0) { $0 + ($1.severity == severity ? 1 + $1.repetitions : 0) }
    }
}

private struct TextRenderer {
    let sources: [PolicyText]
    let options: RenderOptions
    private var lines: [String: SourceLines] = [:]
    /// Warnings of which it was said how they are waived.
    private var waivable: Set<DiagnosticID> = []

    init(sources: [PolicyText], options: RenderOptions) {
        self.sources = sources
        self.options = options
    }

    mutating func render(_ diagnostic: Diagnostic) -> String {
        let language = options.language
        var text = paint(location(diagnostic.place) + ": ", .bold)
        text += paint(label(diagnostic.severity, ""), colour(diagnostic.severity))
        text += paint(diagnostic.message(in: language), .bold)
        text += " [\(diagnostic.id.rawValue)]\n"
        text += snippet(
            diagnostic.place, colour(diagnostic.severity),
            hidesRest: diagnostic.id == .secretInPolicy)
        if !diagnostic.example.isEmpty {
            let example = CheckPhrase.example.text(language, diagnostic.exampleText)
            text += paint("  = ", .dim) + label(Severity.note, example) + "\n"
        }
        for note in diagnostic.notes {
            text += paint("  = ", .dim) + label(Severity.note, note.shown) + "\n"
        }
        for related in diagnostic.related {
            let place = "\(related.note.text(language)) \(location(related.place))"
            text += paint("  = ", .dim) + label(Severity.note, place) + "\n"
        }
        text +=
            paint("  = ", .dim) + label(CheckPhrase.help, diagnostic.advice(in: language)) + "\n"
        for choice in diagnostic.choices {
            let line = RepairPhrase.choice.text(language, choice.inMessage)
            text += paint("  = ", .dim) + label(Severity.note, line) + "\n"
        }
        if diagnostic.id.isWaivable, waivable.insert(diagnostic.id).inserted {
            let phrase: CheckPhrase = diagnostic.id.isOfFolder ? .waiveInFile : .waive
            let line = phrase.text(language, diagnostic.id.rawValue)
            text += paint("  = ", .dim) + label(Severity.note, line) + "\n"
        }
        if diagnostic.repetitions > 0 {
            let more = CheckPhrase.moreLikeIt.text(language, "\(diagnostic.repetitions)")
            text += paint("  = ", .dim) + label(Severity.note, more) + "\n"
        }
        return text
    }

    /// `help: …`.
    private func label(_ name: some LocalizedText, _ text: String) -> String {
        CheckPhrase.labelled.text(options.language, name.text(options.language), text)
    }

    private func location(_ place: TextLocation) -> String {
        let path = options.path(place.file).inMessage
        return place.line == 0 ? path : "\(path):\(place.line):\(place.column)"
    }

    /// The line, and a mark under what is meant. What follows the name of a secret is not shown.
    private mutating func snippet(
        _ place: TextLocation, _ colour: Paint, hidesRest: Bool
    ) -> String {
        guard place.line > 0, let line = line(place), !line.isEmpty else { return "" }
        let end = place.column - 1 + place.length
        let shown = (hidesRest ? line.prefix(end) + ": …" : line).map(visible)
        // A long line is shown from shortly before the place on.
        let first = place.column > 100 ? place.column - 41 : 0
        let window = shown.dropFirst(first).prefix(140)
        let before = shown.dropFirst(first).prefix(place.column - 1 - first)
        let marked = shown.dropFirst(place.column - 1).prefix(place.length)
        let length = max(1, marked.map(\.columns).reduce(0, +))
        let digits = String(place.line)
        let number = String(repeating: " ", count: max(0, 5 - digits.count)) + digits
        let margin = String(repeating: " ", count: number.count)
        let cut = first > 0 ? "…" : ""
        let indent = String(repeating: " ", count: before.map(\.columns).reduce(cut.count, +))
        let mark = "^" + String(repeating: "~", count: min(length, 140) - 1)
        return paint("\(number) | ", .dim) + cut + String(window) + "\n"
            + paint("\(margin) | ", .dim) + indent + paint(mark, colour) + "\n"
    }

    private mutating func line(_ place: TextLocation) -> Substring? {
        if let known = lines[place.file] { return known.line(place.line) }
        guard let source = sources.first(where: { $0.path == place.file }) else { return nil }
        let read = SourceLines(source.text)
        lines[place.file] = read
        return read.line(place.line)
    }

    /// What disturbs a terminal or deceives the eye is shown as a sign for itself.
    private func visible(_ character: Character) -> Character {
        if character == "\t" { return "→" }
        return character.unicodeScalars.contains(where: \.isHidden)
            ? "\u{FFFD}" : character
    }

    // MARK: Colour

    private enum Paint: String {
        case bold = "1"
        case dim = "2"
        case red = "1;31"
        case yellow = "1;33"
        case blue = "1;34"
    }

    private func colour(_ severity: Severity) -> Paint {
        switch severity {
        case .error: .red
        case .warning: .yellow
        case .note: .blue
        }
    }

    private func paint(_ text: String, _ paint: Paint) -> String {
        options.usesColour ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }
}
