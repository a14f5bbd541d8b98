internal import EntitlementModel
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// A name that clears the screen, colours it, turns the text round, rings, goes back to the start
/// of the line and fakes a line of its own.
private let hostile = "a\u{1B}[2J\u{1B}[31mb\u{202E}c\u{7}\u{9B}d\re\nFAKE: all accepted\u{2028}f"

@Suite("What strangers wrote", .timeLimit(.minutes(20)))
struct HostileTextTests {
    /// Every command that says the name of a file, or what is in one.
    private static func commands(in folder: String, _ sockets: String) -> [[String]] {
        let file = folder + "/" + hostile
        return [
            ["inspect", file, "--any-bundle"], ["inspect", file + "?", "--any-bundle"],
            ["inspect", file, "--policies", file],
            ["inspect", file, "--any-bundle", "--root", file],
            ["ingest", file, "--sockets", sockets], ["ingest", file + "?", "--sockets", sockets],
            ["ingest", file + ".jsonl", "--sockets", sockets],
            ["ingest", file, "--ledger", file, "--policies", file],
            ["check", hostile, "premium"], ["check", "alice", hostile],
            ["check", "alice", "forever", "--sockets", folder + "/" + hostile + "/none"],
            ["show", hostile], ["show", "alice", "--ledger", file],
            ["show", "alice", "--at", hostile], ["explain", "alice", hostile],
            ["timeline", "alice", "--ledger", file], ["status", "--sockets", file],
            ["policy", "check", file], ["policy", "check", file + "?"],
            ["policy", "check", folder], ["policy", "show", folder],
            ["ledger", "verify", file], ["ledger", "stats", file], ["ledger", "export", file],
            ["ledger", "backup", file, file + "?"], ["ledger", "restore", file, file + "?"],
            ["simulate", "play", file, "--out", file + "?"],
            ["serve", "--config", file], ["serve", "--config", file + "?"],
            ["serve", "--set", "limits.connections=" + hostile],
            ["serve", "--set", hostile + "=1"],
            ["serve", "--set", "ledger=" + hostile, "--print-config"],
            ["grant", "alice", hostile, "--reason", "a", "--sockets", sockets],
            ["claims", "approve", hostile, "--reason", "a"], [hostile], ["--" + hostile],
        ]
    }

    @Test("is printed so that it does nothing, by every command, in text and in JSON")
    func harmless() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        let purchase = try shop.purchase("unlock", .nonConsumable, id: 1)
        let folder = try TemporaryFolder()
        try folder.write(purchase.dropLast(4) + "AAAA", to: hostile)
        try folder.write(#"{"payload": "x"}"# + "\n{\n", to: hostile + ".jsonl")
        try folder.write("usher: 1\n\(hostile.debugDescription): 1\n", to: "policy.yaml")
        var printed = 0
        for command in Self.commands(in: folder.path, service.sockets) {
            for options in [[], ["--lang", "zh"], ["--json"]] {
                // What is no option of theirs is one more thing that they quote.
                let run = try Program.run(command + options, folder: folder.path)
                for text in [run.output, run.errors] {
                    let faults = Self.faults(in: text)
                    #expect(faults.isEmpty, "\(command + options): \(faults)")
                    printed += text.isEmpty ? 0 : 1
                }
            }
        }
        #expect(printed > 90)
    }

    /// Scalars that do something, and lines that nobody but the stranger wrote.
    private static func faults(in text: String) -> [String] {
        let scalars = text.unicodeScalars.filter { scalar in
            scalar != "\n"
                && [.control, .format, .lineSeparator].contains(
                    scalar.properties.generalCategory)
        }
        return scalars.map { "U+" + String($0.value, radix: 16) }
            + text.split(separator: "\n").filter { $0.hasPrefix("FAKE") }.map { String($0) }
    }

