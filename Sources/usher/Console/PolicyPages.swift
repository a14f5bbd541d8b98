internal import EntitlementAnswers
internal import EntitlementModel
internal import EvidenceVerification
internal import PolicyAnalysis
internal import PolicyLoading
internal import PolicyTools
internal import StrictJSON

/// The policy in force, what is planned, and what waits.
extension ConsoleCall {
    func policy() throws(CommandFailure) -> ConsoleResponse {
        let status: StatusReport = try ask("/status")
        let schedules = try tell(["policy", "scheduled", "--"])
        var waiting = newPage
        if let policy = status.policyWaiting { waiting.write(waiting: policy) }
        let losing = (status.policyWaiting?.losing).map { ["--accept-loss", "\($0)"] } ?? []
        let accept = ActionForm(words: ["policy", "reload"] + losing)
        let others = [["policy", "schedule"], ["policy", "rollback"]].compactMap {
            ActionForm(words: $0)
        }
        let waits: Markup =
            status.policyWaiting == nil
            ? ""
            : """
            <section><h2>\(text(.policyWaits))</h2>
            \(waiting.markup)\(steps([accept].compactMap(\.self)))</section>

            """
        let since = StatusPhrase.since.text(
            language, status.policySince.toTheSecond, status.policy.short)
        return frame(
            text(.policy),
            """
            <p>\(since)</p>
            <p><a class="step" href="/policy/tables">\(text(.policyTables))</a></p>
            \(waits)<section><h2><a href="/scheduled">\(text(.planned))</a></h2>
            \(schedules.page.markup)</section>
            \(steps(others))
            """)
    }

    /// What `usher policy show` makes of the policy in force, as the page that it is.
    func policyTables() throws(CommandFailure) -> ConsoleResponse {
        let policy = try policyInForce()
        let showing = PolicyShowing(
            language: language, now: site.now(), parts: Set(PolicyPart.allCases), width: 80,
            isColoured: false, scope: [])
        let page = PolicyAnalysis.policyTables(policy, TableScope(products: nil, entitlement: nil))
            .page(showing)
        var answer = ConsoleResponse(body: Array(page.utf8))
        // The page has its own style, and loads nothing.
        answer.fields.append(
            (
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                    + "form-action 'none'; frame-ancestors 'none'"
            ))
        return answer
    }

    func policyInForce() throws(CommandFailure) -> Policy {
        let answer: PolicyTextAnswer = try ask("/v1/policy")
        let texts = answer.files.map { file in
            let bytes = file.base64.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
            return PolicyText(path: file.path, bytes: bytes ?? Array((file.text ?? "").utf8))
        }
        guard let policy = loadOldPolicy(texts) else { throw .unreadableAnswer }
        return policy
    }

    /// Evidence that somebody has pasted, taken apart by the policy in force.
    func inspected(_ evidence: String) throws(CommandFailure) -> Page {
        let settings = VerificationSettings(policy: try policyInForce())
        let inspection = inspect(
            Array(evidence.utf8), verifier: EvidenceVerifier(settings), at: site.now())
        var page = newPage
        page.add(drawn: inspection.text(language, allowsAnyBundle: false))
        return page
    }

    /// The same, handed in: as a restore where an account is named.
    func submitted(_ evidence: String, for account: String) throws(CommandFailure) -> Page {
        let line = IngestLine(
            payload: evidence, account: account.isEmpty ? nil : account,
            moment: account.isEmpty ? nil : ClaimMoment.restore.rawValue)
        let body = try service.post("/v1/evidence", [line])
        let limits = JSONLimits(bytes: body.count, values: body.count)
        guard let results = try? parseJSON(body, limits: limits).elements,
            let first = results.first,
            let result = try? IngestResult(first)
        else { throw .unreadableAnswer }
        var report = IngestReport()
        report.count(result, of: text(.handedIn), language)
        var page = newPage
        report.write(to: &page)
        return page
    }
}
