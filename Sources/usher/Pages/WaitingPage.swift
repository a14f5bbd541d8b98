internal import EntitlementAnswers
internal import EntitlementModel
internal import PolicyLoading

/// What a policy may take away, and what is to be done about it.
extension Page {
    /// How many losses a page names.
    private static var namedLosses: Int { 20 }

    mutating func write(_ comparison: PolicyComparisonResult) {
        let replaces = String(comparison.replaces.hexadecimal.prefix(12))
        switch comparison.outcome {
        case .unchanged: add(PolicyPhrase.unchanged.text(language))
        case .activates: add(PolicyPhrase.activates.text(language, replaces))
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
            if comparison.outcome == .waits {
                add(PolicyPhrase.howToAccept.text(language, comparison.replaces.hexadecimal))
            }
            add(PolicyPhrase.notCounted.text(language))
        }
    }

    /// What `/status` says of a policy that waits.
    mutating func write(waiting: WaitingPolicyAnswer) {
        let replaces = waiting.replaces.hexadecimal
        add(
            paint(
                PolicyPhrase.waits.text(
                    language, "\(waiting.losses)", String(replaces.prefix(12))), .care))
        writeLosses(waiting.firstLosses.map(sentence), of: Int(waiting.losses))
        if let other = waiting.acceptedAfter {
            add(PolicyPhrase.otherAcceptance.text(language, other.hexadecimal))
        }
        add(PolicyPhrase.howToAccept.text(language, replaces))
        add(PolicyPhrase.notCounted.text(language))
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
