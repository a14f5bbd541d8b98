/// The policy folder that a file belongs to: the nearest folder above it that has a policy file,
/// which is one with the key `usher`, in it. Nil where there is none.
///
/// - Parameters:
///   - path: absolute, without links resolved.
///   - limit: a folder above which nothing is looked for; nil for eight folders up.
///   - open: texts that take the place of files, by path, as an editor has them.
package func policyFolder(
    of path: String, within limit: String? = nil, open: [String: [UInt8]] = [:]
) -> String? {
    var folder = path.parentFolder
    for _ in 0..<8 {
        if holdsPolicy(folder, open) { return folder }
        guard folder != limit, folder != "/" else { return nil }
        folder = folder.parentFolder
    }
    return nil
}

/// Whether a text is a policy file: it says which version of the format it has, and is no story.
package func isPolicyText(_ bytes: [UInt8]) -> Bool {
    var isPolicy = false
    for line in bytes.split(separator: 0x0A) {
        let text = String(decoding: line.prefix(16), as: UTF8.self).drop {
            "\u{FEFF}\"'".contains($0)
        }
        if text.hasPrefix("story") || text.hasPrefix("steps") { return false }
        if text.hasPrefix("usher") { isPolicy = true }
    }
    return isPolicy
}

private func holdsPolicy(_ folder: String, _ open: [String: [UInt8]]) -> Bool {
    if open.contains(where: { $0.key.parentFolder == folder && isPolicyText($0.value) }) {
        return true
    }
    let files = (names(inFolder: folder) ?? []).filter { name in
        !name.hasPrefix(".") && PolicyText(path: name, bytes: []).isYAML
    }
    return files.sorted().prefix(PolicyLimits.folderFiles).contains { name in
        let path = folder == "/" ? "/" + name : folder + "/" + name
        guard open[path] == nil,
            case .success(let bytes) = readFile(path, limit: PolicyLimits.fileBytes)
        else { return false }
        return isPolicyText(bytes)
    }
}

extension String {
    /// Of an absolute path; that of `/` is `/`.
    fileprivate var parentFolder: String {
        guard let slash = lastIndex(of: "/"), slash != startIndex else { return "/" }
        return String(self[..<slash])
    }
}
