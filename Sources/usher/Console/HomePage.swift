internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools

/// The first page: what waits for somebody, and what to do about it.
extension ConsoleCall {
    /// How many of a kind are listed there; the number of all stands beside the title.
    static var listed: Int { 6 }
    /// Up to how many are counted.
    private static var counted: Int { 100 }
    private static var secondsForClaims: Int { 2 }
    /// How long an app has to confirm a delivery before anybody is asked to look.
    private static var secondsToConfirm: Int64 { 86_400 }

    func home() throws(CommandFailure) -> ConsoleResponse {
        let status: StatusReport = try ask("/status")
        expect(status.policy)
        let warnings = warnings(status)
        var sections = [
            try refundRequests(), try claimsWaiting(), try lostOrders(),
            try evidenceWaiting(status), try findings(), try undelivered(), drift(status),
            policyWaits(status),
        ]
        sections.insert(warnings, at: status.isReady ? sections.endIndex : 0)
        let shown = sections.filter { !$0.isEmpty }
        let nothing: Markup = "<p class=\"good\">\(text(.nothingWaits))</p>\n"
        return frame(text(.home), shown.isEmpty ? nothing : shown.joined())
    }

    func ask<Shape: WireObject>(
        _ path: String, _ query: Parameters = []
    ) throws(CommandFailure) -> Shape {
        try Answered(received: service.get(path.asking(query))).value
    }

    private static var part: Parameters { [("limit", "\(counted)")] }

    /// One line: since when, what, and what next.
    struct Line {
        var age = ""
        let sentence: Markup
        var next: Markup = ""
    }

    func section(
        _ title: ConsolePhrase, _ path: String?, _ lines: [Line], isPart: Bool = false,
        count: Int? = nil
    ) -> Markup {
        guard !lines.isEmpty else { return "" }
        let rows = lines.prefix(Self.listed).map { line -> Markup in
            """
            <tr><td class="age">\(line.age)</td><td>\(line.sentence)</td><td>\(line.next)</td></tr>

            """
        }
        let number = "\(count ?? lines.count)" + (isPart ? "+" : "")
        let hasMore = (count ?? lines.count) > Self.listed || isPart
        let more: Markup =
            hasMore && path != nil
            ? "<p><a href=\"\(path ?? "")\">\(text(.all, number))</a></p>\n" : ""
        let name: Markup = path.map { "<a href=\"\($0)\">\(text(title))</a>" } ?? "\(text(title))"
        return """
            <section>
            <h2>\(name) <span class="quiet">\(number)</span></h2>
            <table class="queue">\(rows)</table>
            \(more)</section>

            """
    }

    func age(since instant: Instant, at now: Instant) -> String {
        let passed = now.milliseconds(since: instant)
        return passed < 60_000 ? text(.justNow) : newPage.length(milliseconds: passed)
    }

    private func warnings(_ status: StatusReport) -> Markup {
        var (page, status) = (newPage, status)
        // It has a line of its own.
        status.policyWaiting = nil
        status.degraded.removeAll { $0 == .policyWaiting }
        page.writeShortcomings(of: status)
        guard !page.blocks.isEmpty else { return "" }
        return
            "<section><h2><a href=\"/service\">\(text(.warnings))</a></h2>\n\(page.markup)</section>\n"
    }

    private func policyWaits(_ status: StatusReport) -> Markup {
        guard let waiting = status.policyWaiting else { return "" }
        let page = newPage
        let words =
            waiting.losing.map { text(.policyLosing, "\($0)") }
            ?? PolicyPhrase.waitsForPerson.text(language, waiting.replaces.short)
        let next: Markup = "<a class=\"step\" href=\"/policy\">\(text(.lookAtPolicy))</a>"
        return section(
            .policyWaits, "/policy", [Line(sentence: page.inline(words), next: next)])
    }

    private func claimsWaiting() throws(CommandFailure) -> Markup {
        let list: ClaimList
        do throws(CommandFailure) {
            // The rest of the page does not wait until a service has read a large ledger.
            list = try ServiceCall.$secondsToWait.withValue(Self.secondsForClaims) {
                Result { () throws(CommandFailure) -> ClaimList in
                    try ask("/v1/claims", [("state", "waiting")] + Self.part)
                }
            }.get()
        } catch {
            guard error.isOfService else { throw error }
            return section(.claimsWaiting, "/claims", [Line(sentence: "\(text(.claimsLater))")])
        }
        // Of the others only the number is shown.
        let lines = list.claims.prefix(Self.listed).map { line(of: $0) }
        return section(
            .claimsWaiting, "/claims", lines, isPart: list.next != nil, count: list.claims.count)
    }

