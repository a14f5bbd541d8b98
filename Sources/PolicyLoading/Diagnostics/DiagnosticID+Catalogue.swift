/// The app, its roots and environments.
extension DiagnosticID {
    static let trust: [Self] = [
        .badBundleID, .appleIDRequired, .nothingTrusted, .unknownRoot, .badFingerprint,
        .rootInWrongList, .noRoot, .noTestRoot, .unusedRoot, .certificateOutside,
        .missingCertificate, .notACertificate, .certificateUnreadable,
    ]

    package static let badBundleID = error(
        "bad-bundle-id", "{0} is not a bundle id",
        help: "copy it from App Store Connect: com.example.reader",
        why: "Evidence of another app is refused, so the bundle id must be exact.")
    package static let appleIDRequired = error(
        "apple-id-required", "production is trusted, but the app has no apple_id",
        help: "copy the number 'Apple ID' from App Store Connect, App Information",
        why: "Apple's production evidence names the app by this number too, and both must agree.")
    package static let nothingTrusted = error(
        "nothing-trusted", "no environment is trusted",
        help: "write 'production: trusted'",
        why: "All evidence would be refused.")
    package static let unknownRoot = error(
        "unknown-root", "unknown root {0}",
        help: "write 'apple-root-ca-g3' or 'apple-inc-root', a fingerprint or a file",
        why: "Roots other than Apple's are given as a fingerprint or a file.")
    package static let badFingerprint = error(
        "bad-fingerprint", "{0} is not a fingerprint",
        help: "write the SHA-256 (64 digits 0-9 and a-f, without colons), or put the certificate "
            + "into the folder and write its name: {file: root.pem}",
        why: "A fingerprint that is cut off or contains other characters cannot match a "
            + "certificate or a key.")
    package static let rootInWrongList = warning(
        "root-in-wrong-list", "{0} signs for {1}, not for {2}",
        help: "move it to {1}",
        why: "Apple signs JWS under Apple Root CA - G3 and receipts under the Apple Inc. Root; in "
            + "the other list a root has no effect.")
    package static let noRoot = error(
        "no-root", "{0} is trusted, but has no root",
        help: "write the roots 'jws: [apple-root-ca-g3]' in 'trust'",
        why: "Without a root nothing of that environment can be verified.")
    package static let noTestRoot = error(
        "no-test-root", "{0} is trusted, but has no root of its own in 'trust'",
        help: "Apple does not sign for it; give the certificate: {file: xcode.pem}",
        why: "Xcode and local tests sign with a certificate of their own. To trust them without it "
            + "would mean to trust everybody.")
    package static let unusedRoot = warning(
        "unused-root", "the root is for {0} only, which is refused",
        help: "trust the environment, or remove the root",
        why: "The root has no effect.")
    package static let certificateOutside = error(
        "certificate-outside", "the certificate {0} is outside the policy folder",
        help: "copy it into the folder and write its path from there",
        why: "What is reviewed and hashed must be what is trusted.")
    package static let missingCertificate = error(
        "missing-certificate", "the certificate {0} is not in the policy folder",
        help: "put it there, with a name that ends in .pem or .der",
        why: "The file was not found, or has another ending.")
    package static let notACertificate = error(
        "not-a-certificate", "{0} is not one certificate in PEM or DER",
        help: "write the root alone, from BEGIN CERTIFICATE to END CERTIFICATE",
        why: "The file is empty, cut off, holds a key, or holds a whole chain.")
    package static let certificateUnreadable = error(
        "certificate-unreadable", "{0} looks like a certificate, but cannot be read as one",
        help: "export the root again, as an X.509 certificate of version 3",
        why: "The file has the outer form of a certificate around something else: a key, another "
            + "kind of certificate, or damaged bytes. No chain can end in it, so all evidence "
            + "under it would be refused.")
}

/// Entitlements, credits and groups, and names that refer to them.
extension DiagnosticID {
    static let references: [Self] = [
        .unknownEntitlement, .unknownCredit, .unknownGroup, .unknownLevel, .unknownProduct,
        .patternMatchesNothing, .levelNotInGroup, .groupWithoutLevels, .duplicateLevel,
        .chineseTitleAlone, .grantsNothing, .givenByNothing, .unusedGroup,
    ]

