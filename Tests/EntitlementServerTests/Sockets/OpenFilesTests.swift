internal import Testing

@testable internal import EntitlementServer

@Suite("Open files", .timeLimit(.minutes(20)))
struct OpenFilesTests {
    /// Files, and what each socket gets of them: connections, and those reserved for health.
    @Test(
        "are shared out: half for each socket, with room for health, and some for ourselves",
        arguments: [
            (65_536, 4_096, 256), (8_752, 4_096, 256), (8_751, 4_095, 256), (1_024, 427, 61),
            (128, 35, 5), (64, 7, 1), (50, 1, 1), (0, 1, 1),
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
