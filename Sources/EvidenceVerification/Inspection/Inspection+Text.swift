internal import EntitlementModel
internal import StrictJSON

/// What `usher inspect` prints for people.
extension Inspection {
    /// Lines without a final line end. `allowsAnyBundle` says so where the binding was left
    /// unchecked.
    package func text(_ language: EvidenceLanguage, allowsAnyBundle: Bool = false) -> String {
        let labels = InspectionLabels(language)
        var lines = heading(labels, isBound: !allowsAnyBundle)
        for certificate in chain {
            lines.append("\(labels.certificate): \(certificate.subject.escapedForLines)")
            lines.append("  sha256 \(certificate.fingerprint.hexadecimal)")
            if let key = certificate.keyFingerprint {
                lines.append("  \(labels.key) sha256 \(key.hexadecimal)")
            }
        }
        if let members = fields?.members {
            lines.append(labels.fields(isBelieved: refusal == nil))
            lines += members.map { "  \($0.key.escapedForLines): \($0.value.shortText)" }
        }
        for part in inner {
            let text = part.text(language, allowsAnyBundle: allowsAnyBundle)
            lines += text.split(separator: "\n").map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private func heading(_ labels: InspectionLabels, isBound: Bool) -> [String] {
        var lines = ["\(labels.kind): \(kind.map(labels.name) ?? labels.unknown)"]
        if let refusal {
            lines.append("\(labels.verdict): \(labels.refused) [\(refusal.code.rawValue)]")
            lines.append("  \(refusal.sentence(labels.language))")
        } else if quarantined.isEmpty {
            lines.append("\(labels.verdict): \(isBound ? labels.accepted : labels.unbound)")
        } else {
            lines.append("\(labels.verdict): \(isWhole ? labels.quarantined : labels.partly)")
            for part in quarantined {
                let field = part.field.map { " (\($0))" } ?? ""
                lines.append("  [\(part.code.rawValue)]\(field)")
            }
        }
        if let judgedAt { lines.append("\(labels.judgedAt): \(judgedAt.rfc3339)") }
        return lines
    }
}

/// The words around the values, in one language.
private struct InspectionLabels {
    let language: EvidenceLanguage

    init(_ language: EvidenceLanguage) {
        self.language = language
    }

    private func pick(_ english: String, _ chinese: String) -> String {
        language == .english ? english : chinese
    }

    var kind: String { pick("kind", "类型") }
    var unknown: String { pick("unknown", "未知") }
    var verdict: String { pick("verdict", "结论") }
    var accepted: String { pick("accepted: genuine and bound to the app", "通过：真实且属于本应用") }
    var quarantined: String {
        pick("quarantined: genuine, but without effect", "隔离：真实，但不生效")
    }
    var partly: String {
        pick("quarantined: genuine, but a part has no effect", "隔离：真实，但有一部分不生效")
    }
    var refused: String { pick("refused", "拒绝") }
    var judgedAt: String { pick("judged at", "判定时刻") }
    var certificate: String { pick("certificate", "证书") }
    var key: String { pick("key", "公钥") }
    var unbound: String {
        pick(
            "accepted: genuine; app and environment were not checked",
            "通过：真实；未检查应用和环境")
    }

    func fields(isBelieved: Bool) -> String {
        isBelieved ? pick("fields", "字段") : pick("fields (not verified)", "字段（未经验证）")
    }

    func name(_ kind: EvidenceKind) -> String {
        switch kind {
        case .transaction: pick("transaction", "交易")
        case .renewalInfo: pick("renewal info", "续订信息")
        case .appTransaction: pick("app transaction", "应用交易")
        case .notification: pick("notification", "通知")
        case .receipt: pick("receipt", "收据")
        }
    }
}

extension JSONValue {
    /// A value on one line; long texts, which are signed parts, cut short.
    fileprivate var shortText: String {
        let text = (string ?? self.text).escapedForLines
        return text.count > 120 ? text.prefix(117) + "..." : text
    }
}

extension String {
    /// Without anything that could move a terminal's cursor or fake another line.
    fileprivate var escapedForLines: String {
        var text = ""
        for scalar in unicodeScalars {
            let isSafe =
                scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                && ![0x2028, 0x2029].contains(scalar.value)
                && scalar.properties.generalCategory != .format
            text += isSafe ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return text
    }
}
