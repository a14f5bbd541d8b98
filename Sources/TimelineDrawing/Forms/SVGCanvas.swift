internal import EntitlementModel

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
    package var short: String {
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
