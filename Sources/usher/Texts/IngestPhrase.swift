/// What `usher ingest` says.
enum IngestPhrase: Bilingual, CaseIterable {
    case done
    case rate
    case left
    case refusedSoFar
    case refused
    case keptAside
    case claimDenied
    case more
    case summary
    case policyWaits
    case stopping
    case stopped
    case badLine
    case badFile
    case recordedAt
    case notImported

    var texts: (english: String, chinese: String) {
        switch self {
        case .done: ("%1 handed in", "已提交 %1 条")
        case .rate: ("%1/s", "每秒 %1 条")
        case .left: ("%1 left", "剩余 %1")
        case .refusedSoFar: ("%1 refused", "拒绝 %1 条")
        case .refused: ("refused, %1: %2 [%3]", "被拒绝 %1 条：%2 [%3]")
        case .keptAside:
            ("kept aside without effect, %1: %2 [%3]", "已留存待查、不生效 %1 项：%2 [%3]")
        case .claimDenied: ("claims, %1: %2 [%3]", "认领 %1 项：%2 [%3]")
        case .more: ("and %1 more", "以及另外 %1 条")
        case .summary:
            (
                "%1 submitted: %2 accepted, %3 kept aside, %4 refused; claims denied: %5",
                "共提交 %1 条：接受 %2 条，留存待查 %3 条，拒绝 %4 条；认领被拒 %5 项"
            )
        case .policyWaits:
            (
                "the policy may take something away from those who have it; accept that in its "
                    + "accept.yaml with 'from: %1'",
                "该策略可能使人失去权益；请在其 accept.yaml 中以“from: %1”表示接受"
            )
        case .stopping:
            (
                "stopping once what is under way is done; the second time at once",
                "完成当前批次后停止；再次中断则立即停止"
            )
        case .stopped:
            (
                "stopped after %1: the same command with --skip %1 goes on from there; handing in "
                    + "everything again does no harm, what is known is not recorded twice",
                "已在第 %1 条后停止：用同一命令加 --skip %1 可继续；全部重新提交也无妨，已有记录不会重复"
            )
        case .badLine: ("this is no line of evidence", "这不是一条凭证记录")
        case .badFile: ("the file cannot be read", "无法读取文件")
        case .recordedAt:
            (
                "an import says when each piece was first known (recorded_at), never before the "
                    + "one before it and not in the future",
                "导入时每条都须注明首次获知的时间（recorded_at），不得早于前一条，也不得在未来"
            )
        case .notImported:
            (
                "recorded_at is for imports into a ledger (--ledger)",
                "recorded_at 仅用于向账本导入（--ledger）"
            )
        }
    }
}
