internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Foundation
internal import Logging
internal import StrictJSON
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import usher

/// Erasures from outside, with backups from before (docs/PRIVACY.md).
@Suite("usher erase", .timeLimit(.minutes(20)))
struct ErasureCommandTests {
    private static let person = "marker-of-the-person"

    /// A service with a privacy key, and the purchases of two accounts.
    private final class Scene {
        let shop: SimulatedShop
        var service: RunningService
        var ledger: String { shop.folder.path + "/ledger" }
        var list: String { ledger + ".erasures" }
        private let environment: [String: String]

        init() throws {
            shop = try SimulatedShop()
            let key = shop.folder.path + "/key"
            environment = ["USHER_PRIVACY_KEY_FILE": key]
            #expect(try Program.run(["ledger", "key", key]).status == 0)
            service = try RunningService(
                folder: shop.folder.path, policies: shop.policies, environment: environment)
            for (id, account) in [(1, ErasureCommandTests.person), (2, "bob")] {
                let body = shop.body(
                    try shop.purchase("unlock", .nonConsumable, id: id), account: account)
                #expect(try service.operations.post("/v1/evidence", json: body).status == 200)
            }
        }

        func restart() throws {
            service = try RunningService(
                folder: shop.folder.path, policies: shop.policies, environment: environment)
        }

        func usher(_ arguments: String..., hasKey: Bool = true) throws -> Program.Output {
            try Program.run(
                arguments + ["--lang", "en"],
                environment: ["USHER_LEDGER": ledger, "USHER_SOCKETS": service.sockets].merging(
                    hasKey ? environment : [:]
                ) { $1 })
        }

        /// The answer in one line, and what is said of it next to that.
        func asked(
            _ reference: String, _ more: String..., of account: String = ErasureCommandTests.person
        ) throws -> (status: Int32, text: String) {
            let output = try Program.run(
                ["erase", account, "--reference", reference, "--reason", "asked", "--lang", "en"]
                    + more,
                environment: ["USHER_SOCKETS": service.sockets])
            return (output.status, (output.output + output.errors).inOneLine)
        }

        func erase() throws {
            let erased = try usher(
                "erase", ErasureCommandTests.person, "--reference", "r-1", "--reason",
                "asked by " + ErasureCommandTests.person, "--hold", "0")
            #expect(erased.status == 0, "\(erased.errors)")
        }

        /// What is answered about the other account, without its instants and places.
        func others() throws -> String {
            let show = try usher("show", "bob")
            #expect(show.status == 0)
            return show.output.replacing(/\d{4}-\d{2}-\d{2}T[0-9:.]+Z/, with: "<date>")
        }

        /// The files in which the person is named.
        func found() throws -> [String] {
            let marker = Data(ErasureCommandTests.person.utf8)
            return try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
                .filter { name in
                    let path = shop.folder.path + "/" + name
                    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                        return false
                    }
                    return data.range(of: marker) != nil
                }.sorted()
        }

