internal import EntitlementModel

/// The other texts of this target in English.
extension Help {
    package var english: String {
        switch self {
        case .didYouMean: "did you mean {0}?"
        case .didYouMeanEither: "did you mean one of: {0}?"
        case .writeEither: "write one of: {0}"
        case .oneOf: "one of: {0}"
        case .oneOfOrRemove: "one of: {0}; or remove it"
        case .alreadyThere: "{0} is already in this section; remove one of the two"
        case .writeOneOf: "write {0} with one of: {1}"
        case .unitMissing: "the unit is missing: minutes, hours or days? write one of {0}"
        case .listAccounts:
            "accounts cannot be matched by their ending: list them, or remove this one"
        case .belongsTo(_, before: .some, _):
            "rules of {0} have it: move the rule there, before {2} (the first rule that matches "
                + "decides), or write one of: {1}"
        case .belongsTo:
            "rules of {0} have it: move the rule to the beginning of that list (the first rule "
                + "that matches decides), or write one of: {1}"
        case .writeBeside: "write it next to {0}, in the same column"
        case .newItem: "if another entry begins here, write '- ' before {0}; else keep one of them"
        case .insteadWrite: "write {0} instead"
        case .write: "write {0}"
        case .writtenLike: "write it like this: {0}"
        case .levelsOrPrices: "write {0}, best first; if this order is right, correct the prices"
        case .writeAtTop: "write at the top of the file: {0}"
        case .pointSlippedIn: "a decimal point has slipped: write one of {0}"
        case .withQuotes:
            "write {0}, with the quotes: without them some tools read it as true or false"
        case .spaceAfterColon: "a space is missing after the colon: {0}"
        case .pointSlipped: "if the decimal point has slipped, write {0}; else check both prices"
        case .retiredThen:
            "correct the 'retired' of {1} ({0} or earlier); or write 'only' with what is to be "
                + "withheld, or a narrower 'when'"
        case .writeOrWaive: "write {0}"
        case .cooldownOrMoves: "write {0} or less, or {1} or longer, or only one of the two limits"
        case .thousandsOrFraction: "write {0} for thousands, or {1} for a fraction"
        default: newEnglish
        }
    }
}

