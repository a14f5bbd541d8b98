/// What `usher explain` says.
enum ExplainPhrase: Bilingual, CaseIterable {
    case asked
    case because
    case stateIs
    case revokedAt
    case leftFamilyAt
    case silentSince
    case becameProduct
    case holds
    case holdsAlways
    case source
    case granted
    case renews
    case doesNotRenew
    case retries
    case graceUntil
    case purchases
    case noPurchases
    case notOwned
    case claims
    case noClaims
    case grants
    case blocks
    case unclaimed
    case facts
    case noFacts
    case factTransaction
    case factBought
    case factPaidUntil
    case factRevoked
    case factSigned
    case factRecorded
    case factRenewal
    case factClaimDecision
    case factRuling
    case factMerge
    case factUnmerge
    case factGrant
    case factGrantRevocation
    case factBlock
    case factOther
    case evidence
    case wouldChange
    case missTime
    case missLiftBlock
    case missApproveClaim
    case missTransferClaim
    case missExtendGrant
    case missRenew
    case missReverseRefund
    case missBuy
    case missRefund
    case missRevokeGrant
    case missBlock
    case missPolicy
    case command

    var texts: (english: String, chinese: String) {
        fixed ?? miss
    }

    private var fixed: (english: String, chinese: String)? {
        switch self {
        case .asked: (" (%1, at %2)", "（%1，截至 %2）")
        case .because: ("why: %1", "原因：%1")
        case .stateIs: ("state: %1", "状态：%1")
        case .revokedAt: ("%1, by Apple at %2", "%1，由 Apple 于 %2 处理")
        case .leftFamilyAt:
            (
                "removed from the family sharing by the organiser, at %1",
                "已于 %1 被组织者移出家人共享"
            )
        case .silentSince: ("nothing heard from Apple since %1", "自 %1 起未收到 Apple 的消息")
        case .becameProduct:
            ("the subscription changed from %1 to %2", "该订阅已由 %1 变更为 %2")
        case .holds: ("unchanged %1", "期间不变：%1")
        case .holdsAlways: ("so at all times", "任何时候都是如此")
        case .source:
            (
                "it comes from %1, transaction %2 of original transaction %3",
                "来自 %1，交易 %2，原始交易 %3"
            )
        case .granted: ("it comes from grant %1", "来自人工授予 %1")
        case .renews: ("renews by itself", "会自动续订")
        case .doesNotRenew: ("does not renew", "不会续订")
        case .retries: ("Apple tries the payment again", "Apple 正在重试扣款")
        case .graceUntil: ("grace period until %1", "宽限期至 %1")
        case .purchases: ("purchases that can give it", "可带来该权益的购买")
        case .noPurchases:
            (
                "this account has and had no purchase that gives it",
                "该账号现在和以前都没有可带来该权益的购买"
            )
        case .notOwned: ("not this account's at that instant", "该时刻不归此账号所有")
        case .claims: ("claims on them", "相关认领")
        case .noClaims: ("nobody has presented such a purchase", "没有人出示过这样的购买")
        case .grants: ("given by hand", "人工授予")
        case .blocks: ("blocks on the account", "账号停用")
        case .unclaimed:
            ("payments on this Apple ID that nobody has claimed", "此 Apple ID 上无人认领的付款")
        case .facts: ("facts that it follows from", "依据的事实")
        case .noFacts: ("no fact gives it", "没有任何事实带来该权益")
        case .factTransaction: ("%1: Apple signed transaction %2 of %3", "%1：Apple 签署了交易 %2（%3）")
        case .factBought: ("bought %1", "购买于 %1")
        case .factPaidUntil: ("paid until %1", "已付费至 %1")
        case .factRevoked: ("refunded or revoked %1", "退款或撤销于 %1")
        case .factSigned: ("signed %1", "签署于 %1")
        case .factRecorded: ("recorded %1", "记录于 %1")
        case .factRenewal:
            (
                "%1: Apple signed how original transaction %2 renews",
                "%1：Apple 签署了原始交易 %2 的续订信息"
            )
        case .factClaimDecision:
            ("%1: claim %2 of %3 was decided: %4", "%1：对 %3 的认领 %2 作出决定：%4")
        case .factRuling: ("%1: a person decided: %2", "%1：人工决定：%2")
        case .factMerge: ("%1: account %2 was merged into %3", "%1：账号 %2 已并入 %3")
        case .factUnmerge:
            ("%1: the merge of %2 into %3 was taken back", "%1：已撤回 %2 并入 %3 的合并")
        case .factGrant: ("%1: given by hand, grant %2: %3", "%1：人工授予 %2：%3")
        case .factGrantRevocation: ("%1: grant %2 was ended: %3", "%1：人工授予 %2 已终止：%3")
        case .factBlock: ("%1: the account was blocked, block %2: %3", "%1：账号已停用，停用 %2：%3")
        case .factOther: ("%1: a fact of another kind", "%1：其他事实")
        case .evidence:
            ("evidence %1 (%2), SHA-256 %3", "凭证 %1（%2），SHA-256 %3")
        default: nil
        }
    }

    private var miss: (english: String, chinese: String) {
        switch self {
        case .wouldChange: ("what would change it: %1", "如何改变结果：%1")
        case .missTime: ("time alone, at %1", "到 %1 自行改变")
        case .missLiftBlock: ("lifting block %1", "解除停用 %1")
        case .missApproveClaim: ("approving claim %1", "批准认领 %1")
        case .missTransferClaim:
            ("support moving the purchase of claim %1 to this account", "由客服把认领 %1 的购买转到此账号")
        case .missExtendGrant: ("grant %1, if it had not ended", "人工授予 %1（若未终止）")
        case .missRenew:
            ("a renewal of original transaction %1 (%2)", "原始交易 %1 续订（%2）")
        case .missReverseRefund:
            ("Apple taking back the refund of transaction %1", "Apple 撤回交易 %1 的退款")
        case .missBuy: ("buying %1", "购买 %1")
        case .missRefund: ("a refund of transaction %1", "交易 %1 退款")
        case .missRevokeGrant: ("ending grant %1", "终止人工授予 %1")
        case .missBlock: ("a block on the account", "停用该账号")
        case .missPolicy:
            ("only another policy: nothing that is sold gives it", "只有修改策略：在售商品都不含此权益")
        case .command: ("by: %1", "命令：%1")
        default: preconditionFailure("every phrase is in one of the two tables")
        }
    }
}