    package static let unknownEntitlement = error(
        "unknown-entitlement", "unknown entitlement {0}",
        help: "define it in 'entitlements'",
        why: "Every name is defined in one place, so that a typing error cannot create a new one.")
    package static let unknownCredit = error(
        "unknown-credit", "unknown credit {0}",
        help: "define it in 'credits'",
        why: "Every name is defined in one place, so that a typing error cannot create a new one.")
    package static let unknownGroup = error(
        "unknown-group", "unknown group {0}",
        help: "define it in 'groups'",
        why: "Every name is defined in one place, so that a typing error cannot create a new one.")
    package static let unknownLevel = error(
        "unknown-level", "no group has a level {0}",
        help: "write it in the 'levels' of its group",
        why: "A condition on a level that does not exist never holds.")
    package static let unknownProduct = error(
        "unknown-product", "unknown product {0}",
        help: "define it in 'products'",
        why: "A condition on a product that does not exist never holds.")
    package static let patternMatchesNothing = warning(
        "pattern-matches-nothing", "no product matches {0}",
        help: "compare it with the names in 'products'",
        why: "The condition never holds with today's catalogue.")
    package static let levelNotInGroup = error(
        "level-not-in-group", "{0} is not a level of {1}",
        help: "write one of the levels of the group",
        why: "Levels belong to a group; their order there determines which is better.")
    package static let groupWithoutLevels = error(
        "group-without-levels", "the group {0} has no levels",
        help: "write at least one",
        why: "Upgrade and downgrade follow from the order of levels, as in App Store Connect.")
    package static let duplicateLevel = error(
        "duplicate-level", "{0} appears twice in the levels of {1}",
        help: "keep it once; levels are written from the highest to the lowest",
        why: "Levels are listed from the highest to the lowest; one cannot have two ranks.")
    package static let chineseTitleAlone = error(
        "chinese-title-alone", "{0} has a Chinese title but no English one",
        help: "write 'title' too",
        why: "The English title is used where a title in another language is missing.")
    package static let grantsNothing = warning(
        "grants-nothing", "{0} gives its buyer nothing",
        help: "write what it gives in 'grants'",
        why: "A customer would pay and get nothing.")
    package static let givenByNothing = warning(
        "given-by-nothing", "no product gives {0}",
        help: "add {0} to the 'grants' of each product that is to give it, or remove this line",
        why: "It cannot be bought; it can only be granted manually.")
    package static let unusedGroup = warning(
        "unused-group", "no product is in the group {0}",
        help: "write it as the 'group' of a product, or remove it",
        why: "The group has no effect.")
}

/// What goes with a product's kind.
extension DiagnosticID {
    static let products: [Self] = [
        .notForKind, .missingForKind, .unusualPeriod, .subscriptionWithoutGroup, .levelMissing,
        .levelWithoutGroup, .stackingDiffers, .freeWithoutNewsstand, .priceOfFree, .lastingRight,
        .forOnOtherKind, .creditExpires, .lengthOfCredit, .creditFromOtherKind, .creditFromApp,
        .grantedTwice, .unitsAndCredits, .everyBeyondPeriod, .everyTooShort, .offerGivesMore,
        .allWithOthers,
    ]

