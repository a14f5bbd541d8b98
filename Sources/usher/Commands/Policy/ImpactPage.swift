internal import EntitlementAnswers
internal import EntitlementModel
internal import StrictJSON

/// What is known of one right over all its groups.
struct ImpactOfRight {
    let change: ImpactGroupAnswer.Change
    let environment: StoreEnvironment
    let name: String
    let groups: [ImpactGroupAnswer]

    var accounts: Int64 { groups.reduce(0) { $0 + $1.accounts } }
    /// When it begins for the first of them.
    var from: Instant? { groups.lazy.map(\.from).min() }

    /// How many accounts now, and wherever the number is another than the day before.
    var steps: [(day: Int, accounts: Int64)] {
        let days = groups.first?.byDay.count ?? 0
        let counts = (0..<days).map { day in
            groups.reduce(0) { $0 + ($1.byDay.indices.contains(day) ? $1.byDay[day] : 0) }
        }
        return counts.indices.filter { $0 == 0 || counts[$0] != counts[$0 - 1] }
            .map { ($0, counts[$0]) }
    }
}

extension PolicyImpactAnswer {
    /// In the order of the groups.
    var rights: [ImpactOfRight] {
        var rights: [ImpactOfRight] = []
        var rest = groups[...]
        while let first = rest.first {
            let alike = rest.prefix {
                $0.change == first.change && $0.environment == first.environment
                    && $0.name == first.name && ($0.credit == nil) == (first.credit == nil)
            }
            rights.append(
                ImpactOfRight(
                    change: first.change, environment: first.environment, name: first.name,
                    groups: Array(alike)))
            rest = rest.dropFirst(alike.count)
        }
        return rights
    }

    /// One line: who loses and who gains what, by right.
    func summary(_ language: Language) -> String {
        let parts = ImpactGroupAnswer.Change.allCases.flatMap { change -> [String] in
            let found = rights.filter { $0.change == change }.map { right in
                let phrase: ImpactPhrase = change == .loses ? .lose : .gain
                return phrase.text(language, "\(right.accounts)", right.title(language))
            }
            let none: ImpactPhrase = change == .loses ? .nobodyLoses : .nobodyGains
            return found.isEmpty ? [none.text(language)] : found
        }
        return ImpactPhrase.since.text(
            language, language.list(parts + [losingLater(language)].compactMap(\.self)))
    }

    /// How many lose something behind the days only; nil for nobody.
    func losingLater(_ language: Language) -> String? {
        losingEver > losing
            ? ImpactPhrase.losingLater.text(language, "\(losingEver - losing)") : nil
    }
}

extension ImpactGroupAnswer {
    /// Of the entitlement or the credit.
    var name: String { entitlement?.text ?? credit?.text ?? "" }
}

extension ImpactOfRight {
    /// Its name, with its environment unless that is production.
    func title(_ language: Language) -> String {
        environment == .production
            ? name : Phrase.bracketed.text(language, name, environment.rawValue)
    }
}

extension Page {
    /// Who gains and who loses what, by right, product, state and money.
    mutating func write(_ impact: PolicyImpactAnswer) {
        add(
            ImpactPhrase.title, impact.policy.short, impact.replaces.short, impact.at.date,
            "\(impact.days)")
        add(ImpactPhrase.counts, "\(impact.concerned)", "\(impact.losing)", "\(impact.gaining)")
        if let later = impact.losingLater(language) { add(paint(later, .care)) }
        if impact.groups.isEmpty, impact.losingEver == 0 { add(ImpactPhrase.nobody) }
        for right in impact.rights {
            let phrase: ImpactPhrase = right.change == .loses ? .loses : .gains
            let line = phrase.text(language, right.title(language), "\(right.accounts)")
            heading(line)
            tree(
                [Branch(language.list(steps(of: right, from: impact.at)))]
                    + right.groups.map(branch))
        }
        let later = impact.later ?? []
        for date in later.prefix(Self.namedDates) { add(paint(line(date, impact), .care)) }
        if later.count > Self.namedDates {
            add(PolicyPhrase.more, "\(later.count - Self.namedDates)")
        }
        let edits = impact.edits ?? []
        if edits.contains(where: \.areCreditsChanged) { add(ImpactPhrase.laterCredits) }
        write(edits)
    }

