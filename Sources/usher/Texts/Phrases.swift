internal import ArgumentParser
internal import EntitlementAnswers
internal import EntitlementModel

/// What all commands say to people.
enum Phrase: String, CaseIterable, UsherText, Wording {
    case mayUse = "yes: {0} may use {1}"
    case mayNotUse = "no: {0} may not use {1}"
    case until = " until {0}"
    case because = " ({0})"
    case listSeparator = ", "
    case clauseSeparator = "; "
    case grant = "manual grant: {0}"
    case rule = "rule '{0}' at {1}"
    case builtInRule = "built-in rule '{0}'"
    case noService = "no service answers at {0}; start one with 'usher serve'"
    case noServiceNorLedger =
        "no service answers at {0}; start one with 'usher serve' or name a ledger with --ledger"
    case serviceRejected = "request rejected: {1} [{0}]"
    case unreadableAnswer = "unreadable answer from the service"
    case labelled = "{0}: {1}"
    case bracketed = "{0} ({1})"
    case coded = "{0} [{1}]"
    case fileUnreadable = "cannot read {0}"
    case fileUnwritable = "cannot write {0}"
    case played = "{0} items of evidence"
    case policyClean = "policy is valid: {0}"
    case policyFolderUnreadable = "the policy folder {0} cannot be read"
    case serving = "serving on {0} with policy {1}"
    case policyRefusedAtStart = "the policy has errors; the service does not start"
    case lastPolicyStays = "the policy folder has errors; the last policy stays in force: {0}"
    case policyWaits =
        "the policy folder may take something away and waits; the last policy stays in force: {0}"
    case policyHasErrors = "the policy has errors; nothing was done"
    case unknownAccount =
        "there is no record of the account '{0}'; for a new account, add --new-account"
    case nothingKnown = "warning: there is no record of the account '{0}'"
    case maybeErased = """
        there is no record of the account '{0}', or it was erased: the setting 'privacy.key-file' \
        (USHER_PRIVACY_KEY_FILE) would tell
        """
    case unknownCommand = "unknown command '{0}'"
    case seeHelp = "'{0} --help' lists the commands"
    case unknownEntitlement = "no policy has ever defined this entitlement [entitlement.unknown]"
    case mistake = "{0}: error: {1}"
    case noArguments = "the arguments cannot be read: /proc is not mounted"
}

/// What the pages on an account say: `show`, `findings`, `claims list` and the parts that
/// `explain` shares with them.
enum AccountPhrase: String, CaseIterable, UsherText, Wording {
    case title = "{0} at {1}"
    case mergedInto = "merged into {0}, which has what it had: {1}"
    case nothingKnown = "there is no record of this account"
    case erased =
        "this account was erased on {1} (entry {0}), and nothing was recorded of it since"
    case erasedBefore =
        "this account was erased on {1} (entry {0}); what follows was recorded since"
    case pseudonym = "the pseudonym of an erased account"
    case rights = "Rights"
    case purchases = "Purchases"
    case balances = "Balances"
    case grants = "Manual grants"
    case blocks = "Blocks"
    case claims = "Claims"
    case refunds = "Refund requests"
    case actions = "Manual decisions"
    case superseded = "decided again since (decision {0})"
    case findings = "Findings"
    case orders = "Orders"
    case leftOut = "not listed, because the client reports them as invalid: {0}"
    case yes, no
    case always = "forever"
    case since = "from {0}"
    case until = "until {0}"
    case fromUntil = "from {0} until {1}"
    case paidUntil = "paid until {0}"
    case lineage = "original transaction {0}"
    case transaction = "transaction {0}"
    case appleID = "Apple ID {0}"
    case ownedAlways = "owned by {0} (decision {1})"
    case ownedBy = "owned by {0} {1} (decision {2})"
    case ownedByNobody = "no owner"
    case entries = "{0 entry|entries}"
    case noCredits = "no credits"
    case grantNamed = "grant {0}"
    case given = "{0} {1} (grant {2})"
    case givenBy = "by {0}: {1}"
    case grantOver = "revoked {0} by {1}: {2}"
    case blockStanding = "blocked since {0} (block {1})"
    case closedStanding = "closed since {0} (block {1})"
    case blockWas = "was blocked from {0} until {1} (block {2})"
    case erasureDue = "to be erased on {0}"
    case closedWas = "was closed from {0} until {1} (block {2})"
    case blockStops = "stops only {0}"
    case blockOver = "lifted {0} by {1}: {2}"
    case claim = "claim {0}: {1} presented transaction {2} {3} at {4}"
    case owners = "owned by {0} afterwards"
    case noOwner = "no owner afterwards"
    case noFindings = "no findings"
    case findingsIncomplete = "the ledger has not been scanned completely yet; try again later"
    case noClaims = "no claims"
    case nothingOtherwise = "no claim would be decided otherwise today"
    case today = "today: {0}"
    case leftByOlderRules = "what older rules have left to a person (all of it: usher orders lost):"
    case about = "about {0}"
    case repeated = "{0} claims by the same evidence"
    case duplicateSide = "{0} ({1}) on Apple ID {2}"
    case overlap = "overlap: {0} days"
    case keep = "keep {0}; cancel {1}"
    case wouldKeep = "it would have been enough to keep {0} and to cancel {1}"
    case givenByOther = "what is to be cancelled gives now: {0}; see what the other one gives first"
    case purchaseCount = "{0} purchases"
    case purchasedAt = "purchased {0}"
    case renewedAt = "renewed {0}"
    case quantity = "quantity {0}"
    case familyShared = "family-shared"
    case seats = "{0} seats"
    case commitmentMonth = "month {0} of {1}"
    case commitmentEnd = "the commitment ends {0}"
}

