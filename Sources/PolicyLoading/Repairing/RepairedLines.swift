package import EntitlementModel

/// How many mistakes are shown with their repair: a person repairs the first ones first.
private let mostDiagnostics = 8

/// How many lines of one repair are shown.
private let mostLines = 6

/// The diagnostics of a report, each with the lines that it would have after its repair, so that
/// the message itself says what to write. Where several repairs are possible, each is shown.
package func withRepairedLines(
    _ diagnostics: [Diagnostic], in texts: [PolicyText], language: Language
) -> [Diagnostic] {
    var left = mostDiagnostics
    return diagnostics.map { diagnostic in
        guard diagnostic.severity == .error, left > 0 else { return diagnostic }
        left -= 1
        var shown = diagnostic
        let found = repairs(for: diagnostic, in: texts)
        if found.count > 1 { shown.choices = found.map(\.line) }
        // Where the help has the line already, it is not said twice.
        if found.count == 1, diagnostic.help != .writtenLike(found[0].line) {
            shown.notes += found[0].lines(in: texts, language)
        }
        return shown
    }
}

extension Repair {
    /// The lines that it changes as they will be, with their numbers; those that it removes.
    fileprivate func lines(in texts: [PolicyText], _ language: Language) -> [String] {
        let after = applied(to: texts)
        var shown: [String] = []
        for (before, after) in zip(texts, after) where before != after {
            let (old, new) = (SourceLines(before.text), SourceLines(after.text))
            if new.count == old.count {
                shown += (1...new.count).filter { old.line($0) != new.line($0) }.map { number in
                    CheckPhrase.repairedLine.text(language, "\(number)", String(new.line(number)))
                }
            } else if new.count < old.count,
                let number = (1...old.count).first(where: { old.line($0) != new.line($0) })
            {
                shown.append(CheckPhrase.removedLine.text(language, "\(number)"))
            } else if let number = (1...new.count).first(where: { old.line($0) != new.line($0) }) {
                shown.append(
                    CheckPhrase.repairedLine.text(
                        language, "\(number)", String(new.line(number))))
            }
        }
        return Array(shown.prefix(mostLines))
    }
}
