internal import StrictJSON
internal import Testing

@Suite(.timeLimit(.minutes(20)))
struct JSONValueTests {
    static let document: JSONValue = [
        "text": "é", "number": 7, "flag": true, "nothing": nil, "list": [1, "two"],
    ]

    @Test func readsMembersByType() {
        let value = Self.document
        #expect(value["text"]?.string == "é")
        #expect(value["number"]?.int64 == 7)
        #expect(value["flag"]?.bool == true)
        #expect(value["nothing"]?.isNull == true)
        #expect(value["list"]?.elements?.count == 2)
        #expect(value["missing"] == nil)
        #expect(value["text"]?["text"] == nil)
        #expect(value["number"]?.string == nil)
    }

    @Test func comparesNamesAsBytes() throws {
        let value = try parseJSON(Array("{\"\u{212A}\":1}".utf8))
        #expect(value["K"] == nil)
        #expect(value["\u{212A}"]?.int64 == 1)
    }

    @Test func setsReplacesAndRemoves() {
        var value: JSONValue = ["a": 1, "b": 2]
        value["a"] = "one"
        value["c"] = 3
        value["b"] = .none
        #expect(value.text == #"{"a":"one","c":3}"#)
        value["missing"] = .none
        #expect(value.text == #"{"a":"one","c":3}"#)
    }

    @Test(
        arguments: [
            ("0", 0), ("-1", -1), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("1.0", nil),
            ("1e3", nil), ("-0", nil),
        ] as [(String, Int64?)])
    func readsIntegersExactly(_ text: String, _ expected: Int64?) throws {
        #expect(try parseJSON(Array(text.utf8)).int64 == expected)
    }

    @Test(
        arguments: [
            ("7", 7), ("1657899241434.567", 1_657_899_241_434), ("-1.5", -2), ("-1.0", -1),
            ("-0.5", -1), ("-0", 0), ("1.5e3", 1_500), ("1e300", nil),
            ("9223372036854775808.5", nil), ("-9223372036854775808.5", nil),
        ] as [(String, Int64?)])
    func floorsFractions(_ text: String, _ expected: Int64?) throws {
        let number = try #require(try parseJSON(Array(text.utf8)).number)
        #expect(number.flooredInt64 == expected)
    }

    @Test func isEqualOnlyByteByByte() {
        #expect(JSONValue.string("é") != .string("e\u{301}"))
        #expect((["a": 1, "b": 2] as JSONValue) != ["b": 2, "a": 1])
        #expect((["a": 1] as JSONValue) == ["a": 1])
    }

    @Test func writesWithoutATree() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.integer(Int64(-1))
        writer.key("b")
        writer.beginArray()
        writer.string("x\u{1}")
        writer.bool(false)
        writer.null()
        writer.endArray()
        writer.key("c")
        writer.value(["d": []])
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"a":-1,"b":["x\u0001",false,null],"c":{"d":[]}}"#)
    }
}
