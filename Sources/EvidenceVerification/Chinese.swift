package import EntitlementModel

/// A text of this target.
package protocol EvidenceText: TabledText {}

extension EvidenceText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # VerificationRefusalCode
    inputEncoding: 文本的编码不规范
    inputTooLarge: 凭证过大
    inputTooComplex: 凭证过于复杂，无法验证
    inputKind: 无法识别的凭证格式
    inputID: 标识符只能由可见的 ASCII 字符组成
    inputNumber: 数字必须是整数
    inputDuplicateKey: 同一对象中有重复的名称
    evidenceUnsigned: 凭证没有 Apple 的签名
    jwsMalformed: JWS 格式不正确
    jwsAlgorithm: JWS 的算法必须是 ES256
    jwsChain: x5c 必须恰好包含三张证书
    jwsCritical: JWS 不得含有关键扩展
    jwsSignature: 签名无效
    chainMalformed: 证书无法解析
    chainRoot: 证书链的根不受信任
    chainMarker: 证书不是为 App Store 签名而颁发的
    chainConstraint: 证书的用途超出其限制
    chainAlgorithm: 证书使用了不允许的算法
    chainTime: 签名时间不在证书链的有效期内
    chainSignature: 证书不是由其颁发者签名的
    chainDenied: 签名密钥已被禁用
    bindBundle: 凭证属于另一个应用
    bindApp: 凭证属于另一个应用 ID
    bindEnvironment: 不信任该环境的凭证
    bindKind: 凭证的类型与用途不符
    receiptMalformed: 收据格式不正确
    receiptAttributes: 收据不得含有签名属性
    receiptAlgorithm: 收据使用了不允许的算法
    receiptSignature: 收据签名无效
    receiptPayload: 收据内容无法解析
    answerMalformed: verifyReceipt 应答格式不正确
    answerStatus: 应答的 status 必须是 0 或 21006
    # VerificationRefusalDetail
    mismatch: 应为“{0}”，实为“{1}”
    certificate: {0}
    missing: “{0}”
    found: 实为“{0}”
    type: 应为{0}，实为{1}
    kind: 凭证类型应为“{0}”，实为“{1}”
    notNotification: 此凭证是“{0}”；请提交到 /v1/evidence，并写明出示它的账号
    noEvidence: 签名有效，但缺少识别通知、交易、续订信息和应用交易的字段
    mistaken: {0}
    # MemberType
    string: 字符串
    integer: 整数
    number: 数字
    date: 以毫秒表示的时刻
    bool: true 或 false
    array: 列表
    object: 对象
    # QuarantineCode
    payloadJSON: 内容不是规范的 JSON
    payloadType: 字段类型不正确
    payloadMissing: 缺少必需的字段
    payloadID: 标识符不合规范
    implausibleExpiry: 订阅的到期时间不合理
    implausibleQuantity: 购买数量不合理
    implausibleDate: 日期不在 2008 至 2100 年之间
    # InspectionPhrase
    kind: 类型
    unknown: 未知
    verdict: 结论
    accepted: 通过：真实且属于本应用
    unbound: 通过：真实；未检查应用和环境
    quarantined: 隔离：真实，但不生效
    partly: 隔离：真实，但有一部分不生效
    refused: 拒绝
    judgedAt: 判定时刻
    certificate: 证书
    key: 公钥
    fields: 字段
    signedFields: 字段（签名有效）
    unverifiedFields: 字段（未经验证）
    line: {0}：{1}
    # CertificateRole
    leaf: 签名证书
    intermediate: 中间证书
    root: 根证书
    # MistakenInput
    empty: 内容为空
    unsetVariable: 内容是未赋值变量的字样；请提交商店给出的内容
    id: 这是标识符，不是凭证；请提交 JWS 或收据；如要向 Apple 查询交易，请提交其 ID 并加 "verify": "remote"
    byteOrderMark: 开头有字节顺序标记；请写成不带标记的 UTF-8
    markup: 这是 HTML、XML 或属性列表，不是商店给出的内容
    googlePlay: 这是 Google Play 的内容；只接受 App Store 的凭证
    cutJWS: JWS 被截断；请提交完整的三段，直到最后一个字符
    jwsInStandardBase64: JWS 使用不带填充的 base64url；请按商店给出的原样提交
    encryptedJWS: 这是加密的令牌，不是 App Store 的 JWS
    otherToken: 这是另一种令牌：其中没有 Apple App Store 的证书
    noJWS: JWS 以“eyJ”开头，由两个点分成三段；请提交 jwsRepresentation
    cutReceipt: 收据被截断；请提交全部内容，直到最后一个字符
    oldReceipt: 这是 iOS 6 的交易收据，只有 Apple 能验证；请加 "verify": "remote" 提交
    oldReceiptText: 这是 iOS 6 的交易收据；请以 base64 并加 "verify": "remote" 提交：只有 Apple 能验证
    receiptRequest: 这是发给 verifyReceipt 的请求；请只提交“receipt-data”的值
    receiptAnswer: 这是 verifyReceipt 的应答；请提交收据本身，或由管理员导入（usher ingest --imported）
    oldNotification: 这是第 1 版通知；请在 App Store Connect 中选择第 2 版
    decodedPayload: 这是解码后的内容；请提交解码前的 JWS
    applePage: 这是 App Store Server API 的一页应答；usher ingest 会拆开它，或逐个提交其中的 JWS
    list: 这是列表；请逐项提交
    wrapped: 这是包着凭证的对象；请只提交“{0}”的值
    doubleBase64: 这是 base64 的 base64；请解码一次
    encodedJSON: 这是 JSON 的 base64，不是收据；请提交 JWS 或收据
    percentEncoded: 内容是百分号编码；请先解码，或放在 JSON 中提交
    blanksForPlus: “+”变成了空格；请在表单中用百分号编码，或放在 JSON 中提交
    base64URL: 收据使用标准 base64：“-”应为“+”，“_”应为“/”
    paddingLost: 缺少填充：请在末尾补“=”，使长度为四的倍数
    escaped: 内容中留有 JSON 转义；请先解码 JSON 字符串
    quoted: 内容带有引号；请先解码 JSON 字符串
    dataURL: 这是 data URL；请提交逗号之后的内容
    hexadecimal: 内容是十六进制；请以 base64 提交
    """)
