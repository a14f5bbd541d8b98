/// The lists of rules.
extension DiagnosticID {
    static let ruleLists: [Self] = [
        .duplicateRuleName, .onlyTwice, .emptyUnless, .grantsAlways, .withholdsEverything,
        .environmentRefused, .notClaimable, .shareWithoutMax, .maxWithoutShare, .limitsWithoutMove,
        .elseWithoutLimit, .inheritToken,
    ]

    package static let duplicateRuleName = error(
        "duplicate-rule-name", "two rules of {1} are called {0}",
        help: "give each rule a name of its own",
        why: "The name appears in every answer and explanation, and must identify the rule.")
    package static let onlyTwice = error(
        "only-twice", "entitlements are named twice, in 'only' and in 'when'",
        help: "keep 'only'",
        why: "The two mean the same; with both, it is unclear which applies.")
    package static let emptyUnless = error(
        "empty-unless", "an empty 'unless' excludes everything",
        help: "write what is excluded, or remove it",
        why: "An empty condition always holds, so the rule would never apply.")
    package static let grantsAlways = warning(
        "grants-always", "the rule {0} has no 'when', so it grants everything forever",
        help: "state when it applies, for example: when: {state: grace}",
        why: "Without a condition it also applies after refunds and expiry, for every product and "
            + "every account.")
    package static let withholdsEverything = error(
        "withholds-everything", "by the rule {0} no product gives anybody anything",
        help: "state what it withholds, for example: when: {state: billing-retry}",
        why: "It also withholds what has been paid for, and no rule before it grants anything.")
    package static let environmentRefused = warning(
        "environment-refused", "the rule names {0}, whose evidence is refused",
        help: "trust it in 'environments', or remove it here",
        why: "No purchase of that environment is ever recorded, so the rule never matches one.")
    package static let notClaimable = error(
        "not-claimable",
        "{0} stays with the account that bought it, so an account_switch rule cannot apply to it",
        help: "name what can move (auto-renewable, non-consumable, free) or remove the whole rule: "
            + "without this condition it would apply to every purchase",
        why: "Consumables are delivered once, to one account; non-renewing purchases are not "
            + "restored by Apple.")
    package static let shareWithoutMax = error(
        "share-without-max", "'share' needs 'max'",
        help: "write how many accounts may share it: max: 2",
        why: "Without a limit, one payment could serve everybody.")
    package static let maxWithoutShare = error(
        "max-without-share", "'max' is not allowed with {0}",
        help: "remove it, or write 'then: share'",
        why: "Only sharing has several holders.")
    package static let limitsWithoutMove = error(
        "limits-without-move", "'limits' is not allowed with {0}",
        help: "remove them, or write 'then: transfer'",
        why: "Limits state how often a purchase may move; keep, share, deny and inherit move "
            + "nothing.")
    package static let elseWithoutLimit = error(
        "else-without-limit", "'else' needs 'cooldown' or 'moves'",
        help: "remove it, or write a limit next to it: cooldown: 7d",
        why: "It states what becomes of a claim beyond a limit, so without a limit it has no "
            + "effect.")
    package static let inheritToken = error(
        "inherit-token", "'inherit' applies only to purchases whose token names nobody",
        help: "remove 'token', or write 'token: none'",
        why: "A token that names an account decides who gets the purchase, so the rule never "
            + "matches.")
}

/// What is proved about the rules over all cases.
extension DiagnosticID {
    static let proofs: [Self] = [
        .unreachableRule, .contradictingRule, .exceptionBehindRule, .neverMatches, .grantsAfterEnd,
        .soldForNothing, .transferWithoutLimits, .testPurchasesForAll, .beginsLate,
        .refundsEverything, .dateFarOff, .windowPast, .uncovered, .unmappedProduct, .fileNotRead,
        .waiverNotNeeded,
    ]

