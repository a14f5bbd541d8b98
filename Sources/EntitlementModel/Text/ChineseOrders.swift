/// What is said of lost orders and of finishing transactions, in Chinese.
extension LostOrderReason {
    package var chinese: String {
        switch self {
        case .neverPaid: "未在期限内付款"
        case .withoutOutcome: "应用开始付款后一直没有报告结果"
        case .withoutEvidence: "应用报告了交易，但没有收到其凭证"
        case .withoutReceipt: "已购买，但设备上没有收据"
        case .waitsForApproval: "购买须由他人批准"
        case .withoutCallBack: "仅由 Apple 得知：没有应用提交过凭证或完成该交易"
        case .notDelivered: "已付款，但未交付"
        case .notFinished: "已交付，但应用尚未完成该交易"
        case .inReview: "须由人工确定哪笔付款属于哪个订单"
        case .refundedAfterDelivery: "交付后又退款"
        case .unclaimedPayment: "已验证的付款，没有账号认领"
        case .waitsForApple: "凭证只有 Apple 能验证，而 Apple 尚未答复"
        }
    }
}

extension LostOrderStep {
    package var chinese: String {
        switch self {
        case .close: "关闭订单；此后若仍有付款，订单将重新打开"
        case .askApp: "让应用提交其支付队列中仍有的交易；若没有，则关闭订单：此后若仍有付款，订单将重新打开"
        case .refusedEvidence: "为此订单提交的凭证已被拒绝（见订单）：不要交付；关闭订单，此后若仍有付款，订单将重新打开"
        case .leave: "其付款属于别处或已退款：不要交付，关闭订单"
        case .deliver: "让应用重新提交凭证；只有账单显示已付款时才人工交付订单"
        case .settle: "核对付款，并以该付款结单"
        case .take: "核对这笔付款属于谁：此命令会将其从现有账号处取走"
        case .finish: "让应用提交并完成该交易，并报告“finished”；若应用已无此交易，则关闭订单：已交付的内容保留"
        case .closeGift: "将订单作为赠送关闭：已给予的内容保留，以后若有其付款仍由付款取代"
        case .acknowledge: "核对该账号现有的权益，然后关闭订单"
        case .give: "查明付款人的账号，并将付款给予该账号"
        case .askApple: "查明 Apple 为何没有答复；系统会自动重试"
        }
    }
}

extension FinishReason {
    package var chinese: String {
        switch self {
        case .delivered: "交易已记录，购买归该账号所有"
        case .recorded: "交易已记录；没有账号认领"
        case .claimRefused: "交易已记录；购买归其他账号所有"
        case .quarantined: "在人工核对之前，该交易没有效力：请勿完成"
        }
    }
}
