internal import EntitlementDerivation
internal import EntitlementModel

/// Lines that tell what must follow from a scenario's facts.
struct ScenarioOutlook {
    let world: ScenarioWorld
    let derived: DerivedTimelines

    /// Nil where the line holds, else what was found instead.
    func failure(of line: String) throws -> String? {
        let (subject, told) = line.components(around: ": ")
        var words = ScenarioWords(subject)
        let found: String
        if words.take("preflight") {
            found = try preflight(&words)
        } else if words.take("no") {
            try words.expect("finding")
            return try findingFailure(&words, told: "", isWanted: false)
        } else if words.take("finding") {
            return try findingFailure(&words, told: told ?? "", isWanted: true)
        } else if words.take("the") {
            found = try appleID(&words, told ?? "")
        } else if ScenarioWords.transaction(words.peek) != nil {
            found = try unit(&words)
        } else {
            found = try account(&words, told ?? "")
        }
        guard words.isAtEnd else { throw words.unknown() }
        guard let told else { throw ScenarioMistake("nothing is expected of '\(line)'") }
        return found == told ? nil : found
    }

    /// `T1 states`, `T1 seats @10`, `T1 owners`, `T1 name`.
    private func unit(_ words: inout ScenarioWords) throws -> String {
        let unit = try world.unit(try words.transaction(), in: derived)
        switch try words.next("states, seats, owners or name") {
        case "states": return Self.text(of: unit.states)
        case "seats":
            let bought = world.deriver.purchases(of: [unit], at: try words.at(), world.facts)
            return bought[unit.unit]?.seats.map { "\($0)" } ?? "none"
        case "owners":
            guard !unit.owners.isEmpty else { return "nobody" }
            return unit.owners.map { "\($0.account) \(Self.text(of: $0.interval))" }
                .joined(separator: ", ")
        case "name":
            return switch unit.unit {
            case .lineage(let key): "lineage \(key.originalTransactionID)"
            case .purchase(let key): "purchase \(key.transactionID)"
            }
        case let word: throw words.mistake("'\(word)' is not understood")
        }
    }

    /// Spans that differ in period or auto-renew only are one here.
    private static func text(of states: [StateSpan]) -> String {
        var parts: [(text: String, interval: Interval)] = []
        for span in states {
            let reason = span.expiryReason.map { " (\($0.rawValue))" } ?? ""
            let text = span.state.rawValue + reason
            if let last = parts.last, last.text == text, last.interval.end == span.interval.start {
                parts[parts.count - 1].interval = Interval(
                    uncheckedFrom: last.interval.start, to: span.interval.end)
            } else {
                parts.append((text, span.interval))
            }
        }
        guard !parts.isEmpty else { return "none" }
        return parts.map { "\($0.text) \(text(of: $0.interval))" }.joined(separator: ", ")
    }

    static func text(of interval: Interval) -> String {
        let end = interval.end.map { text(of: $0) } ?? ""
        return "\(text(of: interval.start))..\(end)"
    }

    /// The shortest way in which a scenario can write the instant.
    static func text(of instant: Instant) -> String {
        if instant == .distantPast { return "ever" }
        let milliseconds = instant.milliseconds - 1_767_225_600_000
        let day = milliseconds.flooredQuotient(by: 86_400_000)
        let rest = milliseconds - day * 86_400_000
        if rest == 0 { return "\(day)" }
        if rest % 8_640_000 == 0 { return "\(day).\(rest / 8_640_000)" }
        for (unit, name): (Int64, String) in [(3_600_000, "h"), (60_000, "m"), (1_000, "s")]
        where rest % unit == 0 {
            return "\(day)+\(rest / unit)\(name)"
        }
        return rest > 43_200_000 ? "\(day + 1)-\(86_400_000 - rest)ms" : "\(day)+\(rest)ms"
    }

    /// `alice premium @10`, `alice coins @10`.
    private func account(_ words: inout ScenarioWords, _ told: String) throws -> String {
        let account = try words.account()
        let timeline =
            derived.accounts[account] ?? world.deriver.deriveAccount(account, world.facts)
        let name = try words.next("an entitlement or a credit")
        let instant = try words.at()
        let environment =
            words.take("in")
            ? try words.named(StoreEnvironment.self, "environment") : .production
        if let credit = CreditName(name), world.history.current.credits[credit] != nil {
            let balance = timeline.balances[CreditKey(environment, credit)]
            return "\(balance?.balance(at: instant) ?? 0)"
        }
        guard let entitlement = EntitlementName(name) else { throw words.mistake(name) }
        let key = RightKey(environment, entitlement)
        return try answer(key, timeline.right(key), at: instant, told)
    }

