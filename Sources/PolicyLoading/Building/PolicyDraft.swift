internal import EntitlementModel

/// The files of a folder as one: each section once, each name once.
struct PolicyDraft: Sendable {
    /// Sections that stand in one file.
    private(set) var single: [String: CheckedField] = [:]
    private(set) var tables: [String: [CheckedRow]] = [:]
    /// Tables of which a part could not be read, so that a missing name proves nothing.
    private(set) var brokenTables: Set<String> = []
    /// Whether every file could be read.
    private(set) var isWhole = true
    /// Warnings that the folder expects; those of a place before those of the folder.
    private(set) var waivers: [Waiver] = []
    private var firstRows: [String: [String: SourceSpan]] = [:]

    private static let tableKeys = ["entitlements", "credits", "groups", "products"]
    private static let listKeys = [
        "app_purchase", "access", "account_switch", "open", "refund_answers",
    ]

    /// What says something of the file that it stands in, and may stand in several.
    private static let keysOfOneFile = ["usher", PolicyGrammar.timeZoneKey, Waiver.key]

    init(merging files: [CheckedFile], problems: inout ProblemList) {
        for file in files {
            guard let section = file.section else {
                isWhole = false
                continue
            }
            // By place, so that the second of two is always the later one.
            for (key, field) in section.fields.sorted(by: {
                $0.value.keySpan.start < $1.value.keySpan.start
            }) where !Self.keysOfOneFile.contains(key) {
                add(key, field, &problems)
            }
            waivers += Waiver.all(in: section)
        }
        waivers = waivers.filter { $0.scope != nil } + waivers.filter { $0.scope == nil }
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
                .written(key),
                related: [.init(note: .firstWritten, span: first.keySpan)])
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

/// The names that a policy defines, to check what refers to them.
struct NameIndex {
    private var names: [String: Set<String>] = [:]
    private var spans: [String: [String: SourceSpan]] = [:]
    private var incomplete: Set<String> = []
    /// Levels by group; groups whose levels are broken are omitted.
    private(set) var levels: [String: [String]] = [:]
    private(set) var areLevelsComplete: Bool

    init(_ draft: PolicyDraft) {
        areLevelsComplete = draft.isWhole && !draft.brokenTables.contains("groups")
        for table in ["entitlements", "credits", "groups", "products"] {
            let rows = draft.tables[table] ?? []
            names[table] = Set(rows.map(\.name))
            spans[table] = Dictionary(
                rows.map { ($0.name, $0.nameSpan) }, uniquingKeysWith: { first, _ in first })
            if !draft.isWhole || draft.brokenTables.contains(table) { incomplete.insert(table) }
        }
        if draft.field("app_purchase") != nil { names["products"]?.insert(ProductID.app.text) }
        for row in draft.tables["groups"] ?? [] {
            guard let value = row.value.section?.value("levels"),
                !value.isBroken, !value.elements.contains(where: \.isBroken)
            else {
                areLevelsComplete = false
                continue
            }
            levels[row.name] = value.elements.compactMap(\.text)
        }
    }

    /// Whether the name is defined, or may be defined in what could not be read.
    func mayHave(_ name: String, in table: String) -> Bool {
        names[table]?.contains(name) == true || incomplete.contains(table)
    }

    /// The name that was meant, or all there are if they are few.
    func suggestion(for name: String, in table: String) -> Help? {
        let all = (names[table] ?? []).sorted()
        if let near = Help.meant(by: name, among: all) { return near }
        let longer = all.filter { $0.hasSuffix("." + name) }
        if longer.count == 1 { return .didYouMean(longer[0]) }
        return (1...12).contains(all.count) ? .oneOf(all) : nil
    }

    /// Where the name that was meant is defined: the slip may be there.
    func meant(by name: String, in table: String) -> [Problem.Related] {
        let near = EntitlementModel.suggestion(for: name, among: (names[table] ?? []).sorted())
        guard let near, let span = spans[table]?[near] else { return [] }
        return [.init(note: .definedHere, span: span)]
    }

    /// Every name that the table defines.
    func all(_ table: String) -> Set<String> { names[table] ?? [] }
}
