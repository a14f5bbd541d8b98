internal import EntitlementModel

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
        case dateBound(DateBound)
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
        default: [self]
        }
    }

    /// The word of an enumeration.
    func word<Word: RawRepresentable>(_: Word.Type) -> Word? where Word.RawValue == String {
        text.flatMap(Word.init(rawValue:))
    }
}
