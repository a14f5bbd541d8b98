internal import EntitlementModel

/// Every sentence of preflight, once for each situation.
enum PreflightText: CaseIterable {
    case unknownProduct
    case notForSale
    case kindNotAllowed
    case accountBlocked
    case alreadyOwned
    case alreadySubscribed
    case upgrade
    case laterChange
    case switchMoves
    case switchStays
    case duplicateAppleID
    case duplicateAppleIDPossible
    case appleIDUnknown
    case retryInProgress
    case notRenewing
    case unclaimedPayment

    var title: Title {
        switch self {
        case .unknownProduct:
            Title(
                english: "the catalogue has no such product",
                chinese: "商品目录中没有这个商品")
        case .notForSale:
            Title(english: "this product is no longer sold", chinese: "该商品已停止销售")
        case .kindNotAllowed:
            Title(
                english: "the app may not offer free subscriptions",
                chinese: "本应用不能提供免费订阅")
        case .accountBlocked:
            Title(english: "this account is blocked", chinese: "该账号已被停用")
        case .alreadyOwned:
            Title(english: "this account already owns it", chinese: "该账号已拥有此商品")
        case .alreadySubscribed:
            Title(
                english: "this account is already subscribed to it",
                chinese: "该账号已订阅此商品")
        case .upgrade:
            Title(
                english: "an upgrade that takes effect at once",
                chinese: "升级套餐,立即生效")
        case .laterChange:
            Title(
                english: "a change of plan that takes effect at the next renewal",
                chinese: "更换套餐,下次续订时生效")
        case .switchMoves:
            Title(
                english: "this Apple ID's purchase belongs to another account and would move",
                chinese: "此 Apple ID 的购买属于另一个账号,购买后将转移到当前账号")
        case .switchStays:
            Title(
                english: "this Apple ID's purchase belongs to another account and would stay there",
                chinese: "此 Apple ID 的购买属于另一个账号,购买后仍归该账号")
        case .duplicateAppleID:
            Title(
                english: "this account already pays for this on another Apple ID",
                chinese: "该账号已在另一个 Apple ID 上付费订阅")
        case .duplicateAppleIDPossible:
            Title(
                english: "this account may already pay for this on another Apple ID",
                chinese: "该账号可能已在另一个 Apple ID 上付费订阅")
        case .retryInProgress:
            Title(
                english: "Apple is still trying to charge for a subscription of this account",
                chinese: "该账号有一个订阅正在由 Apple 重试扣款")
        case .notRenewing:
            Title(
                english:
                    "this account has a subscription on another Apple ID that will not renew",
                chinese: "该账号在另一个 Apple ID 上的订阅到期后不再续订")
        case .unclaimedPayment:
            Title(
                english: "this Apple ID has a payment that no account has claimed yet",
                chinese: "此 Apple ID 有一笔付款尚无账号认领")
        case .appleIDUnknown:
            Title(
                english: "the device's Apple ID is unknown, so it could not be checked",
                chinese: "不知道设备的 Apple ID,无法检查")
        }
    }
}

extension PreflightNote {
    init(
        _ code: PreflightCode, _ effect: PreflightEffect, text: PreflightText? = nil,
        lineage: LineageKey? = nil, maskedAccount: String? = nil, until: Instant? = nil
    ) {
        self.init(
            code: code, effect: effect, text: (text ?? PreflightText(code)).title,
            lineage: lineage, maskedAccount: maskedAccount, until: until)
    }
}

extension PreflightText {
    fileprivate init(_ code: PreflightCode) {
        self =
            switch code {
            case .unknownProduct: .unknownProduct
            case .notForSale: .notForSale
            case .kindNotAllowed: .kindNotAllowed
            case .accountBlocked: .accountBlocked
            case .alreadyOwned: .alreadyOwned
            case .alreadySubscribed: .alreadySubscribed
            case .planChange: .laterChange
            case .accountSwitch: .switchStays
            case .duplicateAppleID: .duplicateAppleID
            case .duplicateAppleIDPossible: .duplicateAppleIDPossible
            case .retryInProgress: .retryInProgress
            case .notRenewing: .notRenewing
            case .unclaimedPayment: .unclaimedPayment
            case .appleIDUnknown: .appleIDUnknown
            }
    }
}
