extension CodeWords {
    /// Kinds of ledger entries; their names are those of the ledger format.
    static func entries(_ kind: String, _ language: Language) -> String {
        guard let words = kindsOfEntries[kind] else { return kind }
        return language == .english ? words.english : words.chinese
    }

    private static let kindsOfEntries: [String: (english: String, chinese: String)] = [
        "policyActivation": ("policies put into force", "策略生效"),
        "evidence": ("pieces of evidence", "凭证"),
        "transaction": ("signed transactions", "已签名的交易"),
        "renewal": ("signed renewal infos", "已签名的续订信息"),
        "appTransaction": ("signed app transactions", "已签名的应用交易"),
        "notification": ("notifications", "通知"),
        "claim": ("claims", "认领"),
        "decision": ("decisions", "决定"),
        "ruling": ("rulings by hand", "人工裁定"),
        "refusal": ("refusals of evidence", "被拒绝的凭证"),
        "quarantine": ("parts kept aside", "留存待查"),
        "grant": ("grants by hand", "人工授予"),
        "grantRevocation": ("ends of grants", "授予终止"),
        "block": ("blocks", "停用"),
        "blockRemoval": ("lifted blocks", "解除停用"),
        "accountToken": ("account tokens", "账号令牌"),
        "accountMerge": ("merges of accounts", "账号合并"),
    ]
}
