internal import EntitlementModel

/// Text for people, line by line: aligned, and coloured where the terminal wants it. In a pipe it
/// is the same text without colours and without drawn branches.
struct Page {
    /// A line, and the lines that belong to it.
    struct Branch {
        var text: String
        var branches: [Branch]

        init(_ text: String, _ branches: [Branch] = []) {
            self.text = text
            self.branches = branches
        }
    }

    let language: Language
    let paint: Paint
    let drawsBranches: Bool
    private(set) var lines: [String] = []

    init(language: Language, paint: Paint, drawsBranches: Bool) {
        self.language = language
        self.paint = paint
        self.drawsBranches = drawsBranches
    }

    /// For standard output.
    init(_ language: Language, on terminal: Terminal = .current) {
        self.init(
            language: language, paint: Paint(isOn: terminal.isColoured),
            drawsBranches: terminal.isInteractive)
    }

    /// Ends with a line break, unless it is empty.
    var text: String { lines.map { $0 + "\n" }.joined() }

    mutating func add(_ line: String) { lines.append(line.safeLine) }

    /// A title, apart from what stands before it.
    mutating func heading(_ text: String) {
        if !lines.isEmpty { lines.append("") }
        lines.append(paint(text.safeLine, .strong))
    }

    /// Rows whose cells stand below one another. The last cell of a row is as long as it is.
    mutating func table(_ rows: [[String]], indentedBy indent: Int = 2) {
        let rows = rows.map { $0.map(\.safeLine) }
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.filter { column < $0.count - 1 }.map { $0[column].columns }.max() ?? 0
        }
        for row in rows {
            let cells = row.enumerated().map { column, cell in
                column < row.count - 1 ? cell.padded(to: widths[column]) : cell
            }
            lines.append(
                String(repeating: " ", count: indent) + cells.joined(separator: "  "))
        }
    }

    /// Branches below the last line.
    mutating func tree(_ branches: [Branch]) {
        draw(branches, after: "")
    }

    private mutating func draw(_ branches: [Branch], after stem: String) {
        for (index, branch) in branches.enumerated() {
            let isLast = index == branches.count - 1
            let fork = drawsBranches ? (isLast ? "└─ " : "├─ ") : "  "
            let below = drawsBranches ? (isLast ? "   " : "│  ") : "  "
            lines.append(paint(stem + fork, .faint) + branch.text.safeLine)
            draw(branch.branches, after: stem + below)
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
