package import EntitlementModel
internal import StrictJSON

/// The words around what `usher inspect` prints.
enum InspectionPhrase: CaseIterable, LocalizedText {
    case kind, unknown, verdict, accepted, unbound, quarantined, partly, refused
    case judgedAt, certificate, key, fields, unverifiedFields
    /// A name and a value, or a rule and what was found.
    case line
}

/// What `usher inspect` prints for people.
extension Inspection {
    /// Lines without a final line end. `allowsAnyBundle` says so where the binding was left
    /// unchecked.
    package func text(_ language: Language, allowsAnyBundle: Bool = false) -> String {
        func line(_ phrase: InspectionPhrase, _ value: String) -> String {
            InspectionPhrase.line.text(language, phrase.text(language), value)
        }
        var lines = [line(.kind, kind?.text(language) ?? InspectionPhrase.unknown.text(language))]
        lines += verdictLines(language, isBound: !allowsAnyBundle).enumerated().map {
            $0 == 0 ? line(.verdict, $1) : "  " + $1
        }
        if let judgedAt { lines.append(line(.judgedAt, judgedAt.rfc3339)) }
        for certificate in chain {
            lines.append(line(.certificate, certificate.subject.shown))
            lines.append("  sha256 \(certificate.fingerprint.hexadecimal)")
            if let key = certificate.keyFingerprint {
                lines.append(
                    "  \(InspectionPhrase.key.text(language)) sha256 \(key.hexadecimal)")
            }
        }
        if let members = fields?.members {
            let heading: InspectionPhrase = refusal == nil ? .fields : .unverifiedFields
            lines.append(heading.text(language))
            lines += members.map { "  \($0.key.shown): \($0.value.shortText)" }
        }
        for part in inner {
            let text = part.text(language, allowsAnyBundle: allowsAnyBundle)
            lines += text.split(separator: "\n").map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The verdict, and what belongs to it.
    private func verdictLines(_ language: Language, isBound: Bool) -> [String] {
        if let refusal {
            let verdict = InspectionPhrase.refused.text(language)
            return ["\(verdict) [\(refusal.code.rawValue)]", refusal.text(language)]
        }
        if quarantined.isEmpty {
            return [(isBound ? InspectionPhrase.accepted : .unbound).text(language)]
        }
        let parts = quarantined.map { part in
            "[\(part.code.rawValue)]" + (part.field.map { " (\($0))" } ?? "")
        }
        return [(isWhole ? InspectionPhrase.quarantined : .partly).text(language)] + parts
    }
}

extension JSONValue {
    /// A value on one line; long texts, which are signed parts, cut short.
    fileprivate var shortText: String { (string ?? self.text).shown(atMost: 120) }
}
