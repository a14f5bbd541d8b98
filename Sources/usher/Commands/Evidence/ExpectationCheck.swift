internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import Glibc
internal import PolicyLoading
internal import PolicyTools

/// What became of the steps of a played story that sign nothing: its expectations, and what happens
/// outside the App Store.
struct ExpectationCheck {
    private(set) var failures: [Diagnostic] = []
    /// The lines of what was not played or not checked.
    private var skipped: [StorySkip: [Int]] = [:]

    /// Nothing was looked at yet.
    init() {}

    /// - Parameter call: to the service that has the story's evidence; nil where none was named.
    init(
        _ story: Story, seed: UInt64, at call: ServiceCall?, _ language: Language
    ) throws(CommandFailure) {
        var served = ServedStory(story, seed: seed)
        for step in story.steps {
            if step.isOutsideStore { skip(step, .notPlayed) }
            guard step.isExpectation else { continue }
            guard let call else {
                skip(step, .withoutService)
                continue
            }
            switch try Self.verdict(on: step, &served, at: call, language) {
            case .holds: break
            case .failed(let diagnostic): failures.append(diagnostic)
            case .skipped(let reason): skip(step, reason)
            }
        }
    }

    private mutating func skip(_ step: StoryStep, _ reason: StorySkip) {
        skipped[reason, default: []].append(step.place.line)
    }

    /// The service answers by all that it knows, so that stories hold whose past does not change
    /// later.
    private static func verdict(
        on step: StoryStep, _ served: inout ServedStory, at call: ServiceCall,
        _ language: Language
    ) throws(CommandFailure) -> ServedVerdict {
        guard let questions = served.questions(for: step) else { return .skipped(.notAsked) }
        var answers = ServedAnswers(now: SystemClock().now())
        for question in questions { try call.answer(question, into: &answers) }
        answers.now = SystemClock().now()
        return served.verdict(on: step, answers, language)
    }

    // MARK: What is said of it

    var notChecked: Int {
        skipped.reduce(0) { $0 + ($1.key == .notPlayed ? 0 : $1.value.count) }
    }

    var notPlayed: Int { skipped[.notPlayed]?.count ?? 0 }

    /// For people, below what was handed in; nil where everything was looked at.
    func summary(_ language: Language) -> String? {
        let parts = [
            notChecked > 0 ? PlayPhrase.notChecked.text(language, "\(notChecked)") : nil,
            notPlayed > 0 ? PlayPhrase.notPlayed.text(language, "\(notPlayed)") : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : language.list(parts)
    }

    /// A line for each reason, with the lines of the story.
    func notes(_ file: String, _ language: Language) -> [String] {
        StorySkip.allCases.compactMap { reason in
            skipped[reason].map { lines in
                reason.phrase.text(
                    language, file.shown, language.list(lines.map { "\($0)" }))
            }
        }
    }
}

extension StorySkip {
    fileprivate var phrase: PlayPhrase {
        switch self {
        case .notPlayed: .outsideStore
        case .withoutService: .withoutService
        case .notAsked: .notAsked
        case .changedSince: .changedSince
        case .incomplete: .incomplete
        }
    }
}

/// What a story's expectations ask a running service.
extension ServiceCall {
    func answer(
        _ question: ServedQuestion, into answers: inout ServedAnswers
    ) throws(CommandFailure) {
        switch question {
        case .report(let account, let instant, let environment):
            answers.reports.append(try report(on: account, at: instant, in: environment))
        case .preflight(let request):
            let answer: Answered<PreflightAnswer> = try Answered(
                received: ask("/v1/preflight", request))
            answers.preflight = answer.value.verdict
        case .findings(let kind): try addFindings(of: kind, to: &answers)
        case .order(let id):
            if let order = try order(id) { answers.orders.append(order) }
        case .orders(let account):
            let path = "/v1/accounts/\(account.inPath)/orders?"
            answers.orders += try all(path) { (page: OrderList) in (page.orders, page.next) }
        case .lostOrders:
            answers.lostOrders = try all("/v1/orders/lost?") { (page: LostOrderPage) in
                (page.orders, page.next)
            }
        case .refundRequests:
            let path = "/v1/refunds/requests?open=false&"
            answers.refundRequests = try all(path) { (page: RefundRequestList) in
                (page.requests, page.next)
            }
        case .changes(let account):
            try addChanges(of: account, to: &answers)
        }
    }

