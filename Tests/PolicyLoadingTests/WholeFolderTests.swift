internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// What shows only when all files are seen together.
@Suite(.timeLimit(.minutes(20)))
struct WholeFolderTests {
    private func load(_ files: (String, String)...) -> [String] {
        let texts = files.map { PolicyText(path: $0.0, text: $0.1) }
        return loadPolicy(texts).diagnostics.map {
            "\($0.place.file):\($0.place.line) \($0.id.rawValue)"
        }
    }

    private let base = PolicyExample.base.text

    @Test func trustInEveryForm() throws {
        let hexadecimal = String(repeating: "ab", count: 32)
        let trust = base.replacing(
            "[apple-inc-root]",
            with: "[\(hexadecimal), {fingerprint: \(hexadecimal), environments: [sandbox]}]")
        let report = loadPolicy([
            PolicyText(
                path: "app.yaml",
                text: trust.replacing(
                    "trust:\n",
                    with: "trust:\n  max_signed_age: 400d\n  denied_keys: \(hexadecimal)\n"))
        ])
        let settings = try #require(report.policy?.trust)
        let digest = try #require(Digest256(hexadecimal: hexadecimal))
        #expect(settings.receipt.map(\.root) == [.fingerprint(digest), .fingerprint(digest)])
        #expect(settings.receipt.map(\.environments) == [nil, [.sandbox]])
        #expect(settings.maximumSignedAge == Period(400, .days))
        #expect(settings.deniedKeys == [digest])
    }

    @Test func everyDeniedKeyIsRead() throws {
        let keys = ["ab", "0C", "11"].map { String(repeating: $0, count: 32) }
        func trust(_ keys: [String]) -> PolicyText {
            let line = "trust:\n  denied_keys: [\(keys.joined(separator: ", "))]\n"
            return PolicyText(path: "app.yaml", text: base.replacing("trust:\n", with: line))
        }
        let denied = try #require(loadPolicy([trust(keys)]).policy?.trust.deniedKeys)
        #expect(denied == Set(keys.compactMap(Digest256.init(hexadecimal:))) && denied.count == 3)
        let broken = loadPolicy([trust(keys + ["ab:cd", String(keys[0].dropLast())])])
        #expect(broken.diagnostics.map(\.id) == [.badFingerprint, .badFingerprint])
    }

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

    /// Whatever slip of the keyboard: loaded or refused, and every place is one of the file.
    @Test func anySlipIsJudged() throws {
        let texts = try readPolicyFolder(Repository.path("policies"))
        var random = SeededRandom(seed: 20_260_101)
        let signs = Array("{}[]:,-#&*!|>'\"%@`?~ \n\t\u{FF1A}\u{202E}0aé".utf8)
        for _ in 0..<400 {
            var slipped = texts
            let file = Int.random(in: 0..<texts.count, using: &random)
            let place = Int.random(in: 0..<texts[file].bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: slipped[file].bytes.remove(at: place)
            case 1: slipped[file].bytes[place] = signs[place % signs.count]
            default: slipped[file].bytes.insert(signs[place % signs.count], at: place)
            }
            let report = loadPolicy(slipped)
            let hasError = report.diagnostics.contains { $0.severity == .error }
            #expect((report.policy == nil) == hasError)
            for language in Language.allCases {
                let options = RenderOptions(language: language)
                #expect(!render(report.diagnostics, sources: slipped, as: options).isEmpty)
            }
            for diagnostic in report.diagnostics where diagnostic.place.line > 0 {
                let text = try #require(slipped.first { $0.path == diagnostic.place.file }).text
                let lines = text.split(
                    omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                #expect(diagnostic.place.line <= lines.count)
                #expect(diagnostic.place.column >= 1)
            }
        }
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

/// A generator that gives the same numbers for the same seed (splitmix64).
private struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension PolicyText {
    fileprivate var isPolicyText: Bool { path.hasSuffix(".yaml") }
}
