/// What is said of evidence in Chinese.
extension VerificationRefusalCode {
    package var chinese: String {
        switch self {
        case .inputEncoding: "文本的编码不规范"
        case .inputTooLarge: "凭证过大"
        case .inputTooComplex: "凭证过于复杂，无法验证"
        case .inputKind: "无法识别的凭证格式"
        case .inputID: "标识符只能由可见的 ASCII 字符组成"
        case .inputNumber: "数字必须是整数"
        case .inputDuplicateKey: "同一对象中有重复的名称"
        case .evidenceUnsigned: "凭证没有 Apple 的签名"
        case .jwsMalformed: "JWS 格式不正确"
        case .jwsAlgorithm: "JWS 的算法必须是 ES256"
        case .jwsChain: "x5c 必须恰好包含三张证书"
        case .jwsCritical: "JWS 不得含有关键扩展"
        case .jwsSignature: "签名无效"
        case .chainMalformed: "证书无法解析"
        case .chainRoot: "证书链的根不受信任"
        case .chainMarker: "证书不是为 App Store 签名而颁发的"
        case .chainConstraint: "证书的用途超出其限制"
        case .chainAlgorithm: "证书使用了不允许的算法"
        case .chainTime: "签名时间不在证书链的有效期内"
        case .chainSignature: "证书不是由其颁发者签名的"
        case .chainDenied: "签名密钥已被禁用"
        case .bindBundle: "凭证属于另一个应用"
        case .bindApp: "凭证属于另一个应用 ID"
        case .bindEnvironment: "不信任该环境的凭证"
        case .bindKind: "凭证的类型与用途不符"
        case .receiptMalformed: "收据格式不正确"
        case .receiptAttributes: "收据不得含有签名属性"
        case .receiptAlgorithm: "收据使用了不允许的算法"
        case .receiptSignature: "收据签名无效"
        case .receiptPayload: "收据内容无法解析"
        case .answerMalformed: "verifyReceipt 应答格式不正确"
        case .answerStatus: "应答的 status 必须是 0 或 21006"
        }
    }
}

extension VerificationRefusalDetail {
    package var chinese: String {
        switch self {
        case .mismatch: "应为“{0}”，实为“{1}”"
        case .certificate(.leaf): "签名证书"
        case .certificate(.intermediate): "中间证书"
        case .certificate(.root): "根证书"
        case .missing: "“{0}”"
        case .found: "实为“{0}”"
        case .type: "应为{0}，实为{1}"
        case .kind: "凭证类型应为“{0}”，实为“{1}”"
        case .notNotification: "此凭证是“{0}”；请提交到 /v1/evidence，并写明出示它的账号"
        case .noEvidence: "签名有效，但缺少识别通知、交易、续订信息和应用交易的字段"
        case .mistaken: "{0}"
        }
    }
}

extension MemberType {
    package var chinese: String {
        switch self {
        case .string: "字符串"
        case .integer: "整数"
        case .number: "数字"
        case .date: "以毫秒表示的时刻"
        case .bool: "true 或 false"
        case .array: "列表"
        case .object: "对象"
        }
    }
}

extension QuarantineCode {
    package var chinese: String {
        switch self {
        case .payloadJSON: "内容不是规范的 JSON"
        case .payloadType: "字段类型不正确"
        case .payloadMissing: "缺少必需的字段"
        case .payloadID: "标识符不合规范"
        case .implausibleExpiry: "订阅的到期时间不合理"
        case .implausibleQuantity: "购买数量不合理"
        case .implausibleDate: "日期不在 2008 至 2100 年之间"
        }
    }
}

extension InspectionPhrase {
    var chinese: String {
        switch self {
        case .kind: "类型"
        case .unknown: "未知"
        case .verdict: "结论"
        case .accepted: "通过：真实且属于本应用"
        case .unbound: "通过：真实；未检查应用和环境"
        case .quarantined: "隔离：真实，但不生效"
        case .partly: "隔离：真实，但有一部分不生效"
        case .refused: "拒绝"
        case .judgedAt: "判定时刻"
        case .certificate: "证书"
        case .key: "公钥"
        case .fields: "字段"
        case .unverifiedFields: "字段（未经验证）"
        case .signedFields: "字段（签名有效）"
        case .line: "{0}：{1}"
        }
    }
}
