internal import EntitlementModel

/// Where things stand in an SVG picture, in its own units.
enum SVGMetrics {
    static let width = 1_180
    static let side = 24
    /// The columns of the names end and those of the time begin.
    static let left = 232
    static let right = 1_156
    /// Of the first row.
    static let top = 84

    /// Characters that can be written above the columns of the time.
    static let room = 130

    static func x(_ fraction: Double) -> Double {
        Double(left) + fraction * Double(right - left)
    }

    static func height(of line: ChartLine) -> Int {
        switch line {
        case .heading: 38
        case .unit: 34
        case .remark: 28
        case .track(let track): track.rank == .owner ? 20 : 26
        }
    }

    /// About as long as the text is in the picture's small letters.
    static func length(of text: String) -> Double { Double(text.columns) * 6.6 }
}

/// Collects the elements of an SVG picture.
struct SVGCanvas {
    private(set) var text = ""

    mutating func add(_ elements: String) { text += elements }

    static func text(
        _ text: String, _ style: String, x: Double, y: Double, anchor: String? = nil
    ) -> String {
        let anchor = anchor.map { " text-anchor=\"\($0)\"" } ?? ""
        return "<text class=\"\(style)\" x=\"\(x.short)\" y=\"\(y.short)\"\(anchor)>"
            + "\(text.asMarkup)</text>\n"
    }

    static func text(
        _ text: String, _ style: String, x: Int, y: Double, anchor: String? = nil
    ) -> String {
        self.text(text, style, x: Double(x), y: y, anchor: anchor)
    }

    /// A bar in its colour and, where the colour alone would say it, under its pattern.
    static func bar(_ look: Look, x: Double, width: Double, y: Int, height: Int) -> String {
        switch look {
        case .withheld, .expired:
            // Nothing to be had: a line, not a bar.
            let middle = y + height / 2
            return "<path class=\"line \(look.rawValue)\" "
                + "d=\"M\(x.short) \(middle)h\(width.short)\"/>"
        case .given, .active, .renewing, .grace, .billingRetry, .revoked, .owned, .unknown:
            let place = "x=\"\(x.short)\" y=\"\(y)\" width=\"\(width.short)\" height=\"\(height)\""
            let radius = min(3, width / 2).short
            var text = "<rect class=\"\(look.rawValue)\" \(place) rx=\"\(radius)\"/>"
            if look.hasPattern {
                text += "<rect fill=\"url(#usher-\(look.rawValue))\" \(place) rx=\"\(radius)\"/>"
            }
            return text
        }
    }
}

extension Look {
    fileprivate var hasPattern: Bool {
        switch self {
        case .renewing, .grace, .billingRetry, .revoked: true
        case .given, .active, .expired, .withheld, .owned, .unknown: false
        }
    }
}

extension Double {
    /// With at most one digit after the point.
    var short: String {
        let tenths = Int((self * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}

extension String {
    /// Escaped for HTML and XML, in text and in attributes.
    var asMarkup: String {
        var escaped = ""
        for character in self {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
