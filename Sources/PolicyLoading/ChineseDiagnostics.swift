/// What is said of diagnostics, in Chinese.
let chineseDiagnostics = """
    # DiagnosticText
    empty-folder: 这里没有策略文件
    empty-folder.help: 策略是一个文件夹，内有以 .yaml 结尾的文件
    empty-folder.why: 没有策略文件的文件夹并不等于没有规则的策略：多半是路径写错了，或者部署出了问题。
    folder-missing: 无法打开策略文件夹 {0}
    folder-missing.help: 请检查路径和读取权限
    folder-missing.why: 路径不存在，不是文件夹，或者没有读取权限。
    path-unreadable: 无法读取这个文件
    path-unreadable.help: 请检查读取权限；如果是链接，请检查其指向
    path-unreadable.why: 策略是整个文件夹。读不了的文件里可能有收紧其他规则的规则，因此其余文件也不单独采用。
    path-not-a-file: 这不是普通文件
    path-not-a-file.help: 请把策略放在普通文件里
    path-not-a-file.why: 名字像策略文件的管道、套接字、设备和文件夹一律不读就拒绝：读取它们可能会永远等下去。
    path-outside: 链接指向策略文件夹之外
    path-outside.help: 请把文件复制到文件夹内
    path-outside.why: 审阅过、计算过摘要的内容必须就是加载的内容。文件夹之内的链接可以使用，指向外面的链接会被拒绝。
    file-too-large: 文件超过 {0} 字节
    file-too-large.help: 请拆分成多个文件
    file-too-large.why: 没有人会手工编辑这么大的文件；它多半不是策略。
    too-many-files: 文件夹超过 {0} 个文件或 {1} 字节
    too-many-files.help: 请确认这是策略文件夹
    too-many-files.why: 多半是路径写错了，指向了放有许多其他文件的文件夹。
    not-utf8: 文件不是 UTF-8 文本
    not-utf8.help: 请先用能正确显示的编码（中文通常是 GB18030）打开，再存为 UTF-8
    not-utf8.why: 其他编码（GBK、UTF-16、Latin-1）会把同样的字节读成别的名称。
    byte-order-mark: 文件以字节顺序标记（BOM）开头
    byte-order-mark.help: 请保存为不带 BOM 的 UTF-8
    byte-order-mark.why: 有些编辑器会在开头写入这个看不见的字符；其他工具会把它当成第一个键的一部分。
    control-character: 文本含有控制字符 {0}
    control-character.help: 请删除它
    control-character.why: 控制字符（包括零字节）看不见，对某些程序意味着文本结束，还可能扰乱终端。
    invisible-character: 文本含有不可见字符 {0}：共 {1} 个，在第 {2} 行
    invisible-character.help: 请逐个删除，或换成普通空格；缩进中的也要改
    invisible-character.why: 零宽空格、改变文字方向的标记等字符，会使两个名称看起来相同，或使一行读起来与实际不同。
    ideographic-space: 文本含有全角空格
    ideographic-space.help: 请改用半角空格
    ideographic-space.why: 全角空格看上去像普通空格，但在 YAML 中不能分隔词语。
    tab: 文本含有制表符（Tab）
    tab.help: 请使用空格，让同一节的键从同一列开始
    tab.why: YAML 不允许行首使用制表符，而且各个编辑器显示的宽度也不同。
    empty-file: 文件是空的
    empty-file.help: 请删除文件，或写入内容
    empty-file.why: 没有内容或只有注释的文件，多半是保存时被截断了。
    yaml-syntax: 从这里起不是有效的 YAML
    yaml-syntax.help: 请检查引号、括号、冒号和缩进
    yaml-syntax.why: 文件在这个地方不是 YAML。
    bad-indentation: 这一行与前面的行没有对齐
    bad-indentation.help: 同一节的键要从同一列开始；列表项以“- ”开头
    bad-indentation.why: 在 YAML 中，缩进说明什么属于什么。
    unclosed-quote: 这里的引号没有闭合，或其后还有文字
    unclosed-quote.help: 请在同一行闭合引号
    unclosed-quote.why: 引号没有闭合，后面的一切都会被当成文本。
    unclosed-bracket: 这里的括号没有闭合，或其中缺少逗号
    unclosed-bracket.help: 请闭合括号，并用逗号分隔
    unclosed-bracket.why: 在“[ ]”和“{ }”中用逗号分隔，并用同一种括号闭合。
    colon-in-text: 文本中间有冒号
    colon-in-text.help: 请给文本加上引号
    colon-in-text.why: 冒号加空格用来分隔键和值，所以含有它们的文本要加引号。
    missing-colon: 这里后面缺少冒号
    missing-colon.help: 请在其内容之前写“键:”；如果这是注释，请在前面写“# ”
    missing-colon.why: 下面缩进的内容属于这一行，所以这一行必须是键。
    missing-space: {0} 里缺少空格
    missing-space.help: 请写成“键: 值”
    missing-space.why: 没有空格，YAML 会把冒号当成文本的一部分。
    merge-conflict: 这是未解决的合并冲突留下的标记
    merge-conflict.help: 请保留两个版本中的一个，并删去“<<<<<<<”“=======”和“>>>>>>>”所在的行
    merge-conflict.why: 标记之间的内容同时给出了两种说法。
    reserved-character: 文本不能以这个字符开头
    reserved-character.help: 请给文本加上引号
    reserved-character.why: “@”“`”和“%”由 YAML 保留。
    full-width-punctuation: 此处用了全角字符
    full-width-punctuation.help: 请改用半角的“:”（后面加空格）、“,”或英文引号
    full-width-punctuation.why: YAML 只认识 ASCII 符号；“：”对它来说是文本的一部分。
    several-documents: 这里开始了第二个文档
    several-documents.help: 请删去“---”这一行
    several-documents.why: 只读取一个文档的工具会丢掉第一个“---”之后的一切。
    yaml-directive: 策略中不能使用 YAML 指令（%）
    yaml-directive.help: 请删去以“%”开头的行
    yaml-directive.why: 指令会改变其余内容的读法。策略不需要它们。
    anchor: 策略中不能使用锚点（&）
    anchor.help: 请删去；如果文本本身以“&”开头，请加引号
    anchor.why: 锚点会让一行表示写在别处的内容，几百字节就能展开成几个 GB。策略的内容都写在它所在的地方。
    alias: 策略中不能使用别名（*）
    alias.help: 请写出完整的值；以“*”开头的产品模式要加引号
    alias.why: 别名重复锚点标记的内容（见 anchor）。同样的原因，以“*”开头的模式要加引号。
    tag: 策略中不能使用标签（!）
    tag.help: 请删去；如果文本本身以“!”开头，请加引号
    tag.why: 标签会改变值的类型，在某些工具中甚至会运行代码。
    merge-key: 策略中不能使用合并键（<<）
    merge-key.help: 请写出各个键
    merge-key.why: 合并会掩盖以哪个值为准。策略没有继承。
    duplicate-key: 键 {0} 在同一节里写了两次
    duplicate-key.help: 请只保留一个，或把两处的内容合并到其中一个之下；列表中的一项以“- ”开头
    duplicate-key.why: 多数 YAML 工具取最后一个，不作声地丢掉第一个。
    key-not-text: 键必须是单个词
    key-not-text.help: 请写成“键: 值”；以“{”或“[”开头的文本要加引号
    key-not-text.why: YAML 允许用列表和节作键，但没有人能引用这样的键。
    text-over-lines: 文本跨越了多行
    text-over-lines.help: 请写在一行之内
    text-over-lines.why: 换行如何连接取决于容易看错的小符号；缩进过深的一行会悄悄变成文本的一部分。
    too-deep: 嵌套超过 {0} 层
    too-deep.help: 请检查括号
    too-deep.why: 没有策略需要这么深；过深的嵌套是用来耗尽读取者的。
    text-read-as-boolean: 不加引号的 {0} 会被许多工具读作“是/否”
    text-read-as-boolean.help: 请加上引号
    text-read-as-boolean.why: 旧版 YAML 把 y、n、yes、no、on、off、true 和 false 读成真假值：挪威的国家代码会变成“false”。
    text-read-as-number: 不加引号的 {0} 是数字
    text-read-as-number.help: 请加上引号
    text-read-as-number.why: 被读成数字的名称会变样：1e3 变成 1000，0o14 变成 12，12:30 变成 750。
    text-read-as-date: 不加引号的 {0} 是日期
    text-read-as-date.help: 请加上引号
    text-read-as-date.why: 被读成日期的名称，再写出来就不是原来的样子了。
    text-read-as-nothing: 不加引号的 {0} 表示空值
    text-read-as-nothing.help: 请加上引号
    text-read-as-nothing.why: YAML 把“~”和“null”读成没有值。
    mixed-scripts: {0} 混用了外形相似的不同文字的字母
    mixed-scripts.help: 请用同一种键盘重新输入
    mixed-scripts.why: 西里尔字母“а”和拉丁字母“a”看起来一样，却是不同的名称。
    name-not-ascii: 名称 {0} 含有英文字母、数字和标点以外的字符
    name-not-ascii.help: 名称请用英文字母、数字、“-”“_”“.”；中文写在 title_zh 里
    name-not-ascii.why: 名称逐字节比较，并会经过许多程序；给人看的是标题。
    bad-name: {0} 不能作为名称
    bad-name.help: 1 到 {1} 个英文字母、数字或符号，不含空格和“*”
    bad-name.why: 名称会出现在程序、地址和日志中；“*”在规则中代表任意名称。
    bad-text: {0} 的文本为空或过长
    bad-text.help: 请写一行，最多 400 字节
    bad-text.why: 标题和规则名称是给人看的。
    star-in-account: 账号 {0} 的“*”不在末尾
    star-in-account.help: {1} 表示以“*”之前的文字开头的账号；其他账号请逐个列出
    star-in-account.why: 只匹配账号名开头的模式一眼就能看懂；其他模式会出人意料。
    unknown-storefront: {0} 不是国家或地区代码
    unknown-storefront.help: 请写 ISO 3166 代码，例如 CN 或 CHN
    unknown-storefront.why: 地区不存在时，关于它的规则永远不会匹配。
    unknown-currency: {0} 不是货币代码
    unknown-currency.help: 请写 ISO 4217 代码，例如 CNY
    unknown-currency.why: Apple 用货币代码标明价格；用别的名称永远找不到。
    not-sections: 策略文件由若干节组成
    not-sections.help: 请写成各节，例如“products:”
    not-sections.why: 策略的每一行都属于一个有名称的节。
    missing-version: 缺少格式版本
    missing-version.help: 请在首行写“usher: 1”
    missing-version.why: 有了版本号，以后的程序才能按原来的意思读取旧策略。
    unknown-version: 不认识的格式版本 {0}
    unknown-version.help: 本程序支持版本 {1}；请升级程序，或写“usher: {1}”
    unknown-version.why: 更新格式的策略可能有别的含义；宁可拒绝，也不猜测。
    unknown-section: 未知的节 {0}
    unknown-section.help: 请删去，或改正名称
    unknown-section.why: 不会被读取的节没有任何作用。
    unknown-key: {1} 中没有 {0} 这个键
    unknown-key.help: 请删去，或改正名称
    unknown-key.why: 不会被读取的键没有任何作用。
    field-not-here: {0} 不能用于这里的 {1}
    field-not-here.help: access 规则用于状态，account_switch 规则用于认领，refund_answers 规则用于购买
    field-not-here.why: 权益规则在购买的每个时刻都会判断，那时并没有认领；账号切换规则只在认领时判断，与状态无关。
    secret-in-policy: 策略中不应有 {0} 之类的机密
    secret-in-policy.help: 请删去并更换该机密；密钥应放在服务的配置里
    secret-in-policy.why: 策略会被展示、比较，并永久保存。
    missing-section: 缺少 {0} 一节
    missing-section.help: 请在其中一个文件里写上
    missing-section.why: 没有它，任何购买都无法验证。
    missing-key: {1} 中缺少 {0}
    missing-key.help: 请写上 {0} 及其值
    missing-key.why: 它代表的内容没有适合所有人的默认值。
    missing-choice: {1} 的每一项需要 {0} 之一
    missing-choice.help: 请写上其中之一
    missing-choice.why: 这一项没有说明它是关于什么的。
    duplicate-name: {0} 在 {1} 中定义了两次
    duplicate-name.help: 请保留其中一个
    duplicate-name.why: 文件的先后没有意义，所以两者谁也不能胜出。
    split-section: {0} 一节出现在两个文件中
    split-section.help: 请保留其中一处，并删去另一处
    split-section.why: 属于一起的设置要放在一起读取。
    split-list: {0} 的规则分散在两个文件中
    split-list.help: 请把它们放在同一个文件里，例外在前（第一条匹配的规则起决定作用），并删去另一个列表
    split-list.why: 第一条匹配的规则起决定作用，而文件之间没有先后。
    wrong-list: {0} 下面的规则属于 {1}
    wrong-list.help: 请把 {0} 改成 {1}
    wrong-list.why: 每个规则列表都有自己的动词和条件：access 说明购买给予什么，account_switch 说明购买属于谁，\
    refund_answers 说明如何答复 Apple。
    wrong-type: {0} 应为{1}，这里却是{2}
    wrong-type.help: 列表写作 [a, b]，键和值写作“键: 值”
    wrong-type.why: 值的形式与键所要求的不同。
    not-indented: {0} 属于 {1}，却与它从同一列开始
    not-indented.help: 请在属于 {1} 的每个键前面多加两个空格
    not-indented.why: 属于某个名称的内容要比该名称更靠右，否则这些键会被当成其他名称。
    empty-value: {0} 后面没有内容
    empty-value.help: 请写上值，或删去这个键；以“#”开头的文本要加引号
    empty-value.why: 看不出是不是漏写了什么。
    empty-list: {0} 的列表是空的
    empty-list.help: 请写上要匹配的内容；要匹配全部则删去这个键
    empty-list.why: 列表为空的条件永远不成立。
    repeated-value: {0} 在 {1} 中出现了两次
    repeated-value.help: 请删去一个，或改成想写的内容
    repeated-value.why: 本来多半想写的是别的值。
    unknown-word: {1} 没有 {0} 这个值
    unknown-word.help: 请写允许的值
    unknown-word.why: 这个键只接受几个固定的词。
    not-true-or-false: {1} 只能是 true 或 false，不能是 {0}
    not-true-or-false.help: 请写 true 或 false
    not-true-or-false.why: “是”和“否”各只有一种写法，在所有工具中都相同。
    not-whole-number: {1} 必须是整数，不能是 {0}
    not-whole-number.help: 请只写数字，不加引号
    not-whole-number.why: 只有普通数字对所有读者意思相同。
    number-notation: {0} 的数字写法在不同工具中读法不同
    number-notation.help: 请只写普通数字
    number-notation.why: 1_000、0o14、0x1F、1e3 和 12:30:45 在有些 YAML 工具中是数字，在另一些中是文本。
    number-out-of-range: {1} 不能是 {0}
    number-out-of-range.help: 请写 {2} 到 {3} 之间的数
    number-out-of-range.why: 这个数太小或太大，没有意义。
    bad-amount: {0} 不是金额
    bad-amount.help: 请写数字，小数点后最多三位：9.99
    bad-amount.why: 金额精确比较到千分之一。
    decimal-comma: {0} 中有逗号，而这里的数字不用逗号
    decimal-comma.help: 小数部分之前用点，千位之间不加任何符号：1234.50
    decimal-comma.why: 逗号用来分隔列表项；有人用它表示小数，有人用它分隔千位。
    bad-length: {0} 不是时长
    bad-length.help: 请写数字加单位，中间不留空格：30m（分钟）、12h、7d、2w、3mo（月）、1y；更短的用 s 和 ms
    bad-length.why: 30 可能是分钟，也可能是天；时长要有单位。
    calendar-unit: {0} 的长度不固定，而 {1} 需要固定时长
    calendar-unit.help: 请用天（d）或周（w）来写
    calendar-unit.why: 一个月有 28 到 31 天。月和年用于产品的周期和时长，它们按日历计算。
    zero-length: {1} 不能是 {0}，因为时长为零
    zero-length.help: 请写更长的时间，或删去这个键
    zero-length.why: 长度为零的时长，作用与人们想的不一样。
    length-too-long: {0} 超过十年
    length-too-long.help: 最多写 10y
    length-too-long.why: 没有卖出的东西会持续这么久；这是会给出终身权益的笔误。永久的权益请用非消耗型产品。
    promise-too-long: 承诺 {0} 太长
    promise-too-long.help: 最多写 {1}
    promise-too-long.why: 需要他人批准或银行确认的购买，要么在 30 天内完成，要么不再完成；其他情况不应受旧的产品目录约束。
    bad-date: {0} 不是日期
    bad-date.help: 请写年-月-日：2026-01-31，或加上时间：2026-01-31T08:00:00Z
    bad-date.why: 这一天不存在，或者其写法在不同国家读法不同。
    date-out-of-range: {0} 不在 2008 年到 2100 年之间
    date-out-of-range.help: 请检查年份
    date-out-of-range.why: App Store 于 2008 年开张；在此范围之外的日期是笔误。
    bad-age: {0} 不是“处于某状态多久”的写法
    bad-age.help: 请写“under 7d”“at least 7d”或“from 7d to 14d”
    bad-age.why: 时间长短与用词语表示的界限比较。
    bad-count: {0} 不是席位数的写法
    bad-count.help: 请写“under 5”“at least 5”或“5”，数字为 1 到 10,000,000
    bad-count.why: 数量与用词语表示的界限比较。
    bad-date-bound: {0} 不是 {1} 的时间界限
    bad-date-bound.help: 请写“before 2026-01-31”“from 2026-01-31”或“from 2026-01-31 until 2026-03-01”
    bad-date-bound.why: 日期与用词语表示的界限比较。
    bad-version-bound: {0} 不是 {1} 的版本界限
    bad-version-bound.help: 请写“before 3.0”“from 3.0”或“from 2.0 until 3.0”，只用数字和点
    bad-version-bound.why: 版本逐段按数字比较：10 在 9 之后，3.0 就是 3。
    empty-interval: {0} 之内什么也没有：结束不晚于开始
    empty-interval.help: 请把较早的一端写在前面
    empty-interval.why: 区间从开始起成立，到结束之前为止。
    open-without-end: {0} 缺少开始或结束
    open-without-end.help: 请两端都写：from 2026-12-05 until 2026-12-07
    open-without-end.why: 开放的权益属于所有人；没有结束，就再也没有人需要为它付费。
    unknown-time-zone: {0} 不是时区名称
    unknown-time-zone.help: 请写 IANA 时区名称，例如 Asia/Shanghai
    unknown-time-zone.why: CST 之类的缩写可以指多个时区，因此只接受 IANA 名称。
    unused-time-zone: time_zone 没有作用：本文件中没有日期
    unused-time-zone.help: 请移到含有相应日期的文件，或删去
    unused-time-zone.why: 文件的时区只作用于该文件中的日期；其他文件的日期用各自的时区或 UTC。
    opposite-bounds: {0} 的界限中总有一个成立，而列表中任意一项成立即可
    opposite-bounds.help: 请写成区间：from 2026-03-01 until 2026-06-01
    opposite-bounds.why: 列表中的两个界限并不表示其间的时段：任何时间不是晚于前者就是早于后者。
    bad-moves: {0} 不是转移次数的限制
    bad-moves.help: 请写成“3 per 365d”
    bad-moves.why: 限制说明一段时间内可以转移多少次。
    bad-bundle-id: {0} 不是 Bundle ID
    bad-bundle-id.help: 请从 App Store Connect 复制：com.example.reader
    bad-bundle-id.why: 其他应用的凭证会被拒绝，因此 bundle id 必须准确。
    apple-id-required: 信任生产环境，但 app 没有写 apple_id
    apple-id-required.help: 请从 App Store Connect 的“App 信息”复制“Apple ID”数字
    apple-id-required.why: Apple 的生产环境凭证还用这个数字标明应用，两者必须一致。
    nothing-trusted: 没有信任任何环境
    nothing-trusted.help: 请写“production: trusted”
    nothing-trusted.why: 提交的所有凭证都会被拒绝。
    unknown-root: 未知的根证书 {0}
    unknown-root.help: 请写“apple-root-ca-g3”或“apple-inc-root”，或者指纹、文件
    unknown-root.why: Apple 以外的根证书要用指纹或文件给出。
    bad-fingerprint: {0} 不是指纹
    bad-fingerprint.help: 请写 SHA-256（64 位 0-9、a-f，不带冒号），或把证书放进文件夹并写文件名：{file: root.pem}
    bad-fingerprint.why: 被截断或含有其他字符的指纹不会与任何证书或密钥相符。
    root-in-wrong-list: {0} 用于 {1}，而不是 {2}
    root-in-wrong-list.help: 请移到 {1}
    root-in-wrong-list.why: Apple 用 Apple Root CA - G3 签署 JWS，用 Apple Inc. Root 签署收据；\
    放在另一个列表里的根证书不起作用。
    no-root: 信任 {0} 环境，但没有根证书可为它作保
    no-root.help: 请在 trust 的 roots 中写“jws: [apple-root-ca-g3]”
    no-root.why: 没有根证书，那个环境的任何内容都无法验证。
    no-test-root: 信任 {0} 环境，但 trust 没有为它给出专用的根证书
    no-test-root.help: Apple 不为它签名；请给出证书文件：{file: xcode.pem}
    no-test-root.why: Xcode 和本地测试用自己的证书签名。没有证书就信任它们，等于信任所有人。
    unused-root: 这个根证书只用于 {0}，而该环境被拒绝
    unused-root.help: 请信任该环境，或删去这个根证书
    unused-root.why: 这个根证书不起作用。
    certificate-outside: 证书 {0} 在策略文件夹之外
    certificate-outside.help: 请复制到文件夹内，并写相对路径
    certificate-outside.why: 审阅过、计算过摘要的内容必须就是所信任的内容。
    missing-certificate: 策略文件夹中没有证书 {0}
    missing-certificate.help: 请放入文件夹，文件名以 .pem 或 .der 结尾
    missing-certificate.why: 找不到文件，或者文件的扩展名不同。
    not-a-certificate: {0} 不是单个 PEM 或 DER 证书
    not-a-certificate.help: 请只放根证书，从 BEGIN CERTIFICATE 到 END CERTIFICATE
    not-a-certificate.why: 文件为空、被截断、是一把密钥，或者含有整条证书链。
    certificate-unreadable: {0} 看起来像证书，但无法作为证书读取
    certificate-unreadable.help: 请重新导出根证书，须为 X.509 第 3 版
    certificate-unreadable.why: 文件只有证书的外形，内容却是别的：密钥、其他种类的证书，或已损坏的数据。没有证书链能终止于它，因此它名下的所有凭证都会被拒绝。
    unknown-entitlement: 没有名为 {0} 的权益
    unknown-entitlement.help: 请在 entitlements 中定义
    unknown-entitlement.why: 每个名称只在一处定义，这样笔误就不会造出新名称。
    unknown-credit: 没有名为 {0} 的点数
    unknown-credit.help: 请在 credits 中定义
    unknown-credit.why: 每个名称只在一处定义，这样笔误就不会造出新名称。
    unknown-group: 没有名为 {0} 的订阅组
    unknown-group.help: 请在 groups 中定义
    unknown-group.why: 每个名称只在一处定义，这样笔误就不会造出新名称。
    unknown-level: 没有订阅组有 {0} 这个级别
    unknown-level.help: 请写入其订阅组的 levels
    unknown-level.why: 级别不存在时，关于它的条件永远不成立。
    unknown-product: 没有名为 {0} 的产品
    unknown-product.help: 请在 products 中定义
    unknown-product.why: 产品不存在时，关于它的条件永远不成立。
    pattern-matches-nothing: 没有产品匹配 {0}
    pattern-matches-nothing.help: 请对照 products 中的名称
    pattern-matches-nothing.why: 以现在的产品目录，这个条件永远不成立。
    level-not-in-group: {0} 不是 {1} 的级别
    level-not-in-group.help: 请写该订阅组的一个级别
    level-not-in-group.why: 级别属于订阅组；组内的顺序说明哪个更高。
    group-without-levels: 订阅组 {0} 没有级别
    group-without-levels.help: 请至少写一个
    group-without-levels.why: 升级和降级由级别的顺序决定，与 App Store Connect 相同。
    duplicate-level: {1} 的级别中 {0} 出现了两次
    duplicate-level.help: 请只保留一个；级别从高到低书写
    duplicate-level.why: 级别从高到低书写；同一个级别不能有两个名次。
    chinese-title-alone: {0} 只有中文名称，没有英文名称
    chinese-title-alone.help: 请也写上 title
    chinese-title-alone.why: 没有其他语言的标题时，大家看到的都是英文标题。
    grants-nothing: {0} 不给购买者任何权益
    grants-nothing.help: 请在 grants 中写上给予的权益
    grants-nothing.why: 会有人付了钱却什么也得不到。
    given-by-nothing: 没有产品给予 {0}
    given-by-nothing.help: 请把 {0} 加入每个应给予它的产品的 grants，或删去这一行
    given-by-nothing.why: 没有人能买到它，只能由人工授予。
    unused-group: 订阅组 {0} 中没有产品
    unused-group.help: 请用于某个产品，或删去
    unused-group.why: 这个订阅组没有任何作用。
    not-for-kind: {0} 不适用于 {1} 类产品
    not-for-kind.help: 请删去，或把产品的 kind 改为 {2}
    not-for-kind.why: 这个键对这种产品不起作用。
    missing-for-kind: {0} 类产品需要 {1}
    missing-for-kind.help: 请写上，例如 1mo 或 1y
    missing-for-kind.why: 订阅何时续订由 Apple 说明；非续订的购买持续多久只有策略知道。
    unusual-period: Apple 没有周期为 {0} 的订阅
    unusual-period.help: 可以写：1w、1mo、2mo、3mo、6mo、1y
    unusual-period.why: 周期会与 Apple 签名的凭证比较。
    subscription-without-group: 订阅产品 {0} 不属于任何订阅组
    subscription-without-group.help: 请写上它在 Apple 所属的 group
    subscription-without-group.why: 没有订阅组，就看不出一个账号为同组的两个产品付了钱，也看不出一次购买是升级。
    level-missing: {0} 没有写级别，而订阅组 {1} 有多个级别
    level-missing.help: 请写 level，可以是：{2}
    level-missing.why: 没有级别，谁也分不清升级和降级。
    level-without-group: 写了级别，却没有写订阅组
    level-without-group.help: 请也写上 group
    level-without-group.why: 级别属于订阅组。
    stacking-differs: 同一 stack {0} 的产品不一致：这里是 {1}，另一处是 {2}
    stacking-differs.help: 请给它们写相同的 stacking
    stacking-differs.why: 同一组叠加的购买要一起排列。
    free-without-newsstand: free 类产品只用于报刊杂志应用
    free-without-newsstand.help: 请在 app 中写“newsstand: true”
    free-without-newsstand.why: Apple 只在报刊杂志（Newsstand）应用中提供免费订阅；在别处，它会无偿给出权益。
    price-of-free: 免费产品写了价格
    price-of-free.help: 请删去价格，或修改 kind
    price-of-free.why: “free”是报刊杂志的免费订阅，不收费。
    lasting-right: 消耗型产品会永久给予 {0}
    lasting-right.help: 请写明时长，最长 10y：{entitlement: {1}, for: 30d}
    lasting-right.why: 消耗型产品会用完。永久的应是非消耗型；限时的要写明多久。
    for-on-other-kind: for 不适用于 {0} 类产品
    for-on-other-kind.help: 请删去；产品的时长由其 kind 决定
    for-on-other-kind.why: 订阅持续到付费期满，非续订的购买持续“duration”那么久，非消耗型永久有效。
    credit-expires: 用 {0} 购买的点数会过期：{1}
    credit-expires.help: 请删去，或用 expect-warning 说明理由
    credit-expires.why: Apple 审核指南 3.1.1：通过应用内购买得到的点数不得过期。订阅按周期给予的点数不在此列。
    length-of-credit: 点数没有 {0}
    length-of-credit.help: 请写 expires：剩余点数在多久之后过期
    length-of-credit.why: for 是权益的时长；点数一直可用，直到花完或过期。
    units-and-credits: {0} 同时写在 grants（units）和 credits 中
    units-and-credits.help: 订阅请只写在 credits 中，消耗型产品请只写在 grants 中
    units-and-credits.why: 无法确定两处是否都算。
    every-beyond-period: 分段 {0} 可能比周期 {1} 长
    every-beyond-period.help: 请写不超过周期的时长，或删去 every
    every-beyond-period.why: 一段是付费周期的一部分；一个月有 28 到 31 天。
    every-too-short: 分段 {0} 短于一天
    every-too-short.help: 请至少写 1d
    every-too-short.why: 每一段都是一次单独的给予。
    offer-gives-more: 优惠 {0} 下的 {1} 个多于通常的 {2} 个
    offer-gives-more.help: 请写不超过 {2} 的数
    offer-gives-more.why: under_offer 用于以优惠购买时给予较少的周期。
    credit-from-other-kind: {0} 类产品不能给予点数
    credit-from-other-kind.help: 请用消耗型产品给予，或写在订阅的 credits 中
    credit-from-other-kind.why: 点数每次购买只向一个账号发放一次；其他类型可以恢复和共享。
    credit-from-app: {0} 是点数，而应用本身只能给予权益
    credit-from-app.help: 请写权益名称，或用消耗型产品给予点数
    credit-from-app.why: 点数每次购买只向一个账号发放一次；应用可以由另一个账号出示。
    granted-twice: 产品两次给予 {0}
    granted-twice.help: 请保留其中一个
    granted-twice.why: 看不出两者是否都要算数。
    all-with-others: grants 要么是全部权益，要么是列表：此处不能写 {0}
    all-with-others.help: 请写 grants: all、grants: {all_except: [ads]}，或名称的列表
    all-with-others.why: 策略中的所有权益都已给予，包括以后定义的；点数只由消耗型产品给予。
    duplicate-rule-name: {1} 中有两条规则都叫 {0}
    duplicate-rule-name.help: 请给每条规则起不同的名字
    duplicate-rule-name.why: 名称会出现在每个答复和解释中，必须能说明是哪条规则。
    only-twice: 权益写了两处：only 和 when 中
    only-twice.help: 请保留 only
    only-twice.why: 两者意思相同；同时写上就不清楚以哪个为准。
    empty-unless: 空的 unless 会排除一切
    empty-unless.help: 请写上要排除的情况，或删去
    empty-unless.why: 空条件总是成立，因此这条规则永远不会生效。
    grants-always: 规则 {0} 没有 when，因此会永远授予一切
    grants-always.help: 请写明何时适用，例如 when: {state: grace}
    grants-always.why: 没有条件时，它在退款和到期之后也成立，对所有产品和所有账号都成立。
    withholds-everything: 按规则 {0}，任何产品都不给任何人任何权益
    withholds-everything.help: 请写明它不给予什么，例如 when: {state: billing-retry}
    withholds-everything.why: 它连已付费的也不给予，而且前面没有任何规则给予权益。
    environment-refused: 规则提到 {0}，但该环境的凭证被拒绝
    environment-refused.help: 请在 environments 中信任它，或在此删去
    environment-refused.why: 那个环境的购买从不记录，因此这条规则永远不会匹配。
    not-claimable: {0} 始终属于购买它的账号，account_switch 规则不能涉及它
    not-claimable.help: 请写可以转移的类型（auto-renewable、non-consumable、free），或删去整条规则：只删条件的话，它会适用于所有购买
    not-claimable.why: 消耗型只向一个账号发放一次；非续订的购买 Apple 不提供恢复。
    share-without-max: share 需要写 max
    share-without-max.help: 请写最多几个账号共享：max: 2
    share-without-max.why: 没有上限，一次付款就可能供所有人使用。
    max-without-share: max 不适用于 {0}
    max-without-share.help: 请删去，或写“then: share”
    max-without-share.why: 只有共享才会有多个持有者。
    limits-without-move: limits 不适用于 {0}
    limits-without-move.help: 请删去，或写“then: transfer”
    limits-without-move.why: 限制说明一笔购买可以转移多少次；keep、share、deny 和 inherit 不转移任何东西。
    else-without-limit: else 需要同时写 cooldown 或 moves
    else-without-limit.help: 请删去，或在旁边写一个限制：cooldown: 7d
    else-without-limit.why: 它说明超出限制的认领如何处理；没有限制就没有作用。
    inherit-token: inherit 只适用于 token 未指向任何账号的购买
    inherit-token.help: 请删去 token，或写“token: none”
    inherit-token.why: token 指向某个账号时，由它决定购买归谁，因此这条规则永远不会匹配。
    unreachable-rule: 规则 {0} 永远不会生效：它的所有情况都已由前面的 {1} 决定
    unreachable-rule.help: 请删去它，或移到 {1} 之前
    unreachable-rule.why: 第一条匹配的规则起决定作用。已对每一种情况证明：所列规则合起来以同样的结果覆盖了这条规则，而且每一条都不可缺少。示例就是这样一种情况。
    contradicting-rule: 规则 {0} 永远不会起作用：前面的 {1} 在同样的情况下作出了不同的决定
    contradicting-rule.help: 请把它移到 {1} 之前，或删去其中一条
    contradicting-rule.why: 第一条匹配的规则起决定作用。这条规则的每一种情况都已在它之前决定，而且其中有些结果不同：两者之一多半不是本意。示例是两者不一致的一种情况。
    exception-behind-rule: 规则 {0} 排得太晚：前面范围更广的 {1} 已对它的一般情形作出不同的决定
    exception-behind-rule.help: 请把它移到 {1} 之前
    exception-behind-rule.why: 第一条匹配的规则起决定作用。前面的规则没有这条规则所缺的条件，涉及的产品、权益或人更多，因此这条规则看来是它的例外；\
    但前面的规则从这条规则所涉及的状态一开始就先作了决定。例子就是这样的情形。
    never-matches: 规则 {0} 永远不会匹配：没有符合 {1} 的购买
    never-matches.help: 请修改或删去条件：{1}
    never-matches.why: 类型、组、级别和权益由产品决定；状态只属于有该状态的类型，到期原因只属于 expired，撤销类型只属于 revoked，任何状态都不会早于购买。\
    点数的发放不需要规则。所列的键互相排斥；去掉其中任何一个，规则就会匹配某种情况。
    grants-after-end: 规则 {0} 永远授予已到期或已撤销的购买
    grants-after-end.help: 请在 when 中写明到何时为止：state_age: under 30d 或 at: before 2027-01-01；或删去这些状态
    grants-after-end.why: 已证明：前面的规则、时长和日期都不会结束这条规则所给予的权益。
    sold-for-nothing: 按规则 {0}，购买 {1} 的人什么也得不到
    sold-for-nothing.help: 请用 only 写明不给予什么，或写更窄的 when；如果产品不再销售，请在产品处写 retired
    sold-for-nothing.why: 所问的是：没有任何规则提到的人在生产环境中、在策略的所有日期之后购买。该产品的全部权益都被策略的规则扣留。\
    写有 retired 的产品按停售前 31 天检查，只看写有日期的规则。
    transfer-without-limits: 按规则 {0}，一笔购买可以不受限制地反复转移
    transfer-without-limits.help: 请在旁边写：limits: {cooldown: 7d, moves: 3 per 365d}
    transfer-without-limits.why: 一次付款可能供许多人使用，谁需要谁就认领。
    test-purchases-for-all: 按规则 {0}，在 {1} 中不花钱的购买对所有账号都有效
    test-purchases-for-all.help: 请在 when 中写明对哪些账号有效：account: [apple-review, "qa-*"]（换成您的账号）
    test-purchases-for-all.why: 在测试环境中，任何人都可以不付款购买任何产品。没有规则时，这样的购买只对所在环境的提问有效；写明该环境的规则使它在生产环境中也有效。
    begins-late: 按规则 {0}，权益先失去，过后又恢复
    begins-late.help: 请写明给予多久：{1}: under 14d
    begins-late.why: 进入该状态时没有权益，一段时间之后规则又给予：多半是把 under 写成了 at least。如果另有规则在同一状态给予权益，则不提示。
    refunds-everything: 按规则 {0}，凡是到达这条规则的退款请求都建议 Apple 全额退款
    refunds-everything.help: 请写明适用范围，例如 when: {environment: sandbox}；\
    或写“then: prorate”或“then: nothing”
    refunds-everything.why: 没有 when 的规则匹配一切：无论用了多少，请求者都会拿回全款。
    date-far-off: {0} 要到 {1} 才起作用，距今三年以上
    date-far-off.help: 请核对年份
    date-far-off.why: 年份写错一位数字时也是如此。它取决于检查的日期。
    window-past: 规则 {0} 自 {1} 起已不再生效
    window-past.help: 请删去这条规则，或修改 at
    window-past.why: 这条规则只决定关于过去的提问。
    uncovered: {0} 中没有规则决定这种情况，由内置规则 {1} 决定
    uncovered.help: 如果不应如此，请写一条规则
    uncovered.why: 只在使用 --explain-defaults 时显示。内置规则排在策略自己的规则之后，对所有人都相同。
    unmapped-product: 有 {0} 的购买，但产品目录中没有它
    unmapped-product.help: 请把它加入 products；如果已不再销售，写上 retired
    unmapped-product.why: 只在给出账本（--ledger）时检查。购买了该产品的人得不到任何权益。
    file-not-read: 文件 {0} 没有被读取
    file-not-read.help: 请把文件名改为以 .yaml 结尾，或移出文件夹
    file-not-read.why: 策略文件的名称以 .yaml 结尾。
    waiver-not-needed: 这里预期有警告 {0}，但没有这个警告
    waiver-not-needed.help: 请删去它
    waiver-not-needed.why: 无缘无故预期的警告会掩盖下一个警告。取决于日期或账本的警告可以提前预期。
    level-against-price: {0} 的级别更高，价格 {1} 却低于 {2} 的 {3}
    level-against-price.help: 请给 {0} 写高于 {3} 的价格，或降低 {2} 的价格；或更正 levels 中的顺序（最好的在前）
    level-against-price.why: 级别从高到低排列。比较的是同一时长、同一货币的价格；不比较已停售的产品。
    level-gives-less: {0} 的级别高于 {2}，却不给予 {1}
    level-gives-less.help: 请把它加入 grants，或更正 levels 中的顺序（最好的在前）
    level-gives-less.why: 升级的人会失去权益。不比较已停售的产品。
    lost-hash: {0} 之后的 {1} 是注释
    lost-hash.help: 请给整段文本加上引号
    lost-hash.why: 在 YAML 中，空格之后的“#”是注释的开头，不属于文本。
    curly-quotes: {0} 的引号是文本的一部分
    curly-quotes.help: 请用直引号，或不用引号
    curly-quotes.why: YAML 只认直引号，因此用户会看到这些引号。
    minutes-for-months: {0} 是 {1} 分钟
    minutes-for-months.help: 如果指的是月，请写 {2}
    minutes-for-months.why: m 是分钟，mo 是月。
    price-decimals: {1} 的价格最多有 {2} 位小数，不能是 {0}
    price-decimals.help: 请写没有这些小数位的价格
    price-decimals.why: App Store 没有这样的价格（ISO 4217）。
    bundle-id-unused: 没有产品 ID 以 bundle ID {0} 开头；{1} 的开头不同
    bundle-id-unused.help: 请检查两者之中是否有拼写错误
    bundle-id-unused.why: 产品 ID 通常以 bundle ID 开头。其他 bundle ID 的凭证会被拒绝，因此那里的拼写错误会使一切被拒绝。
    leeway-beyond-bound: 宽限 {0} 超过了 {1} 周期（{2}）的十分之一
    leeway-beyond-bound.help: 请在文件的最外层写 leeway: {3} 或更短；更长的部分对 {1} 没有作用
    leeway-beyond-bound.why: 无论策略怎么写，付费期结束后的访问都不会超过周期的十分之一。
    limit-never-reached: 两次转移至少相隔 {2}，{1} 之内最多 {3} 次，因此 {0} 次的限制没有作用
    limit-never-reached.help: 请写更长的时间范围，或更短的 cooldown
    limit-never-reached.why: 两个限制中较长的一个没有作用；其中之一多半不是本意。
    match-window-too-short: {2} 为 {0}，但没有指明订单的付款只与最近 {1} 内的订单匹配
    match-window-too-short.help: 请写更长的 match_window，或更短的 {2}
    match-window-too-short.why: 付款来得较晚但对订单来说仍及时的，会找不到订单：订单虽已付款，也会被放弃，下单时的承诺也不会兑现。
    warned-at-once: {1} 要提前 {0} 告知，却最多 {2} 就过期
    warned-at-once.help: 请写更短的 warn_before
    warned-at-once.why: 变更流会在交付时立即告知，提醒不了任何人。比较的是产品所给的点数；如果客服授予的点数持续更久，请注明预期此警告。
    open-in-utc: {0} 在 UTC 的零点开始和结束，最后一天是 {1}
    open-in-utc.help: 请在文件开头写明这些日期所在的时区，例如 time_zone: Asia/Shanghai
    open-in-utc.why: 日期指所在文件的 time_zone 的零点，默认是 UTC，八小时的差别在日期里看不出来。在文件中写明 time_zone（即使是 UTC）后，\
    这条说明不再出现。
    levels-against-prices: 级别 {0} 写在 {1} 之前，但 {2} 的价格是 {3}，{4} 的价格是 {5}
    levels-against-prices.help: 请把最好的级别写在最前面
    levels-against-prices.why: 级别从高到低排列。这里同一时长的所有价格都表明另一种顺序，升级会被当作降级；价格彼此矛盾，或更贵的给予更少时，提示的是价格。
    same-level-gives-less: {0} 与 {2} 级别相同，却不给予 {1}
    same-level-gives-less.help: 请写成 {3}，或从 {2} 中删去，或让两者的级别不同
    same-level-gives-less.why: 同一级别的产品只在时长上不同，换购的人会失去权益。不比较已停售的产品。
    price-against-period: {0} 的价格是 {2}（{1}），{3} 的价格是 {5}（{4}）
    price-against-period.help: 请给 {0} 写高于 {5} 且不超过 {6} 的价格，或更正 {3} 的价格
    price-against-period.why: 只有时长不同的产品，较长的应当更贵，但不比反复购买较短的更贵。不比较已停售的产品。
    price-against-units: {0} 以 {2} 给予 {1} 点，{3} 以 {5} 给予 {4} 点
    price-against-units.help: 请更正其中一个的价格或 units
    price-against-units.why: 同一种点数，多的应当比少的贵；否则没有人会买小包。
    near-duplicate-name: {0} 和 {1} 是两个名称
    near-duplicate-name.help: 请只保留一个，或选用差别更大的名称
    near-duplicate-name.why: 它们只在大小写、点、连字符或下划线上不同。名称逐字节比较，因此是两样东西。
    levels-cost-the-same: {0} 的级别高于 {1}，还给予 {3}，价格却相同：{2}
    levels-cost-the-same.help: 请更正其中一个价格
    levels-cost-the-same.why: 没有人会买较低的级别。比较的是同一时长、同一货币的价格；不比较已停售的产品。
    free-gives-sold: {0} 免费给予 {1}，而 {2} 出售它
    free-gives-sold.help: 请从其中一个产品中删去它
    free-gives-sold.why: 免费订阅人人可得，所以没有人需要为它给予的权益付款。
    production-refused: production 被拒绝，sandbox 被信任：用户购买的一概不算
    production-refused.help: 请写 production: trusted
    production-refused.why: 用户的购买属于 production 环境。测试购买不花钱。
    account-without-star: {0} 只是一个账号，而没有账号叫这个名字
    account-without-star.help: 请在末尾加上星号，表示以它开头的所有账号
    account-without-star.why: 没有星号时与账号的整个名称比较。以连字符结尾的文本或单独的域名只是名称的一部分。
    price-zero: {0} 的价格是 {1}
    price-zero.help: 请写它的价格，或不写 price
    price-zero.why: 只有类型为 free 的 Newsstand 订阅是免费的；这个产品的订单不会收取任何款项。
    age-begins-again: {0} 的时长在宽限期转入扣款重试时会重新计算
    age-begins-again.help: 请用 unpaid_for 代替 state_age
    age-begins-again.why: state_age 从每个状态开始时计算，因此宽限期和扣款重试各有完整的时长。unpaid_for 从付费结束时算起，贯穿两者。
    unknown-step: 步骤中此处不应出现 {0}
    unknown-step.help: 请使用 usher policy test --list-steps 列出的句子
    unknown-step.why: 步骤只能是固定列表中的句子，这样通过的用例才确实说明了它看上去所说的内容。
    step-ends-early: 步骤 {0} 不完整
    step-ends-early.help: 请补全这个句子
    step-ends-early.why: 步骤只能是固定列表中的句子；此句的开头与其中一句相同。
    step-before-last: {0} 早于上一个步骤
    step-before-last.help: 请按时间顺序排列步骤
    step-before-last.why: 步骤从前往后执行，时间不会倒退。
    unknown-story-name: 此步骤之前没有名为 {0} 的内容
    unknown-story-name.help: 请使用“记作”之后的名称、Apple ID，或“alice 的 gold”这样的名称
    unknown-story-name.why: 步骤所说的内容必须已在更早的步骤中购买或创建。
    story-without-expectation: 用例没有任何期望
    story-without-expectation.help: 请添加以“期望”开头的步骤
    story-without-expectation.why: 没有期望的用例不可能失败，因此什么也没有检验。
    expectation-failed: 期望 {0}，实际 {1}
    expectation-failed.help: 请修正策略；如果用例的期望本不应成立，请修正用例
    expectation-failed.why: 策略的答复与用例所说不符。
    step-failed: 步骤被拒绝：{0}
    step-failed.help: 请修正此步骤，或写明：期望 被拒绝 {0}
    step-failed.why: 服务或商店不会做此步骤所说的事。
    no-story: {0} 中没有用例
    no-story.help: 请编写用例，或指明文件
    no-story.why: 没有用例的测试无论策略怎样都会通过。
    """
