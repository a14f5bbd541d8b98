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
    /// One of these words, or a length that a calendar decides.
    case wordOrLength([String])
    case date
    case age
    /// `at least 5`, `under 5` or `5`.
    case count
    case dateBound
    /// A version of the app, with a word before it.
    case versionBound
    /// `from DATE until DATE`.
    case window
    case timeZone
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
    /// The word `all`, exceptions from it by the section, or a value of the shape.
    case allOr(Section, Shape)

    /// The words of an enumeration, in its order.
    static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Shape
    where Word.RawValue == String {
        .word(Word.allCases.map(\.rawValue))
    }
}

extension Shape {
    /// Whether a value can have ASCII characters only.
    var isASCII: Bool {
        switch self {
        case .text, .certificatePath: false
        default: true
        }
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
    var about: About
    /// Words that older policies may have there, and nobody is offered any more.
    var former: [String] = []

    enum About: Hashable, Sendable {
        case key(FieldMeaning)
        case setting(PolicySetting)
        case condition(ConditionField)
    }

    init(_ key: String, _ shape: Shape, required: Bool = false, _ about: FieldMeaning) {
        self.key = key
        self.shape = shape
        isRequired = required
        self.about = .key(about)
    }

    init(_ setting: PolicySetting) {
        key = setting.policyKey
        shape = setting.shape
        isRequired = false
        about = .setting(setting)
    }

    init(_ condition: ConditionField) {
        key = condition.rawValue
        shape = .oneOrMany(condition.shape)
        isRequired = false
        about = .condition(condition)
    }
}

extension Field.About {
    func text(_ language: Language) -> String {
        switch self {
        case .key(let meaning): meaning.text(language)
        case .setting(let setting): setting.meaning.text(language)
        case .condition(let field): field.meaning.text(language)
        }
    }
}

extension PolicySetting {
    fileprivate var shape: Shape {
        switch slot.form {
        case .word(let type): .word(type.words)
        case .length: .length(allowsCalendar: false)
        case .date: .date
        }
    }
}

extension ConditionField {
    /// Of one value.
    fileprivate var shape: Shape {
        switch slot.form {
        case .words(let type, _): .word(type.words)
        case .name: .name
        case .storefront: .storefront
        case .productPattern: .productPattern
        case .accountPattern: .accountPattern
        case .age: .age
        case .count: .count
        case .date: .dateBound
        case .version: .versionBound
        }
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

/// A value of the shape that its place asks for, or known to be broken.
struct CheckedValue: Sendable {
    var span: SourceSpan
    var content: Content

    /// The value by its type.
    indirect enum Content: Sendable {
        case text(String)
        case number(Int64)
        case boolean(Bool)
        case length(Period)
        case date(Instant)
        case age(AgeBound)
        case count(CountBound)
        case dateBound(DateBound)
        case versionBound(VersionBound)
        case moves(ClaimLimits.Moves)
        case list([CheckedValue])
        case section(CheckedSection)
        case table([CheckedRow])
        /// Already reported; nothing that depends on it is reported again.
        case broken
    }
}

/// The keys that were written in a section.
struct CheckedSection: Sendable {
    var span: SourceSpan
    var fields: [String: CheckedField]

    /// What was written after a key.
    func value(_ key: String) -> CheckedValue? { fields[key]?.value }

    /// Whether the key was written, rightly or not.
    func has(_ key: String) -> Bool { fields[key] != nil }
}

/// A key with what was written after it.
struct CheckedField: Sendable {
    var keySpan: SourceSpan
    var value: CheckedValue
}

/// One name of a table, and what it names.
struct CheckedRow: Sendable {
    var name: String
    var nameSpan: SourceSpan
    var value: CheckedValue
}

extension CheckedValue {
    var isBroken: Bool {
        if case .broken = content { true } else { false }
    }

    var text: String? {
        if case .text(let text) = content { text } else { nil }
    }

    var number: Int64? {
        if case .number(let number) = content { number } else { nil }
    }

    var boolean: Bool? {
        if case .boolean(let boolean) = content { boolean } else { nil }
    }

    var length: Period? {
        if case .length(let length) = content { length } else { nil }
    }

    var date: Instant? {
        if case .date(let date) = content { date } else { nil }
    }

    /// As the value of a setting.
    var setting: SettingValue? {
        switch content {
        case .text(let word): .word(word)
        case .length(let length): .length(length)
        case .date(let date): .date(date)
        case .number, .boolean, .age, .count, .dateBound, .versionBound, .moves, .list, .section,
            .table, .broken:
            nil
        }
    }

    var moves: ClaimLimits.Moves? {
        if case .moves(let moves) = content { moves } else { nil }
    }

    var section: CheckedSection? {
        if case .section(let section) = content { section } else { nil }
    }

    var rows: [CheckedRow] {
        if case .table(let rows) = content { rows } else { [] }
    }

    /// The elements of a list; of anything else that is whole, that alone.
    var elements: [CheckedValue] {
        switch content {
        case .list(let elements): elements
        case .broken: []
        case .text, .number, .boolean, .length, .date, .age, .count, .dateBound, .versionBound,
            .moves, .section, .table:
            [self]
        }
    }

    /// The word of an enumeration.
    func word<Word: RawRepresentable>(_: Word.Type) -> Word? where Word.RawValue == String {
        text.flatMap(Word.init(rawValue:))
    }
}
