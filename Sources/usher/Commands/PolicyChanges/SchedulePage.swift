internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading

/// The page of `usher policy scheduled`.
extension Page {
    mutating func write(_ schedules: PolicySchedulesAnswer) {
        if schedules.scheduled.isEmpty { add(SchedulePhrase.nothing.text(language)) }
        for scheduled in schedules.scheduled { write(scheduled) }
        guard !schedules.ended.isEmpty else { return }
        add(SchedulePhrase.earlier.text(language))
        tree(schedules.ended.map { Branch(line(for: $0)) })
    }

    private mutating func write(_ scheduled: ScheduledPolicyAnswer) {
        add(
            SchedulePhrase.due.text(
                language, paint("\(scheduled.schedule)", .strong), scheduled.due.date,
                scheduled.policy.short))
        var branches = [
            SchedulePhrase.by.text(language, scheduled.actor.shown, scheduled.reason.shown)
        ]
        if let losses = scheduled.losses {
            let phrase: SchedulePhrase = losses == 0 ? .noLosses : .losses
            branches.append(phrase.text(language, "\(losses)"))
        }
        branches += (scheduled.firstLosses ?? []).map(\.detail.shown)
        if let losing = scheduled.losing {
            branches.append(SchedulePhrase.losing.text(language, "\(losing)"))
        }
        if let accepted = scheduled.acceptLoss {
            branches.append(
                SchedulePhrase.accepted.text(language, "\(accepted)", scheduled.replaces.short))
        }
        branches += (scheduled.edits ?? []).map { edit in
            edit.isUndoing == true
                ? paint(edit.line(in: language), .care) : edit.line(in: language)
        }
        if let obstacle = scheduled.obstacle {
            branches.append(
                paint(
                    SchedulePhrase.wouldNot.text(language, obstacle.phrase.text(language)), .care))
        } else {
            branches.append(SchedulePhrase.would.text(language))
        }
        let command = ShellCommand("policy unschedule", "\(scheduled.schedule)").text
        tree(branches.map { Branch($0) } + [Branch(command: command, language)])
    }

    private func line(for ended: EndedScheduleAnswer) -> String {
        let phrase: SchedulePhrase =
            switch ended.outcome {
            case .applied: .applied
            case .takenBack: .takenBack
            case .refused: .refused
            case .alreadyInForce: .alreadyInForce
            }
        let why = ended.obstacle?.phrase.text(language) ?? ended.reason?.shown ?? ""
        return phrase.text(
            language, "\(ended.schedule)", ended.policy.short, ended.due.date, ended.at.date, why)
    }

    /// What `usher status` says of scheduled policies.
    func scheduled(_ status: ScheduleStatusAnswer) -> String {
        guard let next = status.next, let due = status.nextDue else {
            return SchedulePhrase.nothing.text(language)
        }
        return SchedulePhrase.next.text(language, "\(status.count)", "\(next)", due.date)
    }

    /// That the last one which was due was refused.
    mutating func write(refused status: ScheduleStatusAnswer?) {
        guard let last = status?.last else { return }
        add(paint(line(for: last), .bad))
    }
}

extension ScheduledPolicyAnswer {
    /// What is said once it is scheduled.
    func lines(_ language: Language) -> [String] {
        let undo = ShellCommand("policy unschedule", "\(schedule)").text
        let line = SchedulePhrase.scheduled.text(
            language, policy.short, due.date, "\(schedule)", undo)
        let losing = losing.map { SchedulePhrase.losing.text(language, "\($0)") }
        let edits = (edits ?? []).map { $0.line(in: language) }
        return [line, losing].compactMap(\.self) + edits
    }
}

extension Digest256 {
    /// For people.
    var short: String { String(hexadecimal.prefix(12)) }
}

extension PolicyScheduleEnd.Obstacle {
    fileprivate var phrase: SchedulePhrase {
        switch self {
        case .errors: .errors
        case .losses: .notAccepted
        case .tooManyLosing: .tooManyLosing
        case .otherBase: .otherBase
        case .rolledBack: .rolledBack
        case .erased: .erased
        }
    }
}
