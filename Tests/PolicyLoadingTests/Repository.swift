/// Where the repository lies, seen from this file.
enum Repository {
    static func path(_ relative: String) -> String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return (parts.dropLast(3) + [relative[...]]).joined(separator: "/")
    }
}
