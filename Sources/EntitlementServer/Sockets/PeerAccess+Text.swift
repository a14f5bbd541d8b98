/// The allow-list as it is written in settings.
extension PeerAccess.Entry {
    /// Reads `uid:1000=admin` or `gid:33=query`; nil for anything else.
    package init?(_ text: String) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
            .map { $0.trimmingSpaces }
        guard sides.count == 2, let role = PeerRole(rawValue: sides[1]) else { return nil }
        let parts = sides[0].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt32(plain: parts[1]) else { return nil }
        switch parts[0] {
        case "uid": self.init(.user(number), role)
        case "gid": self.init(.group(number), role)
        default: return nil
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
