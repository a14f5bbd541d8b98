package import EntitlementAnswers
package import EntitlementModel

/// An account as of one revision, as questions are answered from it: replaced as a whole when a
/// fact or the policy changes, so that no answer mixes two policies or two states of the ledger.
package struct PackedAccount: Sendable {
    /// What it may use, when.
    package let rights: PackedRights
    private let balances: [CreditKey: CreditTimeline]
    private let creditStops: [CreditStop]

    init(_ timeline: AccountTimeline, texts: SharedAnswerTexts) {
        rights = texts.packed(of: timeline.rights, owner: timeline.account.text)
        balances = timeline.balances
        creditStops = timeline.creditStops
    }

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

    /// What is left of one credit.
    package func balance(_ key: CreditKey, at instant: Instant) -> Int128 {
        balances[key]?.balance(at: instant) ?? 0
    }

    /// Whether a refund keeps the credit from being spent.
    package func isFrozen(_ key: CreditKey, at instant: Instant) -> Bool {
        balances[key]?.isFrozen(at: instant) ?? false
    }
}

/// Where the parts of a packed account lie: counts, the owner's name, rights, spans, names.
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
