/// The files of a folder as one: each section once, each name once.
struct PolicyDraft {
    /// Sections that stand in one file.
    private(set) var single: [String: CheckedField] = [:]
    private(set) var tables: [String: [CheckedRow]] = [:]
    /// Tables of which a part could not be read, so that a missing name proves nothing.
    private(set) var brokenTables: Set<String> = []
    /// Whether every file could be read.
    private(set) var isWhole = true
    private var firstRows: [String: [String: SourceSpan]] = [:]

    private static let tableKeys = ["entitlements", "credits", "groups", "products"]
    private static let listKeys = ["access", "account_switch"]

    init(merging files: [CheckedFile], problems: inout ProblemList) {
        for file in files {
            guard let section = file.section else {
                isWhole = false
                continue
            }
            // By place, so that the second of two is always the later one.
            for (key, field) in section.fields.sorted(by: {
                $0.value.keySpan.start < $1.value.keySpan.start
            }) where key != "usher" {
                add(key, field, &problems)
            }
        }
    }

    /// A section that stands in one file, with its place.
    func field(_ key: String) -> CheckedField? { single[key] }

    /// The keys of such a section; nil where it is missing or broken.
    func section(_ key: String) -> CheckedSection? { single[key]?.value.section }

    /// Whether the section was written, rightly or not, or might stand in a file that could not
    /// be read.
    func mayHave(_ key: String) -> Bool { single[key] != nil || !isWhole }

    private mutating func add(
        _ key: String, _ field: CheckedField, _ problems: inout ProblemList
    ) {
        if Self.tableKeys.contains(key) {
            if field.value.isBroken { brokenTables.insert(key) }
            for row in field.value.rows { add(row, to: key, &problems) }
        } else if let first = single[key] {
            problems.add(
                Self.listKeys.contains(key) ? .splitList : .splitSection, at: field.keySpan,
                .written(key), related: [.init(note: .firstWritten, span: first.keySpan)])
        } else {
            single[key] = field
        }
    }

    private mutating func add(
        _ row: CheckedRow, to table: String, _ problems: inout ProblemList
    ) {
        tables[table, default: []].append(row)
        if let first = firstRows[table]?[row.name] {
            problems.add(
                .duplicateName, at: row.nameSpan, .written(row.name), .written(table),
                related: [.init(note: .firstWritten, span: first)])
        } else {
            firstRows[table, default: [:]][row.name] = row.nameSpan
        }
    }
}
