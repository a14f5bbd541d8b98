// Submits a purchase and asks about it, with SwiftNIO: ask-example SOCKETS EVIDENCE
// AsyncHTTPClient reuses connections; it takes a socket as URL(httpURLWithSocketPath:uri:).
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// The members of answers that are read here; `status`, `code` and `detail` are a problem's.
struct Answer: Decodable {
    struct Transaction: Decodable { let transaction, verdict: String }
    struct Context: Decodable { let reason: String }
    let transactions: [Transaction]?
    let decision: Bool?
    let context: Context?
    let state, code, detail: String?
    let status: Int?
}

struct NoAnswer: Error {}

/// One question on a connection of its own, which is closed once the time is over.
func ask(
    _ socket: String, _ uri: String, post body: Data? = nil, within limit: TimeAmount = .seconds(2)
) async throws -> Answer {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(unixDomainSocketPath: socket) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel)
            }
        }
    let head = HTTPRequestHead(
        version: .http1_1, method: body == nil ? .GET : .POST, uri: uri,
        headers: [
            "Host": "localhost", "Content-Type": "application/json",
            "Content-Length": "\(body?.count ?? 0)",
        ])
    return try await channel.executeThenClose { answers, questions in
        try await questions.write(.head(head))
        try await questions.write(.body(.byteBuffer(ByteBuffer(bytes: body ?? Data()))))
        try await questions.write(.end(nil))
        var text = Data()
        for try await part in answers {
            if case .body(let bytes) = part { text.append(contentsOf: bytes.readableBytesView) }
            if case .end = part { return try JSONDecoder().decode(Answer.self, from: text) }
        }
        throw NoAnswer()
    }
}

let (sockets, file) = (CommandLine.arguments[1], CommandLine.arguments[2])
let (query, operations) = (sockets + "/query.sock", sockets + "/usher.sock")
let rights = "/v1/accounts/bruno/entitlements"

// Evidence, from the service that the app sends its transactions to.
let payload = try String(contentsOfFile: file, encoding: .utf8)
let body = try JSONEncoder().encode(["account": "bruno", "payload": payload])
for one in try await ask(operations, "/v1/evidence", post: body).transactions ?? [] {
    print("evidence: transaction \(one.transaction) \(one.verdict)")
}

// A question in the form of AuthZEN.
let question = """
    {"subject": {"type": "account", "id": "bruno"}, "action": {"name": "use"},
     "resource": {"type": "entitlement", "id": "no-ads"}}
    """
let found = try await ask(query, "/access/v1/evaluation", post: Data(question.utf8))
print("evaluation: \(found.decision ?? false) (\(found.context?.reason ?? "no reason"))")

// The same question as a plain GET.
let right = try await ask(query, rights + "/no-ads")
print("entitlement: \(right.decision ?? false) (\(right.state ?? "no state"))")

// A problem has a status and a stable code. Repeat a 429 or 503 after its Retry-After.
let problem = try await ask(query, rights + "/no-such-thing")
if let status = problem.status, let code = problem.code { print("problem: \(status) \(code)") }

// Set a time-out and decide what no answer means for your product. (This question waits for a
// revision that the ledger has not reached.)
do {
    _ = try await ask(query, rights + "?min_revision=999999", within: .milliseconds(200))
} catch is NoAnswer {
    print("time-out: no answer")
}
