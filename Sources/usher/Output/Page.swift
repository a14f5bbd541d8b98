internal import EntitlementModel
internal import PolicyTools

/// Text for people, line by line: aligned, wrapped, and coloured where the terminal wants it. In a
/// pipe it is the same text without colours and without drawn branches.
struct Page {
    /// A line, and the lines that belong to it.
    struct Branch {
        var text: String
        var branches: [Branch]
        /// Whether it is one line whatever it takes.
        var isWhole = false

        init(_ text: String, _ branches: [Branch] = []) {
            self.text = text
            self.branches = branches
        }

        init(whole text: String) {
            self.init(text)
            isWhole = true
        }

        /// A command to be copied.
        init(command: String, _ language: Language) {
            self.init(whole: ExplainPhrase.command.text(language, command))
        }
    }

    let language: Language
    let paint: Paint
    let drawsBranches: Bool
    /// What no line is wider than, unless a word is, such as an id: it stays whole.
    let width: Int
    private(set) var lines: [String] = []

    init(language: Language, paint: Paint, drawsBranches: Bool, width: Int = 80) {
        self.language = language
        self.paint = paint
        self.drawsBranches = drawsBranches
        self.width = width
    }

    /// For standard output.
    init(_ language: Language, on terminal: Terminal = .current) {
        self.init(
            language: language, paint: Paint(isOn: terminal.isColoured),
            drawsBranches: terminal.isInteractive,
            width: max(40, min(80, terminal.columns ?? 80)))
    }

    /// Ends with a line break, unless it is empty.
    var text: String { lines.map { $0 + "\n" }.joined() }

    mutating func add(_ line: String) {
        let text = line.safeLine
        let indent = String(text.prefix { $0 == " " })
        write(String(text.dropFirst(indent.count)), after: indent, hanging: indent + "  ")
    }

    /// A sentence, coloured by what it says.
    mutating func add(
        _ sentence: some LocalizedText, _ values: String..., as tone: Paint.Tone? = nil
    ) {
        add(text(sentence, values, tone))
    }

    /// The same as a branch.
    func branch(
        _ sentence: some LocalizedText, _ values: String..., as tone: Paint.Tone? = nil
    ) -> Branch {
        Branch(text(sentence, values, tone))
    }

    private func text(
        _ sentence: some LocalizedText, _ values: [String], _ tone: Paint.Tone?
    ) -> String {
        let text =
            values.isEmpty
            ? sentence.text(language)
            : sentence.filled(with: values.map(\.safeLine), in: language)
        return tone.map { paint(text, $0) } ?? text
    }

    /// What a command has done, in one line whatever it takes: it has a command or a file to copy.
    mutating func add(whole line: String) { lines.append(line.safeLine) }

    /// Lines that are not to be changed: a picture.
    mutating func add(drawn text: String) {
        let ended = text.hasSuffix("\n") ? text.dropLast() : text[...]
        lines += ended.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// A title, apart from what stands before it.
    mutating func heading(_ text: String) {
        if !lines.isEmpty { lines.append("") }
        add(paint(text.safeLine, .strong))
    }

    /// Rows whose cells stand below one another. The last cell of a row is as long as it is; what
    /// the row has no room for goes on below its second cell.
    ///
    /// - Parameter isWhole: a row is one line whatever it takes: a list to look something up in.
    mutating func table(_ rows: [[String]], indentedBy indent: Int = 2, isWhole: Bool = false) {
        let rows = rows.map { $0.map(\.safeLine) }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.filter { column < $0.count - 1 }.map { $0[column].columns }.max() ?? 0
        }
        let second = indent + (widths.first ?? 0) + 2
        for row in rows {
            if isWhole {
                let cells = row.enumerated().map { column, cell in
                    column == row.count - 1 ? cell : cell.padded(to: widths[column]) + "  "
                }
                lines.append(String(repeating: " ", count: indent) + cells.joined())
                continue
            }
            write(row, widths, from: indent, goingOnAt: second > width / 2 ? indent + 2 : second)
        }
    }

    private mutating func write(
        _ row: [String], _ widths: [Int], from indent: Int, goingOnAt margin: Int
    ) {
        func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
        var (lead, cells) = (spaces(indent), "")
        for (column, cell) in row.enumerated() {
            let isLast = column == row.count - 1
            let start = lead.columns + cells.columns
            let room = width - start
            if cell.columns > room, !cells.isEmpty {
                let isText = isLast && room >= 32
                if isText, cell.wrapped(to: room).allSatisfy({ $0.columns <= room }) {
                    return write(cell, after: lead + cells, hanging: spaces(start))
                }
                write(cells.withoutEndingSpaces, after: lead, hanging: spaces(margin))
                (lead, cells) = (spaces(min(margin, max(indent + 2, width - cell.columns))), "")
            }
            cells += isLast ? cell : cell.padded(to: widths[column]) + "  "
        }
        write(cells, after: lead, hanging: spaces(margin))
    }

    /// Branches below the last line.
    mutating func tree(_ branches: [Branch]) {
        draw(branches, after: "")
    }

    private mutating func draw(_ branches: [Branch], after stem: String) {
        for (index, branch) in branches.enumerated() {
            let isLast = index == branches.count - 1
            let fork = drawsBranches ? (isLast ? "└─ " : "├─ ") : "  "
            let below = stem + (drawsBranches ? (isLast ? "   " : "│  ") : "  ")
            let hanging = below + (drawsBranches && !branch.branches.isEmpty ? "│ " : "  ")
            let lead = paint(stem + fork, .faint)
            if branch.isWhole {
                lines.append(lead + branch.text.safeLine)
            } else {
                write(branch.text.safeLine, after: lead, hanging: paint(hanging, .faint))
            }
            draw(branch.branches, after: below)
        }
    }

    /// A text in as many lines as it takes: the first after a lead, the others after their own.
    private mutating func write(_ text: String, after lead: String, hanging: String) {
        let room = width - lead.columns
        guard text.columns > room else { return lines.append(lead + text) }
        let parts = text.wrapped(
            to: width - hanging.columns, first: room, byClause: true
        )
        .drop { $0.isEmpty }
        var colour = ""
        for (index, part) in parts.enumerated() {
            let line = colour + part
            let last = line.matches(of: /\u{1B}\[[0-9;]*m/).last?.output ?? ""
            colour = last == "\u{1B}[0m" ? "" : String(last)
            lines.append(
                (index == 0 ? lead : hanging) + line + (colour.isEmpty ? "" : "\u{1B}[0m"))
        }
    }
}

/// Colours for a terminal that wants them; nothing for a pipe.
struct Paint {
    /// What a colour says.
    enum Tone: String {
        case good = "32"
        case bad = "31"
        case care = "33"
        case strong = "1"
        case faint = "2"
    }

    let isOn: Bool

    func callAsFunction(_ text: String, _ tone: Tone) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// `258.0 kB`: bytes in the unit that leaves three digits or fewer before the point.
func fileSize(_ bytes: Int64) -> String {
    var value = Double(bytes)
    if value < 1_000 { return "\(bytes) B" }
    for unit in ["kB", "MB", "GB"] {
        value /= 1_000
        // What would be rounded to a thousand is one of the next unit.
        guard value < 999.95 else { continue }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return "\(Int64((value / 1_000).rounded())) TB"
}
