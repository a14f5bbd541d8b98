package import EntitlementAnswers
internal import EntitlementModel

extension TimelineReport {
    /// The timeline as one SVG image without references to anything outside: light and dark,
    /// readable without colour and by screen readers.
    package func svg(_ options: PictureOptions) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + SVGPicture(self, options).markup.text
    }
}

/// A picture as an SVG element.
struct SVGPicture {
    private let layout: ChartLayout
    private let axis: TimeAxis
    private let lines: [ChartLine]
    private let metrics: SVGMetrics

    init(_ report: TimelineReport, _ options: PictureOptions) {
        layout = ChartLayout(report: report, language: options.language)
        axis = TimeAxis(report, from: options.from, until: options.until)
        lines = layout.lines
        metrics = SVGMetrics(lines, account: report.frame.account.text)
    }

    private var language: Language { layout.language }

    var markup: Markup {
        let top = SVGMetrics.top
        var y = top
        var (tracks, titles): (Markup, Markup) = ("", "")
        for line in lines {
            if case .track(let track) = line {
                tracks += draw(track, at: y)
            } else {
                titles += title(line, at: y)
            }
            y += metrics.height(of: line)
        }
        let bottom = y + 6
        let hasTracks = !layout.looks.isEmpty
        let legend = self.legend(below: bottom + 22)
        let (grid, mark): (Markup, Markup) =
            hasTracks
            ? (self.grid(from: top - 10, to: bottom), self.mark(from: top - 10, to: bottom))
            : ("", "")
        return frame(
            "\(header)\(grid)\(tracks)\(mark)\(titles)\(legend.markup)",
            height: hasTracks ? legend.bottom : bottom + 8)
    }

    private func frame(_ content: Markup, height: Int) -> Markup {
        let title = layout.title
        let tag = language.tag
        return """
            <svg class="usher" xmlns="http://www.w3.org/2000/svg" role="img" lang="\(tag)" \
            viewBox="0 0 \(metrics.width) \(height)" width="\(metrics.width)" \
            height="\(height)" aria-labelledby="usher-title usher-description">
            <title id="usher-title">\(title)</title>
            <desc id="usher-description">\(description)</desc>
            <style>\(style: SVGStyle.rules)</style>
            \(SVGStyle.patterns)
            <rect class="paper" width="100%" height="100%" rx="10"/>
            \(content)</svg>

            """
    }

    /// What a person sees at a glance, in sentences.
    private var description: String {
        let sentences = lines.compactMap { line -> String? in
            switch line {
            case .heading: nil
            case .remark(let text): text
            case .unit(let products, let details):
                products.joined(separator: ChartSeparator.products) + " ("
                    + details.joined(separator: ChartSeparator.facts) + ")"
            case .track(let track):
                ([track.name, track.verdict, track.note].compactMap(\.self))
                    .filter { !$0.isEmpty }.joined(separator: ChartPhrase.comma.text(language))
            }
        }
        return ChartPhrase.asOf.text(language, layout.frame.at.brief)
            + ChartPhrase.colon.text(language)
            + sentences.joined(separator: ChartPhrase.clause.text(language))
    }
}

/// What stands around the rows.
extension SVGPicture {
    private var header: Markup {
        let name = layout.frame.account.text
        let line = layout.basis.joined(separator: ChartSeparator.facts)
        let account = SVGElement.text(name, "account", x: SVGMetrics.side, y: 34)
        return account
            + (metrics.fits(name, beside: line)
                ? SVGElement.text(line, "basis", x: metrics.right, y: 34, anchor: "end")
                : SVGElement.text(line, "basis", x: SVGMetrics.side, y: 54))
    }

    private func grid(from top: Int, to bottom: Int) -> Markup {
        axis.ticks(room: SVGMetrics.room).map { tick -> Markup in
            let x = metrics.x(axis.fraction(tick.at))
            // At the end of the picture there may be no room for a label.
            let fits = x + 4 + SVGMetrics.length(of: tick.label) <= Double(metrics.width)
            let label: Markup =
                fits ? SVGElement.text(tick.label, "tick", x: x + 4, y: Double(top) - 8) : ""
            return "<path class=\"grid\" d=\"M\(x.short) \(top)V\(bottom)\"/>\n\(label)"
        }.joined()
    }