    func line(of claim: ClaimAnswer) -> Line {
        let page = newPage
        return Line(
            age: age(since: claim.recordedAt, at: site.now()),
            sentence: page.inline(sentence(of: claim, on: page)),
            next: page.step("usher claims approve \(claim.claim)"))
    }

    private func lostOrders() throws(CommandFailure) -> Markup {
        let lost: LostOrderPage = try ask("/v1/orders/lost", Self.part)
        // A payment that may be an order's is told with that; an app has a day to confirm.
        let told = Set(lost.orders.flatMap(\.possiblePayments).map(\.transaction))
        let orders = lost.orders.filter { order in
            (order.reason != .notFinished || order.ageSeconds >= Self.secondsToConfirm)
                && !(order.id == nil && order.transaction.map(told.contains) == true)
        }
        let page = newPage
        let lines = orders.map { order in
            line(
                ofOrder: order.id, order.reason.text(language),
                [
                    order.product.map { page.name($0) }, order.price?.price.text,
                    order.account.map { page.name($0) }, order.transaction.map { page.name($0) },
                ], since: order.since, perhapsPaidBy: order.possiblePayments.first,
                else: order.command, on: page)
        }
        return section(.lostOrders, "/lost", lines, isPart: lost.next != nil)
    }

    /// What happened, what was bought, and the payment that it may be.
    func line(
        ofOrder order: OrderID?, _ reason: String, _ bought: [String?], since: Instant,
        perhapsPaidBy payment: PossiblePayment?, else command: String?, on page: Page
    ) -> Line {
        let day = text(.sinceDay, String(since.date.prefix(10)))
        let what = Phrase.labelled.text(
            language, page.paint(reason, .care), language.list((bought + [day]).compactMap(\.self)))
        let perhaps = payment.map { text(.perhapsPaid, page.payment($0)) }
        let settled = order.flatMap { id in
            payment.map { ShellCommand.settle(id, $0.transaction) }
        }
        return Line(
            age: age(since: since, at: site.now()),
            sentence: page.inline(language.clauses([what, perhaps].compactMap(\.self))),
            next: (settled ?? command).map { page.step($0) } ?? "")
    }

    private func refundRequests() throws(CommandFailure) -> Markup {
        let list: RefundRequestList = try ask("/v1/refunds/requests", Self.part)
        let lines = list.requests.map { line(of: $0, at: list.at, sends: list.sends) }
        return section(.refundRequests, "/refunds", lines, isPart: list.next != nil)
    }

    /// The hours left, what for, and what stands in the way.
    func line(
        of request: RefundRequestAnswer, at instant: Instant, sends: Bool
    ) -> Line {
        let page = newPage
        let left = max(0, request.dueAt.milliseconds(since: instant))
        let bought = request.purchasedAt.map { String($0.date.prefix(10)) }
        let parts = [
            page.paint.link(
                text(.refundRequest, "\(request.request)"), .refund(request.request.number)),
            request.product.map { page.name($0) },
            bought.map { AccountPhrase.purchasedAt.text(language, $0) },
            request.price?.price.text, request.account.flatMap { names(besidesPage: [$0], page) },
        ]
        let state = request.obstacle?.obstacle.text(language) ?? request.state.text(language)
        let asks = request.obstacle?.obstacle == .noConsent ? request.account : nil
        let step =
            asks.map { ShellCommand("refunds consent --given", $0.text) }
            ?? ShellCommand("refunds answered", "\(request.request)")
        return Line(
            age: text(.hoursLeft, page.length(milliseconds: left)),
            sentence: page.inline(
                language.clauses(
                    [language.list(parts.compactMap(\.self)), state]
                        + (sends ? [] : [RefundPhrase.sendsNothing.text(language)]))),
            next: page.step(step.text))
    }

