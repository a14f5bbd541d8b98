/// What goes with a product's kind.
extension DiagnosticID {
    static let productPages: [DiagnosticID: ManualPage] = [
        .notForKind: ManualPage(
            "{0} does not go with the kind {1}", "{0} 不适用于 {1} 类产品",
            help: Words(
                "remove it, or make the product {2}", "请删去，或把 kind 改为 {2}"),
            meaning: Words(
                "The key would have no effect on a product of this kind.",
                "这个键对这种商品不起作用。"),
            .added(
                wrong: "products:\n  hd.pass:\n    kind: non-consumable\n    duration: 1y\n"
                    + "    grants: [premium]",
                right: "products:\n  hd.pass:\n    kind: non-renewing\n    duration: 1y\n"
                    + "    grants: [premium]")),
        .missingForKind: ManualPage(
            "a product of the kind {0} needs {1}", "{0} 类产品需要 {1}",
            help: Words("write it, for example 1mo, 3mo or 1y", "请写上，例如 1mo 或 1y"),
            meaning: Words(
                "Apple says when a subscription renews; how long a non-renewing purchase"
                    + " lasts only the policy knows.",
                "订阅何时续期由 Apple 说明；非续期购买持续多久只有策略知道。"),
            .added(
                wrong: "products:\n  year.pass:\n    kind: non-renewing\n    grants: [premium]",
                right: "products:\n  year.pass:\n    kind: non-renewing\n    duration: 1y\n"
                    + "    grants: [premium]")),
        .unusualPeriod: ManualPage(
            .warning, "Apple sells no subscription with the period {0}",
            "苹果没有周期为 {0} 的订阅",
            help: Words("one of: 1w, 1mo, 2mo, 3mo, 6mo, 1y", "可以写：1w、1mo、2mo、3mo、6mo、1y"),
            meaning: Words(
                "The period is compared with what Apple signs.",
                "周期会与 Apple 签名的内容比较。"),
            .changed(line: "    period: 1mo", wrong: "    period: 4mo", right: "    period: 3mo")),
        .subscriptionWithoutGroup: ManualPage(
            .warning, "the subscription {0} is in no group", "订阅产品 {0} 不属于任何订阅组",
            help: Words("write the 'group' that it has at Apple", "请写上它在苹果所属的 group"),
            meaning: Words(
                "Without its group it cannot be seen that one account pays for two products"
                    + " of it, or that a purchase is an upgrade.",
                "没有订阅组，就看不出一个账号为同组的两个商品付了钱，也看不出一次购买是升级。"),
            .added(
                wrong: "products:\n  video.hd:\n    kind: auto-renewable\n    period: 1mo\n"
                    + "    grants: [premium]",
                right: "products:\n  video.hd:\n    kind: auto-renewable\n"
                    + "    group: membership\n    level: gold\n    period: 1mo\n"
                    + "    grants: [premium]")),
        .levelMissing: ManualPage(
            "{0} has no level, and its group {1} has several",
            "{0} 没有写级别，而订阅组 {1} 有多个级别",
            help: Words("write 'level' with one of: {2}", "请写 level，可以是：{2}"),
            meaning: Words(
                "Without it nobody can tell an upgrade from a downgrade.",
                "没有等级，谁也分不清升级和降级。"),
            .changed(line: "    level: gold", wrong: "", right: "    level: gold")),
        .levelWithoutGroup: ManualPage(
            "there is a level, but no group", "写了级别，却没有写订阅组",
            help: Words("write the 'group' too", "请也写上 group"),
            meaning: Words(
                "Levels belong to a group.",
                "等级属于订阅组。"),
            .changed(
                line: "    group: membership", wrong: "", right: "    group: membership")),
        .stackingDiffers: ManualPage(
            "the products of the stack {0} disagree: {1} here, {2} there",
            "同一 stack {0} 的产品不一致：这里是 {1}，另一处是 {2}",
            help: Words("write the same 'stacking' for all", "请给它们写相同的 stacking"),
            meaning: Words(
                "The purchases of one stack are laid out together.",
                "同一组叠加的购买要一起排列。"),
            .added(
                wrong: "products:\n  pass.30:\n    kind: non-renewing\n    duration: 30d\n"
                    + "    stack: pass\n    grants: [premium]\n  pass.90:\n"
                    + "    kind: non-renewing\n    duration: 90d\n    stack: pass\n"
                    + "    stacking: overlap\n    grants: [premium]",
                right: "products:\n  pass.30:\n    kind: non-renewing\n    duration: 30d\n"
                    + "    stack: pass\n    grants: [premium]\n  pass.90:\n"
                    + "    kind: non-renewing\n    duration: 90d\n    stack: pass\n"
                    + "    grants: [premium]")),
        .freeWithoutNewsstand: ManualPage(
            "a product of kind free needs a Newsstand app", "free 类产品只用于报刊杂志应用",
            help: Words("write 'newsstand: true' in 'app'", "请在 app 中写“newsstand: true”"),
            meaning: Words(
                "Apple has free subscriptions in Newsstand apps only; elsewhere one would"
                    + " give rights for nothing.",
                "Apple 只在报刊杂志（Newsstand）应用中提供免费订阅；在别处，它会无偿给出权益。"),
            .added(
                wrong: "products:\n  weekly:\n    kind: free\n    grants: [premium]",
                right: "products:\n  weekly:\n    kind: non-consumable\n    grants: [premium]")),
        .priceOfFree: ManualPage(
            "a free product has a price", "免费产品写了价格",
            help: Words("remove the price, or change the kind", "请删去价格，或修改 kind"),
            meaning: Words(
                "Kind 'free' is the Newsstand free subscription, which costs nothing.",
                "“free”是报刊杂志的免费订阅，不收费。"),
            .folder(
                wrong: weekly(price: "    price: {USD: 0.99}\n"), right: weekly(price: ""),
                about: "a product with `kind: free` and `price: {USD: 0.99}`")),
        .lastingRight: ManualPage(
            "a consumable would give {0} for ever", "消耗型产品会永久给予 {0}",
            help: Words(
                "write for how long: {entitlement: {1}, for: 30d}",
                "请写明时长：{entitlement: {1}, for: 30d}"),
            meaning: Words(
                "A consumable is used up. What lasts is a non-consumable; what lasts for a"
                    + " time says for how long.",
                "消耗型商品会用完。永久的应是非消耗型；限时的要写明多久。"),
            .added(
                wrong: "products:\n  day.pass:\n    kind: consumable\n    grants: [premium]",
                right: "products:\n  day.pass:\n    kind: consumable\n"
                    + "    grants: [{entitlement: premium, for: 1d}]")),
        .forOnOtherKind: ManualPage(
            "'for' does not go with the kind {0}", "for 不适用于 {0} 类产品",
            help: Words(
                "remove it; how long the product lasts follows from its kind",
                "请删去；产品的时长由其 kind 决定"),
            meaning: Words(
                "Subscriptions last while they are paid, non-renewing purchases for their"
                    + " 'duration', non-consumables for ever.",
                "订阅持续到付费期满，非续期购买持续“duration”那么久，非消耗型永久有效。"),
            .changed(
                line: "    grants: [premium]",
                wrong: "    grants: [{entitlement: premium, for: 7d}]",
                right: "    grants: [premium]")),
        .creditExpires: ManualPage(
            "purchased credits cannot expire, but here is {0}", "购买的点数不能过期，但这里写了 {0}",
            help: Words("remove it", "请删去"),
            meaning: Words(
                "Apple's guideline 3.1.1: credits that were bought with in-app purchase may"
                    + " not expire.",
                "Apple 审核指南 3.1.1：通过应用内购买得到的点数不得过期。"),
            .added(
                wrong: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n"
                    + "    grants: [{credit: coins, units: 100, for: 30d}]",
                right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n    grants: [{credit: coins, units: 100}]")),
        .creditFromOtherKind: ManualPage(
            "a product of the kind {0} cannot give credits", "{0} 类产品不能给予点数",
            help: Words("give them with a consumable", "请用消耗型产品给予"),
            meaning: Words(
                "Credits are delivered once per purchase to one account; the other kinds are"
                    + " restored and shared.",
                "点数每次购买只向一个账号发放一次；其他类型可以恢复和共享。"),
            .added(
                wrong: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: non-consumable\n    grants: [{credit: coins, units: 100}]",
                right: "credits:\n  coins: {title: Coins}\nproducts:\n  coins.100:\n"
                    + "    kind: consumable\n    grants: [{credit: coins, units: 100}]")),
        .grantedTwice: ManualPage(
            "the product gives {0} twice", "产品两次给予 {0}",
            help: Words("keep one of them", "请保留其中一个"),
            meaning: Words(
                "It cannot be told whether both were meant to count.",
                "看不出两者是否都要算数。"),
            .changed(
                line: "    grants: [premium]", wrong: "    grants: [premium, premium]",
                right: "    grants: [premium]")),
    ]

    private static func weekly(price: String) -> [PolicyText] {
        let app = PolicyExample.base.text.replacingFirst(
            "apple_id: 1234567890", "apple_id: 1234567890\n  newsstand: true")
        let product = "products:\n  weekly:\n    kind: free\n\(price)    grants: [premium]\n"
        return [
            PolicyText(path: "app.yaml", text: app),
            PolicyText(path: "catalog.yaml", text: product),
        ]
    }
}
