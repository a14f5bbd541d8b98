internal import EntitlementModel

/// What `usher policy diff` and `usher policy check` say of accounts.
enum ImpactPhrase: String, CaseIterable, UsherText, Wording {
    case title = "policy {0} in place of {1}, at {2} and on the {3} days after that"
    case counts =
        "accounts that hold what changes: {0}; that lose something: {1}; that gain something: {2}"
    case nobody = "nobody loses or gains anything"
    case loses = "lose {0}: {1}"
    case gains = "gain {0}: {1}"
    case environment = "{0} ({1})"
    case now = "now: {0}"
    case from = "from {0}: {1}"
    case firstAt = "first at {0}"
    case on = "at {0}: {1}"
    case paid = "last paid {0} in total"
    case examples = "such as {0}"
    case noPurchase = "no purchase"
    case searching = "finding accounts"
    case deriving = "comparing accounts"
    case stopped = "stopped before all accounts were compared"
    case resumable = "repeat the command to continue from {0}"
    case accepted = "{0} accepts losses; accounts that may lose something: {1} at most"
    case nothingToAccept = "nobody loses anything: no {0} was written"
    case since = "since the live policy: {0}"
    case lose = "{0} lose {1}"
    case gain = "{0} gain {1}"
    case nobodyLoses = "nobody loses"
    case nobodyGains = "nobody gains"
    case cells = """
        cells of product, entitlement and state: {0}; equal: {1}; wider: {2}; narrower: {3}; both: \
        {4}
        """
    case wider = "wider: {0}"
    case narrower = "narrower: {0}"
    case both = "wider and narrower: {0}"
    case undecided = "perhaps narrower (too many cases to try all): {0}"
    case lostWhen = "lost: {0}"
    case gainedWhen = "gained: {0}"
    case usual = "any usual purchase"
    case otherLosses = "what else may be lost:"
    case nothingNarrower = "no purchase gives less than before"
    case open = "what is open to everybody:"
    case lasts = "lasts: {0} → {1}"
    case never = "never"
    case whileState = "as long as the state"
    case forAge = "for {0}"
    case fromAge = "from {0} on"
    case betweenAges = "from {0} until {1}"
    case switches = "what becomes of claims (what is owned stays owned):"
    case zone = """
        {0} of '{1}' is {3} in place of {2}: every day that is written there begins at another time
        """
    case laterBegin = "{0}: '{1}' begins at {2}, beyond the {3} days that are compared"
    case laterEnd = "{0}: '{1}' ends at {2}, beyond the {3} days that are compared"
    case laterChange = "{0}: '{1}' has a date at {2}, beyond the {3} days that are compared"
    case useDays = "use --days {0} to see what it changes"
    case outOfReach = "no comparison reaches it"
    case losingLater = "{0 account loses|accounts lose} something later than that"
    case undoing = "{0}, as an earlier policy had it"
    case edits = "what is written differently:"
    case added = "{0}: '{1}' is new"
    case removed = "{0}: '{1}' is gone"
    case changed = "{0}: '{1}' differs in {2}"
    case changedKeys = "{0}: differs in {1}"
    case reordered = "{0}: the rules are in another order"
}

/// What `usher policy schedule`, `scheduled` and `unschedule` say.
enum SchedulePhrase: String, CaseIterable, UsherText, Wording {
    case title = "scheduled policies"
    case scheduled = "policy {0} is scheduled for {1} as {2}; to take it back: {3}"
    case unscheduled = "policy {0} does not come into force at {1}: schedule {2} is taken back"
    case whoLoses = "who loses what: 'usher policy diff {0} --live'; nothing was scheduled"
    case whoLosesThen = """
        policy {1}, scheduled before, will be in force then; who loses what, with its folder in \
        place of OLD: 'usher policy diff OLD {0} --live'; nothing was scheduled
        """
    case losingBeside = "; accounts that lose something: {0}, beside policy {1}"
    case nothing = "no policy is scheduled"
    case earlier = "earlier ones:"
    case due = "{0}: policy {2} is due at {1}"
    case by = "by {0}: {1}"
    case losses = "it may take something away ({0} in total)"
    case noLosses = "nobody loses anything"
    case losing = "accounts that lose something: {0}"
    case accepted = "up to {0} are accepted if it replaces {1}"
    case would = "it would come into force"
    case wouldNot = "it would be refused: {0}"
    case next = "{0}; next is {1} at {2}"
    case applied = "{0}: policy {1}, due at {2}, came into force at {3}"
    case takenBack = "{0}: policy {1}, due at {2}, was taken back at {3}: {4}"
    case refused = "{0}: policy {1}, due at {2}, was refused at {3}: {4}"
    case alreadyInForce = "{0}: policy {1}, due at {2}, was in force already at {3}"
    case errors = "it has errors"
    case notAccepted = "it may take something away, and nobody accepted that"
    case tooManyLosing = "more accounts lose something than were accepted"
    case otherBase = "the loss was accepted against another policy"
    case rolledBack = "it was taken back with 'usher policy rollback'"
    case erased = "its text was erased"
    case superseded = "a scheduled policy has replaced it"
}

/// Why `usher policy check --fix --write` changed nothing.
enum RepairFailurePhrase: String, CaseIterable, UsherText, Wording {
    case readOnly = "{0} is read-only; no repair was made"
    case changedMeanwhile = "{0} has changed since it was read; run the command again"
    case unwritable = "{0} cannot be replaced in its folder; check permissions and disk space"
}

/// What `usher policy explain` says of a name that nothing has.
enum ExplainUnknownPhrase: String, CaseIterable, UsherText, Wording {
    case unknown =
        "'{0}' is not a diagnostic, finding or key, and the policy has nothing of that name"
    case unknownNear = """
        '{0}' is not a diagnostic, finding or key, and the policy has nothing of that name; did \
        you mean '{1}'?
        """
}

/// What `usher policy show` says instead of tables.
enum ShowPhrase: String, CaseIterable, UsherText, Wording {
    case unknownEntitlement = "the policy has no entitlement '{0}'"
}