    /// How many now and on each day on which the number is another one. Where it begins between
    /// two days, and perhaps ends before the second, when that is.
    private func steps(of right: ImpactOfRight, from start: Instant) -> [String] {
        let days = right.steps.map { step in
            (at: start.advanced(byDays: step.day), accounts: step.accounts)
        }
        var texts = [ImpactPhrase.now.text(language, "\(days.first?.accounts ?? 0)")]
        let from = right.from ?? start
        let isBetween = from > start && days.dropFirst().first?.at != from
        if isBetween { texts.append(ImpactPhrase.firstAt.text(language, from.date)) }
        let phrase: ImpactPhrase = isBetween ? .on : .from
        texts += days.dropFirst().map { phrase.text(language, $0.at.date, "\($0.accounts)") }
        return texts
    }

    /// How many dates beyond the days a page names.
    private static var namedDates: Int { 10 }

    private func line(_ date: ImpactDateAnswer, _ impact: PolicyImpactAnswer) -> String {
        let phrase: ImpactPhrase =
            switch date.step {
            case .begins: .laterBegin
            case .ends: .laterEnd
            case .changes: .laterChange
            }
        let what = phrase.text(
            language, date.section, date.rule.shown, date.at.date, "\(impact.days)")
        let how =
            date.days.map { ImpactPhrase.useDays.text(language, "\($0)") }
            ?? ImpactPhrase.outOfReach.text(language)
        return language.clauses([what, how])
    }

    private func branch(_ group: ImpactGroupAnswer) -> Branch {
        let source = [
            group.product?.text.shown ?? ImpactPhrase.noPurchase.text(language),
            group.state?.text(language),
        ]
        var facts = ["\(group.accounts)"]
        if let paid = group.paid {
            let price = Price(milliunits: paid.thousandths, currency: paid.currency)
            facts.append(ImpactPhrase.paid.text(language, price.text))
        }
        facts.append(
            ImpactPhrase.examples.text(
                language, language.list(group.examples.map(\.account.text.shown))))
        return Branch(
            language.list(source.compactMap(\.self)) + ": " + language.clauses(facts))
    }
}

extension Instant {
    fileprivate func advanced(byDays days: Int) -> Instant {
        advanced(byMilliseconds: Int64(days) * 86_400_000)
    }
}

extension PolicyImpactAnswer {
    /// For spreadsheets: a line for each group, RFC 4180. Names are printable ASCII.
    var csv: String {
        let days = (1...Int(max(1, days))).map { "day_\($0)" }
        let columns =
            [
                "change", "environment", "subject", "right", "product", "state", "currency",
                "paid", "accounts", "examples", "from", "now",
            ] + days
        return csvText([columns] + groups.map(\.cells))
    }
}

extension ImpactGroupAnswer {
    fileprivate var cells: [String] {
        let paid = paid.map { Price(milliunits: $0.thousandths, currency: nil).text }
        return [
            change.rawValue, environment.rawValue, credit == nil ? "entitlement" : "credit", name,
            product?.text ?? "", state?.rawValue ?? "", self.paid?.currency ?? "", paid ?? "",
            "\(accounts)", examples.map(\.account.text).joined(separator: " "), from.date,
        ] + byDay.map { "\($0)" }
    }
}

/// What `usher policy diff` and `usher policy check` say of accounts.
enum ImpactPhrase: String, CaseIterable, UsherText, Wording {
    case title = "policy {0} in place of {1}, at {2} and on the {3} days after that"
    case counts =
        "accounts that hold what changes: {0}; that lose something: {1}; that gain something: {2}"
    case nobody = "nobody loses or gains anything"
    case loses = "lose {0}: {1}"
    case gains = "gain {0}: {1}"
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
    case changedCredits = "{0}: '{1}' differs in {2}: {3} → {4}"
    case changedKeys = "{0}: differs in {1}"
    case laterCredits = """
        credits are compared by what is recorded: what later purchases and renewals give is not \
        counted
        """
    case reordered = "{0}: the rules are in another order"
}
