internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import PolicyLoading
internal import TestSupport
internal import Testing

@Suite("What happens to a policy folder", .timeLimit(.minutes(20)))
struct PolicyFolderAccidentTests {
    struct Accident: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let found: String
        let happen: @Sendable (_ folder: String) throws -> Void

        init(
            _ name: String, _ found: DiagnosticID,
            happen: @escaping @Sendable (String) throws -> Void
        ) {
            testDescription = name
            self.found = found.rawValue
            self.happen = happen
        }

        /// Something else in the place of the policy file.
        init(_ name: String, _ found: DiagnosticID, linkTo target: String) {
            self.init(name, found) { folder in
                try FileManager.default.removeItem(atPath: folder + "/policy.yaml")
                try FileManager.default.createSymbolicLink(
                    atPath: folder + "/policy.yaml", withDestinationPath: target)
            }
        }
    }

    static let accidents = [
        Accident("the file is deleted", .emptyFolder) {
            try FileManager.default.removeItem(atPath: $0 + "/policy.yaml")
        },
        Accident("the certificate is deleted", .missingCertificate) {
            try FileManager.default.removeItem(atPath: $0 + "/root.der")
        },
        Accident("a link that leads to nothing", .pathUnreadable, linkTo: "nothing.yaml"),
        Accident("a link to itself", .pathUnreadable, linkTo: "policy.yaml"),
        Accident("a link out of the folder", .pathOutside, linkTo: "/etc/passwd"),
        Accident("a folder in the place of the file", .pathNotAFile) {
            try FileManager.default.removeItem(atPath: $0 + "/policy.yaml")
            try FileManager.default.createDirectory(
                atPath: $0 + "/policy.yaml", withIntermediateDirectories: false)
        },
        Accident("the folder is gone", .folderMissing) {
            try FileManager.default.removeItem(atPath: $0)
        },
        Accident("the folder is another one, and empty", .emptyFolder) {
            try FileManager.default.removeItem(atPath: $0)
            try FileManager.default.createDirectory(
                atPath: $0, withIntermediateDirectories: false)
        },
        Accident("a file in the place of the folder", .folderMissing) {
            try FileManager.default.removeItem(atPath: $0)
            try Data("usher: 1\n".utf8).write(to: URL(filePath: $0))
        },
        Accident("the folder is a link to nothing", .folderMissing) {
            try FileManager.default.removeItem(atPath: $0)
            try FileManager.default.createSymbolicLink(
                atPath: $0, withDestinationPath: "/no/such/folder")
        },
    ]

    @Test("F28: the last good policy stays, says why, and goes on", arguments: accidents)
    func lastGoodPolicyStays(accident: Accident) async throws {
        let bench = try await ReloadBench()
        let shop = bench.shop
        try await shop.present(shop.purchase("unlock", .nonConsumable, id: "2"), as: "alice")
        let before = shop.engine.policy.digest
        try accident.happen(bench.folder)
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty)
        #expect(shop.engine.policy.digest == before)
        #expect(shop.engine.policyProblems.map(\.id) == [accident.found])
        #expect(try shop.answer("alice", "forever").decision)
        try? FileManager.default.removeItem(atPath: bench.folder)
        try FileManager.default.createDirectory(
            atPath: bench.folder, withIntermediateDirectories: false)
        try bench.replace(with: Shop.policy(trusting: shop.store, leeway: "2h"))
        #expect(try await bench.look(forMilliseconds: 3_000).count == 1)
        #expect(shop.engine.policyProblems.isEmpty)
    }

    @Test("F28: a folder that is a link, led to another folder, is the other one as a whole")
    func exchangedLink() async throws {
        let bench = try await ReloadBench()
        let other = bench.folder + "-2"
        try FileManager.default.moveItem(atPath: bench.folder, toPath: bench.folder + "-1")
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder, withDestinationPath: bench.folder + "-1")
        #expect(try await bench.look(forMilliseconds: 3_000).isEmpty, "the same contents")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let texts = Shop.policy(trusting: bench.shop.store, leeway: "3h")
        for text in texts { try Data(text.bytes).write(to: URL(filePath: other + "/" + text.path)) }
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder + ".new", withDestinationPath: other)
        #expect(rename(bench.folder + ".new", bench.folder) == 0)
        #expect(try await bench.look(forMilliseconds: 3_000) == [policyDigest(texts)])
    }

    /// Each version names in one file what only that version of the other defines.
    private static func texts(version: Int, in shop: Shop) -> [PolicyText] {
        let whole = Shop.policy(trusting: shop.store)
        let cut = whole[0].text.split(separator: "products:\n", maxSplits: 1).map(String.init)
        let entitlement = "of-version-\(version)"
        return [
            PolicyText(
                path: "policy.yaml",
                text: cut[0].replacing(
                    "entitlements: {", with: "entitlements: {\(entitlement): {title: New}, ")),
            PolicyText(
                path: "products.yaml",
                text: "products:\n"
                    + cut[1].replacing("[forever]", with: "[forever, \(entitlement)]")),
            whole[1],
        ]
    }

    @Test("F29: files that are changed in turn come into force together, or not at all")
    func filesInTurn() async throws {
        let bench = try await ReloadBench(policyGuard: .warn)
        var random = SplitMix64(seed: 29)
        var whole: Set<Digest256> = []
        try bench.replace(with: Self.texts(version: 0, in: bench.shop))
        #expect(try await bench.look(forMilliseconds: 2_000).count == 1)
        for version in 1...100 {
            let texts = Self.texts(version: version, in: bench.shop)
            whole.insert(policyDigest(texts))
            var activated: [Digest256] = []
            for text in texts.dropLast().shuffled(using: &random) {
                try bench.write(bytes: text.bytes, to: text.path)
                activated += try await bench.look(
                    forMilliseconds: Int64.random(in: 0...2_500, using: &random))
            }
            activated += try await bench.look(forMilliseconds: 2_000)
            #expect(activated == [policyDigest(texts)], "version \(version)")
        }
        #expect(whole.count == 100)
    }
}
