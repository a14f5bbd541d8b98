internal import EntitlementModel
internal import StrictJSON

/// What stands around repairs.
enum RepairPhrase: CaseIterable, LocalizedText {
    case choice, oneRepair, repairs, lineEnds, notWritten, written, nothing, left
}

/// Shows what can be repaired as a unified diff, then each repair, then what is left to the author.
///
/// - Parameter isWritten: whether the files are as the diff has them.
package func render(
    _ plan: RepairPlan, isWritten: Bool, as options: RenderOptions
) -> String {
    options.format == .json
        ? json(plan, isWritten: isWritten, options).laidOut + "\n"
        : text(plan, isWritten: isWritten, options)
}

private func text(
    _ plan: RepairPlan, isWritten: Bool, _ options: RenderOptions
) -> String {
    let language = options.language
    var text = ""
    for (before, after) in zip(plan.before, plan.after) {
        text += unifiedDiff(before, after, path: options.path(before.path))
    }
    if plan.count > 0 { text += "\n" }
    for repair in plan.repairs {
        let place = repair.diagnostic.place
        text += "\(options.path(place.file).inMessage):\(place.line):\(place.column): "
        text += "\(repair.diagnostic.message(in: language)) [\(repair.diagnostic.id.rawValue)]\n"
    }
    for repair in plan.lineEnds {
        let file = options.path(repair.file).inMessage
        text +=
            RepairPhrase.lineEnds.text(
                language, file, "\(repair.changed)", "\(repair.all)") + "\n"
    }
    let count =
        switch plan.count {
        case 0: RepairPhrase.nothing.text(language)
        case 1: RepairPhrase.oneRepair.text(language)
        default: RepairPhrase.repairs.text(language, "\(plan.count)")
        }
    let phrase: RepairPhrase = isWritten ? .written : .notWritten
    text += plan.count == 0 ? count + "\n" : phrase.text(language, count) + "\n"
    guard !plan.left.isEmpty else { return text }
    text += "\n" + RepairPhrase.left.text(language) + "\n\n"
    return text + renderText(plan.left, sources: plan.after, options)
}

private func json(
    _ plan: RepairPlan, isWritten: Bool, _ options: RenderOptions
) -> JSONValue {
    let diffs = zip(plan.before, plan.after).map { before, after in
        unifiedDiff(before, after, path: options.path(before.path))
    }
    return .object([
        ("written", .bool(isWritten && plan.count > 0)),
        ("files", .array(plan.changedFiles.map { .string(options.path($0)) })),
        ("diff", .string(diffs.joined())),
        ("repairs", .array(plan.repairs.map { json($0, options) })),
        ("line_ends", .array(plan.lineEnds.map { json($0, options) })),
        ("errors", .integer(Int64(plan.left.count(of: .error)))),
        ("warnings", .integer(Int64(plan.left.count(of: .warning)))),
        ("left", .array(plan.left.map { json($0, options) })),
    ])
}

extension RepairPlan {
    /// Those of mistakes, and one for each file with other line ends.
    fileprivate var count: Int { repairs.count + lineEnds.count }
}

private func json(_ repair: LineEndRepair, _ options: RenderOptions) -> JSONValue {
    .object([
        ("file", .string(options.path(repair.file))), ("lines", .integer(repair.changed)),
        ("of", .integer(repair.all)),
    ])
}

/// The offsets of a repair are those of the texts after the repairs before it.
private func json(_ repair: Repair, _ options: RenderOptions) -> JSONValue {
    let edits = repair.edits.map { edit in
        JSONValue.object([
            ("file", .string(options.path(edit.file))),
            ("start", .integer(Int64(edit.bytes.lowerBound))),
            ("end", .integer(Int64(edit.bytes.upperBound))),
            ("replacement", .string(edit.replacement)),
        ])
    }
    return .object([
        ("for", json(repair.diagnostic, options)), ("edits", .array(edits)),
        ("result", .string(repair.line)),
    ])
}
