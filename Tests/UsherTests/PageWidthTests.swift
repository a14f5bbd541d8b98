internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

/// What support reads, measured as a terminal of 80 columns has it.
@Suite("The width of pages", .timeLimit(.minutes(20)))
struct PageWidthTests {
    @Test("no page about the accounts of the demo is wider than 80 columns, in either language")
    func pages() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(folder: folder.path, policies: Repository.path("demo"))
        let sockets = ["USHER_SOCKETS": service.sockets]
        let evidence = Repository.path("fixtures/evidence/purchases.jsonl")
        #expect(try Program.run(["ingest", evidence], environment: sockets).status == 0)
        for language in ["en", "zh"] {
            for command in Self.commands {
                let run = try Program.run(
                    command.split(separator: " ").map(String.init) + ["--lang", language],
                    environment: sockets)
                #expect([0, 1].contains(run.status), "\(command): \(run.errors)")
                for line in (run.output + run.errors).split(separator: "\n") {
                    #expect(Self.columns(of: line) <= 80, "\(command): \(line)")
                }
            }
        }
        #expect(service.stop() == 0)
    }

    @Test("a page that is wrapped has each id and each date whole")
    func whole() throws {
        let folder = try TemporaryFolder()
        let service = try RunningService(folder: folder.path, policies: Repository.path("demo"))
        let sockets = ["USHER_SOCKETS": service.sockets]
        let evidence = Repository.path("fixtures/evidence/purchases.jsonl")
        #expect(try Program.run(["ingest", evidence], environment: sockets).status == 0)
        for account in Self.accounts {
            let json = try Program.run(["show", account, "--json"], environment: sockets)
            let texts = Self.texts(of: try parseJSON(Array(json.output.utf8)))
            #expect(texts.count > 5)
            for language in ["en", "zh"] {
                let page = try Program.run(
                    ["show", account, "--lang", language], environment: sockets)
                // As it would be on one line: what the wrapping has split is in it no more.
                let line = page.output.replacing("\n", with: " ")
                for text in texts { #expect(line.contains(text), "\(account): \(text)") }
            }
        }
        #expect(service.stop() == 0)
    }

    private static let accounts = ["alice", "bruno", "chloe", "dmitri", "emma"]

    private static var commands: [String] {
        let file = Repository.path("fixtures/evidence/production/non-consumable-1-purchase.jws")
        let ofAccounts = accounts.flatMap { account in
            [
                "show", "show --at 2026-03-20", "explain ENTITLEMENT", "findings", "credits",
                "credits --statement", "catalog", "claims list", "orders list", "find",
                "preflight com.example.reader.weekly", "check ENTITLEMENT",
            ].flatMap { command in
                let words = command.split(separator: " ", maxSplits: 1).map(String.init)
                let isGroup = ["claims", "orders"].contains(words[0])
                let line =
                    isGroup
                    ? "\(command) \(account)"
                    : ([words[0], account] + words.dropFirst()).joined(separator: " ")
                return ["premium", "no-ads", "weekly"].prefix(line.contains("ENTITLEMENT") ? 3 : 1)
                    .map { line.replacing("ENTITLEMENT", with: $0) }
            }
        }
        return ofAccounts + [
            "status", "findings", "changes", "claims list", "claims review", "orders lost",
            "refunds list --all", "refunds preview", "evidence waiting", "policy scheduled",
            "changes undelivered", "find 400000000001001", "find com.example.nothing.of.that.name",
            "inspect \(file) --policies \(Repository.path("demo"))",
        ]
    }

    /// A Chinese character is two columns wide.
    private static func columns(of line: Substring) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }

    /// The ids of what was bought, and when it was claimed.
    private static func texts(of report: JSONValue) -> Set<String> {
        let units = (report["units"]?.elements ?? []).flatMap {
            [$0["lineage"], $0["purchase"]?["product"], $0["apple_id"]]
        }
        let claims = (report["claims"]?.elements ?? []).flatMap {
            [$0["transaction"], $0["recorded_at"]]
        }
        return Set((units + claims).compactMap { $0?.string })
    }
}
