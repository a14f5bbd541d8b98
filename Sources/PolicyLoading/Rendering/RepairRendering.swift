internal import EntitlementModel
internal import StrictJSON

/// What stands around repairs.
enum RepairPhrase: String, CaseIterable, PolicyLoadingText, Wording {
    case choice = "a possible repair: {0}"
    case oneRepair = "1 repair"
    case repairs = "{0} repairs"
    case lineEnds = "{0}: lines that end with CRLF or CR instead of LF: {1} of {2}"
    case notWritten = "{0}; add --write to make them in the files"
    case written = "{0} made in the files"
    case nothing = "nothing here has exactly one possible repair; no file was changed"
    case left = "what is left to you:"
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

/// What would change in a file, in the unified format with three lines around each change; empty
/// where nothing would. Characters that cannot be seen are named by their code points.
///
/// - Parameter path: as the reader knows the file.
package func unifiedDiff(_ before: PolicyText, _ after: PolicyText, path: String) -> String {
    guard before.bytes != after.bytes else { return "" }
    let (old, new) = (diffLines(before), diffLines(after))
    let hunks = hunks(of: changes(from: old, to: new))
    var text = "--- \(path.inMessage)\n+++ \(path.inMessage)\n"
    for hunk in hunks {
        let kept = hunk.filter { $0.sign == " " }.count
        let (removed, added) = (
            hunk.filter { $0.sign == "-" }.count, hunk.filter { $0.sign == "+" }.count
        )
        text +=
            "@@ -\(range(hunk[0].old, kept + removed)) +\(range(hunk[0].new, kept + added)) @@\n"
        for line in hunk { text += "\(line.sign)\(visible(line.text))\n" }
    }
    return text
}

/// Lines around a change that are shown with it.
private let context = 3

private struct DiffLine {
    var sign: Character
    var text: Substring
    /// Lines before it in the old and in the new file.
    var old: Int
    var new: Int
}

/// With their carriage returns, so that a changed line end is a changed line.
private func diffLines(_ text: PolicyText) -> [Substring] {
    var lines = text.text.unicodeScalars
        .split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
    if lines.last == "" { lines.removeLast() }
    return lines
}

private func changes(from old: [Substring], to new: [Substring]) -> [DiffLine] {
    let difference = new.map { Array($0.utf8) }.difference(from: old.map { Array($0.utf8) })
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var lines: [DiffLine] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
        if left < old.count, removed.contains(left) {
            lines.append(DiffLine(sign: "-", text: old[left], old: left, new: right))
            left += 1
        } else if right < new.count, inserted.contains(right) {
            lines.append(DiffLine(sign: "+", text: new[right], old: left, new: right))
            right += 1
        } else {
            lines.append(DiffLine(sign: " ", text: old[left], old: left, new: right))
            left += 1
            right += 1
        }
    }
    return lines
}

private func hunks(of lines: [DiffLine]) -> [[DiffLine]] {
    var hunks: [[DiffLine]] = []
    var end = 0
    for (index, line) in lines.enumerated() where line.sign != " " {
        let start = max(end, index - context)
        let stop = min(lines.count, index + context + 1)
        if hunks.isEmpty || index - context > end {
            hunks.append(Array(lines[start..<stop]))
        } else {
            hunks[hunks.count - 1] += lines[end..<max(end, stop)]
        }
        end = max(end, stop)
    }
    return hunks
}

/// `12,3`: the first line, and how many; the line before an empty range.
private func range(_ before: Int, _ count: Int) -> String {
    count == 1 ? "\(before + 1)" : "\(count == 0 ? before : before + 1),\(count)"
}

private func visible(_ text: Substring) -> String {
    text.unicodeScalars.map { scalar in
        scalar.isHidden || scalar == "\u{3000}" ? "<\(scalar.codePoint)>" : String(scalar)
    }.joined()
}
