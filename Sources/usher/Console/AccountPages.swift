internal import EntitlementAnswers
internal import EntitlementDerivation
internal import EntitlementModel
internal import PolicyTools

/// Everything about an account, with what can be done.
extension ConsoleCall {
    /// Of so many rights the reason is told; of the others it has a page.
    private static var explained: Int { 12 }
    /// So many purchases of others that it has claimed are named.
    private static var named: Int { 6 }

    /// The two fields that ask about another day, or by what was known on one.
    private var moment: Parameters {
        ["at", "known_at", "revision"].map { ($0, request.query[$0]) }
    }

    func account(_ name: String) throws(CommandFailure) -> ConsoleResponse {
        guard let account = AccountID(name) else { throw .noSuchPage }
        let path = "/v1/accounts/" + account.inPath
        let received = try service.get(path.asking(moment))
        if wantsJSON { return json(received) }
        let report = try Answered<AccountReport>(received: received).value
        expect(report.frame.policy)
        var page = newPage
        page.addMerge(of: report.frame)
        let merged = page.markup
        var holdings = newPage
        // What is another's is named by that one's report.
        let own = Dictionary(report.units.map { ($0.unit, $0) }) { first, _ in first }
        holdings.purchases = own
        let others = report.claims.filter { $0.decision.map { own[$0.unit] == nil } ?? false }
        for unit in others.suffix(Self.named).compactMap(unit(of:)) {
            holdings.purchases[unit.unit] = unit
        }
        let waits = try waiting(of: report, on: holdings)
        holdings.write(holdingsOf: report)
        let nothing = report.saysNothing ? try nothingKnown(of: account) : ""
        let body: Markup = """
            \(otherMoment)\(merged)\(nothing)\(waits)\(try rights(of: report))\(picture(of: report))\
            \(holdings.markup)\
            \(actions(on: report))\(whenForm(at: ConsolePlace.account(account).path))
            """
        return frame(text(.accountTitle, account.text), body)
    }

    /// So many orders are looked at, of those that do not go on by themselves.
    private static var examined: Int { 3 }
    private static var stuck: [OrderState: LostOrderReason] {
        [.noReceipt: .withoutReceipt, .paid: .notDelivered, .review: .inReview]
    }

    /// First of all what somebody has to do about, each with its step.
    private func waiting(
        of report: AccountReport, on page: Page
    ) throws(CommandFailure) -> Markup {
        guard moment.allSatisfy({ $0.value == nil }) else { return "" }
        var lines: [Line] = []
        let requests = report.refundRequests.filter { $0.state == .open }
        let sends = requests.isEmpty ? true : try tellsApple()
        for request in requests {
            lines.append(line(of: request, at: report.frame.at, sends: sends))
        }
        let claims = report.claims.filter { $0.outcome == .waiting }
        lines += claims.prefix(Self.listed).map { line(of: $0) }
        let stuck = report.orders.lazy.filter { Self.stuck[$0.state] != nil }
        for order in stuck.prefix(Self.examined) {
            let reason = Self.stuck[order.state]
            let known: OrderAnswer = try ask("/v1/orders/" + order.id.inPath)
            lines.append(
                line(
                    ofOrder: order.id, reason?.text(language) ?? "",
                    [page.name(order.product), order.price?.price.text], since: order.changedAt,
                    perhapsPaidBy: known.possiblePayments?.first, else: known.commands.first,
                    on: page))
        }
        let claimed = Set(claims.compactMap(\.decision?.unit))
        let open = report.findings.filter { finding in
            finding.interval.contains(report.frame.at)
                && !Self.toldElsewhere.contains(finding.kind)
                && !(finding.kind == .accountSwitch
                    && finding.units.contains(where: claimed.contains))
        }
        lines += open.map { line(of: $0, on: page, next: step(for: $0, report, page)) }
        lines += report.blocks.filter { $0.lifted == nil }.map { block in
            let words = page.block(block)
            return Line(
                age: age(since: block.recordedAt, at: site.now()),
                sentence: page.inline(language.clauses([words.text, block.reason])),
                next: words.branches.last.flatMap(\.commands.first).map { page.step($0) } ?? "")
        }
        return section(.home, nil, lines)
    }

