internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import PolicyTools
internal import StrictJSON

/// Two policies without any account: cell by cell, and what else may be lost.
struct CellComparison {
    let old: Policy
    let new: Policy
    let changes: [CellChange]
    let cells: Int
    /// What is open to everybody, and when.
    let open: [OpenChange]
    /// What is not in a cell: products, terms, trust, lists.
    let losses: [PolicyLoss]
    /// What is written differently, whoever it concerns.
    let edits: [PolicyEditAnswer]
    /// Of which claims the rules decide otherwise. Nobody loses by it what he has: decisions stay.
    let switches: [SwitchChange]

    /// - Parameter zones: files of which the time zone differs.
    init(from old: Policy, to new: Policy, zones: [PolicyEdit]) {
        self.old = old
        self.new = new
        (changes, cells) = cellChanges(from: old, to: new, builtIns: builtInAccessRules)
        open = openChanges(from: old, to: new)
        losses = allLosses(from: old, to: new).filter { $0.kind != .cell && $0.kind != .open }
        edits = (zones + policyEdits(from: old, to: new)).map { PolicyEditAnswer($0) }
        switches = switchChanges(from: old, to: new)
    }

    /// Whether anybody may lose anything.
    var isLoss: Bool {
        !losses.isEmpty || changes.contains { $0.verdict != .wider }
            || open.contains { !$0.isGained }
    }

    func count(_ verdict: CellChange.Verdict) -> Int {
        changes.count { $0.verdict == verdict }
    }

    var json: JSONValue {
        let verdicts = CellChange.Verdict.allCases.map { verdict in
            (verdict.rawValue, JSONValue.integer(Int64(count(verdict))))
        }
        return .object(known: [
            ("policy", .string(new.digest.hexadecimal)),
            ("replaces", .string(old.digest.hexadecimal)),
            ("equal", .integer(Int64(cells - changes.count))),
            ("counts", .object(known: verdicts.map { ($0.0, $0.1) })),
            ("cells", .array(changes.map(\.json))), ("open", .array(open.map(\.json))),
            ("losses", .array(losses.map(\.json))),
            ("edits", .array(edits.compactMap { try? parseJSON($0.json) })),
            ("account_switch", .array(switches.map(\.json))),
        ])
    }

    var csv: String {
        let rows = changes.map { change in
            [
                change.verdict.rawValue, change.product.text, change.entitlement.text,
                change.state.rawValue, change.lost?.text ?? "", change.gained?.text ?? "",
                change.length.map { $0.before.text(in: .english) } ?? "",
                change.length.map { $0.after.text(in: .english) } ?? "", "", "", "", "", "",
            ]
        }
        return csvText([Self.columns] + rows + switchRows)
    }

    private static let columns = [
        "change", "product", "entitlement", "state", "lost_when", "gained_when", "lasts_before",
        "lasts_after", "owned", "token", "moment", "switch_before", "switch_after",
    ]

    private var switchRows: [[String]] {
        switches.map { change in
            let outcomes = change.outcomes(in: .english)
            return [
                "account_switch", change.products.map(\.text).joined(separator: " "), "", "", "",
                "", "", "", "\(change.isOwned)", change.token.rawValue, change.moment.rawValue,
                outcomes.before, outcomes.after,
            ]
        }
    }
}

/// Of cells too.
private func allLosses(from old: Policy, to new: Policy) -> [PolicyLoss] {
    losses(from: old, to: new)
}

extension CellExample {
    /// `field: value`, one after the other; empty where it is a usual purchase.
    var text: String { facts.map { "\($0.field): \($0.value)" }.joined(separator: ", ") }

    fileprivate var json: JSONValue {
        .object(known: facts.map { ($0.field, .string($0.value)) })
    }
}

extension CellChange {
    fileprivate var json: JSONValue {
        .object(known: [
            ("change", .string(verdict.rawValue)), ("product", .string(product.text)),
            ("entitlement", .string(entitlement.text)), ("state", .string(state.rawValue)),
            ("lost_when", lost.map(\.json)), ("gained_when", gained.map(\.json)),
            ("lasts", lengths),
        ])
    }
}

