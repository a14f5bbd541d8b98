internal import EntitlementModel
internal import StrictJSON

/// The page of `usher preflight`.
extension Page {
    mutating func write(preflight answer: JSONValue) {
        let verdict = answer.word("verdict") ?? ""
        let phrase: AdminActionPhrase
        switch verdict {
        case "proceed": phrase = .proceed
        case "warn": phrase = .warn
        default: phrase = .block
        }
        let line = phrase.text(
            language, answer.word("account") ?? "", answer.word("product") ?? "")
        add(paint(line, tone(of: verdict)))
        table(answer.list("notes").map(note))
        if let claim = answer.word("claim") {
            add("  " + AdminActionPhrase.claimWouldBe.text(language, outcome(claim)))
        }
    }

    private func note(_ note: JSONValue) -> [String] {
        let effect = note.word("effect") ?? ""
        let texts = note["text"]
        let text = texts?.word(language.rawValue) ?? texts?.word("en") ?? ""
        let about = language.list(
            [
                note.word("lineage").map { AccountPhrase.lineage.text(language, $0) },
                note.word("owner").map { AdminActionPhrase.owner.text(language, $0) },
            ].compactMap(\.self))
        return [
            paint(CodeWords.effect(effect, language), tone(of: effect)),
            "[\(note.word("code") ?? "")]", about.isEmpty ? text : "\(text) (\(about))",
        ]
    }

    private func tone(of effect: String) -> Paint.Tone {
        switch effect {
        case "proceed": .good
        case "warn": .care
        default: .bad
        }
    }
}
