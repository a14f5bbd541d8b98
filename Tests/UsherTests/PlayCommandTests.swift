internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import StoreBox
internal import StrictJSON
internal import TestSupport
internal import Testing

@Suite("usher simulate play, and what comes of it", .timeLimit(.minutes(20)))
struct PlayCommandTests {
    private static let fixtures = Repository.path("fixtures/plays")

    private static let play = fixtures + "/a-year-of-gold.yaml"

    /// The plays' policy with the roots that the simulator wrote.
    static func policies(in folder: TemporaryFolder) throws -> String {
        let policies = folder.path + "/policies"
        let manager = FileManager.default
        try manager.createDirectory(atPath: policies, withIntermediateDirectories: true)
        for name in ["app.yaml", "catalog.yaml"] {
            try manager.copyItem(
                atPath: fixtures + "/policy/" + name, toPath: policies + "/" + name)
        }
        for name in ["root.pem", "receipt-root.pem"] {
            try manager.copyItem(
                atPath: folder.path + "/played/" + name, toPath: policies + "/" + name)
        }
        return policies
    }

    @Test("to files, ingested by a running service; then to its socket, which adds nothing")
    func playsToFilesAndSocket() throws {
        let folder = try TemporaryFolder()
        let written = try Program.run([
            "simulate", "play", Self.play, "--out", folder.path + "/played", "--lang", "en",
        ])
        #expect(written.status == 0, "\(written.errors)")
        #expect(written.output == "27 items of evidence\n11 not checked\n")
        #expect(
            written.errors == "\(Self.play): not checked, needs --socket: lines "
                + "11, 12, 13, 16, 19, 30, 31, 32, 34, 36, 38\n")
        let service = try RunningService(
            folder: folder.path, policies: try Self.policies(in: folder))
        let sockets = ["--sockets", service.sockets, "--lang", "en"]
        let ingest = try Program.run(
            ["ingest", folder.path + "/played/evidence.jsonl"] + sockets)
        #expect(
            ingest.output
                == "27 submitted: 27 accepted, 0 quarantined, 0 refused; claims denied: 0\n")
        func checks(_ day: String) throws -> Int32 {
            try Program.run(["check", "alice", "premium", "--at", day, "-q"] + sockets).status
        }
        #expect(try checks("2026-01-16") == 0)
        #expect(try checks("2026-05-21") == 1)
        let socket = service.sockets + "/usher.sock"
        let sent = try Program.run([
            "simulate", "play", Self.play, "--socket", socket, "--reorder", "--repeat", "--json",
        ])
        #expect(sent.status == 0, "\(sent.errors)")
        let told = try parseJSON(Array(sent.output.utf8))
        #expect(told["refused"]?.int64 == 0 && told["skipped"]?.int64 == 0)
        #expect(sent.errors.isEmpty)
        let wrong = try String(contentsOfFile: Self.play, encoding: .utf8)
            .replacing("2026-05-21: expect alice lacks", with: "2026-05-21: expect alice has")
        try folder.write(wrong, to: "wrong.yaml")
        let failed = try Program.run([
            "simulate", "play", folder.path + "/wrong.yaml", "--socket", socket, "--lang", "en",
        ])
        #expect(failed.status == 1)
        #expect(failed.errors.contains("expected alice has premium, got alice lacks premium"))
        #expect(try checks("2026-01-16") == 0)
        #expect(try checks("2026-05-21") == 1)
        #expect(service.stop() == 0)
    }

    private static let twoAppleIDs = """
        usher: 1
        story: Two Apple IDs
        products:
          gold: {id: gold, kind: auto-renewable, group: "1", period: 1mo}
          forever: {id: for-ever, kind: non-consumable}
        steps:
          - 2026-01-01: zoe buys gold with Apple ID Z1 as G1
          - 2026-01-02: expect no finding duplicate-apple-id about zoe
          - 2026-01-03: zoe buys gold with Apple ID Z2 as G2
          - 2026-01-04: expect finding duplicate-apple-id about zoe
          - 2026-01-04: expect G1 belongs to zoe
          - 2026-01-05: support grants zoe lifetime
          - 2026-01-06: zoe buys forever with Apple ID Z3 as F without presenting it
          - 2026-01-06: expect F belongs to nobody
          - 2026-01-07: expect preflight of gold for zoe is block
          - 2026-01-07: expect preflight of forever for bob with Apple ID B1 is proceed
          - 2026-01-07: expect claim of zoe on G1 is accepted
          - 2026-01-07: expect finding duplicate-apple-id

        """

    private static let noDuplicate = "expect no finding duplicate-apple-id about"

    @Test("findings, owners and preflight are checked, and what is not is said with its lines")
    func otherExpectations() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/two.yaml"
        try folder.write(Self.twoAppleIDs, to: "two.yaml")
        func play(_ arguments: String...) throws -> Program.Output {
            try Program.run(["simulate", "play", file] + arguments)
        }
        let written = try play("--out", folder.path + "/played", "--lang", "en")
        #expect(written.status == 0 && written.output.hasSuffix("\n8 not checked, 1 not played\n"))
        let outside = "\(file): not played, not in the App Store: lines 12\n"
        #expect(written.errors.hasPrefix(outside))
        let service = try RunningService(
            folder: folder.path, policies: try Self.policies(in: folder))
        let socket = service.sockets + "/usher.sock"
        let sent = try play("--socket", socket, "--lang", "en")
        #expect(sent.status == 0 && sent.output.hasSuffix("\n1 not checked, 1 not played\n"))
        #expect(
            sent.errors == outside + """
                \(file): not checked, something has changed since, and the service uses its own \
                clock: lines 15

                """)
        let json = try play("--socket", socket, "--json", "--lang", "zh")
        #expect(try parseJSON(Array(json.output.utf8))["skipped"]?.int64 == 2)
        #expect(json.errors.hasPrefix("\(file)：未执行，不发生在 App Store 中：第 12 行\n"))
        let wrong = Self.twoAppleIDs
            .replacing("expect finding duplicate-apple-id about", with: Self.noDuplicate)
            .replacing("expect G1 belongs to zoe", with: "expect G1 belongs to bob")
            .replacing("expect F belongs to nobody", with: "expect F belongs to bob")
            .replacing("B1 is proceed", with: "B1 is block")
        try folder.write(wrong, to: "two.yaml")
        let failed = try play("--socket", socket, "--lang", "en")
        #expect(failed.status == 1)
        for said in [
            "expected no finding duplicate-apple-id about zoe, got finding duplicate-apple-id",
            "expected G1 belongs to bob, got G1 belongs to zoe",
            "expected F belongs to bob, got F belongs to nobody",
            "B1 is block, got preflight of forever for bob with Apple ID B1 is proceed",
        ] { #expect(failed.errors.contains(said), "\(failed.errors)") }
        #expect(service.stop() == 0)
    }

    @Test(
        "what is handed in is told as 'ingest' tells it",
        arguments: [
            (
                ServiceStub.report(), 0,
                "27 submitted: 27 accepted, 0 quarantined, 0 refused; claims denied: 0\n"
            ),
            (
                ServiceStub.report(quarantined: [
                    [
                        "code": "implausible.quantity", "finish": false,
                        "finish_reason": "quarantined",
                        "finish_text": ["en": "Wait.", "zh": "请等待。"],
                    ]
                ]
                ), 1,
                "quarantined, 1: implausible quantity "
            ),
            (problem, 1, "refused, 1: invalid signature "),
            (nil, 2, ""),
        ] as [(JSONValue?, Int32, String)])
    func handedIn(first: JSONValue?, status: Int32, said: String) throws {
        let service = try ServiceStub()
        let socket = service.sockets + "/usher.sock"
        let folder = try TemporaryFolder()
        // The stub answers one call: nothing is asked afterwards.
        let steps = try String(contentsOfFile: Self.play, encoding: .utf8)
            .split(separator: "\n").filter { !$0.contains(": expect ") }
        try folder.write(steps.joined(separator: "\n") + "\n", to: "play.yaml")
        let play = folder.path + "/play.yaml"
        let arguments = ["simulate", "play", play, "--socket", socket, "--lang", "en"]
        for json in [false, true] {
            let run = try Program.run(arguments + (json ? ["--json"] : [])) { _ in
                try service.answer { body in
                    let pieces = try #require(parseJSON(Array(body.utf8)).elements)
                    // One answer less than there are pieces is no answer.
                    let rest = pieces.dropFirst().map { _ in ServiceStub.report() }
                    return JSONValue.array((first.map { [$0] } ?? []) + rest).text
                }
            }
            #expect(run.status == status, "\(run.errors)")
            if !json {
                #expect(run.output.hasPrefix(said))
            } else if status < 2 {
                #expect(try parseJSON(Array(run.output.utf8))["pieces"]?.int64 == 27)
            }
        }
    }

    private static let problem: JSONValue = [
        "title": "Unprocessable Content", "status": 422, "code": "jws.signature",
        "detail": "invalid signature",
    ]

    @Test("plays of any date can be played, and no two plays share an id")
    func anyDate() throws {
        let shop = try TemporaryFolder()
        var seen: Set<String> = []
        for (name, year) in [("past", 2012), ("other", 2012), ("future", 2061)] {
            try shop.write(
                """
                usher: 1
                story: \(name)
                products: {gold: {kind: auto-renewable, group: g, period: 1y}}
                steps:
                - \(year)-03-01: alice buys gold as G
                - \(year + 1)-03-01: G renews
                - \(year + 4)-03-01: alice shows the receipt of Apple ID alice

                """, to: name + ".yaml")
            let out = shop.path + "/" + name
            let run = try Program.run([
                "simulate", "play", shop.path + "/\(name).yaml", "--out", out, "--lang", "en",
            ])
            #expect(run.status == 0, "\(run.errors)")
            let files = try FileManager.default.contentsOfDirectory(atPath: out)
                .filter { $0.hasSuffix(".jws") || $0.hasSuffix(".der") }
            #expect(files.count >= 3)
            // What is signed in the future is refused by whoever lives before it.
            guard year < 2026 else { continue }
            var lines: [JSONValue] = []
            for file in files {
                let root = file.hasSuffix(".der") ? "/receipt-root.pem" : "/root.pem"
                let inspected = try Program.run([
                    "inspect", out + "/" + file, "--any-bundle", "--json", "--root", out + root,
                    "--environment", "production",
                ])
                lines.append(try parseJSON(Array(inspected.output.utf8)))
            }
            #expect(lines.count == files.count)
            for line in lines {
                #expect(line["verdict"]?.string == "accepted", "\(line.text)")
            }
            let ids = Set(
                lines.flatMap { $0["transactions"]?.elements ?? [] }
                    .compactMap { $0["transactionId"]?.string })
            #expect(!ids.isEmpty)
            #expect(seen.isDisjoint(with: ids))
            seen.formUnion(ids)
        }
        try shop.write(
            """
            usher: 1
            story: early
            products: {g: {kind: non-consumable}}
            steps:
            - 1999-01-01: a buys g

            """,
            to: "early.yaml")
        let early = try Program.run([
            "simulate", "play", shop.path + "/early.yaml", "--out", shop.path + "/e", "--lang",
            "en",
        ])
        #expect(early.status == 2)
        #expect(early.errors.contains("[date-out-of-range]"))
    }

    @Test("mistakes are told with file and line, in the language asked for")
    func mistakes() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "usher: 1\nstory: x\nsteps:\n- 2026-01-01: G dances\n", to: "play.yaml")
        let file = folder.path + "/play.yaml"
        let arguments = ["simulate", "play", file, "--out", folder.path + "/played", "--lang"]
        let english = try Program.run(arguments + ["en"])
        #expect(english.status == 2)
        let place = "\(file):4:17: "
        #expect(english.errors.hasPrefix(place + "error: 'dances' cannot stand here in a step"))
        let chinese = try Program.run(arguments + ["zh"])
        #expect(chinese.errors.hasPrefix(place + "错误：步骤中此处不应出现 'dances'"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/played"))
        #expect(try Program.run(["simulate", "play", file]).status == 64)
    }

    @Test("a root that inspect is given is good for the environment that is asked for only")
    func inspectRoot() throws {
        let shop = try SimulatedShop()
        let root = shop.policies + "/root.pem"
        for (environment, status) in [(StoreEnvironment.production, Int32(1)), (.sandbox, 0)] {
            var transaction = SimulatedTransaction(
                bundleID: "com.example.shop", productID: "unlock", kind: .nonConsumable,
                transactionID: "1", purchaseDate: try #require(Instant(rfc3339: "2026-05-01")))
            transaction.environment = .sandbox
            try shop.folder.write(
                String(decoding: shop.store.sign(transaction.payload), as: UTF8.self), to: "a.jws")
            let run = try Program.run([
                "inspect", shop.folder.path + "/a.jws", "--root", root, "--any-bundle",
                "--environment", environment.rawValue, "--json",
            ])
            #expect(run.status == status)
            #expect(run.output.contains("chain.root") == (status == 1))
        }
    }

    @Test("what is quarantined is listed, and the exit code says so")
    func keptAside() throws {
        let shop = try SimulatedShop()
        let service = try RunningService(folder: shop.folder.path, policies: shop.policies)
        var transaction = SimulatedTransaction(
            bundleID: "com.example.shop", productID: "coins", kind: .consumable,
            transactionID: "1", purchaseDate: try #require(Instant(rfc3339: "2026-05-01")))
        transaction.quantity = 1_000_000
        try shop.folder.write(
            String(decoding: shop.store.sign(transaction.payload), as: UTF8.self), to: "a.jws")
        let file = shop.folder.path + "/a.jws"
        let run = try Program.run(["ingest", file, "--sockets", service.sockets, "--lang", "en"])
        #expect(run.status == 1)
        #expect(
            run.output == """
                quarantined, 1: implausible quantity: 'quantity':
                  found '1000000' [implausible.quantity]
                  \(file)
                1 submitted: 0 accepted, 1 quarantined, 0 refused; claims denied: 0

                """)
        for _ in 1...2 {
            _ = try Program.run(
                ["ingest", "-", "--sockets", service.sockets], input: "{\"payload\":\"x\"}\n")
        }
        let status = try parseJSON(service.operations.get("/status").body)
        #expect(
            status["evidence"]?.text
                == #"{"judged":1,"refused":2,"quarantined":1,"refusals_unrecorded":1}"#)
        let metrics = String(decoding: try service.operations.get("/metrics").body, as: UTF8.self)
        for line in [
            "usher_quarantined_total{code=\"implausible.quantity\"} 1",
            "usher_refusals_unrecorded_total 1", "usher_evidence_total{verdict=\"input.kind\"} 2",
        ] {
            #expect(metrics.contains(line + "\n"))
        }
        #expect(service.stop() == 0)
    }
}