    /// `the Apple ID of T1`, `the Apple ID of T1 premium @10`.
    private func appleID(_ words: inout ScenarioWords, _ told: String) throws -> String {
        for word in ["Apple", "ID", "of"] { try words.expect(word) }
        let lineage = try world.lineage(try words.transaction())
        guard let key = derived.appleIDOfLineage[lineage], let timeline = derived.appleIDs[key]
        else { throw words.mistake("no Apple ID") }
        if words.isAtEnd { return key.text }
        guard let entitlement = EntitlementName(try words.next("an entitlement")) else {
            throw words.mistake("entitlement")
        }
        let right = RightKey(lineage.environment, entitlement)
        return try answer(right, timeline.right(right), at: try words.at(), told)
    }

    /// Says of an answer what the scenario asks about it, in the scenario's order.
    private func answer(
        _ key: RightKey, _ timeline: RightTimeline, at instant: Instant, _ told: String
    ) throws -> String {
        let answer = Answer(
            key: key, timeline: timeline, at: instant, policy: world.history.current.digest,
            revision: world.lastSequence)
        var words = ScenarioWords(told)
        var found = [answer.decision ? "granted" : "withheld"]
        _ = try words.next("granted or withheld")
        while !words.isAtEnd {
            let aspect = try words.next("an aspect")
            _ = try words.next("what it is")
            found.append("\(aspect) \(try Self.text(of: aspect, in: answer, words))")
        }
        return found.joined(separator: ", ")
    }

    private static func text(
        of aspect: String, in answer: Answer, _ words: ScenarioWords
    ) throws -> String {
        switch aspect {
        case "state": answer.state?.rawValue ?? "none"
        case "reason": answer.expiryReason?.rawValue ?? "none"
        case "until": answer.until.map { text(of: $0) } ?? "never"
        case "paid": answer.paidUntil.map { text(of: $0) } ?? "never"
        case "renews": answer.willRenew.map { $0 ? "on" : "off" } ?? "unknown"
        case "rule": "\"\(answer.rule.name)\""
        case "from":
            switch answer.source {
            case .purchase(_, let transaction, _): "T\(transaction.transactionID)"
            case .grant(let id): id.text
            case nil: "nothing"
            }
        default: throw words.mistake("'\(aspect)' is not understood")
        }
    }
}

extension ScenarioOutlook {
    /// `finding unclaimed-payment @10: alice T1 keep T5 days 10`: everything that is told must
    /// be so of one finding.
    private func findingFailure(
        _ words: inout ScenarioWords, told: String, isWanted: Bool
    ) throws -> String? {
        let kind = try words.named(Finding.Kind.self, "finding")
        let instant = words.isAtEnd ? nil : try words.at()
        guard words.isAtEnd else { throw words.unknown() }
        let candidates = derived.findings.filter {
            $0.kind == kind && (instant.map($0.interval.contains) ?? true)
        }
        let list = candidates.map { text(of: $0) }.joined(separator: "; ")
        guard isWanted else { return candidates.isEmpty ? nil : list }
        let texts = candidates.map { text(of: $0) }
        return texts.contains(told) ? nil : (texts.isEmpty ? "no such finding" : list)
    }

    private func text(of finding: Finding) -> String {
        var parts = finding.accounts.map(\.text)
        parts += finding.units.map { unit in
            switch unit {
            case .lineage(let key): "T\(key.originalTransactionID)"
            case .purchase(let key): "T\(key.transactionID)"
            }
        }
        parts.append(Self.text(of: finding.interval))
        if let duplicate = finding.duplicate {
            parts.append("keep T\(duplicate.keep.originalTransactionID)")
            parts.append("days \(duplicate.overlapDays.map { "\($0)" } ?? "unknown")")
        }
        return parts.joined(separator: " ")
    }

    /// `preflight alice gold on atx:production:A @10`.
    private func preflight(_ words: inout ScenarioWords) throws -> String {
        let account = try words.account()
        guard let product = ProductID(try words.next("a product")) else {
            throw words.mistake("product")
        }
        let appleID = words.take("on") ? AppleIDKey(unchecked: try words.next("an Apple ID")) : nil
        let request = PreflightRequest(account: account, product: product, appleID: appleID)
        let verdict = world.deriver.preflight(request, at: try words.at(), world.facts)
        var parts = [verdict.effect.rawValue]
        parts += verdict.notes.map { note in
            let owner = note.maskedAccount.map { " of \($0)" } ?? ""
            let effect = note.takesEffect.map { $0 == .now ? " now" : " at the renewal" } ?? ""
            let change = (note.change.map { " to \($0.rawValue)" } ?? "") + effect
            let cost = note.cost.map { cost in
                let period = cost.period.map { " every \($0.text)" } ?? ""
                let place = cost.storefront.map { " in \($0)" } ?? ""
                return
                    " for \(cost.price.milliunits) \(cost.price.currency ?? "-")\(period)\(place)"
            }
            return "\(note.code.rawValue) \(note.effect.rawValue)\(owner)\(change)\(cost ?? "")"
        }
        parts.append("claim \(verdict.claims?.withToken.code ?? "unknown")")
        if let claims = verdict.claims, claims.withToken != claims.withoutToken {
            parts.append("without a token \(claims.withoutToken.code)")
        }
        return parts.joined(separator: ", ")
    }
}
