package import EntitlementModel

/// A text of this target.
package protocol PolicyLoadingText: TabledText {}

extension PolicyLoadingText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # DiagnosticMessage
    emptyFolder: 这里没有策略文件
    folderMissing: 无法打开策略文件夹 {0}
    pathUnreadable: 无法读取这个文件
    pathNotAFile: 这不是普通文件
    pathOutside: 链接指向策略文件夹之外
    fileTooLarge: 文件超过 {0} 字节
    tooManyFiles: 文件夹超过 {0} 个文件或 {1} 字节
    notUTF8: 文件不是 UTF-8 文本
    byteOrderMark: 文件以字节顺序标记（BOM）开头
    controlCharacter: 文本含有控制字符 {0}
    invisibleCharacter: 文本含有不可见字符 {0}：共 {1} 个，在第 {2} 行
    ideographicSpace: 文本含有全角空格
    tab: 文本含有制表符（Tab）
    emptyFile: 文件是空的
    yamlSyntax: 从这里起不是有效的 YAML
    badIndentation: 这一行与前面的行没有对齐
    unclosedQuote: 这里的引号没有闭合，或其后还有文字
    unclosedBracket: 这里的括号没有闭合，或其中缺少逗号
    colonInText: 文本中间有冒号
    missingColon: 这里后面缺少冒号
    missingSpace: {0} 里缺少空格
    mergeConflict: 这是未解决的合并冲突留下的标记
    reservedCharacter: 文本不能以这个字符开头
    fullWidthPunctuation: 此处用了全角字符
    severalDocuments: 这里开始了第二个文档
    yamlDirective: 策略中不能使用 YAML 指令（%）
    anchor: 策略中不能使用锚点（&）
    alias: 策略中不能使用别名（*）
    tag: 策略中不能使用标签（!）
    mergeKey: 策略中不能使用合并键（<<）
    duplicateKey: 键 {0} 在同一节里写了两次
    keyNotText: 键必须是单个词
    textOverLines: 文本跨越了多行
    tooDeep: 嵌套超过 {0} 层
    textReadAsBoolean: 不加引号的 {0} 会被许多工具读作“是/否”
    textReadAsNumber: 不加引号的 {0} 是数字
    textReadAsDate: 不加引号的 {0} 是日期
    textReadAsNothing: 不加引号的 {0} 表示空值
    mixedScripts: {0} 混用了外形相似的不同文字的字母
    notASCIIName: 名称 {0} 含有英文字母、数字和标点以外的字符
    badName: {0} 不能作为名称
    badText: {0} 的文本为空或过长
    starInAccount: 账号 {0} 的“*”不在末尾
    unknownStorefront: {0} 不是国家或地区代码
    unknownCurrency: {0} 不是货币代码
    notSections: 策略文件由若干节组成
    missingVersion: 缺少格式版本
    unknownVersion: 不认识的格式版本 {0}
    unknownSection: 未知的节 {0}
    unknownKey: {1} 中没有 {0} 这个键
    fieldNotHere: {0} 不能用于这里的 {1}
    secretInPolicy: 策略中不应有 {0} 之类的机密
    missingSection: 缺少 {0} 一节
    missingKey: {1} 中缺少 {0}
    missingChoice: {1} 的每一项需要 {0} 之一
    duplicateName: {0} 在 {1} 中定义了两次
    splitSection: {0} 一节出现在两个文件中
    splitList: {0} 的规则分散在两个文件中
    wrongList: {0} 下面的规则属于 {1}
    wrongType: {0} 应为{1}，这里却是{2}
    notIndented: {0} 属于 {1}，却与它从同一列开始
    emptyValue: {0} 后面没有内容
    emptyList: {0} 的列表是空的
    repeatedValue: {0} 在 {1} 中出现了两次
    unknownWord: {1} 没有 {0} 这个值
    notTrueOrFalse: {1} 只能是 true 或 false，不能是 {0}
    notWholeNumber: {1} 必须是整数，不能是 {0}
    numberNotation: {0} 的数字写法在不同工具中读法不同
    numberOutOfRange: {1} 不能是 {0}
    badAmount: {0} 不是金额
    decimalComma: {0} 中有逗号，而这里的数字不用逗号
    badLength: {0} 不是时长
    calendarUnit: {0} 的长度不固定，而 {1} 需要固定时长
    zeroLength: {1} 不能是 {0}，因为时长为零
    lengthTooLong: {0} 超过十年
    badDate: {0} 不是日期
    dateOutOfRange: {0} 不在 2008 年到 2100 年之间
    badAge: {0} 不是“处于某状态多久”的写法
    badDateBound: {0} 不是 {1} 的时间界限
    emptyInterval: {0} 之内什么也没有：结束不晚于开始
    openWithoutEnd: {0} 缺少开始或结束
    unknownTimeZone: {0} 不是时区名称
    unusedTimeZone: time_zone 没有作用：本文件中没有日期
    oppositeBounds: {0} 的界限中总有一个成立，而列表中任意一项成立即可
    badMoves: {0} 不是转移次数的限制
    badBundleID: {0} 不是 Bundle ID
    appleIDRequired: 信任生产环境，但 app 没有写 apple_id
    nothingTrusted: 没有信任任何环境
    unknownRoot: 未知的根证书 {0}
    badFingerprint: {0} 不是指纹
    rootInWrongList: {0} 用于 {1}，而不是 {2}
    noRoot: 信任 {0} 环境，但没有根证书可为它作保
    noTestRoot: 信任 {0} 环境，但 trust 没有为它给出专用的根证书
    unusedRoot: 这个根证书只用于 {0}，而该环境被拒绝
    certificateOutside: 证书 {0} 在策略文件夹之外
    missingCertificate: 策略文件夹中没有证书 {0}
    notACertificate: {0} 不是单个 PEM 或 DER 证书
    certificateUnreadable: {0} 看起来像证书，但无法作为证书读取
    unknownEntitlement: 没有名为 {0} 的权益
    unknownCredit: 没有名为 {0} 的点数
    unknownGroup: 没有名为 {0} 的订阅组
    unknownLevel: 没有订阅组有 {0} 这个级别
    unknownProduct: 没有名为 {0} 的产品
    patternMatchesNothing: 没有产品匹配 {0}
    levelNotInGroup: {0} 不是 {1} 的级别
    groupWithoutLevels: 订阅组 {0} 没有级别
    duplicateLevel: {1} 的级别中 {0} 出现了两次
    chineseTitleAlone: {0} 只有中文名称，没有英文名称
    grantsNothing: {0} 不给购买者任何权益
    givenByNothing: 没有产品给予 {0}
    unusedGroup: 订阅组 {0} 中没有产品
    notForKind: {0} 不适用于 {1} 类产品
    missingForKind: {0} 类产品需要 {1}
    unusualPeriod: Apple 没有周期为 {0} 的订阅
    subscriptionWithoutGroup: 订阅产品 {0} 不属于任何订阅组
    levelMissing: {0} 没有写级别，而订阅组 {1} 有多个级别
    levelWithoutGroup: 写了级别，却没有写订阅组
    stackingDiffers: 同一 stack {0} 的产品不一致：这里是 {1}，另一处是 {2}
    freeWithoutNewsstand: free 类产品只用于报刊杂志应用
    priceOfFree: 免费产品写了价格
    lastingRight: 消耗型产品会永久给予 {0}
    forOnOtherKind: for 不适用于 {0} 类产品
    creditExpires: 购买的点数不能过期：不能写 {0}
    creditFromOtherKind: {0} 类产品不能给予点数
    grantedTwice: 产品两次给予 {0}
    duplicateRuleName: {1} 中有两条规则都叫 {0}
    onlyTwice: 权益写了两处：only 和 when 中
    emptyUnless: 空的 unless 会排除一切
    grantsAlways: 规则 {0} 没有 when，因此会永远授予一切
    withholdsEverything: 按规则 {0}，任何产品都不给任何人任何权益
    environmentRefused: 规则提到 {0}，但该环境的凭证被拒绝
    notClaimable: {0} 始终属于购买它的账号，account_switch 规则不能涉及它
    shareWithoutMax: share 需要写 max
    maxWithoutShare: max 不适用于 {0}
    limitsWithoutMove: limits 不适用于 {0}
    elseWithoutLimit: else 需要同时写 cooldown 或 moves
    inheritToken: inherit 只适用于 token 未指向任何账号的购买
    unreachableRule: 规则 {0} 永远不会生效：它的所有情况都已由前面的 {1} 决定
    contradictingRule: 规则 {0} 永远不会起作用：前面的 {1} 在同样的情况下作出了不同的决定
    exceptionBehindRule: 规则 {0} 排得太晚：前面范围更广的 {1} 已对它的一般情形作出不同的决定
    neverMatches: 规则 {0} 永远不会匹配：没有购买能同时满足 {1}
    grantsAfterEnd: 规则 {0} 永远授予已到期或已撤销的购买
    soldForNothing: 按规则 {0}，购买 {1} 的人什么也得不到
    testPurchasesForAll: 按规则 {0}，在 {1} 中不花钱的购买对所有账号都有效
    beginsLate: 按规则 {0}，权益先失去，过后又恢复
    transferWithoutLimits: 按规则 {0}，一笔购买可以不受限制地反复转移
    windowPast: 规则 {0} 自 {1} 起已不再生效
    uncovered: {0} 中没有规则决定这种情况，由内置规则 {1} 决定
    unmappedProduct: 有 {0} 的购买，但产品目录中没有它
    fileNotRead: 文件 {0} 没有被读取
    waiverNotNeeded: 这里预期有警告 {0}，但没有这个警告
    levelAgainstPrice: {0} 的级别更高，价格 {1} 却低于 {2} 的 {3}
    levelGivesLess: {0} 的级别高于 {2}，却不给予 {1}
    lostHash: {0} 之后的 {1} 是注释
    curlyQuotes: {0} 的引号是文本的一部分
    minutesForMonths: {0} 是 {1} 分钟
    priceDecimals: {1} 的价格最多有 {2} 位小数，不能是 {0}
    bundleIDUnused: 没有产品 ID 以 bundle ID {0} 开头；{1} 的开头不同
    leewayBeyondBound: 宽限 {0} 超过了 {1} 周期（{2}）的十分之一
    limitNeverReached: 两次转移至少相隔 {2}，{1} 之内最多 {3} 次，因此 {0} 次的限制没有作用
    matchWindowTooShort: 订单等待付款 {0}，但没有令牌的付款只与最近 {1} 内的订单匹配
    openInUTC: {0} 在 UTC 的零点开始和结束，最后一天是 {1}
    levelsAgainstPrices: 级别 {0} 写在 {1} 之前，但 {2} 的价格是 {3}，{4} 的价格是 {5}
    sameLevelGivesLess: {0} 与 {2} 级别相同，却不给予 {1}
    priceAgainstPeriod: {0} 的价格是 {2}（{1}），{3} 的价格是 {5}（{4}）
    priceAgainstUnits: {0} 以 {2} 给予 {1} 点，{3} 以 {5} 给予 {4} 点
    refundsEverything: 按规则 {0}，凡是到达这条规则的退款请求都建议 Apple 全额退款
    dateFarOff: {0} 要到 {1} 才起作用，距今三年以上
    nearDuplicateName: {0} 和 {1} 是两个名称
    levelsCostTheSame: {0} 的级别高于 {1}，还给予 {3}，价格却相同：{2}
    freeGivesSold: {0} 免费给予 {1}，而 {2} 出售它
    productionRefused: production 被拒绝，sandbox 被信任：用户购买的一概不算
    accountWithoutStar: {0} 只是一个账号，而没有账号叫这个名字
    ageBeginsAgain: {0} 的时长在宽限期转入扣款重试时会重新计算
    priceZero: {0} 的价格是 {1}
    unknownStep: 步骤中此处不应出现 {0}
    stepEndsEarly: 步骤 {0} 不完整
    stepBeforeLast: {0} 早于上一个步骤
    unknownStoryName: 此步骤之前没有名为 {0} 的内容
    storyWithoutExpectation: 用例没有任何期望
    expectationFailed: 期望 {0}，实际 {1}
    stepFailed: 步骤被拒绝：{0}
    noStory: {0} 中没有用例
    # DiagnosticAdvice
    emptyFolder: 策略是一个文件夹，内有以 .yaml 结尾的文件
    folderMissing: 请检查路径和读取权限
    pathUnreadable: 请检查读取权限；如果是链接，请检查其指向
    pathNotAFile: 请把策略放在普通文件里
    pathOutside: 请把文件复制到文件夹内
    fileTooLarge: 请拆分成多个文件
    tooManyFiles: 请确认这是策略文件夹
    notUTF8: 请先用能正确显示的编码（中文通常是 GB18030）打开，再存为 UTF-8
    byteOrderMark: 请保存为不带 BOM 的 UTF-8
    controlCharacter: 请删除它
    invisibleCharacter: 请逐个删除，或换成普通空格；缩进中的也要改
    ideographicSpace: 请改用半角空格
    tab: 请使用空格，让同一节的键从同一列开始
    emptyFile: 请删除文件，或写入内容
    yamlSyntax: 请检查引号、括号、冒号和缩进
    badIndentation: 同一节的键要从同一列开始；列表项以“- ”开头
    unclosedQuote: 请在同一行闭合引号
    unclosedBracket: 请闭合括号，并用逗号分隔
    colonInText: 请给文本加上引号
    missingColon: 请在其内容之前写“键:”；如果这是注释，请在前面写“# ”
    missingSpace: 请写成“键: 值”
    mergeConflict: 请保留两个版本中的一个，并删去“<<<<<<<”“=======”和“>>>>>>>”所在的行
    reservedCharacter: 请给文本加上引号
    fullWidthPunctuation: 请改用半角的“:”（后面加空格）、“,”或英文引号
    severalDocuments: 请删去“---”这一行
    yamlDirective: 请删去以“%”开头的行
    anchor: 请删去；如果文本本身以“&”开头，请加引号
    alias: 请写出完整的值；以“*”开头的产品模式要加引号
    tag: 请删去；如果文本本身以“!”开头，请加引号
    mergeKey: 请写出各个键
    duplicateKey: 请只保留一个，或把两处的内容合并到其中一个之下；列表中的一项以“- ”开头
    keyNotText: 请写成“键: 值”；以“{”或“[”开头的文本要加引号
    textOverLines: 请写在一行之内
    tooDeep: 请检查括号
    textReadAsBoolean: 请加上引号
    textReadAsNumber: 请加上引号
    textReadAsDate: 请加上引号
    textReadAsNothing: 请加上引号
    mixedScripts: 请用同一种键盘重新输入
    notASCIIName: 名称请用英文字母、数字、“-”“_”“.”；中文写在 title_zh 里
    badName: 1 到 {1} 个英文字母、数字或符号，不含空格和“*”
    badText: 请写一行，最多 400 字节
    starInAccount: {1} 表示以“*”之前的文字开头的账号；其他账号请逐个列出
    unknownStorefront: 请写 ISO 3166 代码，例如 CN 或 CHN
    unknownCurrency: 请写 ISO 4217 代码，例如 CNY
    notSections: 请写成各节，例如“products:”
    missingVersion: 请在首行写“usher: 1”
    unknownVersion: 本程序支持版本 {1}；请升级程序，或写“usher: {1}”
    unknownSection: 请删去，或改正名称
    unknownKey: 请删去，或改正名称
    fieldNotHere: access 规则用于状态，account_switch 规则用于认领，refund_answers 规则用于购买
    secretInPolicy: 请删去并更换该机密；密钥应放在服务的配置里
    missingSection: 请在其中一个文件里写上
    missingKey: 请写上 {0} 及其值
    missingChoice: 请写上其中之一
    duplicateName: 请保留其中一个
    splitSection: 请保留其中一处，并删去另一处
    splitList: 请把它们放在同一个文件里，例外在前（第一条匹配的规则起决定作用），并删去另一个列表
    wrongList: 请把 {0} 改成 {1}
    wrongType: 列表写作 [a, b]，键和值写作“键: 值”
    notIndented: 请在属于 {1} 的每个键前面多加两个空格
    emptyValue: 请写上值，或删去这个键；以“#”开头的文本要加引号
    emptyList: 请写上要匹配的内容；要匹配全部则删去这个键
    repeatedValue: 请删去一个，或改成想写的内容
    unknownWord: 请写允许的值
    notTrueOrFalse: 请写 true 或 false
    notWholeNumber: 请只写数字，不加引号
    numberNotation: 请只写普通数字
    numberOutOfRange: 请写 {2} 到 {3} 之间的数
    badAmount: 请写数字，小数点后最多三位：9.99
    decimalComma: 小数部分之前用点，千位之间不加任何符号：1234.50
    badLength: 请写数字加单位，中间不留空格：30m（分钟）、12h、7d、2w、3mo（月）、1y；更短的用 s 和 ms
    calendarUnit: 请用天（d）或周（w）来写
    zeroLength: 请写更长的时间，或删去这个键
    lengthTooLong: 最多写 10y
    badDate: 请写年-月-日：2026-01-31，或加上时间：2026-01-31T08:00:00Z
    dateOutOfRange: 请检查年份
    badAge: 请写“under 7d”“at least 7d”或“from 7d to 14d”
    badDateBound: 请写“before 2026-01-31”“from 2026-01-31”或“from 2026-01-31 until 2026-03-01”
    emptyInterval: 请把较早的一端写在前面
    openWithoutEnd: 请两端都写：from 2026-12-05 until 2026-12-07
    unknownTimeZone: 请写 IANA 时区名称，例如 Asia/Shanghai
    unusedTimeZone: 请移到含有相应日期的文件，或删去
    oppositeBounds: 请写成区间：from 2026-03-01 until 2026-06-01
    badMoves: 请写成“3 per 365d”
    badBundleID: 请从 App Store Connect 复制：com.example.reader
    appleIDRequired: 请从 App Store Connect 的“App 信息”复制“Apple ID”数字
    nothingTrusted: 请写“production: trusted”
    unknownRoot: 请写“apple-root-ca-g3”或“apple-inc-root”，或者指纹、文件
    badFingerprint: 请写 SHA-256（64 位 0-9、a-f，不带冒号），或把证书放进文件夹并写文件名：{file: root.pem}
    rootInWrongList: 请移到 {1}
    noRoot: 请在 trust 的 roots 中写“jws: [apple-root-ca-g3]”
    noTestRoot: Apple 不为它签名；请给出证书文件：{file: xcode.pem}
    unusedRoot: 请信任该环境，或删去这个根证书
    certificateOutside: 请复制到文件夹内，并写相对路径
    missingCertificate: 请放入文件夹，文件名以 .pem 或 .der 结尾
    notACertificate: 请只放根证书，从 BEGIN CERTIFICATE 到 END CERTIFICATE
    certificateUnreadable: 请重新导出根证书，须为 X.509 第 3 版
    unknownEntitlement: 请在 entitlements 中定义
    unknownCredit: 请在 credits 中定义
    unknownGroup: 请在 groups 中定义
    unknownLevel: 请写入其订阅组的 levels
    unknownProduct: 请在 products 中定义
    patternMatchesNothing: 请对照 products 中的名称
    levelNotInGroup: 请写该订阅组的一个级别
    groupWithoutLevels: 请至少写一个
    duplicateLevel: 请只保留一个；级别从高到低书写
    chineseTitleAlone: 请也写上 title
    grantsNothing: 请在 grants 中写上给予的权益
    givenByNothing: 请把 {0} 加入每个应给予它的产品的 grants，或删去这一行
    unusedGroup: 请用于某个产品，或删去
    notForKind: 请删去，或把产品的 kind 改为 {2}
    missingForKind: 请写上，例如 1mo 或 1y
    unusualPeriod: 可以写：1w、1mo、2mo、3mo、6mo、1y
    subscriptionWithoutGroup: 请写上它在 Apple 所属的 group
    levelMissing: 请写 level，可以是：{2}
    levelWithoutGroup: 请也写上 group
    stackingDiffers: 请给它们写相同的 stacking
    freeWithoutNewsstand: 请在 app 中写“newsstand: true”
    priceOfFree: 请删去价格，或修改 kind
    lastingRight: 请写明时长，最长 10y：{entitlement: {1}, for: 30d}
    forOnOtherKind: 请删去；产品的时长由其 kind 决定
    creditExpires: 请删去
    creditFromOtherKind: 请用消耗型产品给予
    grantedTwice: 请保留其中一个
    duplicateRuleName: 请给每条规则起不同的名字
    onlyTwice: 请保留 only
    emptyUnless: 请写上要排除的情况，或删去
    grantsAlways: 请写明何时适用，例如 when: {state: grace}
    withholdsEverything: 请写明它不给予什么，例如 when: {state: billing-retry}
    environmentRefused: 请在 environments 中信任它，或在此删去
    notClaimable: 请写可以转移的类型（auto-renewable、non-consumable、free），或删去整条规则：只删条件的话，它会适用于所有购买
    shareWithoutMax: 请写最多几个账号共享：max: 2
    maxWithoutShare: 请删去，或写“then: share”
    limitsWithoutMove: 请删去，或写“then: transfer”
    elseWithoutLimit: 请删去，或在旁边写一个限制：cooldown: 7d
    inheritToken: 请删去 token，或写“token: none”
    unreachableRule: 请删去它，或移到 {1} 之前
    contradictingRule: 请把它移到 {1} 之前，或删去其中一条
    exceptionBehindRule: 请把它移到 {1} 之前
    neverMatches: 请修改或删去 {1} 中的一项
    grantsAfterEnd: 请在 when 中写明到何时为止：state_age: under 30d 或 at: before 2027-01-01；或删去这些状态
    soldForNothing: 请用 only 写明不给予什么，或写更窄的 when；如果产品不再销售，请在产品处写 retired
    testPurchasesForAll: 请在 when 中写明对哪些账号有效：account: [apple-review, "qa-*"]（换成您的账号）
    beginsLate: 请写明给予多久：{1}: under 14d
    transferWithoutLimits: 请在旁边写：limits: {cooldown: 7d, moves: 3 per 365d}
    windowPast: 请删去这条规则，或修改 at
    uncovered: 如果不应如此，请写一条规则
    unmappedProduct: 请把它加入 products；如果已不再销售，写上 retired
    fileNotRead: 请把文件名改为以 .yaml 结尾，或移出文件夹
    waiverNotNeeded: 请删去它
    levelAgainstPrice: 请给 {0} 写高于 {3} 的价格，或降低 {2} 的价格；或更正 levels 中的顺序（最好的在前）
    levelGivesLess: 请把它加入 grants，或更正 levels 中的顺序（最好的在前）
    lostHash: 请给整段文本加上引号
    curlyQuotes: 请用直引号，或不用引号
    minutesForMonths: 如果指的是月，请写 {2}
    priceDecimals: 请写没有这些小数位的价格
    bundleIDUnused: 请检查两者之中是否有拼写错误
    leewayBeyondBound: 请在文件的最外层写 leeway: {3} 或更短；更长的部分对 {1} 没有作用
    limitNeverReached: 请写更长的时间范围，或更短的 cooldown
    matchWindowTooShort: 请写更长的 match_window，或更短的 pay_within
    openInUTC: 请在文件开头写明这些日期所在的时区，例如 time_zone: Asia/Shanghai
    levelsAgainstPrices: 请把最好的级别写在最前面
    sameLevelGivesLess: 请写成 {3}，或从 {2} 中删去，或让两者的级别不同
    priceAgainstPeriod: 请给 {0} 写高于 {5} 且不超过 {6} 的价格，或更正 {3} 的价格
    priceAgainstUnits: 请更正其中一个的价格或 units
    refundsEverything: 请写明适用范围，例如 when: {environment: sandbox}；或写“then: prorate”或“then: nothing”
    dateFarOff: 请核对年份
    nearDuplicateName: 请只保留一个，或选用差别更大的名称
    levelsCostTheSame: 请更正其中一个价格
    freeGivesSold: 请从其中一个产品中删去它
    productionRefused: 请写 production: trusted
    accountWithoutStar: 请在末尾加上星号，表示以它开头的所有账号
    ageBeginsAgain: 请用 unpaid_for 代替 state_age
    priceZero: 请写它的价格，或不写 price
    unknownStep: 请使用 usher policy test --list-steps 列出的句子
    stepEndsEarly: 请补全这个句子
    stepBeforeLast: 请按时间顺序排列步骤
    unknownStoryName: 请使用“记作”之后的名称、Apple ID，或“alice 的 gold”这样的名称
    storyWithoutExpectation: 请添加以“期望”开头的步骤
    expectationFailed: 请修正策略；如果用例的期望本不应成立，请修正用例
    stepFailed: 请修正此步骤，或写明：期望 被拒绝 {0}
    noStory: 请编写用例，或指明文件
    # PolicyExplanation.Subject
    diagnostic: 诊断
    finding: 待关注事项
    key: 键
    rule: 规则
    product: 产品
    entitlement: 权益
    credit: 点数
    group: 组
    level: 级别
    # PolicyExplanation.Label
    severity: 级别
    meaning: 含义
    list: 列表
    when: 条件
    unless: 例外
    then: 结果
    only: 仅限
    decides: 可以决定
    before: 在它之前的规则
    kind: 类型
    title: 名称
    group: 组与级别
    gives: 给予
    states: 各状态
    rules: 提到它的规则
    givenBy: 来自
    openedBy: 向所有人开放
    levels: 级别（从高到低）
    products: 产品
    section: 所在部分
    words: 可写
    ofGroup: 组
    # ExplainPolicyPhrase
    after: {0}，在 {1} 之后
    nothing: 无：这些情形不会出现，或已由前面的规则全部决定
    # DiagnosticMeaning
    emptyFolder: 没有策略文件的文件夹并不等于没有规则的策略：多半是路径写错了，或者部署出了问题。
    folderMissing: 路径不存在，不是文件夹，或者没有读取权限。
    pathUnreadable: 策略是整个文件夹。读不了的文件里可能有收紧其他规则的规则，因此其余文件也不单独采用。
    pathNotAFile: 名字像策略文件的管道、套接字、设备和文件夹一律不读就拒绝：读取它们可能会永远等下去。
    pathOutside: 审阅过、计算过摘要的内容必须就是加载的内容。文件夹之内的链接可以使用，指向外面的链接会被拒绝。
    fileTooLarge: 没有人会手工编辑这么大的文件；它多半不是策略。
    tooManyFiles: 多半是路径写错了，指向了放有许多其他文件的文件夹。
    notUTF8: 其他编码（GBK、UTF-16、Latin-1）会把同样的字节读成别的名称。
    byteOrderMark: 有些编辑器会在开头写入这个看不见的字符；其他工具会把它当成第一个键的一部分。
    controlCharacter: 控制字符（包括零字节）看不见，对某些程序意味着文本结束，还可能扰乱终端。
    invisibleCharacter: 零宽空格、改变文字方向的标记等字符，会使两个名称看起来相同，或使一行读起来与实际不同。
    ideographicSpace: 全角空格看上去像普通空格，但在 YAML 中不能分隔词语。
    tab: YAML 不允许行首使用制表符，而且各个编辑器显示的宽度也不同。
    emptyFile: 没有内容或只有注释的文件，多半是保存时被截断了。
    yamlSyntax: 文件在这个地方不是 YAML。
    badIndentation: 在 YAML 中，缩进说明什么属于什么。
    unclosedQuote: 引号没有闭合，后面的一切都会被当成文本。
    unclosedBracket: 在“[ ]”和“{ }”中用逗号分隔，并用同一种括号闭合。
    colonInText: 冒号加空格用来分隔键和值，所以含有它们的文本要加引号。
    missingColon: 下面缩进的内容属于这一行，所以这一行必须是键。
    missingSpace: 没有空格，YAML 会把冒号当成文本的一部分。
    mergeConflict: 标记之间的内容同时给出了两种说法。
    reservedCharacter: “@”“`”和“%”由 YAML 保留。
    fullWidthPunctuation: YAML 只认识 ASCII 符号；“：”对它来说是文本的一部分。
    severalDocuments: 只读取一个文档的工具会丢掉第一个“---”之后的一切。
    yamlDirective: 指令会改变其余内容的读法。策略不需要它们。
    anchor: 锚点会让一行表示写在别处的内容，几百字节就能展开成几个 GB。策略的内容都写在它所在的地方。
    alias: 别名重复锚点标记的内容（见 anchor）。同样的原因，以“*”开头的模式要加引号。
    tag: 标签会改变值的类型，在某些工具中甚至会运行代码。
    mergeKey: 合并会掩盖以哪个值为准。策略没有继承。
    duplicateKey: 多数 YAML 工具取最后一个，不作声地丢掉第一个。
    keyNotText: YAML 允许用列表和节作键，但没有人能引用这样的键。
    textOverLines: 换行如何连接取决于容易看错的小符号；缩进过深的一行会悄悄变成文本的一部分。
    tooDeep: 没有策略需要这么深；过深的嵌套是用来耗尽读取者的。
    textReadAsBoolean: 旧版 YAML 把 y、n、yes、no、on、off、true 和 false 读成真假值：挪威的国家代码会变成“false”。
    textReadAsNumber: 被读成数字的名称会变样：1e3 变成 1000，0o14 变成 12，12:30 变成 750。
    textReadAsDate: 被读成日期的名称，再写出来就不是原来的样子了。
    textReadAsNothing: YAML 把“~”和“null”读成没有值。
    mixedScripts: 西里尔字母“а”和拉丁字母“a”看起来一样，却是不同的名称。
    notASCIIName: 名称逐字节比较，并会经过许多程序；给人看的是标题。
    badName: 名称会出现在程序、地址和日志中；“*”在规则中代表任意名称。
    badText: 标题和规则名称是给人看的。
    starInAccount: 只匹配账号名开头的模式一眼就能看懂；其他模式会出人意料。
    unknownStorefront: 地区不存在时，关于它的规则永远不会匹配。
    unknownCurrency: Apple 用货币代码标明价格；用别的名称永远找不到。
    notSections: 策略的每一行都属于一个有名称的节。
    missingVersion: 有了版本号，以后的程序才能按原来的意思读取旧策略。
    unknownVersion: 更新格式的策略可能有别的含义；宁可拒绝，也不猜测。
    unknownSection: 不会被读取的节没有任何作用。
    unknownKey: 不会被读取的键没有任何作用。
    fieldNotHere: 权益规则在购买的每个时刻都会判断，那时并没有认领；账号切换规则只在认领时判断，与状态无关。
    secretInPolicy: 策略会被展示、比较，并永久保存。
    missingSection: 没有它，任何购买都无法验证。
    missingKey: 它代表的内容没有适合所有人的默认值。
    missingChoice: 这一项没有说明它是关于什么的。
    duplicateName: 文件的先后没有意义，所以两者谁也不能胜出。
    splitSection: 属于一起的设置要放在一起读取。
    splitList: 第一条匹配的规则起决定作用，而文件之间没有先后。
    wrongList: 每个规则列表都有自己的动词和条件：access 说明购买给予什么，account_switch 说明购买属于谁，refund_answers 说明如何答复 Apple。
    wrongType: 值的形式与键所要求的不同。
    notIndented: 属于某个名称的内容要比该名称更靠右，否则这些键会被当成其他名称。
    emptyValue: 看不出是不是漏写了什么。
    emptyList: 列表为空的条件永远不成立。
    repeatedValue: 本来多半想写的是别的值。
    unknownWord: 这个键只接受几个固定的词。
    notTrueOrFalse: “是”和“否”各只有一种写法，在所有工具中都相同。
    notWholeNumber: 只有普通数字对所有读者意思相同。
    numberNotation: 1_000、0o14、0x1F、1e3 和 12:30:45 在有些 YAML 工具中是数字，在另一些中是文本。
    numberOutOfRange: 这个数太小或太大，没有意义。
    badAmount: 金额精确比较到千分之一。
    decimalComma: 逗号用来分隔列表项；有人用它表示小数，有人用它分隔千位。
    badLength: 30 可能是分钟，也可能是天；时长要有单位。
    calendarUnit: 一个月有 28 到 31 天。月和年用于产品的周期和时长，它们按日历计算。
    zeroLength: 长度为零的时长，作用与人们想的不一样。
    lengthTooLong: 没有卖出的东西会持续这么久；这是会给出终身权益的笔误。永久的权益请用非消耗型产品。
    badDate: 这一天不存在，或者其写法在不同国家读法不同。
    dateOutOfRange: App Store 于 2008 年开张；在此范围之外的日期是笔误。
    badAge: 时间长短与用词语表示的界限比较。
    badDateBound: 日期与用词语表示的界限比较。
    emptyInterval: 区间从开始起成立，到结束之前为止。
    openWithoutEnd: 开放的权益属于所有人；没有结束，就再也没有人需要为它付费。
    unknownTimeZone: CST 之类的缩写可以指多个时区，因此只接受 IANA 名称。
    unusedTimeZone: 文件的时区只作用于该文件中的日期；其他文件的日期用各自的时区或 UTC。
    oppositeBounds: 列表中的两个界限并不表示其间的时段：任何时间不是晚于前者就是早于后者。
    badMoves: 限制说明一段时间内可以转移多少次。
    badBundleID: 其他应用的凭证会被拒绝，因此 bundle id 必须准确。
    appleIDRequired: Apple 的生产环境凭证还用这个数字标明应用，两者必须一致。
    nothingTrusted: 提交的所有凭证都会被拒绝。
    unknownRoot: Apple 以外的根证书要用指纹或文件给出。
    badFingerprint: 被截断或含有其他字符的指纹不会与任何证书或密钥相符。
    rootInWrongList: Apple 用 Apple Root CA - G3 签署 JWS，用 Apple Inc. Root 签署收据；放在另一个列表里的根证书不起作用。
    noRoot: 没有根证书，那个环境的任何内容都无法验证。
    noTestRoot: Xcode 和本地测试用自己的证书签名。没有证书就信任它们，等于信任所有人。
    unusedRoot: 这个根证书不起作用。
    certificateOutside: 审阅过、计算过摘要的内容必须就是所信任的内容。
    missingCertificate: 找不到文件，或者文件的扩展名不同。
    notACertificate: 文件为空、被截断、是一把密钥，或者含有整条证书链。
    certificateUnreadable: 文件只有证书的外形，内容却是别的：密钥、其他种类的证书，或已损坏的数据。没有证书链能终止于它，因此它名下的所有凭证都会被拒绝。
    unknownEntitlement: 每个名称只在一处定义，这样笔误就不会造出新名称。
    unknownCredit: 每个名称只在一处定义，这样笔误就不会造出新名称。
    unknownGroup: 每个名称只在一处定义，这样笔误就不会造出新名称。
    unknownLevel: 级别不存在时，关于它的条件永远不成立。
    unknownProduct: 产品不存在时，关于它的条件永远不成立。
    patternMatchesNothing: 以现在的产品目录，这个条件永远不成立。
    levelNotInGroup: 级别属于订阅组；组内的顺序说明哪个更高。
    groupWithoutLevels: 升级和降级由级别的顺序决定，与 App Store Connect 相同。
    duplicateLevel: 级别从高到低书写；同一个级别不能有两个名次。
    chineseTitleAlone: 没有其他语言的标题时，大家看到的都是英文标题。
    grantsNothing: 会有人付了钱却什么也得不到。
    givenByNothing: 没有人能买到它，只能由人工授予。
    unusedGroup: 这个订阅组没有任何作用。
    notForKind: 这个键对这种产品不起作用。
    missingForKind: 订阅何时续订由 Apple 说明；非续订的购买持续多久只有策略知道。
    unusualPeriod: 周期会与 Apple 签名的凭证比较。
    subscriptionWithoutGroup: 没有订阅组，就看不出一个账号为同组的两个产品付了钱，也看不出一次购买是升级。
    levelMissing: 没有级别，谁也分不清升级和降级。
    levelWithoutGroup: 级别属于订阅组。
    stackingDiffers: 同一组叠加的购买要一起排列。
    freeWithoutNewsstand: Apple 只在报刊杂志（Newsstand）应用中提供免费订阅；在别处，它会无偿给出权益。
    priceOfFree: “free”是报刊杂志的免费订阅，不收费。
    lastingRight: 消耗型产品会用完。永久的应是非消耗型；限时的要写明多久。
    forOnOtherKind: 订阅持续到付费期满，非续订的购买持续“duration”那么久，非消耗型永久有效。
    creditExpires: Apple 审核指南 3.1.1：通过应用内购买得到的点数不得过期。
    creditFromOtherKind: 点数每次购买只向一个账号发放一次；其他类型可以恢复和共享。
    grantedTwice: 看不出两者是否都要算数。
    duplicateRuleName: 名称会出现在每个答复和解释中，必须能说明是哪条规则。
    onlyTwice: 两者意思相同；同时写上就不清楚以哪个为准。
    emptyUnless: 空条件总是成立，因此这条规则永远不会生效。
    grantsAlways: 没有条件时，它在退款和到期之后也成立，对所有产品和所有账号都成立。
    withholdsEverything: 它连已付费的也不给予，而且前面没有任何规则给予权益。
    environmentRefused: 那个环境的购买从不记录，因此这条规则永远不会匹配。
    notClaimable: 消耗型只向一个账号发放一次；非续订的购买 Apple 不提供恢复。
    shareWithoutMax: 没有上限，一次付款就可能供所有人使用。
    maxWithoutShare: 只有共享才会有多个持有者。
    limitsWithoutMove: 限制说明一笔购买可以转移多少次；keep、share、deny 和 inherit 不转移任何东西。
    elseWithoutLimit: 它说明超出限制的认领如何处理；没有限制就没有作用。
    inheritToken: token 指向某个账号时，由它决定购买归谁，因此这条规则永远不会匹配。
    unreachableRule: 第一条匹配的规则起决定作用。已对每一种情况证明：所列规则合起来以同样的结果覆盖了这条规则，而且每一条都不可缺少。示例就是这样一种情况。
    contradictingRule: 第一条匹配的规则起决定作用。这条规则的每一种情况都已在它之前决定，而且其中有些结果不同：两者之一多半不是本意。示例是两者不一致的一种情况。
    exceptionBehindRule: 第一条匹配的规则起决定作用。前面的规则没有这条规则所缺的条件，涉及的产品、权益或人更多，因此这条规则看来是它的例外；但前面的规则从这条规则所涉及的状\
    态一开始就先作了决定。例子就是这样的情形。
    neverMatches: 类型、组、级别和权益由产品决定；状态只属于有该状态的类型，到期原因只属于 expired，撤销类型只属于 \
    revoked，任何状态都不会早于购买。点数的发放不需要规则。所列的键互相排斥；去掉其中任何一个，规则就会匹配某种情况。
    grantsAfterEnd: 已证明：前面的规则、时长和日期都不会结束这条规则所给予的权益。
    soldForNothing: 所问的是：没有任何规则提到的人在生产环境中、在策略的所有日期之后购买。该产品的全部权益都被策略的规则扣留。写有 retired 的产品按停售前 31 \
    天检查，只看写有日期的规则。
    testPurchasesForAll: 在测试环境中，任何人都可以不付款购买任何产品。没有规则时，这样的购买只对所在环境的提问有效；写明该环境的规则使它在生产环境中也有效。
    beginsLate: 进入该状态时没有权益，一段时间之后规则又给予：多半是把 under 写成了 at least。如果另有规则在同一状态给予权益，则不提示。
    transferWithoutLimits: 一次付款可能供许多人使用，谁需要谁就认领。
    windowPast: 这条规则只决定关于过去的提问。
    uncovered: 只在使用 --explain-defaults 时显示。内置规则排在策略自己的规则之后，对所有人都相同。
    unmappedProduct: 只在给出账本（--ledger）时检查。购买了该产品的人得不到任何权益。
    fileNotRead: 策略文件的名称以 .yaml 结尾。
    waiverNotNeeded: 无缘无故预期的警告会掩盖下一个警告。取决于日期或账本的警告可以提前预期。
    levelAgainstPrice: 级别从高到低排列。比较的是同一时长、同一货币的价格；不比较已停售的产品。
    levelGivesLess: 升级的人会失去权益。不比较已停售的产品。
    lostHash: 在 YAML 中，空格之后的“#”是注释的开头，不属于文本。
    curlyQuotes: YAML 只认直引号，因此用户会看到这些引号。
    minutesForMonths: m 是分钟，mo 是月。
    priceDecimals: App Store 没有这样的价格（ISO 4217）。
    bundleIDUnused: 产品 ID 通常以 bundle ID 开头。其他 bundle ID 的凭证会被拒绝，因此那里的拼写错误会使一切被拒绝。
    leewayBeyondBound: 无论策略怎么写，付费期结束后的访问都不会超过周期的十分之一。
    limitNeverReached: 两个限制中较长的一个没有作用；其中之一多半不是本意。
    matchWindowTooShort: 付款来得较晚但仍在订单等待期内时，会找不到订单；订单虽已付款，也会被放弃。
    openInUTC: 日期指所在文件的 time_zone 的零点，默认是 UTC，八小时的差别在日期里看不出来。在文件中写明 time_zone（即使是 UTC）后，这条说明不再出现。
    levelsAgainstPrices: 级别从高到低排列。这里同一时长的所有价格都表明另一种顺序，升级会被当作降级；价格彼此矛盾，或更贵的给予更少时，提示的是价格。
    sameLevelGivesLess: 同一级别的产品只在时长上不同，换购的人会失去权益。不比较已停售的产品。
    priceAgainstPeriod: 只有时长不同的产品，较长的应当更贵，但不比反复购买较短的更贵。不比较已停售的产品。
    priceAgainstUnits: 同一种点数，多的应当比少的贵；否则没有人会买小包。
    refundsEverything: 没有 when 的规则匹配一切：无论用了多少，请求者都会拿回全款。
    dateFarOff: 年份写错一位数字时也是如此。它取决于检查的日期。
    nearDuplicateName: 它们只在大小写、点、连字符或下划线上不同。名称逐字节比较，因此是两样东西。
    levelsCostTheSame: 没有人会买较低的级别。比较的是同一时长、同一货币的价格；不比较已停售的产品。
    freeGivesSold: 免费订阅人人可得，所以没有人需要为它给予的权益付款。
    productionRefused: 用户的购买属于 production 环境。测试购买不花钱。
    accountWithoutStar: 没有星号时与账号的整个名称比较。以连字符结尾的文本或单独的域名只是名称的一部分。
    ageBeginsAgain: state_age 从每个状态开始时计算，因此宽限期和扣款重试各有完整的时长。unpaid_for 从付费结束时算起，贯穿两者。
    priceZero: 只有类型为 free 的 Newsstand 订阅是免费的；这个产品的订单不会收取任何款项。
    unknownStep: 步骤只能是固定列表中的句子，这样通过的用例才确实说明了它看上去所说的内容。
    stepEndsEarly: 步骤只能是固定列表中的句子；此句的开头与其中一句相同。
    stepBeforeLast: 步骤从前往后执行，时间不会倒退。
    unknownStoryName: 步骤所说的内容必须已在更早的步骤中购买或创建。
    storyWithoutExpectation: 没有期望的用例不可能失败，因此什么也没有检验。
    expectationFailed: 策略的答复与用例所说不符。
    stepFailed: 服务或商店不会做此步骤所说的事。
    noStory: 没有用例的测试无论策略怎样都会通过。
    # Help
    didYouMean: 是不是想写 {0}？
    didYouMeanEither: 是不是想写其中之一：{0}？
    oneOf: 可以写：{0}
    write: 请写成 {0}
    writeEither: 请写成其中之一：{0}
    likeEither: 请写成其中之一：{0}
    writtenLike: 正确的写法：{0}
    # RelatedNote
    firstWritten: 第一次出现在
    alsoHere: 另一处在
    stoppedHere: 读取止于
    sectionBegan: 所在的节开始于
    definedHere: 其定义在
    # Severity
    error: 错误
    warning: 警告
    note: 说明
    # PolicyLoss.Kind
    environment: 拒绝 {0} 环境的凭证
    root: 不再信任 {0} 的根证书 {1}
    deniedKey: 拒绝用密钥 {0} 签署的凭证
    signedAge: 凭证签署的时限比以前更短
    app: app 中的 {0} 已改变
    list: 列表 {0} 不再有任何规则
    rule: 列表 {0} 少了规则 {1}
    open: {0} 不再开放 {1}，或时间缩短
    product: 产品 {0} 已不存在
    productKind: 产品 {0} 的类型已改变
    grant: 产品 {0} 不再给予 {1}
    terms: 产品 {0} 给予的变少：{1}
    credit: 点数 {0} 已不存在
    leeway: 宽限（leeway）变短：{0}，原为 {1}
    cell: {0} 给予 {1} 的情形可能变少，状态为 {2}
    # WrittenForm
    singleValue: 单个值
    list: 一个列表
    section: 一组键和值
    trueOrFalse: true 或 false
    wholeNumber: 一个整数
    amount: 一个金额
    listOfValues: 由单个值组成的列表
    listInList: 列表中的列表
    sectionInList: 列表中的一组键和值
    # CheckPhrase
    help: 建议
    oneError: 1 个错误
    errors: {0} 个错误
    oneWarning: 1 个警告
    warnings: {0} 个警告
    unchanged: 正在运行的策略没有改变
    replaced: 此策略已生效
    moreLikeIt: 另有 {0} 处相同
    andMore: {0}，另有 {1} 个
    filesRead: 已读取的文件
    filesIgnored: 已忽略的文件
    products: 产品
    rules: 规则
    none: 无
    labelled: {0}：{1}
    choiceSeparator: 、
    listSeparator: ，
    waive: 如果本意如此，请在同一节中写：expect-warning: {id: {0}, because: …}
    waiveInFile: 如果本意如此，请在文件最外层写：expect-warning: {id: {0}, because: …}
    clauseSeparator: ；
    schemaTitle: usher 策略文件
    example: 例如 {0}
    expected: 预期的警告
    repairedLine: 第 {0} 行改正后（--fix --write 会这样改）：{1}
    removedLine: --fix --write 会删去第 {0} 行
    # FieldMeaning
    version: 策略格式的版本：1。
    app: 所售应用。
    trust: 用于验证 Apple 签名的根证书。
    environments: 接受哪些环境的凭证；凭证给予什么权益由 access 规则决定。
    leeway: 付费到期后、续订在途期间仍可使用的时长，最多为周期的十分之一；缺省 1h。
    claimsFrom: 这一天之前购买的消耗型产品和限时产品已由先前的后端交付：对它们的认领由人工决定。缺省为没有先前的后端。
    entitlements: 产品给予的权益，按名称。
    credits: 可计数、可花费的点数（例如金币），按名称。
    groups: 订阅组，按名称；同一组内每位用户最多持有一个产品。
    products: 所售产品，名称为 App Store Connect 中的产品 ID。
    access: 由状态到权益的规则：由第一条匹配的规则决定。
    accountSwitch: 另一个账号出示同一笔购买时如何处理：由第一条匹配的规则决定。
    refundAnswers: 用户向 Apple 申请退款时如何答复 Apple：由第一条匹配的规则决定。
    duplicateSubscriptions: 同一账号用两个 Apple ID 重复订阅时如何处理。
    orders: 应用自己的订单。
    bundleID: 应用的 Bundle ID，与 App Store Connect 一致。
    appleID: 应用的 Apple ID（App Store Connect 的“App 信息”里的数字）；生产环境必填。
    newsstand: 应用是否提供报刊杂志免费订阅（kind 为 free 的产品）。
    accountToken: 购买中的 appAccountToken 如何对应账号：经由生成它的订单，或本身就是账号 ID；缺省 from-order。
    roots: 证书链允许终止于哪些根证书。
    maxSignedAge: 签名早于这个时长的凭证被拒绝；缺省不限。
    deniedKeys: 已泄露的签名密钥，以公钥的 SHA-256 表示（usher inspect 会打印）：用其签署的凭证被拒绝；此前已记录的不受影响。
    jwsRoots: 用于 StoreKit 2 交易与通知的根证书。
    receiptRoots: 用于应用收据的根证书。
    rootEnvironments: 这个根证书适用的环境；缺省为全部。
    rootFile: 策略文件夹中的证书文件（PEM 或 DER）。
    rootFingerprint: 证书（DER）的 SHA-256，64 位十六进制。
    environmentTrust: 是否记录该环境的凭证；缺省 refused（拒绝）。
    title: 英文名称。
    chineseTitle: 中文名称。
    onRefund: 退款时如何收回：全部收回、可为负（debt）；收回剩余（floor）；全部收回并停止花费（freeze）；不收回（ignore）。缺省 debt。
    levels: 服务级别，从高到低。
    duplicateScope: 怎样算重复：同一订阅组（group）或同一权益（entitlement）；缺省 group。
    beforeSecondPurchase: 用户重复付费之前如何答复应用；缺省 warn。
    keptSubscription: 建议保留哪一个；缺省 longest-paid。
    payWithin: 超过这个时长未付款的订单视为放弃；缺省 30m。
    matchWindow: 没有令牌时，订单与付款相隔多久仍可匹配；缺省 24h。
    latePayment: 订单放弃之后才到的付款如何处理；缺省 deliver。
    productKind: 产品在 App Store Connect 中的类型。
    productGroup: 自动续订订阅所属的订阅组。
    productLevel: 在订阅组内的级别。
    period: 自动续订订阅每期的时长：1w、1mo、1y。
    duration: 非续订订阅一次购买的时长。
    stacking: 多次购买非续订订阅时如何计时：依次顺延（extend）、各自起算（overlap）、新的终止旧的（replace）；缺省 extend。
    stack: 同名 stack 的产品依次顺延。
    price: 按货币（ISO 4217）的价格，用于报表与订单匹配。
    grants: 购买给予什么：权益名称，或点数。
    retired: 从这一天起不再接受新订单；已购者保留权益。
    grantedCredit: 给予的点数。
    units: 一次购买给予多少。
    grantedEntitlement: 给予的权益。
    lasting: 消耗型产品给予该权益的时长，从购买起算。
    effect: 是否可以使用。
    only: 规则只涉及这些权益；缺省为全部。
    verb: 之后由谁持有。
    sharingAccounts: 最多由几个账号共享。
    limits: 转移次数的限制。
    ruleName: 用一句话说明规则；每个答复都会显示。
    condition: 所有字段都须成立；列表中任意一项即可。缺省为总是成立。
    exception: 以下全部成立时，规则不适用。
    cooldown: 两次转移之间须间隔的时长。
    moves: 一段时间内最多转移几次：3 per 365d。
    excess: 超出限制的认领如何处理：保持不变（keep），或等待人工裁定（ask）；缺省 keep。
    refundAnswer: 向 Apple 表示倾向于哪种决定：全额退款（grant）、退还未使用的部分（prorate）、不退款（decline）；或不作答复（nothing）。
    acceptedPolicy: 此文件夹所替换的策略的摘要。
    acceptanceReason: 原因。
    accountsAtMost: 最多允许多少个账号失去权益。
    timeZone: 本文件中日期所用的时区，IANA 名称，例如 Asia/Shanghai。默认：UTC。带时间的日期自带时区。
    open: 限时向所有人开放的权益，没有任何记录的账号也包括在内；账号被停用时仍不给予。
    openEntitlements: 开放的权益。
    openWindow: 开放的时间：from 日期 until 日期。
    expectedWarning: 本意如此的警告，写在它所在的节中：{id: …, because: …}。
    expectedID: 警告的标识。
    expectedReason: 为什么本意如此。
    # RepairPhrase
    choice: 一种可能的改法：{0}
    oneRepair: 1 处修改
    repairs: {0} 处修改
    lineEnds: {0}：以 CRLF 或 CR 而非 LF 结尾的行：{1}（共 {2} 行）
    notWritten: {0}；加上 --write 才会写入文件
    written: {0}，已写入文件
    nothing: 没有哪一处恰好只有一种改法；文件未改动
    left: 需要您自己决定的：
    """)
