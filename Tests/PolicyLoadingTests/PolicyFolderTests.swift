internal import Foundation
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Reading of folders: what belongs to a policy, and what must not be touched (THREATS.md F26).
@Suite(.timeLimit(.minutes(20)))
struct PolicyFolderTests {
    private func paths(_ make: (TemporaryFolder) throws -> Void) throws -> [String] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try make(folder)
        return try readPolicyFolder(folder.path).map(\.path)
    }

    private func refusals(
        _ make: (TemporaryFolder) throws -> Void,
        reading read: (String) throws -> [Diagnostic] = InvalidFolder.refusal
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try make(folder)
        return try read(folder.path).map { "\($0.place.file) \($0.id.rawValue)" }
    }

    @Test func policyFilesAndCertificates() throws {
        let paths = try paths { folder in
            for name in [
                "b.yaml", "a.yml", "Rules.YAML", "deep/er/c.yaml", "root.pem", "root.der",
                "tests/grace.yaml",
                "schema.json", "README.md", ".hidden.yaml", ".git/x.yaml", "app.yaml~", "yaml",
                "deep/tests/d.yaml",
            ] {
                try folder.write("leeway: 1h\n", to: name)
            }
        }
        #expect(
            paths == [
                "Rules.YAML", "a.yml", "b.yaml", "deep/er/c.yaml", "deep/tests/d.yaml", "root.der",
                "root.pem",
            ])
    }

    /// The policy that the package brings: a service starts with it, and it says what to edit.
    @Test func policyToBeginWith() throws {
        let texts = try readPolicyFolder(Repository.path("examples/first-policy"))
        let report = checkPolicy(texts, PolicyCheckOptions())
        #expect(loadPolicy(texts).policy != nil)
        #expect(report.diagnostics.map(\.id) == [.productionRefused])
    }

    /// A file that is hidden by mistake is missed; what tools leave is not.
    @Test func hiddenFilesAreIgnoredAndNamed() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        for name in [
            ".rules.yaml", "deep/.more.YML", "notes.txt", ".hidden", ".app.yaml.swp",
            ".#app.yaml", "._app.yaml", ".git/x.yaml", ".folder.yaml/x.yaml", "app.yaml",
        ] {
            try folder.write("leeway: 1h\n", to: name)
        }
        let contents = try readPolicyFolderContents(folder.path)
        #expect(contents.texts.map(\.path) == ["app.yaml"])
        #expect(contents.ignored == [".rules.yaml", "deep/.more.YML", "notes.txt"])
        var options = PolicyCheckOptions()
        options.ignored = contents.ignored
        let found = checkPolicy(contents.texts, options).diagnostics.map(\.id)
        #expect(!found.contains(.fileNotRead))
    }

    /// Mounted configuration is made of links within the folder.
    @Test func linksInsideAreFollowed() throws {
        let paths = try paths { folder in
            try folder.write("usher: 1\n", to: "..2026/app.yaml")
            try folder.link("..data", to: "..2026")
            try folder.link("app.yaml", to: "..data/app.yaml")
        }
        #expect(paths == ["app.yaml"])
    }

    @Test func whatIsRefused() throws {
        #expect(
            try refusals { try $0.link("a.yaml", to: "/dev/zero") } == ["a.yaml path-outside"])
        #expect(
            try refusals { try $0.link("a.yaml", to: "../other.yaml") }.first?.hasPrefix("a.yaml")
                == true)
        #expect(
            try refusals { try $0.link("a.yaml", to: "a.yaml") } == ["a.yaml path-unreadable"])
        #expect(
            try refusals { try $0.write("leeway: 1h\n", to: "a.yaml/b.yaml") }
                == ["a.yaml path-not-a-file"])
        #expect(try refusals { _ = $0 } == [])
    }

    /// Root may read everything, so that a test that runs as root has to be somebody else.
    @Test func fileWithoutPermission() throws {
        let found = try refusals { folder in
            try folder.write("leeway: 1h\n", to: "rules.yaml")
            #expect(chmod(folder.path + "/rules.yaml", 0) == 0)
            #expect(chmod(folder.path, 0o755) == 0, "only the file is forbidden")
        } reading: { path in
            try FileAccess.asNobody { InvalidFolder.refusal(path) }
        }
        #expect(found == ["rules.yaml path-unreadable"])
    }

    /// All of them at once.
    @Test func refusalsAreSorted() throws {
        let found = try refusals { folder in
            try folder.link("b.yaml", to: "nothing")
            #expect(mkfifo(folder.path + "/a.yaml", 0o600) == 0)
        }
        #expect(found == ["a.yaml path-not-a-file", "b.yaml path-unreadable"])
    }

    @Test func fileInsteadOfFolder() {
        #expect(
            InvalidFolder.refusal(Repository.path("Package.swift")).map(\.id) == [.folderMissing])
    }

    /// What somebody does to a watched folder, and whether the watch hears of it.
    @Test(
        arguments: [
            Change("a file is written", heard: true) { try $0.write("x", to: "a.yaml") },
            Change("a file is written and taken back", heard: true) { folder in
                try folder.write("other", to: "a.yaml")
                try folder.write("leeway: 1h\n", to: "a.yaml")
            },
            Change("a file in a subfolder is written", heard: true) {
                try $0.write("x", to: "deep/er/c.yaml")
            },
            Change("a file is removed", heard: true) {
                try FileManager.default.removeItem(atPath: $0.path + "/a.yaml")
            },
            Change("a file is renamed", heard: true) {
                try FileManager.default.moveItem(
                    atPath: $0.path + "/a.yaml", toPath: $0.path + "/b.yaml")
            },
            Change("the folder is read", heard: false) { _ = try readPolicyFolder($0.path) },
            Change("nothing happens", heard: false) { _ in },
        ])
    func watch(change: Change) throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write("leeway: 1h\n", to: "a.yaml")
        try folder.write("leeway: 1h\n", to: "deep/er/c.yaml")
        let watch = try #require(FolderWatch(folder.path))
        #expect(!watch.hasChanged())
        try change.make(folder)
        #expect(watch.hasChanged() == change.heard)
        #expect(!watch.hasChanged(), "heard once")
    }

    @Test func newSubfoldersAreWatchedAfterRenewal() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let watch = try #require(FolderWatch(folder.path))
        try folder.write("x", to: "new/a.yaml")
        #expect(watch.hasChanged())
        watch.renew()
        try folder.write("y", to: "new/a.yaml")
        #expect(watch.hasChanged())
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let heard: Bool
        let make: @Sendable (TemporaryFolder) throws -> Void

        init(
            _ name: String, heard: Bool,
            make: @escaping @Sendable (TemporaryFolder) throws -> Void
        ) {
            testDescription = name
            self.heard = heard
            self.make = make
        }
    }
}
