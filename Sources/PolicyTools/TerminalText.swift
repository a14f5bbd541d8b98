internal import EntitlementModel

/// Lines of text no wider than a terminal, with hanging indents; characters that are two columns
/// wide count as two.
struct TextWriter {
    let width: Int
    let isColoured: Bool
    private(set) var lines: [String] = []

    init(width: Int, isColoured: Bool) {
        self.width = max(width, 20)
        self.isColoured = isColoured
    }

    /// Ends with a line break, unless it is empty.
    var text: String { lines.map { $0 + "\n" }.joined() }

    mutating func blank() { if !lines.isEmpty { lines.append("") } }

    /// A title, apart from what is before it.
    mutating func heading(_ text: String) {
        blank()
        add(text, tone: .strong)
    }

    /// A text that is wrapped; its other lines begin below its first one, or further in.
    mutating func add(
        _ text: String, indent: Int = 0, hanging: Int = 0, tone: Tone? = nil
    ) {
        row("", indent: indent, text, hanging: hanging, textTone: tone)
    }

    /// A short text, and a long one to the right of it. Where the first is too long for its
    /// column, the second begins on the next line.
    mutating func row(
        _ lead: String, leadWidth: Int = 0, indent: Int = 0, tone: Tone? = nil, _ text: String,
        hanging: Int = 0, textTone: Tone? = nil
    ) {
        let start = indent + leadWidth
        var first = String(repeating: " ", count: indent)
        if lead.columns > max(leadWidth - 1, 0), !lead.isEmpty {
            for line in lead.wrapped(to: width - indent) {
                lines.append(first + paint(line, tone))
            }
            first = String(repeating: " ", count: start)
        } else {
            let gap = String(repeating: " ", count: leadWidth - lead.columns)
            first += (lead.isEmpty ? "" : paint(lead, tone)) + gap
        }
        let wrapped = text.wrapped(to: max(width - start - hanging, 8), first: width - start)
        for (index, line) in wrapped.enumerated() where index > 0 || !(first + line).isBlank {
            // An id that does not fit there begins further to the left, so that it stays whole.
            let room = min(start + hanging, max(width - line.columns, 0))
            let margin = index == 0 ? first : String(repeating: " ", count: room)
            lines.append((margin + paint(line, textTone)).withoutEndingSpaces)
        }
    }

    /// A line as it is.
    mutating func raw(_ line: String) { lines.append(line) }

    func paint(_ text: String, _ tone: Tone?) -> String {
        isColoured ? text.painted(tone) : text
    }
}

/// What a colour says, as a terminal's number for it.
enum Tone: String {
    case strong = "1"
    case faint = "2"
    case bad = "31"
    case good = "32"
    case care = "33"
    case right = "34"
    case worry = "35"
    case passing = "36"
}

extension String {
    func painted(_ tone: Tone?) -> String {
        guard let tone, !isBlank else { return self }
        return "\u{1B}[\(tone.rawValue)m\(self)\u{1B}[0m"
    }

    /// Without the spaces after its last word.
    package var withoutEndingSpaces: String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }
}

extension Sequence {
    /// Elements that are alike, together, in the order of the first of each.
    func gathered(where areAlike: (Element, Element) -> Bool) -> [[Element]] {
        var groups: [[Element]] = []
        for element in self {
            if let index = groups.firstIndex(where: { areAlike($0[0], element) }) {
                groups[index].append(element)
            } else {
                groups.append([element])
            }
        }
        return groups
    }
}

extension String {
    /// Broken into lines of at most so many columns, at spaces and beside wide characters. A word
    /// that is wider, such as an id, stays whole on a line of its own. At least one line.
    ///
    /// - Parameter first: the columns of the first line, which stays empty where the first word
    ///   fits only into the others; those of the others if nil.
    /// - Parameter byClause: what stands between two signs, such as `5 seats`, stays on one line
    ///   where the lines are not much shorter for it.
    package func wrapped(to width: Int, first: Int? = nil, byClause: Bool = false) -> [String] {
        let pieces = pieces
        var lines: [String] = []
        var line = ""
        var used = 0
        var room: Int { max(lines.isEmpty ? first ?? width : width, 2) }
        for (index, piece) in pieces.enumerated() {
            let gap = line.isEmpty ? 0 : piece.spaces
            let columns = piece.text.columns
            let begins = byClause && index > 0 && used > room / 3 && pieces[index - 1].endsClause
            let clause = begins ? pieces[index...].clauseColumns : 0
            if used + gap + columns <= room, used + gap + clause <= room || clause > width {
                line += String(repeating: " ", count: gap) + piece.text
                used += gap + columns
                continue
            }
            if !line.isEmpty || lines.isEmpty { lines.append(line) }
            (line, used) = (piece.text, columns)
        }
        return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
    }

    fileprivate var isBlank: Bool { allSatisfy { $0 == " " } }

    /// Words, and wide characters each for itself with the punctuation around it; each with the
    /// spaces before it.
    private var pieces: [Piece] {
        var pieces: [Piece] = []
        var spaces = 0
        var endsWide = false
        var endsOpen = false
        for character in self {
            if character == " " {
                spaces += 1
                continue
            }
            let isWide = character.columns == 2
            let isClosing = "，。；：、）」』”’》】！？,.;:)".contains(character)
            let isInside = isClosing || endsOpen || (!isWide && !endsWide)
            if !pieces.isEmpty, spaces == 0, isInside {
                pieces[pieces.count - 1].text.append(character)
            } else {
                pieces.append(Piece(text: String(character), spaces: spaces))
            }
            spaces = 0
            endsWide = isWide
            endsOpen = "（「『“‘《【".contains(character)
        }
        return pieces
    }
}

/// What a line is not broken in, and the spaces before it.
private struct Piece {
    var text: String
    let spaces: Int

    var endsClause: Bool { text.last.map { ",;:，；：。".contains($0) } ?? false }
}

extension ArraySlice<Piece> {
    /// What the first clause takes.
    fileprivate var clauseColumns: Int {
        var columns = 0
        for piece in self {
            columns += (columns == 0 ? 0 : piece.spaces) + piece.text.columns
            if piece.endsClause { break }
        }
        return columns
    }
}
