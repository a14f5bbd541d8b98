internal import Testing

@testable internal import EntitlementServer

@Suite("Hostile requests", .timeLimit(.minutes(20)))
struct HostileRequestTests {
    /// A second request behind the refused one must never be answered.
    @Test(
        "are refused once and the connection is closed",
        arguments: hostileRequests.flatMap(\.requests))
    func refused(_ request: HostileRequest) {
        let behind = "GET /behind HTTP/1.1\r\nHost: x\r\n\r\n"
        let conversation = Conversation(request.text + behind)
        #expect(conversation.statuses == [request.status])
        #expect(conversation.isClosed)
        #expect(conversation.output.contains("\r\nConnection: close\r\n"))
        #expect(conversation.output.contains("application/problem+json"))
    }

    @Test(
        "refused alike wherever they are cut",
        arguments: hostileRequests.filter { $0.row <= "G4" }.flatMap(\.requests)
            .filter { $0.text.utf8.count < 500 })
    func cutAnywhere(_ request: HostileRequest) {
        let bytes = Array(request.text.utf8)
        let whole = Conversation([bytes])
        for cut in 1..<bytes.count {
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(Conversation(pieces) == whole, "cut at \(cut)")
        }
    }
}
