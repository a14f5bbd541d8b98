internal import Foundation
internal import TestSupport
internal import Testing

/// docs/REFUNDS.md shows what was typed into a shell, with the App Store in a box. Here it is typed
/// again.
@Suite("The walk through a refund request", .timeLimit(.minutes(20)))
struct RefundWalkTests {
    @Test("every command of docs/REFUNDS.md answers what the document shows")
    func walk() throws {
        let text = try String(contentsOf: Repository.url("docs/REFUNDS.md"), encoding: .utf8)
        let shown = OrderWalkTests.shown(in: text)
        #expect(shown.count >= 15)
        let folder = try TemporaryFolder()
        let box = try RunningBox(folder: folder.path)
        try Self.prepare(folder, for: box)
        let service = try RunningService(
            folder: folder.path, policies: folder.path + "/shop", ledger: "try.ledger",
            arguments: ["--config", folder.path + "/settings.yaml"])
        let address = "127.0.0.1:8431"
        #expect(text.contains(address))
        let run = try OrderWalkTests.type(
            shown.map(\.command).map { $0.replacing(address, with: box.address) },
            after: "", in: folder)
        try OrderWalkTests.compare(run, with: shown, of: "docs/REFUNDS.md")
        #expect(service.stop() == 0)
        box.stop()
    }

    /// The example policy, trusting the box, and the settings of docs/BOX.md.
    private static func prepare(_ folder: TemporaryFolder, for box: RunningBox) throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder.path + "/shop", withIntermediateDirectories: true)
        for name in ["catalog.yaml", "rules.yaml"] {
            try manager.copyItem(
                atPath: Repository.path("policies/" + name), toPath: folder.path + "/shop/" + name)
        }
        for name in ["root.pem", "receipt-root.pem"] {
            try manager.copyItem(
                atPath: folder.path + "/box/" + name, toPath: folder.path + "/shop/" + name)
        }
        let app = try String(contentsOf: Repository.url("policies/app.yaml"), encoding: .utf8)
        try folder.write(
            app.replacing("apple-root-ca-g3", with: "{file: root.pem}")
                .replacing("apple-inc-root", with: "{file: receipt-root.pem}"),
            to: "shop/app.yaml")
        try folder.write(
            """
            app-store:
              issuer-id: 063e6d02-eea4-49ff-9b2e-af890470372f
              key-id: A3Z9DAT9W5
              key-file: \(folder.path)/box/AuthKey.p8
              production-url: http://\(box.address)/production
              sandbox-url: http://\(box.address)/sandbox

            """, to: "settings.yaml")
    }
}

/// The App Store in a box in a process of its own, which tells the service in the folder what happens.
private final class RunningBox {
    private let process: ChildProcess
    /// Host and port.
    let address: String

    init(folder: String) throws {
        let pipe = try ChildPipe()
        let now = Date.now.formatted(.iso8601)
        process = try ChildProcess(
            Program.path,
            [
                "simulate", "serve", "--start", now, "--speed", "0", "--listen", "127.0.0.1:0",
                "--notify", "unix:\(folder)/run/usher.sock", "--out", "\(folder)/box", "--lang",
                "en",
            ], streams: .init(output: pipe.writing.fileDescriptor))
        try pipe.writing.close()
        var said = ""
        while !said.contains("root (SHA-256)") {
            let bytes = pipe.reading.availableData
            if bytes.isEmpty { break }
            said += String(decoding: bytes, as: UTF8.self)
        }
        let found = try #require(said.firstMatch(of: /http:\/\/(127\.0\.0\.1:[0-9]+)/), "\(said)")
        address = String(found.1)
    }

    deinit {
        if process.isRunning { stop() }
    }

    func stop() {
        process.send(SIGTERM)
        process.waitUntilExit()
    }
}
