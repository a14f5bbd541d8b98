internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import PolicyTools
internal import StoreBox
internal import TestSupport
internal import Testing

/// An engine that trusts the store of a play, with the plays' own policy.
final class PlayedShop: Sendable {
    static let folder = Repository.url("fixtures/plays")

    /// The plays, by name.
    static let plays: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        let plays = (files ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
        precondition(!plays.isEmpty, "there are plays in fixtures/plays")
        return plays
    }()

    private let temporary: TemporaryFolder
    let ledger: TestLedger
    let clock: SetClock
    private let texts: [PolicyText]
    let engine: EntitlementEngine

    init(
        trusting played: PlayedEvidenceSet, on ledger: TestLedger.Store = TestLedger.usual
    ) async throws {
        temporary = try TemporaryFolder()
        self.ledger = TestLedger(ledger, in: temporary)
        clock = SetClock(Play.start)
        texts = try Self.policy(trusting: played)
        engine = try await EntitlementEngine.open(
            EngineOptions(ledger: self.ledger, policyTexts: texts, clock: clock))
    }

    /// The plays' policy, which trusts these roots.
    static func policy(trusting played: PlayedEvidenceSet) throws -> [PolicyText] {
        var texts = try ["app.yaml", "catalog.yaml"].map { name in
            let file = folder.appending(path: "policy/" + name)
            return PolicyText(path: name, bytes: Array(try Data(contentsOf: file)))
        }
        let receiptRoot = played.receiptRoot ?? played.root
        texts.append(PolicyText(path: "root.pem", text: played.root.pem))
        texts.append(PolicyText(path: "receipt-root.pem", text: receiptRoot.pem))
        return texts
    }

    /// A second engine on the same ledger, with nothing in memory; closes the first.
    func reopened() async throws -> EntitlementEngine {
        try engine.close()
        return try await EntitlementEngine.open(
            EngineOptions(ledger: ledger, policyTexts: texts, clock: clock))
    }

    /// A story that signs everything that it says.
    static func story(_ name: String) throws -> Story {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let report = readStory(PolicyText(path: name, text: text), policy: nil)
        return try #require(report.story, "\(report.diagnostics)")
    }

    static func play(_ name: String) throws -> Play { try story(name).play(with: nil) }

    /// Hands in one piece, at the instant `now`.
    @discardableResult
    func handIn(_ piece: PlayedEvidence, at now: Instant) async throws -> SubmissionReport {
        clock.set(now)
        let account = try piece.account.map { try #require(AccountID($0)) }
        let reports = try await engine.submit([
            EvidenceSubmission(payload: piece.bytes, account: account, moment: piece.moment)
        ])
        return try #require(reports.first)
    }
}
