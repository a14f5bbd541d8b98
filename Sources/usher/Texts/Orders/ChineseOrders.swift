internal import EntitlementAnswers
internal import EntitlementModel

/// What is said about orders in Chinese.
extension OrderPhrase {
    var chinese: String {
        switch self {
        case .title: "订单 {0}：{1}"
        case .noOrders: "没有订单"
        case .noLost: "没有掉单"
        case .account: "账号"
        case .product: "产品"
        case .quantity: "数量"
        case .price: "价格"
        case .priceUnknown: "价格未知"
        case .appleID: "Apple ID"
        case .environment: "环境"
        case .policy: "策略"
        case .changed: "最近变化"
        case .payment: "付款交易"
        case .parent: "另一笔付款所属的订单"
        case .events: "经过"
        case .made: "{0}：创建"
        case .event: "{0}：{1}"
        case .by: "由 {0}"
        case .storeCode: "StoreKit 代码 {0}"
        case .movedTo: "此后属于账号 {0}"
        case .presentedBy: "由账号 {0} 提交"
        case .gave: "人工授予：{0}"
        case .matched: "匹配依据：{0}"
        case .compared: "与订单 {0} 比较：Apple ID {1}，价格{2}，相隔 {3}"
        case .differs: "付款与订单不一致：{0}"
        case .reports: "应用现在可以报告"
        case .next: "可用的命令"
        case .nothing: "无"
        case .age: "已持续 {0}，自 {1} 起"
        case .more: "更多：{0}"
        case .state: "状态"
        case .eventColumn: "事件"
        case .after: "此后的状态"
        case .unpaid: "超过“pay_within”仍未付款"
        case .undone: "{0}：若此后没有其他事件，则回到裁定之前的状态"
        case .legal: "；现在可能的事件：{0}"
        case .nextStep: "下一步：{0}"
        case .difference: "付款不一致之处"
        case .owned: "属于 {0}"
        case .unowned: "不属于任何账号"
        case .takes: "此命令会将交易 {0} 从 {1} 处取走"
        case .owners: "现属于"
        case .refused: "被拒绝的凭证"
        }
    }
}

extension OrderState {
    package var chinese: String {
        switch self {
        case .created: "已创建"
        case .paying: "付款中"
        case .paid: "已付款"
        case .delivered: "已交付"
        case .finished: "已完成"
        case .deferred: "等待批准"
        case .notAllowed: "设备禁止付款"
        case .cancelled: "已取消"
        case .failed: "付款失败"
        case .noReceipt: "尚无收据"
        case .scheduled: "等待续订时生效"
        case .abandoned: "已放弃"
        case .review: "待人工核对"
        case .refunded: "已退款"
        }
    }
}

extension OrderEventKind {
    package var chinese: String {
        switch self {
        case .paying: "开始付款"
        case .cancelled: "取消"
        case .failed: "付款失败"
        case .deferred: "等待批准"
        case .notAllowed: "设备禁止付款"
        case .noReceipt: "尚无收据"
        case .alreadyOwned: "用户已拥有"
        case .finished: "完成交易"
        case .paid: "付款"
        case .delivered: "交付"
        case .tied: "匹配不唯一"
        case .refunded: "退款"
        case .refundReversed: "退款已撤回"
        case .calledBack: "应用已提交凭证"
        case .scheduled: "方案将在续订时变更"
        case .changedBack: "方案不再变更"
        case .seen: "已知一笔可能属于此订单的付款"
        case .paymentMoved: "付款归于另一订单"
        case .settled: "人工结单"
        case .refused: "人工关闭"
        case .reassigned: "转给其他账号"
        case .undone: "撤回上一次裁定"
        }
    }
}

extension OrderMatchBasis {
    package var chinese: String {
        switch self {
        case .orderID: "凭证指明了此订单"
        case .token: "购买带有此订单的 appAccountToken"
        case .transactionID: "应用报告了此交易"
        case .plan: "续订按订单变更方案"
        case .only: "没有其他相符的订单"
        case .appleID: "Apple ID 最相符"
        case .price: "价格最相符"
        case .time: "时间最接近"
        case .person: "由人工确定"
        }
    }
}

extension OrderComparison.Likeness {
    package var chinese: String {
        switch self {
        case .same: "相同"
        case .unknown: "未知"
        case .different: "不同"
        }
    }
}

extension OrderDifference {
    package var chinese: String {
        switch self {
        case .product: "产品"
        case .quantity: "数量"
        case .price: "价格"
        case .environment: "环境"
        }
    }
}

extension FeedPhrase {
    var chinese: String {
        switch self {
        case .fromTo: "{0} → {1}"
        }
    }
}
