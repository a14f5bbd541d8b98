/// The names that a policy defines, to check what refers to them.
struct NameIndex {
    private var names: [String: Set<String>] = [:]
    private var spans: [String: [String: SourceSpan]] = [:]
    private var incomplete: Set<String> = []
    /// Levels by group; groups whose levels are broken are left out.
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
        if let near = PolicyLoading.suggestion(for: name, among: all) { return .didYouMean(near) }
        return (1...12).contains(all.count) ? .oneOf(all) : nil
    }

    /// Where the name that was meant is defined: the slip may be there.
    func meant(by name: String, in table: String) -> [Problem.Related] {
        let near = PolicyLoading.suggestion(for: name, among: (names[table] ?? []).sorted())
        guard let near, let span = spans[table]?[near] else { return [] }
        return [.init(note: .definedHere, span: span)]
    }

    /// Every name that the table defines.
    func all(_ table: String) -> Set<String> { names[table] ?? [] }
}
