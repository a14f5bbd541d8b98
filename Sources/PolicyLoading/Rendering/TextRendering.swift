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
    let counts: String
    switch options.language {
    case .english:
        counts = [(errors, "error"), (warnings, "warning")]
            .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
    case .chinese: counts = "\(errors) 个错误，\(warnings) 个警告"
    }
    guard let outcome = options.outcome else { return counts }
    let words =
        switch outcome {
        case .unchanged: Words("; the running policy is unchanged", "；正在运行的策略没有改变")
        case .replaced: Words("; this policy is now running", "；此策略已生效")
        }
    return counts + words[options.language]
}

extension [Diagnostic] {
    /// Those of a severity, with those that are not shown.
    func count(of severity: Severity) -> Int {
        reduce(0) { $0 + ($1.severity == severity ? 1 + $1.repetitions : 0) }
    }
}

extension Severity {
    var words: Words {
        switch self {
        case .error: Words("error", "错误")
        case .warning: Words("warning", "警告")
        case .note: Words("note", "说明")
        }
    }
}

private struct TextRenderer {
    let sources: [PolicyText]
    let options: RenderOptions
    private var lines: [String: SourceLines] = [:]

    init(sources: [PolicyText], options: RenderOptions) {
        self.sources = sources
        self.options = options
    }

    mutating func render(_ diagnostic: Diagnostic) -> String {
        let language = options.language
        let colon = language == .english ? ": " : "："
        var text = paint(location(diagnostic.place) + ": ", .bold)
        text += paint(diagnostic.severity.words[language] + colon, colour(diagnostic.severity))
        text += paint(diagnostic.message(in: language), .bold)
        text += " [\(diagnostic.id.rawValue)]\n"
        text += snippet(
            diagnostic.place, colour(diagnostic.severity),
            hidesRest: diagnostic.id == .secretInPolicy)
        for related in diagnostic.related {
            let place = "\(related.note.words[language]) \(location(related.place))"
            text += paint("  = ", .dim) + Words("note", "说明")[language] + colon + place + "\n"
        }
        if let advice = diagnostic.advice(in: language) {
            text += paint("  = ", .dim) + Words("help", "建议")[language] + colon + advice + "\n"
        }
        if diagnostic.repetitions > 0 {
            let count = diagnostic.repetitions
            let more = Words("and \(count) more like it", "另有 \(count) 处相同")
            text += paint("  = ", .dim) + Words("note", "说明")[language] + colon
            text += more[language] + "\n"
        }
        return text
    }

    private func location(_ place: TextLocation) -> String {
        let path = printable(options.path(place.file))
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
        let length = max(1, width(marked))
        let number = String(place.line).leftPadded(to: 5, " ")
        let margin = String(repeating: " ", count: number.count)
        let cut = first > 0 ? "…" : ""
        let indent = String(repeating: " ", count: width(before) + cut.count)
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
        return character.unicodeScalars.contains(where: CharacterCheck.isHidden)
            ? "\u{FFFD}" : character
    }

    private func width(_ characters: some Sequence<Character>) -> Int {
        characters.reduce(0) { $0 + ($1.isWide ? 2 : 1) }
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

extension Character {
    /// Whether a terminal shows it two columns wide (East Asian wide and full-width signs).
    var isWide: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return true
        default: return false
        }
    }
}