/// What the commands say by which a person changes something, and preflight before a purchase.
enum AdminActionPhrase: String, CaseIterable, UsherText, Wording {
    case granted = "granted: {0} may use {1} {2} (grant {3}; to revoke it: {4})"
    case creditGranted = "granted: {1} for {0} (grant {3}; to revoke it: {4})"
    case revoked = "revoked: grant {0} of {1} to {2}"
    case blocked = "blocked: {0} (block {1}; to unblock: {2})"
    case unblocked = "unblocked: {0} (block {1})"
    case closed = "closed: {0} (to reopen: {1})"
    case reopened = "reopened: {0}"
    case ruledFor = "done: {0} is owned by {1}"
    case ruledNobody = "done: {0} has no owner"
    case ruledDenied = "done: the claim is denied; {0} is owned by {1}"
    case merged = "merged: {0} into {1} (merge {2}; to undo it: {3})"
    case unmerged = "undone: merge {2} of {0} into {1}"
    case policyActivated = "policy activated: {0}"
    case policyUnchanged = "policy unchanged: {0}"
    case policyRolledBack = "policy {0} is in force again, in place of {1}"
    case checkFolder =
        "the policy in force is unchanged; see the errors with 'usher policy check FOLDER'"
    case proceed = "proceed: {0} may buy {1}"
    case warn = "warn: {0} wants to buy {1}"
    case block = "block: {0} must not buy {1}"
    case claimWouldBe = "the claim would be: {0}"
    case owner = "of account {0}"
    case orderSettled = "settled: order {0} by transaction {3}; {1} owns its purchase of {2}"
    case orderGiven = """
        settled: order {0}; {1} has what {2} gives, until a payment takes its place (to undo it: \
        {3})
        """
    case orderRefused =
        "closed: order {0}; a payment that comes nevertheless opens it again (to undo it: {1})"
    case orderReassigned = "done: order {0} and its payment are for {1}"
    case orderUndone = "undone: order {0} is in its former state again: {1}"
    case costs = "costs {0}"
    case costsEvery = "costs {0} every {1}"
    case inStorefront = "in the storefront {0}"
    case storefrontUnknown = "the storefront of this Apple ID is not known"
    case claimWouldBeBoth =
        "the claim would be: {0}; if the purchase comes without the account's token: {1}"
    case takesEffectAt = "at {0}"
}

/// What is said of a policy that may take something away.
enum PolicyPhrase: String, CaseIterable, UsherText, Wording {
    case unchanged = "this policy is in force"
    case activates = "nobody loses anything: it replaces {0} automatically"
    case accepted = "its accept.yaml accepts the losses ({0} in total); it replaces {1}:"
    case waits = "it may take something away, so it waits and {1} stays in force ({0} in total):"
    case waitsForPerson = "it waits for a person, and {0} stays in force"
    case more = "and {0} more"
    case otherAcceptance = "its accept.yaml is for another policy: {0}"
    case howToAccept = """
        to accept it: an accept.yaml in the folder with {from: {0}, because: …, accounts_at_most: \
        N}, or 'usher policy reload --reason '…' --accept-loss N'
        """
    case notCounted = "the accounts that lose something are being counted"
    case counting = "compared so far: {0} of {1}"
    case nothingWaits = "no policy waits"
    case notCompared = "not compared with the policy in force: {0}"
    case counted = "accounts that lose something now or later: {0}"
    case tooMany = "only {0} were accepted"
    case rolledBack = "it was taken back with 'usher policy rollback'"
    case harmless = "no account loses anything, so it replaces {0} automatically"
    case missingFiles = "the policy in force has {0}, and this folder does not"
    case filesGone = "the policy before had {0}, and this one does not"
}

