package import EntitlementAnswers
package import EntitlementModel

/// An account as of one revision, as questions are answered from it: replaced as a whole when a
/// fact or the policy changes, so that no answer mixes two policies or two states of the ledger.
package struct PackedAccount: Sendable {
    /// The account's rights over time.
    package let rights: PackedRights
    private let balances: [CreditKey: CreditTimeline]
    private let creditStops: [CreditStop]

    init(_ timeline: AccountTimeline, texts: SharedAnswerTexts) {
        rights = texts.packed(of: timeline.rights, owner: timeline.account.text)
        balances = timeline.balances
        creditStops = timeline.creditStops
    }

    private init(_ packed: PackedAccount, _ texts: AnswerTexts) {
        rights = packed.rights.with(texts)
        (balances, creditStops) = (packed.balances, packed.creditStops)
    }

    /// The same under texts that continue its own.
    func with(_ texts: AnswerTexts) -> PackedAccount { PackedAccount(self, texts) }

    package var account: AccountID { AccountID(unchecked: rights.owner) }

    /// The policy that it was derived by.
    package var policy: Digest256 { rights.policy }

    /// The answer for one entitlement.
    package func answer(
        _ key: RightKey, at instant: Instant, revision: LedgerSequence
    ) -> PackedRightAnswer {
        rights.answer(key, at: instant, revision: revision)
    }

    /// The answers for all entitlements of the policy, by name.
    package func answers(
        in environment: StoreEnvironment, at instant: Instant, revision: LedgerSequence
    ) -> [PackedRightAnswer] {
        rights.answers(in: environment, at: instant, revision: revision)
    }

    /// The balances of the account, by credit.
    package func balances(
        in environment: StoreEnvironment, at instant: Instant
    ) -> [CreditBalance] {
        balances.balances(in: environment, at: instant)
    }

    /// Whether a block stops the spending of a credit.
    package func isStopped(_ credit: CreditName, at instant: Instant) -> Bool {
        creditStops.contains { $0.stops(credit, at: instant) }
    }

    /// The balance of one credit.
    package func balance(_ key: CreditKey, at instant: Instant) -> Int128 {
        balances[key]?.balance(at: instant) ?? 0
    }

    /// Whether a refund keeps the credit from being spent.
    package func isFrozen(_ key: CreditKey, at instant: Instant) -> Bool {
        balances[key]?.isFrozen(at: instant) ?? false
    }
}

/// The layout of a packed account: counts, the owner's name, rights, spans, names.
///
/// Numbers are in the machine's own order of bytes, wherever they come to lie.
struct PackedRightsLayout {
    /// Entitlement 4, environment 1, the first of its spans 4, how many 4.
    static let rightSize = 13
    /// Start 8, and the verdict.
    static let spanSize = 8 + PackedVerdict.size
    static let headSize = 12

    let ownerBytes: Int
    let rightCount: Int
    let spanCount: Int

    init(ownerBytes: Int, rightCount: Int, spanCount: Int) {
        self.ownerBytes = ownerBytes
        self.rightCount = rightCount
        self.spanCount = spanCount
    }

    init(_ bytes: RawSpan) {
        ownerBytes = bytes.count(at: 0)
        rightCount = bytes.count(at: 4)
        spanCount = bytes.count(at: 8)
    }

    func append(to bytes: inout [UInt8]) {
        for count in [ownerBytes, rightCount, spanCount] { bytes.append(integer: UInt32(count)) }
    }

    var owner: Range<Int> { Self.headSize..<Self.headSize + ownerBytes }
    var rights: Int { Self.headSize + ownerBytes }
    var spans: Int { rights + rightCount * Self.rightSize }
    var names: Int { spans + spanCount * Self.spanSize }
}

extension RawSpan {
    /// The number whose bytes begin at `place`.
    @inline(__always)
    func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        at place: Int, as type: Number.Type = Number.self
    ) -> Number {
        unsafeLoadUnaligned(fromByteOffset: place, as: Number.self)
    }

    /// A number of four bytes that counts something.
    @inline(__always)
    func count(at place: Int) -> Int { Int(integer(at: place, as: UInt32.self)) }
}

extension [UInt8] {
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer) { append(contentsOf: $0) }
    }
}

extension StoreEnvironment {
    /// As a packed account has it.
    var packed: UInt8 { UInt8(truncatingIfNeeded: number) }
}

