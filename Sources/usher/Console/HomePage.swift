internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools

/// The first page: what waits for somebody, and what to do about it.
extension ConsoleCall {
    /// How many of a kind are listed there; the number of all stands beside the title.
    private static var listed: Int { 6 }
    /// Up to how many are counted.
    private static var counted: Int { 100 }
    private static var secondsForClaims: Int { 2 }
    /// How long an app has to confirm a delivery before anybody is asked to look.
    private static var secondsToConfirm: Int64 { 86_400 }

    func home() throws(CommandFailure) -> ConsoleResponse {
        let status: StatusReport = try ask("/status")
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
    private struct Line {
        var age = ""
        let sentence: Markup
        var next: Markup = ""
    }

    private func section(
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
        let hasMore = lines.count > Self.listed || isPart
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

    private func age(since instant: Instant, at now: Instant) -> String {
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
        let (page, now) = (newPage, site.now())
        let lines = list.claims.enumerated().map { index, claim in
            Line(
                age: age(since: claim.recordedAt, at: now),
                sentence: page.inline(
                    index < Self.listed
                        ? sentence(of: claim, on: page) : page.claim(claim).text),
                next: page.step("usher claims approve \(claim.claim)"))
        }
        return section(.claimsWaiting, "/claims", lines, isPart: list.next != nil)
    }

    private func lostOrders() throws(CommandFailure) -> Markup {
        let lost: LostOrderPage = try ask("/v1/orders/lost", Self.part)
        let page = newPage
        // A payment that may be an order's is told with that; an app has a day to confirm.
        let told = Set(lost.orders.flatMap(\.possiblePayments).map(\.transaction))
        let orders = lost.orders.filter { order in
            (order.reason != .notFinished || order.ageSeconds >= Self.secondsToConfirm)
                && !(order.id == nil && order.transaction.map(told.contains) == true)
        }
        let lines = orders.map { order in
            let payment = order.possiblePayments.first
            let parts = [
                page.paint(order.reason.text(language), .care), order.product?.text,
                order.price?.price.text, order.account.map { page.name($0) },
                order.transaction.map { page.name($0) },
                payment.map { text(.perhapsPaid, page.payment($0)) },
            ]
            let settled = order.id.flatMap { id in
                payment.map { ShellCommand.settle(id, $0.transaction) }
            }
            return Line(
                age: age(since: order.since, at: lost.at),
                sentence: page.inline(language.list(parts.compactMap(\.self))),
                next: page.step(settled ?? order.command))
        }
        return section(.lostOrders, "/lost", lines, isPart: lost.next != nil)
    }

    private func refundRequests() throws(CommandFailure) -> Markup {
        let list: RefundRequestList = try ask("/v1/refunds/requests", Self.part)
        let page = newPage
        let lines = list.requests.map { request in
            let left = max(0, request.dueAt.milliseconds(since: list.at))
            let parts = [
                page.paint.link(
                    text(.refundRequest, "\(request.request)"), .refund(request.request.number)),
                request.product?.text, request.account.map { page.name($0) },
                request.state.text(language),
            ]
            return Line(
                age: text(.hoursLeft, page.length(milliseconds: left)),
                sentence: page.inline(language.list(parts.compactMap(\.self))),
                next: """
                    <a class="step" href="\(ConsolePlace.refund(request.request.number).path)">\
                    \(text(.look))</a>
                    """)
        }
        return section(.refundRequests, "/refunds", lines, isPart: list.next != nil)
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
        let page = newPage
        // Those that stand in another part are told there.
        let told: Set<Finding.Kind> = [.unclaimedPayment, .payerErased, .refundAnswerDue]
        let lines = found.findings.filter { !told.contains($0.kind) }.map { finding in
            let about = finding.accounts.map { page.name($0) } + finding.units.map(page.unitName)
            let words =
                [finding.kind.text(language)] + (about.isEmpty ? [] : [language.list(about)])
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
            return Line(
                age: age(since: finding.interval.start, at: found.at),
                sentence: page.inline(
                    words.count == 2
                        ? Phrase.labelled.text(language, words[0], words[1]) : words[0]),
                next: look ?? give ?? "")
        }
        return section(.findings, "/findings", lines, isPart: found.next != nil)
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
