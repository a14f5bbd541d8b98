internal import PolicyLoading

/// An error of a policy folder that was not put into force, for the operator's page.
package struct PolicyProblem: Hashable, Sendable {
    /// The diagnostic's stable id.
    package let id: String
    /// Relative to the policy folder.
    package let file: String
    package let line: Int
    package let column: Int

    init(_ diagnostic: Diagnostic) {
        id = diagnostic.id.rawValue
        file = diagnostic.place.file
        line = diagnostic.place.line
        column = diagnostic.place.column
    }
}