    /// What a person can do about a finding.
    func step(for finding: Finding, _ report: AccountReport, _ page: Page) -> Markup {
        if finding.kind == .creditFrozen, let credit = finding.credit {
            let account = report.frame.account.text
            return page.step(ShellCommand("credits thaw", account, credit.text).text)
        }
        let claim = report.claims.last { claim in
            claim.supersededBy == nil
                && (claim.outcome == .waiting || claim.rulings == ["transfer"])
                && claim.decision.map { finding.units.contains($0.unit) } == true
        }
        guard finding.kind == .accountSwitch, let claim, let ruling = claim.rulings.first
        else { return "" }
        return page.step("usher claims \(ruling) \(claim.claim)")
    }

    /// Where there is nothing: what to ask for, or since when there is something.
    private func nothingKnown(of account: AccountID) throws(CommandFailure) -> Markup {
        guard request.query["known_at"] != nil || request.query["revision"] != nil else {
            return "<p>\(AccountPhrase.nothingKnown.text(language))</p>\n\(askTheCustomer())"
        }
        let report = try report(on: account)
        let recorded =
            report.claims.map(\.recordedAt) + report.orders.map(\.madeAt)
            + report.blocks.map(\.recordedAt) + report.grants.map(\.recordedAt)
            + report.actions.map(\.recordedAt)
        let since: Markup =
            recorded.min().map { first in
                let path = ConsolePlace.account(account).path
                    .asking([("at", request.query["at"] ?? request.query["known_at"])])
                return """
                    <p>\(text(.knownSince, first.date)) \
                    <a class="step" href="\(path)">\(text(.byWhatIsKnown))</a></p>

                    """
            } ?? ""
        return "<p>\(text(.nothingKnownThen))</p>\n\(since)"
    }

    /// That the page is not as of now.
    private var otherMoment: Markup {
        let said = [("at", ConsolePhrase.at), ("known_at", .knownAt), ("revision", .knownTo)]
            .compactMap { name, phrase in request.query[name].map { "\(text(phrase)): \($0.shown)" }
            }
        return said.isEmpty
            ? "" : "<p class=\"moment\">\(language.clauses(said))</p>\n"
    }

    /// One sentence a right, its reason, and what would change it.
    private func rights(of report: AccountReport) throws(CommandFailure) -> Markup {
        guard !report.rights.isEmpty else {
            return report.saysNothing
                ? ""
                : """
                <section><h2>\(AccountPhrase.rights.text(language))</h2>
                <p>\(text(.noRights))</p></section>

                """
        }
        let account = report.frame.account
        var groups: [RightGroup] = []
        for answer in report.rights.prefix(Self.explained) {
            let explanation: Explanation = try ask(
                "/v1/accounts/\(account.inPath)/explain/\(answer.entitlement.inPath)",
                moment + [("environment", answer.environment.rawValue)])
            if let place = groups.firstIndex(where: { $0.holds(explanation) }) {
                groups[place].names.append(answer.entitlement)
            } else {
                groups.append(
                    RightGroup(explanation: explanation, names: [answer.entitlement]))
            }
        }
        var said: Set<String> = []
        let items = groups.map { group -> Markup in
            let text = CustomerPhrase.text(group.explanation, report, language)
            let isNew = said.insert(text).inserted
            return right(group, isNew ? customerText(group.explanation, report) : "")
        }
        let others = report.rights.dropFirst(Self.explained).map { answer -> Markup in
            let page = newPage
            return "<li>\(page.inline(page.verdict(answer, of: account.text)))</li>\n"
        }
        return """
            <section><h2>\(AccountPhrase.rights.text(language))</h2>
            <ul class="tree rights">\(items)\(others)</ul></section>

            """
    }

    /// Rights of which the same is to be said.
    private struct RightGroup {
        let explanation: Explanation
        var names: [EntitlementName]

        func holds(_ other: Explanation) -> Bool {
            var answer = other.answer
            answer.entitlement = explanation.answer.entitlement
            return answer == explanation.answer && other.nearestMiss == explanation.nearestMiss
                && other.decidedSince == explanation.decidedSince
        }
    }

