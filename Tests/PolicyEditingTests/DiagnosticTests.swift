internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("Diagnostics as one types", .timeLimit(.minutes(20)))
struct DiagnosticTests {
    @Test("appear with what is wrong, and disappear when it is mended")
    func comeAndGo() throws {
        let client = try Conversation(capabilities: Conversation.everything)
        client.open(SmallPolicy.uri, SmallPolicy.text)
        #expect(client.codes(SmallPolicy.uri) == [])
        let line = try #require(
            SmallPolicy.text.split(separator: "\n").firstIndex {
                $0.contains("then: grant")
            })
        func replace(_ start: Int, _ end: Int, _ text: String) -> JSONValue {
            let line = Int64(line)
            return [
                [
                    "range": [
                        "start": ["line": .integer(line), "character": .integer(Int64(start))],
                        "end": ["line": .integer(line), "character": .integer(Int64(end))],
                    ], "text": .string(text),
                ]
            ]
        }
        client.change(SmallPolicy.uri, version: 2, replace(12, 15, ""))
        let broken = client.diagnostics(SmallPolicy.uri) ?? []
        #expect(broken.compactMap { $0["code"]?.string } == ["unknown-word"])
        let found = try #require(broken.first)
        #expect(found["severity"]?.int64 == 1)
        #expect(found["source"]?.string == "usher")
        #expect(found["range"]?["start"]?["character"]?.int64 == 10)
        #expect(found["range"]?["end"]?["character"]?.int64 == 12)
        #expect(
            found["codeDescription"]?["href"]?.string == "https://example.com/d#unknown-word")
        client.change(SmallPolicy.uri, version: 3, replace(12, 12, "ant"))
        #expect(client.codes(SmallPolicy.uri) == [])
    }

    @Test("count columns as the client does", arguments: [("utf-16", 25), ("utf-8", 45)])
    func columns(encoding: String, character: Int64) throws {
        let client = try Conversation(encodings: [encoding])
        let text = SmallPolicy.text.replacing(
            "银行卡重试期间保留 🙂 premium", with: "\"银行卡重试期间保留 🙂\" premium")
        client.open(SmallPolicy.uri, text)
        let all = client.diagnostics(SmallPolicy.uri)
        let found = try #require(all?.first)
        // Behind 11 signs, nine of three bytes and one unit, a space, one of four bytes and two
        // units, a quote and a space.
        #expect(found["range"]?["start"]?["character"]?.int64 == character)
    }

    @Test("speak the language of the client")
    func locales() throws {
        for (locale, word) in [
            ("zh-CN", "建议"), ("zh", "建议"), ("en-GB", "help: "), ("fr", "help: "),
        ] {
            let client = try Conversation(locale: locale)
            client.open(SmallPolicy.uri, "usher: 2")
            let message = client.diagnostics(SmallPolicy.uri)?.first?["message"]?.string
            #expect(message?.contains(word) == true, "\(locale)")
        }
    }

    @Test("are checked once for many changes in a row, and are those of the last version")
    func coalescing() throws {
        let client = try Conversation(capabilities: Conversation.everything)
        client.open(SmallPolicy.uri, SmallPolicy.text)
        _ = client.take()
        let changes = (2...20).map { version in
            Conversation.notification(
                "textDocument/didChange",
                Conversation.change(
                    SmallPolicy.uri, version: Int64(version),
                    [["text": .string("usher: \(version)")]]))
        }
        client.send(changes)
        let published = client.take()
        #expect(published.count == 1)
        #expect(published.first?["params"]?["version"]?.int64 == 20)
        let message = published.first?["params"]?["diagnostics"]?.elements?.first?["message"]
        #expect(message?.string?.contains("20") == true)
    }

    @Test("are about the whole folder, with what is open in the place of what is on the disk")
    func folders() throws {
        let folder = try TemporaryFolder()
        let parts = SmallPolicy.text.split(separator: "\naccess:")
        try folder.write(String(parts[0]), to: "app.yaml")
        try folder.write("access:" + String(parts[1]), to: "sub 高/rules.yaml")
        let rules = FileAddress.uri(ofPath: folder.path + "/sub 高/rules.yaml")
        let app = FileAddress.uri(ofPath: folder.path + "/app.yaml")
        #expect(rules.contains("sub%20%E9%AB%98/"))
        let client = try Conversation(capabilities: Conversation.everything)
        client.open(rules, "access:" + String(parts[1]))
        #expect(client.codes(rules) == [])

        // A mistake in a file that is not open, told by what is open.
        client.open(app, String(parts[0]).replacing("premium: {", with: "premum: {"))
        let published = client.take()
        let byFile = published.filter {
            $0["params"]?["diagnostics"]?.elements?.isEmpty == false
        }
        #expect(byFile.compactMap { $0["params"]?["uri"]?.string } == [app])
        client.notify("textDocument/didClose", ["textDocument": ["uri": .string(app)]])
        #expect(client.codes(app) == [])

        // The disk changes under it.
        try folder.write(String(parts[0]).replacing("usher: 1", with: "usher: 9"), to: "app.yaml")
        client.notify("workspace/didChangeWatchedFiles", ["changes": []])
        #expect(client.codes(app) == ["unknown-version"])
        client.notify("textDocument/didClose", ["textDocument": ["uri": .string(rules)]])
        #expect(client.codes(app) == [])
    }

    @Test("are not given for files that are no policy")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write(SmallPolicy.text, to: "policies/app.yaml")
        try folder.write("services: {}", to: "compose.yaml")
        let client = try Conversation()
        for (name, text) in [
            ("compose.yaml", "services: {}"), ("policies/.hidden.yaml", "a: b"),
            ("policies/tests/story.yaml", "usher: 1\nstory: A story\nsteps: []"),
        ] {
            client.open(FileAddress.uri(ofPath: folder.path + "/" + name), text)
            #expect(client.take().isEmpty, "\(name)")
        }
        client.open("untitled:other", "a: b")
        #expect(client.take().isEmpty)
        client.change("untitled:other", version: 2, [["text": "usher: 2"]])
        #expect(client.codes("untitled:other") == ["unknown-version"])
    }
}
