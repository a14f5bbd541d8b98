/// Values of every type.
extension DiagnosticID {
    static let valuePages: [DiagnosticID: ManualPage] = [
        .wrongType: ManualPage(
            "{0} should be {1}, but here is {2}", "{0} 应为{1}，这里却是{2}",
            help: Words(
                "a list is written [a, b], a section with keys as 'key: value'",
                "列表写作 [a, b]，键和值写作“键: 值”"),
            meaning: Words(
                "The value has another form than its key asks for.",
                "值的形式与键所要求的不同。"),
            .added(
                wrong: "groups:\n  video: {levels: best}",
                right: "groups:\n  video: {levels: [best]}")),
        .notIndented: ManualPage(
            "{0} belongs to {1}, but begins in the same column", "{0} 属于 {1}，却与它从同一列开始",
            help: Words(
                "put two spaces more before each of the keys that belong to {1}",
                "请在属于 {1} 的每个键前面多加两个空格"),
            meaning: Words(
                "What belongs to a name stands further to the right than the name. Otherwise the"
                    + " keys are read as further names.",
                "属于某个名称的内容要比该名称更靠右，否则这些键会被当成其他名称。"),
            .added(
                wrong: "products:\n  unlock:\n  kind: non-consumable\n  grants: [premium]",
                right: "products:\n  unlock:\n    kind: non-consumable\n    grants: [premium]")),
        .emptyValue: ManualPage(
            "nothing is written after {0}", "{0} 后面没有内容",
            help: Words(
                "write its value, or remove the key; a text that begins with '#' needs quotes",
                "请写上值，或删去这个键；以“#”开头的文本要加引号"),
            meaning: Words(
                "It cannot be told whether something was forgotten.",
                "看不出是不是漏写了什么。"),
            .added(wrong: "orders:\n  pay_within:", right: "orders:\n  pay_within: 30m")),
        .emptyList: ManualPage(
            "the list of {0} is empty", "{0} 的列表是空的",
            help: Words(
                "write what it should match, or leave the key out to match all",
                "请写上要匹配的内容；要匹配全部则删去这个键"),
            meaning: Words(
                "A condition with an empty list never holds.",
                "列表为空的条件永远不成立。"),
            .added(
                wrong: "access:\n  - name: nobody\n    when: {state: []}\n    then: grant",
                right: "access:\n  - name: in grace\n    when: {state: [grace]}\n"
                    + "    then: grant")),
        .repeatedValue: ManualPage(
            .warning, "{0} stands twice in {1}", "{0} 在 {1} 中出现了两次",
            help: Words("remove one, or write what was meant", "请删去一个，或改成想写的内容"),
            meaning: Words(
                "Something else was probably meant.",
                "本来多半想写的是别的值。"),
            .added(
                wrong: "access:\n  - name: kept\n    when: {state: [grace, grace]}\n"
                    + "    then: grant",
                right: "access:\n  - name: kept\n    when: {state: [grace, renewing]}\n"
                    + "    then: grant")),
        .unknownWord: ManualPage(
            "{0} is not a value of {1}", "{1} 没有 {0} 这个值",
            meaning: Words(
                "The key takes one of a few words.",
                "这个键只接受几个固定的词。"),
            .added(
                wrong: "orders:\n  late_payment: delivr",
                right: "orders:\n  late_payment: deliver")),
        .notTrueOrFalse: ManualPage(
            "{1} must be true or false, not {0}", "{1} 只能是 true 或 false，不能是 {0}",
            meaning: Words(
                "One spelling for yes and one for no, the same in all tools.",
                "“是”和“否”各只有一种写法，在所有工具中都相同。"),
            .changed(
                line: "  apple_id: 1234567890", wrong: "  apple_id: 1234567890\n  newsstand: yes",
                right: "  apple_id: 1234567890\n  newsstand: true")),
        .notWholeNumber: ManualPage(
            "{1} must be a whole number, not {0}", "{1} 必须是整数，不能是 {0}",
            help: Words("write digits, without quotes", "请只写数字，不加引号"),
            meaning: Words(
                "Only plain digits mean the same to every reader.",
                "只有普通数字对所有读者意思相同。"),
            .changed(
                line: "  apple_id: 1234567890", wrong: "  apple_id: \"1234567890\"",
                right: "  apple_id: 1234567890")),
        .numberNotation: ManualPage(
            "{0} is a number in a notation that is read differently by different tools",
            "{0} 的数字写法在不同工具中读法不同",
            help: Words("write plain digits", "请只写普通数字"),
            meaning: Words(
                "1_000, 0o14, 0x1F, 1e3 and 12:30:45 are numbers to some YAML tools and"
                    + " texts to others.",
                "1_000、0o14、0x1F、1e3 和 12:30:45 在有些 YAML 工具中是数字，在另一些中是文本。"),
            .changed(
                line: "  apple_id: 1234567890", wrong: "  apple_id: 1_234_567_890",
                right: "  apple_id: 1234567890")),
        .numberOutOfRange: ManualPage(
            "{1} cannot be {0}", "{1} 不能是 {0}",
            help: Words("write a number from {2} to {3}", "请写 {2} 到 {3} 之间的数"),
            meaning: Words(
                "The number is too small or too large to make sense.",
                "这个数太小或太大，没有意义。"),
            .added(
                wrong: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n    grants: [{credit: coins, units: 0}]",
                right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n    grants: [{credit: coins, units: 100}]")),
        .badAmount: ManualPage(
            "{0} is not an amount of money", "{0} 不是金额",
            help: Words(
                "write digits, and up to three after a point: 9.99",
                "请写数字，小数点后最多三位：9.99"),
            meaning: Words(
                "Amounts are compared exactly, to the thousandth.",
                "金额精确比较到千分之一。"),
            .changed(
                line: "    grants: [premium]",
                wrong: "    grants: [premium]\n    price: {USD: \"$9.99\"}",
                right: "    grants: [premium]\n    price: {USD: 9.99}")),
        .decimalComma: ManualPage(
            "{0} has a comma, and a number here has none", "{0} 中有逗号，而这里的数字不用逗号",
            help: Words(
                "write a point before the fraction and nothing between thousands: 1234.50",
                "小数部分之前用点，千位之间不加任何符号：1234.50"),
            meaning: Words(
                "A comma parts the entries of a list; some people write one before a fraction and"
                    + " others after thousands.",
                "逗号用来分隔列表项；有人用它表示小数，有人用它分隔千位。"),
            .changed(
                line: "    grants: [premium]",
                wrong: "    grants: [premium]\n    price: {USD: 9,99}",
                right: "    grants: [premium]\n    price: {USD: 9.99}")),
        .badLength: ManualPage(
            "{0} is not a length of time", "{0} 不是时长",
            help: Words(
                "write a number and a unit without a space: 30m (minutes), 12h, 7d, 2w, 3mo"
                    + " (months), 1y; s and ms for less",
                "请写数字加单位，中间不留空格：30m（分钟）、12h、7d、2w、3mo（月）、1y；更短的用 s 和 ms"),
            meaning: Words(
                "30 could be minutes or days; a length has its unit.",
                "30 可能是分钟，也可能是天；时长要有单位。"),
            .added(
                wrong: "orders:\n  pay_within: 30 minutes",
                right: "orders:\n  pay_within: 30m")),
        .calendarUnit: ManualPage(
            "{0} has no fixed length, and {1} needs one", "{0} 的长度不固定，而 {1} 需要固定时长",
            help: Words("write it in days (d) or weeks (w)", "请用天（d）或周（w）来写"),
            meaning: Words(
                "A month has 28 to 31 days. Months and years are for the periods and"
                    + " durations of products, which follow the calendar.",
                "一个月有 28 到 31 天。月和年用于商品的周期和时长，它们按日历计算。"),
            .added(wrong: "leeway: 1mo", right: "leeway: 1d")),
        .zeroLength: ManualPage(
            "{1} cannot be {0}, which is no time at all", "{1} 不能是 {0}，因为时长为零",
            help: Words("write a longer time, or leave the key out", "请写更长的时间，或删去这个键"),
            meaning: Words(
                "A length of zero does not do what one may expect of it.",
                "长度为零的时长，作用与人们想的不一样。"),
            .added(wrong: "leeway: 0h", right: "leeway: 1h")),
        .lengthTooLong: ManualPage(
            "{0} is longer than ten years", "{0} 超过十年",
            help: Words("write at most 10y", "最多写 10y"),
            meaning: Words(
                "Nothing that is sold lasts so long; it is a slip that would give a right"
                    + " for life. A right for ever is a non-consumable product.",
                "没有卖出的东西会持续这么久；这是会给出终身权益的笔误。永久的权益请用非消耗型商品。"),
            .added(
                wrong: "products:\n  archive:\n    kind: non-renewing\n    duration: 100y\n"
                    + "    grants: [premium]",
                right: "products:\n  archive:\n    kind: non-renewing\n    duration: 10y\n"
                    + "    grants: [premium]")),
        .badDate: ManualPage(
            "{0} is not a date", "{0} 不是日期",
            help: Words(
                "write year, month and day: 2026-01-31, or with a time: 2026-01-31T08:00:00Z",
                "请写年-月-日：2026-01-31，或加上时间：2026-01-31T08:00:00Z"),
            meaning: Words(
                "The day does not exist, or is written in a way that is read differently in"
                    + " different countries.",
                "这一天不存在，或者其写法在不同国家读法不同。"),
            .changed(
                line: "    grants: [premium]",
                wrong: "    grants: [premium]\n    retired: 2026-02-30",
                right: "    grants: [premium]\n    retired: 2026-02-28")),
        .dateOutOfRange: ManualPage(
            "{0} lies outside of the years 2008 to 2100", "{0} 不在 2008 年到 2100 年之间",
            help: Words("check the year", "请检查年份"),
            meaning: Words(
                "The App Store opened in 2008; a date outside is a slip.",
                "App Store 于 2008 年开张；在此范围之外的日期是笔误。"),
            .changed(
                line: "    grants: [premium]",
                wrong: "    grants: [premium]\n    retired: 2206-01-01",
                right: "    grants: [premium]\n    retired: 2026-01-01")),
        .badAge: ManualPage(
            "{0} is not an age", "{0} 不是“处于某状态多久”的写法",
            help: Words(
                "write 'under 7d', 'at least 7d' or 'from 7d to 14d'",
                "请写“under 7d”“at least 7d”或“from 7d to 14d”"),
            meaning: Words(
                "An age is compared with bounds that are said in words.",
                "时间长短与用词语表示的界限比较。"),
            .added(
                wrong: "access:\n  - name: a courtesy week\n"
                    + "    when: {state: billing-retry, state_age: 7d}\n    then: grant",
                right: "access:\n  - name: a courtesy week\n"
                    + "    when: {state: billing-retry, state_age: under 7d}\n    then: grant")),
        .badDateBound: ManualPage(
            "{0} is not a bound of time for {1}", "{0} 不是 {1} 的时间界限",
            help: Words(
                "write 'before 2026-01-31', 'from 2026-01-31' or 'from 2026-01-31 until"
                    + " 2026-03-01'",
                "请写“before 2026-01-31”“from 2026-01-31”或“from 2026-01-31 until 2026-03-01”"),
            meaning: Words(
                "A date is compared with bounds that are said in words.",
                "日期与用词语表示的界限比较。"),
            .added(
                wrong: "access:\n  - name: the old ones\n    when: {purchased: 2025-01-01}\n"
                    + "    then: grant",
                right: "access:\n  - name: the old ones\n"
                    + "    when: {purchased: before 2025-01-01}\n    then: grant")),
        .emptyInterval: ManualPage(
            "there is nothing in {0}: it ends before it begins", "{0} 之内什么也没有：结束不晚于开始",
            help: Words("write the earlier end first", "请把较早的一端写在前面"),
            meaning: Words(
                "An interval holds from its beginning until before its end.",
                "区间从开始起成立，到结束之前为止。"),
            .added(
                wrong: "access:\n  - name: spring\n"
                    + "    when: {purchased: from 2026-06-01 until 2026-03-01}\n    then: grant",
                right: "access:\n  - name: spring\n"
                    + "    when: {purchased: from 2026-03-01 until 2026-06-01}\n"
                    + "    then: grant")),
        .oppositeBounds: ManualPage(
            "one of the bounds of {0} always holds, and of a list any is enough",
            "{0} 的界限中总有一个成立，而列表中任意一项成立即可",
            help: Words(
                "write an interval: from 2026-03-01 until 2026-06-01",
                "请写成区间：from 2026-03-01 until 2026-06-01"),
            meaning: Words(
                "Two bounds in a list are not the time between them: every time is after the one"
                    + " or before the other.",
                "列表中的两个界限并不表示其间的时段：任何时间不是晚于前者就是早于后者。"),
            .added(
                wrong: "access:\n  - name: spring\n"
                    + "    when: {purchased: [from 2026-03-01, before 2026-06-01]}\n"
                    + "    then: grant",
                right: "access:\n  - name: spring\n"
                    + "    when: {purchased: from 2026-03-01 until 2026-06-01}\n"
                    + "    then: grant")),
        .badMoves: ManualPage(
            "{0} is not a limit of moves", "{0} 不是转移次数的限制",
            help: Words("write as '3 per 365d'", "请写成“3 per 365d”"),
            meaning: Words(
                "A limit says how many moves there may be within a time.",
                "限制说明一段时间内可以转移多少次。"),
            .added(
                wrong: "account_switch:\n  - name: now and then\n    then: transfer\n"
                    + "    limits: {moves: 3/year}",
                right: "account_switch:\n  - name: now and then\n    then: transfer\n"
                    + "    limits: {moves: 3 per 365d}")),
    ]
}
