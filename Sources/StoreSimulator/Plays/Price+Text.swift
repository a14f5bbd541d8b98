package import EntitlementModel

extension Price {
    /// Reads `9.99 USD`: up to three decimals and a currency.
    package init?(play text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[1].utf8.count == 3,
            words[1].allSatisfy({ $0.isASCII && $0.isUppercase })
        else { return nil }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Int64(parts[0]), (0...1_000_000_000).contains(whole)
        else { return nil }
        let decimals = parts.count == 2 ? parts[1] : "0"
        let padded = decimals + String(repeating: "0", count: max(0, 3 - decimals.utf8.count))
        guard padded.utf8.count == 3, padded.allSatisfy(\.isNumber), let rest = Int64(padded)
        else { return nil }
        self.init(milliunits: whole * 1_000 + rest, currency: String(words[1]))
    }
}