extension CellChange {
    fileprivate var lengths: JSONValue? {
        length.map { length -> JSONValue in
            ["before": length.before.json, "after": length.after.json]
        }
    }
}

extension [AgeStretch] {
    fileprivate var json: JSONValue {
        .array(
            map { stretch -> JSONValue in
                .object(known: [
                    ("from", .string(CellExample.age(stretch.start))),
                    ("until", stretch.end.map { .string(CellExample.age($0)) }),
                ])
            })
    }

    fileprivate func text(in language: Language) -> String {
        guard !isEmpty else { return ImpactPhrase.never.text(language) }
        let texts = map { stretch -> String in
            let (start, end) = (CellExample.age(stretch.start), stretch.end.map(CellExample.age))
            switch (stretch.start, end) {
            case (0, nil): return ImpactPhrase.whileState.text(language)
            case (0, let end?): return ImpactPhrase.forAge.text(language, end)
            case (_, nil): return ImpactPhrase.fromAge.text(language, start)
            case (_, let end?): return ImpactPhrase.betweenAges.text(language, start, end)
            }
        }
        return language.list(texts)
    }
}

extension PolicyLoss {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "names": .array(names.map(JSONValue.string)),
            "detail": .string(sentence(in: .english)),
        ]
    }
}

extension PolicyEditAnswer {
    /// Whether a product gives other credits than before.
    var areCreditsChanged: Bool { before != nil && !keys.isEmpty }

    /// In one line.
    func line(in language: Language) -> String {
        if let name, let before, let after, keys.isEmpty {
            return ImpactPhrase.zone.text(
                language, section, name.shown, before.shown, after.shown)
        }
        let keys = language.list(keys)
        let line =
            switch (change, name) {
            case (.changed, let name?) where areCreditsChanged:
                ImpactPhrase.changedCredits.text(
                    language, section, name.shown, keys, before?.shown ?? "", after?.shown ?? "")
            case (.added, let name?): ImpactPhrase.added.text(language, section, name.shown)
            case (.removed, let name?): ImpactPhrase.removed.text(language, section, name.shown)
            case (_, let name?): ImpactPhrase.changed.text(language, section, name.shown, keys)
            case (.changed, nil): ImpactPhrase.changedKeys.text(language, section, keys)
            case (_, nil): ImpactPhrase.reordered.text(language, section)
            }
        return isUndoing == true ? ImpactPhrase.undoing.text(language, line) : line
    }
}

extension Page {
    /// How many cells a page names.
    private static var namedCells: Int { 40 }

    mutating func write(_ comparison: CellComparison) {
        let changes = comparison.changes
        let count = { (verdict: CellChange.Verdict) in "\(comparison.count(verdict))" }
        add(
            ImpactPhrase.cells, "\(comparison.cells)", "\(comparison.cells - changes.count)",
            count(.wider), count(.narrower), count(.both))
        tree(changes, atMost: Self.namedCells, branch)
        if !comparison.open.isEmpty {
            add(ImpactPhrase.open)
            tree(comparison.open.map(branch))
        }
        if !comparison.losses.isEmpty {
            add(ImpactPhrase.otherLosses)
            tree(comparison.losses.map { Branch($0.sentence(in: language)) })
        }
        if !comparison.isLoss { add(ImpactPhrase.nothingNarrower) }
        write(comparison.switches)
        write(comparison.edits)
    }

    private mutating func write(_ switches: [SwitchChange]) {
        guard !switches.isEmpty else { return }
        add(ImpactPhrase.switches)
        let texts = switchTexts(switches, in: language)
        tree(texts, atMost: Self.namedCells) { text in
            Branch(text.title, text.lines.map { Branch($0) })
        }
    }

    mutating func write(_ edits: [PolicyEditAnswer]) {
        guard !edits.isEmpty else { return }
        add(ImpactPhrase.edits)
        let language = language
        tree(edits, atMost: Self.namedCells) { Branch($0.line(in: language)) }
    }

