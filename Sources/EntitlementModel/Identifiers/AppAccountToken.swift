/// Apple's `appAccountToken`: a UUID that the app gave with the purchase. UUIDs are compared
/// without case, so it is kept in lower case (spec 1.6).
package struct AppAccountToken: Hashable, Comparable, Sendable {
    /// 36 characters, lower case.
    package let text: String

    /// Nil unless the text is a UUID in its 36-character form.
    package init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for index in bytes.indices {
            switch (index, bytes[index]) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
                (23, UInt8(ascii: "-")):
                continue
            case (8, _), (13, _), (18, _), (23, _): return nil
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")),
                (_, UInt8(ascii: "a")...UInt8(ascii: "f")):
                continue
            case (_, UInt8(ascii: "A")...UInt8(ascii: "F")): bytes[index] += 32
            default: return nil
            }
        }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    package static func < (left: AppAccountToken, right: AppAccountToken) -> Bool {
        left.text < right.text
    }
}
