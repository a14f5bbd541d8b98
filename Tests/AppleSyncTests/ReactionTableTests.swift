internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import AppleSync

/// The tables of docs/APP_STORE.md.
enum ReactionTable {
    /// The cells of the table below a heading, without the heads.
    static func rows(below heading: String) throws -> [[String]] {
        let text = try String(
            contentsOf: Repository.url("docs/APP_STORE.md"), encoding: .utf8)
        let section = try #require(text.split(separator: "\n### \(heading)\n").last)
        let lines = section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex)
            .split(separator: "\n### ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        return lines.dropFirst().map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
    }
}

/// Every row of them, sent.
@Suite("What an answer of Apple's means", .timeLimit(.minutes(5)))
struct ReactionTableTests {
    @Test("of the App Store Server API, row by row")
    func serverAPI() async throws {
        let rows = try ReactionTable.rows(below: "App Store Server API")
        #expect(rows.count >= 35)
        for row in rows {
            for environment in [nil, StoreEnvironment.production, .sandbox] {
                let servers = ScriptedServers(always: try Self.answer(row))
                let client = try Sample.client(servers)
                let failure = await Sample.failure { () async throws(AppStoreFailure) in
                    // The only one without a body of its own in its answer.
                    try await client.ask(in: environment) { environment throws(AppStoreFailure) in
                        try await client.finish(Sample.id, in: environment)
                    }
                }
                #expect((failure?.kind.rawValue ?? "") == row[2], "\(row)")
                let leadsToSandbox = environment == nil && row[4] == "yes"
                let sent = try #require(Int(row[3]))
                #expect(
                    servers.count(to: Sample.production) == (environment == .sandbox ? 0 : sent),
                    "\(row)")
                #expect(
                    servers.count(to: Sample.sandbox)
                        == (environment == .sandbox || leadsToSandbox ? sent : 0), "\(row)")
            }
        }
    }

    private static func answer(
        _ row: [String]
    ) throws -> Result<TransportResponse, TransportFailure> {
        if let failure = TransportFailure(rawValue: row[0]) { return .failure(failure) }
        let status = try #require(Int(row[0]), "\(row)")
        guard !row[1].isEmpty else { return .status(status, "<html>") }
        let code = try #require(Int64(row[1]))
        return .json(["errorCode": .integer(code), "errorMessage": "no"], status: status)
    }

    @Test("every way that a connection can fail is in the table")
    func failuresAreListed() throws {
        let first = Set(try ReactionTable.rows(below: "App Store Server API").map { $0[0] })
        #expect(first.isSuperset(of: TransportFailure.allCases.map(\.rawValue)))
    }

    @Test("of verifyReceipt, row by row")
    func verifyReceipt() async throws {
        let rows = try ReactionTable.rows(below: "verifyReceipt")
        #expect(rows.count >= 28)
        for row in rows {
            let inProduction = try Self.receiptAnswer(row[0], retryable: row[1], .production)
            let inSandbox = try Self.receiptAnswer(
                row[2].isEmpty ? "0" : row[2], retryable: "", .sandbox)
            let servers = ScriptedServers { request, _ in
                request.url.hasPrefix(Sample.production) ? inProduction : inSandbox
            }
            let client = try Sample.client(servers)
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await client.verifyReceipt("AAAA")
            }
            #expect((failure?.kind.rawValue ?? "") == row[3], "\(row)")
            let sent = row[4].split(separator: " + ").map(String.init)
            #expect("\(servers.count(to: Sample.production))" == sent[0], "\(row)")
            #expect("\(servers.count(to: Sample.sandbox))" == sent[1], "\(row)")
            let status = row[0].hasPrefix("HTTP") ? nil : row[2].isEmpty ? row[0] : row[2]
            // Of two servers that refer to each other, the last word.
            let code = status == "21008" && row[0] == "21007" ? "21007" : status
            if let failure { #expect(failure.code.map { "\($0)" } == code, "\(row)") }
        }
    }

    private static func receiptAnswer(
        _ text: String, retryable: String, _ environment: StoreEnvironment
    ) throws -> Result<TransportResponse, TransportFailure> {
        if text.hasPrefix("HTTP ") {
            return .status(try #require(Int(text.dropFirst(5))), "<html>")
        }
        let status = try #require(Int64(text), "\(text)")
        var body: JSONValue = ["status": .integer(status)]
        if [0, 21_006].contains(status) { body["environment"] = .string(environment.signedName) }
        if !retryable.isEmpty { body["is_retryable"] = try parseJSON(Array(retryable.utf8)) }
        return .json(body)
    }

    @Test("of verifyReceipt with the old spelling of a member, and in the old form")
    func spellings() async throws {
        let servers = ScriptedServers(
            always: .json(["status": "21100", "is-retryable": .integer(0)]))
        let client = try Sample.client(servers)
        let failure = await Sample.failure { () async throws(AppStoreFailure) in
            try await client.verifyReceipt("AAAA")
        }
        #expect(failure == AppStoreFailure(.rejected, code: 21_100, httpStatus: 200))
        let old = ScriptedServers(always: .json(["status": 0, "receipt": ["bid": "x"]]))
        let answer = try await Sample.client(old).verifyReceipt("AAAA")
        #expect(answer.environment == .production)
    }

    @Test("an app that was never released is looked for in the sandbox on 401 too")
    func unreleased() async throws {
        for isReleased in [true, false] {
            let servers = ScriptedServers { request, _ in
                request.url.hasPrefix(Sample.production)
                    ? .status(401) : .json(Sample.transaction(environment: .sandbox))
            }
            let client = try Sample.client(servers) { $0.isReleased = isReleased }
            let failure = await Sample.failure { () async throws(AppStoreFailure) in
                try await client.transaction(Sample.id, in: nil)
            }
            #expect(failure?.kind == (isReleased ? .unauthorized : nil))
            #expect(servers.count(to: Sample.sandbox) == (isReleased ? 0 : 1))
        }
    }
}