    package static let unreachableRule = warning(
        "unreachable-rule",
        "the rule {0} never applies: all its cases are decided before it, by {1}",
        help: "remove it, or move it before {1}",
        why: "The first rule that matches decides. It is proved for every case: the rules named "
            + "cover this one together and to the same effect, and each of them is needed for "
            + "that. The example is such a case.")
    package static let contradictingRule = warning(
        "contradicting-rule",
        "the rule {0} can never win: {1} before it decides otherwise in the same cases",
        help: "move it before {1}, or remove one of the two",
        why: "The first rule that matches decides. Every case of this rule is decided before it, "
            + "and some of them to another effect: one of the two is most likely not meant. The "
            + "example is a case in which they disagree.")
    package static let exceptionBehindRule = warning(
        "exception-behind-rule",
        "the rule {0} comes too late: {1} before it, which is about more, decides its plain cases "
            + "otherwise",
        help: "move it before {1}",
        why: "The first rule that matches decides. An earlier rule has no condition that this one "
            + "lacks and is about more products, rights or people, so that this one looks like an "
            + "exception from it; yet the earlier one decides cases of this one, from the "
            + "beginning of a state that this one is about. The example is such a case.")
    package static let neverMatches = warning(
        "never-matches", "the rule {0} never matches: there is no purchase with {1}",
        help: "change or remove a condition: {1}",
        why: "Kind, group, level and entitlements follow from the product; states go only with the "
            + "kinds that have them, an expiry reason only with 'expired', a revocation only with "
            + "'revoked', and nothing is older than its purchase. Credits are delivered without a "
            + "rule, and what the app itself gives is said in 'app_purchase'. The keys named exclude one another; without any one of them the rule would "
            + "match something.")
    package static let grantsAfterEnd = warning(
        "grants-after-end", "the rule {0} grants expired or revoked purchases forever",
        help: "add to 'when' how long: state_age: under 30d, or at: before 2027-01-01; or remove "
            + "the states that have ended",
        why: "It is proved that no rule before it, no age and no date ends what the rule gives.")
    package static let soldForNothing = warning(
        "sold-for-nothing", "by the rule {0}, those who buy {1} get nothing for it",
        help: "write 'only' with what is to be withheld, or a narrower 'when'; or 'retired' at the "
            + "product if it is not sold any more",
        why: "Asked of a purchase by somebody whom no rule names, in production, after all dates "
            + "of the policy: rules of the policy withhold all that the product gives. Of a "
            + "product that has 'retired' it is asked 31 days before that, of rules with 'at'.")
    package static let transferWithoutLimits = warning(
        "transfer-without-limits", "by the rule {0} a purchase may move without limits",
        help: "write next to it: limits: {cooldown: 7d, moves: 3 per 365d}",
        why: "One payment could serve many people, each of whom claims it when needed.")
    package static let testPurchasesForAll = warning(
        "test-purchases-for-all",
        "by the rule {0}, purchases in {1}, which cost nothing, count for every account",
        help: "add to 'when' for whom: account: [apple-review, \"qa-*\"], with the names of your "
            + "accounts",
        why: "In a test environment anybody can buy anything without paying. Without a rule, such "
            + "a purchase counts only for questions about its own environment; a rule that names "
            + "the environment makes it count in production.")
    package static let beginsLate = warning(
        "begins-late", "by the rule {0} the right is lost first, and comes back later",
        help: "write how long it is granted: {1}: under 14d",
        why: "The state begins without the right, and the rule gives it back after a while: 'at "
            + "least' is most likely written where 'under' is meant, or in a rule that withholds, "
            + "the other way round. Where another rule grants the same state, nothing is said.")
    package static let refundsEverything = warning(
        "refunds-everything",
        "by the rule {0} Apple is told to refund every purchase that comes to it",
        help: "state for what, for example: when: {environment: sandbox}; or write 'then: prorate' "
            + "or 'then: nothing'",
        why: "A rule without a 'when' matches everything: the customer gets the full price back, "
            + "however much was used.")
    package static let dateFarOff = warning(
        "date-far-off", "{0} begins to matter only on {1}, more than three years from now",
        .circumstantial,
        help: "check the year",
        why: "A wrong digit in the year looks the same. It depends on the day of the check.")
    package static let windowPast = warning(
        "window-past", "the rule {0} has not been in force since {1}", .circumstantial,
        help: "remove the rule, or change 'at'",
        why: "The rule decides only questions about the past.")
    package static let uncovered = note(
        "uncovered", "no rule of {0} decides this; the built-in rule {1} does",
        help: "write a rule if it is to be otherwise",
        why: "Shown with --explain-defaults only. The built-in rules stand behind those of the "
            + "policy and are the same for everybody.")
    package static let unmappedProduct = warning(
        "unmapped-product", "there are purchases of {0}, which the catalogue lacks",
        .circumstantial, .ofFolder,
        help: "add it to 'products', with 'retired' if it is not sold any more",
        why: "Found with --ledger only. Who bought the product gets nothing for it.")
    package static let fileNotRead = warning(
        "file-not-read", "the file {0} is not read", .circumstantial, .ofFolder,
        help: "give it a name that ends in .yaml, or move it out of the folder",
        why: "Files of a policy end in .yaml.")
    package static let waiverNotNeeded = error(
        "waiver-not-needed", "the warning {0} is expected here, but there is none",
        help: "remove it",
        why: "A warning that is expected for no reason would hide the next one. Warnings that "
            + "depend on the day or on a ledger may be expected in advance.")
}