    private func right(_ group: RightGroup, _ customerText: Markup) -> Markup {
        let (page, answer) = (newPage, group.explanation.answer)
        let account = group.explanation.account
        let base = ConsolePlace.account(account).path
        let query: Parameters = moment + [("environment", answer.environment.rawValue)]
        let change = page.nearestMiss(
            group.explanation.nearestMiss, of: account, answer.entitlement)
        let environment: Markup =
            answer.environment == .production
            ? "" : " <span class=\"quiet\">\(answer.environment.rawValue)</span>"
        let links = group.names.map { name -> Markup in
            let why = (base + "/explain/" + name.inPath).asking(query)
            let since = (base + "/history/" + name.inPath).asking(query)
            let label: Markup = group.names.count > 1 ? "\(name.text): " : ""
            return """
                <li>\(label)<a href="\(why)">\(text(.why))</a> · \
                <a href="\(since)">\(text(.sinceWhen))</a></li>

                """
        }
        let sentence = page.sentence(
            answer, of: account.text, about: language.list(group.names.map(\.text)),
            standing: page.standing(group.explanation))
        return """
            <li>\(page.inline(sentence))\(environment)
            \(page.list([change]))<ul class="next">\(links)</ul>
            \(customerText)</li>

            """
    }

    /// What the customer may be told, in either language, without a name that only we know.
    private func customerText(_ explanation: Explanation, _ report: AccountReport) -> Markup {
        let texts = Language.allCases.map { language -> Markup in
            let text = CustomerPhrase.text(explanation, report, language)
            return """
                <blockquote lang="\(language.tag)">\(text)</blockquote>\
                <button type="button" data-copy hidden>\(self.text(.copy))</button>

                """
        }
        return "<details><summary>\(text(.customerText))</summary>\n\(texts)</details>\n"
    }

    private func picture(of report: AccountReport) -> Markup {
        guard report.units.contains(where: { !$0.states.isEmpty }) || !report.grants.isEmpty
        else { return "" }
        let base = ConsolePlace.account(report.frame.account).path
        return """
            <section><h2>\(text(.overTime))</h2>
            <figure tabindex="0"><img src="\((base + "/timeline.svg").asking(moment))" \
            alt="\(text(.pictureOf, report.frame.account.text))"></figure>
            <p><a href="\((base + "/timeline").asking(moment))">\(text(.asTable))</a></p></section>

            """
    }

    func timelinePicture(_ name: String) throws(CommandFailure) -> ConsoleResponse {
        guard let account = AccountID(name) else { throw .noSuchPage }
        let report: TimelineReport = try ask(
            "/v1/accounts/\(account.inPath)/timeline", moment)
        let options = PictureOptions(
            language: language, width: 100, usesColour: true, from: nil, until: nil)
        var answer = ConsoleResponse(
            mediaType: "image/svg+xml", body: Array(report.svg(options).utf8))
        // The picture has its own style, and loads nothing.
        answer.fields.append(
            (
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
            ))
        return answer
    }

    /// Everything that can be done with an account that needs no other page first.
    private func actions(on report: AccountReport) -> Markup {
        let account = report.frame.account
        let name = account.text
        let isFrozen = report.balances.contains(where: \.isFrozen)
        let isAsked = !report.refundRequests.isEmpty || report.refundConsent != nil
        guard person.mayAct else { return statementLink(of: account) }
        let forms: [ActionForm?] = [
            ActionForm(words: ["grant"])?.with("account", name),
            ActionForm(words: ["claims", "give"])?.with("account", name),
            ActionForm(words: ["block"])?.with("account", name),
            ActionForm(words: ["close"])?.with("account", name),
            ActionForm(words: ["merge"])?.with("into", name),
            isFrozen ? ActionForm(words: ["credits", "thaw"])?.with("account", name) : nil,
            isAsked ? ActionForm(words: ["refunds", "consent"])?.with("account", name) : nil,
        ]
        return """
            <section><h2>\(text(.actions))</h2>
            \(steps(forms.compactMap(\.self)))\
            \(statementLink(of: account))</section>

            """
    }

    private func statementLink(of account: AccountID) -> Markup {
        let path = ConsolePlace.account(account).path + "/credits"
        return "<p><a href=\"\(path)\">\(text(.statement))</a></p>\n"
    }

    func steps(_ forms: [ActionForm]) -> Markup {
        guard person.mayAct else { return "" }
        let items = forms.map { form -> Markup in
            "<li><a class=\"step\" href=\"\(form.path)\">\(form.label.text(language))</a></li>\n"
        }
        return items.isEmpty ? "" : "<ul class=\"next\">\(items)</ul>\n"
    }

