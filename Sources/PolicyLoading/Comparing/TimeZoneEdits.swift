/// The files of which the days begin at another instant, because their `time_zone` is another one:
/// with every day that is written in them (spec 2.4).
///
/// Files are compared by their path; one that only one of the folders has is no edit.
package func timeZoneEdits(from old: [PolicyText], to new: [PolicyText]) -> [PolicyEdit] {
    let before = Dictionary(old.map { ($0.path, $0.timeZone) }) { first, _ in first }
    return new.sorted { $0.path < $1.path }.compactMap { text in
        guard let was = before[text.path], was != text.timeZone else { return nil }
        return PolicyEdit(
            PolicyGrammar.timeZoneKey, .changed, name: text.path, before: was,
            after: text.timeZone)
    }
}

extension PolicyText {
    /// Of the days that are written in it.
    fileprivate var timeZone: String {
        // Most files have none: they are not read again.
        guard text.contains(PolicyGrammar.timeZoneKey) else { return "UTC" }
        var problems = ProblemList()
        guard let root = readYAML(self, into: &problems), case .map(let entries) = root.content,
            case .text(let name, _)? = entries.first(where: {
                $0.key == PolicyGrammar.timeZoneKey
            })?.value.content
        else { return "UTC" }
        return name
    }
}
