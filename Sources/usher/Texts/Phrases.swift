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
    case ledgerUnusable = "{0} [{1}]"
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
    case rights = "Rights"
    case purchases = "Purchases"
    case balances = "Balances"
    case grants = "Manual grants"
    case blocks = "Blocks"
    case claims = "Claims"
    case findings = "Findings"
    case orders = "Orders"
    case leftOut = "not listed, because the client reports them as invalid: {0}"
    case yes, no
    case always = "forever"
    case since = "from {0}"
    case until = "until {0}"
    case fromUntil = "from {0} until {1}"
    case paidUntil = "paid until {0}"
    case expiredBecause = "{0}: {1}"
    case lineage = "original transaction {0}"
    case transaction = "transaction {0}"
    case appleID = "Apple ID {0}"
    case ownedAlways = "owned by {0} (decision {1})"
    case ownedBy = "owned by {0} {1} (decision {2})"
    case ownedByNobody = "no owner"
    case entries = "{0} entries"
    case noCredits = "no credits"
    case grantNamed = "grant {0}"
    case given = "{0} {1} (grant {2})"
    case givenBy = "by {0}: {1}"
    case grantOver = "revoked {0} by {1}: {2}"
    case blockStanding = "blocked since {0} (block {1})"
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
    case keep = "keep {0}"
    case titled = "{0} ({1})"
    case purchaseCount = "{0} purchases"
    case purchasedAt = "purchased {0}"
    case quantity = "quantity {0}"
    case familyShared = "family-shared"
    case seats = "{0} seats"
    case commitmentMonth = "month {0} of {1}"
    case commitmentEnd = "the commitment ends {0}"

    /// Says the same.
    static let balanceIs = expiredBecause
}

/// What `usher find` says.
enum FindPhrase: String, CaseIterable, UsherText, Wording {
    case line = "{0}: {1}"
    case accounts = "account {0}"
    case presentedBy = "also presented by {0}"
    case mergedInto = "merged into {0}"
    case products = "product {0}"
    case entry = "ledger entry {0}"
    case nothing = """
        nothing is recorded under '{0}' [find.nothing]
          an order number of Apple's e-mails:
            {1}
          a transaction id that never arrived here:
            {2}
          a file with signed evidence:
            usher inspect FILE
          otherwise: "Restore purchases" in the app, which submits what the device has
        """
}

/// What an id is: the kinds of `FoundMeaning`.
enum FoundKindPhrase: String, CaseIterable, UsherText {
    case transaction, lineage, token, claim, order, grant, block, merge, ticket, account
    case appleID = "apple-id"
    case lineItem = "line-item"
    case appleOrder = "apple-order"

    var english: String {
        switch self {
        case .transaction: "transaction"
        case .lineage: "original transaction"
        case .token: "appAccountToken"
        case .claim: "claim"
        case .grant: "grant"
        case .block: "block"
        case .merge: "merge"
        case .ticket: "ticket"
        case .order: "order"
        case .account: "account"
        case .appleID: "Apple ID"
        case .lineItem: "webOrderLineItemId"
        case .appleOrder: "order of the App Store"
        }
    }
}

