/// What is said of refunds, in Chinese.
extension RefundPhrase {
    var chinese: String {
        switch self {
        case .none: "没有待答复的退款询问"
        case .noneYet: "还没有退款询问"
        case .sendsNothing: "本服务不向 Apple 答复：须由人工处理"
        case .title: "退款询问 {0}：{1}"
        case .asked: "询问于 {0}；Apple 接受答复至 {1}"
        case .reason: "Apple 给出的原因：{0}"
        case .wouldSay: "将答复 Apple：{0}"
        case .said: "已答复 Apple：{0}"
        case .begun: "自 {0} 起内容已定；可能已答复 Apple"
        case .used: "已使用 {0}"
        case .sample: "此前试用过"
        case .tellsNothing: "不发送：{0} [{1}]"
        case .at: "记录于 {0}"
        case .byPerson: "由 {0}：{1}"
        case .howTo: "人工答复的命令："
        case .file: "  FILE：{0}"
        case .preview: "若每位用户都同意，策略 {0} 会如何答复"
        case .withoutConsent: "其中 {0} 个尚未同意"
        case .newest: "最新的 {0} 个："
        case .needsLedger: "--policies 需要账本：请用 --ledger 指定"
        case .consentGiven: "已记录：{0} 同意把使用情况告知 Apple"
        case .consentWithdrawn: "已记录：{0} 不同意把使用情况告知 Apple"
        case .recorded: "已记录：退款询问 {0} 已由人工答复"
        case .consents: "可以把使用情况告知 Apple"
        case .consentsNot: "不可把使用情况告知 Apple"
        }
    }
}