    /// Links to accounts, but to the one whose page it is; nil where there is no other.
    private func names(besidesPage accounts: [AccountID], _ page: Page) -> String? {
        let others = accounts.filter { path != ["accounts", $0.text] }
        return others.isEmpty ? nil : page.names(others)
    }

    private func evidenceWaiting(_ status: StatusReport) throws(CommandFailure) -> Markup {
        let (page, counts) = (newPage, status.evidence)
        var lines: [Line] = []
        var count = 0
        if status.waiting.tickets > 0 {
            count = Int(status.waiting.tickets)
            let sentence = StatusPhrase.waits.text(
                language, "\(count)", page.length(minutes: status.waiting.oldestSeconds / 60))
            lines.append(
                Line(
                    sentence: "\(sentence)",
                    next: "<a class=\"step\" href=\"/waiting\">\(text(.look))</a>"))
        }
        for (phrase, number) in [
            (StatusPhrase.quarantined, counts.quarantined), (.refused, counts.refused),
        ] where number > 0 {
            count += Int(number)
            let since = age(since: status.startedAt, at: status.now)
            lines.append(Line(age: since, sentence: "\(phrase.text(language, "\(number)"))"))
        }
        return section(.evidence, "/waiting", lines, count: count)
    }

    private func findings() throws(CommandFailure) -> Markup {
        let found: FindingPage = try ask("/v1/findings", Self.part)
        var page = newPage
        let open = found.findings.filter { !Self.toldElsewhere.contains($0.kind) }
        var reports: [AccountID: AccountReport] = [:]
        for account in Set(open.prefix(Self.listed).flatMap { $0.accounts.prefix(2) }) {
            let report = try report(on: account)
            reports[account] = report
            for unit in report.units { page.purchases[unit.unit] = unit }
        }
        let lines = open.map { finding in
            let payment = finding.units.first.map { unit in
                switch unit {
                case .lineage(let key): key.originalTransactionID
                case .purchase(let key): key.transactionID
                }
            }
            let look = finding.accounts.first.map { account -> Markup in
                let path = ConsolePlace.account(account).path
                return "<a class=\"step\" href=\"\(path)\">\(text(.look))</a>"
            }
            let give = payment.map { page.step(ShellCommand("claims give", $0.text).text) }
            let concerned = finding.accounts.compactMap { reports[$0] }
            let next = concerned.map { step(for: finding, $0, page) }.first { !$0.isEmpty }
            return line(of: finding, on: page, next: next ?? look ?? give ?? "")
        }
        return section(.findings, "/findings", lines, isPart: found.next != nil)
    }

    /// Findings that stand in another part.
    static var toldElsewhere: Set<Finding.Kind> { [.unclaimedPayment, .refundAnswerDue] }

    func line(of finding: Finding, on page: Page, next: Markup) -> Line {
        let units = finding.units.map {
            page.purchases[$0].map { unit in
                let parts = [unit.words(in: language), unit.ended(at: site.now(), language)]
                return language.clauses(parts.compactMap(\.self))
            } ?? page.unitName($0)
        }
        let names = names(besidesPage: finding.accounts, page).map { [$0] } ?? []
        let about = language.list(names + units)
        let kind = finding.kind.text(language)
        return Line(
            age: age(since: finding.interval.start, at: site.now()),
            sentence: page.inline(
                about.isEmpty ? kind : Phrase.labelled.text(language, kind, about)),
            next: next)
    }

    private func undelivered() throws(CommandFailure) -> Markup {
        let list: UndeliveredList = try ask("/v1/changes/undelivered", Self.part)
        let page = newPage
        let lines = list.changes.map { change in
            Line(
                sentence:
                    "\(text(.undeliveredChange, "\(change.number)", change.subscription.shown))",
                next: page.step(
                    ShellCommand("changes resend", change.subscription, "--change \(change.number)")
                        .text))
        }
        return section(.undelivered, "/undelivered", lines, isPart: list.next != nil)
    }

    private func drift(_ status: StatusReport) -> Markup {
        guard let last = status.reconciliation, last.driftTotal > 0 else { return "" }
        return section(
            .drift, "/drift",
            [
                Line(
                    sentence: "\(newPage.summary(of: last))",
                    next: "<a class=\"step\" href=\"/drift\">\(text(.look))</a>")
            ], count: Int(last.driftTotal))
    }
}