    private func whenForm(at path: String) -> Markup {
        let fields = [("at", ConsolePhrase.at), ("known_at", .knownAt)].map {
            name, phrase -> Markup in
            """
            <label>\(text(phrase))<input type="date" name="\(name)" \
            value="\(String((request.query[name] ?? "").prefix(10)))"></label>

            """
        }
        return """
            <section><h2>\(text(.anotherDay))</h2>
            <form method="get" action="\(path)" class="when">
            \(fields)<button>\(text(.show))</button>
            </form>
            <p class="quiet">\(text(.knownAtHelp))</p></section>

            """
    }
}

/// What a customer may be told: by what would change the answer, and the state that decided.
enum CustomerPhrase: String, CaseIterable, UsherText, Wording {
    case active = "Your access is active. You do not need to do anything."
    case activeUntil = "Your access is active until {0}."
    case renews = "Your subscription is active and renews on {0}."
    case paymentFailed = """
        Apple could not charge your payment method, so your access ended on {0}. Please update it \
        under Settings > your name > Payment & Shipping. Your access returns by itself when the payment \
        goes through.
        """
    case ended = """
        Your subscription ended on {0} and was not renewed. You can subscribe again in the app at any \
        time.
        """
    case gaveUp = """
        Apple could not charge your payment method for the renewal of {0}, tried again for some time, \
        and gave up on {1}; your access ended meanwhile. You can subscribe again in the app at any time.
        """
    case refunded = """
        Apple has refunded this purchase, so it gives no access since {0}. If you did not ask for the \
        refund, please check who else uses your Apple Account.
        """
    case startsLater = "Your access begins on {0}."
    case blocked =
        "Access for this account is suspended. Please reply, and we will look into it together."
    case beingChecked = """
        The purchase that you restored belongs to another account so far. We are checking it, and will \
        let you know.
        """
    case otherAccount = """
        The purchase that you restored is used by another account of our app. Please sign in with the \
        account that you first bought it with. If both accounts are yours, reply, and we can move it.
        """
    case giftEnded = "The access that we gave you ended on {0}."
    case moved = """
        This purchase was moved to another account of our app. Please sign in with that account.
        """
    case family =
        "The person who shared this purchase with your family no longer shares it with you."
    case seat =
        "Your organisation no longer assigns this subscription to you. Please ask its administrator."
    case nothingBought = """
        We find no purchase for this account. If you have paid, please open the app while signed in to \
        the Apple Account that you paid with, and tap "Restore Purchases".
        """
    case merged = "Your account was joined with another one of yours; please sign in with that one."
    case other = "We have looked into your purchase, and will come back to you."

    static func text(
        _ explanation: Explanation, _ report: AccountReport, _ language: Language
    ) -> String {
        let (answer, miss) = (explanation.answer, explanation.nearestMiss)
        func day(_ instant: Instant?) -> String { instant.map { String($0.date.prefix(10)) } ?? "" }
        if answer.decision {
            if answer.willRenew == true, let paid = answer.paidUntil, answer.state == .active {
                return renews.text(language, day(paid))
            }
            return answer.until.map { activeUntil.text(language, day($0)) } ?? active.text(language)
        }
        let since = day(explanation.decidedSince ?? answer.paidUntil)
        if answer.state == .billingRetry || answer.state == .grace {
            return paymentFailed.text(language, since)
        }
        if miss.change == .buy, report.hasGivenAway { return moved.text(language) }
        switch miss.change {
        case .time: return startsLater.text(language, day(miss.at))
        case .liftBlock: return blocked.text(language)
        case .approveClaim: return beingChecked.text(language)
        case .transferClaim: return otherAccount.text(language)
        case .extendGrant: return giftEnded.text(language, since)
        case .reverseRefund: return refunded.text(language, since)
        case .renew where answer.state == .revoked: return refunded.text(language, since)
        case .renew where answer.expiryReason == .billingError:
            return gaveUp.text(
                language, day(answer.paidUntil), day(explanation.stretch.start))
        case .renew: return ended.text(language, since)
        case .shareAgain: return family.text(language)
        case .assignAgain: return seat.text(language)
        case .buy: return nothingBought.text(language)
        case .merged: return merged.text(language)
        case .refund, .revokeGrant, .block, .policy: return other.text(language)
        }
    }
}

extension AccountReport {
    /// Whether something that it owned is another account's by now.
    fileprivate var hasGivenAway: Bool {
        units.contains { unit in
            let last = unit.owners.last { $0.interval.end == nil }
            return last.map { $0.account != frame.account } == true
                && unit.owners.contains { $0.account == frame.account }
        }
    }
}
