internal import EntitlementModel

/// Lines that stand too far to the left or to the right.
func indentationRepairs(for diagnostic: Diagnostic, in lines: LineTable) -> [RepairCandidate] {
    let number = diagnostic.place.line
    guard let line = lines.line(number) else { return [] }
    if diagnostic.id == .notIndented { return deeper(lines, from: number) }
    var candidates: [RepairCandidate?] = []
    for indent in lines.openIndents(before: number) where indent != line.indent {
        candidates.append(RepairCandidate(lines.move(number...number, by: indent - line.indent)))
        let block = number...lines.lastLine(ofBlockAt: number)
        candidates.append(RepairCandidate(lines.move(block, by: indent - line.indent)))
    }
    // The line before may be the one that is wrong.
    if let before = lines.contentLine(before: number), let other = lines.line(before) {
        candidates.append(
            RepairCandidate(lines.move(before...before, by: line.indent - other.indent)))
    }
    return candidates.compactMap { $0 }
}

/// The keys of a row next to its name: two more spaces for as many of them as belong together.
private func deeper(_ lines: LineTable, from number: Int) -> [RepairCandidate] {
    guard let indent = lines.line(number)?.indent else { return [] }
    var candidates: [RepairCandidate] = []
    var last = number
    while let line = lines.line(last), line.isBlank || line.indent >= indent, last - number < 40 {
        if !line.isBlank, let candidate = RepairCandidate(lines.move(number...last, by: 2)) {
            candidates.append(candidate)
        }
        last += 1
    }
    return candidates
}

extension LineTable {
    /// Edits that move lines with contents to the right, or to the left where they have the room.
    fileprivate func move(_ numbers: ClosedRange<Int>, by columns: Int) -> [Repair.Edit] {
        guard columns != 0 else { return [] }
        return numbers.compactMap { number in
            guard let line = line(number), !line.isBlank else { return nil }
            if columns > 0 {
                return Repair.Edit(
                    file: file, bytes: line.start..<line.start,
                    replacement: String(repeating: " ", count: columns))
            }
            guard line.indent >= -columns else { return nil }
            return Repair.Edit(
                file: file, bytes: line.start..<(line.start - columns), replacement: "")
        }
    }

    /// The indentations of the sections that are open before a line, and the insides of lists.
    func openIndents(before number: Int) -> [Int] {
        var indents: [Int] = []
        var least = Int.max
        for line in lines.prefix(number - 1).reversed() where !line.isBlank {
            // How far a tab goes is not known.
            guard line.indent < least, !line.text.contains("\t") else { continue }
            least = line.indent
            indents.append(line.indent)
            if line.text.dropFirst(line.indent).hasPrefix("- ") { indents.append(line.indent + 2) }
            if line.content.last == ":" { indents.append(line.indent + 2) }
            if least == 0 { break }
        }
        var seen: Set<Int> = []
        return indents.filter { seen.insert($0).inserted }
    }

    fileprivate func contentLine(before number: Int) -> Int? {
        (1..<max(1, number)).last { line($0)?.isBlank == false }
    }

    /// The last line that stands deeper than this one, without a gap.
    fileprivate func lastLine(ofBlockAt number: Int) -> Int {
        guard let indent = line(number)?.indent else { return number }
        var last = number
        while let next = line(last + 1), next.isBlank || next.indent > indent, last < lines.count {
            last += 1
        }
        return last
    }
}
