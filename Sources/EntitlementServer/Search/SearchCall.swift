internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel

/// `POST /access/v1/search/{subject,resource,action}`. It blocks.
///
/// Candidates come from the ledger's index or the policy, in the order of their ids, and each is
/// put to the same decision as an evaluation: what a search finds, an evaluation permits.
struct SearchCall: Sendable {
    let engine: EntitlementEngine
    let target: Search.Target
    let body: [UInt8]
    let jsonDepth: Int

    /// Accounts examined for one page; a page that ends early has a token.
    static let accountsPerPage = 2_000

    func search() throws(Problem) -> Search {
        try SearchReader.read(target, body.span, depth: jsonDepth)
    }

    func answer(_ search: Search) throws(Problem) -> SearchPage {
        guard engine.revision >= search.minimumRevision else {
            throw Problem(.revision, field: "context.min_revision")
        }
        let instant = search.page.token?.instant ?? search.instant ?? engine.now()
        var results = SearchResults(search: search, instant: instant)
        if search.hasKnownWords { try find(&results) }
        return results.page
    }

    private func find(_ results: inout SearchResults) throws(Problem) {
        let search = results.search
        guard search.target == .subject else {
            let candidates = candidates(of: search).filter { candidate in
                search.page.token.map { $0.last < candidate } ?? true
            }
            _ = try look(at: candidates, &results)
            return
        }
        // Nothing lists Apple IDs: an empty answer would be a lie.
        guard search.subjectType == "account" else {
            throw Problem(.unsupported, field: "subject.type")
        }
        try findAccounts(&results)
    }

    private func findAccounts(_ results: inout SearchResults) throws(Problem) {
        var last = results.search.page.token.flatMap { AccountID($0.last) }
        var budget = Self.accountsPerPage
        while budget > 0 {
            let page: [AccountID]
            do throws(EngineError) {
                page = try engine.questions.accounts(after: last, limit: min(budget, 200))
            } catch {
                throw Problem(error)
            }
            guard !page.isEmpty else { return }
            guard try look(at: page.map(\.text), &results) else { return }
            last = page.last
            budget -= page.count
        }
        results.next = last?.text
    }

    /// - Returns: false once the page is full.
    private func look(
        at candidates: [String], _ results: inout SearchResults
    ) throws(Problem) -> Bool {
        let writer = QuestionWriter(
            lookup: RightsLookup(engine, .ledgerInPassing), now: results.instant)
        for candidate in candidates {
            let evaluation = try results.search.evaluation(of: candidate, at: results.instant)
            let decision: Decision
            do {
                decision = try writer.decide(evaluation)
            } catch {
                throw Problem(.unavailable)
            }
            guard decision.isPermit else { continue }
            guard results.hasRoom else {
                results.endBefore(candidate)
                return false
            }
            results.found.append(candidate)
        }
        return true
    }

    private func candidates(of search: Search) -> [String] {
        guard let type = Evaluation.ResourceType(rawValue: search.resourceType) else { return [] }
        guard search.target == .resource else { return [type.action] }
        let policy = engine.policy.history.current
        return switch type {
        case .entitlement: policy.entitlements.keys.map(\.text).sorted()
        case .product: policy.soldProducts.map(\.id.text)
        case .credit: policy.credits.keys.map(\.text).sorted()
        }
    }
}

extension Search {
    /// Whether anything can be found: unknown words find nothing, and are no mistake.
    fileprivate var hasKnownWords: Bool {
        guard let type = Evaluation.ResourceType(rawValue: resourceType),
            ["account", "apple-id"].contains(subjectType)
        else { return false }
        return target == .action || action == type.action
    }
}

/// One page of results.
struct SearchResults {
    let search: Search
    let instant: Instant
    var found: [String] = []
    /// The last candidate examined, if more may follow.
    var next: String?

    init(search: Search, instant: Instant) {
        self.search = search
        self.instant = instant
    }

    var hasRoom: Bool { found.count < search.page.limit }

    /// The page is full, and `candidate` is known to follow.
    mutating func endBefore(_ candidate: String) {
        // A page of no results: the next one begins where this one did.
        next = found.last ?? search.page.token?.last ?? ""
    }

    var page: SearchPage {
        let token = next.map {
            SearchToken(instant: instant, fingerprint: search.fingerprint, last: $0)
        }
        let found = found.map { id in
            switch search.target {
            case .subject: SearchPage.Found(type: search.subjectType, id: id)
            case .resource: SearchPage.Found(type: search.resourceType, id: id)
            case .action: SearchPage.Found(name: id)
            }
        }
        return SearchPage(nextToken: token?.text ?? "", results: found)
    }
}
