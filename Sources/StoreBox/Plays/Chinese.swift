package import EntitlementModel

/// A text of this target.
package protocol BoxText: TabledText {}

extension BoxText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # PlayMistake.Reason
    noInstant: 此行缺少时刻，例如 @10
    badInstant: “{0}”不是时刻；请写 @10、@10.5、@60+1h 或 @2026-03-01
    notUnderstood: 此处不应出现“{0}”
    endsEarly: 此行不完整
    unknownProduct: 未知的产品“{0}”
    unknownPurchase: 未知的购买“{0}”
    nameTaken: “{0}”已是另一笔购买的名称
    notASubscription: “{0}”不是自动续订订阅
    notWaiting: “{0}”并未等待批准
    noSeats: “{0}”没有这么多席位
    """)
