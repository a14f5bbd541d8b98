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
        let text: PolicyTextAnswer = try ask("/v1/policy")
        let losing = (status.policyWaiting?.losing).map { ["--accept-loss", "\($0)"] } ?? []
        let accept = ActionForm(words: ["policy", "reload"] + losing)
        // Back to what was there before, if anything was.
        let others =
            [["policy", "schedule"]] + (text.previous == nil ? [] : [["policy", "rollback"]])
        var waits: Markup = ""
        if status.policyWaiting != nil {
            let run = try waitingPolicy()
            let next =
                run.map { $0.effect == nil } == true
                ? lookAgain : steps([accept].compactMap(\.self))
            waits = """
                <section><h2>\(self.text(.policyWaits))</h2>
                \(try tell(["policy", "waiting", "--"]).page.markup)\(next)</section>

                """
        }
        let since = StatusPhrase.since.text(
            language, status.policySince.toTheSecond, status.policy.short)
        return frame(
            self.text(.policy),
            """
            <p>\(newPage.inline(since))</p>
            <p><a class="step" href="/policy/tables">\(self.text(.policyTables))</a></p>
            \(waits)<section><h2><a href="/scheduled">\(self.text(.planned))</a></h2>
            \(schedules.page.markup)</section>
            \(steps(others.compactMap { ActionForm(words: $0) }))
            """)
    }

    /// What `usher policy show --counts` makes of the policy in force.
    func policyTables() throws(CommandFailure) -> ConsoleResponse {
        let policy = try policyInForce()
        var showing = PolicyShowing(language: language, now: site.now())
        var note: Markup = ""
        do throws(CommandFailure) {
            showing.counts = try service.counts(of: policy.digest, language)
        } catch {
            note = "<p class=\"quiet\">\(error.sentence(language))</p>\n"
        }
        let tables = PolicyAnalysis.policyTables(policy).part(showing)
        var answer = frame(
            text(.policyTables),
            "<p><a href=\"/policy\">\(text(.policy))</a></p>\n\(note)\(tables)",
            style: "/policy.css")
        // Where something is on an axis of time, its element says.
        answer.fields = ConsoleResponse.standing.prefix(1).map {
            ($0.name, $0.value + "; style-src-attr 'unsafe-inline'")
        }
        return answer
    }

    /// The policy that waits, where it is counted whom it concerns; nil for one that is held back
    /// whatever it gives, and where nothing waits.
    func waitingPolicy() throws(CommandFailure) -> WaitingPolicyReport? {
        let report: WaitingPolicyReport = try ask("/v1/policy/waiting")
        guard let waiting = report.waiting, waiting.isRolledBack != true,
            waiting.isSuperseded != true
        else { return nil }
        return report
    }

    /// How far that has come.
    func progress(of run: WaitingPolicyReport) -> Markup {
        var page = newPage
        page.add(PolicyPhrase.notCounted)
        page.add(PolicyPhrase.counting, "\(run.done)", "\(run.total)")
        return page.markup + lookAgain
    }

    /// Without a script by the link.
    private var lookAgain: Markup {
        "<p data-progress><a class=\"step\" href=\"\(request.target)\">\(text(.lookAgain))</a></p>\n"
    }

    func policyInForce() throws(CommandFailure) -> Policy {
        let answer: PolicyTextAnswer = try ask("/v1/policy")
        let policy = site.policyMemory.policy(answer.policy) {
            let texts = answer.files.map { file in
                let bytes = file.base64.flatMap { Base64.standard.decode(Array($0.utf8)[...]) }
                return PolicyText(path: file.path, bytes: bytes ?? Array((file.text ?? "").utf8))
            }
            return loadOldPolicy(texts)
        }
        guard let policy else { throw .unreadableAnswer }
        return policy
    }

    /// Evidence that somebody has pasted, taken apart by the policy in force.
    ///
    /// - Returns: also whether it would be taken.
    func inspected(_ evidence: String) throws(CommandFailure) -> (page: Page, isTaken: Bool) {
        let settings = VerificationSettings(policy: try policyInForce())
        let inspection = inspect(
            Array(evidence.utf8), verifier: EvidenceVerifier(settings), at: site.now())
        var page = newPage
        page.add(drawn: inspection.text(language, allowsAnyBundle: false))
        if case .refused = inspection.verdict { return (page, false) }
        return (page, true)
    }

    /// The same, handed in, with what the account may use now.
    ///
    /// - Parameter revision: only if nothing that concerns it was recorded since.
    /// - Returns: also the command that takes it back, where the account got something.
    func submitted(
        _ line: IngestLine, ifUnchangedSince revision: Int64
    ) throws(CommandFailure) -> (page: Page, undo: String?) {
        let body = try service.ask("/v1/evidence?if_revision=\(revision)", line)
        let limits = JSONLimits(bytes: body.count, values: body.count)
        guard let answer = try? parseJSON(body, limits: limits),
            let result = try? IngestResult(answer)
        else { throw .unreadableAnswer }
        var report = IngestReport()
        report.count(result, of: text(.handedIn), language)
        var page = newPage
        report.write(to: &page)
        guard let account = line.account.flatMap({ AccountID($0) }) else { return (page, nil) }
        let known = try self.report(on: account)
        page.add(ConsolePhrase.mayNow, page.name(account))
        page.table(known.rights.map { [page.verdict($0, of: account.text)] })
        let claim = known.claims.last { $0.claim.number > revision && $0.account == account }
        guard let claim, let decision = claim.decision,
            decision.ownersBefore != decision.ownersAfter
        else { return (page, nil) }
        return (page, "usher claims undo \(claim.claim) --decision \(decision.sequence)")
    }
}

extension WaitingPolicyReport {
    /// As a preview says it; nil until it is counted.
    var effect: Written<EffectAnswer>? {
        guard let impact else { return nil }
        var effect = EffectAnswer(at: impact.at, takesAway: impact.losingEver > 0)
        effect.impact = impact
        effect.undo = ["usher", "policy", "rollback"]
        return Written(effect, impact.revision)
    }
}
