/// How many decimals a currency has (ISO 4217).
package enum CurrencyDecimals {
    /// - Parameter currency: its code; 2 for one that is not known.
    package static func count(of currency: String) -> Int {
        if none.contains(currency) { return 0 }
        return three.contains(currency) ? 3 : 2
    }

    private static let none: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
        "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    private static let three: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
