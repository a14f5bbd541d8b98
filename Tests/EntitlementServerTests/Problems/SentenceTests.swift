internal import EntitlementAnswers
internal import EntitlementModel
internal import Testing

@testable internal import EntitlementServer

@Suite("Sentences", .timeLimit(.minutes(20)))
struct SentenceTests {
    private static let socketErrors: [SocketError] = [
        .folderNotOurs(path: "/a"), .folderLocked(path: "/a"), .pathTaken(path: "/a"),
        .socketInUse(path: "/a"), .pathTooLong(path: "/a"), .groupUnknown(name: "a"),
        .system(call: "bind", errno: 1),
    ]

    private static let clientErrors: [LocalClientError] = [
        .notRunning(path: "/a"), .notAllowed(path: "/a"), .timedOut, .malformed,
        .system(call: "recv", errno: 1),
    ]

    private static func sentences(in language: Language) -> [String] {
        ProblemCode.allCases.map { $0.text(language) }
            + socketErrors.map { $0.text(language) }
            + clientErrors.map { $0.text(language) }
    }

    @Test("are there for every code, and are told apart")
    func codes() {
        for language in [Language.english, .chinese] {
            let sentences = ProblemCode.allCases.map { $0.text(language) }
            #expect(Set(sentences).count == sentences.count)
        }
    }

    @Test("are one clause of plain words in English")
    func english() throws {
        for sentence in Self.sentences(in: .english) {
            let first = try #require(sentence.unicodeScalars.first)
            let startsAName = sentence.hasPrefix("Content-Length") || sentence.hasPrefix("HTTP")
            #expect(first.properties.isLowercase || first == "'" || startsAName, "\(sentence)")
            #expect(!sentence.hasSuffix("."), "\(sentence)")
            #expect(sentence.utf8.allSatisfy { $0 < 0x80 }, "\(sentence)")
        }
    }

    @Test("are Chinese in Chinese")
    func chinese() {
        for sentence in Self.sentences(in: .chinese) {
            let isChinese = sentence.unicodeScalars.contains {
                (0x4E00...0x9FFF).contains($0.value)
            }
            #expect(isChinese, "\(sentence)")
            #expect(!sentence.hasSuffix("。"), "\(sentence)")
        }
    }

    @Test("make problem details that name code and field")
    func details() {
        var bytes: [UInt8] = []
        Problem(.id, field: "subject.id").append(to: &bytes, language: .english)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"title":"Bad Request","status":400,"code":"input.id",\
                "detail":"an id must be printable ASCII without spaces, and not too long",\
                "field":"subject.id"}
                """)
    }
}
