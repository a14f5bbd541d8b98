internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import StoreBox
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("A policy folder under change", .timeLimit(.minutes(20)))
struct ReloadTests {
    @Test("a valid change is in force within two seconds, with its text in the ledger")
    func change() async throws {
        let bench = try await ReloadBench()
        try bench.write(leeway: "2h")
        let activated = try await bench.look(forMilliseconds: 2_000)
        #expect(activated.count == 1)
        #expect(bench.shop.engine.policy.digest == activated.first)
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty, "once")
    }

    @Test("an error keeps the last good policy, says where, and goes when it is mended")
    func refusal() async throws {
        let bench = try await ReloadBench()
        _ = try await bench.look(forMilliseconds: 2_000)
        let before = bench.shop.engine.policy.digest
        try bench.write("usher: 1\napp: {bundle: x}\n")
        #expect(try await bench.look(forMilliseconds: 2_000).isEmpty)
        #expect(bench.shop.engine.policy.digest == before)
        #expect(bench.shop.engine.policyProblems.contains { $0.line == 2 })
        try bench.write(leeway: "3h")
        #expect(try await bench.look(forMilliseconds: 2_000).count == 1)
        #expect(bench.shop.engine.policyProblems.isEmpty)
    }

    /// As after SIGHUP.
    @Test(
        "what was refused is told once, and again to whoever asks anew", arguments: [true, false])
    func toldAgain(isWaiting: Bool) async throws {
        let bench = try await ReloadBench()
        try bench.write(leeway: "2h")
        _ = try await bench.look(forMilliseconds: 2_000)
        try bench.write(isWaiting ? Self.distrusting(bench) : "usher: 1\napp: {bundle: x}\n")
        var told = [0, 0, 0, 0]
        for (place, asks) in [false, false, true, false].enumerated() {
            var reloader = PolicyReloader(
                engine: bench.shop.engine, folder: bench.folder, tellsAgain: asks)
            for turn in 0..<12 {
                let now = Instant(milliseconds: 1_000_000 + Int64(turn) * 250)
                if await reloader.look(at: now) != nil { told[place] += 1 }
            }
        }
        #expect(told == [1, 0, 1, 0])
    }

    /// Less is believed, which waits whoever loses anything.
    private static func distrusting(_ bench: ReloadBench) -> String {
        bench.text(leeway: "2h").replacing(", sandbox: trusted", with: "")
    }

    /// What is in force once the texts stand and no account holds anything; nil for the one before.
    private static func expected(
        of texts: [PolicyText], after before: ActivePolicy
    ) -> Digest256? {
        loadPolicy(texts).policy.flatMap { policy in
            losses(from: before.history.current, to: policy).allSatisfy(\.isSeenInAccounts)
                ? policy.digest : nil
        }
    }

    @Test("every truncation of the policy file: none that is broken or fresh comes into force")
    func truncation() async throws {
        let bench = try await ReloadBench()
        let whole = Array(bench.text(leeway: "2h").utf8)
        for length in stride(from: 0, through: whole.count, by: 1) {
            try bench.write(bytes: Array(whole.prefix(length)))
            // Half a second later the next byte comes: no state stands for a second.
            #expect(try await bench.look(forMilliseconds: 500).isEmpty, "at byte \(length)")
        }
        #expect(try await bench.look(forMilliseconds: 1_500).count == 1, "the last one stands")
    }

    @Test("every truncation of every example file: none that is broken or fresh comes into force")
    func exampleTruncation() async throws {
        let bench = try await ReloadBench()
        let examples = try readPolicyFolder(Repository.path("policies"))
        #expect(examples.count >= 3)
        try bench.replace(with: examples)
        try await bench.accept()
        for example in examples {
            for length in 0...example.bytes.count {
                try bench.write(bytes: Array(example.bytes.prefix(length)), to: example.path)
                #expect(
                    try await bench.look(forMilliseconds: 250).isEmpty,
                    "\(example.path) at byte \(length)")
            }
            #expect(
                try await bench.look(forMilliseconds: 1_500).isEmpty, "whole again: no change")
        }
    }

    @Test("truncations of the example files that stand: refused, waiting, or in force whole")
    func standingExampleTruncations() async throws {
        let bench = try await ReloadBench()
        let examples = try readPolicyFolder(Repository.path("policies"))
        try bench.replace(with: examples)
        try await bench.accept()
        for (place, example) in examples.enumerated() {
            for length in stride(from: 0, to: example.bytes.count, by: 61) {
                var texts = examples
                texts[place].bytes = Array(example.bytes.prefix(length))
                try bench.write(bytes: texts[place].bytes, to: example.path)
                let before = bench.shop.engine.policy
                let expected = Self.expected(of: texts, after: before)
                _ = try await bench.look(forMilliseconds: 1_500)
                #expect(
                    bench.shop.engine.policy.digest == expected ?? before.digest,
                    "\(example.path) at byte \(length)")
            }
            try bench.write(bytes: example.bytes, to: example.path)
        }
    }

    @Test("broken states that stand are refused; valid ones that stand come into force whole")
    func standingTruncations() async throws {
        let bench = try await ReloadBench()
        let whole = Array(bench.text(leeway: "2h").utf8)
        for length in stride(from: 0, through: whole.count, by: 7) {
            let bytes = Array(whole.prefix(length))
            try bench.write(bytes: bytes)
            let texts = [
                PolicyText(path: "policy.yaml", bytes: bytes),
                PolicyText(path: "root.der", bytes: bench.shop.store.root.der),
            ]
            let before = bench.shop.engine.policy
            let expected = Self.expected(of: texts, after: before)
            _ = try await bench.look(forMilliseconds: 1_500)
            #expect(
                bench.shop.engine.policy.digest == expected ?? before.digest, "\(length) bytes")
        }
    }

    @Test("random edits, renames and link swaps under questions: never a failed or mixed answer")
    func chaos() async throws {
        let bench = try await ReloadBench(policyGuard: .warn)
        let bytes = try bench.shop.purchase("unlock", .nonConsumable, id: "2")
        try await bench.shop.present(bytes, as: "alice")
        let end = End()
        let asked = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var count = 0
                while !end.hasCome {
                    let answer = try bench.shop.answer("alice", "forever")
                    #expect(answer.decision)
                    count += 1
                    await Task.yield()
                }
                return count
            }
            var random = SplitMix64(seed: 42)
            var activations = 0
            for _ in 0..<150 {
                try bench.disturb(&random)
                let activated = try await bench.look(
                    forMilliseconds: Int64.random(in: 100...2_500, using: &random))
                for digest in activated { #expect(bench.hasStood(digest)) }
                activations += activated.count
            }
            #expect(activations > 10)
            end.come()
            return try await group.reduce(0, +)
        }
        #expect(asked > 0)
    }
}

