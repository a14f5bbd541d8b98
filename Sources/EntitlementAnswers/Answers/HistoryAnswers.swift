package import EntitlementModel
package import StrictJSON

/// How the answer to one question has changed with what was learned: `GET …/history/{entitlement}`.
package struct AnswerHistory: WireObject {
    package var frame: AccountFrame
    /// The newest first.
    package var changes: [AnswerChange]
    /// Where older changes may follow; nil where there are none.
    package var next: LedgerSequence?
    /// Whether the answer is the one that was expected, if one was.
    package var isExpected: Bool?
    /// What the answer was over time, as it is known: not in the answer to what was expected.
    package var overTime: [RightStretch]?

    package init(
        frame: AccountFrame, changes: [AnswerChange], next: LedgerSequence?,
        isExpected: Bool? = nil, overTime: [RightStretch]? = nil
    ) {
        (self.frame, self.changes, self.next) = (frame, changes, next)
        (self.isExpected, self.overTime) = (isExpected, overTime)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AnswerHistory(
            frame: try shape.part(\.frame), changes: try shape.value("changes", \.changes),
            next: try shape.nullable("next", \.next),
            isExpected: try shape.optional("as_expected", \.isExpected),
            overTime: try shape.optional("over_time", \.overTime))
    }
}

/// An entry by which an answer has changed.
package struct AnswerChange: WireObject {
    package var fact: FactAnswer
    /// The kind of the entry, by its name in the ledger.
    package var entry: String
    /// Of a policy.
    package var policy: Digest256?
    package var before: AnswerBrief
    package var after: AnswerBrief

    package init(
        fact: FactAnswer, entry: String, policy: Digest256?, before: AnswerBrief,
        after: AnswerBrief
    ) {
        (self.fact, self.entry, self.policy) = (fact, entry, policy)
        (self.before, self.after) = (before, after)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AnswerChange(
            fact: try shape.part(\.fact), entry: try shape.value("entry", \.entry),
            policy: try shape.optional("policy", \.policy),
            before: try shape.value("before", \.before),
            after: try shape.value("after", \.after))
    }
}

/// What is compared of answers: not where a rule is written.
package struct AnswerBrief: WireObject, Equatable {
    package var decision: Bool
    package var state: EntitlementState?
    package var until: Instant?
    package var paidUntil: Instant?
    package var willRenew: Bool?

    package init(_ answer: Answer) {
        self.init(
            decision: answer.decision, state: answer.state, until: answer.until,
            paidUntil: answer.paidUntil, willRenew: answer.willRenew)
    }

    private init(
        decision: Bool, state: EntitlementState?, until: Instant?, paidUntil: Instant?,
        willRenew: Bool?
    ) {
        (self.decision, self.state, self.until) = (decision, state, until)
        (self.paidUntil, self.willRenew) = (paidUntil, willRenew)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        AnswerBrief(
            decision: try shape.value("decision", \.decision),
            state: try shape.nullable("state", \.state),
            until: try shape.nullable("until", \.until),
            paidUntil: try shape.nullable("paid_until", \.paidUntil),
            willRenew: try shape.nullable("will_renew", \.willRenew))
    }
}

/// What a caller expected: `yes`, `no`, or yes until an instant, or until some time on a day.
package enum ExpectedAnswer: Hashable, Sendable {
    case yes
    case no
    case until(Instant)
    case untilDay(Instant)

    package func matches(_ answer: AnswerBrief) -> Bool {
        switch self {
        case .yes: answer.decision
        case .no: !answer.decision
        case .until(let instant): answer.decision && answer.until == instant
        case .untilDay(let day):
            answer.decision
                && answer.until.map {
                    $0 >= day && $0 < day.advanced(byMilliseconds: 86_400_000)
                } ?? false
        }
    }
}

extension ExpectedAnswer: WireText {
    package var wireText: String {
        switch self {
        case .yes: "yes"
        case .no: "no"
        case .until(let instant): "until=" + instant.rfc3339
        case .untilDay(let day): "until=" + day.rfc3339.prefix(10)
        }
    }

    package init(wireText: String) throws(ShapeError) {
        switch wireText {
        case "yes": self = .yes
        case "no": self = .no
        default:
            let date = wireText.dropFirst("until=".utf8.count)
            guard wireText.hasPrefix("until="), let instant = Instant(rfc3339: String(date)) else {
                throw ShapeError(.value)
            }
            self = date.utf8.count == 10 ? .untilDay(instant) : .until(instant)
        }
    }

    package static var textSchema: JSONValue {
        ["type": "string", "pattern": "^(yes|no|until=.+)$"]
    }

    package static var sample: ExpectedAnswer { .yes }
}
