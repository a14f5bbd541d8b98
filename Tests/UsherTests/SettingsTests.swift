internal import EntitlementModel
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import usher

@Suite("Settings", .timeLimit(.minutes(20)))
struct SettingsTests {
    /// Each row of the table as its cells.
    private static func rows() throws -> [[String]] {
        let text = try String(contentsOf: Repository.url("docs/SETTINGS.md"), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("are all in docs/SETTINGS.md, in their order, with default and range")
    func documented() throws {
        let rows = try Self.rows()
        #expect(rows.map { $0[0] } == Setting.allCases.map { "`\($0.rawValue)`" })
        for row in rows {
            let setting = try #require(Setting(rawValue: row[0].filter { $0 != "`" }))
            let standard = setting.standard(environment: [:])
            let isFolder = setting == .socketFolder
            let written = row[1].split(separator: "`").last.map(String.init) ?? ""
            #expect(written == standard, "\(setting)")
            #expect(isFolder || row[1] == (standard.isEmpty ? "" : "`\(standard)`"))
            guard let range = setting.range else { continue }
            #expect(row[2] == "\(range.lowerBound) to \(range.upperBound)")
        }
    }

    @Test(
        "the variable of every command names the service's sockets too, before the file",
        arguments: [
            (["USHER_SOCKETS": "/s"], "/s"), (["USHER_SOCKETS_FOLDER": "/f"], "/f"),
            (["USHER_SOCKETS": "/s", "USHER_SOCKETS_FOLDER": "/f"], "/s"),
            (["USHER_SOCKETS": ""], "/file"),
        ])
    func socketFolder(environment: [String: String], folder: String) async throws {
        let files = try TemporaryFolder()
        try files.write("sockets: {folder: /file}\n", to: "usher.yaml")
        let settings = try ServiceSettings(
            flags: [:], environment: environment, file: files.path + "/usher.yaml")
        #expect(settings[.socketFolder] == folder)
    }

    @Test(
        "of a file that cannot be read say where and why",
        arguments: [
            (nil, ": error: there is no such file"),
            ("- a\n", ":1: error: settings are written as 'name: value', not as a list or a text"),
            ("log: {level: info}\nlog: {format: text}\n", ":1: error: 'log' is written twice"),
            (
                "log: {level: info\n",
                ":2: error: this is not YAML: did not find expected ',' or '}'"
            ),
        ] as [(String?, String)])
    func broken(text: String?, sentence: String) async throws {
        let files = try TemporaryFolder()
        if let text { try files.write(text, to: "usher.yaml") }
        let path = files.path + "/usher.yaml"
        let failure = #expect(throws: CommandFailure.self) {
            try ServiceSettings(flags: [:], environment: [:], file: path)
        }
        #expect(failure?.sentence(.english) == path + sentence)
    }

    @Test("say all that is wrong at once, and where")
    func severalMistakes() throws {
        let files = try TemporaryFolder()
        try files.write(
            """
            log: {levl: info}
            limits:
              bodies: 1
              connections: many
            ledger: [a, b]
            sockets.backlog: 5
            sockets: {backlog: 6, peers: [uid:0=admin, [x]]}
            subscriptions:
              a: {url: /a.sock}
              b: 5

            """, to: "usher.yaml")
        let path = files.path + "/usher.yaml"
        let failure = #expect(throws: CommandFailure.self) {
            try ServiceSettings(flags: [:], environment: [:], file: path)
        }
        let lines = failure?.sentence(.english).split(separator: "\n") ?? []
        let expected = [
            "1: unknown setting 'log.levl'; did you mean 'log.level'?",
            "3: unknown setting 'limits.bodies'",
            "5: the setting ledger cannot be '[…]'",
            "7: error: 'sockets.backlog' is written twice",
            "7: the setting sockets.peers cannot be '[…]'",
            "4: the setting limits.connections cannot be 'many'",
            "9: 'subscriptions': 'a' needs 'secret-file', once",
            "10: 'subscriptions': 'b' must have keys and values",
        ]
        #expect(lines.count == expected.count, "\(lines)")
        for (line, start) in zip(lines, expected) {
            #expect(line.hasPrefix("\(path):\(start)"), "\(line)")
        }
        let flags: [Setting: String] = [.logLevel: "loud", .queryMode: "999"]
        let settings = try ServiceSettings(flags: flags, environment: [:], file: nil)
        let values = #expect(throws: CommandFailure.self) { try settings.serverConfiguration() }
        #expect(values?.sentence(.english).split(separator: "\n").count == 2)
    }

    /// The defaults are in range, and a number that is none has a default of another kind.
    @Test("have defaults that are allowed")
    func defaults() async throws {
        let settings = try ServiceSettings(flags: [:], environment: [:], file: nil)
        _ = try settings.serverConfiguration()
        let places = Set(NumberSetting.all.map(\.setting))
        #expect(places.count == NumberSetting.all.count)
    }

    @Test("reach the place that they are for", arguments: NumberSetting.all.map(\.setting))
    func places(setting: Setting) async throws {
        let number = try #require(NumberSetting.all.first { $0.setting == setting })
        for (value, isAllowed) in [
            (number.range.lowerBound, true), (number.range.upperBound, true),
            (number.range.lowerBound - 1, false), (number.range.upperBound + 1, false),
        ] {
            let settings = try ServiceSettings(
                flags: [setting: "\(value)"], environment: [:], file: nil)
            let configuration = try? settings.serverConfiguration()
            #expect(configuration?[keyPath: number.place] == (isAllowed ? value : nil))
        }
    }
}