        func removeLedger() throws {
            try FileManager.default.removeItem(atPath: ledger)
            for ending in ["-wal", "-shm", ".head"] {
                try? FileManager.default.removeItem(atPath: ledger + ending)
            }
        }
    }

    @Test("a preview says what goes and until when; the same reference gets the same certificate")
    func words() throws {
        let scene = try Scene()
        let held = try scene.asked("r-1", "--preview")
        #expect(held.status == 0)
        for words in [
            "closed until ", ", and erased then; 'usher reopen' cancels that",
            "4 entries go; 0 more concern others too and stay without the name",
            "to undo it: usher reopen \(Self.person) --reason '…'",
        ] { #expect(held.text.contains(words), "\(held.text)") }
        let atOnce = try scene.asked("r-1", "--preview", "--hold", "0")
        #expect(atOnce.text.hasSuffix("nothing undoes it"), "\(atOnce.text)")
        #expect(!atOnce.text.contains("closed until"))
        for (reference, account, status, code) in [
            ("r-1", "nobody", Int32(1), "account.unknown"),
            ("for-" + Self.person, Self.person, 2, "erasure.reference"),
        ] {
            let refused = try scene.asked(reference, of: account)
            #expect(refused.status == status && refused.text.contains("[\(code)]"))
        }
        let done = try scene.asked("r-1", "--hold", "0")
        #expect(done.status == 0 && done.text.contains("recorded as entry "))
        #expect(try scene.asked("r-1") == done)
        #expect(try scene.asked("r-1", "--preview").text.hasSuffix(done.text))
        let other = try scene.asked("r-2")
        #expect(other.status == 1)
        #expect(
            other.text.contains("another reference: r-1 (entry ")
                && other.text.hasSuffix("[erasure.done-before]"), "\(other.text)")
        let json = try parseJSON(Array(try scene.asked("r-2", "--json").text.utf8))
        #expect(json["reference"] == "r-1" && json["erasure"]?.int64 != nil)
        let history = try scene.usher("history", Self.person, "forever").output.inOneLine
        #expect(history.hasPrefix("this account was erased on "), "\(history)")
        let body = scene.shop.body(
            try scene.shop.purchase("unlock", .nonConsumable, id: 1), account: Self.person)
        #expect(try scene.service.operations.post("/v1/evidence", json: body).status == 200)
        let back = try scene.usher("show", Self.person).output.inOneLine
        #expect(back.contains("; what follows was recorded since Rights"), "\(back)")
        #expect(scene.service.stop() == 0)
    }

    @Test("without the key nobody is said to be unknown, and without a list a restore says so")
    func withoutKeyOrList() throws {
        let scene = try Scene()
        let answer = scene.shop.folder.path + "/answer.json"
        try scene.usher("check", Self.person, "forever", "--json", "--replayable").output
            .write(toFile: answer, atomically: false, encoding: .utf8)
        let copy = scene.shop.folder.path + "/copy"
        #expect(try scene.usher("ledger", "backup", copy).status == 0)
        try scene.erase()
        #expect(scene.service.stop() == 0)
        let maybe = "there is no record of the account '\(Self.person)', or it was erased: "
        let shown = try scene.usher("show", Self.person, hasKey: false)
        #expect(shown.output.inOneLine.contains(maybe), "\(shown.output)")
        let checked = try scene.usher("check", Self.person, "forever", hasKey: false)
        #expect(checked.status == 1 && checked.errors.hasPrefix(maybe), "\(checked.errors)")
        for (hasKey, code) in [(false, "account.maybe-erased"), (true, "account.erased")] {
            let replayed = try scene.usher("replay", answer, hasKey: hasKey)
            #expect(replayed.status == 2 && replayed.errors.contains("[\(code)]"))
        }
        try scene.removeLedger()
        try FileManager.default.removeItem(atPath: scene.list)
        let restored = try scene.usher("ledger", "restore", copy)
        #expect(
            restored.output.inOneLine.hasSuffix(
                "there was no list of erasures: what was erased after this backup is in the "
                    + "ledger again (--against LIST)"), "\(restored.output)")
        let other = ["--ledger", scene.shop.folder.path + "/other", "--json"]
        let json = try parseJSON(
            Array(try Program.run(["ledger", "restore", copy] + other).output.utf8))
        #expect(json["restored"] == true && json["erasures_listed"] == false)
    }

    @Test("the end of a hold is in the log with what the certificate says")
    func logs() throws {
        var erasure = Erasure(
            reference: ErasureReference(unchecked: "r-1"), actor: "uid:7",
            digest: try #require(Digest256(hexadecimal: String(repeating: "ab", count: 32))))
        erasure.kinds = [.init(kind: 2, count: 3), .init(kind: 7, count: 1)]
        let recorded = Recorded(
            sequence: LedgerSequence(9), recordedAt: .distantPast, value: erasure)
        let lines = KeptLines()
        JobReport.erased(ErasureAnswer(recorded, anchor: "9:ab")).log(
            to: Logger(label: "test") { _ in lines }, folder: "")
        let digest = String(repeating: "ab", count: 32)
        #expect(
            lines.kept.lines.withLock(\.self) == [
                "notice account erased digest=\(digest) entries=4 entry=9 reference=r-1"
            ])
    }

    @Test("a key of another user is said to be that", .enabled(if: geteuid() == 0))
    func keyOfOther() throws {
        let folder = try TemporaryFolder()
        let key = folder.path + "/key"
        #expect(try Program.run(["ledger", "key", key]).status == 0)
        chmod(folder.path, 0o755)
        // Where the tests were built, another user may not come.
        let program = folder.path + "/usher"
        try FileManager.default.copyItem(atPath: Program.path, toPath: program)
        let run = "exec setpriv --reuid 65534 --clear-groups \"$0\" \"$@\""
        let arguments = ["ledger", "restore", "none", "--ledger", "none", "--lang", "en"]
        let other = try Program.run(
            ["-c", run, program] + arguments, program: "/bin/sh",
            environment: ["USHER_PRIVACY_KEY_FILE": key])
        #expect(other.status == 2)
        #expect(
            other.errors.contains("'\(key)' belongs to uid 0, and this is uid 65534"),
            "\(other.errors)")
    }

    @Test("what an older backup still has is erased again when it is restored")
    func restores() throws {
        let scene = try Scene()
        let copy = scene.shop.folder.path + "/copy"
        #expect(try scene.usher("ledger", "backup", copy).status == 0)
        let others = try scene.others()
        try scene.erase()
        let listed = try scene.usher("ledger", "verify", "--against", scene.list)
        #expect(listed.status == 0)
        #expect(
            listed.output.contains("of 1 erasure of the list with 4 entries nothing is left"))
        #expect(scene.service.stop() == 0)
        #expect(try scene.found() == ["copy"])
        let old = try scene.usher(
            "ledger", "verify", "--quick", "--ledger", copy, "--against", scene.list)
        #expect(old.status == 1)
        let lines = old.output.split(separator: "\n").joined(separator: " ")
            .replacing(/[ ]+/, with: " ")
        for entry in 2...5 {
            let left = "entry \(entry) was erased, as the list says, and still has content here"
            #expect(lines.contains(left + " [content-left]"), "\(old.output)")
        }

        try scene.removeLedger()
        let refused = try scene.usher("ledger", "restore", copy, hasKey: false)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("[ledger.undone-erasures]"))
        #expect(!FileManager.default.fileExists(atPath: scene.ledger))
        let restored = try scene.usher("ledger", "restore", copy)
        #expect(
            restored.output == """
                \(scene.ledger) was restored from \(copy)
                1 erasure made again that the backup lacked

                """, "\(restored.errors)")
        #expect(try scene.found() == ["copy"])
        let sound = try scene.usher("ledger", "verify", "--against", scene.list)
        #expect(sound.status == 0, "\(sound.output)")
        try scene.restart()
        #expect(try scene.others() == others)
        #expect(scene.service.stop() == 0)
        #expect(try scene.found() == ["copy"])
        #expect(try scene.usher("ledger", "verify").status == 0)
    }

    @Test("what was known of an erased person is erased, and is not said to have been nothing")
    func past() throws {
        let scene = try Scene()
        let person = Self.person
        let answer = scene.shop.folder.path + "/answer.json"
        let asked = try scene.usher("check", person, "forever", "--json", "--replayable")
        try asked.output.write(toFile: answer, atomically: false, encoding: .utf8)
        #expect(try scene.usher("replay", answer).status == 0)
        let path = "/v1/accounts/\(person)/entitlements"
        #expect(try scene.service.query.get(path + "?revision=5").status == 200)
        try scene.erase()
        let gone = try scene.service.query.get(path + "?revision=5")
        #expect(gone.status == 410)
        #expect(String(decoding: gone.body, as: UTF8.self).contains(#""code":"account.erased""#))
        // Of what came later something is known: nothing.
        let newest = try scene.service.query.get(path)
        #expect(newest.status == 200)
        for arguments in [["replay", answer], ["explain", person, "forever", "--revision", "5"]] {
            let output = try Program.run(
                arguments + ["--lang", "en"], environment: ["USHER_SOCKETS": scene.service.sockets])
            #expect(output.status == 2)
            #expect(output.errors.contains("[account.erased]"), "\(output.errors)")
        }
        let history = try scene.usher("history", person, "forever")
        #expect(history.output.contains("this account was erased"), "\(history.errors)")
        #expect(scene.service.stop() == 0)
        // The answer that was kept is not the ledger's.
        #expect(try scene.found() == ["answer.json"])
    }

    @Test("a service that finds an older file erases again before it serves")
    func starts() throws {
        let scene = try Scene()
        let copy = scene.shop.folder.path + "/copy"
        #expect(try scene.usher("ledger", "backup", copy).status == 0)
        let others = try scene.others()
        try scene.erase()
        scene.service.kill()
        try scene.removeLedger()
        // As a restore leaves it that was killed behind the copying.
        try FileManager.default.moveItem(atPath: copy, toPath: scene.ledger)
        try scene.restart()
        #expect(try scene.others() == others)
        #expect(try scene.found() == [])
        #expect(scene.service.stop() == 0)
        #expect(try scene.found() == [])
        let sound = try scene.usher("ledger", "verify", "--against", scene.list)
        #expect(sound.status == 0, "\(sound.output)")
    }
}

extension String {
    /// Lines that are as wide as it takes.
    fileprivate var inOneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// What is logged.
private struct KeptLines: LogHandler {
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]
    let kept = Kept()

    final class Kept: Sendable {
        let lines = Mutex<[String]>([])
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map {
            "\($0.key)=\($0.value)"
        }
        let words = ["\(event.level)", "\(event.message)"] + values
        kept.lines.withLock { $0.append(words.joined(separator: " ")) }
    }
}
