internal import Foundation
internal import TestSupport
internal import Testing

/// What shows that a file writes digits, base64 or escapes of its own (a regular expression), and
/// the places that may.
private let writers: [(sign: String, places: Set<String>)] = [
    (
        #"String\([^)\n]*radix: 16"#,
        [
            "EntitlementModel/Text/BytesAsText.swift",
            // A time-ordered identifier is laid out where it is made.
            "EntitlementEngine/Orders/MakeOrder.swift",
            // The length of a chunk.
            "EntitlementServer/HTTP/Connection.swift",
        ]
    ),
    ("(?i)0123456789abcdef", []), ("%0?2[xX]", []), (#"String\(format:"#, []),
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ["EntitlementModel/Text/BytesAsText.swift"]),
    ("base64Encoded", []),
    (
        #""\\\\u["0]"#,
        ["EntitlementModel/Text/SafeText.swift", "StrictJSON/JSONWriter.swift"]
    ),
    // What is hidden and what is wide; reasons exclude controls.
    (
        #"\.generalCategory"#,
        ["EntitlementModel/Text/SafeText.swift", "EntitlementAnswers/Answers/Requests.swift"]
    ),
    ("JSONSerialization|JSONEncoder|JSONDecoder", []),
]

@Suite("Writers of text", .timeLimit(.minutes(20)))
struct WriterTests {
    @Test("exist once for each kind", arguments: writers.map(\.sign))
    func once(sign: String) throws {
        let places = try #require(writers.first { $0.sign == sign }).places
        let pattern = try Regex(sign)
        var found: Set<String> = []
        for path in Repository.files(under: "Sources", suffix: ".swift")
        where try Repository.text(path).contains(pattern) {
            found.insert(String(path.dropFirst("Sources/".count)))
        }
        #expect(found == places)
    }
}
