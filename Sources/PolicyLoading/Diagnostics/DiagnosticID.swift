internal import EntitlementModel

/// What `policy check` can find: the name that scripts and suppressions may rely on, how much it
/// weighs, and what is said of it. Each is stated once, in a list of its family.
///
/// The raw values are a contract; messages are not. An example of each is with the tests.
package struct DiagnosticID: RawRepresentable, CaseIterable, Hashable, Sendable,
    CustomStringConvertible
{
    package let rawValue: String
    /// Unless a caller makes warnings errors.
    package let severity: Severity
    /// What is wrong, in one sentence; the places are the diagnostic's facts.
    package let message: DiagnosticText
    /// What to do, where the diagnostic has nothing more exact to say.
    package let advice: DiagnosticText
    /// Why the policy is better without it.
    package let meaning: DiagnosticText
    private let traits: [Trait]

    enum Trait {
        /// A file that has it is read no further.
        case stopsReading
        /// It depends on more than the texts: the day, a ledger, or what else is in the folder.
        case circumstantial
        /// It is about the whole folder, so that a waiver is at the top of a file.
        case ofFolder
        /// Policies were once in force with it. It is told of folders that are to come into force;
        /// the texts of a ledger load, and mean what they meant (spec 2.6).
        case newerThanPolicies
    }

    var stopsReading: Bool { traits.contains(.stopsReading) }
    var isCircumstantial: Bool { traits.contains(.circumstantial) }
    var isOfFolder: Bool { traits.contains(.ofFolder) }
    var isUnknownToOldTexts: Bool { traits.contains(.newerThanPolicies) }

    /// Whether a policy may say that it expects it.
    var isWaivable: Bool { severity == .warning }

    package var description: String { rawValue }
}

/// The lists.
extension DiagnosticID {
    /// In the order of the manual.
    package static let allCases: [Self] = [
        files, yaml, names, keys, values, trust, references, products, ruleLists, proofs,
        comparisons, stories,
    ].flatMap(\.self)

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    package init?(rawValue: String) {
        guard let known = Self.byName[rawValue] else { return nil }
        self = known
    }

    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Checks that there were: they read what rules, products and titles are called, or judged what is
    /// usual, and were wrong about some that were right. A policy that expects one of them means
    /// what it meant.
    static let retired = [
        "condition-against-name", "condition-forgotten", "dates-against-name", "duplicate-title",
        "effect-against-name", "grants-against-title", "group-against-name", "instant-in-utc",
        "kind-against-name", "large-max", "last-day-left-out", "length-against-name",
        "level-against-name", "misspelt-id", "open-for-long", "period-against-name",
        "point-forgotten", "price-far-off", "prices-far-apart", "prices-swapped",
        "purchased-moves-on", "renewals-counted", "rest-before-others", "retired-forgotten",
        "rule-against-name", "title-against-id", "title-language", "units-against-name",
        "very-short",
    ]
}

/// How a family states one.
extension DiagnosticID {
    private init(
        _ id: String, _ severity: Severity, _ message: String, _ traits: [Trait], help: String,
        why: String
    ) {
        (rawValue, self.severity, self.traits) = (id, severity, traits)
        self.message = DiagnosticText(key: id, english: message)
        advice = DiagnosticText(key: id + ".help", english: help)
        meaning = DiagnosticText(key: id + ".why", english: why)
    }

    /// Stops the policy from loading.
    static func error(
        _ id: String, _ message: String, _ traits: Trait..., help: String, why: String
    ) -> Self {
        Self(id, .error, message, traits, help: help, why: why)
    }

    static func warning(
        _ id: String, _ message: String, _ traits: Trait..., help: String, why: String
    ) -> Self {
        Self(id, .warning, message, traits, help: help, why: why)
    }

    /// Is said only if it is asked for, or where nothing need be wrong.
    static func note(
        _ id: String, _ message: String, _ traits: Trait..., help: String, why: String
    ) -> Self {
        Self(id, .note, message, traits, help: help, why: why)
    }
}

/// One of the sentences of a diagnostic.
package struct DiagnosticText: PolicyLoadingText, Hashable, Sendable {
    package let key: String
    package let english: String
}
