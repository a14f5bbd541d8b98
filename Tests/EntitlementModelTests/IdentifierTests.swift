internal import EntitlementModel
internal import Testing

@Suite("Identifiers", .timeLimit(.minutes(20)))
struct IdentifierTests {
    @Test(
        "only printable ASCII without spaces is an account",
        arguments: [
            ("alice", true), ("!~", true), (String(repeating: "a", count: 256), true),
            ("", false), ("al ice", false), ("alice\n", false), ("alice\u{0}x", false),
            ("caf\u{e9}", false), ("\u{212A}", false), ("\u{430}", false),
            ("a\u{200B}", false), (String(repeating: "a", count: 257), false),
        ])
    func accounts(text: String, isAccount: Bool) {
        #expect((AccountID(text) != nil) == isAccount)
        #expect((AccountID(Array(text.utf8).span) != nil) == isAccount)
    }

    @Test(
        "a key of an Apple ID is a kind, an environment and digits",
        arguments: [
            ("atx:production:700", true), ("otx:sandbox:2000000000000010", true),
            ("otx:local-testing:0", true), ("700", false), ("atx:production:", false),
            ("atx:Production:700", false), ("atx:production:7a", false),
            ("atx:production:7:7", false), ("ATX:production:700", false),
            ("otx:production:app-download-7", true), ("otx:production:app-download-", false),
            ("atx:production:app-download-7", false), ("otx:production:app-7", false),
            ("atx:production:\u{0667}", false), ("", false), (":", false), ("::", false),
        ])
    func appleIDKeys(text: String, isKey: Bool) {
        #expect((AppleIDKey(text) != nil) == isKey)
        #expect((AppleIDKey(Array(text.utf8).span) != nil) == isKey)
    }

    @Test("ids of Apple are ordered by length, then bytes")
    func appleOrder() throws {
        let ids = ["2000000000000010", "9", "10", "200"].compactMap { TransactionID($0) }
        let sorted = ids.sorted(by: TransactionID.precedesByLength)
        #expect(sorted.map(\.text) == ["9", "10", "200", "2000000000000010"])
    }

    @Test(
        "tokens are UUIDs, compared without case",
        arguments: [
            ("207262DA-1ac8-4e0a-a399-5aa62a82800F", "207262da-1ac8-4e0a-a399-5aa62a82800f"),
            ("207262da1ac84e0aa3995aa62a82800f", nil), ("", nil),
            ("207262da-1ac8-4e0a-a399-5aa62a82800", nil),
            ("207262da-1ac8-4e0a-a399-5aa62a82800g", nil),
            ("207262da-1ac8-4e0a-a399-5aa62a82800f ", nil),
        ] as [(String, String?)])
    func tokens(text: String, folded: String?) {
        #expect(AppAccountToken(text)?.text == folded)
    }

    @Test("a digest is 64 hexadecimal digits")
    func digests() throws {
        let text = String(repeating: "0123456789abcdef", count: 4)
        #expect(Digest256(hexadecimal: text)?.hexadecimal == text)
        #expect(Digest256(hexadecimal: text.uppercased())?.hexadecimal == text)
        #expect(Digest256(hexadecimal: text.dropLast()) == nil)
        #expect(Digest256(hexadecimal: text.dropLast() + "g") == nil)
        #expect(Digest256([1, 2, 3]) == nil)
    }

    @Test("a digest is its bytes, and ordered like them")
    func digestBytes() throws {
        let bytes = (0..<32).map { UInt8($0 * 8) }
        let digest = try #require(Digest256(bytes))
        #expect(digest.bytes == bytes)
        #expect(digest.withUnsafeBytes { Array($0) } == bytes)
        #expect(digest.hexadecimal.hasPrefix("0008101820"))
        #expect(Digest256(AnySequence(bytes)) == digest)
        #expect(Digest256(bytes + [0]) == nil)
        for index in bytes.indices {
            var larger = bytes
            larger[index] += 1
            #expect(digest < (try #require(Digest256(larger))), "byte \(index)")
        }
    }

    @Test(
        "a star stands for any run of characters",
        arguments: [
            ("qa-*", "qa-17", true), ("qa-*", "qa-", true), ("qa-*", "qa", false),
            ("com.*.gold.*", "com.example.gold.monthly", true),
            ("com.*.gold.*", "com.gold.monthly", false), ("*", "", true), ("a*a", "a", false),
            ("a*b*c", "aXbYc", true), ("a*b*c", "acb", false), ("gold", "gold", true),
            ("gold", "golden", false), ("*ab", "aab", true), ("a**b", "ab", true),
            // Trying every way to share the name out among the stars would not come to an end.
            (String(repeating: "*a", count: 60), String(repeating: "a", count: 128), true),
            (String(repeating: "*a", count: 60) + "b", String(repeating: "a", count: 128), false),
            (String(repeating: "*", count: 127) + "b", String(repeating: "a", count: 128), false),
        ])
    func patterns(pattern: String, name: String, matches: Bool) {
        #expect(NamePattern(pattern).matches(name) == matches)
    }
}
