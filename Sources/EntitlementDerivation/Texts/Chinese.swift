/// What preflight says in Chinese.
extension PreflightText {
    var chinese: String {
        switch self {
        case .unknownProduct: "产品目录中没有这个产品"
        case .notForSale: "该产品已停止销售"
        case .kindNotAllowed: "本应用不能提供免费订阅"
        case .accountBlocked: "该账号已被停用"
        case .alreadyOwned: "该账号已拥有此产品"
        case .alreadySubscribed: "该账号已订阅此产品"
        case .upgrade: "升级套餐，立即生效"
        case .downgrade: "降级套餐，下次续订时生效"
        case .crossgrade: "更换套餐，下次续订时生效"
        case .crossgradeNow: "更换套餐，立即生效"
        case .changePending: "更换套餐，已定于下次续订时生效"
        case .renewsAgain: "该账号的此订阅在付费期结束前有效；购买只会重新开启自动续订，现在不扣款"
        case .changeWithdrawn: "该账号已有此订阅，且即将更换套餐；购买会撤销更换，现在不扣款"
        case .moreSeats: "该账号的此订阅带有席位；购买会增加席位"
        case .familyShared: "该账号已通过家人共享拥有此产品，购买仍会另外收费"
        case .switchMoves: "此 Apple ID 的购买属于另一个账号，购买后将转移到当前账号"
        case .switchMovesWithToken:
            "此 Apple ID 的购买属于另一个账号；购买若带有当前账号的令牌，将转移到当前账号，否则仍归该账号"
        case .switchStays: "此 Apple ID 的购买属于另一个账号，购买后仍归该账号"
        case .duplicateAppleID: "该账号已在另一个 Apple ID 上付费订阅"
        case .duplicateAppleIDPossible: "该账号可能已在另一个 Apple ID 上付费订阅"
        case .retryInProgress: "该账号有一个订阅正在由 Apple 重试扣款"
        case .notRenewing: "该账号在另一个 Apple ID 上的订阅到期后不再续订"
        case .unclaimedPayment: "此 Apple ID 有一笔付款尚无账号认领"
        case .orderInFlight: "已有一个未付款的订单，将使用该订单而不另建"
        case .appleIDUnknown: "不知道设备的 Apple ID，无法检查"
        }
    }
}

extension PreflightEffect {
    package var chinese: String {
        switch self {
        case .proceed: "可以继续"
        case .warn: "提醒"
        case .block: "阻止"
        }
    }
}

extension RefundObstacle {
    package var chinese: String {
        switch self {
        case .unknownTransaction: "没有这笔交易的购买记录"
        case .environment: "该环境不接受答复"
        case .assigned: "由组织分配，Apple 不接受答复"
        case .familyShared: "由家人共享，应由购买者申请"
        case .unknownOwnership: "不清楚这个 Apple ID 如何获得它"
        case .unowned: "没有账号拥有它，因而无人同意"
        case .rule: "策略规定不作答复"
        case .noConsent: "用户尚未同意"
        }
    }
}

extension RefundNote {
    package var chinese: String {
        switch self {
        case .nothingUsed: "尚未使用，故倾向于全额退款"
        case .notMeasured: "无法衡量用了多少，故倾向于全额退款"
        case .roundedDown: "已使用的比例向下取整"
        case .countedByApple: "订阅的天数由 Apple 自行计算"
        case .noShare: "Advanced Commerce 没有按比例退款，故倾向于退款"
        }
    }
}