extension Help {
    /// What is to be done with something that has its place elsewhere, or in another form.
    private var newEnglish: String {
        switch self {
        case .levelOf:
            "it is a level of {0}: write 'group: {2}', or write a level of the group here: {1}"
        case .groupOfLevel:
            "it is a level of '{1}': write 'group: {1}', and as its level {0}"
        case .levelOrAdd: "one of: {0}; or add it to the levels of {1}, best first: {2}"
        case .digitsLost:
            "digits are lost, as a spreadsheet does it: look the number up (an 'apple_id' is in App "
                + "Store Connect under App Information), and write all of its digits"
        case .nameMissing:
            "if another rule begins here, its first line is missing: write '- name: …' above it"
        case .besideThen:
            "write '{0}' on a line of its own next to 'then: {1}', in the same column; 'limits' has "
                + "only 'cooldown', 'moves' and 'else', for rules that move a purchase"
        case .dashTooMany:
            "it belongs to the rule {1} above it: write two spaces in place of the '- ' before {0}; "
                + "only a rule of its own needs the dash and a 'name'"
        case .nameOrQuoted(_, _, let names) where !names.isEmpty:
            "write the name that is meant, one of: {1}; one that is written so needs quotes: {0}"
        case .nameOrQuoted: "write the name that is meant; one that is written so needs quotes: {0}"
        case .braces: "what belongs together needs braces: {0}"
        case .beginsInColumn(_, alone: true):
            "it is an entry of its own: begin this line in column {0}; what is below it stands right"
        case .beginsInColumn:
            "it is an entry of its own: begin its first line in column {0}, and move what is below it "
                + "with it"
        case .signOfDiff:
            "{0} at the beginning of the line is left over from a comparison of two versions: "
                + "remove it"
        case .restOfComment(_, let lines) where lines.contains("-"):
            "the comment above goes on here: write '# ' at the beginning of each of the lines {1}: {0}"
        case .restOfComment:
            "the comment above goes on here: write '# ' at the beginning of this line: {0}"
        case .commentOrOneOf:
            "a key is a single word: if a comment goes on here, write '# ' at the beginning of this "
                + "line; keys that can be here: {0}"
        case .commentInBrackets:
            "{0} begins a comment that hides the rest of the line: write the value that is meant, "
                + "or quote it"
        case .removeCopy: "{0} looks like a copy: remove the file"
        case .endMissing: "the day after 'until' is missing (the first one outside): {0}"
        case .pricesExchanged: "the prices of this and {0} look exchanged: swap the two"
        case .writeInPlaceOf: "write {0} in place of {1}"
        case .oneOfOrWithout: "write one of: {0}; or remove one of: {1}"
        case .joinLines:
            "if it belongs to the line above, write both on one line: {0}; if it is a key, write "
                + "'key: value'"
        case .ownLines: "each key has its own line, in the same column: {0}"
        case .trustOrRefuse:
            "write 'trusted' (its purchases are recorded) or 'refused' (they are not)"
        case .trustWithRoot:
            "write 'refused'; or write 'trusted', put the certificate that signs for {0} into the "
                + "policy folder, and add it in 'trust', 'roots': {1}"
        case .rootOrRefuse:
            "Apple does not sign for it: put the certificate that signs for {0} into the policy "
                + "folder, and write in 'trust', 'roots': {1}; or refuse {0} here"
        case .dashes:
            "each rule of {0} begins with '- ' before its first key ('- name: …'); its other keys "
                + "begin in the column of 'name'"
        case .moveRule:
            "a list item cannot be in {0}: move it with its lines to the end of the list that it "
                + "is for: {1}"
        case .renameRow:
            "if this is another one, give it a name of its own in the place of {0}; else keep one "
                + "of the two"
        case .mergeInto:
            "remove this line, and move what is below it to the end of {0} in line {1}"
        case .mergeIntoFile:
            "move the rules below it into {0} ({1}, line {2}), and remove this line"
        case .keepOneSide:
            "keep either line {0} or line {1}, and remove the other and the lines {2}"
        case .leftOfMerge(let lines) where lines.areSeveral:
            "left over from merging two versions: remove the lines {0}, and check that nothing around "
                + "them is there twice"
        case .leftOfMerge:
            "left over from merging two versions: remove line {0}, and check that nothing around it "
                + "is there twice"
        case .oneSide:
            "remove the lines {1}; the lines between them ({0}) are in one of two versions only: keep them "
                + "if they are meant, else remove them too"
        case .writeOut(_, value: .some):
            "a policy has no references: in the place of {0}, write {1}"
        case .writeOut:
            "a policy has no references: in the place of {0}, write the value itself; a text that "
                + "begins with '*' needs quotes"
        case .removeMark:
            "a policy has no references: remove {0}, and keep the value after it; a text that "
                + "begins with '&' needs quotes"
        case .quote: "put it in quotes: {0}"
        case .replaceBySpaces: "replace each by an ordinary space; in an indentation, too"
        case .conditionsHere:
            "conditions in this list: {0}; what gives an entitlement is named by 'product' or "
                + "'group'"
        case .calculated: "nothing is calculated here: write the result, such as 9.99"
        case .otherFingerprint:
            "it has {0} digits, the SHA-256 has 64 (0-9 and a-f, without colons): openssl x509 -in "
                + "root.pem -noout -fingerprint -sha256; or put the certificate into the policy "
                + "folder and write {file: root.pem}"
        default: ""
        }
    }
}

extension RelatedNote {
    package var english: String {
        switch self {
        case .firstWritten: "first written at"
        case .alsoHere: "the other one is at"
        case .stoppedHere: "reading stopped at"
        case .sectionBegan: "its section begins at"
        case .definedHere: "defined at"
        }
    }
}

extension Severity {
    package var english: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .note: "note"
        }
    }
}

extension PolicyLoss.Kind {
    package var english: String {
        switch self {
        case .environment: "evidence of {0} is refused"
        case .root: "the root {1} of {0} is no longer trusted"
        case .deniedKey: "evidence signed with the key {0} is refused"
        case .signedAge: "evidence may not be as old as before"
        case .app: "{0} in 'app' has changed"
        case .list: "the list {0} no longer has a rule"
        case .rule: "the list {0} no longer has the rule {1}"
        case .open: "{0} no longer opens {1}, or not for as long"
        case .product: "the product {0} was removed"
        case .productKind: "the kind of the product {0} has changed"
        case .grant: "the product {0} no longer gives {1}"
        case .terms: "the product {0} gives less: {1}"
        case .credit: "the credit {0} was removed"
        case .leeway: "the leeway is shorter: {0}, not {1}"
        case .cell: "{0} may give {1} in fewer cases, in the states {2}"
        }
    }
}

