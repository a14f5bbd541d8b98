/// One step from a value of a policy file to one inside it.
package enum PolicyStep: Hashable, Sendable {
    case key(String)
    /// Of a list, by its place.
    case element(Int)

    /// The key; nil for an element.
    package var key: String? {
        if case .key(let key) = self { key } else { nil }
    }
}