/// What is wrong with arguments that the parser of the command line has read.
enum ArgumentPhrase: String, CaseIterable, UsherText, Wording {
    case range = "{0} is a number from {1} to {2}"
    case exclusive = "{0} and {1} exclude each other"
    case belongsTo = "{0} belongs to {1}"
    case statementOnly = "--from, --until and --csv belong to --statement"
    case needs = "{0} needs {1}"
    case needsEither = "{0} needs {1} or {2}"
    case bothNeed = "{0} and {1} need {2}"
    case together = "{0} and {1} go together"
    case notNegative = "{0} is not negative"
    case aboveZero = "the number is above 0"
    case notWithAccount = "{0} cannot be combined with an account"
    case notCredit = "'{0}' is not a credit and an amount from 1 to 1000000000, like coins=5"
    case reference = "a reference is one line of at most 200 characters"
    case ascii = "it is printable ASCII without spaces"
    case uuid = "an appAccountToken is a UUID"
    case fromBeforeTo = "--from must be before --to"
    case extensionDays = "--days is from 1 to 90, --request-id at most 128 bytes"
    case storefronts = "name either --storefront or --all-storefronts"
    case storefront = "a storefront is three capital letters, like USA"
    case consent = "nothing may be sent without --customer-consented"
    case advanced = "--advanced-commerce takes everything from its file"
    case delivery = "name --delivery, and --sample or --no-sample"
    case appleServers = "Apple's servers have the environments production and sandbox"
    case patternLength = "{0} is a pattern of 1 to 256 bytes"
    case withNeither = "{0} cannot be combined with {1} or {2}"
    case fixFormats = "--fix has the formats text and json"
    case folderOnce = "name the policy folder once"
    case changesNow = "--at cannot be combined with changes"
    case followService = "--follow requires a service: it cannot follow a file"
    case contradiction = "no change of the kind is about an entitlement"
    case notCursor = "'{0}' is not the number or the cursor of a change"
    case allOrOne = "--all and the number of a change exclude each other"
    case pace = "--calls-per-second is 1 to 1000, --limit is positive"
    case planOnly = "{0} needs {1}: evidence is written by the running service only"
    case appleNow = "--at does not apply: Apple answers for now"
    case oneOrTwoFolders = "name one or two policy folders"
    case twoFolders = "name two policy folders, or {0} or {1}"
    case acceptReason = "--accept is a reason of 1 to 1,000 bytes"
    case accountsLedger = "{0} needs {1}: the service does not list accounts"
    case accountsFile = "{0} is the name of a file that ends in .csv or .jsonl"
    case copyOrReason = "name the copy, or give the service a --reason"
    case serviceReason = "--reason applies only to a backup that the service makes"
    case copyName = "--ledger requires the name of the copy: the service uses its own ledger"
    case copyCommand = "'usher ledger copy' copies a ledger into a database"
    case copySides = "one of the two must be a ledger file, the other 'database:' and a file"
    case entryNumber = "an entry is given by its number"
    case anchor = "an anchor is a number, a colon and 64 hexadecimal digits"
    case ordersNow = "--at cannot be used: orders are read as of now"
    case gift = "name an entitlement, or credits with --credit"
    case waitingNow = "--at requires an account: waiting claims are listed as of now"
    case presentOnly = "--known-at and --revision cannot be used: this is told as of now only"
    case reviewNow = "--at cannot be used: claims are reviewed as of now"
    case inspected = "name --policies, or --bundle-id and --environment, or --any-bundle"
    case outOrSocket = "name either --out or --socket"
    case findNow = "--at cannot be used: an id is looked up as of now"
    case pastAccount = "--at, --past and --assume require an account"
    case pictureEnds = "the picture ends before it begins"
    case pictureWidth = "a picture is 40 to 1000 columns wide"
    case consentWord = "name one of --given and --withdrawn"
    case appleIDKey = """
        a key of an Apple ID is 'atx:' or 'otx:', an environment, ':' and digits, like \
        otx:production:400000000001001
        """
    case expectedAnswer = "--first-wrong needs --expected: yes, no, or until=2026-03-01"
    case assumption = "--assume takes a sentence like '{0}'"
    case mostAssumptions = "at most {0} assumptions can be made at once"
    case name = "a name is printable ASCII without spaces, of at most {0} bytes"
    case date = "a date is written like 2026-03-01 or 2026-03-01T12:00:00Z"
}

