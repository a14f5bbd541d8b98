/// A command of this program that a person may copy into a shell.
///
/// An identifier may hold any visible ASCII character (spec 1.1): what a shell would read as more
/// than a name stands in quotes.
struct ShellCommand {
    /// The words of the command itself: `claims approve`.
    let verb: String
    let names: [String]

    init(_ verb: String, _ names: String...) {
        self.verb = verb
        self.names = names
    }

    /// The whole line, with a reason to fill in.
    var text: String {
        let words = names.map(Self.quoted).joined(separator: " ")
        let reason = "--reason '…'"
        // Behind two hyphens a name that begins with one is no option.
        return names.contains { $0.hasPrefix("-") }
            ? "usher \(verb) \(reason) -- \(words)" : "usher \(verb) \(words) \(reason)"
    }

    /// A name as one word of a shell, which it never takes for anything else.
    private static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "._:@/+-".utf8.contains(byte)
            }
        }
        if isPlain && !name.isEmpty { return name }
        let parts = name.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
