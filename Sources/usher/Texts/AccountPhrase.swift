/// What the pages on an account say: `show`, `findings`, `claims list` and the parts that
/// `explain` shares with them.
enum AccountPhrase: Bilingual, CaseIterable {
    case title
    case nothingKnown
    case rights
    case purchases
    case balances
    case grants
    case blocks
    case claims
    case findings
    case yes
    case no
    case always
    case since
    case until
    case fromUntil
    case paidUntil
    case expiredBecause
    case lineage
    case transaction
    case appleID
    case ownedBy
    case ownedByNobody
    case entries
    case noCredits
    case balanceIs
    case grantNamed
    case given
    case givenBy
    case grantOver
    case blockStanding
    case blockOver
    case claim
    case owners
    case noOwner
    case noFindings
    case findingsIncomplete
    case noClaims
    case about
    case duplicateSide
    case renewsAt
    case overlap
    case keep

    var texts: (english: String, chinese: String) {
        switch self {
        case .title: ("%1 at %2", "%1，截至 %2")
        case .nothingKnown: ("nothing is known of this account", "没有该账号的任何记录")
        case .rights: ("Rights", "权益")
        case .purchases: ("Purchases", "购买")
        case .balances: ("Balances", "余额")
        case .grants: ("Given by hand", "人工授予")
        case .blocks: ("Blocks", "停用")
        case .claims: ("Claims", "认领")
        case .findings: ("Findings", "待关注事项")
        case .yes: ("yes", "可用")
        case .no: ("no", "不可用")
        case .always: ("for ever", "永久")
        case .since: ("from %1", "自 %1 起")
        case .until: ("until %1", "到 %1 为止")
        case .fromUntil: ("from %1 until %2", "%1 至 %2")
        case .paidUntil: ("paid until %1", "已付费至 %1")
        case .expiredBecause: ("%1: %2", "%1：%2")
        case .lineage: ("original transaction %1", "原始交易 %1")
        case .transaction: ("transaction %1", "交易 %1")
        case .appleID: ("Apple ID %1", "Apple ID：%1")
        case .ownedBy: ("belongs to %1 %2 (decision %3)", "归 %1 所有，%2（决定 %3）")
        case .ownedByNobody: ("belongs to nobody", "无所属账号")
        case .entries: ("%1 entries", "共 %1 笔")
        case .noCredits: ("no credits", "没有余额")
        case .balanceIs: ("%1: %2", "%1：%2")
        case .grantNamed: ("grant %1", "授予 %1")
        case .given: ("%1 %2 (grant %3)", "%1，%2（授予 %3）")
        case .givenBy: ("by %1: %2", "操作者 %1：%2")
        case .grantOver: ("ended %1 by %2: %3", "已于 %1 由 %2 终止：%3")
        case .blockStanding: ("stands since %1 (block %2)", "自 %1 起停用（停用 %2）")
        case .blockOver: ("lifted %1 by %2: %3", "已于 %1 由 %2 解除：%3")
        case .claim:
            ("claim %1: %2 presented transaction %3 %4 at %5", "认领 %1：%2 %4出示交易 %3，%5")
        case .owners: ("owned by %1 after it", "之后归 %1 所有")
        case .noOwner: ("owned by nobody after it", "之后无所属账号")
        case .noFindings: ("nothing to look at", "没有待关注事项")
        case .findingsIncomplete:
            (
                "not all of the ledger has been looked at yet: ask again later",
                "账本尚未全部检查完，请稍后再查"
            )
        case .noClaims: ("no claims", "没有认领")
        case .about: ("about %1", "涉及 %1")
        case .duplicateSide: ("%1 (%2) on Apple ID %3", "%1（%2），Apple ID：%3")
        case .renewsAt: ("renews %1", "%1 续订")
        case .overlap: ("both ran for %1 days", "重叠 %1 天")
        case .keep: ("keep %1", "建议保留 %1")
        }
    }
}
