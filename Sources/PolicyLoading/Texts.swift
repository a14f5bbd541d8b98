package import EntitlementModel

/// The form of what was written, or of what should have been.
package enum WrittenForm: String, CaseIterable, Hashable, PolicyLoadingText, Sendable, Wording {
    case singleValue = "a single value"
    case list = "a list"
    case section = "a section with keys"
    case trueOrFalse = "true or false"
    case wholeNumber = "a whole number"
    case amount = "an amount"
    case listOfValues = "a list of single values"
    case listInList = "a list within the list"
    case sectionInList = "a section with keys in the list"
}

/// What each key of a policy means, for the schema.
enum FieldMeaning: String, CaseIterable, PolicyLoadingText, Wording {
    case version = "The version of the policy format: 1."
    case app = "The app."
    case trust = "The root certificates that Apple's signatures are verified against."
    case environments =
        "The environments whose evidence is recorded. The access rules decide what it grants."
    case entitlements = "The rights that products give, by name."
    case credits = "What is counted and spent, such as coins, by name."
    case groups = "The subscription groups, by name. A customer has at most one product of a group."
    case products = "What is sold, under the product ids of App Store Connect."
    case appPurchase = """
        What the app itself gives those who bought or loaded it then: all rules that match give.
        """
    case appCondition = "All fields must match; of a list, any."
    case appGrants = "The entitlements that it gives."
    case access = "From state to right: the first rule that matches decides."
    case accountSwitch = """
        What happens when another account presents a purchase: the first rule that matches decides.
        """
    case refundAnswers =
        "What Apple is told when a customer asks for a refund: the first rule that matches decides."
    case duplicateSubscriptions = "How to treat an account that pays twice, from two Apple IDs."
    case orders = "The app's own purchase orders."
    case bundleID = "The app's bundle id, as in App Store Connect."
    case appleID = """
        The app's Apple ID (a number, in App Store Connect under App Information); required for \
        production.
        """
    case newsstand = "Whether the app sells Newsstand free subscriptions (products of kind free)."
    case roots = "The roots that a certificate chain may end in."
    case maxSignedAge = "Evidence signed longer ago is refused. Default: no limit."
    case deniedKeys = """
        Leaked signing keys, by the SHA-256 of the public key (printed by `usher inspect`): \
        evidence signed with them is refused. Evidence recorded before is not affected.
        """
    case jwsRoots = "Roots for StoreKit 2 transactions and notifications."
    case receiptRoots = "Roots for app receipts."
    case rootEnvironments = "The environments that this root is valid for. Default: all."
    case rootFile = "A certificate (PEM or DER) in the policy folder."
    case rootFingerprint = "The SHA-256 of the certificate (DER), 64 hexadecimal digits."
    case environmentTrust = "Whether evidence of this environment is recorded. Default: refused."
    case title = "The English title."
    case chineseTitle = "The Chinese title."
    case onRefund = """
        What a refund takes back: all, even below zero (debt); what is left (floor); all, and \
        spending stops (freeze); nothing (ignore). Default: debt.
        """
    case warnBefore = "How long before units lapse the feed tells it. Default: not at all."
    case levels = "The levels of service, from the highest to the lowest."
    case productKind = "The product's type in App Store Connect."
    case productGroup = "The subscription group of an auto-renewable."
    case productLevel = "The level within the group."
    case period = "The length of one period of an auto-renewable, as sold: 1w, 1mo, 1y."
    case duration = "How long a non-renewing purchase lasts."
    case stacking = """
        How several non-renewing purchases are arranged: one after the other (extend), each from \
        its purchase (overlap), the new one ends the old (replace). Default: extend.
        """
    case stack = "Products with the same stack follow one another."
    case price = "The price by currency (ISO 4217), for reports and matching of orders."
    case grants = """
        What a purchase gives: entitlements by name, or credits; all for every entitlement of the \
        policy, also those that it will define later.
        """
    case allExcept = "The entitlements that it does not give; it gives all others."
    case retired = "No new orders from this day on; existing holders keep it."
    case grantedCredit = "The credit that is given."
    case units = "How many units one purchase gives."
    case productCredits = "The units that each paid period of a subscription gives."
    case unitsOfPeriod = "How many units each paid period gives; with 'every', each part of it."
    case every = "The parts of a paid period that are given for, from its start: 1mo."
    case underOffer = "How many units a period gives that was bought under an offer, if fewer."
    case unitsUnderOffer = "How many units under this offer; 0 for none."
    case expires = """
        When what is left of the units lapses: with the paid period, or the part of it (period), \
        after a length such as 90d, or never. Default: never.
        """
    case grantedEntitlement = "The entitlement that is given."
    case lasting = "How long a consumable gives it, from the purchase."
    case effect = "Whether the customer may use it."
    case only = "The entitlements that the rule applies to. Default: all."
    case verb = "Who holds the purchase afterwards."
    case sharingAccounts = "How many accounts may share it."
    case limits = "How often a purchase may move."
    case ruleName = "A description of the rule in words; shown with every answer."
    case condition = "All fields must match; of a list, any. Default: always."
    case exception = "The rule does not apply where all of this matches."
    case cooldown = "The time that must pass between two moves."
    case moves = "The maximum number of moves within a time: 3 per 365d."
    case excess = """
        What becomes of a claim beyond a limit: the owner keeps it (keep), or a person decides \
        (ask). Default: keep.
        """
    case refundAnswer = """
        Which decision Apple is told to prefer: a full refund (grant), one for what was not used \
        (prorate), none (decline); or Apple is told nothing (nothing).
        """
    case acceptedPolicy = "The digest of the policy that this folder replaces."
    case acceptanceReason = "Why."
    case accountsAtMost = "How many accounts may lose something."
    case timeZone = """
        The time zone of the dates in this file, by its IANA name, such as Asia/Shanghai. A date \
        with a time says its own. Default: UTC.
        """
    case open = """
        What everybody may use in a window, also accounts of which nothing is known. A block still \
        withholds it.
        """
    case openEntitlements = "The entitlements that everybody may use."
    case openWindow = "When: from DATE until DATE."
    case expectedWarning =
        "A warning that is meant, in the section in which it is: {id: …, because: …}."
    case expectedID = "The id of the warning."
    case expectedReason = "Why it is meant."
}

