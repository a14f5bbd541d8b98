/// Why a play cannot be played.
package struct PlayMistake: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case notYAML
        case notAList(String)
        case notAMapping(String)
        case missingKey(String)
        case unknownKey(String)
        case notAWord(key: String, value: String)
        case noInstant
        case badInstant(String)
        case earlierThanBefore
        case outsidePlay
        case notUnderstood(String)
        case unknownProduct(String)
        case unknownPurchase(String)
        case nameTaken(String)
        case notASubscription(String)
        case notWaiting(String)
        case incompleteSubscription(String)
    }

    /// Of the file, from 1.
    package let line: Int
    package let reason: Reason

    init(line: Int, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}

extension PlayMistake {
    /// For people: what is wrong, in one sentence each.
    package var sentences: (english: String, chinese: String) {
        switch reason {
        case .notYAML: ("this is not YAML", "这不是 YAML")
        case .notAList(let key): ("'\(key)' is a list of lines", "“\(key)”应为一组文本行")
        case .notAMapping(let key): ("'\(key)' has keys and values", "“\(key)”应由键和值组成")
        case .missingKey(let key): ("'\(key)' is missing", "缺少“\(key)”")
        case .unknownKey(let key): ("unknown key '\(key)'", "未知的键“\(key)”")
        case .notAWord(let key, let value):
            ("'\(key)' cannot be '\(value)'", "“\(key)”不能为“\(value)”")
        case .noInstant: ("the line has no instant such as @10", "此行缺少时刻，例如 @10")
        case .badInstant(let word):
            (
                "'\(word)' is no instant; write @10, @10.5, @60+1h or @2026-03-01",
                "“\(word)”不是时刻；请写 @10、@10.5、@60+1h 或 @2026-03-01"
            )
        case .earlierThanBefore:
            ("the line is earlier than the one before it", "此行早于上一行")
        case .outsidePlay:
            (
                "a play lies between 2008-07-10 and 2099-12-31",
                "演出须在 2008-07-10 与 2099-12-31 之间"
            )
        case .notUnderstood(let word): ("'\(word)' is not understood here", "此处无法理解“\(word)”")
        case .unknownProduct(let word): ("no product is called '\(word)'", "没有名为“\(word)”的产品")
        case .unknownPurchase(let word):
            ("no purchase is called '\(word)' yet", "尚无名为“\(word)”的购买")
        case .nameTaken(let word):
            ("another purchase is called '\(word)' already", "“\(word)”已是另一笔购买的名称")
        case .notASubscription(let word):
            ("'\(word)' is no auto-renewable subscription", "“\(word)”不是自动续期订阅")
        case .notWaiting(let word):
            ("'\(word)' does not wait for approval", "“\(word)”并未等待批准")
        case .incompleteSubscription(let word):
            (
                "'\(word)' renews itself and needs a 'group' and a 'period'",
                "“\(word)”自动续期，需要“group”和“period”"
            )
        }
    }
}
