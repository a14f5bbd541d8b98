package import EntitlementAnswers
internal import EntitlementModel

extension TimelineReport {
    /// The timeline in characters, as wide as a terminal; ends with a line break.
    package func terminalPicture(_ options: PictureOptions) -> String {
        TerminalPicture(self, options).text
    }
}

/// A picture in characters: names at the left, a column of characters for each stretch of time,
/// dates at the right where there is room.
private struct TerminalPicture {
    private let layout: ChartLayout
    private let axis: TimeAxis
    private let options: PictureOptions
    private let lines: [ChartLine]
    private let width: Int
    /// Columns of the names, of the time, of the notes.
    private let gutter: Int
    private let columns: Int
    private let margin: Int

    init(_ report: TimelineReport, _ options: PictureOptions) {
        layout = ChartLayout(report: report, language: options.language)
        axis = TimeAxis(report, from: options.from, until: options.until)
        self.options = options
        lines = layout.lines
        width = max(options.width, 40)
        let needed = lines.map(Self.gutter(of:)).max() ?? 0
        gutter = min(max(needed, 12), width / 3)
        margin = width >= 96 ? lines.map(Self.margin(of:)).max() ?? 0 : 0
        columns = width - gutter - margin
    }

    var text: String {
        var rows = title
        if lines.contains(where: \.isTrack) { rows += ["", labels, ruler] }
        for line in lines { rows += text(of: line) }
        if !layout.looks.isEmpty { rows += [""] + legend }
        return rows.map { $0.withoutEndingSpaces + "\n" }.joined()
    }

    private var title: [String] {
        let account = layout.frame.account.text
        let facts = layout.basis
        let gap = "   "
        let line = facts.joined(separator: gap)
        if (account + gap + line).columns <= width {
            return [paint(account, .strong) + paint(gap + line, .faint)]
        }
        return [paint(account, .strong)]
            + facts.lines(joinedBy: gap, to: width).map { paint($0, .faint) }
    }
}

/// The axis.
extension TerminalPicture {
    private var ticks: [AxisTick] { axis.ticks(room: columns) }

    private func column(_ instant: Instant) -> Int {
        min(Int(axis.fraction(instant) * Double(columns)), columns - 1)
    }

    /// The column that is asked about.
    private var mark: Int? {
        axis.contains(layout.frame.at) ? column(layout.frame.at) : nil
    }

    private var labels: String {
        var text = String(repeating: " ", count: gutter)
        for tick in ticks {
            let place = gutter + column(tick.at)
            guard place >= text.count, place + tick.label.count <= gutter + columns else {
                continue
            }
            text += String(repeating: " ", count: place - text.count) + tick.label + " "
        }
        return paint(text.withoutEndingSpaces, .faint)
    }

    private var ruler: String {
        var cells = [Character](repeating: "─", count: columns)
        for tick in ticks { cells[column(tick.at)] = "┬" }
        if let mark { cells[mark] = "▼" }
        return String(repeating: " ", count: gutter) + paint(String(cells), .faint)
    }
}

/// The rows.
extension TerminalPicture {
    private static let indent = 2

    private static func gutter(of line: ChartLine) -> Int {
        guard case .track(let track) = line else { return 0 }
        let verdict = track.verdict.map { $0.columns + 2 } ?? 0
        let indent = track.rank.isBelowUnit ? 2 * indent : indent
        return indent + track.name.columns + verdict + 2
    }

    private static func margin(of line: ChartLine) -> Int {
        guard case .track(let track) = line, let note = track.note else { return 0 }
        return note.columns + 2
    }

    private func text(of line: ChartLine) -> [String] {
        let indent = String(repeating: " ", count: Self.indent)
        switch line {
        case .heading(let text): return ["", paint(text, .strong)]
        case .remark(let text): return ["", indent + text]
        case .unit(let products, let details):
            let title = products.joined(separator: ChartSeparator.products)
            let detail = details.joined(separator: ChartSeparator.facts)
            if (indent + title + "  " + detail).columns <= width {
                return [indent + title + paint("  " + detail, .faint)]
            }
            return products.lines(joinedBy: ChartSeparator.products, to: width - 2)
                .map { indent + $0 }
                + details.lines(joinedBy: ChartSeparator.facts, to: width - 4)
                .map { indent + indent + paint($0, .faint) }
        case .track(let track): return text(of: track)
        }
    }

