/// Text in the language of man pages, line by line (man(7)).
struct RoffText {
    private(set) var text = ""

    /// A request with its arguments.
    mutating func request(_ name: String, _ arguments: String...) {
        text += ([".\(name)"] + arguments).joined(separator: " ") + "\n"
    }

    /// Text that is filled into lines; what is marked in it is kept.
    mutating func line(_ marked: String) {
        // A line that begins with a dot or a quote would be a request.
        let needsShield = marked.hasPrefix(".") || marked.hasPrefix("'")
        text += (needsShield ? "\\&" : "") + marked + "\n"
    }

    /// Text that keeps its lines.
    mutating func verbatim(_ lines: [String]) {
        request("nf")
        for line in lines { self.line(Self.plain(line)) }
        request("fi")
    }

    static func bold(_ text: String) -> String { "\\fB" + plain(text) + "\\fR" }

    static func italic(_ text: String) -> String { "\\fI" + plain(text) + "\\fR" }

    /// Text with every character meaning itself: a hyphen stays one that can be copied.
    static func plain(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u" + hexadecimal(scalar.value) + "]"
            }
        }.joined()
    }

    /// At least four digits, as groff wants them.
    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
