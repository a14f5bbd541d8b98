internal import EntitlementModel
internal import PolicyTools

/// The lines of a page on a terminal or in a pipe.
struct PageLines {
    private let page: Page
    private(set) var lines: [String] = []

    init(of page: Page) {
        self.page = page
        for block in page.blocks { add(block) }
    }

    private var width: Int { page.width }
    private var drawsBranches: Bool { page.drawsBranches }

    private mutating func add(_ block: Page.Block) {
        switch block {
        case .heading(let text):
            if !lines.isEmpty { lines.append("") }
            add(page.paint(text, .strong))
        case .line(let text): add(text)
        case .whole(let text): lines.append(text)
        case .drawn(let drawn): lines += drawn
        case .table(let rows, let indent, let isWhole): table(rows, indent, isWhole: isWhole)
        case .tree(let branches): draw(branches, after: "")
        }
    }

    private mutating func add(_ text: String) {
        let indent = String(text.prefix { $0 == " " })
        write(String(text.dropFirst(indent.count)), after: indent, hanging: indent + "  ")
    }

    private mutating func table(_ rows: [[String]], _ indent: Int, isWhole: Bool) {
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

    private mutating func draw(_ branches: [Page.Branch], after stem: String) {
        for (index, branch) in branches.enumerated() {
            let isLast = index == branches.count - 1
            let fork = drawsBranches ? (isLast ? "└─ " : "├─ ") : "  "
            let below = stem + (drawsBranches ? (isLast ? "   " : "│  ") : "  ")
            let hanging = below + (drawsBranches && !branch.branches.isEmpty ? "│ " : "  ")
            let lead = page.paint(stem + fork, .faint)
            if branch.isWhole {
                lines.append(lead + branch.text.safeLine)
            } else {
                write(branch.text.safeLine, after: lead, hanging: page.paint(hanging, .faint))
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
