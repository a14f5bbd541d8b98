internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// What shows only when all files are seen together.
@Suite struct WholeFolderTests {
    private func load(_ files: (String, String)...) -> [String] {
        let texts = files.map { PolicyText(path: $0.0, text: $0.1) }
        return loadPolicy(texts).diagnostics.map {
            "\($0.place.file):\($0.place.line) \($0.id.rawValue)"
        }
    }

    private let base = PolicyExample.base.text

    /// A file that cannot be read may hold what the others refer to: no cascade.
    @Test func brokenFileRaisesNoSecondError() {
        let found = load(
            ("app.yaml", base),
            ("broken.yaml", "entitlements:\n  hd: {title: \"High}\n"),
            ("c.yaml", "products:\n  p: {kind: non-consumable, grants: [hd]}\n"))
        #expect(found == ["broken.yaml:2 unclosed-quote"])
    }

    /// A table that is broken may hold what the others refer to.
    @Test func brokenTableRaisesNoSecondError() {
        let found = load(
            ("app.yaml", base), ("b.yaml", "credits: none\n"),
            (
                "c.yaml",
                "products:\n  p: {kind: consumable, grants: [{credit: c, units: 1}]}\n"
            ))
        #expect(found == ["b.yaml:1 wrong-type"])
    }

    /// The definition is wrong in itself; its name counts all the same.
    @Test func brokenDefinitionStillDefines() {
        let found = load(
            ("app.yaml", base),
            (
                "b.yaml",
                "entitlements:\n  hd: {titel: High}\n"
                    + "products:\n  p: {kind: non-consumable, grants: [hd]}\n"
            ))
        #expect(found == ["b.yaml:2 unknown-key"])
    }

    @Test func unknownVersionSaysNothingElse() {
        let found = load(("a.yaml", "usher: 2\nnews: {}\n"), ("b.yaml", "- x\n"))
        #expect(found == ["a.yaml:1 unknown-version"])
    }

    @Test func problemsAreSortedByPlace() {
        let found = load(
            ("b.yaml", "leeway: 0h\norders: {x: 1}\n"), ("a.yaml", base),
            ("a/z.yaml", "acess: []\nusher: 1\n"))
        #expect(
            found == ["a/z.yaml:1 unknown-section", "b.yaml:1 zero-length", "b.yaml:2 unknown-key"])
    }

    /// A version in each file is allowed; it must be the same.
    @Test func versionMayBeRepeated() {
        #expect(load(("a.yaml", base), ("b.yaml", "usher: 1\nleeway: 2h\n")) == [])
    }

    @Test func certificateReachesThePolicy() throws {
        let der: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x05]
        let pem = "-----BEGIN CERTIFICATE-----\nMAMCAQU=\n-----END CERTIFICATE-----\n"
        let app = base.replacing(
            "[apple-root-ca-g3]",
            with: "[apple-root-ca-g3, {file: sim/root.pem, environments: [sandbox]}, "
                + "{file: root.der}]")
        let report = loadPolicy([
            PolicyText(path: "app.yaml", text: app),
            PolicyText(path: "sim/root.pem", text: pem),
            PolicyText(path: "root.der", bytes: der),
        ])
        let jws = try #require(report.policy?.trust.jws)
        #expect(jws.dropFirst().map(\.root) == [.certificate(der), .certificate(der)])
        #expect(jws.map(\.environments) == [nil, [.sandbox], nil])
    }

    /// Cut anywhere, a policy is loaded or refused, and never brings the program down. What a
    /// cut leaves may be a valid, narrower policy: noticing half-written files is the engine's.
    @Test func everyTruncationIsJudged() throws {
        for text in try readPolicyFolder(Repository.path("policies")) where text.isPolicyText {
            for length in stride(from: 0, to: text.bytes.count, by: 23) {
                let cut = PolicyText(path: text.path, bytes: Array(text.bytes.prefix(length)))
                let report = loadPolicy([cut])
                let hasError = report.diagnostics.contains { $0.severity == .error }
                #expect((report.policy == nil) == hasError)
                #expect(!render(report.diagnostics, sources: [cut]).isEmpty)
            }
        }
    }
}

extension PolicyText {
    fileprivate var isPolicyText: Bool { path.hasSuffix(".yaml") }
}
