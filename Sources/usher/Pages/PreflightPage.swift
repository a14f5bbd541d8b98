internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel

/// The page of `usher preflight`.
extension Page {
    mutating func write(preflight answer: PreflightAnswer) {
        let effect = answer.verdict.effect
        let phrase: AdminActionPhrase =
            switch effect {
            case .proceed: .proceed
            case .warn: .warn
            case .block: .block
            }
        let line = phrase.text(language, answer.account.text, answer.product.text)
        add(paint(line, tone(of: effect)))
        table(answer.verdict.notes.map(note))
        if let claim = answer.verdict.claim {
            add(
                "  "
                    + AdminActionPhrase.claimWouldBe.text(
                        language, outcome(ClaimStanding(claim))))
        }
    }

    private func note(_ note: NoteAnswer) -> [String] {
        let text = note.text.text(language)
        let about = language.list(
            [
                note.lineage.map { AccountPhrase.lineage.text(language, $0.text) },
                note.owner.map { AdminActionPhrase.owner.text(language, $0) },
            ].compactMap(\.self))
        return [
            paint(note.effect.text(language), tone(of: note.effect)),
            "[\(note.code.rawValue)]",
            about.isEmpty ? text : "\(text) (\(about))",
        ]
    }

    private func tone(of effect: PreflightEffect) -> Paint.Tone {
        switch effect {
        case .proceed: .good
        case .warn: .care
        case .block: .bad
        }
    }
}
