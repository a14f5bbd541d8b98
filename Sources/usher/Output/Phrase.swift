/// What all commands say to people. The pages of single commands have tables beside this one.
enum Phrase: Bilingual, CaseIterable {
    case mayUse
    case mayNotUse
    case until
    case because
    case listSeparator
    case clauseSeparator
    case grant
    case rule
    case builtInRule
    case noService
    case noServiceNorLedger
    case serviceRejected
    case unreadableAnswer
    case ledgerUnusable
    case fileUnreadable
    case fileUnwritable
    case played
    case policyClean
    case policyFolderUnreadable
    case serving
    case policyRefusedAtStart
    case lastPolicyStays
    case policyWaits
    case configurationUnreadable
    case unknownAccount
    case nothingKnown
    case unknownCommand
    case seeHelp
    case unknownEntitlement

    var texts: (english: String, chinese: String) {
        switch self {
        case .mayUse: ("yes: %1 may use %2", "可以：%1 可以使用 %2")
        case .mayNotUse: ("no: %1 may not use %2", "不可以：%1 不可以使用 %2")
        case .until: (" until %1", "，到 %1 为止")
        case .because: (" (%1)", "（%1）")
        case .listSeparator: (", ", "，")
        case .clauseSeparator: ("; ", "；")
        case .grant: ("granted by hand: %1", "人工授予：%1")
        case .rule: ("rule '%1' at %2", "规则“%1”，位于 %2")
        case .builtInRule: ("built-in rule '%1'", "内置规则“%1”")
        case .noService:
            (
                "no service answers at %1; start one with 'usher serve'",
                "%1 上没有服务应答；请用“usher serve”启动服务"
            )
        case .noServiceNorLedger:
            (
                "no service answers at %1; start one with 'usher serve' or name a ledger with "
                    + "--ledger",
                "%1 上没有服务应答；请用“usher serve”启动服务，或用 --ledger 指定账本文件"
            )
        case .serviceRejected: ("the service refused: %2 [%1]", "服务拒绝了请求：%2 [%1]")
        case .unreadableAnswer:
            ("the answer could not be read", "无法读取服务的应答")
        case .ledgerUnusable: ("%1 [%2]", "%1 [%2]")
        case .unknownEntitlement:
            (
                "no policy ever named this entitlement [entitlement.unknown]",
                "从未有策略命名过此权益 [entitlement.unknown]"
            )
        case .fileUnreadable: ("cannot read %1", "无法读取 %1")
        case .fileUnwritable: ("cannot write %1", "无法写入 %1")
        case .played: ("%1 pieces of evidence", "共 %1 条凭证")
        case .policyClean: ("policy is valid: %1", "策略有效：%1")
        case .policyFolderUnreadable:
            ("the policy folder %1 cannot be read", "无法读取策略文件夹 %1")
        case .serving: ("serving on %1 with policy %2", "正在 %1 提供服务，策略 %2")
        case .policyRefusedAtStart:
            ("the policy has errors, so the service does not start", "策略有错误，服务未启动")
        case .lastPolicyStays:
            (
                "the policy folder was refused; the policy last in force stays: %1",
                "策略文件夹未被接受；此前生效的策略保持不变：%1"
            )
        case .policyWaits:
            (
                "the policy folder waits, since it may take something away; the policy last in "
                    + "force stays: %1",
                "策略文件夹可能使人失去权益，正在等待接受；此前生效的策略保持不变：%1"
            )
        case .configurationUnreadable:
            ("the configuration %1 cannot be read", "无法读取配置 %1")
        case .unknownAccount:
            (
                "nothing is known of the account '%1'; if it is a new one, say so with --new-account",
                "没有账号“%1”的任何记录；若确为新账号，请加 --new-account"
            )
        case .nothingKnown:
            ("warning: nothing is known of the account '%1'", "警告：没有账号“%1”的任何记录")
        case .unknownCommand: ("there is no command '%1'", "没有命令“%1”")
        case .seeHelp: ("'%1 --help' lists the commands", "“%1 --help”会列出所有命令")
        }
    }
}