/// Tells the questions that the changes are over.
private final class End: Sendable {
    private let flag = Atomic<Bool>(false)

    var hasCome: Bool { flag.load(ordering: .relaxed) }

    func come() { flag.store(true, ordering: .relaxed) }
}

/// A policy folder, an engine that was opened with it, and a clock that only the test moves.
final class ReloadBench: @unchecked Sendable {
    // Changed by the one task that runs the test; others only ask the engine.
    let shop: Shop
    let folder: String
    private var reloader: PolicyReloader
    private var now = Instant(milliseconds: 0)
    /// When each content of the folder was last written.
    private var written: (digest: Digest256, at: Instant)?

    init(policyGuard: PolicyGuard = .refuse) async throws {
        shop = try await Shop(policyGuard: policyGuard)
        folder = shop.folder + "/policies"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        reloader = PolicyReloader(engine: shop.engine, folder: folder)
        try Data(shop.store.root.der).write(to: URL(filePath: folder + "/root.der"))
        try write(leeway: "1h")
        _ = try await look(forMilliseconds: 1_500)
    }

    func text(leeway: String) -> String {
        Shop.policy(trusting: shop.store, leeway: leeway)[0].text
    }

    func write(leeway: String) throws { try write(text(leeway: leeway)) }

    func write(_ text: String) throws { try write(bytes: Array(text.utf8)) }

    func write(bytes: [UInt8], to path: String = "policy.yaml") throws {
        try Data(bytes).write(to: URL(filePath: folder + "/" + path))
        noteContents()
    }

    /// Puts these files into the folder, and nothing else.
    func replace(with texts: [PolicyText]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        for text in texts { try write(bytes: text.bytes, to: text.path) }
    }

    /// Has a person put the folder into force, whatever it takes away.
    func accept() async throws {
        let consent = PolicyConsent.person(actor: "uid:0", reason: "a test", accountsAtMost: 1_000)
        let report = try await shop.engine.reloadPolicy(from: folder, consent: consent)
        guard case .activated = report else {
            Issue.record("not in force: \(report)")
            return
        }
    }

    /// Looks four times a second for that long.
    /// - Returns: what came into force.
    func look(forMilliseconds length: Int64) async throws -> [Digest256] {
        var activated: [Digest256] = []
        let end = now.advanced(byMilliseconds: length)
        while now < end {
            if case .activated(let digest, _)? = await reloader.look(at: now) {
                activated.append(digest)
            }
            now = now.advanced(byMilliseconds: 250)
        }
        return activated
    }

    /// Whether these contents have been in the folder, unchanged, for a second.
    func hasStood(_ digest: Digest256) -> Bool {
        guard let written, written.digest == digest else { return false }
        return now.milliseconds(since: written.at) >= 1_000
    }

    /// Does one of the things that editors, deployments and accidents do.
    func disturb(_ random: inout SplitMix64) throws {
        let path = folder + "/policy.yaml"
        let good = Array(text(leeway: "\(Int.random(in: 1...9, using: &random))h").utf8)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try write(bytes: Array(good.prefix(Int.random(in: 0...good.count, using: &random))))
        case 1:
            var bytes = good
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            try write(bytes: bytes)
        case 2:
            try? FileManager.default.removeItem(atPath: path)
            noteContents()
        case 3:
            try Data(good).write(to: URL(filePath: path), options: .atomic)
            noteContents()
        default:
            let target = folder + "/../version-\(random.next() % 1_000).yaml"
            try Data(good).write(to: URL(filePath: target))
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: target)
            noteContents()
        }
    }

    private func noteContents() {
        guard let texts = try? readPolicyFolder(folder) else {
            written = nil
            return
        }
        written = (policyDigest(texts), now)
    }
}
