/// A name that one thing has: printable ASCII without spaces (0x21 to 0x7E), compared byte by
/// byte.
///
/// The alphabet is what makes the comparison safe: Swift compares strings by canonical
/// equivalence and SQLite by bytes, and on ASCII the two agree.
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bytes.
    static var maximumLength: Int { get }
    /// Whether text of the alphabet has the form that these names have.
    static func hasForm(_ text: String) -> Bool
    var text: String { get }
    /// For text that is known to be in the alphabet and within the length.
    init(unchecked text: String)
}

extension Identifier {
    package static var maximumLength: Int { 128 }

    @inlinable
    package static func hasForm(_ text: String) -> Bool { true }

    /// Nil if the text is empty, too long, or has a byte outside 0x21 to 0x7E.
    @inlinable
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        let count = text.utf8.count
        guard count > 0, count <= Self.maximumLength else { return nil }
        // A loop, because the library's `allSatisfy` is called for each byte through a witness.
        for byte in text.utf8 where byte < 0x21 || byte > 0x7E { return nil }
        guard Self.hasForm(text) else { return nil }
        self.init(unchecked: text)
    }

    /// The same for text in bytes.
    @inlinable
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count > 0, bytes.count <= Self.maximumLength else { return nil }
        for index in bytes.indices where bytes[index] < 0x21 || bytes[index] > 0x7E { return nil }
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard Self.hasForm(text) else { return nil }
        self.init(unchecked: text)
    }

    package var description: String { text }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Apple's ids are numbers written out: a longer one is a larger one (spec 1.3).
    @inlinable
    package static func precedesByLength(_ left: Self, _ right: Self) -> Bool {
        let (leftCount, rightCount) = (left.text.utf8.count, right.text.utf8.count)
        return leftCount == rightCount ? left.text < right.text : leftCount < rightCount
    }
}

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

/// Under `account_token: is-account-id` an account id that is a UUID is one account whatever its
/// case (spec 1.1).
extension AccountID {
    /// A UUID in lower case; any other name as it is.
    package var folded: AccountID {
        isFolded ? self : AccountID(unchecked: text.lowercased())
    }

    /// False for a UUID with a letter in upper case.
    package var isFolded: Bool {
        guard text.utf8.count == 36, text.utf8.contains(where: \.isUpperCaseHexadecimal) else {
            return true
        }
        return AppAccountToken(text) == nil
    }

    /// Whether the bytes can be the name of an account that is not folded. True of few others.
    package static func maybeUnfolded(_ name: Span<UInt8>) -> Bool {
        guard name.count == 36 else { return false }
        for index in name.indices where name[index].isUpperCaseHexadecimal { return true }
        return false
    }
}

extension Policy {
    /// Whether UUIDs in another case are the same account.
    package var foldsAccounts: Bool { app.accountToken == .isAccountID }

    /// The name under which the account is kept.
    package func name(_ account: AccountID) -> AccountID {
        foldsAccounts ? account.folded : account
    }
}

extension UInt8 {
    fileprivate var isUpperCaseHexadecimal: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(self)
    }
}
