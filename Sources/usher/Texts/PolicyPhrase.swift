/// What is said of a policy that may take something away.
enum PolicyPhrase: Bilingual, CaseIterable {
    case unchanged
    case activates
    case accepted
    case waits
    case more
    case otherAcceptance
    case howToAccept
    case notCounted
    case notCompared

    var texts: (english: String, chinese: String) {
        switch self {
        case .unchanged: ("this policy is in force", "此策略正在生效")
        case .activates:
            (
                "nobody loses anything by it: it comes into force by itself in place of %1",
                "没有人会因此失去权益：它将自动取代 %1 生效"
            )
        case .accepted:
            (
                "its accept.yaml accepts what it takes away (%1 in all); it comes into force in "
                    + "place of %2:",
                "其 accept.yaml 已接受由此失去的内容（共 %1 项）；它将取代 %2 生效："
            )
        case .waits:
            (
                "it may take something away, so it waits, and %2 stays in force (%1 in all):",
                "它可能使人失去权益，因此等待接受，%2 继续生效（共 %1 项）："
            )
        case .more: ("and %1 more", "以及另外 %1 项")
        case .otherAcceptance:
            ("its accept.yaml is for another policy: %1", "其 accept.yaml 针对的是另一个策略：%1")
        case .howToAccept:
            (
                "to accept it: an accept.yaml in the folder with "
                    + "{from: %1, because: …, accounts_at_most: N}, or "
                    + "'usher policy reload --reason '…' --accept-loss N'",
                "如要接受：在文件夹中放入 accept.yaml，内容为 {from: %1, because: …, accounts_at_most: N}；"
                    + "或运行“usher policy reload --reason '…' --accept-loss N”"
            )
        case .notCounted:
            (
                "how many accounts lose something is recorded as given, and not compared with "
                    + "the accounts yet",
                "失去权益的账号数按所写记录，目前不与实际账号比较"
            )
        case .notCompared:
            (
                "not compared with the policy in force: %1", "未与正在生效的策略比较：%1"
            )
        }
    }
}
