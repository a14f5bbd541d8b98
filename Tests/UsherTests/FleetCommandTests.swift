#if PostgreSQL
    internal import EntitlementModel
    internal import EntitlementServer
    internal import Foundation
    internal import StrictJSON
    internal import TestSupport
    internal import Testing

    /// The program on a fleet's database (docs/FLEET.md).
    @Suite("usher on a database", .timeLimit(.minutes(20)))
    struct FleetCommandTests {
        /// A ledger of a shop, in a file and in a database.
        private struct Scene {
            let shop: SimulatedShop
            let server: DatabaseServer
            let address: String
            var folder: String { shop.folder.path }
            var ledger: String { folder + "/ledger" }
            var file: String { folder + "/address" }
            var scratch: String { folder + "/scratch" }
            var database: String { "database:" + file }

            init(purchases: Int = 3) throws {
                shop = try SimulatedShop()
                server = try DatabaseServer.shared.get()
                address = try server.makeDatabase()
                try write(address + "\n")
                try FileManager.default.createDirectory(
                    atPath: scratch, withIntermediateDirectories: true)
                let service = try RunningService(folder: folder, policies: shop.policies)
                for id in 1...purchases {
                    let payload = try shop.purchase("coins", .consumable, id: id)
                    let body = shop.body(payload, account: "alice-\(id)")
                    #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
                }
                // What is told later would be in the file alone.
                try waitUntil("the feed has told all") {
                    let status = try parseJSON(service.operations.get("/status").body)
                    return status["feed"]?["caught_up"] == true
                }
                #expect(service.stop() == 0)
            }

            func write(_ text: String, mode: Int = 0o600) throws {
                try? FileManager.default.removeItem(atPath: file)
                let isMade = FileManager.default.createFile(
                    atPath: file, contents: Data(text.utf8),
                    attributes: [.posixPermissions: mode])
                #expect(isMade)
            }

            func usher(_ arguments: String..., environment: [String: String] = [:]) throws
                -> Program.Output
            {
                try Program.run(
                    arguments, environment: environment.merging(["TMPDIR": scratch]) { $1 })
            }

            /// What a node says that does not start.
            func serve(
                _ options: String..., environment: [String: String] = [:], ledger: String? = nil
            ) throws -> Program.Output {
                try Program.run(
                    [
                        "serve", "--ledger", ledger ?? self.ledger, "--policies", shop.policies,
                        "--sockets", folder + "/run", "--lang", "en",
                    ] + options, environment: environment)
            }

            var leftovers: [String] {
                get throws { try FileManager.default.contentsOfDirectory(atPath: scratch) }
            }
        }

        @Test("reading commands say the same of the file and of the database, beside a node")
        func readingCommands() throws {
            let scene = try Scene()
            let copied = try scene.usher("ledger", "copy", scene.ledger, scene.database)
            #expect(copied.status == 0, "\(copied.errors)")
            let variable = ["USHER_FLEET_DATABASE": scene.address]
            let service = try RunningService(
                folder: scene.folder, policies: scene.shop.policies, environment: variable)
            for arguments in [["export"], ["export", "--evidence"], ["export", "--after", "3"]] {
                let ofFile = try Program.run(
                    ["ledger"] + arguments + ["--ledger", scene.ledger])
                #expect(ofFile.status == 0 && !ofFile.output.isEmpty)
                for name in [scene.database, "database:"] {
                    let ofDatabase = try Program.run(
                        ["ledger"] + arguments + ["--ledger", name],
                        environment: variable.merging(["TMPDIR": scene.scratch]) { $1 })
                    #expect(ofDatabase.status == 0, "\(ofDatabase.errors)")
                    #expect(ofDatabase.output == ofFile.output)
                }
            }
            let (ofFile, ofDatabase) = (
                try scene.usher("ledger", "verify", "--ledger", scene.ledger, "--json"),
                try scene.usher("ledger", "verify", "--ledger", scene.database, "--json")
            )
            #expect(ofFile.status == 0 && ofDatabase.output == ofFile.output)
            let audit = try parseJSON(Array(ofDatabase.output.utf8))
            #expect(audit["evidence"] == 3 && audit["complete"] == true)
            let anchor = try scene.usher("ledger", "verify", "--ledger", scene.database)
            #expect(anchor.output.hasPrefix("sound: \(scene.database)\n"))
            func entries(_ ledger: String) throws -> JSONValue? {
                let output = try scene.usher("ledger", "stats", "--ledger", ledger, "--json")
                return try parseJSON(Array(output.output.utf8))["entries"]
            }
            #expect(try entries(scene.ledger) != nil)
            #expect(try entries(scene.ledger) == entries(scene.database))
            #expect(try service.query.get("/readyz").status == 200)
            #expect(service.stop() == 0)
            #expect(try scene.leftovers == [])
        }

        @Test("a backup of the database is a ledger that a service starts from")
        func backup() throws {
            let scene = try Scene()
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let copy = scene.folder + "/backup"
            let made = try scene.usher("ledger", "backup", copy, "--ledger", scene.database)
            #expect(made.status == 0, "\(made.errors)")
            let verified = try scene.usher("ledger", "verify", "--ledger", copy)
            #expect(verified.status == 0)
            let anchor = made.output.split(separator: "\n").last
            #expect(anchor == verified.output.split(separator: "\n").last)
            // Nothing is written over.
            #expect(
                try scene.usher("ledger", "backup", copy, "--ledger", scene.database).status == 2)
            let service = try RunningService(
                folder: scene.folder, policies: scene.shop.policies, ledger: "backup")
            let answer = try service.query.get("/v1/accounts/alice-2/credits")
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""balance":1"#))
            #expect(service.stop() == 0)
            let others = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
            #expect(!others.contains { $0.hasPrefix(".usher-") })
        }

        @Test("a database that was changed is not sound, and nothing is exported from it")
        func damage() throws {
            let scene = try Scene()
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            try scene.server.execute(
                """
                ALTER TABLE usher.entry DISABLE TRIGGER entry_is_kept;
                UPDATE usher.entry SET payload = payload || '\\x20' WHERE seq = 2;
                ALTER TABLE usher.entry ENABLE TRIGGER entry_is_kept
                """, in: scene.address)
            let verified = try scene.usher(
                "ledger", "verify", "--ledger", scene.database, "--json")
            #expect(verified.status == 1)
            let audit = try parseJSON(Array(verified.output.utf8))
            #expect(audit["problems"]?.elements?.first?["code"] == "payload-changed")
            #expect(audit["problems"]?.elements?.first?["sequence"] == 2)
            for command in [["export"], ["stats"], ["backup", scene.folder + "/backup"]] {
                let failed = try Program.run(
                    ["ledger"] + command + ["--ledger", scene.database, "--json"],
                    environment: ["TMPDIR": scene.scratch])
                #expect(failed.status == 2)
                #expect(failed.output.contains(#""code":"ledger.database-damaged""#))
            }
            #expect(try scene.leftovers == [])
            #expect(!FileManager.default.fileExists(atPath: scene.folder + "/backup"))
        }

        @Test("a command that is interrupted leaves nothing behind", arguments: [SIGINT, SIGTERM])
        func interruption(signal: Int32) throws {
            // More than a pipe takes: the command waits for a reader who does not come.
            let scene = try Scene(purchases: 20)
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let output = try Program.run(
                ["ledger", "export", "--evidence", "--ledger", scene.database],
                environment: ["TMPDIR": scene.scratch]
            ) { running in
                while !FileManager.default.fileExists(
                    atPath: scene.scratch + "/" + (try scene.leftovers.first ?? "-") + "/ledger")
                {}
                kill(running.id, signal)
            }
            #expect(output.status == 128 + signal)
            #expect(try scene.leftovers == [])
        }

        @Test("an address that is no address is refused before anything is done")
        func addresses() throws {
            let scene = try Scene(purchases: 1)
            func said(_ text: String, mode: Int = 0o600) throws -> String {
                try scene.write(text, mode: mode)
                let served = try scene.serve(
                    "--set", "fleet.database-file=\(scene.file)")
                let read = try scene.usher("ledger", "export", "--ledger", scene.database)
                #expect(served.status == 2 && read.status == 2)
                #expect(served.errors == read.errors)
                return served.errors
            }
            let lines = "must have exactly one line: the database's address"
            for text in ["", "\n", " \n\n", "host=one\ndbname=two\n"] {
                #expect(try said(text).contains(lines), "'\(text)'")
            }
            for mode in [0o604, 0o640, 0o620, 0o666] {
                #expect(try said(scene.address, mode: mode).contains("set its mode to 0600"))
            }
            try? FileManager.default.removeItem(atPath: scene.file)
            let missing = try scene.serve("--set", "fleet.database-file=\(scene.file)")
            #expect(missing.status == 2 && missing.errors.contains("cannot be read"))
            let ofFolder = try scene.serve("--set", "fleet.database-file=\(scene.folder)")
            #expect(ofFolder.status == 2 && ofFolder.errors.contains("cannot be read"))
            for text in ["host=one\ndbname=two", " "] {
                let variable = try scene.serve(environment: ["USHER_FLEET_DATABASE": text])
                #expect(variable.status == 2)
                #expect(variable.errors.contains("USHER_FLEET_DATABASE \(lines)"))
            }
            let none = try scene.usher("ledger", "export", "--ledger", "database:")
            #expect(none.status == 2 && none.errors.contains("USHER_FLEET_DATABASE \(lines)"))
            try scene.write(scene.address)
            let both = try scene.serve(
                "--set", "fleet.database-file=\(scene.file)",
                environment: ["USHER_FLEET_DATABASE": scene.address])
            #expect(both.status == 2 && both.errors.contains("both name a database"))
        }

        @Test("the address of the environment is never shown")
        func secrecy() throws {
            let scene = try Scene(purchases: 1)
            let secret = "host=/nowhere dbname=usher password=hush-hush"
            let variable = ["USHER_FLEET_DATABASE": secret]
            let text = try scene.serve("--print-config", environment: variable)
            #expect(text.status == 0)
            #expect(text.output.contains("fleet.database: ***  # environment\n"))
            let json = try scene.serve("--print-config", "--json", environment: variable)
            #expect(
                try parseJSON(Array(json.output.utf8))["fleet.database"]
                    == ["value": "***", "origin": "environment"])
            let failed = try scene.serve("--log-level", "trace", environment: variable)
            for output in [text, json, failed] {
                #expect(!(output.output + output.errors).contains("hush"))
            }
            #expect(failed.status == 2 && failed.errors.contains("ledger.database-unreachable"))
        }

        @Test("each node says at its start, and to whoever asks, what the database promises")
        func promises() throws {
            let scene = try Scene(purchases: 1)
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let variable = ["USHER_FLEET_DATABASE": scene.address]
            let leader = try RunningService(
                folder: scene.folder, policies: scene.shop.policies, environment: variable)
            let other = try TemporaryFolder()
            let follower = try Program.run(
                [
                    "serve", "--ledger", other.path + "/ledger", "--policies",
                    scene.shop.policies, "--sockets", other.path + "/run", "--lang", "en",
                    "--log-level", "notice", "--set", "fleet.node=second",
                ], environment: variable
            ) { running in
                try running.wait(for: "serving on")
                for sockets in [leader.sockets, other.path + "/run"] {
                    let page = try scene.usher("status", "--sockets", sockets, "--lang", "en")
                    #expect(
                        page.output.replacing(/\n +/, with: " ").contains(
                            "commits are kept on disk (on)"))
                }
                kill(running.id, SIGTERM)
            }
            #expect(leader.stop() == 0)
            let line = follower.errors.split(separator: "\n").first {
                $0.contains("part of a fleet")
            }
            for fact in [
                "node=second", "leads=false", "ledger=", "durability=disk", "synchronous_commit=on",
            ] {
                #expect(line?.contains(fact) == true, "\(fact) in \(line ?? "")")
            }
        }

        @Test("a node that follows passes on previews, conditions, and for whom a delegate asks")
        func passedOn() throws {
            let scene = try Scene(purchases: 1)
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let variable = ["USHER_FLEET_DATABASE": scene.address]
            let leader = try RunningService(
                folder: scene.folder, policies: scene.shop.policies, environment: variable)
            let own = PeerCredentials.own.user
            let other = try TemporaryFolder()
            let follower = try RunningService(
                folder: other.path, policies: scene.shop.policies, environment: variable,
                arguments: [
                    "--set", "fleet.node=second", "--set", "sockets.peers=uid:\(own)=delegate",
                ])
            func ask(
                _ query: String, _ key: String? = nil, for person: String = "mei"
            ) throws -> (status: Int, body: JSONValue) {
                let fields = [("Usher-Actor", person), ("Usher-Role", "admin")].compactMap {
                    LocalClient.Field($0.0, $0.1)
                }
                let body = #"{"account":"alice-1","entitlement":"forever","reason":"a test"}"#
                let answer = try follower.operations.post(
                    "/v1/grants" + query, json: Array(body.utf8), idempotencyKey: key,
                    fields: fields)
                return (answer.status, try parseJSON(answer.body))
            }
            func revision() throws -> Int64? {
                try parseJSON(leader.operations.get("/status").body)["revision"]?.int64
            }
            let before = try #require(try revision())
            let preview = try ask("?dry_run=true", "k")
            #expect(preview.status == 200, "\(preview.body.text)")
            #expect(preview.body["dry_run"] == true && preview.body["revision"]?.int64 == before)
            #expect(preview.body["undo"] == ["usher", "revoke", "k"], "\(preview.body.text)")
            #expect(try revision() == before)
            let done = try ask("?if_revision=\(before)", "k")
            #expect(done.status == 200, "\(done.body.text)")
            let name = try userName(own).map { "user:" + LocalClient.encoded($0) }
            #expect(done.body["actor"]?.string == "person:mei,via:\(name ?? "uid:\(own)")")
            #expect(try ask("?if_revision=\(before)", "k").body["grant"] == "k")
            let late = try ask("?if_revision=\(before)", "k", for: "lin")
            #expect(late.status == 409, "\(late.body.text)")
            #expect(late.body["changed"]?.elements?.count == 1)
            let lin = try ask("", "k", for: "lin").body
            #expect(lin["grant"]?.string?.hasPrefix("k@person:lin,via:") == true, "\(lin.text)")
            #expect(try revision() == before + 2)
            #expect(try follower.operations.get("/v1/claims").status == 400)
            #expect(follower.stop() == 0 && leader.stop() == 0)
        }

        @Test("a start that a person has to look at has the exit code of those")
        func exitCodes() throws {
            let scene = try Scene()
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let option = "fleet.database-file=\(scene.file)"
            // A standby was promoted that lacked two entries.
            try scene.server.execute(
                """
                UPDATE usher.head SET seq = seq - 2;
                UPDATE usher.head SET hash =
                    (SELECT hash FROM usher.entry WHERE seq = usher.head.seq)
                """, in: scene.address)
            let behind = try scene.serve("--set", option)
            #expect(behind.status == 3, "\(behind.errors)")
            #expect(behind.errors.contains("[ledger.database-behind]"))
            #expect(behind.errors.contains("has 2 more"))
            let weak = try scene.serve(
                "--set", option, "--set", "fleet.durability=replicated",
                ledger: scene.folder + "/new")
            #expect(weak.status == 3 && weak.errors.contains("[ledger.database-weak]"))
            let unit = try String(
                contentsOf: Repository.url("examples/systemd/usher.service"),
                encoding: .utf8)
            #expect(unit.contains("RestartPreventExitStatus=3"))
        }

        @Test("a node's file is no ledger of its own, and a file that is open is not copied")
        func nodesFile() throws {
            let scene = try Scene(purchases: 1)
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let alone = try RunningService(folder: scene.folder, policies: scene.shop.policies)
            let open = try scene.usher("ledger", "copy", scene.ledger, scene.database)
            #expect(open.status != 0 && open.errors.contains("[ledger.already-open]"))
            #expect(alone.stop() == 0)
            let node = try RunningService(
                folder: scene.folder, policies: scene.shop.policies,
                environment: ["USHER_FLEET_DATABASE": scene.address])
            #expect(node.stop() == 0)
            let refused = try scene.serve()
            #expect(refused.status == 3, "\(refused.errors)")
            #expect(refused.errors.contains("[ledger.of-fleet]"))
            // What says so is all that does: somebody has ended the fleet.
            try FileManager.default.removeItem(atPath: scene.ledger + ".fleet-notes")
            let ended = try RunningService(folder: scene.folder, policies: scene.shop.policies)
            #expect(ended.stop() == 0)
        }

        @Test("without its database a node answers nothing fresh, and leads no more")
        func freshWithoutDatabase() async throws {
            let (shop, server) = (try SimulatedShop(), try DatabaseServer())
            defer { server.remove() }
            let service = try RunningService(
                folder: shop.folder.path, policies: shop.policies,
                environment: ["USHER_FLEET_DATABASE": try server.makeDatabase()])
            let target = "/v1/accounts/alice/entitlements"
            let evaluation = #"""
                {"subject":{"type":"account","id":"alice"},"action":{"name":"use"},
                "resource":{"type":"entitlement","id":"premium"},"context":{"fresh":true}}
                """#
            @Sendable func statuses() throws -> [Int] {
                [
                    try service.query.get(target).status,
                    try service.query.get(target + "?fresh=false").status,
                    try service.query.get(target + "?fresh=true").status,
                    try service.operations.get("/v1/accounts/alice?fresh=true").status,
                    try service.query.post(
                        "/access/v1/evaluation", json: Array(evaluation.utf8)
                    ).status,
                ]
            }
            @Sendable func fleet() throws -> JSONValue? {
                let page = try service.operations.get("/status")
                return try parseJSON(page.body)["ledger"]?["fleet"]
            }
            #expect(try statuses() == [200, 200, 200, 200, 200])
            #expect(try fleet()?["leads"] == true)
            try server.stop()
            #expect(try statuses() == [200, 200, 503, 503, 503])
            let refused = try service.query.get(target + "?fresh=true")
            #expect(
                String(decoding: refused.body, as: UTF8.self)
                    .contains(#""code":"ledger.database-unreachable""#))
            // Nothing is written, so no commit finds it out.
            try await yieldUntil("the leader says so", within: .seconds(60)) {
                let fleet = try fleet()
                return fleet?["leads"] == false
                    && fleet?["problem"] == "ledger.database-unreachable"
            }
            try server.start()
            try await yieldUntil("the database answers", within: .seconds(60)) {
                try statuses() == [200, 200, 200, 200, 200]
            }
            #expect(service.stop() == 0)
        }

        @Test("a node whose database is not there starts, and says since when it answers")
        func startWithoutDatabase() throws {
            let (shop, server) = (try SimulatedShop(), try DatabaseServer())
            defer { server.remove() }
            let variable = ["USHER_FLEET_DATABASE": try server.makeDatabase()]
            let sockets = shop.folder.path + "/run"
            let led = try RunningService(
                folder: shop.folder.path, policies: shop.policies, environment: variable)
            let body = shop.body(try shop.purchase("coins", .consumable, id: 1), account: "alice")
            #expect(try led.operations.post("/v1/evidence", json: body).status == 200)
            #expect(led.stop() == 0)
            try server.stop()
            let arguments = [
                "serve", "--ledger", shop.folder.path + "/ledger", "--policies", shop.policies,
                "--sockets", sockets, "--lang", "en", "--log-level", "notice",
            ]
            let output = try Program.run(arguments, environment: variable) { running in
                try running.wait(for: "serving on")
                let query = LocalClient(socketPath: sockets + "/query.sock")
                let credits = try query.get("/v1/accounts/alice/credits")
                let balances = try parseJSON(credits.body)["balances"]
                #expect(credits.status == 200 && balances?.elements?.isEmpty == false)
                #expect(try query.get("/readyz").status == 200)
                let write = try LocalClient(socketPath: sockets + "/usher.sock")
                    .post("/v1/evidence", json: body)
                #expect(write.status == 503)
                let page = try Program.run(["status", "--sockets", sockets, "--lang", "en"])
                #expect(
                    page.output.replacing(/\n +/, with: " ")
                        .contains("answers with what the database had at 20"))
                kill(running.id, SIGTERM)
            }
            #expect(output.status == 0)
            let line = output.errors.split(separator: "\n").first { $0.contains("neither leads") }
            #expect(line?.contains("database_answered_at=20") == true)
        }

        @Test("a node says which ledger it has, and refuses another one than its settings name")
        func ledgerName() throws {
            let scene = try Scene(purchases: 1)
            #expect(try scene.usher("ledger", "copy", scene.ledger, scene.database).status == 0)
            let variable = ["USHER_FLEET_DATABASE": scene.address]
            let node = try RunningService(
                folder: scene.folder, policies: scene.shop.policies, environment: variable)
            let status = try parseJSON(try node.operations.get("/status").body)
            let name = try #require(status["ledger"]?["fleet"]?["ledger"]?.string)
            let cursor = try parseJSON(try node.operations.get("/v1/changes").body)["next"]
            #expect(cursor?.string?.hasPrefix(name + ":") == true)
            let page = try scene.usher("status", "--sockets", node.sockets, "--lang", "en")
            #expect(page.output.contains("fleet's ledger") && page.output.contains(name))
            #expect(node.stop() == 0)
            func start(_ name: String) throws -> Program.Output {
                try scene.serve(
                    "--set", "fleet.ledger=\(name)", environment: variable,
                    ledger: scene.folder + "/another")
            }
            let other = try start("0123456789abcdef")
            #expect(other.status == 3 && other.errors.contains("[ledger.other-ledger]"))
            #expect(other.errors.contains("keeps the ledger \(name)"), "\(other.errors)")
            for bad in ["0123456789abcde", "0123456789ABCDEF", "shop"] {
                let refused = try start(bad)
                #expect(refused.status == 2 && refused.errors.contains("fleet.ledger"))
            }
            let right = try RunningService(
                folder: scene.folder, policies: scene.shop.policies, environment: variable,
                arguments: ["--set", "fleet.ledger=\(name)"])
            #expect(right.stop() == 0)
        }

        @Test("what keeps a node from leading is told in the log, the status and the metrics")
        func troubles() throws {
            let (shop, server) = (try SimulatedShop(), try DatabaseServer())
            defer { server.remove() }
            let sockets = shop.folder.path + "/run"
            let arguments = [
                "serve", "--ledger", shop.folder.path + "/ledger", "--policies", shop.policies,
                "--sockets", sockets, "--lang", "en", "--log-level", "notice",
            ]
            let variable = ["USHER_FLEET_DATABASE": try server.makeDatabase()]
            let output = try Program.run(arguments, environment: variable) { running in
                func status() throws -> JSONValue {
                    let page = try Program.run(["status", "--sockets", sockets, "--json"])
                    return try parseJSON(Array(page.output.utf8))
                }
                try running.wait(for: "serving on")
                let other = shop.folder.path + "/follower"
                try FileManager.default.createDirectory(
                    atPath: other, withIntermediateDirectories: true)
                let follower = try RunningService(
                    folder: other, policies: shop.policies,
                    environment: variable.merging(["USHER_FLEET_NODE": "follower"]) { $1 })
                let led = try status()
                #expect(led["degraded"]?.elements?.contains("fleet-no-leader") == false)
                #expect(led["accepts_writes"] == true)
                try server.stop()
                try running.wait(for: "the node neither leads nor follows")
                let alone = try status()
                #expect(alone["degraded"]?.elements?.contains("fleet-no-leader") == true)
                #expect(alone["status"] == "ready" && alone["accepts_writes"] == false)
                let page = try Program.run(["status", "--sockets", sockets, "--lang", "en"])
                #expect(page.output.contains("neither leads nor follows"))
                try waitUntil("the one that followed says so too") {
                    let status = try parseJSON(follower.operations.get("/status").body)
                    return status["accepts_writes"] == false
                        && status["ledger"]?["fleet"]?["leader"] == nil
                        && status["degraded"]?.elements?.contains("fleet-no-leader") == true
                }
                #expect(follower.stop() == 0)
                try server.start()
                try running.wait(for: "the fleet's database is as it should be")
                let again = try status()
                #expect(again["ledger"]?["fleet"]?["leads"] == true)
                #expect(again["accepts_writes"] == true)
                kill(running.id, SIGTERM)
            }
            let line = output.errors.split(separator: "\n").first { $0.contains("neither leads") }
            #expect(line?.contains("code=ledger.database-unreachable") == true)
        }
    }
#endif
