internal import EntitlementModel

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
