/// The currency in which the App Store shows prices in a storefront, where it is certain.
package enum StorefrontCurrencies {
    /// The ISO 4217 code for an ISO 3166-1 alpha-3 code, as StoreKit gives it; nil where the table
    /// has none: Apple has changed some, and shows dollars or euros in many others.
    package static func currency(of storefront: String) -> String? {
        if euro.contains(storefront) { return "EUR" }
        return table[storefront]
    }

    private static let euro: Set<String> = [
        "AUT", "BEL", "CYP", "DEU", "ESP", "EST", "FIN", "FRA", "GRC", "HRV", "IRL", "ITA", "LTU",
        "LUX", "LVA", "MLT", "NLD", "PRT", "SVK", "SVN",
    ]

    private static let table: [String: String] = {
        let pairs = text.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ":") }
        return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    }()

    private static let text = """
        ARE:AED AUS:AUD BRA:BRL CAN:CAD CHE:CHF CHL:CLP CHN:CNY COL:COP CZE:CZK DNK:DKK EGY:EGP
        GBR:GBP HKG:HKD HUN:HUF IDN:IDR ISR:ILS IND:INR JPN:JPY KAZ:KZT KOR:KRW MEX:MXN MYS:MYR
        NGA:NGN NOR:NOK NZL:NZD PAK:PKR PER:PEN PHL:PHP POL:PLN QAT:QAR ROU:RON SAU:SAR SGP:SGD
        SWE:SEK THA:THB TUR:TRY TWN:TWD TZA:TZS USA:USD VNM:VND ZAF:ZAR
        """
}

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
