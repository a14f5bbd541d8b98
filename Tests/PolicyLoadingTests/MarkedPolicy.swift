internal import EntitlementModel
internal import PolicyLoading
internal import Testing

/// A policy text in which the mistake stands between ⟦ and ⟧.
struct MarkedPolicy: Sendable {
    let text: PolicyText
    /// What is between the brackets, as an editor names the place; nil without brackets.
    let place: TextLocation?

    init(_ marked: String, path: String = "marked.yaml") {
        text = PolicyText(path: path, text: marked.filter { $0 != "⟦" && $0 != "⟧" })
        let lines = marked.split(separator: "\n", omittingEmptySubsequences: false)
        place =
            lines.enumerated().compactMap { number, line -> TextLocation? in
                guard let open = line.firstIndex(of: "⟦"), let close = line.firstIndex(of: "⟧")
                else {
                    return nil
                }
                return TextLocation(
                    file: path, line: number + 1,
                    column: line.distance(from: line.startIndex, to: open) + 1,
                    length: line.distance(from: open, to: close) - 1)
            }.first
    }

    /// What is said of it, beside the rest of a policy that has no mistakes.
    func diagnose() -> [Diagnostic] {
        loadPolicy([PolicyExample.base, text]).diagnostics.filter { $0.place.file == text.path }
    }
}

/// One line of a table of mistakes.
struct Mistake: CustomTestStringConvertible, Sendable {
    let name: String
    let policy: MarkedPolicy
    let id: DiagnosticID
    let message: String?

    init(_ name: String, _ marked: String, _ id: DiagnosticID, _ message: String? = nil) {
        self.name = name
        policy = MarkedPolicy(marked)
        self.id = id
        self.message = message
    }

    var testDescription: String { name }

    /// The diagnostics that come first must be this one, at this place, in these words.
    func check() {
        let found = policy.diagnose()
        let shown = render(found, sources: [policy.text])
        let first = found.first { $0.severity == .error } ?? found.first
        #expect(first?.id == id, "\(shown)")
        if let place = policy.place { #expect(first?.place == place, "\(shown)") }
        if let message { #expect(first?.message(in: .english) == message) }
        let others = found.filter { $0.id != id && $0.severity == .error }
        #expect(others.isEmpty, "one mistake is one error: \(shown)")
    }
}
