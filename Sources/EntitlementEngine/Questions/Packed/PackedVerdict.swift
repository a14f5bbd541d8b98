internal import EntitlementModel

/// What is answered during a span: a `RightVerdict` without its facts, its texts by their
/// places, in the 26 bytes that it takes in a packed account.
struct PackedVerdict: Equatable, Sendable {
    static let size = 26

    enum Source: UInt16 {
        case nothing
        case grant
        case purchase
    }

    /// Whether it is granted, the state with its reason, the renewal, the kind of source, and
    /// whether there is a paid end: from the lowest bit up.
    private let flags: UInt16
    private let paidUntilMilliseconds: Int64
    let rule: AnswerTexts.Place
    /// Of a purchase.
    let product: AnswerTexts.Place
    /// Where in the packed account's names the transaction or the grant stands.
    let name: UInt32
    /// Where the lineage stands.
    let lineage: UInt32

    /// No fact gives the right.
    static let nothing = PackedVerdict(
        .nothing, source: .nothing, rule: AnswerTexts.nothing, product: 0, name: 0, lineage: 0)

    init(
        _ verdict: RightVerdict, source: Source, rule: AnswerTexts.Place,
        product: AnswerTexts.Place, name: UInt32, lineage: UInt32
    ) {
        let renewal: UInt16 = verdict.answeredRenewal.map { $0 ? 2 : 1 } ?? 0
        flags =
            (verdict.isGranted ? 1 : 0)
            | State(verdict.state, verdict.expiryReason).number << 1
            | renewal << 7 | source.rawValue << 9 | (verdict.paidUntil == nil ? 0 : 1 << 11)
        paidUntilMilliseconds = verdict.paidUntil?.milliseconds ?? 0
        self.rule = rule
        self.product = product
        self.name = name
        self.lineage = lineage
    }

    init(_ bytes: RawSpan, at place: Int) {
        paidUntilMilliseconds = bytes.integer(at: place)
        rule = bytes.integer(at: place + 8)
        product = bytes.integer(at: place + 12)
        name = bytes.integer(at: place + 16)
        lineage = bytes.integer(at: place + 20)
        flags = bytes.integer(at: place + 24)
    }

    /// Whether the verdict at `place` grants.
    static func isGranted(_ bytes: RawSpan, at place: Int) -> Bool {
        bytes.integer(at: place + 24, as: UInt16.self) & 1 == 1
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(integer: paidUntilMilliseconds)
        bytes.append(integer: rule)
        bytes.append(integer: product)
        bytes.append(integer: name)
        bytes.append(integer: lineage)
        bytes.append(integer: flags)
    }

    var isGranted: Bool { flags & 1 == 1 }

    var state: State { State(number: flags >> 1 & 63) }

    var willRenew: Bool? { flags >> 7 & 3 == 0 ? nil : flags >> 7 & 3 == 2 }

    var source: Source {
        switch flags >> 9 & 3 {
        case 0: .nothing
        case 1: .grant
        default: .purchase
        }
    }

    var paidUntil: Instant? {
        flags >> 11 & 1 == 1 ? Instant(milliseconds: paidUntilMilliseconds) : nil
    }
}

extension PackedVerdict {
    /// A state with its reason as one number: what is written of both is one text.
    struct State: Equatable, Sendable {
        let number: UInt16

        fileprivate init(number: UInt16) {
            self.number = number
        }

        init(_ state: EntitlementState?, _ reason: ExpiryReason?) {
            let states = EntitlementState.allCases
            let reasons = ExpiryReason.allCases
            let place = state.flatMap(states.firstIndex).map { $0 + 1 } ?? 0
            let reasonPlace = reason.flatMap(reasons.firstIndex).map { $0 + 1 } ?? 0
            number = UInt16(place << 3 | reasonPlace)
        }

        /// The texts of all, by number.
        static func texts() -> PreparedTexts {
            var texts = PreparedTexts()
            for state in [nil] + EntitlementState.allCases.map(Optional.some) {
                for reason in [nil] + ExpiryReason.allCases.map(Optional.some) {
                    precondition(
                        texts.count == State(state, reason).number, "each has its own number")
                    texts.add { writer in
                        writer.appendState(state, reason)
                        writer.append(",\"until\":" as StaticString)
                    }
                }
            }
            return texts
        }
    }
}
