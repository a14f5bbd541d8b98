internal import TestSupport
internal import Testing

@testable internal import PolicyTools

@Suite("Frames of messages", .timeLimit(.minutes(20)))
struct FramingTests {
    private func read(_ parts: [[UInt8]]) throws(MessageReader.Failure) -> [String] {
        var reader = MessageReader()
        var messages: [String] = []
        for part in parts {
            reader.append(part)
            while let message = try reader.next() {
                messages.append(String(decoding: message, as: UTF8.self))
            }
        }
        return messages
    }

    @Test("are found however the stream is cut")
    func cutAnywhere() throws {
        let texts = ["{}", "", "{\"a\":\"高级 🙂\"}", "\r\n\r\nContent-Length: 3\r\n\r\nabc"]
        let stream = texts.flatMap { framed(Array($0.utf8)) }
        for size in 1...stream.count {
            let parts = stride(from: 0, to: stream.count, by: size).map {
                Array(stream[$0..<min($0 + size, stream.count)])
            }
            #expect(try read(parts) == texts, "in parts of \(size)")
        }
    }

    @Test(
        "may have other fields, and names in any case",
        arguments: [
            "content-length: 2", "CONTENT-LENGTH:2", "Content-Length:   2",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2",
            "Content-Length: 2\r\nContent-Type: a; charset=\"utf8\"", "X: :\r\nContent-Length: 2",
        ])
    func fields(header: String) throws {
        #expect(try read([Array((header + "\r\n\r\n{}").utf8)]) == ["{}"])
    }

    @Test(
        "that are none end the stream",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", MessageReader.Failure.malformedHeader),
            ("Content-Length: -1\r\n\r\n", .malformedHeader),
            ("Content-Length: +1\r\n\r\n", .malformedHeader),
            ("Content-Length: 1e3\r\n\r\n", .malformedHeader),
            ("Content-Length: \r\n\r\n", .malformedHeader),
            ("Content-Length: 99999999999999999999\r\n\r\n", .malformedHeader),
            ("Content-Length: 1\r\nContent-Length: 1\r\n\r\n", .malformedHeader),
            (": 1\r\n\r\n", .malformedHeader), ("\r\n\r\n", .missingLength),
            ("X: 1\r\n\r\n", .missingLength),
            ("Content-Type: a; charset=utf-16\r\nContent-Length: 1\r\n\r\n", .unknownEncoding),
            ("Content-Length: 16777217\r\n\r\n", .messageTooLarge),
        ])
    func failures(header: String, failure: MessageReader.Failure) {
        #expect(throws: failure) { try read([Array(header.utf8)]) }
    }

    @Test("have a header of bounded length")
    func longHeader() {
        let line = Array(String(repeating: "x", count: MessageReader.headerBytes).utf8)
        #expect(throws: MessageReader.Failure.headerTooLarge) { try read([line]) }
        #expect(throws: Never.self) { try read([Array(line.dropLast())]) }
    }
}
