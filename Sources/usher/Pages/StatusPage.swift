internal import EntitlementModel
internal import StrictJSON

/// What `/status` says.
struct ServiceStatusAnswer {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    var isReady: Bool { value["status"]?.string == "ready" }

    /// What is said first.
    var headline: StatusPhrase {
        if isReady { return .ready }
        return value.words("degraded").contains("ledger-disk-full") ? .diskFull : .readOnly
    }

    /// Whether nothing needs a person: an old SQLite is worth a line and stops nothing.
    var isWell: Bool {
        isReady && value.words("degraded").allSatisfy { $0 == "sqlite-outdated" }
    }
}

/// The page of `usher status`.
extension Page {
    mutating func write(_ status: ServiceStatusAnswer) {
        let value = status.value
        add(
            status.isReady
                ? paint(status.headline.text(language), .good)
                : paint(status.headline.text(language), .bad))
        let ledger = value["ledger"]
        table(
            [
                (StatusPhrase.version, value.word("version")), (.running, running(value)),
                (.policy, policy(value)), (.ledger, ledger.map(kept)),
                (.anchor, ledger.flatMap(anchor)), (.evidence, value["evidence"].map(evidence)),
                (.connections, value["connections"].map(connections)),
                (.questions, value.number("questions")),
            ].compactMap { phrase, text in text.map { [phrase.text(language), $0] } })
        writeShortcomings(of: value)
    }

    private func running(_ value: JSONValue) -> String? {
        guard let start = value.instant("started_at"), let now = value.instant("now") else {
            return nil
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

    private func policy(_ value: JSONValue) -> String? {
        guard let digest = value.word("policy") else { return nil }
        guard let since = value.instant("policy_since") else { return digest }
        return StatusPhrase.since.text(language, since.toTheSecond, String(digest.prefix(12)))
    }

    private func kept(_ ledger: JSONValue) -> String {
        let size = { (key: String) in fileSize(ledger[key]?.int64 ?? 0) }
        return StatusPhrase.kept.text(
            language, ledger.number("head") ?? "",
            ledger.instant("recorded_at")?.toTheSecond ?? "", size("file_bytes"),
            size("log_bytes"), ledger.number("waiting_writes") ?? "")
    }

    /// What `usher ledger verify` takes.
    private func anchor(_ ledger: JSONValue) -> String? {
        guard let head = ledger.number("head"), let hash = ledger.word("hash") else { return nil }
        return "\(head):\(hash)"
    }

    private func evidence(_ counts: JSONValue) -> String {
        var text = StatusPhrase.judged.text(language, counts.number("judged") ?? "0")
        for (phrase, key) in [
            (StatusPhrase.refused, "refused"), (.unrecorded, "refusals_unrecorded"),
            (.quarantined, "quarantined"),
        ] {
            guard let count = counts.number(key), count != "0" else { continue }
            text += StatusPhrase.comma.text(language) + paint(phrase.text(language, count), .care)
        }
        return text
    }

    private func connections(_ counts: JSONValue) -> String {
        let open = StatusPhrase.open.text(
            language, counts.number("query") ?? "0", counts.number("usher") ?? "0")
        guard let count = counts.number("turned_away"), count != "0" else { return open }
        return open + StatusPhrase.comma.text(language)
            + paint(StatusPhrase.turnedAway.text(language, count), .care)
    }
}

/// What should be looked at.
extension Page {
    private mutating func writeShortcomings(of value: JSONValue) {
        for word in value.words("degraded") {
            switch word {
            // The first line has said so.
            case "ledger-read-only", "ledger-disk-full": break
            case "ledger-replaced":
                add(paint(StatusPhrase.ledgerReplaced.text(language), .bad))
            case "ledger-unreadable":
                add(paint(StatusPhrase.ledgerUnreadable.text(language), .bad))
            case "clock-behind":
                add(paint(StatusPhrase.clockBehind.text(language), .bad))
            case "clock-stepped":
                add(paint(StatusPhrase.clockStepped.text(language), .care))
            case "policy-refused": writeTroubles(value.list("policy_refused"))
            case "policy-waiting": write(waiting: value["policy_waiting"] ?? [:])
            case "sqlite-outdated":
                let version = value["ledger"]?.word("sqlite") ?? ""
                add(paint(LedgerPhrase.outdated.text(language, version), .care))
            default: add(paint(word, .care))
            }
        }
        if let lost = value.number("log_lines_lost"), lost != "0" {
            add(paint(StatusPhrase.linesLost.text(language, lost), .care))
        }
    }

    private mutating func writeTroubles(_ troubles: [JSONValue]) {
        add(paint(StatusPhrase.policyRejected.text(language), .bad))
        tree(
            troubles.map { trouble in
                let place = [
                    trouble.word("file"), trouble.number("line"), trouble.number("column"),
                ].compactMap(\.self).joined(separator: ":")
                return Branch("\(place) [\(trouble.word("id") ?? "")]")
            })
    }
}

extension Instant {
    /// For pages on which nobody looks for milliseconds.
    var toTheSecond: String { rfc3339.prefix(19) + "Z" }
}
