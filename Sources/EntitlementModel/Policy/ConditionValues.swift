/// A word of an enumeration that policies write.
package protocol PolicyWord: RawRepresentable<String>, CaseIterable, Hashable, ModelText,
    Sendable
{}

extension PolicyWord {
    package static var words: [String] { allCases.map(\.rawValue) }
}

extension ProductKind: PolicyWord {}
extension EntitlementState: PolicyWord {}
extension StoreEnvironment: PolicyWord {}
extension OwnershipWord: PolicyWord {}
extension OfferWord: PolicyWord {}
extension ExpiryReason: PolicyWord {}
extension AutoRenewWord: PolicyWord {}
extension RevocationWord: PolicyWord {}
extension TokenMatch: PolicyWord {}
extension ClaimMoment: PolicyWord {}
extension PaidWord: PolicyWord {}
extension AccountTokenRule: PolicyWord {}
extension ClosedAccountRule: PolicyWord {}
extension ReturnRule: PolicyWord {}
extension OrderSettings.LatePayment: PolicyWord {}
extension DuplicateSettings.Scope: PolicyWord {}
extension DuplicateSettings.BeforePurchase: PolicyWord {}
extension DuplicateSettings.Keep: PolicyWord {}

/// The values of a field, as a policy writes them: any of them must hold.
package enum ConditionValues: Hashable, Sendable {
    /// Words, names and patterns.
    case names([String])
    case ages([AgeBound])
    case dates([DateBound])
    case counts([CountBound])
    case versions([VersionBound])

    /// As a policy writes them.
    package var texts: [String] {
        switch self {
        case .names(let names): names
        case .ages(let ages): ages.map(\.text)
        case .dates(let dates): dates.map(\.text)
        case .counts(let counts): counts.map(\.text)
        case .versions(let versions): versions.map(\.text)
        }
    }

    /// Where a length or an instant, in milliseconds, meets them; none of names and versions.
    package var ranges: [BoundRange] {
        switch self {
        case .names, .versions: []
        case .ages(let ages): ages.map(\.range)
        case .dates(let dates): dates.map(\.range)
        case .counts(let counts): counts.map(\.range)
        }
    }

    /// Whether they allow all that others allow: more elements allow more.
    package func allow(_ others: ConditionValues) -> Bool {
        switch (self, others) {
        case (.names(let own), .names(let others)): Set(own).isSuperset(of: others)
        case (.ages(let own), .ages(let others)): Set(own).isSuperset(of: others)
        case (.dates(let own), .dates(let others)): Set(own).isSuperset(of: others)
        case (.counts(let own), .counts(let others)): Set(own).isSuperset(of: others)
        case (.versions(let own), .versions(let others)): Set(own).isSuperset(of: others)
        case (.names, _), (.ages, _), (.dates, _), (.counts, _), (.versions, _): false
        }
    }
}

package enum OwnershipWord: String, CaseIterable, Hashable, ModelText, Sendable {
    case purchased
    case familyShared = "family-shared"
    case assigned
    case notStated = "not-stated"
    case unknown

    package var english: String {
        switch self {
        case .purchased: "purchased"
        case .familyShared: "shared by the family"
        case .assigned: "assigned"
        case .notStated: "not stated"
        case .unknown: "unknown"
        }
    }
}

extension [OwnershipWord] {
    /// The words that meet these: `not-stated` ownership is judged as `purchased`, and has its own
    /// word as well (spec 1.5).
    package var asJudged: [OwnershipWord] { contains(.purchased) ? self + [.notStated] : self }
}

package enum OfferWord: String, CaseIterable, Hashable, ModelText, Sendable {
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

    package var english: String {
        switch self {
        case .none: "none"
        case .freeTrial: "free trial"
        case .introductory: "introductory"
        case .promotional: "promotional"
        case .offerCode: "offer code"
        case .winBack: "win-back"
        case .retention: "retention"
        case .other: "other"
        }
    }
}

package enum AutoRenewWord: String, CaseIterable, Hashable, ModelText, Sendable {
    case on
    case off
    case unknown

    package var english: String {
        switch self {
        case .on: "on"
        case .off: "off"
        case .unknown: "unknown"
        }
    }
}

package enum RevocationWord: String, CaseIterable, Hashable, ModelText, Sendable {
    case full
    case prorated
    case family
    case assigned
    case unknown

    package var english: String {
        switch self {
        case .full: "in full"
        case .prorated: "in part"
        case .family: "family sharing ended"
        case .assigned: "assignment ended"
        case .unknown: "unknown"
        }
    }
}

