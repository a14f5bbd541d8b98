package import EntitlementModel

/// What a folder's own `accept.yaml` says: that the policy may take something away from those who
/// have it by the one that it replaces (spec 2.6).
package struct FolderAcceptance: Hashable, Sendable {
    /// The name of the file, which stands in the folder itself.
    package static let file = "accept.yaml"

    /// Of the policy that it replaces; it accepts nothing after any other.
    package var from: Digest256
    package var because: String
    package var accountsAtMost: Int64

    static let section = Section(
        title: file,
        fields: [
            Field("from", .fingerprint, required: true, .acceptedPolicy),
            Field("because", .text, required: true, .acceptanceReason),
            Field("accounts_at_most", .whole(0...1_000_000_000), required: true, .accountsAtMost),
        ])

    /// By its contents too: before there were such files, any file might have had that name.
    static func isWritten(in root: YAMLNode, of path: String) -> Bool {
        guard path == file, case .map(let entries) = root.content else { return false }
        return entries.contains { section[$0.key] != nil }
    }
}

extension GrammarReader {
    /// Nil where something in it has been reported.
    mutating func readAcceptance(_ root: YAMLNode) -> FolderAcceptance? {
        let checked = read(root, .section(FolderAcceptance.section), key: FolderAcceptance.file)
        guard let section = checked.section, let from = section.value("from"),
            let text = from.text
        else { return nil }
        guard let digest = Digest256(hexadecimal: text) else {
            problems.add(.badFingerprint, at: from.span, .written(text))
            return nil
        }
        guard let because = section.value("because")?.text,
            let accounts = section.value("accounts_at_most")?.number
        else { return nil }
        return FolderAcceptance(from: digest, because: because, accountsAtMost: accounts)
    }
}
