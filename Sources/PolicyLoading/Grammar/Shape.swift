internal import EntitlementModel

/// What may stand in a place of a policy file.
///
/// One table of these (`PolicyGrammar`) reads the files, suggests what was meant, and prints the
/// JSON Schema, so that the three cannot disagree.
indirect enum Shape: Sendable {
    /// A line of text for people.
    case text
    /// A name that is compared byte by byte (spec 1.1).
    case name
    /// Names with `*` anywhere.
    case productPattern
    /// Account names with `*` only at the end.
    case accountPattern
    case word([String])
    case boolean
    /// The version of the format.
    case version
    case whole(ClosedRange<Int64>)
    /// A length of time; months and years only where a calendar decides.
    case length(allowsCalendar: Bool)
    case date
    case age
    case dateBound
    /// `3 per 365d`.
    case moves
    /// An amount of money with up to three decimals.
    case amount
    case storefront
    case bundleID
    case fingerprint
    /// The path of a certificate, relative to the policy folder.
    case certificatePath
    /// A built-in root by name, or a fingerprint.
    case root
    case list(Shape)
    case oneOrMany(Shape)
    case section(Section)
    /// Names that the author chooses, each with a value of one shape.
    case table(of: NameClass, Shape)
    /// A text, or one of several small sections told apart by their first key.
    case either(Shape, [Section])

    /// The words of an enumeration, in its order.
    static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Shape
    where Word.RawValue == String {
        .word(Word.allCases.map(\.rawValue))
    }
}

/// A set of keys that belong together. Sections are closed: no other key may be written.
struct Section: Sendable {
    /// The key that it stands under, for messages.
    var title: String
    var fields: [Field]
    /// Keys that have no place here although one may well expect them, and what to say of them.
    var misplaced: [String: DiagnosticID] = [:]

    subscript(key: String) -> Field? { fields.first { $0.key == key } }
}

/// One key of a section.
struct Field: Sendable {
    var key: String
    var shape: Shape
    var isRequired: Bool
    /// What it means, for the schema.
    var about: Words

    init(
        _ key: String, _ shape: Shape, required: Bool = false, _ english: String, _ chinese: String
    ) {
        self.key = key
        self.shape = shape
        isRequired = required
        about = Words(english, chinese)
    }
}

/// What the names of a table name.
enum NameClass: String, Sendable {
    case entitlement
    case credit
    case group
    case product
    case currency
}
