/// What the commands say by which a person changes something, and preflight before a purchase.
enum AdminActionPhrase: Bilingual, CaseIterable {
    case granted
    case creditGranted
    case revoked
    case blocked
    case unblocked
    case ruledFor
    case ruledNobody
    case ruledDenied
    case merged
    case unmerged
    case policyActivated
    case policyUnchanged
    case checkFolder
    case proceed
    case warn
    case block
    case claimWouldBe
    case owner

    var texts: (english: String, chinese: String) {
        switch self {
        case .granted:
            (
                "granted: %1 may use %2 %3 (grant %4; to end it: %5)",
                "已授予：%1 可以使用 %2，%3（授予 %4；终止：%5）"
            )
        case .creditGranted:
            (
                "granted: %2 for %1 (grant %4; to take it back: %5)",
                "已授予：%1 获得 %2（授予 %4；收回：%5）"
            )
        case .revoked:
            ("ended: grant %1 of %2 to %3", "已终止：授予 %1（%2，账号 %3）")
        case .blocked:
            (
                "blocked: %1 (block %2; to lift it: %3)",
                "已停用：%1（停用 %2；解除：%3）"
            )
        case .unblocked: ("lifted: block %2 on %1", "已解除：%1 的停用 %2")
        case .ruledFor: ("done: %1 belongs to %2", "已完成：%1 归 %2 所有")
        case .ruledNobody: ("done: %1 belongs to nobody", "已完成：%1 无所属账号")
        case .ruledDenied: ("done: the claim is refused; %1 belongs to %2", "已完成：认领已拒绝；%1 归 %2 所有")
        case .merged:
            (
                "merged: what was %1's is %2's (merge %3; to take it back: %4)",
                "已合并：%1 的内容归 %2 所有（合并 %3；撤回：%4）"
            )
        case .unmerged:
            (
                "taken back: merge %3 of %1 and %2", "已撤回：%1 与 %2 的合并 %3"
            )
        case .policyActivated: ("policy activated: %1", "策略已生效：%1")
        case .policyUnchanged: ("policy unchanged: %1", "策略未变：%1")
        case .checkFolder:
            (
                "the running policy stays; see the errors with 'usher policy check FOLDER'",
                "运行中的策略保持不变；可用“usher policy check 文件夹”查看错误"
            )
        case .proceed: ("go on: %1 may buy %2", "可以继续：%1 可以购买 %2")
        case .warn: ("warn first: %1 wants to buy %2", "先提醒：%1 想购买 %2")
        case .block: ("stop: %1 must not buy %2", "阻止：%1 不应购买 %2")
        case .claimWouldBe: ("the claim would be: %1", "认领结果将是：%1")
        case .owner: ("of account %1", "属于账号 %1")
        }
    }
}
