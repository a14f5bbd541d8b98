/// What `usher status` says.
enum StatusPhrase: Bilingual, CaseIterable {
    case ready
    case readOnly
    case diskFull
    case version
    case running
    case since
    case days
    case hours
    case minutes
    case policy
    case policyRejected
    case ledger
    case kept
    case anchor
    case ledgerUnreadable
    case ledgerReplaced
    case clockBehind
    case clockStepped
    case connections
    case open
    case turnedAway
    case questions
    case linesLost
    case evidence
    case judged
    case refused
    case unrecorded
    case quarantined
    case comma

    var texts: (english: String, chinese: String) {
        switch self {
        case .ready: ("ready", "运行正常")
        case .readOnly:
            (
                "read-only: after a failure nothing is written any more; repair it and restart",
                "只读：发生故障后不再写入；请修复后重新启动"
            )
        case .diskFull:
            (
                "read-only: the disk of the ledger is full; make room, and it goes on by itself",
                "只读：账本所在磁盘已满；腾出空间后将自动恢复"
            )
        case .version: ("version", "版本")
        case .running: ("running", "运行时间")
        case .since: ("since %1 (%2)", "自 %1 起（%2）")
        case .days: ("%1 d %2 h", "%1 天 %2 小时")
        case .hours: ("%1 h %2 min", "%1 小时 %2 分")
        case .minutes: ("%1 min", "%1 分")
        case .policy: ("policy", "策略")
        case .policyRejected:
            (
                "the policy folder has changed and was refused; 'usher policy check' says why:",
                "策略文件夹已更改，但未被接受；原因见“usher policy check”："
            )
        case .ledger: ("ledger", "账本")
        case .kept:
            (
                "entry %1, recorded %2; %3, and %4 in its log; writes waiting: %5",
                "条目 %1，记录于 %2；%3，日志 %4；等待写入：%5"
            )
        case .anchor: ("anchor", "锚点")
        case .ledgerUnreadable: ("the ledger cannot be read", "账本无法读取")
        case .ledgerReplaced:
            (
                "the ledger was moved, removed, replaced or written by another program: put the "
                    + "right file in its place, then restart",
                "账本已被移动、删除、替换或被其他程序写入：请放回正确的文件，然后重新启动"
            )
        case .clockBehind:
            (
                "the clock is behind the ledger: answers are as of its newest entry, less five "
                    + "minutes; set the clock right",
                "系统时钟落后于账本：按最新条目的时间减五分钟应答；请校正时钟"
            )
        case .clockStepped:
            (
                "the clock was set by more than five minutes since the start",
                "启动以来系统时钟被调整超过五分钟"
            )
        case .connections: ("connections", "连接")
        case .open: ("%1 on query.sock, %2 on usher.sock", "query.sock %1 个，usher.sock %2 个")
        case .turnedAway: ("turned away: %1", "已拒绝：%1")
        case .questions: ("questions", "查询")
        case .linesLost: ("log lines that could not be written: %1", "未能写入的日志行数：%1")
        case .evidence: ("evidence", "凭证")
        case .judged: ("%1 accepted since the start", "启动以来接受 %1 条")
        case .refused: ("%1 refused", "拒绝 %1 条")
        case .unrecorded: ("%1 of these without an audit line", "其中 %1 条未留审计记录")
        case .quarantined: ("%1 kept aside", "留存待查 %1 条")
        case .comma: (", ", "，")
        }
    }
}
