/// The texts of a target in one language: below each `# Type` a line `key: text` for each of its
/// texts. A line that begins with `|` is the next line of the text above it.
package struct TextTable: Sendable {
    private var sections: [Substring: [Substring]] = [:]

    package init(_ text: String) {
        var type: Substring = ""
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            if line.utf8.first == UInt8(ascii: "#") {
                type = line.dropFirst(2)
            } else {
                sections[type, default: []].append(line)
            }
        }
    }

    /// Nil where it has no such text.
    func text<Text>(_ key: String, of type: Text.Type) -> String? {
        // Without the module, which moves of types change.
        let name = String(reflecting: type).drop { $0 != "." }.dropFirst()
        guard let lines = sections[name],
            let start = lines.firstIndex(where: { Self.isEntry($0.utf8, key.utf8) })
        else { return nil }
        let first = String(Substring(lines[start].utf8.dropFirst(key.utf8.count + 2)))
        let others = lines[(start + 1)...].prefix { $0.utf8.first == UInt8(ascii: "|") }
        return others.reduce(first) { $0 + "\n" + $1.dropFirst() }
    }

    private static func isEntry(_ line: Substring.UTF8View, _ key: String.UTF8View) -> Bool {
        line.starts(with: key) && line.dropFirst(key.count).first == UInt8(ascii: ":")
    }
}
