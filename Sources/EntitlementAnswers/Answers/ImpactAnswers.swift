package import EntitlementModel

/// Who gains and who loses what by the step from one policy to another, now and within the next
/// days (spec 2.4).
package struct PolicyImpactAnswer: WireObject {
    package var policy: Digest256
    package var replaces: Digest256
    /// Now; each day is 24 hours later than the one before.
    package var at: Instant
    package var days: Int64
    /// Up to this entry every account is reflected; some may be as of a later one.
    package var revision: LedgerSequence
    /// Accounts that have, or had, a product of which anything changes.
    package var concerned: Int64
    /// Those of them that lose anything until then.
    package var losing: Int64
    /// Those that lose anything at any known time, also later: the measure for a policy that takes
    /// something away before it comes into force.
    package var losingEver: Int64
    package var gaining: Int64
    /// By direction, environment, right, and number of accounts.
    package var groups: [ImpactGroupAnswer]
    /// Dates of changed rules that lie beyond the days; nil where there are none.
    package var later: [ImpactDateAnswer]?
    /// The differences of the texts, whoever they concern; nil for none.
    package var edits: [PolicyEditAnswer]?

    package init(
        policy: Digest256, replaces: Digest256, at: Instant, days: Int64,
        revision: LedgerSequence, concerned: Int64, losing: Int64, losingEver: Int64,
        gaining: Int64, groups: [ImpactGroupAnswer], later: [ImpactDateAnswer]? = nil,
        edits: [PolicyEditAnswer]? = nil
    ) {
        self.edits = edits
        self.policy = policy
        self.replaces = replaces
        self.at = at
        self.days = days
        self.revision = revision
        self.concerned = concerned
        self.losing = losing
        self.losingEver = losingEver
        self.gaining = gaining
        self.groups = groups
        self.later = later
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyImpactAnswer(
            policy: try shape.value("policy", \.policy),
            replaces: try shape.value("replaces", \.replaces),
            at: try shape.value("at", \.at), days: try shape.value("days", \.days),
            revision: try shape.value("revision", \.revision),
            concerned: try shape.value("concerned", \.concerned),
            losing: try shape.value("losing", \.losing),
            losingEver: try shape.value("losing_ever", \.losingEver),
            gaining: try shape.value("gaining", \.gaining),
            groups: try shape.value("groups", \.groups),
            later: try shape.optional("later", \.later),
            edits: try shape.optional("edits", \.edits))
    }
}

/// A date of a changed rule that lies beyond the days of a comparison: what it changes is not
/// counted.
package struct ImpactDateAnswer: WireObject {
    package enum Step: String, WireWord {
        case begins
        case ends
        /// It is a date of an exception, or of a rule that is gone.
        case changes
    }

    /// The key of the section in a policy file.
    package var section: String
    package var rule: String
    package var step: Step
    package var at: Instant
    /// How many days reach it; nil where no comparison can.
    package var days: Int64?

    package init(section: String, rule: String, step: Step, at: Instant, days: Int64?) {
        self.section = section
        self.rule = rule
        self.step = step
        self.at = at
        self.days = days
    }

    package static var shapeName: String { "PolicyImpactDate" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ImpactDateAnswer(
            section: try shape.value("section", \.section),
            rule: try shape.value("rule", \.rule), step: try shape.value("step", \.step),
            at: try shape.value("at", \.at), days: try shape.optional("days", \.days))
    }
}

/// Accounts to whom the same happens.
package struct ImpactGroupAnswer: WireObject {
    package enum Change: String, WireWord {
        case loses
        case gains
    }

    package struct Example: WireObject {
        package var account: AccountID
        /// When the change begins for it.
        package var from: Instant

        package init(account: AccountID, from: Instant) {
            self.account = account
            self.from = from
        }

        package static var shapeName: String { "ImpactExample" }

        package static func members(
            _ shape: inout some ShapeVisitor<Self>
        ) throws(ShapeError) -> Self {
            Example(
                account: try shape.value("account", \.account),
                from: try shape.value("from", \.from))
        }
    }

    package var change: Change
    package var environment: StoreEnvironment
    /// Either this or `credit`.
    package var entitlement: EntitlementName?
    package var credit: CreditName?
    /// Of the purchase that gives it; nil where none does.
    package var product: ProductID?
    package var state: EntitlementState?
    package var accounts: Int64
    /// The total of their last payments; nil if unknown.
    package var paid: CataloguePrice?
    /// When it begins for the first of them, even for less than a day.
    package var from: Instant
    /// How many accounts now, and after each day.
    package var byDay: [Int64]
    package var examples: [Example]

    package static var shapeName: String { "ImpactGroup" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ImpactGroupAnswer(
            change: try shape.value("change", \.change),
            environment: try shape.value("environment", \.environment),
            entitlement: try shape.optional("entitlement", \.entitlement),
            credit: try shape.optional("credit", \.credit),
            product: try shape.optional("product", \.product),
            state: try shape.optional("state", \.state),
            accounts: try shape.value("accounts", \.accounts),
            paid: try shape.optional("paid", \.paid), from: try shape.value("from", \.from),
            byDay: try shape.value("by_day", \.byDay),
            examples: try shape.value("examples", \.examples))
    }

    package init(
        change: Change, environment: StoreEnvironment, entitlement: EntitlementName?,
        credit: CreditName?, product: ProductID?, state: EntitlementState?, accounts: Int64,
        paid: CataloguePrice?, from: Instant, byDay: [Int64], examples: [Example]
    ) {
        self.change = change
        self.environment = environment
        self.entitlement = entitlement
        self.credit = credit
        self.product = product
        self.state = state
        self.accounts = accounts
        self.paid = paid
        self.from = from
        self.byDay = byDay
        self.examples = examples
    }
}

