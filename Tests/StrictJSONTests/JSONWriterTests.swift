internal import Testing

@testable internal import StrictJSON

@Suite("Writing JSON", .timeLimit(.minutes(20)))
struct JSONWriterTests {
    @Test(
        "integers are written out in full",
        arguments: [0, 7, -1, 10, 99, 100, 1_780_000_000_000, -45, .max, .min] as [Int64])
    func integers(value: Int64) {
        #expect(written { $0.integer(value) } == String(value))
    }

    @Test(
        "strings have the escapes they need, in their shortest form",
        arguments: [
            ("", #""""#), ("plain text", #""plain text""#), ("größer 🎁", #""größer 🎁""#),
            (#"a "b" \c"#, #""a \"b\" \\c""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\u{0}\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
            ("long enough for no register\n", #""long enough for no register\n""#),
        ])
    func strings(value: String, text: String) {
        #expect(written { $0.string(value) } == text)
    }

    @Test("members, arrays and commas")
    func structure() {
        let text = written { writer in
            writer.beginObject()
            writer.member("a")
            writer.beginArray()
            writer.null()
            writer.bool(true)
            writer.bool(false)
            writer.endArray()
            writer.key("b\n")
            ([0x00, 0x9A, 0xFF] as [UInt8]).withUnsafeBytes { writer.string(hexadecimal: $0) }
            writer.member("c")
            writer.beginObject()
            writer.endObject()
            writer.endObject()
        }
        #expect(text == #"{"a":[null,true,false],"b\n":"009aff","c":{}}"#)
    }

    @Test("members with their values are those of their parts")
    func wholeMembers() {
        let text = written { writer in
            writer.beginObject()
            writer.member("a", "plain")
            writer.member("b", "two\nlines")
            writer.member("c", -45)
            writer.member("d", "")
            writer.endObject()
        }
        #expect(text == #"{"a":"plain","b":"two\nlines","c":-45,"d":""}"#)
    }

    @Test("what was there before stands in front")
    func behindBytes() {
        var writer = JSONWriter(behind: [0, 0xFF])
        writer.beginArray()
        writer.endArray()
        let brackets: [UInt8] = [0x5B, 0x5D]
        #expect(writer.bytes == [0, 0xFF] + brackets)
    }

    @Test("documents for people have a line for each member, and short arrays on one")
    func laidOut() {
        let document: JSONValue = [
            "b": ["x", 1, nil], "a": [["c": []], ["d": "\"\u{1}"]], "e": [:],
        ]
        #expect(
            document.laidOut == #"""
                {
                  "b": ["x", 1, null],
                  "a": [
                    {
                      "c": []
                    },
                    {
                      "d": "\"\u0001"
                    }
                  ],
                  "e": {}
                }
                """#)
    }

    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
