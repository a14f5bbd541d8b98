/// What `policy check` can find, by the name that scripts and suppressions may rely on.
///
/// The raw values are a contract; messages are not. What each says and means is in `Texts`, an
/// example of each with the tests.
package enum DiagnosticID: String, CaseIterable, Hashable, Sendable {
    // The folder, its files, and their characters.
    case emptyFolder = "empty-folder"
    case folderMissing = "folder-missing"
    case pathUnreadable = "path-unreadable"
    case pathNotAFile = "path-not-a-file"
    case pathOutside = "path-outside"
    case fileTooLarge = "file-too-large"
    case tooManyFiles = "too-many-files"
    case notUTF8 = "not-utf8"
    case byteOrderMark = "byte-order-mark"
    case controlCharacter = "control-character"
    case invisibleCharacter = "invisible-character"
    case ideographicSpace = "ideographic-space"
    case tab
    case emptyFile = "empty-file"

    // YAML, and the traps in it.
    case yamlSyntax = "yaml-syntax"
    case badIndentation = "bad-indentation"
    case unclosedQuote = "unclosed-quote"
    case unclosedBracket = "unclosed-bracket"
    case colonInText = "colon-in-text"
    case missingColon = "missing-colon"
    case missingSpace = "missing-space"
    case mergeConflict = "merge-conflict"
    case reservedCharacter = "reserved-character"
    case fullWidthPunctuation = "full-width-punctuation"
    case severalDocuments = "several-documents"
    case yamlDirective = "yaml-directive"
    case anchor
    case alias
    case tag
    case mergeKey = "merge-key"
    case duplicateKey = "duplicate-key"
    case keyNotText = "key-not-text"
    case textOverLines = "text-over-lines"
    case tooDeep = "too-deep"

    // Names and texts that are not what they look like.
    case textReadAsBoolean = "text-read-as-boolean"
    case textReadAsNumber = "text-read-as-number"
    case textReadAsDate = "text-read-as-date"
    case textReadAsNothing = "text-read-as-nothing"
    case mixedScripts = "mixed-scripts"
    case notASCIIName = "name-not-ascii"
    case badName = "bad-name"
    case badText = "bad-text"
    case starInAccount = "star-in-account"
    case unknownStorefront = "unknown-storefront"
    case unknownCurrency = "unknown-currency"

    // Sections and keys.
    case notSections = "not-sections"
    case missingVersion = "missing-version"
    case unknownVersion = "unknown-version"
    case unknownSection = "unknown-section"
    case unknownKey = "unknown-key"
    case fieldNotHere = "field-not-here"
    case secretInPolicy = "secret-in-policy"
    case missingSection = "missing-section"
    case missingKey = "missing-key"
    case missingChoice = "missing-choice"
    case duplicateName = "duplicate-name"
    case splitSection = "split-section"
    case splitList = "split-list"
    case wrongList = "wrong-list"

    // Values of every type.
    case wrongType = "wrong-type"
    case notIndented = "not-indented"
    case emptyValue = "empty-value"
    case emptyList = "empty-list"
    case repeatedValue = "repeated-value"
    case unknownWord = "unknown-word"
    case notTrueOrFalse = "not-true-or-false"
    case notWholeNumber = "not-whole-number"
    case numberNotation = "number-notation"
    case numberOutOfRange = "number-out-of-range"
    case badAmount = "bad-amount"
    case decimalComma = "decimal-comma"
    case badLength = "bad-length"
    case calendarUnit = "calendar-unit"
    case zeroLength = "zero-length"
    case lengthTooLong = "length-too-long"
    case badDate = "bad-date"
    case dateOutOfRange = "date-out-of-range"
    case badAge = "bad-age"
    case badDateBound = "bad-date-bound"
    case emptyInterval = "empty-interval"
    case openWithoutEnd = "open-without-end"
    case unknownTimeZone = "unknown-time-zone"
    case unusedTimeZone = "unused-time-zone"
    case oppositeBounds = "opposite-bounds"
    case badMoves = "bad-moves"

    // The app, its roots and environments.
    case badBundleID = "bad-bundle-id"
    case appleIDRequired = "apple-id-required"
    case nothingTrusted = "nothing-trusted"
    case unknownRoot = "unknown-root"
    case badFingerprint = "bad-fingerprint"
    case rootInWrongList = "root-in-wrong-list"
    case noRoot = "no-root"
    case noTestRoot = "no-test-root"
    case unusedRoot = "unused-root"
    case certificateOutside = "certificate-outside"
    case missingCertificate = "missing-certificate"
    case notACertificate = "not-a-certificate"
    case certificateUnreadable = "certificate-unreadable"

    // Entitlements, credits and groups, and names that refer to them.
    case unknownEntitlement = "unknown-entitlement"
    case unknownCredit = "unknown-credit"
    case unknownGroup = "unknown-group"
    case unknownLevel = "unknown-level"
    case unknownProduct = "unknown-product"
    case patternMatchesNothing = "pattern-matches-nothing"
    case levelNotInGroup = "level-not-in-group"
    case groupWithoutLevels = "group-without-levels"
    case duplicateLevel = "duplicate-level"
    case chineseTitleAlone = "chinese-title-alone"
    case grantsNothing = "grants-nothing"
    case givenByNothing = "given-by-nothing"
    case unusedGroup = "unused-group"

    // What goes with a product's kind.
    case notForKind = "not-for-kind"
    case missingForKind = "missing-for-kind"
    case unusualPeriod = "unusual-period"
    case subscriptionWithoutGroup = "subscription-without-group"
    case levelMissing = "level-missing"
    case levelWithoutGroup = "level-without-group"
    case stackingDiffers = "stacking-differs"
    case freeWithoutNewsstand = "free-without-newsstand"
    case priceOfFree = "price-of-free"
    case lastingRight = "lasting-right"
    case forOnOtherKind = "for-on-other-kind"
    case creditExpires = "credit-expires"
    case creditFromOtherKind = "credit-from-other-kind"
    case grantedTwice = "granted-twice"

    // The two lists of rules.
    case duplicateRuleName = "duplicate-rule-name"
    case onlyTwice = "only-twice"
    case emptyUnless = "empty-unless"
    case grantsAlways = "grants-always"
    case withholdsEverything = "withholds-everything"
    case environmentRefused = "environment-refused"
    case notClaimable = "not-claimable"
    case shareWithoutMax = "share-without-max"
    case maxWithoutShare = "max-without-share"
    case limitsWithoutMove = "limits-without-move"
    case elseWithoutLimit = "else-without-limit"
    case inheritToken = "inherit-token"

    // What is proved about the rules over all cases.
    case unreachableRule = "unreachable-rule"
    case contradictingRule = "contradicting-rule"
    case exceptionBehindRule = "exception-behind-rule"
    case neverMatches = "never-matches"
    case grantsAfterEnd = "grants-after-end"
    case soldForNothing = "sold-for-nothing"
    case transferWithoutLimits = "transfer-without-limits"
    case testPurchasesForAll = "test-purchases-for-all"
    case beginsLate = "begins-late"
    case refundsEverything = "refunds-everything"
    case dateFarOff = "date-far-off"
    case windowPast = "window-past"
    case uncovered
    case unmappedProduct = "unmapped-product"
    case fileNotRead = "file-not-read"
    case waiverNotNeeded = "waiver-not-needed"

    // Money and other values that are compared.
    case levelAgainstPrice = "level-against-price"
    case levelGivesLess = "level-gives-less"
    case lostHash = "lost-hash"
    case curlyQuotes = "curly-quotes"
    case minutesForMonths = "minutes-for-months"
    case priceDecimals = "price-decimals"
    case bundleIDUnused = "bundle-id-unused"
    case leewayBeyondBound = "leeway-beyond-bound"
    case limitNeverReached = "limit-never-reached"
    case matchWindowTooShort = "match-window-too-short"
    case openInUTC = "open-in-utc"
    case levelsAgainstPrices = "levels-against-prices"
    case sameLevelGivesLess = "same-level-gives-less"
    case priceAgainstPeriod = "price-against-period"
    case priceAgainstUnits = "price-against-units"
    case nearDuplicateName = "near-duplicate-name"
    case levelsCostTheSame = "levels-cost-the-same"
    case freeGivesSold = "free-gives-sold"
    case productionRefused = "production-refused"
    case accountWithoutStar = "account-without-star"
    case priceZero = "price-zero"
    case ageBeginsAgain = "age-begins-again"

    // Stories.
    case unknownStep = "unknown-step"
    case stepEndsEarly = "step-ends-early"
    case stepBeforeLast = "step-before-last"
    case unknownStoryName = "unknown-story-name"
    case storyWithoutExpectation = "story-without-expectation"
    case expectationFailed = "expectation-failed"
    case stepFailed = "step-failed"
    case noStory = "no-story"
}