    /// What is in evidence, which is read by people to find out what it is.
    @Test("is shown, in text and in JSON, as what it is")
    func contents() throws {
        let shop = try SimulatedShop()
        let transaction = try shop.purchase("unlock", .nonConsumable, id: 1)
        let payload = try #require(transaction.split(separator: ".").dropFirst().first)
        var claims = try #require(
            Data(base64Encoded: payload.padded).flatMap { try? parseJSON(Array($0)) })
        claims["storefront"] = .string(hostile)
        claims[hostile] = "x"
        let bytes = shop.store.sign(claims)
        let name = shop.folder.path + "/" + hostile
        try shop.folder.write(String(decoding: bytes, as: UTF8.self), to: hostile)
        let text = try Program.run(["inspect", name, "--policies", shop.policies, "--lang", "en"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(Self.faults(in: text.output) == [])
        let json = try Program.run(["inspect", name, "--policies", shop.policies, "--json"])
        #expect(Self.faults(in: json.output) == [])
        let read = try parseJSON(Array(json.output.utf8.dropLast()))
        #expect(read["file"]?.string == name)
        let printed = try #require(read["transactions"]?.elements?.first)
        #expect(printed["storefront"]?.string == hostile)
    }
}

@Suite("Verdicts of usher inspect", .timeLimit(.minutes(20)))
struct InspectVerdictTests {
    /// Three verdicts, and an exit code that a script can believe.
    @Test("are three, and only one of them is a yes")
    func verdicts() throws {
        let shop = try SimulatedShop()
        var impossible = try SimulatedShop.transaction("coins", .consumable)
        impossible.quantity = 1_000_000
        var foreign = try SimulatedShop.transaction("coins", .consumable)
        foreign.bundleID = "com.example.other"
        for (transaction, verdict, code, status) in [
            (try SimulatedShop.transaction("coins", .consumable), "accepted", nil, Int32(0)),
            (impossible, "quarantined", "implausible.quantity", 1),
            (foreign, "refused", "bind.bundle", 1),
        ] {
            try shop.folder.write(
                String(decoding: shop.store.sign(transaction.payload), as: UTF8.self),
                to: "a.jws")
            let command = [
                "inspect", shop.folder.path + "/a.jws", "--policies", shop.policies,
            ]
            let run = try Program.run(command + ["--json"])
            #expect(run.status == status, "\(verdict)")
            let json = try parseJSON(Array(run.output.utf8.dropLast()))
            #expect(json["verdict"]?.string == verdict)
            #expect(json["code"]?.string == code)
            let text = try Program.run(command + ["--lang", "en"])
            #expect(text.status == status)
            #expect(text.output.contains("verdict: " + verdict))
        }
    }

    /// A receipt as mail programs, editors and `base64` break it into lines.
    @Test("are the same whatever ends the lines of a receipt", arguments: ["\n", "\r\n"])
    func lines(end: String) throws {
        let receipt = try Data(
            contentsOf: Repository.url("fixtures/evidence/production/receipt-sha256.der"))
        let folder = try TemporaryFolder()
        let text = receipt.base64EncodedString()
        let lines = stride(from: 0, to: text.count, by: 76).map { start in
            String(text.dropFirst(start).prefix(76))
        }
        try folder.write(lines.joined(separator: end) + end, to: "a.base64")
        let run = try Program.run([
            "inspect", folder.path + "/a.base64", "--any-bundle", "--json", "--root",
            Repository.url("fixtures/evidence/simulator-receipt-root.pem").path,
        ])
        let json = try parseJSON(Array(run.output.utf8.dropLast()))
        #expect(json["verdict"]?.string == "accepted", "\(run.output)")
        #expect(run.status == 0)
    }
}

extension Substring {
    /// Base64 with padding, for Foundation.
    fileprivate var padded: String {
        let text = replacing("-", with: "+").replacing("_", with: "/")
        return text + String(repeating: "=", count: (4 - count % 4) % 4)
    }
}