    private func report(
        on account: AccountID, at instant: Instant?, in environment: StoreEnvironment?
    ) throws(CommandFailure) -> AccountReport {
        let query = [
            instant.map { "at=\($0.rfc3339)" }, environment.map { "environment=\($0.rawValue)" },
        ].compactMap(\.self)
        let path = "/v1/accounts/\(account.inPath)"
        let answer: Answered<AccountReport> = try Answered(
            received: get(query.isEmpty ? path : path + "?" + query.joined(separator: "&")))
        return answer.value
    }

    /// Nil for an order that the service does not know.
    private func order(_ id: OrderID) throws(CommandFailure) -> OrderAnswer? {
        do throws(CommandFailure) {
            let answer: Answered<OrderAnswer> = try Answered(
                received: get("/v1/orders/\(id.inPath)"))
            return answer.value
        } catch {
            guard error.code == OrderRejection.unknown.code.rawValue else { throw error }
            return nil
        }
    }

    // MARK: Pages

    /// Orders and refund requests in one answer.
    private static var longest: Int { 100 }

    /// A list whose pages go on behind an entry of the ledger.
    private func all<Page: WireObject, Item>(
        _ path: String, _ part: (Page) -> (items: [Item], next: LedgerSequence?)
    ) throws(CommandFailure) -> [Item] {
        var (found, after): ([Item], LedgerSequence?) = ([], nil)
        repeat {
            let rest = after.map { "&after=\($0.number)" } ?? ""
            let page: Answered<Page> = try Answered(
                received: get("\(path)limit=\(Self.longest)\(rest)"))
            let (items, next) = part(page.value)
            found += items
            after = next
        } while after != nil
        return found
    }

    private func addFindings(
        of kind: Finding.Kind, to answers: inout ServedAnswers
    ) throws(CommandFailure) {
        let patience = Patience()
        while true {
            let (found, areAll) = try findings(of: kind)
            if !areAll, patience.waits() { continue }
            answers.findings += found
            if !areAll { answers.areComplete = false }
            return
        }
    }

    /// - Returns: whether the service has looked at all accounts, too.
    private func findings(
        of kind: Finding.Kind
    ) throws(CommandFailure) -> (found: [Finding], areAll: Bool) {
        var (found, areAll, after): ([Finding], Bool, FindingPosition?) = ([], true, nil)
        repeat {
            let rest = after.map { "&after=\(LocalClient.encoded($0.text))" } ?? ""
            let page: Answered<FindingPage> = try Answered(
                received: get("/v1/findings?kind=\(kind.rawValue)&limit=1000\(rest)"))
            found += page.value.findings
            areAll = areAll && page.value.isComplete
            after = page.value.next
        } while after != nil
        return (found, areAll)
    }

    /// All changes of an account, once everything that has happened is told.
    private func addChanges(
        of account: AccountID, to answers: inout ServedAnswers
    ) throws(CommandFailure) {
        var after: FeedCursor?
        let patience = Patience()
        while true {
            let rest = after.map { "&after=\($0.text)" } ?? ""
            let page: Answered<ChangePage> = try Answered(
                received: get("/v1/changes?account=\(account.inPath)&limit=1000\(rest)"))
            answers.changes += page.value.changes.map(\.change)
            after = page.value.next
            guard page.value.isAtHead else { continue }
            if page.value.isCaughtUp { return }
            guard patience.waits() else { break }
        }
        answers.areComplete = false
    }
}

/// For how long a service is given time to look at all that it has got.
private struct Patience {
    private let deadline = ContinuousClock.now + .seconds(10)

    /// Whether there is time left, after a moment.
    func waits() -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        usleep(20_000)
        return true
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
