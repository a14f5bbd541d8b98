/// Why a policy is better without it, in English.
extension DiagnosticMeaning {
    package var key: String { String(describing: id) }

    package var english: String {
        switch id {
        case .emptyFolder:
            "A folder without policy files is not a policy without rules: most often the path is "
                + "wrong, or a deployment has failed."
        case .folderMissing: "The path does not exist, is not a folder, or may not be read."
        case .pathUnreadable:
            "A policy is the whole folder. A file that cannot be read may contain a rule that "
                + "narrows the others, so the rest alone is not loaded."
        case .pathNotAFile:
            "Pipes, sockets, devices and folders named like policy files are not read: reading "
                + "them could block forever."
        case .pathOutside:
            "What is reviewed and hashed must be what is loaded. Links inside the folder are "
                + "followed; links out of it are not."
        case .fileTooLarge:
            "Nobody edits a file of this size manually; it is most likely not a policy."
        case .tooManyFiles: "Most likely the path is wrong and names a folder that holds much else."
        case .notUTF8: "In other encodings (GBK, UTF-16, Latin-1) the same bytes are other names."
        case .byteOrderMark:
            "Some editors write this invisible character first; other tools then read it as part "
                + "of the first key."
        case .controlCharacter:
            "Control characters (including zero bytes) are invisible, end the text for some "
                + "programs, and can disturb a terminal."
        case .invisibleCharacter:
            "Zero-width spaces, marks that change the direction of text and similar characters "
                + "make two names look the same, or a line look different from what it says."
        case .ideographicSpace:
            "A full-width space looks like an ordinary one and does not separate words in YAML."
        case .tab:
            "YAML forbids tabs at the beginning of a line, and editors show them in different "
                + "widths."
        case .emptyFile:
            "A file without contents, or with comments only, was most often cut off while it was "
                + "saved."
        case .yamlSyntax: "The file is not valid YAML at this place."
        case .badIndentation: "In YAML, the indentation determines what belongs to what."
        case .unclosedQuote: "Everything after an open quote is taken as text."
        case .unclosedBracket:
            "Inside '[ ]' and '{ }' commas separate, and the same bracket closes."
        case .colonInText:
            "A colon and a space separate key and value, so a text that contains them needs quotes."
        case .missingColon: "What is indented below belongs to this line, so it must be a key."
        case .missingSpace: "Without the space, YAML reads the colon as part of the text."
        case .mergeConflict: "Between the marks the file contains two versions at once."
        case .reservedCharacter: "YAML reserves '@', '`' and '%'."
        case .fullWidthPunctuation:
            "YAML knows only the ASCII characters. It reads '：' as part of the text."
        case .severalDocuments:
            "Tools that read one document would lose everything after the first '---'."
        case .yamlDirective: "Directives change how the rest is read. A policy does not need them."
        case .anchor:
            "Anchors give a line a meaning that is written elsewhere, and a few hundred bytes of "
                + "them expand to gigabytes. A policy states everything where it is used."
        case .alias:
            "An alias repeats what an anchor marked (see anchor). A pattern that begins with '*' "
                + "needs quotes for the same reason."
        case .tag: "Tags change the type of a value, or even run code in some tools."
        case .mergeKey: "Merging hides which value applies. There is no inheritance in a policy."
        case .duplicateKey: "Most YAML tools use the last one and silently drop the first."
        case .keyNotText: "YAML allows lists and sections as keys, but nothing can refer to them."
        case .textOverLines:
            "How line breaks are joined depends on small marks that are easily mistaken, and a "
                + "line that is indented too far silently becomes part of the text."
        case .tooDeep: "No policy needs this depth; deep nesting is used to exhaust the reader."
        case .textReadAsBoolean:
            "Older YAML reads y, n, yes, no, on, off, true and false as truth values: the country "
                + "code of Norway becomes 'false'."
        case .textReadAsNumber:
            "A name that is read as a number changes: 1e3 becomes 1000, 0o14 becomes 12, 12:30 "
                + "becomes 750."
        case .textReadAsDate: "A name that is read as a date is written differently afterwards."
        case .textReadAsNothing: "YAML reads '~' and 'null' as the absence of a value."
        case .mixedScripts:
            "The Cyrillic 'а' and the Latin 'a' look the same, but are different names."
        case .notASCIIName:
            "Names are compared byte by byte and pass through many programs; titles are for people."
        case .badName:
            "Names appear in programs, addresses and logs; '*' matches any name in rules."
        case .badText: "Titles and rule names are shown to people."
        case .starInAccount:
            "A pattern that matches the beginning of account names is easy to understand; other "
                + "patterns are not."
        case .unknownStorefront: "A rule about a place that does not exist never matches."
        case .unknownCurrency:
            "Apple states prices by currency code; one under another name is never found."
        case .notSections: "Every line of a policy belongs to a named section."
        case .missingVersion:
            "With the version, a later program can read an old policy as it was meant."
        case .unknownVersion:
            "A policy of a later format could mean something else; it is rejected rather than "
                + "guessed."
        case .unknownSection: "A section that is not read would have no effect."
        case .unknownKey: "A key that is not read would have no effect."
        case .fieldNotHere:
            "An access rule is tried at every instant of a purchase, when there is no claim; an "
                + "account-switch rule only at a claim, and not on states."
        case .secretInPolicy: "Policies are shown, compared and kept forever."
        case .missingSection: "Without it no purchase could be verified."
        case .missingKey: "There is no default that would suit everybody."
        case .missingChoice: "The entry does not state what it is about."
        case .duplicateName:
            "The order of files has no meaning, so neither definition could take precedence."
        case .splitSection: "Settings that belong together are read together."
        case .splitList: "The first rule that matches decides, and files have no order."
        case .wrongList:
            "Each list of rules has verbs and conditions of its own: 'access' says what a purchase "
                + "gives, 'account_switch' to whom it belongs, 'refund_answers' what Apple is told."
        case .wrongType: "The value has another form than its key requires."
        case .notIndented:
            "What belongs to a name must be indented further than the name. Otherwise the keys are "
                + "read as further names."
        case .emptyValue: "It is unclear whether something was forgotten."
        case .emptyList: "A condition with an empty list never holds."
        case .repeatedValue: "Probably another value was meant."
        case .unknownWord: "The key accepts only a few words."
        case .notTrueOrFalse: "There is one spelling for yes and one for no, the same in all tools."
        case .notWholeNumber: "Only plain digits mean the same to every tool."
        case .numberNotation:
            "1_000, 0o14, 0x1F, 1e3 and 12:30:45 are numbers in some YAML tools and texts in "
                + "others."
        case .numberOutOfRange: "The number is too small or too large to make sense."
        case .badAmount: "Amounts are compared exactly, to the thousandth."
        case .decimalComma:
            "A comma separates the entries of a list; some people write one before a fraction and "
                + "others between thousands."
        case .badLength: "30 could be minutes or days; a length needs a unit."
        case .calendarUnit:
            "A month has 28 to 31 days. Months and years are for the periods and durations of "
                + "products, which follow the calendar."
        case .zeroLength: "A length of zero does not have the effect that one may expect."
        case .lengthTooLong:
            "Nothing on sale lasts that long; this would be a typing error that gives a right for "
                + "life. For a permanent right, use a non-consumable product."
        case .badDate:
            "The day does not exist, or is written in a way that is read differently in different "
                + "countries."
        case .dateOutOfRange:
            "The App Store opened in 2008; a date outside this range is a typing error."
        case .badAge: "An age is compared with bounds that are written in words."
        case .badDateBound: "A date is compared with bounds that are written in words."
        case .emptyInterval: "An interval holds from its beginning until before its end."
        case .openWithoutEnd:
            "What is open is everybody's. Without an end, nobody would have to pay for it again."
        case .unknownTimeZone:
            "Abbreviations such as CST name several zones, so only the names of the IANA database "
                + "are read."
        case .unusedTimeZone:
            "The time zone of a file applies to the dates in that file. Those of other files are "
                + "read in their own, or in UTC."
        case .oppositeBounds:
            "Two bounds in a list do not mean the time between them: every time is after the one "
                + "or before the other."
        case .badMoves: "A limit states how many moves are allowed within a time."
        case .badBundleID: "Evidence of another app is refused, so the bundle id must be exact."
        case .appleIDRequired:
            "Apple's production evidence names the app by this number too, and both must agree."
        case .nothingTrusted: "All evidence would be refused."
        case .unknownRoot: "Roots other than Apple's are given as a fingerprint or a file."
        case .badFingerprint:
            "A fingerprint that is cut off or contains other characters cannot match a certificate "
                + "or a key."
        case .rootInWrongList:
            "Apple signs JWS under Apple Root CA - G3 and receipts under the Apple Inc. Root; in "
                + "the other list a root has no effect."
        case .noRoot: "Without a root nothing of that environment can be verified."
        case .noTestRoot:
            "Xcode and local tests sign with a certificate of their own. To trust them without it "
                + "would mean to trust everybody."
        case .unusedRoot: "The root has no effect."
        case .certificateOutside: "What is reviewed and hashed must be what is trusted."
        case .missingCertificate: "The file was not found, or has another ending."
        case .notACertificate: "The file is empty, cut off, holds a key, or holds a whole chain."
        case .certificateUnreadable:
            "The file has the outer form of a certificate around something else: a key, another "
                + "kind of certificate, or damaged bytes. No chain can end in it, so all evidence "
                + "under it would be refused."
        case .unknownEntitlement:
            "Every name is defined in one place, so that a typing error cannot create a new one."
        case .unknownCredit:
            "Every name is defined in one place, so that a typing error cannot create a new one."
        case .unknownGroup:
            "Every name is defined in one place, so that a typing error cannot create a new one."
        case .unknownLevel: "A condition on a level that does not exist never holds."
        case .unknownProduct: "A condition on a product that does not exist never holds."
        case .patternMatchesNothing: "The condition never holds with today's catalogue."
        case .levelNotInGroup:
            "Levels belong to a group; their order there determines which is better."
        case .groupWithoutLevels:
            "Upgrade and downgrade follow from the order of levels, as in App Store Connect."
        case .duplicateLevel:
            "Levels are listed from the highest to the lowest; one cannot have two ranks."
        case .chineseTitleAlone:
            "The English title is used where a title in another language is missing."
        case .grantsNothing: "A customer would pay and get nothing."
        case .givenByNothing: "It cannot be bought; it can only be granted manually."
        case .unusedGroup: "The group has no effect."
        case .notForKind: "The key would have no effect on a product of this kind."
        case .missingForKind:
            "Apple states when a subscription renews; only the policy knows how long a "
                + "non-renewing purchase lasts."
        case .unusualPeriod: "The period is compared with the evidence signed by Apple."
        case .subscriptionWithoutGroup:
            "Without its group it is unknown that one account pays for two products of the group, "
                + "or that a purchase is an upgrade."
        case .levelMissing: "Without it, an upgrade cannot be distinguished from a downgrade."
        case .levelWithoutGroup: "Levels belong to a group."
        case .stackingDiffers: "The purchases of one stack are arranged together."
        case .freeWithoutNewsstand:
            "Apple has free subscriptions in Newsstand apps only; in other apps one would give "
                + "rights for free."
        case .priceOfFree:
            "Kind 'free' is the Newsstand free subscription, which is free of charge."
        case .lastingRight:
            "A consumable is used up. A permanent right is a non-consumable; a right for a limited "
                + "time needs a length."
        case .forOnOtherKind:
            "Subscriptions last while they are paid, non-renewing purchases for their 'duration', "
                + "non-consumables forever."
        case .creditExpires:
            "Apple's guideline 3.1.1: credits that were bought with in-app purchase may not expire."
        case .creditFromOtherKind:
            "Credits are delivered once per purchase to one account; the other kinds are restored "
                + "and shared."
        case .grantedTwice: "It is unclear whether both should count."
        case .duplicateRuleName:
            "The name appears in every answer and explanation, and must identify the rule."
        case .onlyTwice: "The two mean the same; with both, it is unclear which applies."
        case .emptyUnless: "An empty condition always holds, so the rule would never apply."
        case .grantsAlways:
            "Without a condition it also applies after refunds and expiry, for every product and "
                + "every account."
        case .withholdsEverything:
            "It also withholds what has been paid for, and no rule before it grants anything."
        case .environmentRefused:
            "No purchase of that environment is ever recorded, so the rule never matches one."
        case .notClaimable:
            "Consumables are delivered once, to one account; non-renewing purchases are not "
                + "restored by Apple."
        case .shareWithoutMax: "Without a limit, one payment could serve everybody."
        case .maxWithoutShare: "Only sharing has several holders."
        case .limitsWithoutMove:
            "Limits state how often a purchase may move; keep, share, deny and inherit move "
                + "nothing."
        case .elseWithoutLimit:
            "It states what becomes of a claim beyond a limit, so without a limit it has no effect."
        case .inheritToken:
            "A token that names an account decides who gets the purchase, so the rule never "
                + "matches."
        case .unreachableRule:
            "The first rule that matches decides. It is proved for every case: the rules named "
                + "cover this one together and to the same effect, and each of them is needed for "
                + "that. The example is such a case."
        case .contradictingRule:
            "The first rule that matches decides. Every case of this rule is decided before it, "
                + "and some of them to another effect: one of the two is most likely not meant. "
                + "The example is a case in which they disagree."
        case .exceptionBehindRule:
            "The first rule that matches decides. An earlier rule has no condition that this one "
                + "lacks and is about more products, rights or people, so that this one looks like "
                + "an exception from it; yet the earlier one decides cases of this one, from the "
                + "beginning of a state that this one is about. The example is such a case."
        case .neverMatches:
            "Kind, group, level and entitlements follow from the product; states go only with the "
                + "kinds that have them, an expiry reason only with 'expired', a revocation only "
                + "with 'revoked', and nothing is older than its purchase. Credits are delivered "
                + "without a rule. The keys named exclude one another; without any one of them the "
                + "rule would match something."
        case .grantsAfterEnd:
            "It is proved that no rule before it, no age and no date ends what the rule gives."
        case .soldForNothing:
            "Asked of a purchase by somebody whom no rule names, in production, after all dates of "
                + "the policy: rules of the policy withhold all that the product gives. Of a "
                + "product that has 'retired' it is asked 31 days before that, of rules with 'at'."
        case .testPurchasesForAll:
            "In a test environment anybody can buy anything without paying. Without a rule, such a "
                + "purchase counts only for questions about its own environment; a rule that names "
                + "the environment makes it count in production."
        case .beginsLate:
            "The state begins without the right, and the rule gives it back after a while: 'at "
                + "least' is most likely written where 'under' is meant, or in a rule that "
                + "withholds, the other way round. Where another rule grants the same state, "
                + "nothing is said."
        case .transferWithoutLimits:
            "One payment could serve many people, each of whom claims it when needed."
        case .windowPast: "The rule decides only questions about the past."
        case .uncovered:
            "Shown with --explain-defaults only. The built-in rules stand behind those of the "
                + "policy and are the same for everybody."
        case .unmappedProduct:
            "Found with --ledger only. Who bought the product gets nothing for it."
        case .fileNotRead: "Files of a policy end in .yaml."
        case .waiverNotNeeded:
            "A warning that is expected for no reason would hide the next one. Warnings that "
                + "depend on the day or on a ledger may be expected in advance."
        case .levelAgainstPrice:
            "Levels are listed from the best to the least. Prices of the same length, in the same "
                + "currency, are compared; retired products are not."
        case .levelGivesLess:
            "Who upgrades would lose something. Retired products are not compared."
        case .lostHash:
            "In YAML, a '#' after a space begins a comment, which is not a part of the text."
        case .curlyQuotes: "YAML knows straight quotes only, so customers would see these."
        case .minutesForMonths: "'m' is minutes, 'mo' is months."
        case .priceDecimals: "The App Store has no such price (ISO 4217)."
        case .bundleIDUnused:
            "Product ids usually begin with the bundle id. Evidence of another bundle id is "
                + "refused, so a typing error there would refuse everything."
        case .leewayBeyondBound:
            "Access after the paid end never lasts longer than a tenth of the period, whatever the "
                + "policy says."
        case .limitNeverReached:
            "The longer of two limits has no effect; one of them is most likely not as meant."
        case .matchWindowTooShort:
            "A payment that comes late, but in time for its order, would stay without an order, "
                + "and the order would be given up although it was paid."
        case .openInUTC:
            "A day is midnight in the 'time_zone' of its file, by default UTC, and nobody notices "
                + "eight hours in a date. A 'time_zone' in the file, be it UTC, ends the note."
        case .levelsAgainstPrices:
            "Levels are listed from the best. Here every price of the same length agrees on "
                + "another order, so that an upgrade would count as a downgrade; where prices "
                + "disagree, or the dearer one gives less, the price is told of instead."
        case .sameLevelGivesLess:
            "Products of one level differ in how long they last. Who changes from one to the other "
                + "would lose something. Retired products are not compared."
        case .priceAgainstPeriod:
            "Of products that differ in their length only, the longer one costs more, and not more "
                + "than buying the shorter one again and again. Retired products are not compared."
        case .priceAgainstUnits:
            "More units of the same credit cost more than fewer; nobody would buy the smaller pack."
        case .refundsEverything:
            "A rule without a 'when' matches everything: the customer gets the full price back, "
                + "however much was used."
        case .dateFarOff:
            "A wrong digit in the year looks the same. It depends on the day of the check."
        case .nearDuplicateName:
            "They differ in capital letters, dots, hyphens or underscores only. Names are compared "
                + "byte by byte, so they are two things."
        case .levelsCostTheSame:
            "Nobody would buy the lesser level. Prices are compared for one length and one "
                + "currency; retired products are not."
        case .freeGivesSold:
            "Everybody can have the free subscription, so nobody needs to pay for what it gives."
        case .productionRefused:
            "What customers buy is of the environment production. Test purchases cost nothing."
        case .accountWithoutStar:
            "Without a star the whole name of an account is compared. What ends in a hyphen, or is "
                + "a domain alone, is the part of a name."
        case .ageBeginsAgain:
            "'state_age' counts from the beginning of each state, so that grace and billing retry "
                + "each have the whole time. 'unpaid_for' counts from the end of what was paid, "
                + "through both."
        case .priceZero:
            "Only the Newsstand subscription of the kind free costs nothing; an order of this "
                + "product would ask for no money."
        case .unknownStep:
            "Steps are sentences of a fixed list, so that a story that passes says what it seems "
                + "to say."
        case .stepEndsEarly:
            "Steps are sentences of a fixed list; this one begins like one of them."
        case .stepBeforeLast:
            "Steps are played from the first to the last, and time does not go back."
        case .unknownStoryName:
            "What a step speaks of must have been bought or made in an earlier step."
        case .storyWithoutExpectation:
            "A story without an expectation cannot fail, so it tests nothing."
        case .expectationFailed: "The policy answers otherwise than the story says."
        case .stepFailed: "The service or the store does not do what the step says."
        case .noStory: "A suite without stories passes whatever the policy says."
        }
    }
}