/// What `usher explain` says.
enum ExplainPhrase: String, CaseIterable, UsherText, Wording {
    case asked = " ({0}, at {1})"
    case because = "why: {0}"
    case stateIs = "state: {0}"
    case revokedAt = "{0}, by Apple at {1}"
    case leftFamilyAt = "removed from Family Sharing by the organiser at {0}"
    case silentSince = "no message from Apple since {0}"
    case becameProduct = "the subscription changed from {0} to {1}"
    case holds = "unchanged {0}"
    case holdsAlways = "the same at all times"
    case source = "source: {0}, transaction {1} of original transaction {2}"
    case granted = "source: grant {0}"
    case renews = "renews automatically"
    case renewsAs = "as {0}"
    case doesNotRenew = "does not renew"
    case retries = "Apple is retrying the payment"
    case graceUntil = "grace period until {0}"
    case purchases = "purchases that can give it"
    case noPurchases = "this account has never had a purchase that gives it"
    case notOwned = "not owned by this account at that instant"
    case claims = "claims on them"
    case noClaims = "no account has presented such a purchase"
    case grants = "manual grants"
    case blocks = "blocks on the account"
    case unclaimed = "payments on this Apple ID that no account has claimed"
    case facts = "based on these facts"
    case noFacts = "no fact gives it"
    case factTransaction = "{0}: Apple signed transaction {1} of {2}"
    case factBought = "bought {0}"
    case factPaidUntil = "paid until {0}"
    case factRevoked = "refunded or revoked {0}"
    case factSigned = "signed {0}"
    case factRecorded = "recorded {0}"
    case factRenewal = "{0}: Apple signed how original transaction {1} renews"
    case factClaimDecision = "{0}: claim {1} of {2} was decided: {3}"
    case factRuling = "{0}: manual ruling: {1}"
    case factMerge = "{0}: account {1} was merged into {2}"
    case factUnmerge = "{0}: the merge of {1} into {2} was undone"
    case factGrant = "{0}: manual grant {1}: {2}"
    case factGrantRevocation = "{0}: grant {1} was revoked: {2}"
    case factBlock = "{0}: the account was blocked, block {1}: {2}"
    case factOther = "{0}: another kind of fact"
    case evidence = "evidence {0} ({1}), SHA-256 {2}"
    case wouldChange = "what would change it: {0}"
    case missTime = "waiting until {0}"
    case missLiftBlock = "lifting block {0}"
    case missApproveClaim = "approving claim {0}"
    case missTransferClaim = "transferring the purchase of claim {0} to this account"
    case missExtendGrant = "extending grant {0}"
    case missRenew = "a renewal of original transaction {0} ({1})"
    case missShareAgain = "the purchaser sharing transaction {0} with the family again"
    case missAssignAgain = "the company assigning the seat of transaction {0} again"
    case missTransferOrWait = """
        transferring the purchase of claim {0} to this account; or presenting it again from {1} \
        on, when it has not moved too lately any more
        """
    case missReverseRefund = "Apple reversing the refund of transaction {0}"
    case missBuy = "buying {0}"
    case missRefund = "a refund of transaction {0}"
    case missRevokeGrant = "revoking grant {0}"
    case missBlock = "blocking the account"
    case missPolicy = "only another policy: no product on sale gives it"
    case missMerged = "nothing: the account was merged into {0}, which has what it had"
    case command = "command: {0}"
    case orders = "orders for products that give it"
    case order = "order {0} of {1}: {2}, made {3}"
}

/// What the commands say by which a person changes something, and preflight before a purchase.
enum AdminActionPhrase: String, CaseIterable, UsherText, Wording {
    case granted = "granted: {0} may use {1} {2} (grant {3}; to revoke it: {4})"
    case creditGranted = "granted: {1} for {0} (grant {3}; to revoke it: {4})"
    case revoked = "revoked: grant {0} of {1} to {2}"
    case blocked = "blocked: {0} (block {1}; to unblock: {2})"
    case unblocked = "unblocked: {0} (block {1})"
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
    case notCompared = "not compared with the policy in force: {0}"
    case counted = "accounts that lose something now or later: {0}"
    case tooMany = "only {0} were accepted"
    case rolledBack = "it was taken back with 'usher policy rollback'"
    case harmless = "no account loses anything, so it replaces {0} automatically"
    case missingFiles = "the policy in force has {0}, and this folder does not"
    case filesGone = "the policy before had {0}, and this one does not"
}

/// What `usher ingest` says.
enum IngestPhrase: String, CaseIterable, UsherText, Wording {
    case done = "{0} submitted"
    case rate = "{0}/s"
    case left = "{0} left"
    case refusedSoFar = "{0} refused"
    case refused = "refused, {0}: {1} [{2}]"
    case keptAside = "quarantined, {0}: {1} [{2}]"
    case claimDenied = "claims, {0}: {1} [{2}]"
    case more = "and {0} more"
    case summary = "{0} submitted: {1} accepted, {2} quarantined, {3} refused; claims denied: {4}"
    case policyWaits = """
        the policy may take something away from accounts that have it; to accept this, write \
        'from: {0}' in its accept.yaml
        """
    case stopping = "stopping after the current batch; interrupt again to stop at once"
    case stopped = """
        stopped after {0}: repeat the command with --skip {0} to continue; submitting everything \
        again is safe, known evidence is not recorded twice
        """
    case badLine = "this is not a line of evidence"
    case badFile = "the file cannot be read"
    case recordedAt = """
        an import states when each item was first known (recorded_at), not before the item above \
        it and not in the future
        """
    case notImported = "recorded_at is only for imports into a ledger (--ledger)"
}

