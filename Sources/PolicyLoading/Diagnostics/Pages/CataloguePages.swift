/// Entitlements, credits and groups, and names that refer to them.
extension DiagnosticID {
    static let cataloguePages: [DiagnosticID: ManualPage] = [
        .unknownEntitlement: ManualPage(
            "there is no entitlement {0}", "没有名为 {0} 的权益",
            help: Words("define it in 'entitlements'", "请在 entitlements 中定义"),
            meaning: Words(
                "Every name is defined in one place, so that a slip cannot make a new one.",
                "每个名称只在一处定义，这样笔误就不会造出新名称。"),
            .changed(
                line: "    grants: [premium]", wrong: "    grants: [premum]",
                right: "    grants: [premium]")),
        .unknownCredit: ManualPage(
            "there is no credit {0}", "没有名为 {0} 的点数",
            help: Words("define it in 'credits'", "请在 credits 中定义"),
            meaning: Words(
                "Every name is defined in one place, so that a slip cannot make a new one.",
                "每个名称只在一处定义，这样笔误就不会造出新名称。"),
            .added(
                wrong: "products:\n  coins.100:\n    kind: consumable\n"
                    + "    grants: [{credit: coins, units: 100}]",
                right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n    grants: [{credit: coins, units: 100}]")),
        .unknownGroup: ManualPage(
            "there is no group {0}", "没有名为 {0} 的订阅组",
            help: Words("define it in 'groups'", "请在 groups 中定义"),
            meaning: Words(
                "Every name is defined in one place, so that a slip cannot make a new one.",
                "每个名称只在一处定义，这样笔误就不会造出新名称。"),
            .changed(
                line: "    group: membership", wrong: "    group: membershp",
                right: "    group: membership")),
        .unknownLevel: ManualPage(
            "no group has a level {0}", "没有订阅组有 {0} 这个级别",
            help: Words("write it in the 'levels' of its group", "请写入其订阅组的 levels"),
            meaning: Words(
                "A condition on a level that does not exist never holds.",
                "等级不存在时，关于它的条件永远不成立。"),
            .added(
                wrong: "access:\n  - name: the best\n    when: {level: platinum}\n"
                    + "    then: grant",
                right: "access:\n  - name: the best\n    when: {level: gold}\n    then: grant")),
        .unknownProduct: ManualPage(
            "there is no product {0}", "没有名为 {0} 的产品",
            help: Words("define it in 'products'", "请在 products 中定义"),
            meaning: Words(
                "A condition on a product that does not exist never holds.",
                "商品不存在时，关于它的条件永远不成立。"),
            .added(
                wrong: "access:\n  - name: monthly\n    when: {product: gold.montly}\n"
                    + "    then: grant",
                right: "access:\n  - name: monthly\n    when: {product: gold.monthly}\n"
                    + "    then: grant")),
        .patternMatchesNothing: ManualPage(
            .warning, "no product matches {0}", "没有产品匹配 {0}",
            help: Words("compare it with the names in 'products'", "请对照 products 中的名称"),
            meaning: Words(
                "The condition never holds with today's catalogue.",
                "以现在的商品目录，这个条件永远不成立。"),
            .added(
                wrong: "access:\n  - name: weekly plans\n    when: {product: \"*.weekly\"}\n"
                    + "    then: grant",
                right: "access:\n  - name: monthly plans\n    when: {product: \"*.monthly\"}\n"
                    + "    then: grant")),
        .levelNotInGroup: ManualPage(
            "{0} is not a level of {1}", "{0} 不是 {1} 的级别",
            meaning: Words(
                "Levels belong to a group; the order there says which is better.",
                "等级属于订阅组；组内的顺序说明哪个更高。"),
            .changed(
                line: "    level: gold", wrong: "    level: golden", right: "    level: gold")),
        .groupWithoutLevels: ManualPage(
            "the group {0} has no levels", "订阅组 {0} 没有级别",
            help: Words("write at least one", "请至少写一个"),
            meaning: Words(
                "Upgrade and downgrade follow from the order of levels, as in App Store"
                    + " Connect.",
                "升级和降级由等级的顺序决定，与 App Store Connect 相同。"),
            .added(
                wrong: "groups:\n  video: {levels: []}", right: "groups:\n  video: {levels: [hd]}")
        ),
        .duplicateLevel: ManualPage(
            "{0} stands twice in the levels of {1}", "{1} 的级别中 {0} 出现了两次",
            help: Words(
                "keep it once; levels are written from the highest to the lowest",
                "请只保留一个；级别从高到低书写"),
            meaning: Words(
                "Levels are written best first; one cannot have two ranks.",
                "等级从高到低书写；同一个等级不能有两个名次。"),
            .added(
                wrong: "groups:\n  video: {levels: [hd, sd, hd]}",
                right: "groups:\n  video: {levels: [hd, sd]}")),
        .chineseTitleAlone: ManualPage(
            "{0} has a title in Chinese and none in English", "{0} 只有中文名称，没有英文名称",
            help: Words("write 'title' too", "请也写上 title"),
            meaning: Words(
                "The English title is the one that everybody falls back on.",
                "没有其他语言的标题时，大家看到的都是英文标题。"),
            .added(
                wrong: "groups:\n  video: {title_zh: 视频, levels: [hd]}",
                right: "groups:\n  video: {title: Video, title_zh: 视频, levels: [hd]}")),
        .grantsNothing: ManualPage(
            .warning, "{0} gives its buyer nothing", "{0} 不给购买者任何权益",
            help: Words("write what it gives in 'grants'", "请在 grants 中写上给予的权益"),
            meaning: Words(
                "Somebody would pay and get nothing.",
                "会有人付了钱却什么也得不到。"),
            .added(
                wrong: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                    + "    group: membership\n    level: silver\n    period: 1mo",
                right: "products:\n  silver.monthly:\n    kind: auto-renewable\n"
                    + "    group: membership\n    level: silver\n    period: 1mo\n"
                    + "    grants: [premium]")),
        .givenByNothing: ManualPage(
            .warning, "no product gives {0}", "没有产品给予 {0}",
            help: Words(
                "write it in the 'grants' of a product, or remove it",
                "请写入某个产品的 grants，或删去"),
            meaning: Words(
                "Nobody can buy it; it can only be granted by hand.",
                "没有人能买到它，只能由人工授予。"),
            .added(
                wrong: "entitlements:\n  hd: {title: High definition}",
                right: "entitlements:\n  hd: {title: High definition}\nproducts:\n  hd.pass:\n"
                    + "    kind: non-consumable\n    grants: [hd]")),
        .unusedGroup: ManualPage(
            .warning, "no product is in the group {0}", "订阅组 {0} 中没有产品",
            help: Words("write it as the 'group' of a product, or remove it", "请用于某个产品，或删去"),
            meaning: Words(
                "The group has no effect.",
                "这个订阅组没有任何作用。"),
            .added(
                wrong: "groups:\n  video: {levels: [hd]}",
                right: "groups:\n  video: {levels: [hd]}\nproducts:\n  video.hd:\n"
                    + "    kind: auto-renewable\n    group: video\n    level: hd\n"
                    + "    period: 1y\n    grants: [premium]")),
    ]
}