extension DiagnosticID {
    /// What is told of stories, not of a policy (spec 2.3).
    package static let ofStories: Set<DiagnosticID> = [
        .unknownStep, .stepEndsEarly, .stepBeforeLast, .unknownStoryName,
        .storyWithoutExpectation, .expectationFailed, .stepFailed, .noStory,
    ]

    /// Errors that policies were once in force with. They are told of folders that are to come
    /// into force; the texts of a ledger load, and mean what they meant (spec 2.6).
    static let unknownToOldTexts: Set<DiagnosticID> = [.oppositeBounds]

    /// Checks that there were: they read what rules, products and titles are called, or judged what is
    /// usual, and were wrong about some that were right. A policy that expects one of them means
    /// what it meant.
    static let retired = [
        "condition-against-name", "condition-forgotten", "dates-against-name", "duplicate-title",
        "effect-against-name", "grants-against-title", "group-against-name", "instant-in-utc",
        "kind-against-name", "large-max", "last-day-left-out", "length-against-name",
        "level-against-name", "misspelt-id", "open-for-long", "period-against-name",
        "point-forgotten", "price-far-off", "prices-far-apart", "prices-swapped",
        "purchased-moves-on", "renewals-counted", "rest-before-others", "retired-forgotten",
        "rule-against-name", "title-against-id", "title-language", "units-against-name",
        "very-short",
    ]