/// Whether the transaction's appAccountToken names the claimant.
package enum TokenMatch: String, CaseIterable, Hashable, ModelText, Sendable {
    case matches
    case other
    case none

    package var english: String {
        switch self {
        case .matches: "names the claimant"
        case .other: "names another account"
        case .none: "is absent"
        }
    }
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

extension AgeBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .under(let period): "under \(period.text)"
        case .atLeast(let period): "at least \(period.text)"
        case .between(let least, let end): "from \(least.text) to \(end.text)"
        }
    }

    /// Of a length that a calendar decides, which no policy has, none is.
    package var range: BoundRange {
        switch self {
        case .under(let end): BoundRange(from: nil, until: end.fixedMilliseconds ?? .min)
        case .atLeast(let least): BoundRange(from: least.fixedMilliseconds ?? .max, until: nil)
        case .between(let least, let end):
            BoundRange(
                from: least.fixedMilliseconds ?? .max, until: end.fixedMilliseconds ?? .min)
        }
    }
}

/// Whether a unit is paid for.
package enum PaidWord: String, CaseIterable, Hashable, ModelText, Sendable {
    case yes
    case no

    package var english: String {
        switch self {
        case .yes: "yes"
        case .no: "no"
        }
    }
}

/// `under N`, `at least N` or `N`.
package enum CountBound: Hashable, Sendable {
    case under(Int64)
    case atLeast(Int64)
    case exactly(Int64)

    /// As a policy writes it.
    package var text: String {
        switch self {
        case .under(let end): "under \(end)"
        case .atLeast(let least): "at least \(least)"
        case .exactly(let count): "\(count)"
        }
    }

    package var range: BoundRange {
        switch self {
        case .under(let end): BoundRange(from: nil, until: end)
        case .atLeast(let least): BoundRange(from: least, until: nil)
        case .exactly(let count): BoundRange(from: count, until: count + 1)
        }
    }
}

/// `before DATE`, `from DATE` or `from DATE until DATE`.
package enum DateBound: Hashable, Sendable {
    case before(Instant)
    case from(Instant)
    /// From the first on, and before the second.
    case within(Instant, Instant)
}

extension DateBound {
    /// As a policy writes it.
    package var text: String {
        switch self {
        case .before(let instant): "before \(instant.shortText)"
        case .from(let instant): "from \(instant.shortText)"
        case .within(let start, let end): "from \(start.shortText) until \(end.shortText)"
        }
    }

    package var range: BoundRange {
        switch self {
        case .before(let end): BoundRange(from: nil, until: end.milliseconds)
        case .from(let start): BoundRange(from: start.milliseconds, until: nil)
        case .within(let start, let end):
            BoundRange(from: start.milliseconds, until: end.milliseconds)
        }
    }

    /// From the beginning of time where nothing else is written.
    package var interval: Interval {
        Interval(
            uncheckedFrom: range.lower.map(Instant.init(milliseconds:)) ?? .distantPast,
            to: range.upper.map(Instant.init(milliseconds:)))
    }

    /// Where it begins or ceases to hold.
    package var instants: [Instant] { range.cuts.map(Instant.init(milliseconds:)) }
}

extension Instant {
    /// A midnight as a day, everything else in full.
    package var shortText: String {
        let text = rfc3339
        return text.hasSuffix("T00:00:00.000Z") ? String(text.prefix(10)) : text
    }
}

/// The lengths or instants, in milliseconds, that a bound allows: half-open, without an end where
/// the bound has none.
package struct BoundRange: Hashable, Sendable {
    package let lower: Int64?
    package let upper: Int64?

    package init(from lower: Int64?, until upper: Int64?) {
        self.lower = lower
        self.upper = upper
    }

    package func contains(_ number: Int64) -> Bool {
        (lower.map { $0 <= number } ?? true) && (upper.map { number < $0 } ?? true)
    }

    /// Whether the time from one instant to another is in it.
    package func contains(from start: Instant, to end: Instant) -> Bool {
        (lower.map { start.advanced(byMilliseconds: $0) <= end } ?? true)
            && (upper.map { end < start.advanced(byMilliseconds: $0) } ?? true)
    }

    /// Where it begins or ends.
    package var cuts: [Int64] { [lower, upper].compactMap(\.self) }
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