/// What `usher ledger …` says.
enum LedgerPhrase: String, CaseIterable, UsherText, Wording {
    case verifying = "verifying"
    case sound = "sound: {0}"
    case soundChain = "sound: {0} (only file, hash chain and index were verified)"
    case notSound = "not sound: {0}"
    case looked = "entries: {0}; evidence verified again: {1}; decisions computed again: {2}"
    case otherRules = "decisions by version {0} of the rules, not computed again: {1}"
    case unknownDecisions = "decisions that depend on erased entries, not computed again: {0}"
    case erased = "erased entries: {0}; only their existence can be verified"
    case problem = "entry {0}"
    case anchor = "anchor {0}"
    case backedUp = "{0} holds the ledger up to entry {1}"
    case noFolder = "the service has no backup folder: set 'backups' in its configuration"
    case restored = "{0} was restored from {1}"
    case notRestored = "{0} is not sound; nothing was restored"
    case copied = "{0} was copied to {1} up to entry {2}"
    case newest = "newest entry"
    case newestAt = "{0}, recorded {1}"
    case accounts = "accounts"
    case lineages = "purchases and subscriptions"
    case transactions, size
    case sizeWithLog = "{0}, log {1}"
    case outdated = "SQLite {0} may damage the log if another program writes to the file; update it"
    case entries = "Entries"
}

/// What is said of settings.
enum SettingPhrase: String, CaseIterable, UsherText, Wording {
    case bad = "the setting {0} cannot be '{1}'; allowed: {2}"
    case placed = "{0}: {1}"
    case unknown = "{1}: unknown setting '{0}'"
    case unknownVariable = "unknown environment variable {0}"
    case didYouMean = "; did you mean '{0}'?"
    case range = "a whole number from {0} to {1}"
    case mode = "an octal mode up to 0777"
    case group = "a group name or number"
    case peers = "uid:N=ROLE or gid:N=ROLE, separated by commas"
    case callerNames = "uid:N=NAME, separated by commas, each user once"
    case baseURL = "an https URL without a trailing slash"
    case serverURL =
        "an https URL, or an http URL of this machine, without user, query and fragment"
    case anyText = "a text"
    case ledgerFile =
        "a file; a node of a fleet has one too, and 'fleet.database-file' besides (docs/FLEET.md)"
    case databaseFile =
        "a file that only its owner can read, with the database's address as its only line"
    case node = "1 to 64 printable characters without spaces"
    case ledgerName = "16 to 64 digits, 0 to 9 and a to f, as 'usher status' shows them"
    case withoutDatabases =
        "this program was built without the trait 'PostgreSQL', which a fleet's database requires"
    case databaseUnreadable = "the file '{0}' with the database's address cannot be read"
    case databaseExposed = """
        the file '{0}' with the database's address can be read by others than its owner; set its \
        mode to 0600
        """
    case databaseLines = "the file '{0}' must have exactly one line: the database's address"
    case databaseVariable = "{0} must have exactly one line: the database's address"
    case twoDatabases = "'fleet.database-file' and {0} both name a database; keep one of them"
    case withoutValue = "{1}: the setting '{0}' has no value; write {0}=VALUE"
    case fileMissing = "there is no such file"
    case fileFolder = "this is a folder, not a file"
    case fileUnreadable = "the file cannot be read by this user"
    case fileNotText = "the file is not YAML in UTF-8"
    case fileNotMapping = "settings are written as 'name: value', not as a list or a text"
    case fileTwice = "'{0}' is written twice"
    case fileSyntax = "this is not YAML: {0}"
}

