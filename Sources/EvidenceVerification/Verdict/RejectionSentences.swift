/// The languages that sentences for people exist in.
package enum EvidenceLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case chinese = "zh"
}

extension VerificationRefusal {
    /// One sentence for a person: the rule that is broken, with what was found.
    package func sentence(_ language: EvidenceLanguage) -> String {
        code.sentence(language) + (detail?.suffix(language) ?? "")
    }
}

extension VerificationRefusalDetail {
    fileprivate func suffix(_ language: EvidenceLanguage) -> String {
        switch (self, language) {
        case (.mismatch(let expected, let found), .english):
            ": expected '\(expected)', found '\(found)'"
        case (.mismatch(let expected, let found), .chinese): "：应为“\(expected)”，实为“\(found)”"
        case (.certificate(let role), .english): ": the \(role.rawValue) certificate"
        case (.certificate(.leaf), .chinese): "：签名证书"
        case (.certificate(.intermediate), .chinese): "：中间证书"
        case (.certificate(.root), .chinese): "：根证书"
        }
    }
}

extension VerificationRefusalCode {
    /// The rule behind the code, in words.
    package func sentence(_ language: EvidenceLanguage) -> String {
        let (english, chinese) = sentences
        return language == .english ? english : chinese
    }

    private var sentences: (String, String) {
        switch self {
        case .inputEncoding: ("the text is not encoded canonically", "文本的编码不规范")
        case .inputTooLarge: ("the evidence is larger than allowed", "凭据超过允许的大小")
        case .inputTooComplex:
            ("the evidence is too complex to be read before it is verified", "凭据过于复杂，验证前无法读取")
        case .inputKind: ("this is no evidence of a known kind", "无法识别的凭据类型")
        case .inputID: ("an id must be printable ASCII without spaces", "标识符只能由可见的 ASCII 字符组成")
        case .inputNumber: ("a number must be a plain integer", "数字必须是普通整数")
        case .inputDuplicateKey: ("a name occurs twice in one object", "同一对象中有重复的名称")
        case .evidenceUnsigned: ("the evidence carries no signature of Apple", "凭据没有 Apple 的签名")
        default: isAboutChain ? chainSentences : formSentences
        }
    }

    private var isAboutChain: Bool { rawValue.hasPrefix("chain.") }

    private var chainSentences: (String, String) {
        switch self {
        case .chainMalformed: ("a certificate cannot be read", "证书无法解析")
        case .chainRoot: ("the chain does not end in a trusted root", "证书链的根不受信任")
        case .chainMarker:
            ("a certificate was not issued for App Store signing", "证书不是为 App Store 签名而颁发的")
        case .chainConstraint:
            ("a certificate is used for what it was not issued for", "证书的用途超出其限制")
        case .chainAlgorithm:
            ("a certificate uses an algorithm that is not allowed", "证书使用了不允许的算法")
        case .chainTime:
            ("the signing time is not one at which the chain is valid", "签名时间不在证书链的有效期内")
        case .chainSignature:
            ("a certificate was not signed by its issuer", "证书不是由其颁发者签名的")
        default: ("the signing key has been denied", "签名密钥已被禁用")
        }
    }

    private var formSentences: (String, String) {
        switch self {
        case .jwsMalformed: ("this is no well-formed JWS", "JWS 格式不正确")
        case .jwsAlgorithm: ("the algorithm of a JWS must be ES256", "JWS 的算法必须是 ES256")
        case .jwsChain: ("a JWS must bring exactly three certificates", "JWS 必须恰好附带三张证书")
        case .jwsCritical: ("a JWS must not have critical extensions", "JWS 不得含有关键扩展")
        case .jwsSignature: ("the signature does not hold", "签名验证失败")
        case .bindBundle: ("the evidence belongs to another app", "凭据属于另一个应用")
        case .bindApp: ("the evidence belongs to another app id", "凭据属于另一个应用 ID")
        case .bindEnvironment:
            ("evidence of this environment is not trusted", "不信任该环境的凭据")
        case .bindKind: ("the evidence is of another kind than it is used for", "凭据的类型与用途不符")
        case .receiptMalformed: ("this is no well-formed receipt", "收据格式不正确")
        case .receiptAttributes:
            ("a receipt must not have signed attributes", "收据不得含有签名属性")
        case .receiptAlgorithm:
            ("the receipt uses an algorithm that is not allowed", "收据使用了不允许的算法")
        case .receiptSignature: ("the receipt's signature does not hold", "收据的签名验证失败")
        default: ("the receipt's content cannot be read", "收据内容无法解析")
        }
    }
}
