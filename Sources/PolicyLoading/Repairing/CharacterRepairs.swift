internal import EntitlementModel

/// Characters that have no business in a policy: removed, or exchanged for the ordinary one.
func characterRepairs(for diagnostic: Diagnostic, in lines: LineTable) -> [RepairCandidate] {
    switch diagnostic.id {
    case .tab: tabRepairs(for: diagnostic, in: lines)
    case .controlCharacter: returnRepairs(in: lines)
    case .ideographicSpace: spaceRepairs(for: diagnostic, in: lines)
    default:
        [
            RepairCandidate(
                lines.lines.indices.flatMap {
                    lines.edits(inLine: $0 + 1) { _, scalar in replacement(ofInvisible: scalar) }
                })
        ].compactMap { $0 }
    }
}

/// Nil for what may stay, or what is not known to be either nothing or a space.
private func replacement(ofInvisible scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F: " "
    case 0xAD, 0x034F, 0x061C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
        0xFE00...0xFE0E, 0xFEFF:
        ""
    default: nil
    }
}

/// Line ends of old Mac files; LF stands for each in the whole file. One that other line ends
/// follow ends nothing.
private func returnRepairs(in lines: LineTable) -> [RepairCandidate] {
    var edits: [Repair.Edit] = []
    for line in lines.lines {
        let bytes = Array(line.text.utf8)
        let isLast = line.start + bytes.count == line.end
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\r") {
            let isBeforeEnd = offset == bytes.count - 1 && !isLast
            let place = (line.start + offset)..<(line.start + offset + 1)
            edits.append(
                Repair.Edit(file: lines.file, bytes: place, replacement: isBeforeEnd ? "" : "\n"))
        }
    }
    return [RepairCandidate(edits)].compactMap { $0 }
}

/// Full-width spaces: one space each between words; in an indentation they may have been two.
private func spaceRepairs(for diagnostic: Diagnostic, in lines: LineTable) -> [RepairCandidate] {
    [" ", "  "].compactMap { wide in
        RepairCandidate(
            lines.edits(inLine: diagnostic.place.line) { isIndent, scalar in
                scalar == "\u{3000}" ? (isIndent ? wide : " ") : nil
            })
    }
}

/// Tabs: a space each between words; in indentations as wide as the file's own steps, or as wide
/// as the lines around.
private func tabRepairs(for diagnostic: Diagnostic, in lines: LineTable) -> [RepairCandidate] {
    let widths: [(Int) -> Int] = [
        { _ in 2 }, { _ in 4 }, { 2 - $0 % 2 }, { 4 - $0 % 4 }, { 8 - $0 % 8 },
    ]
    let number = diagnostic.place.line
    let own = lines.line(number)?.text.prefix { $0 == " " || $0 == "\t" }.count ?? 0
    let indents = own > 0 ? lines.indents(around: number) : []
    var candidates = indents.flatMap { indent in
        [
            RepairCandidate([lines.indentEdit(inLine: number, indent)].compactMap { $0 }),
            RepairCandidate(lines.indentEdits(likeLine: number, indent)),
        ]
    }
    // The first tab takes all the room that the line before or after it has.
    candidates += indents.map { indent in
        RepairCandidate(lines.tabEdits(inLine: number) { $0 == 0 ? indent : 0 })
    }
    candidates += widths.map { width in
        RepairCandidate(lines.lines.indices.flatMap { lines.tabEdits(inLine: $0 + 1, width) })
    }
    return candidates.compactMap { $0 }
}

extension LineTable {
    /// An edit for each character of a line that `replacement` has another text for; it is told
    /// whether the character is in the indentation.
    fileprivate func edits(
        inLine number: Int, _ replacement: (Bool, Unicode.Scalar) -> String?
    ) -> [Repair.Edit] {
        guard let line = line(number) else { return [] }
        var edits: [Repair.Edit] = []
        var isIndent = true
        let scalars = line.text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            if let text = replacement(isIndent, scalar) {
                let start = line.offset(index)
                edits.append(
                    Repair.Edit(
                        file: file, bytes: start..<(start + scalar.utf8.count),
                        replacement: text))
            } else if scalar != " " {
                isIndent = false
            }
        }
        return edits
    }

    /// - Parameter width: of a tab in the indentation, by the column that it begins in.
    fileprivate func tabEdits(inLine number: Int, _ width: (Int) -> Int) -> [Repair.Edit] {
        guard let line = line(number) else { return [] }
        var edits: [Repair.Edit] = []
        var column = 0
        var isIndent = true
        for (offset, byte) in line.text.utf8.enumerated() {
            if byte == UInt8(ascii: "\t") {
                let count = isIndent ? width(column) : 1
                edits.append(
                    Repair.Edit(
                        file: file, bytes: (line.start + offset)..<(line.start + offset + 1),
                        replacement: String(repeating: " ", count: count)))
                column += count
            } else {
                if byte != UInt8(ascii: " ") { isIndent = false }
                column += 1
            }
        }
        return edits
    }

    /// Spaces in the place of the tabs and spaces that a line begins with; nil without tabs.
    fileprivate func indentEdit(inLine number: Int, _ indent: Int) -> Repair.Edit? {
        guard let line = line(number) else { return nil }
        let own = line.text.utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard own.contains(UInt8(ascii: "\t")) else { return nil }
        return Repair.Edit(
            file: file, bytes: line.start..<(line.start + own.count),
            replacement: String(repeating: " ", count: indent))
    }

    /// The same in all lines that begin as this one does.
    fileprivate func indentEdits(likeLine number: Int, _ indent: Int) -> [Repair.Edit] {
        func own(_ line: Line) -> Substring { line.text.prefix { $0 == " " || $0 == "\t" } }
        guard let begin = line(number).map(own) else { return [] }
        return lines.indices.filter { own(lines[$0]) == begin }.compactMap {
            indentEdit(inLine: $0 + 1, indent)
        }
    }

    /// The indentations of the nearest lines with contents, one step deeper, and those of the
    /// sections that are open there.
    fileprivate func indents(around number: Int) -> [Int] {
        let before = lines.prefix(number - 1).last { !$0.isBlank && !$0.text.contains("\t") }
        let after = lines.dropFirst(number).first { !$0.isBlank && !$0.text.contains("\t") }
        let near = [before, after].compactMap { $0?.indent }
        let open = openIndents(before: number)
        return Set(near + near.map { $0 + 2 } + open).filter { $0 > 0 }.sorted()
    }
}
