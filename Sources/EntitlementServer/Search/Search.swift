internal import EntitlementModel

/// A search of AuthZEN: everything of a question is given but one id (spec 3.1).
struct Search: Equatable, Sendable {
    /// What is looked for.
    enum Target: String, CaseIterable, Sendable {
        case subject
        case resource
        case action
    }

    var target: Target
    var subjectType: String
    /// Empty where subjects are looked for.
    var subjectID: String
    /// Empty where actions are looked for.
    var action: String
    var resourceType: String
    /// Empty where resources are looked for.
    var resourceID: String
    /// What is to be spent; 1 where nothing is said.
    var amount: Int64
    /// `context.at`; nil for the instant of the first page.
    var instant: Instant?
    var environment: StoreEnvironment
    var appleID: AppleIDKey?
    var minimumRevision = LedgerSequence.zero
    var page = Page()

    struct Page: Equatable, Sendable {
        var limit = Self.standardLimit
        var token: SearchToken?

        static let standardLimit = 100
        static let greatestLimit = 1_000
    }
}

extension Search {
    /// The question whether `candidate` is one of those that are looked for.
    func evaluation(of candidate: String, at instant: Instant) throws(Problem) -> Evaluation {
        let matter = try Evaluation.Matter(
            subjectType: subjectType, subjectID: target == .subject ? candidate : subjectID,
            action: target == .action ? candidate : action, resourceType: resourceType,
            resourceID: target == .resource ? candidate : resourceID, amount: amount)
        return Evaluation(
            matter: matter, instant: instant, environment: environment, appleID: appleID,
            minimumRevision: minimumRevision)
    }

    /// Tells searches apart: a token is good for the search that it was given for.
    var fingerprint: UInt64 {
        let parts = [
            target.rawValue, subjectType, subjectID, action, resourceType, resourceID,
            String(amount), instant.map { String($0.milliseconds) } ?? "",
            environment.rawValue, appleID?.text ?? "",
        ]
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in parts.joined(separator: "\u{0}").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return hash
    }
}

/// Where the next page of a search begins, as callers hand it back: the instant that all pages
/// answer for, the search, and the last candidate that was looked at; empty before the first.
struct SearchToken: Equatable, Sendable {
    let instant: Instant
    let fingerprint: UInt64
    let last: String

    init(instant: Instant, fingerprint: UInt64, last: String) {
        self.instant = instant
        self.fingerprint = fingerprint
        self.last = last
    }

    var text: String {
        "\(instant.milliseconds).\(String(fingerprint, radix: 16)).\(last)"
    }

    /// Nil for what was never a token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let milliseconds = Int64(parts[0]),
            Instant.writable.contains(Instant(milliseconds: milliseconds)),
            let fingerprint = UInt64(parts[1], radix: 16)
        else { return nil }
        self.init(
            instant: Instant(milliseconds: milliseconds), fingerprint: fingerprint,
            last: String(parts[2]))
    }
}
