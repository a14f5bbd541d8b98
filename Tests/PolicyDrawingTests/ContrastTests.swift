internal import EntitlementModel
internal import Foundation
internal import PolicyAnalysis
internal import Testing

@testable internal import PolicyTools

/// The colours of the page, in light and in dark: text at least 4.5 to 1 (WCAG 2.1, 1.4.3).
@Suite(.timeLimit(.minutes(20)))
struct ContrastTests {
    @Test(
        arguments: [
            ("ink", "page"), ("ink", "panel"), ("ink", "tag"), ("quiet", "page"),
            ("quiet", "panel"), ("quiet", "tag"), ("link", "page"), ("link", "panel"),
            ("good", "good-back"), ("good", "panel"), ("bad", "bad-back"), ("bad", "panel"),
            ("care", "care-back"), ("care", "panel"),
        ])
    func textIsReadable(_ text: String, _ back: String) throws {
        let tables = policyTables(try ShownPolicy.load(ShownPolicy.small))
        let page = tables.page(try ShownPolicy.showing())
        let palettes = page.matches(of: /:root\{([^}]*)\}/).map(\.output.1).prefix(2)
        #expect(palettes.count == 2)
        for palette in palettes {
            let (front, behind) = (
                try luminance(text, in: palette), try luminance(back, in: palette)
            )
            let contrast = (max(front, behind) + 0.05) / (min(front, behind) + 0.05)
            #expect(contrast >= 4.5, "\(text) on \(back): \(contrast)")
        }
    }

    private func luminance(_ name: String, in palette: Substring) throws -> Double {
        let rule = try #require(palette.split(separator: ";").first { $0.hasPrefix("--\(name):") })
        var digits = String(rule.split(separator: "#")[1])
        if digits.count == 3 { digits = digits.map { "\($0)\($0)" }.joined() }
        let value = try #require(Int(digits, radix: 16))
        let parts = [value >> 16, value >> 8 & 0xFF, value & 0xFF].map { part -> Double in
            let share = Double(part) / 255
            return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
