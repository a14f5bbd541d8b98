internal import EntitlementModel

/// What `policy show` says around its tables.
enum TablePhrase: CaseIterable, LocalizedText {
    case title, digest, productCount, productsShown, scope, contents, nothingFound
    case access, accessIntro, noRights, products, productsIntro, entitlements, credits
    case switches, switchesIntro, dates, datesIntro, noDates, refunds, refundsIntro
    case open, openIntro, settings, rules, rulesIntro
    case kind, state, right, deciding, product, level, period, price, gives, givenBy, name
    case token, owned, unowned, setting, value
    case yes, no, depends, builtIn, ifAll, unless, only, elsewhere, onlyElsewhere, idle
    case deliveries, groupTitle, ungrouped, levels, noLevel, retired, nothing, forLength, credit
    case openToAll, debt, floor, freeze, ignore, wholeKinds, someProducts, andMore
    case unmovable, familyNote, anyMoment, always
}

/// Conditions of rules in plain words.
enum ConditionPhrase: CaseIterable, LocalizedText {
    case kind, state, product, group, level, entitlement, account, environment, ownership
    case storefront, offer, stateAge, unpaidFor, expiryReason, autoRenew, revocation, token
    case moment, purchased, firstPurchased, at
    case under, atLeast, between, before, from, within, or, list, clauses
    case milliseconds, seconds, minutes, hours, days, weeks, months, years
}

/// The words that conditions list, and rules write behind `then`.
enum WordPhrase: CaseIterable, LocalizedText {
    case purchased, familyShared, assigned, notStated, unknown
    case noOffer, freeTrial, introductory, promotional, offerCode, winBack, retention
    case otherOffer
    case renewalOn, renewalOff, renewalUnknown
    case inFull, inPart, familyEnded, assignmentEnded, revokedUnknown
    case matches, other, none
    case grant, withhold, keep, transfer, transferIfInactive, share, ask, deny, inherit, owns
    case cooldown, moves, excessKeep, excessAsk
    case refundGrant, refundProrate, refundDecline, refundNothing
    case inForce, purchasedThen, firstPurchasedThen, openThen, retiredThen, exceptThen
    case past, current, future
}

/// The settings that `policy show` lists.
enum SettingsPhrase: CaseIterable, LocalizedText {
    case bundle, appleID, token, tokenFromOrder, tokenIsAccount, trusted, refused, leeway
    case claimsFrom
    case environments, payWithin, matchWindow, latePayment, deliver, review
    case duplicates, scopeGroup, scopeEntitlement, before, block, warn, allow
    case kept, longestPaid, newest, highestLevel
}
