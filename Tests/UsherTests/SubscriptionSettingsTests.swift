internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("Subscriptions in the settings file", .timeLimit(.minutes(20)))
struct SubscriptionSettingsTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// What reading the file comes to: the subscriptions' names and addresses, or the sentence.
    private func read(_ text: String, secretMode: Int = 0o600) throws -> String {
        let folder = try TemporaryFolder()
        let (file, key) = (folder.path + "/settings.yaml", folder.path + "/key")
        try Self.secret.write(toFile: key, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: secretMode], ofItemAtPath: key)
        try text.replacing("KEY", with: key).write(
            toFile: file, atomically: false, encoding: .utf8)
        do throws(CommandFailure) {
            let found = try SettingsFile(file).subscriptions.read(
                environment: ["HOOK": Self.secret, "EMPTY": ""])
            return found.map { "\($0.name) \($0.receiver.shown)" }.joined(separator: "\n")
        } catch {
            let sentence = error.sentence(.english).replacing(key, with: "KEY")
            #expect(sentence.hasPrefix("\(file):1: "))
            return String(sentence.dropFirst(file.count + 4))
        }
    }

    @Test(
        "are read, or say what is wrong with them",
        arguments: [
            ("", ""), ("log: {level: info}", ""), ("subscriptions:", ""), ("subscriptions: {}", ""),
            (
                """
                subscriptions:
                  app: {url: "/run/a.sock:/x", secret-file: KEY}
                  web-2: {url: "http://127.0.0.1:80/", secret-env: HOOK, accounts: eu-,
                    kinds: [right-gained, order-changed], entitlements: [pro], from: start}
                """, "app /run/a.sock:/x\nweb-2 http://127.0.0.1:80/"
            ),
            ("subscriptions: [a]", "'subscriptions': 'subscriptions' must have keys and values"),
            ("subscriptions: {a: 5}", "'subscriptions': 'a' must have keys and values"),
            (
                "subscriptions: {A: {url: x}}",
                "'subscriptions': 'A' is not a name; write 1 to 32 lower-case letters, digits and hyphens"
            ),
            (
                "subscriptions: {a: {uri: x}}",
                "'subscriptions': 'a' has an unknown key 'uri'; known are 'url, secret-file, "
                    + "secret-env, accounts, kinds, entitlements, from'"
            ),
            ("subscriptions: {a: {secret-file: KEY}}", "'subscriptions': 'a' needs 'url', once"),
            (
                "subscriptions: {a: {url: 'http://example.com/', secret-file: KEY}}",
                "'subscriptions': 'a' cannot send to 'http://example.com/'; write "
                    + "http://127.0.0.1:PORT/PATH, http://[::1]:PORT/PATH or /path/of/a.sock:/PATH"
            ),
            (
                "subscriptions: {a: {url: /a.sock}}",
                "'subscriptions': 'a' needs 'secret-file', once"
            ),
            (
                "subscriptions: {a: {url: /a.sock, secret-file: KEY, secret-env: HOOK}}",
                "'subscriptions': 'a' needs 'secret-file', once"
            ),
            (
                "subscriptions: {a: {url: /a.sock, secret-env: NONE}}",
                "'subscriptions': 'a': the environment has no variable NONE"
            ),
            (
                "subscriptions: {a: {url: /a.sock, secret-env: EMPTY}}",
                "'subscriptions': 'a': the secret must be whsec_ and base64 of 24 to 64 bytes"
            ),
            (
                "subscriptions: {a: {url: /a.sock, secret-file: /nowhere}}",
                "'subscriptions': 'a': the file /nowhere cannot be read, or is not a file of at most 64 KiB"
            ),
            (
                "subscriptions: {a: {url: /a.sock, secret-file: KEY, kinds: [gained]}}",
                "'subscriptions': 'a': 'kinds' cannot be as it is written; see docs/PUSH.md"
            ),
            (
                "subscriptions: {a: {url: /a.sock, secret-file: KEY, from: yesterday}}",
                "'subscriptions': 'a': 'from' cannot be as it is written; see docs/PUSH.md"
            ),
        ] as [(String, String)])
    func reads(_ text: String, _ outcome: String) throws {
        #expect(try read(text) == outcome)
    }

    @Test("take no secret that others can read, and no more than there is room for")
    func bounds() throws {
        let one = "subscriptions: {a: {url: /a.sock, secret-file: KEY}}"
        #expect(
            try read(one, secretMode: 0o640)
                == "'subscriptions': 'a': others may read the file KEY; run 'chmod 600' on it")
        let many = (0...32).map { "a\($0): {url: /a.sock, secret-file: KEY}" }
        #expect(
            try read("subscriptions: {\(many.joined(separator: ", "))}")
                == "'subscriptions': there may be 32 at most")
    }

    @Test("keep the service from starting where they are wrong, and are printed without a secret")
    func service() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/settings.yaml"
        try "subscriptions: {a: {url: 'https://127.0.0.1:1/', secret-env: HOOK}}".write(
            toFile: file, atomically: false, encoding: .utf8)
        let wrong = try Program.run(
            ["serve", "--config", file], environment: ["HOOK": Self.secret])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("cannot send to 'https://127.0.0.1:1/'"))
        try "subscriptions: {a: {url: 'http://127.0.0.1:1/', secret-env: HOOK}}".write(
            toFile: file, atomically: false, encoding: .utf8)
        let shown = try Program.run(
            ["serve", "--config", file, "--print-config"], environment: ["HOOK": Self.secret])
        #expect(shown.status == 0)
        #expect(shown.output.contains("subscriptions: a  # \(file)\n"))
        #expect(!shown.output.contains("whsec") && !shown.errors.contains("whsec"))
    }
}