    /// A name that is too long for its column has a line of its own.
    private func text(of track: Track) -> [String] {
        let indent = String(
            repeating: " ", count: track.rank.isBelowUnit ? 2 * Self.indent : Self.indent)
        let verdict = track.verdict ?? ""
        let room = gutter - indent.count - 2 - (verdict.isEmpty ? 0 : verdict.columns + 2)
        let fits = track.name.columns <= room
        var text = indent + (fits ? track.name : "").padded(to: room) + "  "
        if !verdict.isEmpty { text += paint(verdict, track.isGood ? .good : .faint) + "  " }
        text += cells(of: track)
        if margin > 0, let note = track.note { text += paint("  " + note, .faint) }
        return (fits ? [] : [indent + track.name]) + [text]
    }

    private func cells(of track: Track) -> String {
        let cells = TrackCells(track.bars, on: axis, columns: columns)
        let marks = marks(of: track)
        var text = ""
        var run: (text: String, tone: Tone?) = ("", nil)
        for column in 0..<columns {
            let cell: (glyph: Character, tone: Tone?) =
                cells.bar(at: column).map { bar in
                    let gap = cells.endsPeriod(at: column) && bar.look == .active
                    return (gap ? "▉" : bar.look.glyph, bar.look.tone)
                } ?? marks[column].map { ($0.glyph, $0.tone) }
                ?? (column == mark ? ("│", .faint) : (" ", nil))
            if cell.tone != run.tone {
                text += paint(run.text, run.tone)
                run = ("", cell.tone)
            }
            run.text.append(cell.glyph)
        }
        return text + paint(run.text, run.tone)
    }

    /// Of several in one column, the last is seen.
    private func marks(of track: Track) -> [Int: Look] {
        var marks: [Int: Look] = [:]
        for mark in track.marks where axis.contains(mark.at) { marks[column(mark.at)] = mark.look }
        return marks
    }

    /// What the signs mean, in as many rows as that takes.
    private var legend: [String] {
        var rows: [String] = []
        var room = 0
        for look in layout.looks {
            let word = look.label.text(options.language)
            let needed = word.columns + 5
            if needed > room {
                rows.append(String(repeating: " ", count: Self.indent))
                room = width - Self.indent
            }
            rows[rows.count - 1] += paint("\(look.glyph)", look.tone) + " \(word)   "
            room -= needed
        }
        return rows
    }
}

extension TerminalPicture {
    private func paint(_ text: String, _ tone: Tone?) -> String {
        options.usesColour ? text.painted(tone) : text
    }
}

extension ChartLine {
    fileprivate var isTrack: Bool {
        guard case .track = self else { return false }
        return true
    }
}

/// The bars of a track in columns of characters: which bar each column shows.
struct TrackCells {
    private let bars: [Bar]
    private var shown: [Int?]

    /// A column shows the bar that fills most of it. One that fills no column most takes the
    /// column in which it begins from a bar that has others: a grace of two days is seen in a
    /// picture of two years.
    init(_ bars: [Bar], on axis: TimeAxis, columns: Int) {
        self.bars = bars
        shown = [Int?](repeating: nil, count: columns)
        var filled = [Double](repeating: 0, count: columns)
        var places: [Int?] = []
        for (index, bar) in bars.enumerated() {
            guard let part = axis.fractions(bar.interval) else {
                places.append(nil)
                continue
            }
            let (start, end) = (
                part.lowerBound * Double(columns), part.upperBound * Double(columns)
            )
            places.append(min(Int(start), columns - 1))
            for column in min(Int(start), columns - 1)..<min(Int(end.rounded(.up)), columns) {
                let part = min(end, Double(column + 1)) - max(start, Double(column))
                guard part > filled[column] else { continue }
                filled[column] = part
                shown[column] = index
            }
        }
        for (index, place) in places.enumerated() {
            guard let place, !shown.contains(index) else { continue }
            let holder = shown[place]
            if holder == nil || shown.count(where: { $0 == holder }) > 1 { shown[place] = index }
        }
    }

    func bar(at column: Int) -> Bar? { shown[column].map { bars[$0] } }

    /// Whether the next column shows another bar that looks the same.
    func endsPeriod(at column: Int) -> Bool {
        guard column + 1 < shown.count, let own = shown[column], let next = shown[column + 1]
        else { return false }
        return own != next && bars[own].look == bars[next].look
    }
}
