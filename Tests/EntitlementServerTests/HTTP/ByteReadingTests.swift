internal import EntitlementModel
internal import Testing

@testable internal import EntitlementServer

@Suite("Bytes", .timeLimit(.minutes(20)))
struct ByteReadingTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    @Test("of a token are those of RFC 9110")
    func tokens() {
        let tokens = Set((Self.letters + "!#$%&'*+-.^_`|~").utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isTokenByte == tokens.contains(byte), "\(byte)")
        }
    }

    @Test("of a target are those of RFC 3986")
    func targets() {
        let targets = Set((Self.letters + "-._~:/?@!$&'()*+,;=%").utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isTargetByte == targets.contains(byte), "\(byte)")
        }
    }

    @Test(
        "of a number are its digits",
        arguments: [(0, "0"), (9, "9"), (10, "10"), (1_203, "1203"), (.max, "9223372036854775807")])
    func decimals(number: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.append(decimal: number)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(
        "of Accept-Language choose the language",
        arguments: [
            ("", Language.english), ("zh", .chinese), ("zh-Hans-CN", .chinese),
            ("en, zh", .english), ("zh, en", .chinese), ("en;q=0.5, ZH;q=0.6", .chinese),
            ("fr, zh;q=0.1", .chinese), ("zh;q=0", .english), ("zh;q=x", .english),
            ("*", .english), ("zho", .english),
        ])
    func language(value: String, expected: Language) {
        let bytes = Array(value.utf8)
        #expect(Language(acceptLanguage: 0..<bytes.count, in: bytes.span) == expected)
    }
}
