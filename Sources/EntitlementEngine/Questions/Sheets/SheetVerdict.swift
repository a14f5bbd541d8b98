internal import EntitlementModel

extension RightsSheet {
    /// What is answered during a span: a `RightVerdict` without its facts, its texts by their
    /// places.
    struct Verdict: Equatable, Sendable {
        /// A name in the sheet.
        struct Name: Equatable, Sendable {
            private let start: UInt32
            private let count: UInt32

            init(_ range: Range<Int>) {
                start = UInt32(range.lowerBound)
                count = UInt32(range.count)
            }

            var range: Range<Int> { Int(start)..<Int(start + count) }
        }

        enum Source: Equatable, Sendable {
            case nothing
            case grant(Name)
            case purchase(product: AnswerTexts.Place, transaction: Name, lineage: Name)
        }

        let isGranted: Bool
        let state: EntitlementState?
        let expiryReason: ExpiryReason?
        let willRenew: Bool?
        let paidUntil: Instant?
        let source: Source
        /// Nil where no rule was asked.
        let rule: AnswerTexts.Place?

        /// No fact gives the right.
        static let nothing = Verdict()

        private init() {
            isGranted = false
            state = nil
            expiryReason = nil
            willRenew = nil
            paidUntil = nil
            source = .nothing
            rule = nil
        }

        init(_ verdict: RightVerdict, source: Source, rule: AnswerTexts.Place) {
            isGranted = verdict.isGranted
            state = verdict.state
            expiryReason = verdict.expiryReason
            willRenew = verdict.answeredRenewal
            paidUntil = verdict.paidUntil
            self.source = source
            self.rule = rule
        }
    }
}
