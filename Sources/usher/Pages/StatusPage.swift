internal import EntitlementModel
internal import StrictJSON

/// What `/status` says.
struct ServiceStatusAnswer {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    var isReady: Bool { value["status"]?.string == "ready" }
    var troubles: [JSONValue] { value.list("policy_refused") }
    var isWell: Bool { isReady && troubles.isEmpty }
}

/// The page of `usher status`.
extension Page {
    mutating func write(_ status: ServiceStatusAnswer) {
        let value = status.value
        add(
            status.isReady
                ? paint(StatusPhrase.ready.text(language), .good)
                : paint(StatusPhrase.readOnly.text(language), .bad))
        table([
            [StatusPhrase.version.text(language), value.word("version") ?? ""],
            [StatusPhrase.running.text(language), running(value)],
            [StatusPhrase.policy.text(language), value.word("policy") ?? ""],
            [StatusPhrase.entries.text(language), value.number("revision") ?? ""],
            [StatusPhrase.evidence.text(language), evidence(value["evidence"] ?? .null)],
        ])
        guard !status.troubles.isEmpty else { return }
        add(paint(StatusPhrase.policyRefused.text(language), .bad))
        tree(
            status.troubles.map { trouble in
                let place = [
                    trouble.word("file"), trouble.number("line"), trouble.number("column"),
                ].compactMap(\.self).joined(separator: ":")
                return Branch("\(place) [\(trouble.word("id") ?? "")]")
            })
    }

    private func running(_ value: JSONValue) -> String {
        guard let start = value.instant("started_at"), let now = value.instant("now") else {
            return ""
        }
        return StatusPhrase.since.text(
            language, start.toTheSecond, length(minutes: now.milliseconds(since: start) / 60_000))
    }

    private func length(minutes: Int64) -> String {
        let (days, hours) = (minutes / 1_440, minutes / 60 % 24)
        if days > 0 { return StatusPhrase.days.text(language, "\(days)", "\(hours)") }
        if hours > 0 { return StatusPhrase.hours.text(language, "\(hours)", "\(minutes % 60)") }
        return StatusPhrase.minutes.text(language, "\(minutes)")
    }

    private func evidence(_ value: JSONValue) -> String {
        var text = StatusPhrase.judged.text(language, value.number("judged") ?? "0")
        for (phrase, key) in [
            (StatusPhrase.refused, "refused"), (.unrecorded, "refusals_unrecorded"),
            (.quarantined, "quarantined"),
        ] {
            guard let count = value.number(key), count != "0" else { continue }
            text +=
                StatusPhrase.comma.text(language) + paint(phrase.text(language, count), .care)
        }
        return text
    }
}

extension Instant {
    /// For pages on which nobody looks for milliseconds.
    var toTheSecond: String { rfc3339.prefix(19) + "Z" }
}
