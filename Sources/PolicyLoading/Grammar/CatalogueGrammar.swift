internal import EntitlementModel

/// The keys of one product (spec 1.4, 1.7).
enum CatalogueGrammar {
    static let product = Section(
        title: "products",
        fields: [
            Field(
                "kind", .words(ProductKind.self), required: true,
                "The product's type in App Store Connect.", "产品在 App Store Connect 中的类型。"),
            Field(
                "group", .name, "The subscription group of an auto-renewable.",
                "自动续期订阅所属的订阅组。"),
            Field("level", .name, "The level within the group.", "在订阅组内的级别。"),
            Field(
                "period", .length(allowsCalendar: true),
                "How long one renewal of an auto-renewable lasts, as sold: 1w, 1mo, 1y.",
                "自动续期订阅每期的时长：1w、1mo、1y。"),
            Field(
                "duration", .length(allowsCalendar: true),
                "How long a non-renewing purchase lasts.", "非续期订阅一次购买的时长。"),
            Field(
                "stacking", .words(Stacking.self),
                "How several non-renewing purchases lie in time: one after the other (extend),"
                    + " each from its purchase (overlap), the new one ends the old (replace)."
                    + " Left out: extend.",
                "多次购买非续期订阅时如何计时：依次顺延（extend）、各自起算（overlap）、"
                    + "新的终止旧的（replace）；缺省 extend。"),
            Field(
                "stack", .name,
                "Products with the same stack follow one another.",
                "同名 stack 的产品依次顺延。"),
            PolicyGrammar.title, PolicyGrammar.chineseTitle,
            Field(
                "price", .table(of: .currency, .amount),
                "The price by currency (ISO 4217), for reports and matching of orders.",
                "按货币（ISO 4217）的价格，用于报表与订单匹配。"),
            Field(
                "grants", .list(grant),
                "What a purchase gives: entitlements by name, or credits.",
                "购买给予什么：权益名称，或点数。"),
            Field(
                "retired", .date,
                "From this day on no new orders; holders keep it.",
                "从这一天起不再接受新订单；已购者保留权益。"),
        ])

    private static let grant = Shape.either(
        .name,
        [
            Section(
                title: "grants",
                fields: [
                    Field(
                        "credit", .name, required: true, "The credit that is given.",
                        "给予的点数。"),
                    Field(
                        "units", .whole(GrantedGift.possibleUnits), required: true,
                        "How many units one purchase gives.", "一次购买给予多少。"),
                ],
                misplaced: ["for": .creditExpires]),
            Section(
                title: "grants",
                fields: [
                    Field(
                        "entitlement", .name, required: true, "The entitlement that is given.",
                        "给予的权益。"),
                    Field(
                        "for", .length(allowsCalendar: true),
                        "How long a consumable gives it, from the purchase on.",
                        "消耗型产品给予该权益的时长，从购买起算。"),
                ]),
        ])
}