    private func branch(_ change: CellChange) -> Branch {
        let phrase: ImpactPhrase =
            switch change.verdict {
            case .wider: .wider
            case .narrower: .narrower
            case .both: .both
            case .unknown: .undecided
            }
        let cell = [
            change.product.text.shown, change.entitlement.text, change.state.text(language),
        ]
        let line = phrase.text(language, language.list(cell))
        let examples = [
            change.lost.map { example(ImpactPhrase.lostWhen, $0) },
            change.gained.map { example(ImpactPhrase.gainedWhen, $0) },
            // Within a window it ends with the window.
            (change.lost ?? change.gained)?.window == nil ? change.length.map(lasts) : nil,
        ]
        return Branch(
            paint(line, change.verdict == .wider ? .good : .bad), examples.compactMap(\.self))
    }

    private func lasts(_ length: CellLength) -> Branch {
        branch(
            ImpactPhrase.lasts, length.before.text(in: language), length.after.text(in: language))
    }

    private func branch(_ change: OpenChange) -> Branch {
        let phrase: ImpactPhrase = change.isGained ? .wider : .narrower
        let window = [
            change.entitlement.text, span(from: change.stretch.start, until: change.stretch.end),
        ]
        let line = phrase.text(language, language.list(window))
        return Branch(paint(line, change.isGained ? .good : .bad))
    }

    private func example(_ phrase: ImpactPhrase, _ example: CellExample) -> Branch {
        let text = example.text.isEmpty ? ImpactPhrase.usual.text(language) : example.text.shown
        return branch(phrase, text)
    }
}

/// For spreadsheets: RFC 4180. A name that a spreadsheet would calculate is made text.
func csvText(_ rows: [[String]]) -> String {
    rows.map { row in
        row.map { text in
            let isFormula = text.first.map { "=+-@\t".contains($0) } ?? false
            let text = isFormula ? "'" + text : text
            guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",") + "\r\n"
    }.joined()
}

/// A stretch of time in which one policy gives an entitlement to everybody, and another does not.
struct OpenChange: Equatable {
    let entitlement: EntitlementName
    let stretch: Interval
    /// Whether the new policy gives it; else the old one.
    let isGained: Bool

    var json: JSONValue {
        .object(known: [
            ("change", .string(isGained ? "wider" : "narrower")),
            ("entitlement", .string(entitlement.text)),
            ("from", .string(stretch.start.rfc3339)),
            ("until", stretch.end.map { .string($0.rfc3339) }),
        ])
    }
}

/// By entitlement and time. Which rule opens it does not matter.
func openChanges(from old: Policy, to new: Policy) -> [OpenChange] {
    let names = Set((old.openRights + new.openRights).flatMap(\.entitlements)).sorted()
    return names.flatMap { name in
        let (before, after) = (old.windows(of: name), new.windows(of: name))
        let changes =
            before.uncovered(by: after)
            .map { OpenChange(entitlement: name, stretch: $0, isGained: false) }
            + after.uncovered(by: before)
            .map { OpenChange(entitlement: name, stretch: $0, isGained: true) }
        return changes.sorted { $0.stretch.start < $1.stretch.start }
    }
}

extension Policy {
    fileprivate func windows(of entitlement: EntitlementName) -> [Interval] {
        openRights.filter { $0.entitlements.contains(entitlement) }.flatMap(\.windows)
    }
}

extension [Interval] {
    /// What is in one of these and in none of the others, each instant once.
    fileprivate func uncovered(by others: [Interval]) -> [Interval] {
        let bounds = Set((self + others).flatMap { [$0.start, $0.end].compactMap(\.self) }).sorted()
        var found: [Interval] = []
        for (index, start) in bounds.enumerated() {
            let end = index + 1 < bounds.count ? bounds[index + 1] : nil
            guard contains(where: { $0.contains(start) }),
                !others.contains(where: { $0.contains(start) })
            else { continue }
            let stretch = Interval(uncheckedFrom: start, to: end)
            guard let last = found.last, last.end == start else {
                found.append(stretch)
                continue
            }
            found[found.count - 1] = Interval(uncheckedFrom: last.start, to: end)
        }
        return found
    }
}