/// What `usher status` says.
enum StatusPhrase: String, CaseIterable, UsherText, Wording {
    case ready = "ready"
    case readOnly = "read-only: writing stopped after a failure; repair the cause and restart"
    case diskFull = "read-only: the disk of the ledger is full; writing resumes when there is space"
    case version = "version"
    case running = "uptime"
    case since = "since {0} ({1})"
    case days = "{0} d {1} h"
    case hours = "{0} h {1} min"
    case minutes = "{0} min"
    case policy = "policy"
    case policyRejected = "the policy folder has changed and has errors; see 'usher policy check':"
    case ledger = "ledger"
    case kept = "entry {0}, recorded {1}; {2}, log {3}; pending writes: {4}"
    case ledgerUnreadable = "the ledger cannot be read"
    case ledgerReplaced = """
        the ledger was moved, removed, replaced or written by another program: restore the right \
        file, then restart
        """
    case clockBehind = """
        the clock is behind the ledger: answers are as of its newest entry minus five minutes; \
        correct the clock
        """
    case clockStepped = "the clock has been changed by more than five minutes since the start"
    case feedAhead = """
        changes were told up to an instant more than five minutes ahead of the clock: entries are \
        recorded as of then until the clock has caught up
        """
    case connections = "connections"
    case open = "{0} on query.sock, {1} on usher.sock"
    case turnedAway = "rejected: {0}"
    case questions = "questions"
    case linesLost = "log lines lost: {0}"
    case evidence = "evidence"
    case judged = "{0} accepted since the start"
    case refused = "{0} refused"
    case unrecorded = "{0} of them without an audit line"
    case quarantined = "{0} quarantined"
    case comma = ", "
    case waiting = "waiting"
    case nothingWaits = "nothing waits for Apple"
    case waits = "{0 ticket waits|tickets wait} for Apple, the oldest for {1}"
    case appStore =
        "evidence waits, and Apple is not asked or does not answer: see 'usher evidence waiting'"
    case push = "push to {0}"
    case fleet = "fleet"
    case fleetLedger = "fleet's ledger"
    case fleetLeads = "'{0}' leads, change of leader {1}; commits are kept on {2}"
    case fleetFollows = "'{0}' follows '{1}', change of leader {2}; commits are kept on {3}"
    case fleetAlone = "'{0}' knows of no leader"
    case fleetProblem = "; neither leads nor follows [{0}]"
    case noLeader = "no node of the fleet leads: questions are answered, writes are not"
    case fleetSince = ", answers with what the database had at {0}"
    case halted = "answers nothing: what another node wrote to the ledger cannot be read"
    case policyUnreadable = """
        this version cannot read the policy of entry {0}; install the version that the other nodes \
        run
        """
    case feedBehind = "the change feed is {0} s behind"
    case untoldEntries = "{0} entries wait to be told, from entry {1} on"
    case untoldPolicy = "a new policy is being applied to one account after the other"
    case untoldTime = "what has ended or begun by time waits to be told"
}

/// How a claim stands beyond what `ClaimDenial` names.
enum ClaimStandingPhrase: String, CaseIterable, UsherText {
    case accepted
    case alreadyOwned = "already-owned"
    case approved
    case unknownTransaction = "unknown-transaction"

    var english: String {
        switch self {
        case .accepted: "accepted"
        case .alreadyOwned: "already the owner"
        case .approved: "approved by a ruling"
        case .unknownTransaction: "the purchase is not known yet"
        }
    }
}

/// What `usher simulate play` says of steps that it does not play or check.
enum PlayPhrase: String, CaseIterable, UsherText, Wording {
    case notChecked = "{0} not checked"
    case notPlayed = "{0} not played"
    case outsideStore = "{0}: not played, not in the App Store: lines {1}"
    case withoutService = "{0}: not checked, needs --socket: lines {1}"
    case notAsked = "{0}: not checked, needs 'usher policy test': lines {1}"
    case changedSince = """
        {0}: not checked, something has changed since, and the service uses its own clock: lines \
        {1}
        """
    case incomplete = "{0}: not checked, the service has not told everything: lines {1}"
}