/// What stands around diagnostics.
enum CheckPhrase: String, CaseIterable, PolicyLoadingText, Wording {
    case help = "help"
    case oneError = "1 error"
    case errors = "{0} errors"
    case oneWarning = "1 warning"
    case warnings = "{0} warnings"
    case unchanged = "the running policy is unchanged"
    case replaced = "this policy is now running"
    case moreLikeIt = "and {0} more like it"
    case andMore = "{0} and {1} more"
    case filesRead = "files read"
    case filesIgnored = "files ignored"
    case products = "products"
    case rules = "rules"
    case none = "none"
    case labelled = "{0}: {1}"
    case listSeparator = ", "
    case waive = """
        if it is meant, write next to the other keys of the section: expect-warning: {id: {0}, \
        because: …}
        """
    case waiveInFile =
        "if it is meant, write at the top of a file: expect-warning: {id: {0}, because: …}"
    case clauseSeparator = "; "
    case schemaTitle = "An usher policy file"
    case example = "for example {0}"
    case expected = "warnings that are expected"
    case repairedLine = "line {0} repaired, as --fix --write does it: {1}"
    case removedLine = "line {0} would be removed by --fix --write"
}

/// What stands between things to choose from.
enum ChoicePhrase: String, CaseIterable, PolicyLoadingText, Wording {
    case separator = ", "
}

/// What a message is about.
package enum Fact: Hashable, Sendable {
    /// Something that the author wrote, shown in quotes.
    case written(String)
    /// A rule by its name.
    case rule(RuleReference)
    case number(Int64)
    /// Things to choose from, each in quotes.
    case choice([String])
    case form(WrittenForm)
    /// Shown as it is, without quotes around it.
    case plain(String)

    /// As it stands in a message.
    func shown(in language: Language) -> String {
        switch self {
        case .written(let text): "'\(text.inMessage)'"
        case .rule(let rule): "'\(rule.name(in: language).inMessage)'"
        case .number(let number): String(number)
        case .choice(let texts):
            texts.map { "'\($0.inMessage)'" }
                .joined(separator: ChoicePhrase.separator.text(language))
        case .form(let form): form.text(language)
        case .plain(let text): text
        }
    }
}

extension LocalizedText {
    func filled(with facts: [Fact], in language: Language) -> String {
        filled(with: facts.map { $0.shown(in: language) }, in: language)
    }
}

extension String {
    /// Safe to show, and no longer than a message bears.
    var inMessage: String { shown(atMost: 80) }
}
