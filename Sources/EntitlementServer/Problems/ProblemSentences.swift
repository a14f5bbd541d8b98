/// What a person is told, in English and in Chinese: the one table of this target.
extension ProblemCode {
    /// The sentence in `language`.
    package func sentence(in language: ProblemLanguage) -> StaticString {
        let sentences = sentences
        return switch language {
        case .english: sentences.english
        case .chinese: sentences.chinese
        }
    }

    private var sentences: (english: StaticString, chinese: StaticString) {
        httpSentences ?? inputSentences ?? adminActionSentences ?? mergeSentences
            ?? serviceSentences
    }

    private var httpSentences: (english: StaticString, chinese: StaticString)? {
        switch self {
        case .malformed: ("the request is not well-formed HTTP/1.1", "请求不是合规的 HTTP/1.1")
        case .host: ("the request needs exactly one Host field", "请求必须恰好有一个 Host 字段")
        case .transferEncoding:
            ("the transfer coding is not taken here", "此处不接受该传输编码")
        case .upgrade: ("this socket speaks HTTP/1.1 only", "此套接字只支持 HTTP/1.1")
        case .contentLength:
            ("Content-Length must be one plain number", "Content-Length 必须是一个十进制数")
        case .contentType: ("the body must be application/json", "正文类型必须是 application/json")
        case .contentEncoding: ("the body must not be compressed", "正文不得压缩")
        case .expectation: ("the Expect field is not supported", "不支持 Expect 字段")
        case .timeout: ("the request did not arrive in time", "请求未在规定时间内到达")
        case .targetTooLong: ("the request line is too long", "请求行过长")
        case .headersTooLarge: ("the header fields are too many or too long", "请求头字段过多或过长")
        case .notFound: ("nothing is served at this path", "此路径没有服务")
        case .methodNotAllowed: ("the method is not allowed here", "此处不允许该方法")
        case .methodUnknown: ("the method is not known", "未知的方法")
        case .version: ("only HTTP/1.1 and HTTP/1.0 are spoken here", "只支持 HTTP/1.1 和 HTTP/1.0")
        default: nil
        }
    }

    private var inputSentences: (english: StaticString, chinese: StaticString)? {
        switch self {
        case .tooLarge: ("the body is too large", "正文过大")
        case .encoding: ("the text is not valid UTF-8", "文本不是有效的 UTF-8")
        case .json: ("the body is not valid JSON", "正文不是有效的 JSON")
        case .duplicateKey: ("a JSON object has the same key twice", "JSON 对象中有重复的键")
        case .number: ("a plain number is needed here", "此处需要一个普通数字")
        case .missing: ("something that is needed is missing", "缺少必需的内容")
        case .type: ("the value has the wrong JSON type", "值的 JSON 类型不正确")
        case .id:
            (
                "an id is printable ASCII without spaces, and not too long",
                "标识符只能是不含空格的可打印 ASCII 字符，且不能过长"
            )
        case .value: ("the value is not one of those allowed", "值不在允许范围内")
        case .appleIDMalformed:
            (
                "an Apple ID key is 'atx:' or 'otx:', an environment, ':' and digits",
                "Apple ID 键的写法为 'atx:' 或 'otx:'、环境、':' 和数字"
            )
        case .unknownEntitlement:
            ("no policy ever named this entitlement", "从未有策略命名过此权益")
        case .instant: ("an instant is written as RFC 3339", "时刻须按 RFC 3339 书写")
        case .unknownMember: ("a member of the object is not known", "对象中有未知的成员")
        case .unknownParameter: ("the query parameter is not known", "未知的查询参数")
        case .duplicateParameter: ("the query parameter is given twice", "查询参数重复")
        default: nil
        }
    }

    private var adminActionSentences: (english: StaticString, chinese: StaticString)? {
        switch self {
        case .unknownClaim: ("there is no such claim", "没有这项主张")
        case .unknownGrant: ("there is no such grant", "没有这项授予")
        case .unknownBlock: ("there is no such block", "没有这项停用")
        case .unknownGift:
            ("the policy has no entitlement or credit of that name", "策略中没有该名称的权益或点数")
        case .emptyGift: ("the grant would give nothing", "该授予不会给出任何权益")
        case .tooManyUnits:
            ("a grant gives at most 1,000,000,000 units", "一次授予最多 1,000,000,000 个单位")
        case .conflict:
            ("the key stands for something else already", "该键已用于其他内容")
        case .rulingUnknownUnit:
            ("the purchase that is claimed is not known", "所主张的购买未知")
        case .rulingNotWaiting: ("the claim does not wait for a person", "该主张并未等待人工裁定")
        case .rulingMissingAccount: ("a transfer needs an account", "转移需要指定账号")
        case .rulingAlreadyOwner: ("the account owns it already", "该账号已拥有它")
        case .rulingUnowned: ("nobody owns it", "它没有所有者")
        case .rulingNothingToUndo: ("there is nothing to undo", "没有可以撤销的裁定")
        case .rulingMovedSince:
            ("it has changed owners since that decision", "在那次裁定之后它已再次易主")
        case .policyRejected: ("the policy has errors, and nothing changed", "策略有错误，未做任何更改")
        case .policyWaits:
            (
                "the policy may take something away, which nobody has accepted; nothing changed",
                "该策略可能使人失去权益，且无人接受；未做任何更改"
            )
        default: nil
        }
    }

    private var mergeSentences: (english: StaticString, chinese: StaticString)? {
        switch self {
        case .mergeSameAccount: ("an account is not merged with itself", "账号不能与自身合并")
        case .mergeBlocked: ("nothing leaves a blocked account", "已停用的账号不能转出任何内容")
        case .mergeNothing: ("the account has nothing that could follow", "该账号没有可以转入的内容")
        case .mergeUnknown: ("there is no such merge", "没有这次合并")
        case .mergeNothingToUndo:
            ("nothing of that merge is left to take back", "那次合并已没有可以撤回的内容")
        default: nil
        }
    }

    private var serviceSentences: (english: StaticString, chinese: StaticString) {
        switch self {
        case .peer: ("this caller is not on the allow-list", "此调用方不在允许名单中")
        case .role: ("this caller's role does not allow the call", "此调用方的角色不允许该操作")
        case .socket: ("this call is served on usher.sock only", "此调用只在 usher.sock 上提供")
        case .tooMany: ("this caller asks for too much at once", "此调用方同时请求过多")
        case .revision:
            ("the ledger has not reached that revision yet", "账本尚未到达该版本")
        case .unsupported: ("this is not supported", "暂不支持此功能")
        case .overloaded: ("the service is busy, try again later", "服务繁忙，请稍后重试")
        case .unavailable: ("the ledger cannot be read or written now", "目前无法读写账本")
        case .ledgerReplaced:
            (
                "the ledger is not the file that was opened; nothing is recorded until a restart",
                "账本已不是打开时的文件；重新启动之前不会记录任何内容"
            )
        case .diskFull:
            ("the disk of the ledger is full; nothing was written", "账本所在磁盘已满；未写入任何内容")
        case .clock: ("the clock of the service is wrong, try again later", "服务的时钟有误，请稍后重试")
        case .stopping: ("the service is stopping", "服务正在停止")
        default: ("the service made a mistake", "服务内部出错")
        }
    }
}
