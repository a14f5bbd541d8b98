/// A piece of YAML with its place, before anything is known of its meaning.
struct YAMLNode: Sendable {
    /// What was written.
    enum Content: Sendable {
        case text(String, YAMLStyle)
        case list([YAMLNode])
        case map([YAMLEntry])
        /// An alias or a tagged value: reported, and looked at no further.
        case rejected
    }

    var content: Content
    var span: SourceSpan

    /// Nothing was written: `key:` and no more.
    var isEmpty: Bool {
        if case .text("", .plain) = content { return true }
        return false
    }
}

/// One `key: value`; keys are always text.
struct YAMLEntry: Sendable {
    var key: String
    var keyStyle: YAMLStyle
    var keySpan: SourceSpan
    var value: YAMLNode
}

/// How a text was written. Only plain text is open to other readings (a number, a date, a
/// yes or no).
enum YAMLStyle: Sendable {
    case plain
    case quoted
}
