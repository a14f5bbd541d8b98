internal import StrictJSON
internal import Testing

/// RFC 8785, with the examples of its text and of its appendix B.
@Suite(.timeLimit(.minutes(20)))
struct CanonicalJSONTests {
    @Test func sortsByCodeUnits() throws {
        let text = #"""
            {"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew","1":"One",
            "\ud83d\ude00":"Emoji","\u0080":"Control","\u00f6":"Latin"}
            """#
        let canonical = try parseJSON(Array(text.utf8)).canonical()
        let expected =
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\","
            + "\"\u{F6}\":\"Latin\",\"\u{20AC}\":\"Euro Sign\",\"\u{1F600}\":\"Emoji\","
            + "\"\u{FB33}\":\"Hebrew\"}"
        #expect(String(decoding: canonical, as: UTF8.self) == expected)
    }

    @Test func reachesInside() throws {
        let value = try parseJSON(Array(#"[{"b":[{"d":1.0,"c":-0}],"a":null}]"#.utf8))
        #expect(
            String(decoding: value.canonical(), as: UTF8.self)
                == #"[{"a":null,"b":[{"c":0,"d":1}]}]"#)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("5e-324", "5e-324"),
        ("-5e-324", "-5e-324"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("9007199254740992", "9007199254740992"), ("-9007199254740992", "-9007199254740992"),
        ("295147905179352830000", "295147905179352830000"),
        ("9.999999999999997e22", "9.999999999999997e+22"), ("1e23", "1e+23"),
        ("1.0000000000000001e23", "1.0000000000000001e+23"),
        ("999999999999999700000", "999999999999999700000"),
        ("999999999999999900000", "999999999999999900000"), ("1e21", "1e+21"),
        ("9.999999999999997e-7", "9.999999999999997e-7"), ("0.000001", "0.000001"),
        ("333333333.33333325", "333333333.33333325"), ("333333333.3333332", "333333333.3333332"),
        ("-0.0000033333333333333333", "-0.0000033333333333333333"),
        ("1424953923781206.2", "1424953923781206.2"), ("1E30", "1e+30"), ("4.50", "4.5"),
        ("2e-3", "0.002"), ("1e-27", "1e-27"), ("9007199254740993", "9007199254740992"),
        ("100", "100"), ("1e2", "100"), ("0.1", "0.1"), ("123.456", "123.456"),
    ])
    func writesNumbersAsECMAScript(_ text: String, _ expected: String) throws {
        let canonical = try parseJSON(Array(text.utf8)).canonical()
        #expect(String(decoding: canonical, as: UTF8.self) == expected)
    }
}