extension ValidationError {
    /// In the reader's language: the parser hands the sentence on.
    init(_ phrase: ArgumentPhrase, _ values: String...) {
        self.init(phrase, values)
    }

    fileprivate init(_ phrase: ArgumentPhrase, _ values: [String]) {
        self.init(phrase.filled(with: values.map(\.shown), in: Usher.language))
    }
}

/// - Throws: the sentence for arguments that cannot be.
func require(
    _ condition: Bool, or phrase: ArgumentPhrase, _ values: String...
) throws(ValidationError) {
    guard condition else { throw ValidationError(phrase, values) }
}

/// - Throws: the sentence for a number of an option that is out of its range.
func require<Number: BinaryInteger>(
    _ number: Number, in range: ClosedRange<Number>, of option: String
) throws(ValidationError) {
    try require(
        range.contains(number), or: .range, option, "\(range.lowerBound)", "\(range.upperBound)")
}

/// The words around what a command says of itself, and what is wrong with a command line.
enum UsagePhrase: String, CaseIterable, UsherText, Wording {
    case overview = "OVERVIEW: {0}"
    case usage = "Usage: {0}"
    case arguments = "ARGUMENTS:"
    case options = "OPTIONS:"
    case subcommands = "SUBCOMMANDS:"
    case example = "Example: "
    case error = "Error: {0}"
    case help = "Help:  {0}"
    case values = "(values: {0})"
    case standard = "(default: {0})"
    case moreHelp = "See '{0} --help' for more information."
    case seeHelp = "See '{0} help <subcommand>' for detailed help."
    case unknownOptionMeant = "Unknown option '{0}'. Did you mean '{1}'?"
    case unknownOption = "Unknown option '{0}'"
    case missingValue = "Missing value for '{0}'"
    case takesNoValue = "The option '{0}' does not take any value, but '{1}' was specified."
    case unexpected = "Unexpected argument '{0}'"
    case severalUnexpected = "{0} unexpected arguments: {1}"
    case missingArgument = "Missing expected argument '{0}'"
    case notOneOf = "The value '{0}' is invalid for '{1}'. Please provide one of {2}"
    case invalidBecause = "The value '{0}' is invalid for '{1}': {2}"
    case invalid = "The value '{0}' is invalid for '{1}'"
}

/// Codes of orders in words.
extension OrderEventKind: UsherText {
    package var english: String {
        switch self {
        case .paying: "payment begun"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .deferred: "waits for approval"
        case .notAllowed: "payments disabled"
        case .noReceipt: "no receipt yet"
        case .alreadyOwned: "the customer has it already"
        case .finished: "finished"
        case .paid: "paid"
        case .delivered: "delivered"
        case .tied: "no single match"
        case .refunded: "refunded"
        case .refundReversed: "refund reversed"
        case .calledBack: "the client has submitted the evidence"
        case .scheduled: "the plan changes at the renewal"
        case .changedBack: "the plan does not change"
        case .seen: "a payment that may be this order's is known"
        case .paymentMoved: "its payment is another order's"
        case .settled: "settled"
        case .refused: "closed by a person"
        case .reassigned: "reassigned"
        case .undone: "last ruling undone"
        }
    }
}

extension OrderMatchBasis: UsherText {
    package var english: String {
        switch self {
        case .orderID: "the evidence names this order"
        case .token: "the purchase carries this order's appAccountToken"
        case .transactionID: "the client reported this transaction"
        case .plan: "the renewal changes the plan as ordered"
        case .only: "no other order fits"
        case .appleID: "the Apple ID fits best"
        case .price: "the price fits best"
        case .time: "nearest in time"
        case .person: "a person decided"
        }
    }
}

extension OrderComparison.Likeness: UsherText {
    package var english: String {
        switch self {
        case .same: "same"
        case .unknown: "unknown"
        case .different: "different"
        }
    }
}

extension OrderDifference: UsherText {
    package var english: String {
        switch self {
        case .product: "product"
        case .quantity: "quantity"
        case .price: "price"
        case .environment: "environment"
        }
    }
}