extension WrittenForm {
    package var english: String {
        switch self {
        case .singleValue: "a single value"
        case .list: "a list"
        case .section: "a section with keys"
        case .trueOrFalse: "true or false"
        case .wholeNumber: "a whole number"
        case .amount: "an amount"
        case .listOfValues: "a list of single values"
        case .listInList: "a list within the list"
        case .sectionInList: "a section with keys in the list"
        }
    }
}

extension CheckPhrase {
    var english: String {
        switch self {
        case .help: "help"
        case .oneError: "1 error"
        case .errors: "{0} errors"
        case .oneWarning: "1 warning"
        case .warnings: "{0} warnings"
        case .unchanged: "the running policy is unchanged"
        case .replaced: "this policy is now running"
        case .moreLikeIt: "and {0} more like it"
        case .andMore: "{0} and {1} more"
        case .filesRead: "files read"
        case .filesIgnored: "files ignored"
        case .products: "products"
        case .rules: "rules"
        case .none: "none"
        case .labelled: "{0}: {1}"
        case .choiceSeparator: ", "
        case .listSeparator: ", "
        case .waive:
            "if it is meant, write next to the other keys of the section: "
                + "expect-warning: {id: {0}, because: …}"
        case .waiveInFile:
            "if it is meant, write at the top of a file: expect-warning: {id: {0}, because: …}"
        case .clauseSeparator: "; "
        case .schemaTitle: "An usher policy file"
        case .example: "for example {0}"
        case .expected: "warnings that are expected"
        case .repairedLine: "line {0} repaired, as --fix --write does it: {1}"
        case .removedLine: "line {0} would be removed by --fix --write"
        }
    }
}