    /// The instant that is asked about.
    private func mark(from top: Int, to bottom: Int) -> Markup {
        guard axis.contains(layout.frame.at) else { return "" }
        let x = metrics.x(axis.fraction(layout.frame.at)).short
        let label = ChartPhrase.mark.text(language) + " " + layout.frame.at.brief
        return """
            <g><title>\(label)</title>\
            <path class="mark" d="M\(x) \(top)V\(bottom)"/>\
            <path class="arrow" d="M\(x) \(top + 2)l-5 -7h10z"/></g>

            """
    }

    private func legend(below top: Int) -> (markup: Markup, bottom: Int) {
        var (x, y) = (Double(metrics.left), top)
        var markup: Markup = ""
        for look in layout.looks {
            let word = look.label.text(language)
            let width = 34 + SVGMetrics.length(of: word) + 18
            if x + width > Double(metrics.right) { (x, y) = (Double(metrics.left), y + 22) }
            markup +=
                look.point.map { SVGElement.point(look, $0, x: x + 13, y: y - 4) }
                ?? SVGElement.bar(look, x: x, width: 26, y: y - 10, height: 12)
            markup += SVGElement.text(word, "key", x: x + 34, y: Double(y))
            x += width
        }
        return (markup, y + 20)
    }
}

/// The rows.
extension SVGPicture {
    /// What stands between tracks.
    private func title(_ line: ChartLine, at y: Int) -> Markup {
        switch line {
        case .heading(let text):
            return SVGElement.text(text, "heading", x: SVGMetrics.side, y: Double(y + 26))
        case .remark(let text):
            return SVGElement.text(text, "name", x: SVGMetrics.side, y: Double(y + 20))
        case .unit(let products, let details):
            return metrics.texts(products, details).enumerated().map { index, text -> Markup in
                let gap: Markup = text.title.isEmpty ? "" : " dx=\"10\""
                let title: Markup =
                    text.title.isEmpty
                    ? "" : "<tspan class=\"unit\">\(text.title)</tspan>"
                let detail: Markup =
                    text.detail.isEmpty
                    ? "" : "<tspan class=\"detail\"\(gap)>\(text.detail)</tspan>"
                return """
                    <text x="\(SVGMetrics.side)" y="\(y + 27 + 18 * index)">\(title)\(detail)</text>

                    """
            }.joined()
        case .track: preconditionFailure("a track is drawn, not written")
        }
    }

    private func draw(_ track: Track, at y: Int) -> Markup {
        let baseline = Double(y + 17)
        var rows = SVGElement.text(
            track.name, track.rank.isBelowUnit ? "below" : "name",
            x: SVGMetrics.side + (track.rank.isBelowUnit ? 12 : 0), y: baseline)
        if let verdict = track.verdict {
            rows += SVGElement.text(
                verdict, track.isGood ? "good" : "bad", x: metrics.left - 14, y: baseline,
                anchor: "end")
        }
        let height = track.rank == .owner ? 10 : 18
        for bar in track.bars {
            guard let part = axis.fractions(bar.interval) else { continue }
            let x = metrics.x(part.lowerBound)
            // A stretch of an hour is seen in a picture of years.
            let width = max(metrics.x(part.upperBound) - x - 1, 1.5)
            rows += draw(bar, x: x, width: width, y: y + (26 - height) / 2, height: height)
        }
        for mark in track.marks { rows += draw(mark, y: y + 13) }
        return "<g>\n\(rows)</g>\n"
    }

    private func draw(_ mark: Mark, y: Int) -> Markup {
        guard let point = mark.look.point, axis.contains(mark.at) else { return "" }
        let x = metrics.x(axis.fraction(mark.at))
        let drawn = SVGElement.point(mark.look, point, x: x, y: y)
        return "<g><title>\(mark.sentence)</title>\(drawn)</g>\n"
    }

    private func draw(_ bar: Bar, x: Double, width: Double, y: Int, height: Int) -> Markup {
        var drawn = SVGElement.bar(bar.look, x: x, width: width, y: y, height: height)
        if height > 12, let start = start(ofLabel: bar.label, from: x, to: x + width) {
            drawn += SVGElement.text(
                bar.label, "on \(bar.look.name)", x: start, y: Double(y) + 13)
        }
        return "<g><title>\(bar.sentence)</title>\(drawn)</g>\n"
    }

    /// Where a label stands within its bar: behind the mark if the mark would strike it out. Nil
    /// where there is no room for it.
    private func start(ofLabel label: String, from left: Double, to right: Double) -> Double? {
        let start = left + 6
        let end = start + SVGMetrics.length(of: label)
        guard !label.isEmpty, end + 4 <= right else { return nil }
        let mark = metrics.x(axis.fraction(layout.frame.at))
        let behind = mark + 5
        let isStruck = (start...end).contains(mark)
        return isStruck && behind + (end - start) + 4 <= right ? behind : start
    }
}

