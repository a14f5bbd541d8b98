internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import TimelineDrawing

@Suite("Pictures of a timeline", .timeLimit(.minutes(20)))
struct PictureTests {
    /// Compares a picture with the one that was recorded.
    private func expect(_ picture: String, _ name: String) throws {
        let path = "Tests/TimelineDrawingTests/Snapshots/\(name)"
        #expect(try Snapshot.complaint(picture, at: path) == nil)
    }

    @Test("they are what they were", arguments: Input.allCases, Language.allCases)
    func snapshots(input: Input, language: Language) throws {
        let chart = try input.chart
        let name = "\(input).\(language.rawValue)"
        let options = PictureOptions(language: language, width: 110)
        try expect(chart.terminalPicture(options), name + ".txt")
        try expect(chart.svg(options), name + ".svg")
        try expect(chart.page(options), name + ".html")
    }

    @Test("the table is the same in every language", arguments: Input.allCases)
    func table(input: Input) throws {
        try expect(try input.chart.table(), "\(input).tsv")
    }

    @Test("colours change nothing but colours", arguments: Input.allCases)
    func colours(input: Input) throws {
        let chart = try input.chart
        for width in [60, 110] {
            let plain = chart.terminalPicture(PictureOptions(language: .english, width: width))
            let coloured = chart.terminalPicture(
                PictureOptions(language: .english, width: width, usesColour: true))
            #expect(!plain.contains("\u{1B}"))
            #expect(coloured.contains("\u{1B}["))
            #expect(coloured.withoutColours == plain)
        }
    }

    @Test(
        "they fit the terminal, and nothing is cut off", arguments: Input.allCases,
        Language.allCases)
    func fitting(input: Input, language: Language) throws {
        let chart = try input.chart
        for width in 40...160 {
            let picture = chart.terminalPicture(PictureOptions(language: language, width: width))
            for line in picture.split(separator: "\n") {
                let isOne = !line.contains(" · ") && !line.contains(" → ")
                #expect(String(line).columns <= width || isOne, "\(width): \(line)")
            }
            #expect(!picture.contains("…"))
            for name in chart.units.map(\.number) + chart.rights.map(\.entitlement) {
                #expect(picture.contains(name), "\(width): \(name)")
            }
        }
    }

    @Test("signs tell what colours tell")
    func signs() throws {
        let picture = try Input.moving.chart.terminalPicture(PictureOptions(language: .english))
        for sign in [
            "█ active", "▓ grace period", "▒ billing retry", "─ expired", "× revoked", "━ owns",
            "○ order made", "◇ paid", "◆ delivered", "⊗ refunded", "⊖ closed without payment",
        ] {
            #expect(picture.contains(sign))
        }
    }

    @Test("a part of the time can be asked for")
    func parts() throws {
        var chart = try Input.moving.chart
        chart.rights.removeAll { $0.environment != "sandbox" }
        chart.units.removeAll { $0.environment != "sandbox" }
        chart.orders = []
        let day = try #require(Instant(rfc3339: "2026-09-01"))
        let options = PictureOptions(
            language: .english, width: 80, from: day,
            until: day.advanced(byMilliseconds: 86_400_000))
        try expect(chart.terminalPicture(options), "sandbox-day.en.txt")
    }
}

@Suite("Hostile texts in a picture", .timeLimit(.minutes(20)))
struct HostileTextTests {
    /// Apple's words are kept as they came, and accounts are whatever the app calls them.
    private var chart: AccountChart {
        get throws {
            var json = try Input.gold.json
            json["account"] = "<b>&\"'</b>"
            let unit = try #require(json["units"]?.elements?.first)
            var hostile = unit
            hostile["kind"] = "\u{1B}[31m\u{202E}<script>"
            json["units"] = .array([hostile])
            return AccountChart(try TimelineReport.read(json))
        }
    }

    @Test("nothing of them is markup or a command to the terminal")
    func hostileTexts() throws {
        let chart = try chart
        let options = PictureOptions(language: .english)
        for text in [
            chart.terminalPicture(options), chart.table(), chart.svg(options), chart.page(options),
        ] {
            #expect(!text.unicodeScalars.contains("\u{1B}"))
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
        for markup in [chart.svg(options), chart.page(options)] {
            #expect(markup.contains("&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;"))
            #expect(!markup.contains("<b>") && !markup.contains("<script"))
        }
    }

    @Test("pages fetch nothing and run nothing")
    func selfContained() throws {
        let page = try Input.moving.chart.page(PictureOptions(language: .english))
        for word in ["<script", "href=", "src=", "@import", "javascript:"] {
            #expect(!page.contains(word))
        }
        let addresses = page.components(separatedBy: "http").dropFirst()
        #expect(
            addresses.allSatisfy {
                $0.hasPrefix("://www.w3.org/2000/svg\"") || $0.hasPrefix("-equiv=")
            })
    }

    @Test("elements are closed in the order in which they were opened", arguments: Input.allCases)
    func wellFormed(input: Input) throws {
        for language in Language.allCases {
            let svg = try input.chart.svg(PictureOptions(language: language))
            #expect(Markup.mistake(in: svg) == nil)
            let page = try input.chart.page(PictureOptions(language: language))
            #expect(Markup.mistake(in: page) == nil)
        }
    }
}

/// Follows the elements of a text.
private enum Markup {
    /// What is not closed as it should be; nil where all is well.
    static func mistake(in text: String) -> String? {
        var open: [Substring] = []
        for part in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
            guard let tag = part.firstIndex(of: ">").map({ part[..<$0] }) else {
                return String(part)
            }
            let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
            if tag.hasPrefix("/") {
                guard open.popLast() == name else { return String(tag) }
            } else if !tag.hasSuffix("/"), !tag.hasPrefix("?"), !tag.hasPrefix("!"), name != "meta"
            {
                open.append(name)
            }
        }
        return open.last.map(String.init)
    }
}

extension String {
    fileprivate var withoutColours: String {
        var text = ""
        var rest = self[...]
        while let escape = rest.firstIndex(of: "\u{1B}") {
            text += rest[..<escape]
            rest = rest[escape...].drop { $0 != "m" }.dropFirst()
        }
        return text + rest
    }
}