/// Money and other values that are compared.
extension DiagnosticID {
    static let comparisons: [Self] = [
        .levelAgainstPrice, .levelGivesLess, .lostHash, .curlyQuotes, .minutesForMonths,
        .priceDecimals, .bundleIDUnused, .leewayBeyondBound, .limitNeverReached,
        .matchWindowTooShort, .warnedAtOnce, .openInUTC, .levelsAgainstPrices, .sameLevelGivesLess,
        .priceAgainstPeriod, .priceAgainstUnits, .nearDuplicateName, .levelsCostTheSame,
        .freeGivesSold, .productionRefused, .accountWithoutStar, .priceZero, .ageBeginsAgain,
    ]

    package static let levelAgainstPrice = warning(
        "level-against-price", "{0} has the better level and costs {1}, less than {2} for {3}",
        help: "write a price above {3} for {0} or a lower one for {2}; or correct the order in "
            + "'levels', of which the first is the best",
        why: "Levels are listed from the best to the least. Prices of the same length, in the same "
            + "currency, are compared; retired products are not.")
    package static let levelGivesLess = warning(
        "level-gives-less", "{0} has a better level than {2}, but does not give {1}",
        help: "add it to 'grants', or correct the order in 'levels', of which the first is the "
            + "best",
        why: "Who upgrades would lose something. Retired products are not compared.")
    package static let lostHash = warning(
        "lost-hash", "{1} after {0} is a comment",
        help: "put the whole text in quotes",
        why: "In YAML, a '#' after a space begins a comment, which is not a part of the text.")
    package static let curlyQuotes = warning(
        "curly-quotes", "the quotes of {0} are a part of the text",
        help: "use straight quotes, or none",
        why: "YAML knows straight quotes only, so customers would see these.")
    package static let minutesForMonths = warning(
        "minutes-for-months", "{0} is {1} minutes",
        help: "write {2} if months are meant",
        why: "'m' is minutes, 'mo' is months.")
    package static let priceDecimals = warning(
        "price-decimals", "a price in {1} has {2} decimals at most, not {0}",
        help: "write a price without them",
        why: "The App Store has no such price (ISO 4217).")
    package static let bundleIDUnused = warning(
        "bundle-id-unused", "no product id begins with the bundle id {0}; {1} begins otherwise",
        help: "check for a typing error in either",
        why: "Product ids usually begin with the bundle id. Evidence of another bundle id is "
            + "refused, so a typing error there would refuse everything.")
    package static let leewayBeyondBound = warning(
        "leeway-beyond-bound", "a leeway of {0} is more than a tenth of the period of {1} ({2})",
        .ofFolder,
        help: "write leeway: {3} or less (at the top of the file); the rest has no effect on {1}",
        why: "Access after the paid end never lasts longer than a tenth of the period, whatever "
            + "the policy says.")
    package static let limitNeverReached = warning(
        "limit-never-reached",
        "with {2} between two moves there are at most {3} within {1}, so a limit of {0} has no "
            + "effect",
        help: "write a longer window, or a shorter 'cooldown'",
        why: "The longer of two limits has no effect; one of them is most likely not as meant.")
    package static let matchWindowTooShort = warning(
        "match-window-too-short",
        "{2} is {0}, but a payment that names no order is matched with orders of the last {1} only",
        help: "write a longer 'match_window', or a shorter {2}",
        why: "A payment that comes late, but in time for its order, would stay without an order: "
            + "the order would be given up although it was paid, and nothing that was promised "
            + "with it would be kept.")
    package static let warnedAtOnce = warning(
        "warned-at-once", "{1} is to be told of {0} ahead, but lapses after {2} at most",
        help: "write a shorter 'warn_before'",
        why: "The feed would tell it at once, with the delivery, so that it reminds nobody. What "
            + "products give is compared: where support grants units that last longer, expect the "
            + "warning.")
    package static let openInUTC = note(
        "open-in-utc", "{0} begins and ends at midnight UTC, and its last day is {1}",
        help: "write at the top of the file where its days are, such as time_zone: Asia/Shanghai",
        why: "A day is midnight in the 'time_zone' of its file, by default UTC, and nobody notices "
            + "eight hours in a date. A 'time_zone' in the file, be it UTC, ends the note.")
    package static let levelsAgainstPrices = warning(
        "levels-against-prices", "level {0} is before {1}, but {2} costs {3} and {4} costs {5}",
        help: "write 'levels' best first",
        why: "Levels are listed from the best. Here every price of the same length agrees on "
            + "another order, so that an upgrade would count as a downgrade; where prices "
            + "disagree, or the dearer one gives less, the price is told of instead.")
    package static let sameLevelGivesLess = warning(
        "same-level-gives-less", "{0} has the same level as {2}, but does not give {1}",
        help: "write {3}, or remove it from {2}, or give the two different levels",
        why: "Products of one level differ in how long they last. Who changes from one to the "
            + "other would lose something. Retired products are not compared.")
    package static let priceAgainstPeriod = warning(
        "price-against-period", "{0} costs {2} for {1}, and {3} costs {5} for {4}",
        help: "write a price for {0} that is above {5} and at most {6}, or correct that of {3}",
        why: "Of products that differ in their length only, the longer one costs more, and not "
            + "more than buying the shorter one again and again. Retired products are not "
            + "compared.")
    package static let priceAgainstUnits = warning(
        "price-against-units", "{0} gives {1} units for {2}, and {3} gives {4} for {5}",
        help: "correct the price or the 'units' of one of them",
        why: "More units of the same credit cost more than fewer; nobody would buy the smaller "
            + "pack.")
    package static let nearDuplicateName = warning(
        "near-duplicate-name", "{0} and {1} are two names",
        help: "keep one of the two, or choose names that differ more",
        why: "They differ in capital letters, dots, hyphens or underscores only. Names are "
            + "compared byte by byte, so they are two things.")
    package static let levelsCostTheSame = warning(
        "levels-cost-the-same",
        "{0} has a better level than {1} and gives {3} on top, for the same price: {2}",
        help: "correct one of the two prices",
        why: "Nobody would buy the lesser level. Prices are compared for one length and one "
            + "currency; retired products are not.")
    package static let freeGivesSold = warning(
        "free-gives-sold", "{0} gives {1} for nothing, and {2} sells it",
        help: "remove it from one of the two",
        why: "Everybody can have the free subscription, so nobody needs to pay for what it gives.")
    package static let productionRefused = warning(
        "production-refused",
        "production is refused and sandbox is trusted: nothing that customers buy "
            + "counts", .ofFolder,
        help: "write production: trusted",
        why: "What customers buy is of the environment production. Test purchases cost nothing.")
    package static let accountWithoutStar = warning(
        "account-without-star", "{0} names one account, and nothing is known of it",
        help: "end it with a star to name all accounts that begin so",
        why: "Without a star the whole name of an account is compared. What ends in a hyphen, or "
            + "is a domain alone, is the part of a name.")
    package static let priceZero = warning(
        "price-zero", "{0} costs {1}",
        help: "write its price, or no 'price'",
        why: "Only the Newsstand subscription of the kind free costs nothing; an order of this "
            + "product would ask for no money.")
    package static let ageBeginsAgain = warning(
        "age-begins-again", "the age in {0} begins again when grace turns into billing-retry",
        help: "write 'unpaid_for' in place of 'state_age'",
        why: "'state_age' counts from the beginning of each state, so that grace and billing retry "
            + "each have the whole time. 'unpaid_for' counts from the end of what was paid, "
            + "through both.")
}