/// Where things stand in an SVG picture, in its own units. It is as wide as what it shows.
struct SVGMetrics {
    static let side = 24
    /// Of the first row.
    static let top = 84

    /// Characters that can be written above the columns of the time.
    static let room = 130

    /// The columns of the names end and those of the time begin.
    let left: Int
    var right: Int { left + 924 }
    var width: Int { right + Self.side }
    /// Columns of text beside one another.
    var columns: Int { Int(Double(right - Self.side) / Self.column) }

    init(_ lines: [ChartLine], account: String) {
        let names = lines.map { line -> Double in
            guard case .track(let track) = line else { return 0 }
            let indent = track.rank.isBelowUnit ? 12.0 : 0
            let verdict = track.verdict.map { Self.length(of: $0) + 14 } ?? 0
            return indent + Double(track.name.columns) * Self.bold + verdict
        }
        let widest = lines.map { line -> Double in
            guard case .unit(let products, let details) = line else { return 0 }
            let texts = products + details
            return Double(texts.map(\.columns).max() ?? 0) * Self.bold
        }
        let needed = max(
            (widest.max() ?? 0) - 924, Double(account.columns) * Self.title - 924,
            (names.max() ?? 0) + 14)
        left = max(232, Self.side + Int(needed.rounded(.up)))
    }

    func x(_ fraction: Double) -> Double {
        Double(left) + fraction * Double(right - left)
    }

    func height(of line: ChartLine) -> Int {
        switch line {
        case .heading: 38
        case .unit(let products, let details):
            34 + 18 * (texts(products, details).count - 1)
        case .remark: 28
        case .track(let track): track.rank == .owner ? 20 : 26
        }
    }

    /// What is said of a unit: in one row where it fits, and else each in rows of its own.
    func texts(_ products: [String], _ details: [String]) -> [SVGText] {
        let title = products.joined(separator: ChartSeparator.products)
        let detail = details.joined(separator: ChartSeparator.facts)
        if (title + detail).columns + 2 <= columns {
            return [SVGText(title: title, detail: detail)]
        }
        return products.lines(joinedBy: ChartSeparator.products, to: columns)
            .map { SVGText(title: $0, detail: "") }
            + details.lines(joinedBy: ChartSeparator.facts, to: columns)
            .map { SVGText(title: "", detail: $0) }
    }

    /// About as long as the text is in the picture's small letters.
    static func length(of text: String) -> Double { Double(text.columns) * 6.6 }

    /// About as wide as a column of the bold letters of names, and of those of the account.
    private static let bold = 8.0
    private static let title = 13.0
    /// About as wide as a column is of names and facts.
    private static let column = 7.4

    /// Whether both fit beside one another above the picture.
    func fits(_ account: String, beside text: String) -> Bool {
        Double(account.columns) * Self.title + Self.length(of: text) + 24
            <= Double(right - Self.side)
    }
}

/// A row of what is said of a unit.
struct SVGText {
    let title: String
    let detail: String
}

/// The elements of an SVG picture.
enum SVGElement {
    static func text(
        _ text: String, _ style: String, x: Double, y: Double, anchor: String? = nil
    ) -> Markup {
        let anchor: Markup = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
        return """
            <text class="\(style)" x="\(x.short)" y="\(y.short)"\(anchor)>\(text)</text>

            """
    }

    static func text(
        _ text: String, _ style: String, x: Int, y: Double, anchor: String? = nil
    ) -> Markup {
        self.text(text, style, x: Double(x), y: y, anchor: anchor)
    }

    /// What an instant is drawn as, about a place.
    static func point(_ look: Look, _ path: String, x: Double, y: Int) -> Markup {
        "<path class=\"point \(look.name)\" transform=\"translate(\(x.short) \(y))\" d=\"\(path)\"/>"
    }

    /// A bar in its colour and, where the colour alone would say it, under its pattern.
    static func bar(_ look: Look, x: Double, width: Double, y: Int, height: Int) -> Markup {
        guard look.fill != nil else {
            return """
                <path class="line \(look.name)" d="M\(x.short) \(y + height / 2)h\(width.short)"/>
                """
        }
        let place: Markup =
            "x=\"\(x.short)\" y=\"\(y)\" width=\"\(width.short)\" height=\"\(height)\""
        let radius = min(3, width / 2).short
        let bar: Markup = "<rect class=\"\(look.name)\" \(place) rx=\"\(radius)\"/>"
        guard look.pattern != nil else { return bar }
        return "\(bar)<rect fill=\"url(#usher-\(look.name))\" \(place) rx=\"\(radius)\"/>"
    }
}

