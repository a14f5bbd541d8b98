/// A `when` or `unless`: all fields that are given must hold; of a list, any (spec 2.1).
package struct Condition: Hashable, Sendable {
    package var kinds: [ProductKind]?
    package var states: [EntitlementState]?
    package var environments: [StoreEnvironment]?
    package var ownerships: [OwnershipWord]?
    package var offers: [OfferWord]?
    package var expiryReasons: [ExpiryReason]?
    package var autoRenews: [AutoRenewWord]?
    package var revocations: [RevocationWord]?
    package var tokens: [TokenMatch]?
    package var moments: [ClaimMoment]?
    package var products: [NamePattern]?
    package var accounts: [NamePattern]?
    package var groups: [GroupName]?
    package var entitlements: [EntitlementName]?
    package var levels: [LevelName]?
    /// Alpha-3; the loader has converted alpha-2.
    package var storefronts: [String]?
    package var stateAges: [AgeBound]?
    /// Time since the paid end, whatever the states since then; never holds while it is paid for.
    package var unpaidFor: [AgeBound]?
    package var purchased: [DateBound]?
    package var firstPurchased: [DateBound]?
    /// When the rule itself is in force.
    package var at: [DateBound]?

    package init() {}
}

package enum OwnershipWord: String, CaseIterable, Hashable, Sendable {
    case purchased
    case familyShared = "family-shared"
    case assigned
    case notStated = "not-stated"
    case unknown
}

package enum OfferWord: String, CaseIterable, Hashable, Sendable {
    case none
    /// A free period of an introductory offer.
    case freeTrial = "free-trial"
    case introductory
    case promotional
    case offerCode = "offer-code"
    case winBack = "win-back"
    case retention
    /// What Apple has added since.
    case other
}

package enum AutoRenewWord: String, CaseIterable, Hashable, Sendable {
    case on
    case off
    case unknown
}

package enum RevocationWord: String, CaseIterable, Hashable, Sendable {
    case full
    case prorated
    case family
    case assigned
    case unknown
}

/// Whether the transaction's appAccountToken names the claimant.
package enum TokenMatch: String, CaseIterable, Hashable, Sendable {
    case matches
    case other
    case none
}

/// A name with `*` standing for any run of characters.
package struct NamePattern: Hashable, Sendable {
    package let text: String
    private let parts: [[UInt8]]

    package init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    package var hasWildcard: Bool { parts.count > 1 }

    package func matches(_ name: String) -> Bool {
        guard hasWildcard else { return name == text }
        var rest = Array(name.utf8)[...]
        guard let first = parts.first, let last = parts.last,
            rest.count >= first.count + last.count, rest.starts(with: first),
            rest.reversed().starts(with: last.reversed())
        else { return false }
        rest = rest.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = Self.firstIndex(of: part, in: rest) else { return false }
            rest = rest[(found + part.count)...]
        }
        return true
    }

    private static func firstIndex(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= part.count else { return nil }
        for start in bytes.startIndex...(bytes.endIndex - part.count)
        where bytes[start..<(start + part.count)].elementsEqual(part) {
            return start
        }
        return nil
    }
}

/// `under D`, `at least D` or `from D to D`, where D is a fixed length.
package enum AgeBound: Hashable, Sendable {
    case under(Period)
    case atLeast(Period)
    /// At least the first and under the second.
    case between(Period, Period)
}

/// `before DATE`, `from DATE` or `from DATE until DATE`.
package enum DateBound: Hashable, Sendable {
    case before(Instant)
    case from(Instant)
    /// From the first on, and before the second.
    case within(Instant, Instant)

    package func holds(at instant: Instant) -> Bool {
        switch self {
        case .before(let bound): instant < bound
        case .from(let bound): instant >= bound
        case .within(let start, let end): start <= instant && instant < end
        }
    }
}

extension [NamePattern] {
    /// Whether one of them is the account's. Folded, the letters of a UUID have no case in a
    /// pattern either (spec 1.1).
    package func match(_ account: AccountID, folding: Bool) -> Bool {
        if contains(where: { $0.matches(account.text) }) { return true }
        guard folding, AppAccountToken(account.text) != nil else { return false }
        return contains { NamePattern($0.text.lowercased()).matches(account.text) }
    }
}