/// What Apple's numbers mean: `errorCode` of the App Store Server API, `status` of verifyReceipt.
enum AppleCodePhrase: Int, CaseIterable, UsherText {
    case transactionIDInvalid = 4_000_006
    case noAppTransactionID = 4_000_048
    case cannotExtend = 4_030_004
    case accountNotFound = 4_040_001
    case accountNotFoundNow = 4_040_002
    case appNotFound = 4_040_003
    case appNotFoundNow = 4_040_004
    case originalNotFound = 4_040_005
    case originalNotFoundNow = 4_040_006
    case noNotificationURL = 4_040_007
    case testNotFound = 4_040_008
    case extensionNotFound = 4_040_009
    case transactionNotFound = 4_040_010
    case noAppTransaction = 4_040_019
    case tooOften = 4_290_000
    case failure = 5_000_000
    case failureNow = 5_000_001
    case receiptNotPosted = 21_000
    case receiptMalformed = 21_002
    case receiptNotAuthentic = 21_003
    case wrongSecret = 21_004
    case receiptServerDown = 21_005
    case receiptExpired = 21_006
    case receiptOfSandbox = 21_007
    case receiptOfProduction = 21_008
    case receiptDataFailure = 21_009
    case customerGone = 21_010

    var english: String {
        switch self {
        case .transactionIDInvalid: "the transaction id is not valid"
        case .noAppTransactionID: "this call does not take an app transaction id"
        case .cannotExtend: "the subscription cannot be extended"
        case .accountNotFound: "no customer of this App Store account"
        case .accountNotFoundNow: "the customer cannot be found at the moment"
        case .appNotFound: "no app has this bundle id"
        case .appNotFoundNow: "the app cannot be found at the moment"
        case .originalNotFound: "no purchase has this original transaction id"
        case .originalNotFoundNow: "the purchase cannot be found at the moment"
        case .noNotificationURL: "App Store Connect has no address for notifications"
        case .testNotFound: "the test notification is unknown, or not sent yet"
        case .extensionNotFound: "no extension for all subscribers has this id"
        case .transactionNotFound: "no purchase has this transaction id"
        case .noAppTransaction: "the customer has no app transaction"
        case .tooOften: "the limit of calls is reached"
        case .failure: "a failure at Apple"
        case .failureNow: "a failure at Apple that passes"
        case .receiptNotPosted: "the receipt was not posted"
        case .receiptMalformed: "the receipt is malformed, or the server failed"
        case .receiptNotAuthentic: "the receipt is not authentic"
        case .wrongSecret: "the shared secret is not the app's"
        case .receiptServerDown: "the receipt server is not available"
        case .receiptExpired: "the receipt is genuine and its subscription has expired"
        case .receiptOfSandbox: "the receipt is of the sandbox"
        case .receiptOfProduction: "the receipt is of production"
        case .receiptDataFailure: "Apple's data cannot be read at the moment"
        case .customerGone: "the customer's account is unknown or deleted"
        }
    }
}

/// Why Apple's servers gave no answer: the kinds of `AppStoreFailure`.
enum AppStoreFailurePhrase: String, CaseIterable, UsherText {
    case unauthorized
    case notFound = "not-found"
    case rateLimited = "rate-limited"
    case unavailable
    case network
    case badAnswer = "bad-answer"
    case rejected

    var english: String {
        switch self {
        case .unauthorized:
            "Apple's servers do not accept the credentials: check the key, its ids, the shared "
                + "secret, the bundle id and the clock"
        case .notFound: "Apple's servers do not know this"
        case .rateLimited: "Apple's servers must not be asked so often"
        case .unavailable: "Apple's servers have a temporary failure"
        case .network: "Apple's servers cannot be reached"
        case .badAnswer: "Apple's servers gave an answer that cannot be used"
        case .rejected: "Apple's servers reject the request"
        }
    }
}

/// What belongs to such a sentence.
enum AppStoreFailureDetail: String, CaseIterable, UsherText, Wording {
    case code = "code {0}"
    case codeMeaning = "code {0}: {1}"
    case status = "HTTP {0}"
    case library = "libcurl.so.4 is not installed; on Debian: apt install libcurl4"
    case retryAt = "try again at {0}"
}

extension DriftCause: UsherText {
    package var english: String {
        switch self {
        case .missedNotification: "missed notification"
        case .notificationsUnreadable: "notification history not readable to its end"
        case .refundUnknown: "refund unknown"
        case .reversalUnknown: "reversed refund unknown"
        case .renewalUnknown: "renewal unknown"
        case .transactionUnknown: "transaction unknown"
        case .lineageUnknown: "purchase unknown"
        case .stateUnknown: "renewal state unknown"
        case .detailUnknown: "detail of a transaction unknown"
        case .lineageNotFound: "purchase not found at Apple"
        case .statusDiffers: "Apple's status differs"
        case .extraRight: "extra right"
        case .missingRight: "missing right"
        }
    }
}

extension RiskClass: UsherText {
    package var english: String {
        switch self {
        case .expiring: "about to expire"
        case .retrying: "in grace or retrying"
        case .silent: "silent for long"
        case .refunded: "refunded lately"
        case .steady: "all others"
        }
    }
}
