package import EntitlementModel

/// A text of this target.
package protocol DerivationText: TabledText {}

extension DerivationText {
    /// Its table in Chinese.
    package static var chinese: TextTable { chineseTexts }
}

private let chineseTexts = TextTable(
    """
    # PreflightText
    unknownProduct: 产品目录中没有这个产品
    notForSale: 该产品已停止销售
    kindNotAllowed: 本应用不能提供免费订阅
    accountBlocked: 该账号已被停用或关闭
    alreadyOwned: 该账号已拥有此产品
    alreadySubscribed: 该账号已订阅此产品
    renewsAgain: 该账号的此订阅在付费期结束前有效；购买只会重新开启自动续订，现在不扣款
    changeWithdrawn: 该账号已有此订阅，且即将更换套餐；购买会撤销更换，现在不扣款
    moreSeats: 该账号的此订阅带有席位；购买会增加席位
    upgrade: 升级套餐，立即生效
    downgrade: 降级套餐，下次续订时生效
    crossgrade: 更换套餐，下次续订时生效
    crossgradeNow: 更换套餐，立即生效
    changePending: 更换套餐，已定于下次续订时生效
    familyShared: 该账号已通过家人共享拥有此产品，购买仍会另外收费
    switchMoves: 此 Apple ID 的购买属于另一个账号，购买后将转移到当前账号
    switchMovesWithToken: 此 Apple ID 的购买属于另一个账号；购买若带有当前账号的令牌，将转移到当前账号，否则仍归该账号
    switchStays: 此 Apple ID 的购买属于另一个账号，购买后仍归该账号
    duplicateAppleID: 该账号已在另一个 Apple ID 上付费订阅
    duplicateAppleIDPossible: 该账号可能已在另一个 Apple ID 上付费订阅
    appleIDUnknown: 不知道设备的 Apple ID，无法检查
    retryInProgress: 该账号有一个订阅正在由 Apple 重试扣款
    notRenewing: 该账号在另一个 Apple ID 上的订阅到期后不再续订
    unclaimedPayment: 此 Apple ID 有一笔付款尚无账号认领
    orderInFlight: 已有一个未付款的订单，将使用该订单而不另建
    # PreflightEffect
    proceed: 可以继续
    warn: 提醒
    block: 阻止
    # RefundObstacle
    unknownTransaction: 没有这笔交易的购买记录
    environment: 该环境不接受答复
    assigned: 由组织分配，Apple 不接受答复
    familyShared: 由家人共享，应由购买者申请
    unknownOwnership: 不清楚这个 Apple ID 如何获得它
    unowned: 没有账号拥有它，因而无人同意
    rule: 策略规定不作答复
    noConsent: 用户尚未同意
    # RefundNote
    nothingUsed: 尚未使用，故倾向于全额退款
    notMeasured: 无法衡量用了多少，故倾向于全额退款
    roundedDown: 已使用的比例向下取整
    countedByApple: 订阅的天数由 Apple 自行计算
    noShare: Advanced Commerce 没有按比例退款，故倾向于退款
    """)
