/// The currencies that a price can be in (ISO 4217, without metals and testing codes).
enum Currencies {
    static let codes = Set(table.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The code that was meant: in capitals, or the one that people take for it. Short codes are
    /// too near to one another to guess by spelling.
    static func meant(by text: String) -> String? {
        let code = text.uppercased()
        return code == "RMB" ? "CNY" : codes.contains(code) ? code : nil
    }

    private static let table = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP
        BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN
        ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK
        JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
        MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP
        PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
        SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV
        WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """
}
