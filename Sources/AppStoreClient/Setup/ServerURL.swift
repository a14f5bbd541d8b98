/// The address of a server of Apple's, or of one that stands in for it: `https`, or `http` on this
/// machine only.
package struct ServerURL: Hashable, Sendable {
    package let text: String

    /// - Parameter text: an absolute URL, with or without a path; a slash at its end is dropped.
    ///   Nil for another scheme, `http` to another machine, a user name, a query, a fragment, and
    ///   anything but printable ASCII.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy(Self.isPlain) else { return nil }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty, Self.isAuthority(parts[2]) else { return nil }
        switch parts[0] {
        case "https:": break
        case "http:": guard Self.isThisMachine(Self.host(of: parts[2])) else { return nil }
        default: return nil
        }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Printable ASCII that has no meaning in a URL but as a part of its path.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Array("\"<>\\^`{|}?#@".utf8).contains(byte)
    }

    private static func isAuthority(_ authority: Substring) -> Bool {
        let host = host(of: authority)
        let port = authority.dropFirst(host.count)
        guard !host.isEmpty, host != "[]" else { return false }
        guard !port.isEmpty else { return true }
        return UInt16(port.dropFirst()).map { $0 > 0 } ?? false
    }

    /// `[::1]` of `[::1]:8080`, `localhost` of `localhost:8080`.
    private static func host(of authority: Substring) -> Substring {
        guard authority.hasPrefix("[") else { return authority.prefix { $0 != ":" } }
        guard let end = authority.firstIndex(of: "]") else { return "" }
        return authority[...end]
    }

    private static func isThisMachine(_ host: Substring) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
