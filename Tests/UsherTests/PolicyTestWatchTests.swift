internal import Foundation
internal import TestSupport
internal import Testing

/// `usher policy test --watch` beside an editor.
@Suite("usher policy test --watch", .timeLimit(.minutes(20)))
struct PolicyTestWatchTests {
    private static let story = """
        usher: 1
        story: Gold lasts a month
        steps:
          - 2026-01-01: alice buys gold.monthly
          - 2026-01-15: expect alice has premium, state active

        """

    /// The program, and what it says on both streams.
    private final class Watching {
        private let process: ChildProcess
        private let output: ChildPipe
        private var said = ""

        init(_ folder: String) throws {
            output = try ChildPipe()
            let descriptor = output.writing.fileDescriptor
            process = try ChildProcess(
                Program.path, ["policy", "test", folder, "--watch", "--lang", "en"],
                environment: ["TMPDIR": folder + "/.."],
                streams: .init(output: descriptor, errors: descriptor))
            try output.writing.close()
        }

        deinit {
            process.send(SIGKILL)
            process.waitUntilExit()
        }

        /// Reads until it has said so; what was said up to there is not looked at again.
        func wait(for text: String) throws {
            let deadline = ContinuousClock.now + .seconds(120)
            while true {
                if let found = said.range(of: text) {
                    said.removeSubrange(..<found.upperBound)
                    return
                }
                try #require(ContinuousClock.now < deadline, "waiting for '\(text)': \(said)")
                var look = pollfd(
                    fd: output.reading.fileDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&look, 1, 1_000) > 0 else { continue }
                let bytes = output.reading.availableData
                try #require(!bytes.isEmpty, "it ended without '\(text)': \(said)")
                said += String(decoding: bytes, as: UTF8.self)
            }
        }

        func interrupt() -> Int32 {
            process.send(SIGINT)
            return process.waitUntilExit()
        }
    }

    private func policies() throws -> TemporaryFolder {
        let temporary = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: temporary.path + "/policies/tests", withIntermediateDirectories: true)
        for name in ["app.yaml", "catalog.yaml", "rules.yaml"] {
            try FileManager.default.copyItem(
                atPath: Repository.path("policies/\(name)"),
                toPath: "\(temporary.path)/policies/\(name)")
        }
        try temporary.write(Self.story, to: "policies/tests/gold.yaml")
        return temporary
    }

    @Test("plays after every change, also of what cannot be read, and ends at Ctrl-C")
    func changes() throws {
        let temporary = try policies()
        let watching = try Watching(temporary.path + "/policies")
        try watching.wait(for: "stories: 1; expectations: 1; failed: 0")
        try temporary.write(
            Self.story.replacing("state active", with: "state grace"),
            to: "policies/tests/gold.yaml")
        try watching.wait(for: "expected alice has premium, state grace, got")
        try watching.wait(for: "stories: 1; expectations: 1; failed: 1")
        let rules = try String(
            contentsOf: Repository.url("policies/rules.yaml"), encoding: .utf8)
        try temporary.write(
            rules.replacing("\naccess:", with: "\nacess:"), to: "policies/rules.yaml")
        try watching.wait(for: "the policy has errors")
        try temporary.write(Self.story, to: "policies/tests/gold.yaml")
        try temporary.write(rules, to: "policies/rules.yaml")
        try watching.wait(for: "stories: 1; expectations: 1; failed: 0")
        #expect(watching.interrupt() == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: temporary.path) == ["policies"])
    }

    @Test("ends with the exit code of what was played last")
    func failing() throws {
        let temporary = try policies()
        try temporary.write(
            Self.story.replacing("state active", with: "state grace"),
            to: "policies/tests/gold.yaml")
        let watching = try Watching(temporary.path + "/policies")
        try watching.wait(for: "stories: 1; expectations: 1; failed: 1")
        #expect(watching.interrupt() == 1)
    }
}