/// `POST /v1/policy/impact`: policies to compare, as their folders have them.
package struct PolicyImpactBody: WireObject {
    package var files: [PolicyTextAnswer.File]
    /// Of the policy before; the one in force if omitted.
    package var oldFiles: [PolicyTextAnswer.File]?
    /// The days to look ahead, from 1 to 400; 30 if omitted.
    package var days: Int64?

    package init(
        files: [PolicyTextAnswer.File], oldFiles: [PolicyTextAnswer.File]?, days: Int64? = nil
    ) {
        self.files = files
        self.oldFiles = oldFiles
        self.days = days
    }

    package static var shapeName: String { "PolicyImpactRequest" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyImpactBody(
            files: try shape.value("files", \.files),
            oldFiles: try shape.optional("old_files", \.oldFiles),
            days: try shape.optional("days", \.days))
    }
}

/// `GET /v1/policy/waiting`: what waits, how far the walk has come that counts whom it concerns, and
/// what it has found.
package struct WaitingPolicyReport: WireObject {
    /// Nil where nothing waits.
    package var waiting: WaitingPolicyAnswer?
    /// A part of `total`, which is zero in the beginning, and where nothing is counted.
    package var done: Int64
    package var total: Int64
    package var impact: PolicyImpactAnswer?

    package init(
        waiting: WaitingPolicyAnswer?, done: Int64, total: Int64, impact: PolicyImpactAnswer?
    ) {
        (self.waiting, self.done, self.total) = (waiting, done, total)
        self.impact = impact
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        WaitingPolicyReport(
            waiting: try shape.optional("waiting", \.waiting),
            done: try shape.value("done", \.done), total: try shape.value("total", \.total),
            impact: try shape.optional("impact", \.impact))
    }
}

/// `GET /v1/policy/counts`: the accounts with a production purchase of each kind in each state.
package struct PolicyCountsAnswer: WireObject {
    /// When the walk began.
    package var at: Instant
    package var policy: Digest256
    /// Up to this entry every account is reflected; some may be as of a later one.
    package var revision: LedgerSequence
    /// All of the ledger.
    package var accounts: Int64
    /// Those in which any is.
    package var cells: [PolicyCellCount]

    package init(
        at: Instant, policy: Digest256, revision: LedgerSequence, accounts: Int64,
        cells: [PolicyCellCount]
    ) {
        (self.at, self.policy, self.revision) = (at, policy, revision)
        (self.accounts, self.cells) = (accounts, cells)
    }

    package static var shapeName: String { "PolicyCounts" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyCountsAnswer(
            at: try shape.value("at", \.at), policy: try shape.value("policy", \.policy),
            revision: try shape.value("revision", \.revision),
            accounts: try shape.value("accounts", \.accounts),
            cells: try shape.value("cells", \.cells))
    }
}

/// The accounts in one cell.
package struct PolicyCellCount: WireObject {
    package var kind: ProductKind
    package var state: EntitlementState
    package var accounts: Int64

    package init(kind: ProductKind, state: EntitlementState, accounts: Int64) {
        (self.kind, self.state, self.accounts) = (kind, state, accounts)
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyCellCount(
            kind: try shape.value("kind", \.kind), state: try shape.value("state", \.state),
            accounts: try shape.value("accounts", \.accounts))
    }
}

/// `GET /v1/policy/counts`, which has nothing until they are counted.
package struct PolicyCountsReport: WireObject {
    package var counts: PolicyCountsAnswer?

    package init(_ counts: PolicyCountsAnswer?) {
        self.counts = counts
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        PolicyCountsReport(try shape.optional("counts", \.counts))
    }
}

/// How far a comparison has come, and what it found once it is done.
package struct ImpactRunAnswer: WireObject {
    /// A part of `total`, which is zero in the beginning.
    package var done: Int64
    package var total: Int64
    package var impact: PolicyImpactAnswer?

    package init(done: Int64, total: Int64, impact: PolicyImpactAnswer?) {
        self.done = done
        self.total = total
        self.impact = impact
    }

    package static var shapeName: String { "PolicyImpactRun" }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ImpactRunAnswer(
            done: try shape.value("done", \.done), total: try shape.value("total", \.total),
            impact: try shape.optional("impact", \.impact))
    }
}

/// How far an impact run has come: enough to go on from.
package struct ImpactCheckpoint: WireObject {
    /// The last account that is counted, in the order of the run.
    package var after: AccountID
    /// The results so far, with `concerned` as the number of all accounts of the run.
    package var impact: PolicyImpactAnswer
    /// How many of them are counted.
    package var counted: Int64

    package init(after: AccountID, counted: Int64, impact: PolicyImpactAnswer) {
        self.after = after
        self.counted = counted
        self.impact = impact
    }

    package static func members(_ shape: inout some ShapeVisitor<Self>) throws(ShapeError) -> Self {
        ImpactCheckpoint(
            after: try shape.value("after", \.after),
            counted: try shape.value("counted", \.counted),
            impact: try shape.value("impact", \.impact))
    }
}
