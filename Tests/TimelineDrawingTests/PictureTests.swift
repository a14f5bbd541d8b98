internal import EntitlementAnswers
internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("Pictures of a timeline", .timeLimit(.minutes(20)))
struct PictureTests {
    /// Compares a picture with the one that was recorded.
    private func expect(_ picture: String, _ name: String) throws {
        let path = "Tests/TimelineDrawingTests/Snapshots/\(name)"
        #expect(try Snapshot.complaint(picture, at: path) == nil)
    }

    @Test("they are what they were", arguments: Input.allCases, Language.allCases)
    func snapshots(input: Input, language: Language) throws {
        let report = try input.report
        let name = "\(input).\(language.rawValue)"
        let options = PictureOptions(language: language, width: 110)
        try expect(report.terminalPicture(options), name + ".txt")
        try expect(report.svg(options), name + ".svg")
        try expect(report.page(options), name + ".html")
    }

    @Test("the table is the same in every language", arguments: Input.allCases)
    func table(input: Input) throws {
        try expect(try input.report.table(), "\(input).tsv")
    }

    @Test("colours change nothing but colours", arguments: Input.allCases)
    func colours(input: Input) throws {
        let report = try input.report
        for width in [60, 110] {
            let plain = report.terminalPicture(PictureOptions(language: .english, width: width))
            let coloured = report.terminalPicture(
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
        let report = try input.report
        for width in 40...160 {
            let picture = report.terminalPicture(PictureOptions(language: language, width: width))
            for line in picture.split(separator: "\n") {
                let isOne = !line.contains(" · ") && !line.contains(" → ")
                #expect(String(line).columns <= width || isOne, "\(width): \(line)")
            }
            #expect(!picture.contains("…"))
            for name in report.units.map(\.number) + report.rights.map(\.entitlement.text) {
                #expect(picture.contains(name), "\(width): \(name)")
            }
        }
    }

    @Test("signs tell what colours tell")
    func signs() throws {
        let picture = try Input.moving.report.terminalPicture(PictureOptions(language: .english))
        for sign in [
            "█ active", "▓ grace period", "▒ billing retry", "─ expired", "× revoked", "━ owns",
            "○ order made", "◇ paid", "◆ delivered", "⊗ refunded", "⊖ closed without payment",
        ] {
            #expect(picture.contains(sign))
        }
    }

    @Test("a part of the time can be asked for")
    func parts() throws {
        var report = try Input.moving.report
        report.rights.removeAll { $0.environment != .sandbox }
        report.units.removeAll { $0.unit.environment != .sandbox }
        report.orders = []
        let day = try #require(Instant(rfc3339: "2026-09-01"))
        let options = PictureOptions(
            language: .english, width: 80, from: day,
            until: day.advanced(byMilliseconds: 86_400_000))
        try expect(report.terminalPicture(options), "sandbox-day.en.txt")
    }
}

@Suite("Hostile texts in a picture", .timeLimit(.minutes(20)))
struct HostileTextTests {
    /// Apple's words are kept as they came, and accounts are whatever the app calls them.
    private var report: TimelineReport {
        get throws {
            var json = try Input.gold.json
            json["account"] = "<b>&\"'</b>"
            let unit = try #require(json["units"]?.elements?.first)
            var hostile = unit
            hostile["kind"] = "\u{1B}[31m\u{202E}<script>"
            json["units"] = .array([hostile])
            return try TimelineReport.read(json)
        }
    }

    @Test("nothing of them is markup or a command to the terminal")
    func hostileTexts() throws {
        let report = try report
        let options = PictureOptions(language: .english)
        for text in [
            report.terminalPicture(options), report.table(), report.svg(options),
            report.page(options),
        ] {
            #expect(!text.unicodeScalars.contains("\u{1B}"))
            #expect(!text.unicodeScalars.contains("\u{202E}"))
        }
        for markup in [report.svg(options), report.page(options)] {
            #expect(markup.contains("&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;"))
            #expect(!markup.contains("<b>") && !markup.contains("<script"))
        }
    }

    @Test("a sign with an accent upon it is escaped all the same")
    func accents() {
        let markup: PolicyTools.Markup = "<i>\("\"\u{301}<\u{301}")</i>"
        let escaped = "<i>&quot;\u{301}&lt;\u{301}</i>"
        #expect(Array(markup.text.unicodeScalars) == Array(escaped.unicodeScalars))
    }

    @Test("pages fetch nothing and run nothing")
    func selfContained() throws {
        let page = try Input.moving.report.page(PictureOptions(language: .english))
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
            let svg = try input.report.svg(PictureOptions(language: language))
            #expect(Markup.mistake(in: svg) == nil)
            let page = try input.report.page(PictureOptions(language: language))
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
