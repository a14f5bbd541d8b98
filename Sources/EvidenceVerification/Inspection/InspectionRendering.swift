package import EntitlementModel
package import StrictJSON

/// The object of spec 3.2.
extension Inspection {
    /// One line of `usher inspect --json`. `file` is the name under which it was found.
    package func json(file: String? = nil) -> JSONValue {
        var members: [JSONMember] = []
        if let file { members.append(JSONMember("file", .string(file))) }
        members += [
            JSONMember("kind", kind.map { .string($0.rawValue) } ?? .null),
            JSONMember("verdict", .string(verdictWord)),
            JSONMember("code", code.map(JSONValue.string) ?? .null),
            JSONMember("signed", .bool(isSigned)),
            JSONMember("judged_at", judgedAt.map { .string($0.rfc3339) } ?? .null),
            JSONMember("bundle_id", bundleID.map(JSONValue.string) ?? .null),
            JSONMember("environment", environment.map(JSONValue.string) ?? .null),
            JSONMember("chain", .array(chain.map(\.json))),
        ]
        members += contents
        return .object(members)
    }

    /// One of three: quarantined evidence is genuine and bound, and its code says what keeps it, or
    /// a part of it, from having effect.
    package var verdictWord: String {
        guard refusal == nil else { return "refused" }
        return code == nil ? "accepted" : "quarantined"
    }

    /// Nil where the evidence is genuine and, unless that was not asked, bound. Binding comes
    /// after the signature, so what fails there is genuine.
    var refusal: VerificationRefusal? {
        guard case .refused(let refusal) = verdict else { return nil }
        let isAboutBinding = [.bindBundle, .bindEnvironment].contains(refusal.code)
        return ignoresBinding && isAboutBinding ? nil : refusal
    }

    /// Whether the signature held, whatever else is wrong.
    var isSigned: Bool {
        guard case .refused(let refusal) = verdict else { return true }
        return refusal.isSigned
    }

    /// Why it is refused, or why it has no effect; nil for plain acceptance.
    package var code: String? {
        refusal?.code.rawValue ?? quarantined.first?.code.rawValue
    }

    /// The parts without effect.
    var quarantined: [QuarantinedPart] {
        switch verdict {
        case .accepted(let evidence): evidence.implausible
        case .quarantined(let evidence): [evidence.part]
        case .refused: []
        }
    }

    /// Whether nothing of it has effect.
    var isWhole: Bool {
        if case .quarantined = verdict { true } else { false }
    }

    private var contents: [JSONMember] {
        if kind == .receipt {
            let purchases = fields?["in_app"] ?? .array([])
            return [JSONMember("transactions", purchases), JSONMember("renewals", .array([]))]
        }
        let parts = kind == .notification ? inner.map { ($0.kind, $0.partJSON) } : [(kind, fields)]
        var members: [JSONMember] = []
        if kind == .notification {
            members.append(JSONMember("notification", fields ?? .null))
        }
        let transactions = parts.compactMap { $0.0 == .transaction ? $0.1 : nil }
        let renewals = parts.compactMap { $0.0 == .renewalInfo ? $0.1 : nil }
        members.append(JSONMember("transactions", .array(transactions)))
        members.append(JSONMember("renewals", .array(renewals)))
        if let app = parts.first(where: { $0.0 == .appTransaction })?.1 {
            members.append(JSONMember("app_transaction", app))
        }
        return members
    }

    /// A part of a notification: its own verdict before its fields.
    private var partJSON: JSONValue {
        var members = [
            JSONMember("verdict", .string(verdictWord)),
            JSONMember("code", code.map(JSONValue.string) ?? .null),
            JSONMember("judged_at", judgedAt.map { .string($0.rfc3339) } ?? .null),
        ]
        members += fields?.members ?? []
        return .object(members)
    }
}

extension InspectedCertificate {
    fileprivate var json: JSONValue {
        [
            "subject": .string(subject), "sha256": .string(fingerprint.hexadecimal),
            "not_before": notBefore.map { .string($0.rfc3339) } ?? .null,
            "not_after": notAfter.map { .string($0.rfc3339) } ?? .null,
            "key_sha256": keyFingerprint.map { .string($0.hexadecimal) } ?? .null,
        ]
    }
}

/// The words around what `usher inspect` prints.
enum InspectionPhrase: String, CaseIterable, EvidenceText, Wording {
    case kind, unknown, verdict
    case accepted = "accepted: genuine and bound to the app"
    case unbound = "accepted: genuine; app and environment were not checked"
    case quarantined = "quarantined: genuine, but without effect"
    case partly = "quarantined: genuine, but a part has no effect"
    case refused = "refused"
    case judgedAt = "judged at"
    case certificate, key, fields
    case signedFields = "fields (the signature is valid)"
    case unverifiedFields = "fields (not verified)"
    /// A name and a value, or a rule and the finding.
    case line = "{0}: {1}"
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
            let heading: InspectionPhrase =
                refusal == nil ? .fields : isSigned ? .signedFields : .unverifiedFields
            lines.append(heading.text(language))
            lines += members.map { "  \($0.key.shown): \($0.withDates.value.shortText)" }
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
            "[\(part.code.rawValue)] \(part.text(language))"
        }
        return [(isWhole ? InspectionPhrase.quarantined : .partly).text(language)] + parts
    }
}

extension JSONMember {
    /// The same with instants in the place of milliseconds, in what it contains too.
    fileprivate var withDates: JSONMember {
        switch value {
        case .number(let number) where PayloadSchema.isDate(key):
            let instant = number.flooredInt64.map(Instant.init(milliseconds:))
            return JSONMember(key, instant.map { .string($0.rfc3339) } ?? value)
        case .object(let members): return JSONMember(key, .object(members.map(\.withDates)))
        case .array(let elements):
            return JSONMember(key, .array(elements.map { JSONMember(key, $0).withDates.value }))
        case .null, .bool, .string, .number: return self
        }
    }
}

extension JSONValue {
    /// A value on one line; long texts, which are signed parts, cut short.
    fileprivate var shortText: String { (string ?? self.text).shown(atMost: 120) }
}
