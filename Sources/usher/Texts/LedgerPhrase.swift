/// What `usher ledger …` says.
enum LedgerPhrase: Bilingual, CaseIterable {
    case verifying
    case sound
    case soundChain
    case notSound
    case looked
    case otherRules
    case unknownDecisions
    case erased
    case problem
    case anchor
    case backedUp
    case noFolder
    case restored
    case notRestored
    case newest
    case newestAt
    case accounts
    case lineages
    case transactions
    case size
    case sizeWithLog
    case outdated
    case entries

    var texts: (english: String, chinese: String) {
        switch self {
        case .verifying: ("verifying", "正在核对")
        case .sound: ("sound: %1", "完好：%1")
        case .soundChain:
            (
                "sound: %1, as far as file, chain and index go",
                "完好：%1（仅核对了文件、哈希链和索引）"
            )
        case .notSound: ("not sound: %1", "不可信：%1")
        case .looked:
            (
                "entries: %1; evidence verified again: %2; decisions made again: %3",
                "条目 %1 条；重新验证凭证 %2 条；重新作出决定 %3 项"
            )
        case .otherRules:
            (
                "decisions by other versions of the rules than %1, not made again: %2",
                "由规则版本 %1 以外的版本作出、未重新作出的决定 %2 项"
            )
        case .unknownDecisions:
            (
                "decisions that depend on erased entries, not made again: %1",
                "取决于已擦除条目、未重新作出的决定 %1 项"
            )
        case .erased:
            (
                "erased entries: %1; nothing can be said of them but that they are there",
                "内容已被擦除的条目 %1 条；只能确认它们存在"
            )
        case .problem: ("entry %1", "条目 %1")
        case .anchor: ("anchor %1", "锚点 %1")
        case .backedUp: ("%1 holds the ledger up to entry %2", "%1 已保存账本至条目 %2")
        case .noFolder:
            (
                "the service has no folder for backups: set 'backups' in its configuration",
                "服务没有备份文件夹：请在其配置中设置“backups”"
            )
        case .restored: ("%1 was made of %2", "已由 %2 恢复 %1")
        case .notRestored:
            ("%1 is not sound, so nothing was made of it", "%1 不完好，未作任何恢复")
        case .newest: ("newest entry", "最新条目")
        case .newestAt: ("%1, recorded %2", "%1，记录于 %2")
        case .accounts: ("accounts", "账号")
        case .lineages: ("purchases and subscriptions", "购买与订阅")
        case .transactions: ("transactions", "交易")
        case .size: ("size", "大小")
        case .sizeWithLog: ("%1, and %2 in its log", "%1，日志 %2")
        case .outdated:
            (
                "SQLite %1 may damage the log if another program writes to the file; update it",
                "SQLite %1 在其他程序写入该文件时可能损坏日志；请更新"
            )
        case .entries: ("Entries", "条目")
        }
    }
}
