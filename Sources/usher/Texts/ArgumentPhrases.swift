internal import ArgumentParser
internal import EntitlementModel

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
    case reviewNow = "--at cannot be used: claims are reviewed as of now"
    case inspected = "name --policies, or --bundle-id and --environment, or --any-bundle"
    case outOrSocket = "name either --out or --socket"
    case findNow = "--at cannot be used: an id is looked up as of now"
    case pastAccount = "--at and --past require an account"
    case pictureEnds = "the picture ends before it begins"
    case pictureWidth = "a picture is 40 to 1000 columns wide"
    case consentWord = "name one of --given and --withdrawn"
    case appleIDKey = """
        a key of an Apple ID is 'atx:' or 'otx:', an environment, ':' and digits, like \
        otx:production:400000000001001
        """
    case name = "a name is printable ASCII without spaces, of at most {0} bytes"
    case date = "a date is written like 2026-03-01 or 2026-03-01T12:00:00Z"
}

extension ValidationError {
    /// In the reader's language: the parser hands the sentence on.
    init(_ phrase: ArgumentPhrase, _ values: String...) {
        self.init(phrase.filled(with: values.map(\.shown), in: Usher.language))
    }
}
