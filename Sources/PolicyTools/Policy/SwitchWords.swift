package import EntitlementModel
package import PolicyAnalysis
internal import PolicyLoading
package import StrictJSON

/// The moments of which a table of claims says the same, side by side.
struct SwitchColumn {
    let moments: [ClaimMoment]
    /// By token, in the order of the words.
    let cells: [SwitchTable.Cell]

    static func all(_ cells: [SwitchTable.Cell]) -> [SwitchColumn] {
        let columns = ClaimMoment.allCases.map { moment in
            SwitchColumn(moments: [moment], cells: cells.filter { $0.moment == moment })
        }
        let groups = columns.gathered { $0.cells.map(\.deciders) == $1.cells.map(\.deciders) }
        return groups.map { alike in
            SwitchColumn(moments: alike.flatMap(\.moments), cells: alike[0].cells)
        }
    }

    func deciders(_ token: TokenMatch) -> [Decider] {
        cells.first { $0.token == token }?.deciders ?? []
    }
}

extension TableWords {
    func moments(_ moments: [ClaimMoment]) -> String {
        moments.count == ClaimMoment.allCases.count
            ? text(TablePhrase.anyMoment) : list(moments.map { $0.text(language) })
    }

    func tokens(_ tokens: [TokenMatch]) -> String {
        either(tokens.map { $0.text(language) })
    }

    /// Which products a table of claims is about.
    func title(of group: SwitchTable.Group) -> String {
        let kinds = list(group.kinds.map { $0.text(language) })
        if group.isWholeKind { return text(TablePhrase.wholeKinds, kinds) }
        return text(
            TablePhrase.someProducts, kinds, list(group.products.map(\.text.shown), atMost: 6))
    }

    /// What is said of the app as a whole, as rows of two.
    func settings(_ policy: Policy) -> [(name: String, value: String)] {
        let app = [
            (text(SettingsPhrase.bundle), policy.app.bundleID.text),
            (text(SettingsPhrase.appleID), policy.app.appleID.map { "\($0)" } ?? "–"),
        ]
        let environments = StoreEnvironment.allCases.map { environment in
            let isTrusted = policy.environments[environment] == .trusted
            return (
                text(SettingsPhrase.environments, environment.text(language)),
                text(isTrusted ? SettingsPhrase.trusted : .refused)
            )
        }
        return app + rows(PolicySetting.ofApp, policy) + environments
            + rows(PolicySetting.others, policy)
    }

    private func rows(
        _ settings: [PolicySetting], _ policy: Policy
    ) -> [(name: String, value: String)] {
        settings.compactMap { setting in
            policy[setting].map { (text(setting), words($0, of: setting)) }
        }
    }

    private func words(_ value: SettingValue, of setting: PolicySetting) -> String {
        switch (value, setting.slot.form) {
        case (.length(let length), _): period(length)
        case (.word(let word), .word(let type)): type.words(word, language)
        case (.word, _), (.date, _): value.text
        }
    }
}

extension PolicySetting {
    static let ofApp = all(in: "app")
    static let others = allCases.filter { !ofApp.contains($0) }
}

/// What becomes of claims by two policies, in the words of `policy show`: one title for products
/// and ownership, with a line for claims of which the same is said.
package struct SwitchChangeText: Hashable, Sendable {
    package let title: String
    package let lines: [String]
}

/// In the order of the changes.
package func switchTexts(
    _ changes: [SwitchChange], in language: Language
) -> [SwitchChangeText] {
    let words = TableWords(language: language)
    var texts: [SwitchChangeText] = []
    var rest = changes[...]
    while let first = rest.first {
        let alike = rest.prefix { $0.products == first.products && $0.isOwned == first.isOwned }
        rest = rest.dropFirst(alike.count)
        let products = words.list(first.products.map(\.text.shown), atMost: 6)
        let owner = words.text(first.isOwned ? TablePhrase.owned : .unowned)
        texts.append(
            SwitchChangeText(
                title: words.text(TablePhrase.someProducts, products, owner),
                lines: SwitchRow.rows(Array(alike)).map { words.line($0) }))
    }
    return texts
}

extension SwitchChange {
    /// What was decided and what is decided now, in one line each.
    package func outcomes(in language: Language) -> (before: String, after: String) {
        let words = TableWords(language: language)
        return (words.outcome(before), words.outcome(after))
    }

    package var json: JSONValue {
        [
            "products": .array(products.map { .string($0.text) }), "owned": .bool(isOwned),
            "token": .string(token.rawValue), "moment": .string(moment.rawValue),
            "before": .array(before.map(\.outcome)), "after": .array(after.map(\.outcome)),
        ]
    }
}

/// Claims of which two policies say the same.
private struct SwitchRow {
    let moments: [ClaimMoment]
    let tokens: [TokenMatch]
    let change: SwitchChange

    /// By what changes: tokens of a moment together, then moments with the same tokens.
    static func rows(_ changes: [SwitchChange]) -> [SwitchRow] {
        let ofMoments = ClaimMoment.allCases.flatMap { moment -> [SwitchRow] in
            let own = changes.filter { $0.moment == moment }
            return own.gathered { $0.decidesAlike($1) }.map { alike in
                SwitchRow(moments: [moment], tokens: alike.map(\.token), change: alike[0])
            }
        }
        let rows = ofMoments.gathered { one, other in
            one.tokens == other.tokens && one.change.decidesAlike(other.change)
        }
        return rows.map { alike in
            SwitchRow(
                moments: alike.flatMap(\.moments), tokens: alike[0].tokens,
                change: alike[0].change)
        }
    }
}

extension SwitchChange {
    fileprivate func decidesAlike(_ other: SwitchChange) -> Bool {
        before == other.before && after == other.after
    }
}

extension TableWords {
    fileprivate func line(_ row: SwitchRow) -> String {
        var claim = [moments(row.moments)]
        if row.tokens.count < TokenMatch.allCases.count {
            claim.append(text(ConditionField.token, tokens(row.tokens)))
        }
        let (before, after) = (outcome(row.change.before), outcome(row.change.after))
        return "\(list(claim)): \(before) → \(after)"
    }

    /// `transfer (cooldown 7 days; then a person decides), keep`.
    fileprivate func outcome(_ rules: [TableRule]) -> String {
        list(
            rules.map { rule in
                var limits: [String] = []
                var word = effect(rule).word
                if case .claim(let verb, let claimLimits) = rule.effect {
                    if case .share(let maximum) = verb { word += " \(maximum)" }
                    limits = self.limits(claimLimits)
                }
                let details = limits + self.details(rule)
                return details.isEmpty ? word : "\(word) (\(clauses(details)))"
            })
    }
}

extension AccessTable {
    /// The cells of a kind, those together in which the same rules decide to the same end.
    func runs(of kind: ProductKind) -> [[Cell]] {
        cells(of: kind).gathered { $0.deciders == $1.deciders && $0.verdict == $1.verdict }
    }
}

extension SwitchTable {
    /// What is said of purchases that nobody owns, if it is the same for all groups.
    var commonUnowned: [Cell]? {
        let all = Set(groups.map(\.unowned))
        return all.count == 1 ? all.first : nil
    }
}
