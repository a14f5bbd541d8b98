internal import EntitlementAnswers
internal import EntitlementModel

/// The pages of `usher reconcile`.
extension Page {
    /// How many differences a page names: `--json` names all.
    static let shownDrift = 200

    /// What a run has come to.
    mutating func write(_ answer: ReconciliationAnswer) {
        let name = ReconciliationPhrase.run.text(language, "\(answer.run)", state(answer))
        add(paint(name, .strong))
        let tally = answer.tally
        let rows: [(ReconciliationPhrase, String)] = [
            (.from, span(answer)),
            (
                .customers,
                ReconciliationPhrase.of.text(
                    language, "\(tally.visited)", "\(tally.customers)")
            ),
            (.calls, "\(tally.calls)"), (.notifications, "\(tally.notifications)"),
            (.written, "\(tally.written)"),
        ]
        table(rows.map { [$0.text(language), $1] })
        if tally.unanswered > 0 {
            add(
                paint(
                    ReconciliationPhrase.unanswered.text(language, "\(tally.unanswered)"), .bad))
        }
        if tally.refused > 0 {
            add(paint(ReconciliationPhrase.refused.text(language, "\(tally.refused)"), .bad))
        }
        if answer.drift.isEmpty {
            let isNothing = tally.visited == 0 && tally.notifications == 0
            return add(
                isNothing
                    ? paint(ReconciliationPhrase.nothingCompared.text(language), .care)
                    : paint(ReconciliationPhrase.noDrift.text(language), .good))
        }
        heading(
            ReconciliationPhrase.drift.text(
                language, "\(answer.driftTotal)", "\(answer.customersWithDrift)",
                "\(answer.accountsWithDrift)"))
        table(
            answer.drift.map {
                ["\($0.count)", paint($0.cause.text(language), .care), "[\($0.cause.rawValue)]"]
            })
        add("")
    }

    /// In one line: how it ended, or how far it is, and what it found.
    func summary(of answer: ReconciliationAnswer) -> String {
        let found = ReconciliationPhrase.found.text(language, "\(answer.driftTotal)")
        let span = answer.state == .running ? answer.progress(language) : self.span(answer)
        let count = paint(found, answer.driftTotal == 0 ? .good : .care)
        return [state(answer), span, count].joined(separator: "  ")
    }

    private func state(_ answer: ReconciliationAnswer) -> String {
        var words: [String] = []
        switch answer.state {
        case .running: words.append(ReconciliationPhrase.running.text(language))
        case .finished: words.append(ReconciliationPhrase.finished.text(language))
        case .stopped:
            words.append(
                ReconciliationPhrase.stopped.text(language, (answer.code ?? "").shown))
        }
        if answer.isResumed { words.append(ReconciliationPhrase.resumed.text(language)) }
        return language.list(words)
    }

    private func span(_ answer: ReconciliationAnswer) -> String {
        guard let end = answer.endedAt else { return answer.startedAt.date }
        return AccountPhrase.fromUntil.text(language, answer.startedAt.date, end.date)
    }

    /// Differences, those of one customer together as far as they were found together.
    mutating func write(_ drift: [DriftItem]) {
        var rest = drift[...]
        while let first = rest.first {
            let own = rest.prefix { $0.appleID == first.appleID }
            rest = rest.dropFirst(own.count)
            let accounts = Set(own.flatMap(\.accounts)).sorted().map(\.text)
            let key = first.appleID?.text ?? ReconciliationPhrase.noCustomer.text(language)
            add(
                accounts.isEmpty
                    ? key
                    : ReconciliationPhrase.customer.text(
                        language, key, language.list(accounts)))
            tree(own.map { Branch(line($0)) })
        }
    }

    private func line(_ item: DriftItem) -> String {
        let subjects = [
            item.entitlement.map(\.text), item.product?.text,
            item.lineage.map { AccountPhrase.lineage.text(language, $0.text) },
            item.transaction.map { AccountPhrase.transaction.text(language, $0.text) },
            item.notification.map {
                ReconciliationPhrase.notification.text(language, $0.shown)
            }, item.status.map { ReconciliationPhrase.status.text(language, "\($0)") },
            item.environment == .production ? nil : item.environment.rawValue,
        ].compactMap(\.self)
        let title = paint(item.cause.text(language), .care) + " [\(item.cause.rawValue)]"
        return ([title] + subjects).joined(separator: "  ")
    }

    /// Differences that are not named.
    mutating func write(omitted count: Int64) {
        if count > 0 { add(ReconciliationPhrase.omitted.text(language, "\(count)")) }
    }

    /// What it costs to keep a ledger reconciled.
    mutating func write(_ plan: ReconciliationPlan) {
        let titles: [ReconciliationPhrase] = [
            .risk, .planCustomers, .planLineages, .every, .callsPerDay, .due, .callsDue,
        ]
        var rows = [titles.map { $0.text(language) }]
        for part in plan.classes {
            rows.append([
                part.risk.text(language), "\(part.customers)", "\(part.lineages)",
                ReconciliationPhrase.hours.text(language, "\(part.hoursBetweenVisits)"),
                "\(part.callsPerDay)", "\(part.due)", "\(part.callsDue)",
            ])
        }
        rows.append([
            ReconciliationPhrase.sum.text(language), "\(plan.customers)", "\(plan.lineages)", "",
            "\(plan.callsPerDay)", "\(plan.due)", "\(plan.callsDue)",
        ])
        table(rows, indentedBy: 0)
        let allowed = ReconciliationPhrase.allowed.text(
            language, "\(plan.callsPerSecond)", "\(plan.callsAllowedPerDay)")
        add(paint(allowed, plan.isAffordable ? .good : .bad))
        add(
            ReconciliationPhrase.duration.text(
                language, length(minutes: (plan.secondsDue + 59) / 60)))
    }
}

extension ReconciliationAnswer {
    /// How far it has come, in one line.
    func progress(_ language: Language) -> String {
        ReconciliationPhrase.progress.text(
            language, "\(tally.visited)", "\(tally.customers)", "\(tally.calls)", "\(driftTotal)")
    }
}
