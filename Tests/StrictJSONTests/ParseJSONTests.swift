internal import StrictJSON
internal import Testing

/// What is read, and what is refused with which code at which byte.
@Suite(.timeLimit(.minutes(20)))
struct ParseJSONTests {
    struct Accepted: CustomTestStringConvertible {
        let name: String
        let text: String
        /// The document written again.
        let expected: String

        init(_ name: String, _ text: String, _ expected: String) {
            self.name = name
            self.text = text
            self.expected = expected
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Accepted("null", "null", "null"),
        Accepted("booleans", " [ true , false ] ", "[true,false]"),
        Accepted("empty", "[{},[],\"\"]", "[{},[],\"\"]"),
        Accepted("order kept", #"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#),
        Accepted(
            "number text kept", "[0,-0,1.50,1E3,12345678901234567890]",
            "[0,-0,1.50,1E3,12345678901234567890]"),
        Accepted("escapes", #"["\"\\\/\b\f\n\r\t\u0041\u001F"]"#, #"["\"\\/\b\f\n\r\tA\u001f"]"#),
        Accepted("surrogate pair", #"["\uD83D\uDE00"]"#, "[\"\u{1F600}\"]"),
        Accepted("UTF-8 of every length", "[\"\u{7F}é中\u{10FFFF}\"]", "[\"\u{7F}é中\u{10FFFF}\"]"),
        Accepted("all white space", "\t\r\n 1 \t\r\n", "1"),
        Accepted(
            "names that differ in bytes only", "{\"K\":1,\"\u{212A}\":2}",
            "{\"K\":1,\"\u{212A}\":2}"),
    ])
    func reads(_ example: Accepted) throws {
        let value = try parseJSON(Array(example.text.utf8))
        #expect(value.text == example.expected)
    }

    struct Refused: CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let code: JSONError.Code
        let offset: Int

        init(_ name: String, _ bytes: [UInt8], _ code: JSONError.Code, at offset: Int) {
            self.name = name
            self.bytes = bytes
            self.code = code
            self.offset = offset
        }

        init(_ name: String, _ text: String, _ code: JSONError.Code, at offset: Int) {
            self.init(name, Array(text.utf8), code, at: offset)
        }

        var testDescription: String { name }
    }

    static let grammar = [
        Refused("nothing", "", .malformed, at: 0),
        Refused("white space only", "  ", .malformed, at: 2),
        Refused("trailing comma in an object", #"{"a":1,}"#, .malformed, at: 7),
        Refused("trailing comma in an array", "[1,]", .malformed, at: 3),
        Refused("missing comma", "[1 2]", .malformed, at: 3),
        Refused("missing colon", #"{"a" 1}"#, .malformed, at: 5),
        Refused("name without quotes", "{a:1}", .malformed, at: 1),
        Refused("two documents", "1 2", .malformed, at: 2),
        Refused("comment", "[1/**/]", .malformed, at: 2),
        Refused("capital literal", "True", .malformed, at: 0),
        Refused("cut literal", "tru", .malformed, at: 3),
        Refused("open object", #"{"a":1"#, .malformed, at: 6),
        Refused("open array", "[1", .malformed, at: 2),
        Refused("open string", "\"a", .malformed, at: 2),
        Refused("open escaped string", #""\n"#, .malformed, at: 3),
        Refused("single quotes", "'a'", .malformed, at: 0),
        Refused("raw line feed", "\"a\nb\"", .malformed, at: 2),
        Refused("unknown escape", #""\x41""#, .malformed, at: 1),
        Refused("short escape", #""\u00""#, .malformed, at: 1),
        Refused("escape that is no number", #""\u00G0""#, .malformed, at: 1),
        Refused("backslash at the end", #""\"#, .malformed, at: 1),
        Refused("form feed between tokens", "[\u{0C}1]", .malformed, at: 1),
        Refused("plus sign", "+1", .malformed, at: 0),
    ]

    static let numbers = [
        Refused("leading zero", "01", .number, at: 0),
        Refused("minus alone", "-", .number, at: 0),
        Refused("no digit after the point", "[1.]", .number, at: 1),
        Refused("no exponent", "1e", .number, at: 0),
        Refused("no exponent after the sign", "1e+", .number, at: 0),
        Refused("minus and leading zero", "-01", .number, at: 0),
        Refused("beyond a double", "1e400", .number, at: 0),
        Refused("beyond a double in digits", String(repeating: "9", count: 400), .number, at: 0),
    ]

    static let encodings = [
        Refused("byte order mark", [0xEF, 0xBB, 0xBF, 0x31], .encoding, at: 0),
        Refused("UTF-16 big-endian", [0x00, 0x7B, 0x00, 0x7D], .encoding, at: 0),
        Refused("UTF-16 little-endian", [0x7B, 0x00, 0x7D, 0x00], .encoding, at: 1),
        Refused("UTF-16 with its mark", [0xFF, 0xFE, 0x7B, 0x00], .encoding, at: 0),
        Refused("overlong two bytes", [0x22, 0xC0, 0x80, 0x22], .encoding, at: 1),
        Refused("overlong three bytes", [0x22, 0xE0, 0x80, 0x80, 0x22], .encoding, at: 1),
        Refused("overlong four bytes", [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], .encoding, at: 1),
        Refused("surrogate in UTF-8", [0x22, 0xED, 0xA0, 0x80, 0x22], .encoding, at: 1),
        Refused("beyond Unicode", [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .encoding, at: 1),
        Refused("continuation alone", [0x22, 0x80, 0x22], .encoding, at: 1),
        Refused("sequence cut by the quote", [0x22, 0xE4, 0xB8, 0x22], .encoding, at: 1),
        Refused("sequence cut by the end", [0x22, 0xE4], .encoding, at: 1),
        Refused("bad byte after an escape", [0x22, 0x5C, 0x6E, 0xFF, 0x22], .encoding, at: 3),
        Refused("lone high surrogate", #""\uD800""#, .encoding, at: 1),
        Refused("lone low surrogate", #""\uDC00""#, .encoding, at: 1),
        Refused("high surrogate twice", #""\uD800\uD800""#, .encoding, at: 1),
        Refused("no-break space", "[\u{A0}1]", .encoding, at: 1),
    ]

    static let duplicates = [
        Refused("same name", #"{"a":1,"a":1}"#, .duplicateKey, at: 7),
        Refused("same name after unescaping", #"{"a":1,"\u0061":2}"#, .duplicateKey, at: 7),
        Refused("within", #"[{"x":{"a":1,"b":2,"a":3}}]"#, .duplicateKey, at: 19),
        Refused("empty name", #"{"":1,"":2}"#, .duplicateKey, at: 6),
    ]

    @Test("names with escapes are told apart and found, however many there are")
    func manyEscapedNames() throws {
        func name(_ number: Int) -> String { "\"\\u0061\(number * 7919 % 9_973)\"" }
        let names = (0..<9_000).map(name)
        func document(_ names: [String]) -> [UInt8] {
            Array("{\(names.map { $0 + ":0" }.joined(separator: ","))}".utf8)
        }
        let read = try JSONDocument(document(names))
        #expect(
            read.members(of: .root).map { read.string(at: $0.name) }
                == (0..<9_000).map {
                    "a\($0 * 7919 % 9_973)"
                })
        #expect(read.member("a7919", of: .root) != nil)
        #expect(read.firstStated(of: ["b", "a7919", "a0"], in: .root)?.description == "a7919")
        for twice in [0, 7, 8, 9, 15, 16, 17, 8_999] {
            let plain = "\"a\(twice * 7919 % 9_973)\""
            let bytes = document(names + [plain])
            #expect(throws: JSONError(.duplicateKey, at: bytes.count - plain.utf8.count - 3)) {
                try JSONDocument(bytes)
            }
        }
    }

    @Test(arguments: grammar + numbers + encodings + duplicates)
    func refuses(_ example: Refused) {
        let expected = JSONError(example.code, at: example.offset)
        #expect(throws: expected) { try parseJSON(example.bytes) }
    }

    @Test(arguments: [7, 8, 9, 31, 32, 33, 100])
    func findsADuplicateAmongManyNames(_ count: Int) {
        let members = (0..<count).map { "\"k\($0)\":0" } + ["\"k0\":1"]
        let text = "{" + members.joined(separator: ",") + "}"
        let offset = text.utf8.count - "\"k0\":1}".utf8.count
        #expect(throws: JSONError(.duplicateKey, at: offset)) { try parseJSON(Array(text.utf8)) }
    }

    @Test func takesEveryNumberThatADoubleHolds() throws {
        let zeros = String(repeating: "0", count: 400)
        for text in [
            "1e308", "1.7976931348623157e308", "-1.7976931348623157E+308", "0.1e309", "10e307",
            "0.000001e314", "1e-400", "1e-\(zeros)9", "1e\(zeros)308", "1e+\(zeros)", "0e9999",
            "1" + zeros.prefix(307), "1.\(zeros)1",
        ] {
            #expect(try parseJSON(Array(text.utf8)).text == text)
        }
        for text in [
            "1e309", "-1e309", "1.8e308", "10e308", "0.1e310", "1e\(zeros)309",
            "1e99999999999999999999",
            "1" + zeros.prefix(309),
        ] {
            #expect(throws: JSONError(.number, at: 0), "\(text)") {
                try parseJSON(Array(text.utf8))
            }
        }
    }

    @Test func countsDepth() throws {
        let limits = JSONLimits(depth: 3)
        #expect(try parseJSON(Array("[[{}]]".utf8), limits: limits).text == "[[{}]]")
        #expect(throws: JSONError(.tooLarge, at: 3)) {
            try parseJSON(Array("[[[[]]]]".utf8), limits: limits)
        }
        let bomb = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: JSONError(.tooLarge, at: 32)) { try parseJSON(bomb) }
    }

    @Test func countsBytesAndValues() throws {
        let document = Array("[1,2]".utf8)
        #expect(try parseJSON(document, limits: JSONLimits(bytes: 5, values: 3)).text == "[1,2]")
        #expect(throws: JSONError(.tooLarge, at: 4)) {
            try parseJSON(document, limits: JSONLimits(bytes: 4))
        }
        #expect(throws: JSONError(.tooLarge, at: 3)) {
            try parseJSON(document, limits: JSONLimits(values: 2))
        }
    }
}
