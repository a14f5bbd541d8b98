internal import StrictJSON

/// The line that `usher check` prints: decision, until when, and why.
struct CheckSentence {
    let account: String
    let answer: JSONValue

    func text(_ language: Language) -> String {
        let name = answer["entitlement"]?.string ?? ""
        let allowed = answer["decision"]?.bool == true
        let phrase: Phrase = allowed ? .mayUse : .mayNotUse
        var text = phrase.text(language, account, name)
        if let until = answer["until"]?.string {
            text += Phrase.until.text(language, Self.short(until))
        }
        return text + Phrase.because.text(language, reasons(language).joined(separator: "; "))
    }

    private func reasons(_ language: Language) -> [String] {
        var reasons: [String] = []
        if let state = answer["state"]?.string {
            let reason = answer["expiry_reason"]?.string.map { " (\($0))" } ?? ""
            reasons.append(state + reason)
        }
        if let product = answer["source"]?["product"]?.string { reasons.append(product) }
        if let grant = answer["source"]?["grant"]?.string {
            reasons.append(Phrase.grant.text(language, grant))
        }
        if let rule = answer["rule"] { reasons.append(ruleText(rule, language)) }
        return reasons
    }

    private func ruleText(_ rule: JSONValue, _ language: Language) -> String {
        let name = rule["name"]?.string ?? ""
        let file = rule["file"]?.string ?? ""
        guard let line = rule["line"]?.int64, line > 0 else {
            return Phrase.builtInRule.text(language, name)
        }
        return Phrase.rule.text(language, name, "\(file):\(line)")
    }

    /// Without the milliseconds, which are zero nearly always.
    private static func short(_ instant: String) -> String {
        instant.hasSuffix(".000Z") ? instant.dropLast(5) + "Z" : instant
    }
}