/// Packs the timelines of one account or Apple ID.
struct PackedRightsWriter {
    private let shared: SharedAnswerTexts
    private var texts: AnswerTexts
    private var rights: [Right] = []
    private var spans: [Span] = []
    /// As JSON has them, each behind its length.
    private var names: [UInt8] = []
    private var namePlaces: [String: UInt32] = [:]
    private var lastRule: (rule: RuleReference, place: AnswerTexts.Place)?
    private var lastProduct: (product: ProductID, place: AnswerTexts.Place)?

    private struct Right {
        let entitlement: UInt32
        let environment: StoreEnvironment
        let spans: Range<Int>
    }

    /// From `start` until the one's before it.
    private struct Span: Equatable {
        var start: Instant
        let verdict: PackedVerdict
    }

    init(texts shared: SharedAnswerTexts) {
        self.shared = shared
        texts = shared.current
    }

    /// Entitlements of one purchase have equal spans, which are stored once.
    mutating func add(_ timeline: RightTimeline, as key: RightKey) {
        let own = pack(timeline)
        let same = rights.first { spans[$0.spans].elementsEqual(own) }
        let range = same?.spans ?? spans.count..<spans.count + own.count
        if same == nil { spans += own }
        rights.append(
            Right(
                entitlement: number(of: key.entitlement), environment: key.environment,
                spans: range))
    }

    /// One run of bytes of exactly the length that it needs.
    func packed(owner: String) -> PackedRights {
        let layout = PackedRightsLayout(
            ownerBytes: owner.utf8.count, rightCount: rights.count, spanCount: spans.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.names + names.count)
        layout.append(to: &bytes)
        bytes.append(contentsOf: owner.utf8)
        for right in rights {
            bytes.append(integer: right.entitlement)
            bytes.append(right.environment.packed)
            bytes.append(integer: UInt32(right.spans.lowerBound))
            bytes.append(integer: UInt32(right.spans.count))
        }
        for span in spans {
            bytes.append(integer: span.start.milliseconds)
            span.verdict.append(to: &bytes)
        }
        bytes += names
        return PackedRights(texts: texts, bytes: bytes)
    }

    /// The newest first; neighbours that are answered alike are one.
    private mutating func pack(_ timeline: RightTimeline) -> [Span] {
        var spans: [Span] = []
        spans.reserveCapacity(timeline.spans.count)
        for span in timeline.spans.reversed() {
            let verdict = pack(span.verdict)
            if spans.last?.verdict == verdict {
                spans[spans.count - 1].start = span.interval.start
            } else {
                spans.append(Span(start: span.interval.start, verdict: verdict))
            }
        }
        return spans
    }

    private mutating func pack(_ verdict: RightVerdict) -> PackedVerdict {
        let rule = place(of: verdict.rule)
        return switch verdict.source {
        case nil:
            PackedVerdict(
                verdict, source: .nothing, rule: rule, product: 0, name: 0, lineage: 0)
        case .grant(let id):
            PackedVerdict(
                verdict, source: .grant, rule: rule, product: 0, name: place(of: id.text),
                lineage: 0)
        case .purchase(let product, let transaction, let lineage):
            PackedVerdict(
                verdict, source: .purchase, rule: rule, product: place(of: product),
                name: place(of: transaction.transactionID.text),
                lineage: place(of: lineage.originalTransactionID.text))
        }
    }

    private mutating func place(of name: String) -> UInt32 {
        if let known = namePlaces[name] { return known }
        let place = UInt32(names.count)
        var writer = AnswerWriter(reserving: 64)
        writer.appendText(name)
        names.append(integer: UInt16(writer.bytes.count))
        names += writer.bytes
        namePlaces[name] = place
        return place
    }

    private mutating func place(of rule: RuleReference) -> AnswerTexts.Place {
        if let lastRule, lastRule.rule == rule { return lastRule.place }
        let place = place(of: .rule(rule))
        lastRule = (rule, place)
        return place
    }

    private mutating func place(of product: ProductID) -> AnswerTexts.Place {
        if let lastProduct, lastProduct.product == product { return lastProduct.place }
        let place = place(of: .product(product))
        lastProduct = (product, place)
        return place
    }

    private mutating func place(of text: AnswerText) -> AnswerTexts.Place {
        if let known = texts.place(of: text) { return known }
        texts = shared.current(with: text)
        guard let place = texts.place(of: text) else {
            preconditionFailure("texts that were grown by one have it")
        }
        return place
    }

    private mutating func number(of name: EntitlementName) -> UInt32 {
        if let known = texts.number(of: name) { return known }
        texts = shared.current(with: name)
        guard let number = texts.number(of: name) else {
            preconditionFailure("texts that were grown by one have it")
        }
        return number
    }
}
