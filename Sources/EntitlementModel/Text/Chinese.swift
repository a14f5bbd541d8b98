/// The codes of the model in Chinese.
extension EntitlementState {
    package var chinese: String {
        switch self {
        case .active: "有效"
        case .renewing: "续订中"
        case .grace: "宽限期"
        case .billingRetry: "扣款重试中"
        case .expired: "已过期"
        case .revoked: "已撤销"
        }
    }
}

extension ExpiryReason {
    package var chinese: String {
        switch self {
        case .cancelled: "用户已取消订阅"
        case .billingError: "扣款失败"
        case .priceNotAccepted: "未同意新价格"
        case .productUnavailable: "产品已无法续订"
        case .other: "其他原因"
        case .upgraded: "已升级为其他套餐"
        case .unknown: "已到期，未收到续订消息"
        }
    }
}

extension ProductKind {
    package var chinese: String {
        switch self {
        case .consumable: "消耗型"
        case .nonConsumable: "非消耗型"
        case .autoRenewable: "自动续订订阅"
        case .nonRenewing: "非续订订阅"
        case .free: "免费订阅"
        }
    }
}

extension StoreEnvironment {
    package var chinese: String {
        switch self {
        case .production: "生产环境"
        case .sandbox: "沙盒环境"
        case .xcode: "Xcode 环境"
        case .localTesting: "本地测试环境"
        }
    }
}

extension EvidenceKind {
    package var chinese: String {
        switch self {
        case .transaction: "交易"
        case .renewalInfo: "续订信息"
        case .appTransaction: "应用交易"
        case .notification: "通知"
        case .receipt: "收据"
        case .receiptAnswer: "verifyReceipt 应答"
        case .importedAnswer: "导入的 verifyReceipt 应答"
        case .unverified: "只有 Apple 能验证的凭证"
        }
    }
}

extension ClaimMoment {
    package var chinese: String {
        switch self {
        case .purchase: "作为购买"
        case .restore: "作为恢复购买"
        case .notification: "通过通知"
        case .support: "通过客服"
        case .listed: "作为设备列出的购买"
        }
    }
}

extension ClaimDenial {
    package var chinese: String {
        switch self {
        case .kept: "已拒绝：仍归原账号"
        case .cooldown: "已拒绝：距上次转移时间过短"
        case .limit: "已拒绝：转移次数过多"
        case .denied: "已拒绝：规则不允许"
        case .waiting: "等待人工裁定"
        case .token: "已拒绝：该购买指明了其他账号"
        case .ownedByOther: "已拒绝：属于其他账号"
        }
    }
}

extension Ruling.Verb {
    package var chinese: String {
        switch self {
        case .approve: "已批准等待中的认领"
        case .refuse: "已拒绝等待中的认领"
        case .transfer: "已转移到其他账号"
        case .release: "已解除所属"
        case .undo: "已撤回上一次决定"
        }
    }
}

extension CreditTimeline.Entry.Cause {
    package var chinese: String {
        switch self {
        case .delivery: "购买到账"
        case .grant: "人工授予"
        case .spend: "已花费"
        case .reversal: "花费已撤销"
        case .hold: "已预留"
        case .release: "预留结束"
        case .clawBack: "退款后收回"
        case .expiry: "已过期"
        case .merge: "账号合并"
        case .ruling: "人工裁定后转移"
        }
    }
}

extension Finding.Kind {
    package var chinese: String {
        switch self {
        case .accountCaseConflict: "同一账号的两种大小写写法曾被当作不同的账号"
        case .accountSwitch: "有账号出示了属于其他账号的购买"
        case .appleIDConflict: "同一收据中的购买属于不同的 Apple ID"
        case .balanceBelowZero: "账号的点数余额为负"
        case .creditFrozen: "退款冻结了账号的点数"
        case .duplicateAppleID: "该账号在两个 Apple ID 上重复付费"
        case .duplicateAppleIDPossible: "该账号可能在两个 Apple ID 上重复付费"
        case .appleNotice: "Apple 通知了一件购买记录中看不到的事"
        case .evidenceUnconfirmed: "Apple 没有确认此凭证"
        case .refundAnswerDue: "Apple 询问退款，答复期限将至"
        case .evidenceWaiting: "Apple 已超过一小时没有答复"
        case .invalidProduct: "应用报告商店中没有这个产品"
        case .kindMismatch: "Apple 与产品目录中的产品类型不一致"
        case .orderMismatch: "付款与订单不一致"
        case .orderPresentedByOther: "订单的付款由其他账号提交"
        case .paidWithoutRight: "该账号已付款但没有得到权益"
        case .quarantined: "凭证真实但内容不合理，已隔离"
        case .splitTransaction: "Apple 将同一笔交易归于不同的原始交易"
        case .successorMissing: "已升级，但没有新订阅的记录"
        case .tokenOfAnother: "Apple 签名的令牌属于所有者以外的账号"
        case .unclaimedPayment: "没有账号认领的付款"
        case .unmappedProduct: "产品目录中没有该产品"
        }
    }
}

extension BuiltInRule {
    package var chinese: String {
        switch self {
        case .nothing: "没有任何来源给予它"
        case .unknownOwnership: "购买方式不明的不给予权益"
        case .usable: "有效、宽限期和续订中给予权益"
        case .otherwise: "其余情况不给予权益"
        case .grantedByHand: "人工授予"
        case .grantEnded: "授予已结束"
        case .blocked: "账号已被停用"
        case .token: "令牌指明另一个账号"
        case .accountScoped: "限于账号的购买不会转移"
        case .familyShared: "购买不会转移家人共享的内容"
        case .lapsedMoves: "已失效的订阅由新账号再次购买时转移"
        case .freshPurchase: "24 小时内的购买不会因恢复购买而转移"
        case .listed: "设备列出的购买不会从其他账号转移"
        case .ownerKeeps: "拥有者保留"
        case .takenByHand: "已由人工从该账号收回"
        case .beforeClaims: "购买早于 claims_from"
        case .firstClaim: "首个被接受的认领拥有它"
        case .ownClaim: "拥有者自己的认领不改变任何内容"
        case .merged: "账号已合并"
        case .succession: "承接"
        case .byHand: "人工裁定"
        case .formerOwner: "不再拥有"
        case .nothingTold: "不向 Apple 提供任何信息"
        }
    }
}
