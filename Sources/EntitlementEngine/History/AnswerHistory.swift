package import EntitlementAnswers
internal import EntitlementDerivation
package import EntitlementModel
internal import LedgerModel

extension LedgerQuestions {
    /// How the answer to one question has changed with what was learned, the newest change first
    /// (spec 1.10). The account's facts are read once, and cut where each entry was written.
    /// Blocks.
    ///
    /// - Parameters:
    ///   - instant: the one that is asked about, whatever was known.
    ///   - appleID: nil for all that the account has; else what came through this Apple ID.
    ///   - place: changes by later entries are left out, and by itself; nil for none.
    package func history(
        of key: RightKey, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey? = nil, before place: LedgerSequence? = nil, limit: Int
    ) throws(EngineError) -> AnswerHistory {
        try require(key.entitlement)
        return try ledger.reading { reader throws(LedgerError) in
            var past = try AnswersByEntry(key, of: account, at: instant, appleID, policy, reader)
            let end = place.map { place in past.places.prefix { $0 < place }.count }
            var (index, rows) = (end ?? past.places.count, [AnswerChange]())
            while index > 0, rows.count < limit, past.mayDerive {
                index -= 1
                guard past.changed(by: index), let row = try past.row(index, reader) else {
                    continue
                }
                rows.append(row)
            }
            return AnswerHistory(
                frame: try past.frame(reader, knownBy: privacyKey), changes: rows,
                next: index > 0 ? past.places[index] : nil, overTime: past.stretches)
        }
    }

    /// The entry or policy since which the answer is not what was expected: before it the answer
    /// was as expected, from it on it was not, and it is not now. If it has changed more than once
    /// between the two, it is one of these changes. Blocks.
    package func firstWrong(
        _ expected: ExpectedAnswer, _ key: RightKey, of account: AccountID, at instant: Instant,
        through appleID: AppleIDKey? = nil
    ) throws(EngineError) -> AnswerHistory {
        try require(key.entitlement)
        return try ledger.reading { reader throws(LedgerError) in
            var past = try AnswersByEntry(key, of: account, at: instant, appleID, policy, reader)
            let index = past.firstWrong(expected)
            let row = try index == nil ? nil : past.row(index ?? 0, reader)
            return AnswerHistory(
                frame: try past.frame(reader, knownBy: privacyKey),
                changes: [row].compactMap(\.self), next: nil,
                isExpected: expected.matches(past.answer(past.places.count)))
        }
    }
}
