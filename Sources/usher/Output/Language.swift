internal import ArgumentParser

/// The language of texts for people. Codes and JSON are the same in both.
enum Language: String, ExpressibleByArgument, CaseIterable {
    case english = "en"
    case chinese = "zh"

    /// `--lang`, else `LC_ALL`, `LC_MESSAGES` or `LANG`, else English.
    static func chosen(_ option: Language?, environment: [String: String]) -> Language {
        if let option { return option }
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return locale.hasPrefix("zh") ? .chinese : .english
    }

    /// Names one after the other.
    func list(_ names: [String]) -> String {
        names.joined(separator: Phrase.listSeparator.text(self))
    }

    /// Statements one after the other.
    func clauses(_ statements: [String]) -> String {
        statements.joined(separator: Phrase.clauseSeparator.text(self))
    }
}
