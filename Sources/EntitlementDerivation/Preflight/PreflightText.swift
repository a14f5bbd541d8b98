internal import EntitlementModel

/// Every sentence of preflight, once for each situation.
enum PreflightText: CaseIterable, LocalizedText {
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

    var title: Title { Title(english: english, chinese: chinese) }
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
