internal import AppleSync
internal import EntitlementEngine
internal import EntitlementModel
internal import Foundation
internal import StrictJSON
internal import TestSupport
internal import Testing

@testable internal import usher

/// The settings for Apple's servers, and what the service does with them.
@Suite("Settings for Apple's servers", .timeLimit(.minutes(20)))
struct AppStoreSettingsTests {
    private func stub() throws -> AppStoreStub {
        try AppStoreStub { _ in AppStoreStub.error(4_040_010) }
    }

    /// What the settings of a stub with some others are refused with; nil if they are not.
    private func fault(
        _ stub: AppStoreStub, _ others: [Setting: String]
    ) async throws -> String? {
        let settings = try ServiceSettings(
            flags: others, environment: stub.environment, file: nil)
        do throws(CommandFailure) {
            _ = try settings.appStoreSetup()
            return nil
        } catch {
            return error.sentence(.english)
        }
    }

    @Test("nothing is configured without a key and a secret, and mistakes are told all the same")
    func none() async throws {
        let empty = try ServiceSettings(flags: [:], environment: [:], file: nil)
        let none = try empty.appStoreSetup()
        #expect(none == nil)
        let bad = try ServiceSettings(
            flags: [.productionURL: "http://example.com"], environment: [:], file: nil)
        #expect(throws: CommandFailure.self) { try bad.appStoreSetup() }
    }

    @Test("a whole configuration is taken, with what it says")
    func whole() async throws {
        let stub = try stub()
        let settings = try ServiceSettings(
            flags: [.callsPerSecond: "3", .isReleased: "false"], environment: stub.environment,
            file: nil)
        let found = try settings.appStoreSetup()
        let setup = try #require(found)
        let policy = CheckedFolder(stub.shop.policies).policy
        let configuration = try setup.configuration(policy)
        #expect(configuration.bundleID.text == "com.example.shop")
        #expect(configuration.appAppleID == 77)
        #expect(configuration.callsPerSecond == 3)
        #expect(!configuration.isReleased)
        #expect(configuration.sharedSecret?.revealed == AppStoreStub.password)
        #expect(configuration.key?.keyID == "2X9R4HXF34")
        #expect(throws: CommandFailure.self) { try setup.configuration(nil) }
    }

    @Test(
        "each mistake is named",
        arguments: [
            ([.keyID: ""], "app-store.key-id is missing"),
            ([.issuerID: ""], "app-store.issuer-id is missing"),
            ([.keyFile: ""], "app-store.key-file is missing"),
            ([.issuerID: "abc"], "the issuer id must be a UUID"),
            ([.keyID: "a-b"], "the key id must be letters and digits"),
            ([.keyFile: "/no/such/file"], "the file /no/such/file cannot be read"),
            ([.keyFile: "/tmp"], "the file /tmp cannot be read"),
            ([.keyFile: "/dev/zero"], "the file /dev/zero cannot be read"),
            ([.storeBundleID: "a b"], "app-store.bundle-id"),
            ([.isReleased: "yes"], "app-store.released cannot be 'yes'; allowed: true, false"),
            ([.callsPerSecond: "0"], "a whole number from 1 to 1000"),
            ([.callConcurrency: "257"], "a whole number from 1 to 256"),
            ([.sandboxURL: "http://example.com"], "an https URL, or an http URL of this machine"),
            ([.receiptSandboxURL: ""], "app-store.verify-receipt-sandbox-url"),
        ] as [([Setting: String], String)])
    func mistakes(settings: [Setting: String], text: String) async throws {
        let stub = try stub()
        let good = try await fault(stub, [:])
        #expect(good == nil)
        let fault = try await fault(stub, settings)
        #expect(fault?.contains(text) == true, "\(fault ?? "nothing")")
    }

    /// What is in a file, its mode, and what is said of it.
    @Test(
        "a file that others can read, or with something else in it, is not used",
        arguments: [
            (AppStoreStub.pem, 0o600, nil), (AppStoreStub.pem, 0o400, nil),
            (AppStoreStub.pem, 0o640, "others may read"),
            (AppStoreStub.pem, 0o604, "others may read"),
            (AppStoreStub.pem, 0o620, "others may read"), ("hello", 0o600, "is not a .p8 file"),
            (
                AppStoreStub.pem.replacing("MIGHAgEA", with: "MIGHAgEB"), 0o600,
                "is not a P-256 key"
            ),
            (String(repeating: "x", count: 65_537), 0o600, "cannot be read"),
        ] as [(String, mode_t, String?)])
    func files(text: String, mode: mode_t, said: String?) async throws {
        let stub = try stub()
        let path = stub.shop.folder.path + "/other.p8"
        try stub.shop.folder.write(text, to: "other.p8")
        chmod(path, mode)
        let fault = try await fault(stub, [.keyFile: path])
        #expect((fault == nil) == (said == nil), "\(fault ?? "")")
        if let said { #expect(fault?.contains(said) == true, "\(fault ?? "")") }
    }

    @Test(
        "a shared secret is one line",
        arguments: [
            ("secret", true), ("secret\n", true), ("", false), ("a b", false), ("a\nb", false),
        ])
    func sharedSecrets(text: String, isGood: Bool) async throws {
        let stub = try stub()
        try stub.shop.folder.write(text, to: "secret")
        chmod(stub.shop.folder.path + "/secret", 0o600)
        let fault = try await fault(stub, [:])
        #expect((fault == nil) == isGood)
    }

    @Test("the service starts with them, says so, shows no secret, and asks nothing by itself")
    func service() throws {
        let stub = try stub()
        let environment = stub.environment.merging([
            "USHER_LEDGER": stub.shop.folder.path + "/ledger",
            "USHER_SOCKETS": stub.shop.folder.path + "/run",
        ]) { $1 }
        let shown = try Program.run(["serve", "--print-config"], environment: environment)
        #expect(shown.status == 0)
        #expect(shown.output.contains("app-store.key-file: \(stub.shop.folder.path)/key.p8"))
        let run = try Program.run(["serve"], environment: environment) { process in
            try process.wait(for: "serving on")
            kill(process.id, SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("Apple's servers are configured"), "\(run.errors)")
        for text in [shown.output, shown.errors, run.output, run.errors] {
            #expect(!text.contains(AppStoreStub.password) && !text.contains("MIGHAgEA"))
        }
        #expect(stub.server.requests.isEmpty)
    }

    @Test("the service does not start with a key that others can read, and says why")
    func exposedKey() throws {
        let stub = try stub()
        chmod(stub.shop.folder.path + "/key.p8", 0o644)
        for more in [["--print-config"], []] {
            let run = try Program.run(["serve"] + more, environment: stub.environment)
            #expect(run.status == 2)
            #expect(run.errors.contains("run 'chmod 600' on it"), "\(run.errors)")
        }
    }
}
