package import Sentences

/// What people and Apple do with purchases, in the words of a story. The raw value is the key of
/// the long form.
package enum StoreVerb: String, CaseIterable, Hashable, Sendable {
    case buys
    case asksToBuy = "asks_to_buy"
    case isApproved = "is_approved"
    case isDeclined = "is_declined"
    case restores
    case lists
    case opensTheApp = "opens_the_app"
    case presentsTheApp = "presents_the_app"
    case showsReceipt = "shows_receipt"
    case renews
    case fails
    case failsUntil = "fails_until"
    case graceEnds = "grace_ends"
    case recovers
    case cancels
    case resumes
    case expires
    case resubscribes
    case buysAgain = "buys_again"
    case upgrades
    case downgrades
    case keepsItsProduct = "keeps_its_product"
    case redeemsOffer = "redeems_offer"
    case priceRises = "price_rises"
    case priceIsAccepted = "price_is_accepted"
    case isExtended = "is_extended"
    case refundIsAskedFor = "refund_is_asked_for"
    case isRefunded = "is_refunded"
    case refundIsDeclined = "refund_is_declined"
    case refundIsReversed = "refund_is_reversed"
    case isShared = "is_shared"
    case isUnshared = "is_unshared"
    case addsSeats = "adds_seats"
    case losesSeats = "loses_seats"
    case losesItsCard = "loses_its_card"
    case getsACard = "gets_a_card"
    case isFinished = "is_finished"
    case appleDeletes = "apple_deletes"
    case appleSays = "apple_says"
}

extension StoreVerb {
    /// The sentences of all of them.
    package static let table = SentenceTable(forms)

    package static let forms = buying + subscribing + refunding + rest

    private static func form(
        _ verb: StoreVerb, _ english: [String], _ chinese: [String]
    ) -> SentenceForm {
        SentenceForm(verb.rawValue, english, chinese)
    }

    private static let terms = """
        [ as {name}][ with a token{#token}][ for order {order}][ , {quantity} pieces]\
        [ , {seats} seats][ on a 12-month commitment{#commitment}][ in storefront {storefront}]\
        [ with offer {offer}][ , free for {free}][ , {up_front} paid up front]\
        [ , paid period by period{#each}][ without presenting it{#unpresented}]\
        [ that nobody tells of{#untold}][ for {price}]\
        [ with a null token{#token_null}][ with an empty token{#token_empty}]\
        [ in environment {environment}][ assigned by a company{#assigned}]\
        [ with Advanced Commerce{#advanced}]
        """

    /// As they are said to the App Store in a box.
    private static let shortTerms = """
        [ as {name}][ on {apple_id}][ token{#token}][ token null{#token_null}]\
        [ token empty{#token_empty}][ order {order}][ quantity {quantity}][ seats {seats}]\
        [ commitment{#commitment}][ in {storefront}][ offer {offer}][ free {free}]\
        [ upfront {up_front}][ each{#each}][ unpresented{#unpresented}]
        """

    private static let chineseTerms = """
        [，记作 {name}][，带令牌{#token}][，用于订单 {order}][，共 {quantity} 件]\
        [，共 {seats} 个席位][，承诺 12 个月{#commitment}][，店面 {storefront}]\
        [，优惠 {offer}][，免费 {free}][，预付 {up_front}]\
        [，逐期付款{#each}][，不提交{#unpresented}][，无人告知{#untold}][，价格 {price}]\
        [，令牌为 null{#token_null}][，令牌为空{#token_empty}]\
        [，环境 {environment}][，由公司分配{#assigned}][，用 Advanced Commerce{#advanced}]
        """

    private static let buying = [
        form(
            .buys,
            [
                "{account} buys {product}[ with Apple ID {apple_id}]" + terms,
                "{account} buys {product}" + shortTerms,
            ], ["{account}[用 Apple ID {apple_id} ]购买 {product}" + chineseTerms]),
        form(
            .asksToBuy,
            [
                "{account} asks to buy {product}[ with Apple ID {apple_id}]" + terms,
                "{account} asks to buy {product}" + shortTerms,
            ], ["{account}[用 Apple ID {apple_id} ]请求购买 {product}" + chineseTerms]),
        form(.isApproved, ["{purchase} is approved"], ["家长批准 {purchase}"]),
        form(.isDeclined, ["{purchase} is declined"], ["家长拒绝 {purchase}"]),
        form(.restores, ["{account} restores {purchase}"], ["{account} 恢复购买 {purchase}"]),
        form(.lists, ["{account} lists {purchase}"], ["{account} 的设备列出 {purchase}"]),
        form(
            .opensTheApp,
            [
                "{account} opens the app with Apple ID {apple_id}",
                "{account} opens the app on {apple_id}",
            ],
            ["{account}用 Apple ID {apple_id} 打开应用"]),
        form(
            .presentsTheApp,
            [
                "the app[ , first version {version}][ , bought {bought}] , is presented by {account}"
                    + "[ with Apple ID {apple_id}][ in environment {environment}]"
            ],
            [
                "应用[，最初版本 {version}][，购买于 {bought}]，由 {account} 出示"
                    + "[，用 Apple ID {apple_id}][，环境 {environment}]"
            ]),
        form(
            .showsReceipt,
            [
                "{account} shows the receipt of Apple ID {apple_id}"
                    + "[ with purchases of Apple ID {other_apple_id}]",
                "{account} shows the receipt of {apple_id}",
            ],
            [
                "{account} 提交 Apple ID {apple_id} 的收据"
                    + "[，含 Apple ID {other_apple_id} 的购买]"
            ]),
    ]

