package import EntitlementModel

/// A story that a simulated App Store plays: who buys what, what becomes of it, and what must
/// follow (spec 4.3).
package struct Play: Sendable {
    /// Of its name, or else of its text: ids of different plays differ.
    let digest: Digest256
    /// Why it is told.
    package let why: String
    package let environment: StoreEnvironment
    package let bundleID: String
    package let appAppleID: Int64
    let products: [String: PlayProduct]
    let steps: [PlayStep]
    package let expectations: [PlayExpectation]

    /// Day 0 of all plays.
    package static let start = Instant.day(2026, 1, 1)

    /// From the App Store's first day on, and as long as a certificate may be good.
    static let dates = Instant.day(2008, 7, 10)..<Instant.day(2100, 1, 1)

    /// From its first step to its last.
    var extent: (first: Instant, last: Instant) {
        let first = steps.first?.at ?? Play.start
        return (first, steps.reduce(first) { max($0, $1.at) })
    }
}

/// What a word of a play is sold as.
struct PlayProduct: Sendable {
    var id: String
    var kind: ProductKind
    /// Of auto-renewable ones.
    var group: String?
    var period: Period?
}

/// Something that happens at an instant.
struct PlayStep: Sendable {
    var line: Int
    var at: Instant
    var action: PlayAction
}

/// What must be true once all evidence up to an instant is handed in.
package struct PlayExpectation: Sendable {
    package enum Claim: Hashable, Sendable {
        case granted(Bool)
        case balance(Int64)
    }

    /// Of the file, from 1.
    package var line: Int
    package var account: String
    /// An entitlement, or a credit for a balance.
    package var name: String
    package var at: Instant
    package var claim: Claim
}
