/// What is said of Apple's servers, in Chinese.
extension AppStoreSetupPhrase {
    var chinese: String {
        switch self {
        case .notConfigured:
            "未配置 Apple 的服务器：请设置 app-store.issuer-id、app-store.key-id 和 app-store.key-file"
        case .incomplete: "缺少 {0}：Apple 服务器的 issuer id、key id 和密钥文件须一并设置"
        case .unreadable: "{0}：无法读取文件 {1}，或它不是不超过 64 KiB 的文件"
        case .exposed: "{0}：其他用户可以读取文件 {1}；请对它执行“chmod 600”"
        case .issuerID: "{0}：issuer id 必须是 UUID，如 App Store Connect 所示"
        case .keyID: "{0}：key id 必须由字母和数字组成，如 App Store Connect 所示"
        case .notPEM: "{0}：文件 {1} 不是含私钥的 .p8 文件"
        case .notP256: "{0}：{1} 中的私钥不是 P-256 密钥，或已损坏"
        case .secret: "{0}：文件 {1} 必须只有一行，且不超过 256 个可打印字符"
        case .bundleID: "请设置 app-store.bundle-id：没有指明应用的有效策略"
        }
    }
}

extension AppStorePhrase {
    var chinese: String {
        switch self {
        case .subscription: "原始交易 {0}：{1}"
        case .status: "状态 {0}"
        case .transactions: "交易：{0} 笔"
        case .revision: "revision：{0}"
        case .more: "还有更多：用 --after {0} 继续"
        case .next: "用 --after {0} 继续"
        case .noMore: "没有更多"
        case .badReport: "{0}：“{1}”不是 Apple 为此调用定义的内容"
        case .attempts: "投递"
        case .noAttempts: "投递：尚无记录"
        case .attempt: "{0}：{1}"
        case .order: "该订单有效"
        case .unknownOrder: "App Store 没有该应用的这个订单"
        case .testRequested: "已请求一条测试通知；用 --status {0} 查询结果"
        case .finished: "已完成：交易 {0}"
        case .tokenSet: "已设置：原始交易 {0} 的 appAccountToken"
        case .consumptionSent: "已发送：交易 {0} 的使用情况"
        case .extended: "已延长：原始交易 {0} 将于 {1} 续订"
        case .notExtended: "未延长：原始交易 {0}"
        case .extensionRequested: "已请求；用“usher app-store extend-status {0} {1}”查询进度"
        case .extensionRunning: "尚未完成"
        case .extensionDone: "已完成：延长 {0}，失败 {1}"
        case .environment: "环境：{0}"
        }
    }
}

extension AppStoreStatusPhrase {
    var chinese: String {
        switch self {
        case .active: "有效"
        case .expired: "已过期"
        case .billingRetry: "扣款重试中"
        case .grace: "宽限期内"
        case .revoked: "已撤销"
        }
    }
}

extension AppStoreFailurePhrase {
    var chinese: String {
        switch self {
        case .unauthorized:
            "Apple 的服务器不接受所配置的身份信息：请检查密钥及其 id、共享密钥、bundle id 和时钟"
        case .notFound: "Apple 的服务器没有此项记录"
        case .rateLimited: "对 Apple 服务器的请求过于频繁"
        case .unavailable: "Apple 的服务器暂时故障"
        case .network: "无法连接 Apple 的服务器"
        case .badAnswer: "Apple 的服务器给出的应答无法使用"
        case .rejected: "Apple 的服务器拒绝了请求"
        }
    }
}

extension AppStoreFailureDetail {
    var chinese: String {
        switch self {
        case .code: "代码 {0}"
        case .codeMeaning: "代码 {0}：{1}"
        case .status: "HTTP {0}"
        case .library: "未安装 libcurl.so.4；在 Debian 上请运行 apt install libcurl4"
        case .retryAt: "请在 {0} 之后重试"
        }
    }
}

extension AppleCodePhrase {
    var chinese: String {
        switch self {
        case .transactionIDInvalid: "交易 ID 无效"
        case .noAppTransactionID: "此接口不接受应用交易的 ID"
        case .cannotExtend: "该订阅不能延长"
        case .accountNotFound: "找不到该 App Store 账号"
        case .accountNotFoundNow: "暂时找不到该 App Store 账号"
        case .appNotFound: "没有使用此 bundle id 的 App"
        case .appNotFoundNow: "暂时找不到该 App"
        case .originalNotFound: "没有此原始交易 ID 的购买"
        case .originalNotFoundNow: "暂时找不到该购买"
        case .noNotificationURL: "App Store Connect 中没有设置通知地址"
        case .testNotFound: "测试通知不存在，或尚未发送"
        case .extensionNotFound: "没有此编号的批量延长"
        case .transactionNotFound: "没有此交易 ID 的购买"
        case .noAppTransaction: "该用户没有应用交易"
        case .tooOften: "已达到调用次数上限"
        case .failure: "Apple 内部故障"
        case .failureNow: "Apple 内部暂时故障"
        case .receiptNotPosted: "收据不是用 POST 提交的"
        case .receiptMalformed: "收据格式不正确，或服务器出错"
        case .receiptNotAuthentic: "收据不是真实的"
        case .wrongSecret: "共享密钥不是该 App 的"
        case .receiptServerDown: "收据服务器暂不可用"
        case .receiptExpired: "收据有效，但订阅已到期"
        case .receiptOfSandbox: "收据来自沙盒"
        case .receiptOfProduction: "收据来自生产环境"
        case .receiptDataFailure: "暂时无法读取 Apple 的数据"
        case .customerGone: "该用户的账号不存在或已删除"
        }
    }
}

extension BoxPhrase {
    var chinese: String {
        switch self {
        case .serving:
            """
            盒中 App Store 正在 {0} 提供服务
              生产环境        {0}/production
              沙盒            {0}/sandbox
              控制接口        {0}/box
              发行者 ID       {1}
              密钥 ID         {2}
              根证书 SHA-256  {3}
            """
        case .trust:
            """

            要让策略接受它签发的内容，请把 {0}/root.pem 和 {0}/receipt-root.pem 复制到策略文件夹，
            并在 app.yaml 中写入：

              app:
                bundle_id: {1}
                apple_id: {2}
              trust:
                roots:
                  jws: [{file: root.pem}]
                  receipt: [{file: receipt-root.pem}]
            """
        case .badKeys: "{0} 不是模拟商店保存的密钥文件"
        case .otherSeed: "{0} 中的密钥属于种子 {1}；请省略“--seed”，或使用另一个文件夹"
        case .badListen: "“{0}”不是地址；请写 127.0.0.1:8421"
        case .badNotify:
            """
            “{0}”不是接收通知的地址；请写 http://127.0.0.1:8000/path 或 \
            unix:/path/to/usher.sock
            """
        case .badStart: "“{0}”不是 2008-07-10 至 2099-12-31 之间的时刻"
        case .badSeed: "“--seed”必须是 0 到 18446744073709551615 的整数，而不是“{0}”"
        case .badNumber: "速度须在 0 至 1000000000 之间，宽限期须在 0 至 28 天之间"
        case .notServing: "无法监听 {0}；另一个程序可能正在使用该地址"
        }
    }
}