/// What is told of stories, not of a policy (spec 2.3).
extension DiagnosticID {
    package static let stories: [Self] = [
        .unknownStep, .stepEndsEarly, .stepBeforeLast, .unknownStoryName, .storyWithoutExpectation,
        .expectationFailed, .stepFailed, .noStory,
    ]

    package static let unknownStep = error(
        "unknown-step", "{0} cannot stand here in a step",
        help: "write a sentence of 'usher policy test --list-steps'",
        why: "Steps are sentences of a fixed list, so that a story that passes says what it seems "
            + "to say.")
    package static let stepEndsEarly = error(
        "step-ends-early", "the step {0} ends too early",
        help: "complete the sentence",
        why: "Steps are sentences of a fixed list; this one begins like one of them.")
    package static let stepBeforeLast = error(
        "step-before-last", "{0} is earlier than the step before it",
        help: "put the steps in the order of time",
        why: "Steps are played from the first to the last, and time does not go back.")
    package static let unknownStoryName = error(
        "unknown-story-name", "nothing was called {0} before this step",
        help: "use the name that follows 'as', an Apple ID, or a name such as 'alice's gold'",
        why: "What a step speaks of must have been bought or made in an earlier step.")
    package static let storyWithoutExpectation = error(
        "story-without-expectation", "the story expects nothing",
        help: "add a step that begins with 'expect'",
        why: "A story without an expectation cannot fail, so it tests nothing.")
    package static let expectationFailed = error(
        "expectation-failed", "expected {0}, got {1}",
        help: "correct the policy, or the story if it expects what should not be so",
        why: "The policy answers otherwise than the story says.")
    package static let stepFailed = error(
        "step-failed", "the step was rejected: {0}",
        help: "correct the step, or expect it: 'expect rejection {0}'",
        why: "The service or the store does not do what the step says.")
    package static let noStory = error(
        "no-story", "no story found in {0}",
        help: "write a story, or name the file",
        why: "A suite without stories passes whatever the policy says.")
}