    package static let notForKind = error(
        "not-for-kind", "{0} is not allowed for the kind {1}",
        help: "remove it, or make the product {2}",
        why: "The key would have no effect on a product of this kind.")
    package static let missingForKind = error(
        "missing-for-kind", "a product of the kind {0} needs {1}",
        help: "write it, for example 1mo, 3mo or 1y",
        why: "Apple states when a subscription renews; only the policy knows how long a "
            + "non-renewing purchase lasts.")
    package static let unusualPeriod = warning(
        "unusual-period", "Apple sells no subscription with the period {0}",
        help: "one of: 1w, 1mo, 2mo, 3mo, 6mo, 1y",
        why: "The period is compared with the evidence signed by Apple.")
    package static let subscriptionWithoutGroup = warning(
        "subscription-without-group", "the subscription {0} is in no group",
        help: "write the 'group' that it has at Apple",
        why: "Without its group it is unknown that one account pays for two products of the group, "
            + "or that a purchase is an upgrade.")
    package static let levelMissing = error(
        "level-missing", "{0} has no level, and its group {1} has several",
        help: "write 'level' with one of: {2}",
        why: "Without it, an upgrade cannot be distinguished from a downgrade.")
    package static let levelWithoutGroup = error(
        "level-without-group", "there is a level, but no group",
        help: "write the 'group' too",
        why: "Levels belong to a group.")
    package static let stackingDiffers = error(
        "stacking-differs", "the products of the stack {0} disagree: {1} here, {2} there",
        help: "write the same 'stacking' for all",
        why: "The purchases of one stack are arranged together.")
    package static let freeWithoutNewsstand = error(
        "free-without-newsstand", "a product of kind free needs a Newsstand app",
        help: "write 'newsstand: true' in 'app'",
        why: "Apple has free subscriptions in Newsstand apps only; in other apps one would give "
            + "rights for free.")
    package static let priceOfFree = error(
        "price-of-free", "a free product has a price",
        help: "remove the price, or change the kind",
        why: "Kind 'free' is the Newsstand free subscription, which is free of charge.")
    package static let lastingRight = error(
        "lasting-right", "a consumable would give {0} forever",
        help: "write for how long, at most 10y: {entitlement: {1}, for: 30d}",
        why: "A consumable is used up. A permanent right is a non-consumable; a right for a "
            + "limited time needs a length.")
    package static let forOnOtherKind = error(
        "for-on-other-kind", "'for' is not allowed for the kind {0}",
        help: "remove it; how long the product lasts depends on its kind",
        why: "Subscriptions last while they are paid, non-renewing purchases for their 'duration', "
            + "non-consumables forever.")
    package static let creditExpires = warning(
        "credit-expires", "credits that are bought with {0} expire: {1}",
        help: "remove it, or say with 'expect-warning' why it may be",
        why: "Apple's guideline 3.1.1: credits that were bought with in-app purchase may not "
            + "expire. What a subscription gives for its periods is not meant.")
    package static let lengthOfCredit = error(
        "length-of-credit", "credits have no {0}",
        help: "write 'expires', the time after which what is left of them lapses",
        why: "'for' is the length of a right; credits last until they are spent or expire.")
    package static let unitsAndCredits = error(
        "units-and-credits", "{0} is both in 'grants', with 'units', and in 'credits'",
        help: "keep it in 'credits' of a subscription, or in 'grants' of a consumable",
        why: "It is unclear whether both should count.")
    package static let everyBeyondPeriod = error(
        "every-beyond-period", "{0} may be longer than the period {1}",
        help: "write no more than the period, or remove 'every'",
        why: "What is given for is a part of the paid period; a month has 28 to 31 days.")
    package static let everyTooShort = error(
        "every-too-short", "{0} is shorter than a day",
        help: "write 1d at least",
        why: "Each part of a period is a delivery of its own.")
    package static let offerGivesMore = error(
        "offer-gives-more", "{1} units under the offer {0} are more than the usual {2}",
        help: "write {2} at most",
        why: "'under_offer' is for periods that give fewer units because an offer made them "
            + "cheaper.")
    package static let creditFromOtherKind = error(
        "credit-from-other-kind", "a product of the kind {0} cannot give credits",
        help: "give them with a consumable, or with the 'credits' of a subscription",
        why: "Credits are delivered once per purchase to one account; the other kinds are restored "
            + "and shared.")
    package static let creditFromApp = error(
        "credit-from-app", "{0} is a credit, and the app itself gives entitlements only",
        help: "name entitlements, or give the credit with a consumable",
        why: "Credits are delivered once per purchase to one account; the app can be presented by "
            + "another one.")
    package static let grantedTwice = error(
        "granted-twice", "the product gives {0} twice",
        help: "keep one of them",
        why: "It is unclear whether both should count.")
    package static let allWithOthers = error(
        "all-with-others", "'grants' is either all entitlements or a list: {0} is not allowed here",
        help: "write 'grants: all', 'grants: {all_except: [ads]}', or a list of names",
        why: "All entitlements of the policy are given already, also those that it will define "
            + "later; credits are given by consumables only.")
}
