internal import EntitlementModel

/// Reading of names and texts: the same for every tool that reads the file, and the same to the
/// eye as to the machine.
extension GrammarReader {
    /// Reads a name or a text; nil where it has been reported.
    mutating func name(_ value: ScalarText, _ shape: Shape) -> CheckedValue.Content? {
        guard isUnambiguous(value) else { return nil }
        switch shape {
        case .text: return text(value)
        case .storefront: return storefront(value)
        case .bundleID: return bundleID(value)
        case .productPattern:
            return isIdentifier(value, maximumLength: 128, allowsStar: true)
                ? .text(value.text) : nil
        case .accountPattern:
            guard isIdentifier(value, maximumLength: 256, allowsStar: true) else { return nil }
            guard !value.text.dropLast().contains("*") else {
                problems.add(
                    .starInAccount, at: value.span, .written(value.text),
                    .written(beginning(of: value.text)))
                return nil
            }
            return .text(value.text)
        default:
            return isIdentifier(value, maximumLength: 128, allowsStar: false)
                ? .text(value.text) : nil
        }
    }

    /// What may be meant by a star that is not at the end: `staff-*` for `*-staff`.
    private func beginning(of pattern: String) -> String {
        let parts = pattern.split(separator: "*").map(String.init)
        guard pattern.hasPrefix("*"), let part = parts.first else {
            return (parts.first ?? "") + "*"
        }
        let word = String(part.drop { "-_.".contains($0) })
        return word + part.prefix(part.count - word.count) + "*"
    }

    /// Whether a table's key may name what the table holds.
    mutating func isName(_ entry: YAMLEntry, _ names: NameClass, key: String) -> Bool {
        let value = ScalarText(
            text: entry.key, style: entry.keyStyle, span: entry.keySpan, key: key)
        if addWidth(of: entry.key, at: entry.keySpan) { return false }
        guard isUnambiguous(value) else { return false }
        guard names == .currency else {
            return isIdentifier(value, maximumLength: 128, allowsStar: false)
        }
        if !Currencies.codes.contains(entry.key), Self.spaced(entry) == nil {
            problems.add(
                .unknownCurrency, at: entry.keySpan, .written(entry.key),
                help: Currencies.meant(by: entry.key).map(Help.write))
        }
        return true
    }

    /// Texts without quotes that some tools read as something else are to be quoted.
    private mutating func isUnambiguous(_ value: ScalarText) -> Bool {
        guard value.style == .plain else { return true }
        let id: DiagnosticID
        switch PlainReading(value.text) {
        case .text: return true
        case .boolean: id = .textReadAsBoolean
        case .nothing: id = .textReadAsNothing
        case .number: id = .textReadAsNumber
        case .date: id = .textReadAsDate
        }
        problems.add(
            id, at: value.span, .written(value.text), help: .write("\"\(value.text)\""))
        return false
    }

    private mutating func text(_ value: ScalarText) -> CheckedValue.Content? {
        let length = value.text.utf8.count
        guard (1...400).contains(length), value.text.contains(where: { !$0.isWhitespace }) else {
            problems.add(.badText, at: value.span, .written(value.key))
            return nil
        }
        if hasMixedScripts(value.text) {
            problems.add(.mixedScripts, at: value.span, .written(value.text))
            return nil
        }
        return .text(value.text)
    }

    private mutating func isIdentifier(
        _ value: ScalarText, maximumLength: Int, allowsStar: Bool
    ) -> Bool {
        if hasMixedScripts(value.text) {
            problems.add(.mixedScripts, at: value.span, .written(value.text))
            return false
        }
        guard value.text.utf8.allSatisfy({ $0 < 0x80 }) else {
            problems.add(.notASCIIName, at: value.span, .written(value.text))
            return false
        }
        guard !value.text.isEmpty, value.text.utf8.count <= maximumLength,
            value.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            allowsStar || !value.text.contains("*")
        else {
            problems.add(
                .badName, at: value.span, .written(value.text), .number(Int64(maximumLength)))
            return false
        }
        return true
    }

    private mutating func bundleID(_ value: ScalarText) -> CheckedValue.Content? {
        let isPlausible =
            value.text.utf8.count <= 128
            && value.text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty
                    && $0.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                            || byte == UInt8(ascii: "-")
                    }
            }
        guard isPlausible else {
            problems.add(.badBundleID, at: value.span, .written(value.text))
            return nil
        }
        return .text(value.text)
    }

    private mutating func storefront(_ value: ScalarText) -> CheckedValue.Content? {
        if let code = Storefronts.alpha3(value.text) { return .text(code) }
        problems.add(
            .unknownStorefront, at: value.span, .written(value.text),
            help: Storefronts.meant(by: value.text).map(Help.write))
        return nil
    }

    /// Whether a word has Latin letters next to Greek, Cyrillic or others that look like them.
    private func hasMixedScripts(_ text: String) -> Bool {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return text.unicodeScalars.split { !$0.properties.isAlphabetic }.contains { word in
            word.contains { isLatin($0.value) } && word.contains { looksLatin($0.value) }
        }
    }

    private func isLatin(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: true
        default: false
        }
    }

    /// Greek, Cyrillic, Armenian, Cherokee, mathematical and full-width letters.
    private func looksLatin(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x370...0x3FF, 0x400...0x52F, 0x530...0x58F, 0x13A0...0x13FF, 0x1D400...0x1D7FF,
            0xFF21...0xFF3A, 0xFF41...0xFF5A:
            true
        default: false
        }
    }
}

