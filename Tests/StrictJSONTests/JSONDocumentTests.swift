internal import Testing

@testable internal import StrictJSON

/// What a document says where it is looked into.
@Suite(.timeLimit(.minutes(20)))
struct JSONDocumentTests {
    static let text = #"""
        {"text":"é","escaped":"\u0061\n\ud83d\ude00","number":7,"half":-1.5,"big":9223372036854775808,
        "flag":true,"off":false,"nothing":null,"list":[1,[],"two"],"object":{"inner":{"a":[0]}},
        "\u006bey":"named with an escape","":"no name"}
        """#

    let document: JSONDocument

    init() throws {
        document = try JSONDocument(Array(Self.text.utf8))
    }

    private func place(_ name: StaticString) throws -> JSONOffset {
        try #require(document.member(name, of: .root), "\(name)")
    }

    @Test func readsMembersByType() throws {
        #expect(document.string(at: try place("text")) == "é")
        #expect(document.string(at: try place("escaped")) == "a\n\u{1F600}")
        #expect(document.int64(at: try place("number")) == 7)
        #expect(document.bool(at: try place("flag")) == true)
        #expect(document.bool(at: try place("off")) == false)
        #expect(document.isObject(at: try place("object")))
        #expect(document.isArray(at: try place("list")))
        #expect(document.string(at: try place("key")) == "named with an escape")
        #expect(document.string(at: try place("")) == "no name")
        #expect(document.member("missing", of: .root) == nil)
        #expect(document.member("inner", of: .root) == nil, "a name further in")
        #expect(document.member("text", of: try place("text")) == nil, "a member of no object")
    }

    @Test func isNothingElse() throws {
        let number = try place("number")
        #expect(document.string(at: number) == nil)
        #expect(document.plainText(at: number) == nil)
        #expect(document.bool(at: number) == nil)
        #expect(document.int64(at: try place("half")) == nil)
        #expect(document.flooredInt64(at: try place("half")) == -2)
        #expect(document.int64(at: try place("big")) == nil)
        #expect(document.flooredInt64(at: try place("flag")) == nil)
        #expect(Array(document.elements(of: try place("object"))) == [])
        #expect(document.members(of: try place("list")).first { _ in true } == nil)
        #expect(document.bool(at: try place("nothing")) == nil)
    }

    @Test func lendsTextWithoutEscapes() throws {
        let range = try #require(document.plainText(at: try place("text")))
        #expect(Array(document.bytes[range]) == Array("é".utf8))
        #expect(document.plainText(at: try place("escaped")) == nil)
        #expect(document.hasText("é", at: try place("text")))
        #expect(document.hasText("a\n\u{1F600}", at: try place("escaped")))
        #expect(!document.hasText("e\u{301}", at: try place("text")), "equal for Swift, not here")
        #expect(!document.hasText("7", at: try place("number")))
    }

    @Test func walksInTheOrderOfTheText() throws {
        let names = document.members(of: .root).map { document.string(at: $0.name) }
        #expect(
            names == [
                "text", "escaped", "number", "half", "big", "flag", "off", "nothing", "list",
                "object", "key", "",
            ])
        let list = document.elements(of: try place("list")).map { document.value(at: $0).text }
        #expect(list == ["1", "[]", #""two""#])
    }

    @Test func comparesNamesAsBytes() throws {
        let document = try JSONDocument(Array("{\"\u{212A}\":1}".utf8))
        #expect(document.member("K", of: .root) == nil)
        #expect(document.member("\u{212A}", of: .root) != nil)
    }

    @Test(arguments: [1, 6, 7, 8, 9, 31, 33, 100])
    func findsADuplicateWhereNamesCeaseToAscend(_ count: Int) throws {
        let members = (0..<count).map { "\"k\(1_000 + $0)\":0" } + ["\"a\":0", "\"b\":0"]
        let sound = try JSONDocument(Array(("{" + members.joined(separator: ",") + "}").utf8))
        #expect(sound.members(of: .root).reduce(0) { count, _ in count + 1 } == count + 2)
        for name in ["k1000", "k\(1_000 + count - 1)", "a", "b"] {
            let text = "{" + (members + ["\"\(name)\":1"]).joined(separator: ",") + "}"
            let offset = text.utf8.count - "\"\(name)\":1}".utf8.count
            #expect(throws: JSONError(.duplicateKey, at: offset), "\(name)") {
                try JSONDocument(Array(text.utf8))
            }
        }
    }

    /// The scanner looks at eight bytes of a string at once.
    @Test(arguments: 0..<20)
    func stopsAtEveryPlaceOfAWord(_ length: Int) throws {
        let plain = String(repeating: "x", count: length)
        let ends = ["", "\u{7F}", "é", "\u{10FFFF}", "y0123456789"]
        for end in ends {
            let document = try JSONDocument(Array("\"\(plain)\(end)\"".utf8))
            #expect(document.string(at: .root) == plain + end)
        }
        let faults: [(UInt8, JSONError.Code)] = [
            (0x00, .malformed), (0x1F, .malformed), (0x80, .encoding), (0xFF, .encoding),
        ]
        for (byte, code) in faults {
            let bytes = Array("\"\(plain)".utf8) + [byte] + Array("01234567\"".utf8)
            #expect(throws: JSONError(code, at: length + 1)) { try JSONDocument(bytes) }
        }
        #expect(throws: JSONError(.malformed, at: length + 1)) {
            try JSONDocument(Array("\"\(plain)".utf8))
        }
    }
}
