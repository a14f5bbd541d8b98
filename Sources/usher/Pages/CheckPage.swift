internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel

/// The line of `usher check`: decision, until when, and why.
extension Page {
    mutating func write(check answer: Answer, of account: String) {
        let source = answer.source.map(SourceAnswer.init)
        let reasons = [
            state(answer.state, answer.expiryReason), source?.product?.text,
            source?.grant.map { Phrase.grant.text(language, $0.text) }, rule(answer.rule),
        ].compactMap(\.self)
        add(
            verdict(answer, of: account)
                + Phrase.because.text(language, language.clauses(reasons)))
    }

    /// Whether an account may use it, and until when.
    func verdict(_ answer: Answer, of account: String) -> String {
        let phrase: Phrase = answer.decision ? .mayUse : .mayNotUse
        let text = phrase.text(language, account, answer.entitlement.text)
        let until = answer.until.map { Phrase.until.text(language, $0.date) } ?? ""
        return paint(text, answer.decision ? .good : .bad) + until
    }
}

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
        // A UUID, which no shell reads as more than a name.
        tree(
            answer.verdict.notes.compactMap(\.order).map {
                Branch(command: "usher orders show \($0.text)", language)
            })
        if let claim = answer.verdict.claim { add("  " + foretold(claim, answer.verdict)) }
    }

    /// Both, where it matters whether the purchase carries the token.
    private func foretold(_ claim: ClaimOutcome, _ verdict: VerdictAnswer) -> String {
        let told = outcome(ClaimStanding(claim))
        guard let other = verdict.claimWithoutToken, other != claim else {
            return AdminActionPhrase.claimWouldBe.text(language, told)
        }
        return AdminActionPhrase.claimWouldBeBoth.text(
            language, told, outcome(ClaimStanding(other)))
    }

    private func note(_ note: NoteAnswer) -> [String] {
        let text = note.text.text(language)
        let about = language.list(
            [
                note.lineage.map { AccountPhrase.lineage.text(language, $0.text) },
                note.owner.map { AdminActionPhrase.owner.text(language, $0) },
                note.until.map {
                    note.takesEffect == nil
                        ? AccountPhrase.paidUntil.text(language, $0.date)
                        : AdminActionPhrase.takesEffectAt.text(language, $0.date)
                },
                note.price.map { cost($0.price.text, every: note.period) },
                note.price == nil
                    ? nil
                    : note.storefront.map { AdminActionPhrase.inStorefront.text(language, $0) }
                        ?? AdminActionPhrase.storefrontUnknown.text(language),
            ].compactMap(\.self))
        return [
            paint(note.effect.text(language), tone(of: note.effect)),
            "[\(note.code.rawValue)]",
            about.isEmpty ? text : "\(text) (\(about))",
        ]
    }

    /// What the purchase costs.
    private func cost(_ price: String, every period: String?) -> String {
        guard let period else { return AdminActionPhrase.costs.text(language, price) }
        return AdminActionPhrase.costsEvery.text(language, price, period)
    }

    func tone(of effect: PreflightEffect) -> Paint.Tone {
        switch effect {
        case .proceed: .good
        case .warn: .care
        case .block: .bad
        }
    }
}

/// The page of `usher find`.
extension Page {
    /// A line for each meaning.
    mutating func write(found: FoundID) {
        for meaning in found.meanings {
            let kind = FoundKindPhrase.words(meaning.kind.rawValue, language)
            let title = kind + " " + paint(found.id.text, .strong)
            let clauses = self.clauses(meaning)
            add(
                clauses.isEmpty
                    ? title : FindPhrase.line.text(language, title, language.clauses(clauses)))
            if let command = command(meaning, of: found.id) {
                tree([Branch(command: command, language)])
            }
        }
    }

    private func clauses(_ meaning: FoundMeaning) -> [String] {
        var clauses: [String] = []
        if let environment = meaning.environment { clauses.append(environment.rawValue) }
        if !meaning.accounts.isEmpty, meaning.kind != .account {
            let names = language.list(meaning.accounts.map(\.text))
            clauses.append(FindPhrase.accounts.text(language, names))
        }
        if let account = meaning.mergedInto {
            clauses.append(FindPhrase.mergedInto.text(language, account.text))
        }
        if !meaning.presentedBy.isEmpty {
            let names = language.list(meaning.presentedBy.map(\.text))
            clauses.append(FindPhrase.presentedBy.text(language, names))
        }
        if !meaning.lineages.isEmpty, meaning.kind != .lineage {
            let names = language.list(meaning.lineages.map(\.text))
            clauses.append(AccountPhrase.lineage.text(language, names))
        }
        if !meaning.products.isEmpty {
            let names = language.list(meaning.products.map(\.text))
            clauses.append(FindPhrase.products.text(language, names))
        }
        if let sequence = meaning.sequence {
            clauses.append(FindPhrase.entry.text(language, "\(sequence)"))
        }
        return clauses
    }

    /// What leads on from there.
    private func command(_ meaning: FoundMeaning, of id: SoughtID) -> String? {
        // The id is a UUID, which no shell reads as more than a name.
        if meaning.kind == .order { return "usher orders show \(id.text)" }
        guard meaning.kind == .transaction, meaning.accounts.isEmpty else { return nil }
        let option =
            meaning.environment.map { $0 == .production ? "" : " --environment \($0.rawValue)" }
        return ShellCommand("claims give" + (option ?? ""), id.text, "ACCOUNT").text
    }
}
