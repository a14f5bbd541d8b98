internal import Testing

@testable internal import EntitlementServer

@Suite("Open files")
struct OpenFilesTests {
    /// Files, and what each socket gets of them: connections, and those reserved for health.
    @Test(
        "are shared out: half for each socket, with room for health, and some for ourselves",
        arguments: [
            (65_536, 4_096, 16), (8_272, 4_096, 16), (8_271, 4_095, 16), (1_024, 472, 16),
            (128, 24, 16), (64, 4, 4), (50, 1, 1), (0, 1, 1),
        ])
    func shares(files: Int, connections: Int, reserved: Int) {
        var configuration = ServerConfiguration(folder: "")
        let isLess = configuration.limitConnections(toFiles: files)
        #expect(configuration.connectionLimit == connections)
        #expect(configuration.reservedConnections == reserved)
        #expect(isLess == (connections < 4_096))
    }

    @Test("have a limit that is raised as far as may be")
    func raised() {
        let first = OpenFiles.raiseLimit()
        #expect(first >= 64)
        #expect(OpenFiles.raiseLimit() == first)
    }
}