    private static let subscribing = [
        AssumedVerb.renews.form, AssumedVerb.fails.form, AssumedVerb.failsUntil.form,
        form(
            .graceEnds, ["grace of {purchase} ends", "{purchase} grace ends"],
            ["{purchase} 的宽限期结束"]
        ),
        form(.recovers, ["{purchase} recovers"], ["{purchase} 扣款恢复"]),
        form(
            .cancels, ["{purchase} cancels"],
            ["{purchase} 关闭自动续订", "{purchase} 关闭自动续期"]),
        form(
            .resumes, ["{purchase} resumes"],
            ["{purchase} 重新打开自动续订", "{purchase} 重新打开自动续期"]),
        form(
            .expires,
            [
                "{purchase} expires[ over its price{#over_price}]"
                    + "[ because its product is gone{#product_gone}]",
                "{purchase} expires[ price{#over_price}][ product{#product_gone}]",
            ], ["{purchase} 到期[，因未同意涨价{#over_price}][，因产品已下架{#product_gone}]"]),
        form(.resubscribes, ["{purchase} resubscribes"], ["{purchase} 重新订阅"]),
        form(
            .buysAgain, ["{account} buys {purchase} again[ with a token{#token}]"],
            ["{account} 再次购买 {purchase}[，带令牌{#token}]"]),
        form(
            .upgrades,
            [
                "{purchase} upgrades to {product}"
                    + "[ , and nobody tells of the new period{#untold}]"
            ],
            ["{purchase} 升级到 {product}[，无人告知新的周期{#untold}]"]),
        form(.downgrades, ["{purchase} downgrades to {product}"], ["{purchase} 降级到 {product}"]),
        form(.keepsItsProduct, ["{purchase} keeps its product"], ["{purchase} 保留原产品"]),
        form(.redeemsOffer, ["{purchase} redeems offer {offer}"], ["{purchase} 兑换优惠 {offer}"]),
        form(
            .priceRises, ["price of {purchase} rises", "{purchase} price rises"],
            ["{purchase} 涨价"]),
        form(
            .priceIsAccepted, ["price of {purchase} is accepted", "{purchase} price is accepted"],
            ["{purchase} 的新价格被接受"]),
        form(
            .isExtended,
            ["{purchase} is extended by {days} days", "{purchase} is extended {days}"],
            ["{purchase} 延长 {days} 天"]),
        form(
            .losesItsCard,
            [
                "{purchase} loses its card[, {days} days of grace]",
                "{purchase} loses its card[ grace {days}]",
            ],
            ["{purchase} 的银行卡失效[，宽限 {days} 天]"]),
        form(.getsACard, ["{purchase} gets a card"], ["{purchase} 换上新银行卡"]),
    ]

    private static let refunding = [
        form(
            .refundIsAskedFor,
            ["refund of {purchase} is asked for", "{purchase} refund is asked for"],
            ["{purchase} 申请退款"]),
        AssumedVerb.isRefunded.form,
        form(
            .refundIsDeclined,
            ["refund of {purchase} is declined", "{purchase} refund is declined"],
            ["{purchase} 的退款被拒"]),
        form(
            .refundIsReversed,
            ["refund of {purchase} is reversed", "{purchase} refund is reversed"],
            ["{purchase} 的退款被撤销"]),
    ]

    private static let rest = [
        form(
            .isShared, ["{purchase} is shared with {account}[ as {name}]"],
            [
                "{purchase} 与 {account} 家人共享[，记作 {name}]",
                "{purchase} 与 {account} 家庭共享[，记作 {name}]",
            ]),
        form(.isUnshared, ["{purchase} is unshared"], ["{purchase} 停止共享"]),
        form(
            .addsSeats, ["{purchase} adds {seats} seats", "{purchase} adds seats {seats}"],
            ["{purchase} 增加 {seats} 个席位"]),
        form(
            .losesSeats, ["{purchase} loses {seats} seats", "{purchase} loses seats {seats}"],
            ["{purchase} 减少 {seats} 个席位"]),
        form(.isFinished, ["{purchase} is finished"], ["{purchase} 已完成交付"]),
        form(
            .appleDeletes, ["Apple deletes Apple ID {apple_id}", "Apple deletes {apple_id}"],
            ["Apple 删除 Apple ID {apple_id}"]),
        form(
            .appleSays, ["Apple says {type}[ about {purchase}]"],
            ["Apple 通知 {type}[，关于 {purchase}]"]),
    ]
}
