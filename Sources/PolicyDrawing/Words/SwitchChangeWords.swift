package import EntitlementModel
package import PolicyAnalysis
internal import PolicyLoading
package import StrictJSON
internal import TimelineDrawing

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
    var moments: [ClaimMoment]
    var tokens: [TokenMatch]
    let change: SwitchChange

    /// By what changes: tokens of a moment together, then moments with the same tokens.
    static func rows(_ changes: [SwitchChange]) -> [SwitchRow] {
        var rows: [SwitchRow] = []
        for moment in ClaimMoment.allCases {
            var own: [SwitchRow] = []
            for change in changes where change.moment == moment {
                if let index = own.firstIndex(where: { $0.change.decidesAlike(change) }) {
                    own[index].tokens.append(change.token)
                } else {
                    own.append(SwitchRow(moments: [moment], tokens: [change.token], change: change))
                }
            }
            for row in own {
                let index = rows.firstIndex { other in
                    other.tokens == row.tokens && other.change.decidesAlike(row.change)
                }
                if let index { rows[index].moments.append(moment) } else { rows.append(row) }
            }
        }
        return rows
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
            claim.append(text(ConditionPhrase.token, tokens(row.tokens)))
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
