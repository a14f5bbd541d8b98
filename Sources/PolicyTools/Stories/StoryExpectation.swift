internal import Sentences
internal import StoreBox

/// What a story can expect. The raw value is the key of the long form.
enum StoryExpectation: String, CaseIterable, Hashable, Sendable {
    case has = "expect_has"
    case lacks = "expect_lacks"
    case balance = "expect_balance"
    case lapse = "expect_lapse"
    case finding = "expect_finding"
    case noFinding = "expect_no_finding"
    case preflight = "expect_preflight"
    case order = "expect_order"
    case sameOrder = "expect_same_order"
    case otherOrder = "expect_other_order"
    case ownOrder = "expect_own_order"
    case lostOrder = "expect_lost_order"
    case lostPayment = "expect_lost_payment"
    case nothingLost = "expect_nothing_lost"
    case owner = "expect_owner"
    case noOwner = "expect_no_owner"
    case claim = "expect_claim"
    case change = "expect_change"
    case noChange = "expect_no_change"
    case told = "expect_told"
    case untold = "expect_untold"
    case refundRequest = "expect_refund_request"
    case appleTold = "expect_apple_told"
    case appleToldNumbers = "expect_apple_told_numbers"
    case appleToldCount = "expect_apple_told_count"
    case appleToldNothing = "expect_apple_told_nothing"
    case tokenSet = "expect_token_set"
    case tokenWaits = "expect_token_waits"
    case rejected = "expect_rejected"
}

extension StoryExpectation {
    static let forms = rights + judged + orders + refunds

    private static func form(
        _ verb: StoryExpectation, _ english: String, _ chinese: String
    ) -> SentenceForm {
        SentenceForm(verb.rawValue, ["expect " + english], ["期望 " + chinese])
    }

    private static let details = """
        [ , state {state}][ , reason {reason}][ , until {until}][ , always{#always}]\
        [ , paid until {paid_until}][ , because {rule}][ , in {environment}]
        """

    private static let chineseDetails = """
        [，状态 {state}][，原因 {reason}][，至 {until}][，永久{#always}]\
        [，已付至 {paid_until}][，因为 {rule}][，环境 {environment}]
        """

    private static let rights = [
        form(
            .has, "{account} has {entitlement}" + details,
            "{account} 有 {entitlement}" + chineseDetails),
        form(
            .lacks, "{account} lacks {entitlement}" + details,
            "{account} 没有 {entitlement}" + chineseDetails),
        form(
            .balance, "{account} has {units} {credit}[ , in {environment}]",
            "{account} 有 {units} 个 {credit}[，环境 {environment}]"),
        form(
            .lapse, "{units} {credit} of {account} lapse on {until}[ , in {environment}]",
            "{account} 的 {units} 个 {credit} 于 {until} 过期[，环境 {environment}]"),
        form(
            .change, "{account} {change} {entitlement} in the feed",
            "变更流中 {account} {change} {entitlement}"),
        form(
            .noChange, "no change of {account} in the feed", "变更流中 {account} 没有变化"),
        form(
            .told, "{account} is told in the feed that {units} {credit} lapse on {until}",
            "变更流中告知 {account} 有 {units} 个 {credit} 于 {until} 过期"),
        form(
            .untold, "{account} is not told in the feed that {credit} lapse",
            "变更流中没有告知 {account} 有 {credit} 过期"),
    ]

    private static let judged = [
        form(
            .finding, "finding {finding}[ about {account}]",
            "发现 {finding}[，关于 {account}]"),
        form(
            .noFinding, "no finding {finding}[ about {account}]",
            "没有发现 {finding}[，关于 {account}]"),
        form(
            .preflight,
            "preflight of {product} for {account}[ with Apple ID {apple_id}] is {verdict}"
                + "[ , code {code}][ , claim {outcome}]",
            "{account}[用 Apple ID {apple_id} ]购买 {product} 的预检为 {verdict}"
                + "[，代码 {code}][，认领 {outcome}]"),
        // Before the other: nobody is no account.
        form(.noOwner, "{purchase} belongs to nobody", "{purchase} 不属于任何人"),
        form(.owner, "{purchase} belongs to {account}", "{purchase} 属于 {account}"),
        form(
            .claim, "claim of {account} on {purchase} is {outcome}[ , because {rule}]",
            "{account} 对 {purchase} 的认领为 {outcome}[，因为 {rule}]"),
        form(
            .tokenSet, "Apple has the token of {account} for {purchase}",
            "Apple 已为 {purchase} 设置 {account} 的令牌"),
        form(
            .tokenWaits, "the token of {account} waits to be set for {purchase}",
            "{account} 的令牌等待设置于 {purchase}"),
        form(.rejected, "rejection {code}", "被拒绝 {code}"),
    ]

    private static let orders = [
        form(
            .order, "order {order} is {state}[ , found by {basis}][ , promised until {until}]",
            "订单 {order} 为 {state}[，由 {basis} 找到][，承诺至 {until}]"),
        form(
            .sameOrder, "order {order} is the same as order {other}",
            "订单 {order} 就是订单 {other}"),
        form(.otherOrder, "order {order} is not order {other}", "订单 {order} 不是订单 {other}"),
        form(
            .ownOrder,
            "{purchase} pays an order of its own beside order {order}, state {state}",
            "{purchase} 支付订单 {order} 之外自己的订单，状态 {state}"),
        form(
            .lostOrder, "order {order} is lost as {reason}", "订单 {order} 丢失，原因 {reason}"),
        form(
            .lostPayment, "{purchase} is lost as {reason}", "{purchase} 丢失，原因 {reason}"),
        form(.nothingLost, "nothing is lost", "没有丢失"),
    ]

    private static let refunds = [
        form(
            .refundRequest,
            "refund request {number} is {state}[ , obstacle {reason}][ , no obstacle{#no_obstacle}]"
                + "[ , answer {outcome}][ , because {rule}]",
            "退款请求 {number} 为 {state}[，障碍 {reason}][，无障碍{#no_obstacle}]"
                + "[，答复 {outcome}][，因为 {rule}]"),
        form(
            .appleTold,
            "Apple is told {preference} of {purchase}[ , {percent} percent used]"
                + "[ , without a percentage{#no_percent}][ , delivery {delivery}]"
                + "[ , tried before{#tried}][ , not tried before{#untried}]",
            "已就 {purchase} 告知 Apple {preference}[，已用百分之 {percent}]"
                + "[，不含百分比{#no_percent}][，交付 {delivery}][，曾试用{#tried}]"
                + "[，未曾试用{#untried}]"),
        form(
            .appleToldNumbers,
            "Apple is told in numbers of {purchase}, consumption {consumption}"
                + ", delivery {delivery}, preference {preference}",
            "已就 {purchase} 以数字告知 Apple，消耗 {consumption}，交付 {delivery}"
                + "，偏好 {preference}"),
        form(
            .appleToldCount, "the count of answers to Apple is {number}",
            "对 Apple 的答复共 {number} 次"),
        form(.appleToldNothing, "Apple is told nothing", "未告知 Apple 任何内容"),
    ]
}

/// Everything that a story can say.
let storyTable = SentenceTable(
    StoryExpectation.forms + StoryVerb.forms + StoreVerb.forms)
