package import EntitlementModel
internal import Sentences
internal import StoreBox

/// What happens in a story outside the App Store: what back ends, support and the service do. The
/// raw value is the key of the long form.
enum StoryVerb: String, CaseIterable, Hashable, Sendable {
    case presents
    case appleTells = "apple_tells"
    case registersToken = "registers_token"
    case grants
    case grantsCredit = "grants_credit"
    case revokesGrant = "revokes_grant"
    case blocks
    case blocksSpending = "blocks_spending"
    case liftsBlock = "lifts_block"
    case closes
    case reopens
    case erases
    case approves
    case refuses
    case transfers
    case releases
    case merges
    case undoesMerge = "undoes_merge"
    case spends
    case holds
    case captures
    case releasesHold = "releases_hold"
    case reversesSpend = "reverses_spend"
    case thaws
    case makesOrder = "makes_order"
    case reportsOrder = "reports_order"
    case settlesOrder = "settles_order"
    case refusesOrder = "refuses_order"
    case undoesOrder = "undoes_order"
    case reassignsOrder = "reassigns_order"
    case reportsInvalid = "reports_invalid"
    case reportsValid = "reports_valid"
    case consents
    case withdrawsConsent = "withdraws_consent"
    case answersRefund = "answers_refund"
    case appleIsAway = "apple_is_away"
    case appleIsBack = "apple_is_back"
    case policyChanges = "policy_changes"
    case nothingHappens = "nothing_happens"
}

extension StoryVerb {
    static let forms = evidence + support + credits + orders + rest

    private static func form(
        _ verb: StoryVerb, _ english: String, _ chinese: String...
    ) -> SentenceForm {
        SentenceForm(verb.rawValue, [english], chinese)
    }

    private static let evidence = [
        form(
            .presents, "{account} presents {purchase}[ for order {order}]",
            "{account} 提交 {purchase}[，用于订单 {order}]"),
        form(.appleTells, "Apple tells of {purchase}", "Apple 告知 {purchase}"),
        form(.registersToken, "{account} registers a token", "{account} 登记令牌"),
        form(
            .reportsInvalid, "{account} reports {product} as invalid at the store",
            "{account} 报告 {product} 在商店中无效"),
        form(
            .reportsValid, "{account} reports no product as invalid at the store",
            "{account} 报告商店中没有无效产品"),
    ]

    private static let support = [
        AssumedVerb.grants.form, AssumedVerb.grantsCredit.form,
        form(
            .revokesGrant, "support revokes grant {grant}", "客服收回授予 {grant}",
            "客服收回赠予 {grant}"),
        AssumedVerb.blocks.form, AssumedVerb.blocksSpending.form,
        form(
            .liftsBlock, "support lifts block {block}", "客服解除停用 {block}",
            "客服解除封禁 {block}"),
        form(.closes, "support closes {account}", "客服关闭账号 {account}"),
        form(.reopens, "support reopens {account}", "客服重新开放账号 {account}"),
        form(.erases, "support erases {account}", "客服擦除账号 {account}"),
        AssumedVerb.approves.form,
        form(
            .refuses, "support refuses the claim of {account} on {purchase}",
            "客服驳回 {account} 对 {purchase} 的认领"),
        form(
            .transfers, "support transfers {purchase} to {account}",
            "客服把 {purchase} 转给 {account}"),
        form(
            .releases, "support releases {purchase}[ from {account}]",
            "客服释放 {purchase}[，仅 {account}]"),
        form(.merges, "support merges {account} into {into}", "客服把 {account} 并入 {into}"),
        form(
            .undoesMerge, "support undoes the merge of {account}",
            "客服撤销 {account} 的合并"),
    ]

    private static let credits = [
        form(
            .spends, "{account} spends {units} {credit}[ as {name}]",
            "{account} 花费 {units} 个 {credit}[，记作 {name}]"),
        form(
            .holds, "{account} holds {units} {credit} until {until}[ as {name}]",
            "{account} 预留 {units} 个 {credit} 至 {until}[，记作 {name}]"),
        form(
            .captures, "{units} {credit} of hold {hold} are captured[ as {name}]",
            "从预留 {hold} 中扣除 {units} 个 {credit}[，记作 {name}]"),
        form(.releasesHold, "hold {hold} is released", "取消预留 {hold}"),
        form(
            .reversesSpend, "spend {spend} is reversed[ by {units} {credit}]",
            "撤销花费 {spend}[，退回 {units} 个 {credit}]"),
        form(.thaws, "support thaws {credit} of {account}", "客服解冻 {account} 的 {credit}"),
    ]

    private static let orders = [
        form(
            .makesOrder,
            "{account} orders {product}[ , {quantity} pieces][ for {price}] as {order}",
            "{account} 下单 {product}[，共 {quantity} 件][，价格 {price}]，记作 {order}"),
        form(
            .reportsOrder, "{account} reports {event} for order {order}[ naming {naming}]",
            "{account} 为订单 {order} 报告 {event}[，指明 {naming}]"),
        form(
            .settlesOrder, "support settles order {order}[ with {with}]",
            "客服结清订单 {order}[，凭 {with}]"),
        form(.refusesOrder, "support refuses order {order}", "客服拒绝订单 {order}"),
        form(
            .undoesOrder, "support undoes the ruling on order {order}",
            "客服撤销对订单 {order} 的裁定"),
        form(
            .reassignsOrder, "support reassigns order {order} to {account}",
            "客服把订单 {order} 改给 {account}"),
    ]

    private static let rest = [
        form(
            .consents, "{account} lets Apple be told about refunds",
            "{account} 同意向 Apple 提供退款信息"),
        form(
            .withdrawsConsent, "{account} no longer lets Apple be told about refunds",
            "{account} 不再同意向 Apple 提供退款信息"),
        form(
            .answersRefund, "support answers refund request {number}",
            "客服答复退款请求 {number}"),
        form(.appleIsAway, "Apple is away", "Apple 无法访问"),
        form(.appleIsBack, "Apple is back", "Apple 恢复访问"),
        form(
            .policyChanges, "policy {folder} comes into force", "策略 {folder} 生效"),
        form(.nothingHappens, "nothing happens", "什么都没有发生"),
    ]
}

extension SentenceForm {
    /// The sentence with its slots.
    func pattern(in language: Language) -> String { patterns(in: language).first?.shown ?? "" }

    /// The words that a slot of it allows, where they can be counted.
    var words: [(slot: SentenceSlot, words: [String])] {
        slots.compactMap { slot in
            StoryNames.words(for: slot, of: verb).map { (slot, $0) }
        }
    }
}

/// A part of the grammar.
enum StepSection: CaseIterable, Sendable {
    case store
    case service
    case expectations

    var steps: [SentenceForm] {
        switch self {
        case .store: StoreVerb.forms
        case .service: StoryVerb.forms
        case .expectations: StoryExpectation.forms
        }
    }

    var phrase: StoryPhrase {
        switch self {
        case .store: .inStore
        case .service: .outsideStore
        case .expectations: .expectations
        }
    }
}

/// The whole grammar as text, a verb in both languages.
package func listedSteps(in language: Language) -> String {
    var lines: [String] = []
    for section in StepSection.allCases {
        if !lines.isEmpty { lines.append("") }
        lines.append(section.phrase.text(language))
        for step in section.steps {
            lines.append("  " + step.verb)
            lines += Language.allCases.map { "      " + step.pattern(in: $0) }
            lines += step.words.map { slot, words in
                "      {\(slot.rawValue)}: " + words.joined(separator: " | ")
            }
        }
    }
    return lines.joined(separator: "\n") + "\n"
}
