internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import EntitlementServer

/// The shop's policy, and one by which nobody has anything.
private let texts = [
    ServedShop.policy,
    ServedShop.policy + """

        access:
          - {name: nobody today, when: {kind: auto-renewable}, then: withhold}

        """,
]

private let accepted = #"{"reason":"a test","accept_loss":1000}"#

@Suite("Policies that change while questions are asked", .timeLimit(.minutes(20)))
struct ReloadRaceTests {
    @Test("E9: an answer is by one policy, and names it")
    func onePolicy() async throws {
        let shop = try await ServedShop()
        let folder = try Self.policyFolder(of: shop)
        try await shop.serving {
            $0.policyFolder = folder.path
            // However long the reloads take on a busy machine, the reader is waited for.
            $0.timeouts.write = 600
        } _: { (shop: ServedShop) throws in
            let connection = try LocalConnection(path: shop.querySocket, secondsToWait: 300)
            var answers: [UInt8] = []
            var decisions: [String: Bool] = [:]
            try whileWriting(Self.questions, to: connection) {
                for round in 0..<20 {
                    let text = Data(texts[(round + 1) % 2].utf8)
                    try text.write(to: folder.appending(path: "p.yaml"))
                    let reload = try shop.exchange(
                        shop.operationsSocket, .post("/v1/policy/reload", accepted))
                    #expect(reload.status == 200, "\(reload.text)")
                    let digest = try parseJSON(reload.body)["policy"]?.string
                    decisions[try #require(digest)] = round % 2 == 1
                    // Enough that the service goes on with what waited for a reader.
                    let enough = answers.count + 100_000
                    while answers.count < enough {
                        let some = try connection.readSome()
                        try #require(!some.isEmpty, "the service hung up")
                        answers += some
                    }
                }
                answers += try connection.readToEnd()
            }
            connection.close()
            try check(answers, decisions)
        }
    }

    @Test("F33: a storm of reloads puts a changed folder into force once")
    func storm() async throws {
        let shop = try await ServedShop()
        let folder = try Self.policyFolder(of: shop)
        try await shop.serving {
            $0.policyFolder = folder.path
        } _: { (shop: ServedShop) throws in
            let reload = WireRequest.post("/v1/policy/reload", accepted)
            for round in 1...6 {
                let text = Data(texts[round % 2].utf8)
                try text.write(to: folder.appending(path: "p.yaml"))
                let before = shop.engine.revision.number
                let answers = try shop.atOnce(Array(repeating: reload, count: 32))
                #expect(answers.map(\.status) == Array(repeating: 200, count: 32))
                let digests = try answers.map { try parseJSON($0.body)["policy"]?.string }
                #expect(Set(digests) == [shop.engine.policy.digest.hexadecimal])
                #expect(shop.engine.revision.number == before + 1, "round \(round)")
            }
        }
    }

    /// A folder that holds the root and no policy yet.
    private static func policyFolder(of shop: ServedShop) throws -> URL {
        let folder = URL(filePath: shop.folder.path + "/policies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(shop.store.root.der).write(to: folder.appending(path: "root.der"))
        return folder
    }

    private static let count = 5_000

    /// All at once, the last one closing the connection.
    private static var questions: [UInt8] {
        let last = WireRequest.get("/v1/accounts/alice/entitlements/premium").bytes
        let keeping = String(decoding: last, as: UTF8.self)
            .replacing("Connection: close\r\n", with: "")
        return Array(String(repeating: keeping, count: count - 1).utf8) + last
    }

    private func check(_ bytes: [UInt8], _ decisions: [String: Bool]) throws {
        let bodies = bytes.split(separator: ASCII.lineFeed)
            .filter { $0.first == UInt8(ascii: "{") }
        #expect(bodies.count == Self.count)
        var seen: Set<String> = []
        for body in Set(bodies.map { $0.prefix(through: $0.lastIndex(of: UInt8(ascii: "}")) ?? 0) })
        {
            let answer = try parseJSON(Array(body))
            let digest = try #require(answer["policy"]?.string)
            // The first answers are by the policy that the shop was opened with.
            #expect(answer["decision"]?.bool == decisions[digest] ?? true)
            seen.insert(digest)
        }
        #expect(seen.count > 1)
    }
}