/// The countries and regions that a storefront can be (ISO 3166-1, and Kosovo as Apple writes it).
enum Storefronts {
    /// The alpha-3 code of a storefront written in either form; nil for any other text.
    static func alpha3(_ text: String) -> String? {
        if text.utf8.count == 2 { return byAlpha2[text] }
        return alpha3Codes.contains(text) ? text : nil
    }

    /// The code that was meant: in capitals, or the one that people take for it. Short codes are
    /// too near to one another to guess by spelling.
    static func meant(by text: String) -> String? {
        let code = text.uppercased()
        return code == "UK" ? "GB" : alpha3(code) == nil ? nil : code
    }

    private static let byAlpha2: [String: String] = {
        let codes = table.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ":") }
        return Dictionary(uniqueKeysWithValues: codes.map { (String($0[0]), String($0[1])) })
    }()

    private static let alpha3Codes = Set(byAlpha2.values)

    static let codes = alpha3Codes.sorted()

    private static let table = """
        AD:AND AE:ARE AF:AFG AG:ATG AI:AIA AL:ALB AM:ARM AO:AGO AQ:ATA AR:ARG AS:ASM AT:AUT AU:AUS
        AW:ABW AX:ALA AZ:AZE BA:BIH BB:BRB BD:BGD BE:BEL BF:BFA BG:BGR BH:BHR BI:BDI BJ:BEN BL:BLM
        BM:BMU BN:BRN BO:BOL BQ:BES BR:BRA BS:BHS BT:BTN BV:BVT BW:BWA BY:BLR BZ:BLZ CA:CAN CC:CCK
        CD:COD CF:CAF CG:COG CH:CHE CI:CIV CK:COK CL:CHL CM:CMR CN:CHN CO:COL CR:CRI CU:CUB CV:CPV
        CW:CUW CX:CXR CY:CYP CZ:CZE DE:DEU DJ:DJI DK:DNK DM:DMA DO:DOM DZ:DZA EC:ECU EE:EST EG:EGY
        EH:ESH ER:ERI ES:ESP ET:ETH FI:FIN FJ:FJI FK:FLK FM:FSM FO:FRO FR:FRA GA:GAB GB:GBR GD:GRD
        GE:GEO GF:GUF GG:GGY GH:GHA GI:GIB GL:GRL GM:GMB GN:GIN GP:GLP GQ:GNQ GR:GRC GS:SGS GT:GTM
        GU:GUM GW:GNB GY:GUY HK:HKG HM:HMD HN:HND HR:HRV HT:HTI HU:HUN ID:IDN IE:IRL IL:ISR IM:IMN
        IN:IND IO:IOT IQ:IRQ IR:IRN IS:ISL IT:ITA JE:JEY JM:JAM JO:JOR JP:JPN KE:KEN KG:KGZ KH:KHM
        KI:KIR KM:COM KN:KNA KP:PRK KR:KOR KW:KWT KY:CYM KZ:KAZ LA:LAO LB:LBN LC:LCA LI:LIE LK:LKA
        LR:LBR LS:LSO LT:LTU LU:LUX LV:LVA LY:LBY MA:MAR MC:MCO MD:MDA ME:MNE MF:MAF MG:MDG MH:MHL
        MK:MKD ML:MLI MM:MMR MN:MNG MO:MAC MP:MNP MQ:MTQ MR:MRT MS:MSR MT:MLT MU:MUS MV:MDV MW:MWI
        MX:MEX MY:MYS MZ:MOZ NA:NAM NC:NCL NE:NER NF:NFK NG:NGA NI:NIC NL:NLD NO:NOR NP:NPL NR:NRU
        NU:NIU NZ:NZL OM:OMN PA:PAN PE:PER PF:PYF PG:PNG PH:PHL PK:PAK PL:POL PM:SPM PN:PCN PR:PRI
        PS:PSE PT:PRT PW:PLW PY:PRY QA:QAT RE:REU RO:ROU RS:SRB RU:RUS RW:RWA SA:SAU SB:SLB SC:SYC
        SD:SDN SE:SWE SG:SGP SH:SHN SI:SVN SJ:SJM SK:SVK SL:SLE SM:SMR SN:SEN SO:SOM SR:SUR SS:SSD
        ST:STP SV:SLV SX:SXM SY:SYR SZ:SWZ TC:TCA TD:TCD TF:ATF TG:TGO TH:THA TJ:TJK TK:TKL TL:TLS
        TM:TKM TN:TUN TO:TON TR:TUR TT:TTO TV:TUV TW:TWN TZ:TZA UA:UKR UG:UGA UM:UMI US:USA UY:URY
        UZ:UZB VA:VAT VC:VCT VE:VEN VG:VGB VI:VIR VN:VNM VU:VUT WF:WLF WS:WSM XK:XKS YE:YEM YT:MYT
        ZA:ZAF ZM:ZMB ZW:ZWE
        """
}

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
