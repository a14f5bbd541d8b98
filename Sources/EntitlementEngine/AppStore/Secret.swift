/// A text that nobody may read by accident: no description, no dump and no reflection shows it.
///
/// Passwords and tokens are of this type from the file that they come from to the request that
/// needs them (spec 3.3).
package struct Secret: Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text, for the one place that sends it.
    package var revealed: String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
