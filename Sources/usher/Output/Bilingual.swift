/// A part of the program's one table of texts: every text in both languages. `%1` to `%9` stand
/// for what is filled in.
protocol Bilingual {
    var texts: (english: String, chinese: String) { get }
}

extension Bilingual {
    /// The text with the values in their places, each of them on the line that it stands on.
    func text(_ language: Language, _ values: String...) -> String {
        var text = ""
        var rest = (language == .english ? texts.english : texts.chinese)[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            guard let place = rest.popFirst()?.wholeNumberValue, place > 0 else {
                preconditionFailure("a percent sign is followed by the number of a place")
            }
            if place <= values.count { text += values[place - 1].safeLine }
        }
        return text + rest
    }
}
