/// Names and texts that are not what they look like.
extension DiagnosticID {
    static let wordPages: [DiagnosticID: ManualPage] = [
        .textReadAsBoolean: ManualPage(
            "{0} without quotes means yes or no to many tools",
            "不加引号的 {0} 会被许多工具读作“是/否”",
            help: Words("put it in quotes", "请加上引号"),
            meaning: Words(
                "Older YAML reads y, n, yes, no, on, off, true and false as truth values:"
                    + " the country code of Norway becomes 'false'.",
                "旧版 YAML 把 y、n、yes、no、on、off、true 和 false 读成真假值：挪威的国家代码会变成“false”。"),
            .added(
                wrong: "access:\n  - name: not in Norway\n    when: {storefront: [SE, NO]}\n"
                    + "    then: withhold",
                right: "access:\n  - name: not in Norway\n"
                    + "    when: {storefront: [SE, \"NO\"]}\n    then: withhold")),
        .textReadAsNumber: ManualPage(
            "{0} without quotes is a number", "不加引号的 {0} 是数字",
            help: Words("put it in quotes", "请加上引号"),
            meaning: Words(
                "A name that is read as a number changes: 1e3 becomes 1000, 0o14 becomes 12,"
                    + " 12:30 becomes 750.",
                "被读成数字的名称会变样：1e3 变成 1000，0o14 变成 12，12:30 变成 750。"),
            .added(
                wrong: "entitlements:\n  1e3: {title: A thousand songs}",
                right: "entitlements:\n  \"1e3\": {title: A thousand songs}")),
        .textReadAsDate: ManualPage(
            "{0} without quotes is a date", "不加引号的 {0} 是日期",
            help: Words("put it in quotes", "请加上引号"),
            meaning: Words(
                "A name that is read as a date comes back written differently.",
                "被读成日期的名称，再写出来就不是原来的样子了。"),
            .added(
                wrong: "entitlements:\n  2025-12-24: {title: The Christmas issue}",
                right: "entitlements:\n  \"2025-12-24\": {title: The Christmas issue}")),
        .textReadAsNothing: ManualPage(
            "{0} without quotes means nothing at all", "不加引号的 {0} 表示空值",
            help: Words("put it in quotes", "请加上引号"),
            meaning: Words(
                "YAML reads '~' and 'null' as the absence of a value.",
                "YAML 把“~”和“null”读成没有值。"),
            .added(
                wrong: "entitlements:\n  hd: {title: null}",
                right: "entitlements:\n  hd: {title: \"null\"}")),
        .mixedScripts: ManualPage(
            "{0} mixes letters of different scripts that look alike",
            "{0} 混用了外形相似的不同文字的字母",
            help: Words("type the word again with one keyboard", "请用同一种键盘重新输入"),
            meaning: Words(
                "The Cyrillic 'а' and the Latin 'a' look the same, and are different names.",
                "西里尔字母“а”和拉丁字母“a”看起来一样，却是不同的名称。"),
            .added(
                wrong: "entitlements:\n  premium-plus: {title: Prеmium plus}",
                right: "entitlements:\n  premium-plus: {title: Premium plus}")),
        .notASCIIName: ManualPage(
            "the name {0} has other signs than English letters, digits and punctuation",
            "名称 {0} 含有英文字母、数字和标点以外的字符",
            help: Words(
                "use English letters, digits, '-', '_' and '.'; say it in your language in the"
                    + " title",
                "名称请用英文字母、数字、“-”“_”“.”；中文写在 title_zh 里"),
            meaning: Words(
                "Names are compared byte by byte and go through many programs; titles are"
                    + " for people.",
                "名称逐字节比较，并会经过许多程序；给人看的是标题。"),
            .added(
                wrong: "entitlements:\n  高清: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition, title_zh: 高清}")),
        .badName: ManualPage(
            "{0} cannot be a name", "{0} 不能作为名称",
            help: Words(
                "1 to {1} English letters, digits and signs, without spaces and '*'",
                "1 到 {1} 个英文字母、数字或符号，不含空格和“*”"),
            meaning: Words(
                "Names stand in programs, addresses and logs; '*' stands for any name in"
                    + " rules.",
                "名称会出现在程序、地址和日志中；“*”在规则中代表任意名称。"),
            .added(
                wrong: "entitlements:\n  high definition: {title: High definition}",
                right: "entitlements:\n  high-definition: {title: High definition}")),
        .badText: ManualPage(
            "the text of {0} is empty or too long", "{0} 的文本为空或过长",
            help: Words("write one line of up to 400 bytes", "请写一行，最多 400 字节"),
            meaning: Words(
                "Titles and rule names are shown to people.",
                "标题和规则名称是给人看的。"),
            .added(
                wrong: "entitlements:\n  hd: {title: \"\"}",
                right: "entitlements:\n  hd: {title: High definition}")),
        .starInAccount: ManualPage(
            "in the account {0} the '*' does not stand at the end", "账号 {0} 的“*”不在末尾",
            help: Words(
                "write 'qa-*' for the accounts that begin with 'qa-'; list others one by one",
                "“qa-*”表示以“qa-”开头的账号；其他账号请逐个列出"),
            meaning: Words(
                "A pattern that matches the beginning of account names can be judged at a"
                    + " glance; others surprise.",
                "只匹配账号名开头的模式一眼就能看懂；其他模式会出人意料。"),
            .added(
                wrong: "access:\n  - name: testers\n    when: {account: \"qa-*-cn\"}\n"
                    + "    then: grant",
                right: "access:\n  - name: testers\n    when: {account: \"qa-cn-*\"}\n"
                    + "    then: grant")),
        .unknownStorefront: ManualPage(
            "{0} is no country or region", "{0} 不是国家或地区代码",
            help: Words("write its ISO 3166 code, as US or USA", "请写 ISO 3166 代码，例如 CN 或 CHN"),
            meaning: Words(
                "A rule about a place that does not exist never matches.",
                "地区不存在时，关于它的规则永远不会匹配。"),
            .added(
                wrong: "access:\n  - name: not in Britain\n    when: {storefront: UK}\n"
                    + "    then: withhold",
                right: "access:\n  - name: not in Britain\n    when: {storefront: GB}\n"
                    + "    then: withhold")),
        .unknownCurrency: ManualPage(
            .warning, "{0} is no currency", "{0} 不是货币代码",
            help: Words("write its ISO 4217 code, as USD", "请写 ISO 4217 代码，例如 CNY"),
            meaning: Words(
                "Apple states prices by currency code; one under another name is never"
                    + " found.",
                "Apple 用货币代码标明价格；用别的名称永远找不到。"),
            .added(
                wrong: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                    + "    group: membership\n    level: silver\n    period: 1mo\n"
                    + "    price: {RMB: 30}\n    grants: [premium]",
                right: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                    + "    group: membership\n    level: silver\n    period: 1mo\n"
                    + "    price: {CNY: 30}\n    grants: [premium]")),
    ]
}