extension Double {
    /// With at most one digit after the point.
    var short: String {
        let tenths = Int((self * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}

/// Colours and patterns of the pictures: in light and in dark, and told apart without colour.
enum SVGStyle {
    static let rules = light + dark

    private static let light = """
        .usher text{font:12px system-ui,-apple-system,'Segoe UI','Noto Sans','Noto Sans CJK SC',\
        sans-serif;fill:#1f2328}\
        .usher .paper{fill:#fff}.usher .account{font-size:20px;font-weight:600}\
        .usher .basis,.usher .tick,.usher .detail,.usher .key,.usher .below{fill:#59636e}\
        .usher .tick{font-size:11px}.usher .heading{font-size:15px;font-weight:600}\
        .usher .name,.usher .unit{font-size:13px;font-weight:600}\
        .usher .good{font-weight:600;fill:#1a6b3c}.usher .bad{fill:#a33b34}\
        .usher .grid{stroke:#e4e7eb;fill:none}\
        .usher .mark{stroke:#1f2328;stroke-width:1.2;stroke-dasharray:4 3;fill:none}\
        .usher .arrow{fill:#1f2328}.usher .line{fill:none;stroke-width:2}\
        .usher path.withheld{stroke:#b8c0c9;stroke-dasharray:2 4}\
        .usher path.expired{stroke:#98a2ad}\
        .usher .point{stroke:#1f2328;stroke-width:1.4;fill:#fff}\
        .usher .point.order-delivered{fill:#2f9e64}.usher .point.order-refunded{stroke:#a33b34}\
        \(fills)\
        .usher .ink{stroke:#1f2328;stroke-opacity:.38;fill:none}\
        .usher rect.revoked{fill-opacity:.6}.usher .on{font-size:11px}\
        \(halos)\
        .usher .on.given,.usher .on.active{fill:#fff}\
        .usher .on.expired{display:none}\
        .usher .unit,.usher .detail{paint-order:stroke;stroke-width:6px;stroke:#fff;\
        stroke-linejoin:round}
        """

    private static let dark = """
        @media(prefers-color-scheme:dark){\
        .usher text{fill:#e6e9ec}.usher .paper{fill:#15181c}\
        .usher .basis,.usher .tick,.usher .detail,.usher .key,.usher .below{fill:#9aa4af}\
        .usher .good{fill:#6fd39b}.usher .bad{fill:#f0938b}.usher .grid{stroke:#2a2f36}\
        .usher .mark{stroke:#e6e9ec}.usher .arrow{fill:#e6e9ec}\
        .usher .point{stroke:#e6e9ec;fill:#15181c}.usher .point.order-delivered{fill:#37a86d}\
        .usher .point.order-refunded{stroke:#f0938b}\
        .usher path.withheld{stroke:#4a525c}.usher path.expired{stroke:#6a7480}\
        .usher rect.given{fill:#4c8df0}.usher rect.active{fill:#37a86d}\
        .usher .on{fill:#15181c}.usher .on.given,.usher .on.active{fill:#0b0e11}\
        .usher .on.revoked{fill:#f6dfdd;stroke:#5f3f3e}\
        .usher .unit,.usher .detail{stroke:#15181c}}
        """

    /// Drawn over the colours.
    static let patterns: Markup = {
        let patterns = patterned.map { look, pattern -> Markup in
            """
            <pattern id="usher-\(look.name)" width="\(pattern.size)" height="\(pattern.size)" \
            patternUnits="userSpaceOnUse"><path class="ink" d="\(pattern.path)"/></pattern>
            """
        }
        return "<defs>\(patterns)</defs>"
    }()

    private static let patterned = Look.all.compactMap { look in
        look.pattern.map { (look: look, pattern: $0) }
    }

    private static let fills = Look.all.map { look in
        look.fill.map { ".usher rect.\(look.name){fill:\($0)}" } ?? ""
    }.joined()

    /// Around labels, which stand on patterns.
    private static let halos =
        patterned.map { ".usher .on.\($0.look.name)" }.joined(separator: ",")
        + "{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
        + patterned.map { look, pattern in
            ".usher .on.\(look.name){stroke:\(pattern.halo ?? look.fill ?? "none")}"
        }.joined()
}