    /// Unless a caller makes warnings errors.
    package var severity: Severity {
        switch self {
        case .unknownCurrency, .repeatedValue, .rootInWrongList, .unusedRoot,
            .patternMatchesNothing, .grantsNothing, .givenByNothing, .unusedGroup, .unusualPeriod,
            .subscriptionWithoutGroup, .grantsAlways, .environmentRefused, .unreachableRule,
            .contradictingRule, .exceptionBehindRule, .neverMatches, .grantsAfterEnd,
            .soldForNothing, .testPurchasesForAll, .beginsLate,
            .transferWithoutLimits, .windowPast, .unmappedProduct, .fileNotRead, .levelAgainstPrice,
            .levelGivesLess, .lostHash, .curlyQuotes, .minutesForMonths, .priceDecimals,
            .bundleIDUnused, .leewayBeyondBound, .limitNeverReached,
            .nearDuplicateName, .unusedTimeZone, .levelsAgainstPrices, .sameLevelGivesLess,
            .priceAgainstPeriod, .priceAgainstUnits, .refundsEverything,
            .dateFarOff, .matchWindowTooShort, .levelsCostTheSame, .freeGivesSold,
            .productionRefused, .accountWithoutStar, .priceZero, .ageBeginsAgain:
            .warning
        case .uncovered, .openInUTC: .note
        default: .error
        }
    }

    /// Whether a file that has it is read no further.
    var stopsReading: Bool {
        [
            .byteOrderMark, .controlCharacter, .invisibleCharacter, .ideographicSpace, .tab,
            .yamlSyntax, .badIndentation, .unclosedQuote, .unclosedBracket, .colonInText,
            .missingColon, .reservedCharacter, .fullWidthPunctuation, .severalDocuments, .alias,
            .anchor, .tag,
        ].contains(self)
    }

    /// Whether a policy may say that it expects it.
    var isWaivable: Bool { severity == .warning }

    /// Whether it depends on more than the texts: the day, a ledger, or what else is in the folder.
    var isCircumstantial: Bool {
        [.windowPast, .dateFarOff, .unmappedProduct, .fileNotRead].contains(self)
    }

    /// Whether it is about the whole folder, so that a waiver is at the top of a file.
    var isOfFolder: Bool {
        [.leewayBeyondBound, .unusedTimeZone, .unmappedProduct, .fileNotRead, .productionRefused]
            .contains(self)
    }
}
