/// What is said of what is no evidence, and what to do about it.
extension MistakenInput {
    package var english: String {
        switch self {
        case .empty: "it is empty"
        case .unsetVariable:
            "it is the word for a variable without a value; submit what the store gave"
        case .id:
            "this is an id, not evidence; submit the JWS or the receipt, or, to have Apple asked "
                + "about a transaction, its id with \"verify\": \"remote\""
        case .byteOrderMark: "it begins with a byte order mark; write it as UTF-8 without one"
        case .markup: "this is HTML, XML or a property list, not what the store gave"
        case .googlePlay: "this is of Google Play; only evidence of the App Store is accepted"
        case .cutJWS: "the JWS is cut short: submit all three parts, to the last character"
        case .jwsInStandardBase64:
            "a JWS is base64url without padding; submit it as the store gave it"
        case .encryptedJWS: "this is an encrypted token, not a JWS of the App Store"
        case .otherToken:
            "this is a token of another kind: it carries no certificates of Apple's App Store"
        case .noJWS:
            "a JWS begins with 'eyJ' and has three parts between two dots; submit jwsRepresentation"
        case .cutReceipt: "the receipt is cut short: submit all of it, to the last character"
        case .oldReceipt:
            "this is a transaction receipt of iOS 6, which only Apple can verify; submit it with "
                + "\"verify\": \"remote\""
        case .oldReceiptText:
            "this is a transaction receipt of iOS 6; submit it as base64 with \"verify\": "
                + "\"remote\": only Apple can verify it"
        case .receiptRequest:
            "this is a request to verifyReceipt; submit the value of 'receipt-data' alone"
        case .receiptAnswer:
            "this is an answer of verifyReceipt; submit the receipt itself, or have an "
                + "administrator import the answer (usher ingest --imported)"
        case .oldNotification:
            "this is a notification of version 1; choose version 2 in App Store Connect"
        case .decodedPayload:
            "this is a decoded payload; submit the JWS that it was decoded from"
        case .applePage:
            "this is a page of the App Store Server API; usher ingest takes it apart, or submit "
                + "each JWS in it"
        case .list: "this is a list; submit each item in it"
        case .wrapped: "this is an object around the evidence; submit the value of '{0}' alone"
        case .doubleBase64: "this is base64 of base64; decode it once"
        case .encodedJSON: "this is base64 of JSON, not of a receipt; submit the JWS or the receipt"
        case .percentEncoded: "it is percent-encoded; decode it, or submit it in JSON"
        case .blanksForPlus:
            "'+' has become a blank; percent-encode it in a form, or submit it in JSON"
        case .base64URL: "a receipt is standard base64: write '+' for '-' and '/' for '_'"
        case .paddingLost: "the padding is missing: add '=' until the length is a multiple of four"
        case .escaped: "escapes of JSON are left in it; decode the JSON string"
        case .quoted: "it is in quotation marks; decode the JSON string"
        case .dataURL: "this is a data URL; submit what follows the comma"
        case .hexadecimal: "it is hexadecimal; submit it as base64"
        }
    }

    package var chinese: String {
        switch self {
        case .empty: "内容为空"
        case .unsetVariable: "内容是未赋值变量的字样；请提交商店给出的内容"
        case .id: "这是标识符，不是凭证；请提交 JWS 或收据；如要向 Apple 查询交易，请提交其 ID 并加 \"verify\": \"remote\""
        case .byteOrderMark: "开头有字节顺序标记；请写成不带标记的 UTF-8"
        case .markup: "这是 HTML、XML 或属性列表，不是商店给出的内容"
        case .googlePlay: "这是 Google Play 的内容；只接受 App Store 的凭证"
        case .cutJWS: "JWS 被截断；请提交完整的三段，直到最后一个字符"
        case .jwsInStandardBase64: "JWS 使用不带填充的 base64url；请按商店给出的原样提交"
        case .encryptedJWS: "这是加密的令牌，不是 App Store 的 JWS"
        case .otherToken: "这是另一种令牌：其中没有 Apple App Store 的证书"
        case .noJWS: "JWS 以“eyJ”开头，由两个点分成三段；请提交 jwsRepresentation"
        case .cutReceipt: "收据被截断；请提交全部内容，直到最后一个字符"
        case .oldReceipt: "这是 iOS 6 的交易收据，只有 Apple 能验证；请加 \"verify\": \"remote\" 提交"
        case .oldReceiptText: "这是 iOS 6 的交易收据；请以 base64 并加 \"verify\": \"remote\" 提交：只有 Apple 能验证"
        case .receiptRequest: "这是发给 verifyReceipt 的请求；请只提交“receipt-data”的值"
        case .receiptAnswer: "这是 verifyReceipt 的应答；请提交收据本身，或由管理员导入（usher ingest --imported）"
        case .oldNotification: "这是第 1 版通知；请在 App Store Connect 中选择第 2 版"
        case .decodedPayload: "这是解码后的内容；请提交解码前的 JWS"
        case .applePage: "这是 App Store Server API 的一页应答；usher ingest 会拆开它，或逐个提交其中的 JWS"
        case .list: "这是列表；请逐项提交"
        case .wrapped: "这是包着凭证的对象；请只提交“{0}”的值"
        case .doubleBase64: "这是 base64 的 base64；请解码一次"
        case .encodedJSON: "这是 JSON 的 base64，不是收据；请提交 JWS 或收据"
        case .percentEncoded: "内容是百分号编码；请先解码，或放在 JSON 中提交"
        case .blanksForPlus: "“+”变成了空格；请在表单中用百分号编码，或放在 JSON 中提交"
        case .base64URL: "收据使用标准 base64：“-”应为“+”，“_”应为“/”"
        case .paddingLost: "缺少填充：请在末尾补“=”，使长度为四的倍数"
        case .escaped: "内容中留有 JSON 转义；请先解码 JSON 字符串"
        case .quoted: "内容带有引号；请先解码 JSON 字符串"
        case .dataURL: "这是 data URL；请提交逗号之后的内容"
        case .hexadecimal: "内容是十六进制；请以 base64 提交"
        }
    }
}
