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
