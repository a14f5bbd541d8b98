internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading

/// What a policy may take away, and what is to be done about it.
extension Page {
    /// How many losses a page names.
    private static var namedLosses: Int { 20 }

    mutating func write(_ comparison: PolicyComparisonResult) {
        let replaces = comparison.replaces.short
        write(missingFiles: comparison.missingFiles)
        switch comparison.outcome {
        case .unchanged: add(PolicyPhrase.unchanged.text(language))
        case .activates:
            let phrase: PolicyPhrase = comparison.losses.isEmpty ? .activates : .harmless
            add(phrase.text(language, replaces))
        case .accepted, .waits:
            let phrase: PolicyPhrase = comparison.outcome == .waits ? .waits : .accepted
            add(
                paint(
                    phrase.text(language, "\(comparison.losses.count)", replaces), .care))
            writeLosses(
                comparison.losses.prefix(Self.namedLosses).map {
                    $0.sentence(in: language)
                }, of: comparison.losses.count)
            if let other = comparison.acceptedAfter {
                add(PolicyPhrase.otherAcceptance.text(language, other.hexadecimal))
            }
            if let accepted = comparison.acceptedAtMost {
                add(PolicyPhrase.tooMany.text(language, "\(accepted)"))
            }
            if comparison.outcome == .waits {
                add(PolicyPhrase.howToAccept.text(language, comparison.replaces.hexadecimal))
            }
        }
    }

    private mutating func write(missingFiles files: [String]) {
        guard !files.isEmpty else { return }
        let names = language.list(files.map(\.shown))
        add(paint(PolicyPhrase.missingFiles.text(language, names), .care))
    }

    /// What `/status` says of a policy that waits.
    mutating func write(waiting: WaitingPolicyAnswer) {
        write(missingFiles: waiting.missingFiles ?? [])
        let replaces = waiting.replaces.hexadecimal
        add(
            paint(
                waiting.losses == 0
                    ? PolicyPhrase.waitsForPerson.text(language, waiting.replaces.short)
                    : PolicyPhrase.waits.text(
                        language, "\(waiting.losses)", waiting.replaces.short), .care))
        writeLosses(waiting.firstLosses.map(sentence), of: Int(waiting.losses))
        if let other = waiting.acceptedAfter {
            add(PolicyPhrase.otherAcceptance.text(language, other.hexadecimal))
        }
        if waiting.isRolledBack == true { add(PolicyPhrase.rolledBack.text(language)) }
        if waiting.isSuperseded == true { add(SchedulePhrase.superseded.text(language)) }
        if let losing = waiting.losing {
            add(PolicyPhrase.counted.text(language, "\(losing)"))
            if let accepted = waiting.acceptedAtMost {
                add(PolicyPhrase.tooMany.text(language, "\(accepted)"))
            }
        } else if waiting.isRolledBack != true, waiting.isSuperseded != true {
            add(PolicyPhrase.notCounted.text(language))
        }
        add(PolicyPhrase.howToAccept.text(language, replaces))
    }

    /// In the reader's language; a service of another version may know other kinds.
    private func sentence(_ loss: LossAnswer) -> String {
        guard let kind = PolicyLoss.Kind(rawValue: loss.kind) else { return loss.detail }
        return PolicyLoss(kind, names: loss.names).sentence(in: language)
    }

    private mutating func writeLosses(_ sentences: [String], of count: Int) {
        var branches = sentences
        if count > sentences.count {
            branches.append(PolicyPhrase.more.text(language, "\(count - sentences.count)"))
        }
        tree(branches.map { Branch($0) })
    }
}
