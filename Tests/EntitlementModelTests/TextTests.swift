internal import EntitlementModel
internal import Testing

@Suite("Texts for people", .timeLimit(.minutes(20)))
struct TextTests {
    @Test(
        "take room on a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("会员", 4), ("，", 2), ("a宽b", 4), ("é", 1), ("e\u{301}", 1),
            ("\u{1B}[31mno\u{1B}[0m", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("🙂", 2), ("한국", 4),
            ("\u{200B}", 0), ("“a”", 3),
        ])
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test("are cut to no more room than they have")
    func cutting() {
        #expect("扣款重试".cut(to: 6) == "扣款…")
        #expect("扣款重试".cut(to: 6).padded(to: 6) == "扣款… ")
        #expect("abc".cut(to: 3) == "abc")
        #expect("abc".cut(to: 0) == "")
    }

    @Test("show what could disturb a terminal or deceive the eye as its code point")
    func hidden() {
        #expect("a\u{1B}[2Jb\u{202E}c\n".shown == "aU+001B[2JbU+202EcU+000A")
        #expect("会员 'é' ❤️\u{3000}".shown == "会员 'é' ❤️\u{3000}")
        #expect("a\u{A0}b\u{3164}c\u{E0041}".shown == "aU+00A0bU+3164cU+E0041")
        #expect("abcdef".shown(atMost: 3) == "abc…")
        #expect("\u{1B}[1ma\u{1B}[0m\u{1B}[8mb\n".safeLine == "\u{1B}[1ma\u{1B}[0mU+001B[8mbU+000A")
        #expect("a\n\u{202E}\u{E0041}".safeJSON == "a\n\\u202e\\udb40\\udc41")
    }

    @Test("write numbers and bytes in hexadecimal digits")
    func hexadecimal() {
        #expect(UInt16(0x1F).hexadecimal(width: 4) == "001f")
        #expect(UInt32(0x1_F600).hexadecimal(width: 4, uppercase: true) == "1F600")
        #expect(UInt64.zero.hexadecimal() == "0")
        #expect(([0x00, 0x9A, 0xFF] as [UInt8]).hexadecimal == "009aff")
    }

    @Test(
        "are in the language of the locale, or in English",
        arguments: [
            ("zh_CN.UTF-8", Language.chinese), ("ZH", .chinese), ("en_GB", .english),
            ("de_DE", .english), ("", .english), ("C.UTF-8", .english),
        ])
    func locales(name: String, language: Language) {
        #expect(Language(locale: name) == language)
    }

    @Test("have facts in their places, and other braces as they are")
    func places() {
        struct Sample: LocalizedText {
            func template(in language: Language) -> String {
                switch language {
                case .english: "{1}: {for: {0}} {9} {"
                case .chinese: "{1}：{0}"
                }
            }
            func facts(in language: Language) -> [String] { ["a\u{7}", "b"] }
        }
        #expect(Sample().text(.english) == "b: {for: aU+0007} {9} {")
        #expect(Sample().text(.chinese) == "b：aU+0007")
        #expect(Sample().text(.chinese, "x", "y") == "y：x")
        #expect(EntitlementState.words("grace", .english) == "grace period")
        #expect(EntitlementState.words("new-state", .chinese) == "new-state")
    }
}
