internal import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading
internal import TestSupport
internal import Testing

/// Random single mistakes in the example policy.
@Suite(.timeLimit(.minutes(20)))
struct RepairPropertyTests {
    private static func check(_ texts: [PolicyText]) -> PolicyReport { checkPolicy(texts) }

    /// The repaired folder says what the original said, or the tool says what it leaves.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func repairedOrLeft(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let right = try readPolicyFolder(Repository.path("policies"))
        let meant = try #require(Self.check(right).policy)
        for _ in 0..<16 {
            let (name, wrong) = RandomMistake.make(in: right, &random)
            let before = Self.check(wrong)
            let plan = planRepairs(wrong, check: Self.check)
            let shown = "\(name)\n\(render(plan, isWritten: false, as: RenderOptions()))"
            // A name that nothing refers to is misspelt unnoticed.
            if before.diagnostics.isEmpty {
                #expect(plan.repairs.isEmpty && plan.after == wrong, "\(shown)")
                continue
            }
            if plan.after != right, plan.left.isEmpty {
                var policy = try #require(plan.report.policy, "\(shown)")
                policy.digest = meant.digest
                #expect(policy == meant, "\(shown)")
            }
            let errors = { (report: PolicyReport) in
                report.diagnostics.count { $0.severity == .error }
            }
            #expect(errors(plan.report) <= max(1, errors(before)), "\(shown)")
            let touched = Set(plan.repairs.flatMap { $0.edits.map(\.file) })
            #expect(touched == Set(plan.changedFiles), "\(shown)")
            #expect(planRepairs(plan.after, check: Self.check).repairs.isEmpty, "\(shown)")
        }
    }

    /// Many of these mistakes are repaired, or the property above says little.
    @Test func mostAreRepaired() throws {
        var random = SplitMix64(seed: 42)
        let right = try readPolicyFolder(Repository.path("policies"))
        let made = (0..<60).map { _ in RandomMistake.make(in: right, &random).1 }
        let wrong = made.filter { !Self.check($0).diagnostics.isEmpty }
        let repaired = wrong.count { planRepairs($0, check: Self.check).after == right }
        #expect(repaired * 10 >= wrong.count * 4, "\(repaired) of \(wrong.count)")
    }
}

/// One slip of the keyboard or of an editor.
private enum RandomMistake {
    static func make(
        in right: [PolicyText], _ random: inout SplitMix64
    ) -> (String, [PolicyText]) {
        while true {
            var texts = right
            let file = Int.random(in: 0..<texts.count, using: &random)
            var lines = texts[file].text.split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
            let number = Int.random(in: 0..<lines.count, using: &random)
            let line = lines[number]
            guard !line.drop(while: { $0 == " " }).hasPrefix("#"), !line.isEmpty else { continue }
            let kind = Int.random(in: 0..<9, using: &random)
            switch kind {
            case 0: lines[0] = "\u{FEFF}" + lines[0]
            case 1: lines = [lines.joined(separator: "\r")]
            case 2: lines[number] = line.indented(by: -1)
            case 3: lines[number] = line.indented(by: 1)
            case 4: lines[number] = line.withTab
            default: lines[number] = slip(kind, line, &random)
            }
            let wrong = lines.joined(separator: "\n")
            guard wrong != texts[file].text else { continue }
            texts[file].bytes = Array(wrong.utf8)
            let name = "mistake \(kind) in \(texts[file].path):\(number + 1): \(lines.last ?? "")"
            return (name, texts)
        }
    }

    /// In the key or value of a line, away from its comment and from titles.
    private static func slip(
        _ kind: Int, _ line: String, _ random: inout SplitMix64
    ) -> String {
        let isTitle = ["title", "name:"].contains(where: line.contains)
        guard !isTitle else { return line }
        let end = line.firstIndex(of: "#") ?? line.endIndex
        var characters = Array(line[..<end])
        let wanted: (Character) -> Bool =
            switch kind {
            case 5: { $0 == ":" || $0 == "," }
            case 6: { $0 == "\"" }
            default: { $0.isASCII && $0.isLetter }
            }
        let places = characters.indices.filter { wanted(characters[$0]) && $0 > 0 }
        guard let place = places.randomElement(using: &random) else { return line }
        switch kind {
        case 5: characters[place] = characters[place] == ":" ? "：" : "，"
        case 6: characters[place] = "”"
        case 7: characters.insert("\u{200B}", at: place)
        default:
            if Bool.random(using: &random) {
                characters.insert(characters[place], at: place)
            } else {
                characters.remove(at: place)
            }
        }
        return String(characters) + line[end...]
    }
}

extension String {
    fileprivate func indented(by columns: Int) -> String {
        guard hasPrefix("  ") else { return self }
        return columns < 0 ? String(dropFirst()) : " " + self
    }

    /// A tab for the spaces that it begins with.
    fileprivate var withTab: String {
        guard hasPrefix("  ") else { return self }
        return "\t" + drop { $0 == " " }
    }
}
