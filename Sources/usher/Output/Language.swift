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
}