/// What each key of a policy means, in English.
extension FieldMeaning {
    var english: String {
        switch self {
        case .version: "The version of the policy format: 1."
        case .app: "The app."
        case .trust: "The root certificates that Apple's signatures are verified against."
        case .environments:
            "The environments whose evidence is recorded. The access rules decide what it grants."
        case .leeway:
            "Access after the paid end while a renewal is in progress; never more than a tenth "
                + "of the period. Default: 1h."
        case .claimsFrom:
            "A former back end has delivered consumables and passes that were bought before this "
                + "day: a person decides on claims of them. Default: there was none."
        case .entitlements: "The rights that products give, by name."
        case .credits: "What is counted and spent, such as coins, by name."
        case .groups:
            "The subscription groups, by name. A customer has at most one product of a group."
        case .products: "What is sold, under the product ids of App Store Connect."
        case .access: "From state to right: the first rule that matches decides."
        case .accountSwitch:
            "What happens when another account presents a purchase: the first rule that matches "
                + "decides."
        case .refundAnswers:
            "What Apple is told when a customer asks for a refund: the first rule that matches "
                + "decides."
        case .duplicateSubscriptions: "How to treat an account that pays twice, from two Apple IDs."
        case .orders: "The app's own purchase orders."
        case .bundleID: "The app's bundle id, as in App Store Connect."
        case .appleID:
            "The app's Apple ID (a number, in App Store Connect under App Information); required "
                + "for production."
        case .newsstand:
            "Whether the app sells Newsstand free subscriptions (products of kind free)."
        case .accountToken:
            "How a purchase's appAccountToken names an account: through the order that created "
                + "it, or by being the account id itself. Default: from-order."
        case .roots: "The roots that a certificate chain may end in."
        case .maxSignedAge: "Evidence signed longer ago is refused. Default: no limit."
        case .deniedKeys:
            "Leaked signing keys, by the SHA-256 of the public key (printed by `usher inspect`): "
                + "evidence signed with them is refused. Evidence recorded before is not "
                + "affected."
        case .jwsRoots: "Roots for StoreKit 2 transactions and notifications."
        case .receiptRoots: "Roots for app receipts."
        case .rootEnvironments: "The environments that this root is valid for. Default: all."
        case .rootFile: "A certificate (PEM or DER) in the policy folder."
        case .rootFingerprint: "The SHA-256 of the certificate (DER), 64 hexadecimal digits."
        case .environmentTrust:
            "Whether evidence of this environment is recorded. Default: refused."
        case .title: "The English title."
        case .chineseTitle: "The Chinese title."
        case .onRefund:
            "What a refund takes back: all, even below zero (debt); what is left (floor); all, "
                + "and spending stops (freeze); nothing (ignore). Default: debt."
        case .levels: "The levels of service, from the highest to the lowest."
        case .duplicateScope:
            "What counts as a duplicate: the same group, or the same entitlement. Default: group."
        case .beforeSecondPurchase:
            "What the app is told before the customer pays twice. Default: warn."
        case .keptSubscription: "Which of the two is recommended to keep. Default: longest-paid."
        case .payWithin: "An order that is not paid within this time is abandoned. Default: 30m."
        case .matchWindow:
            "How far apart order and payment may be to be matched without a token. Default: 24h."
        case .latePayment:
            "What happens with a payment that arrives after the order was abandoned. Default: "
                + "deliver."
        case .productKind: "The product's type in App Store Connect."
        case .productGroup: "The subscription group of an auto-renewable."
        case .productLevel: "The level within the group."
        case .period: "The length of one period of an auto-renewable, as sold: 1w, 1mo, 1y."
        case .duration: "How long a non-renewing purchase lasts."
        case .stacking:
            "How several non-renewing purchases are arranged: one after the other (extend), each "
                + "from its purchase (overlap), the new one ends the old (replace). Default: "
                + "extend."
        case .stack: "Products with the same stack follow one another."
        case .price: "The price by currency (ISO 4217), for reports and matching of orders."
        case .grants: "What a purchase gives: entitlements by name, or credits."
        case .retired: "No new orders from this day on; existing holders keep it."
        case .grantedCredit: "The credit that is given."
        case .units: "How many units one purchase gives."
        case .grantedEntitlement: "The entitlement that is given."
        case .lasting: "How long a consumable gives it, from the purchase."
        case .effect: "Whether the customer may use it."
        case .only: "The entitlements that the rule applies to. Default: all."
        case .verb: "Who holds the purchase afterwards."
        case .sharingAccounts: "How many accounts may share it."
        case .limits: "How often a purchase may move."
        case .ruleName: "A description of the rule in words; shown with every answer."
        case .condition: "All fields must match; of a list, any. Default: always."
        case .exception: "The rule does not apply where all of this matches."
        case .cooldown: "The time that must pass between two moves."
        case .moves: "The maximum number of moves within a time: 3 per 365d."
        case .excess:
            "What becomes of a claim beyond a limit: the owner keeps it (keep), or a person "
                + "decides (ask). Default: keep."
        case .conditionKind: "The product's kind."
        case .productPattern: "Product ids; * matches any characters."
        case .conditionGroup: "Subscription groups."
        case .conditionLevel: "Levels of a group."
        case .conditionEntitlement: "Entitlements."
        case .conditionAccount:
            "Accounts; * only at the end. In account_switch, the account that claims."
        case .conditionEnvironment: "Where the purchase was made."
        case .ownership: "How the Apple ID obtained it."
        case .storefront: "App Store countries or regions, such as US or USA."
        case .offer: "The offer used for the purchase."
        case .tokenMatch: "Whether the purchase's appAccountToken names the account that claims."
        case .moment: "When the claim is made."
        case .state: "The state of the purchase."
        case .stateAge: "How long it has been in that state: under 7d, at least 7d, from 7d to 14d."
        case .unpaidFor:
            "How long ago the paid end was, whatever the states since then: under 7d, at least 7d, "
                + "from 7d to 14d. Before the paid end, it never matches."
        case .expiryReason: "Why it expired."
        case .autoRenew: "Whether it renews, in quotes."
        case .revocation: "How it was revoked."
        case .purchased: "The period's purchase date: before DATE, from DATE, from DATE until DATE."
        case .firstPurchased:
            "The first purchase date: before DATE, from DATE, from DATE until DATE."
        case .refundAnswer:
            "Which decision Apple is told to prefer: a full refund (grant), one for what was not "
                + "used (prorate), none (decline); or Apple is told nothing (nothing)."
        case .timeZone:
            "The time zone of the dates in this file, by its IANA name, such as Asia/Shanghai. A date "
                + "with a time says its own. Default: UTC."
        case .open:
            "What everybody may use in a window, also accounts of which nothing is known. A block "
                + "still withholds it."
        case .openEntitlements: "The entitlements that everybody may use."
        case .openWindow: "When: from DATE until DATE."
        case .inForce:
            "When the rule itself is in force: before DATE, from DATE, from DATE until DATE."
        case .acceptedPolicy: "The digest of the policy that this folder replaces."
        case .acceptanceReason: "Why."
        case .accountsAtMost: "How many accounts may lose something."
        case .expectedWarning:
            "A warning that is meant, in the section in which it is: {id: …, because: …}."
        case .expectedID: "The id of the warning."
        case .expectedReason: "Why it is meant."
        }
    }
}
