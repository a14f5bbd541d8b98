internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools
internal import StrictJSON

/// Which page an address has.
extension ConsoleCall {
    func answer() throws(CommandFailure) -> ConsoleResponse {
        let path = path
        guard let first = path.first else { return try home() }
        if first == "do" { return try action(Array(path.dropFirst())) }
        if let list = ConsoleList(rawValue: first), path.count == 1 { return try self.list(list) }
        switch (first, path.count) {
        case ("find", 1): return try find()
        case ("evidence", 1): return frame(text(.evidence), evidenceForm())
        case ("policy", 1): return try policy()
        case ("policy", 2) where path[1] == "tables": return try policyTables()
        case ("policy.css", 1):
            return ConsoleResponse(
                mediaType: "text/css; charset=utf-8", body: Array(policyPartStyle(language).utf8))
        case ("service", 1): return try told(["status"], text(.service))
        case ("accounts", 2): return try account(path[1])
        case ("accounts", 3): return try part(path[2], of: path[1])
        case ("accounts", 4): return try right(path[2], path[3], of: path[1])
        case ("orders", 2):
            return try told(["orders", "show", "--", path[1]], text(.orderTitle, path[1].shown))
        case ("transactions", 2): return try subject(path[1])
        case ("apple-ids", 2), ("grants", 2), ("blocks", 2): return try subject(path[1])
        case ("claims", 2): return try claim(path[1])
        case ("refunds", 2): return try refund(path[1])
        default: throw .noSuchPage
        }
    }

    private func part(_ part: String, of account: String) throws(CommandFailure) -> ConsoleResponse
    {
        switch part {
        case "timeline.svg": return try timelinePicture(account)
        case "timeline":
            return try told(
                ["timeline", "--table", "--", account], text(.timeTitle, account.shown), of: account
            )
        case "credits":
            return try told(
                ["credits", "show", "--statement", "--", account],
                text(.creditsTitle, account.shown), of: account)
        case "orders":
            return try told(
                ["orders", "list", "--", account], text(.ordersTitle, account.shown), of: account)
        default: throw .noSuchPage
        }
    }

    private func right(
        _ question: String, _ entitlement: String, of account: String
    ) throws(CommandFailure) -> ConsoleResponse {
        guard question == "explain" || question == "history" else { throw .noSuchPage }
        let environment = request.query["environment"].map { ["--environment=" + $0] } ?? []
        let title: ConsolePhrase = question == "explain" ? .whyTitle : .sinceTitle
        return try told(
            [question] + environment + ["--", account, entitlement],
            text(title, entitlement.shown, account.shown), of: account)
    }

    /// What an id is. What leads to one page only is that page.
    private func find() throws(CommandFailure) -> ConsoleResponse {
        let sought = (request.query["q"] ?? "").filter { !$0.isWhitespace }
        let isPart = request.query["part"] != nil
        guard let id = SoughtID(sought) else {
            return isPart ? ConsoleResponse() : frame(text(.notFound), nothingFound(sought))
        }
        do throws(CommandFailure) {
            let found: FoundID = try ask("/v1/find/" + id.inPath)
            guard !found.meanings.isEmpty else { throw .nothingFound(id) }
            if isPart { return fragment(found) }
            let told = found.meanings.filter { !newPage.isTold($0, among: found) }
            if told.count == 1, let place = ConsolePlace(told[0], of: id) {
                return .redirect(to: place.path)
            }
            return frame(id.text, meanings(found))
        } catch {
            guard error.code == ProblemCode.nothingFound.rawValue else { throw error }
            if isPart { return ConsoleResponse() }
            return frame(text(.notFound), nothingFound(id.text))
        }
    }

    private func fragment(_ found: FoundID) -> ConsoleResponse {
        ConsoleResponse(body: Array(meanings(found).text.utf8))
    }

    private func meanings(_ found: FoundID) -> Markup {
        var page = newPage
        page.write(found: found)
        return page.markup
    }

    private func nothingFound(_ sought: String) -> Markup {
        let isAppleOrder = SoughtID(sought)?.mayBeAppleOrder == true
        return """
            <p role="status">\(text(isAppleOrder ? .orderNotFound : .nothingFound, sought.shown))</p>
            \(askTheCustomer(forOrder: !isAppleOrder))\(evidenceForm())
            """
    }

    /// What a customer can say that leads on.
    ///
    /// - Parameter isOrderMissing: whether they have not named Apple's order yet.
    func askTheCustomer(forOrder isOrderMissing: Bool = true) -> Markup {
        let phrases: [ConsolePhrase] =
            (isOrderMissing ? [.askOrder] : []) + [.askRestore, .askReceipt]
        let items = phrases.map { phrase -> Markup in "<li>\(text(phrase))</li>\n" }
        return "<p>\(text(.askCustomer))</p>\n<ul>\(items)</ul>\n"
    }

    /// An id, everything that it is, and whom it concerns.
    private func subject(_ name: String) throws(CommandFailure) -> ConsoleResponse {
        guard let id = SoughtID(name) else { throw .noSuchPage }
        let received = try service.get("/v1/find/" + id.inPath)
        if wantsJSON { return json(received) }
        let found = try Answered<FoundID>(received: received).value
        let verbs: [FoundMeaning.Kind: String] = [
            .grant: "revoke", .block: "unblock", .merge: "unmerge",
        ]
        let forms = found.meanings.compactMap { verbs[$0.kind] }.map {
            ActionForm(words: [$0, id.text])
        }
        let title: String
        var sections: Markup
        let page = newPage
        let told = found.meanings.filter { !page.isTold($0, among: found) }
        if let only = told.first, told.count == 1 {
            let kind = FoundKindPhrase.words(only.kind.rawValue, language)
            title = kind.prefix(1).uppercased() + kind.dropFirst() + " " + name
            sections = page.list(page.clauses(only, of: id).map { Page.Branch($0) })
            if let command = page.command(only, of: id) {
                sections += "<ul class=\"next\"><li>\(page.step(command))</li></ul>\n"
            }
        } else {
            (title, sections) = (name, meanings(found))
        }
        sections += steps(forms.compactMap(\.self))
        if found.meanings.contains(where: { $0.kind == .appleID }), let key = AppleIDKey(name) {
            sections += try rights(of: key)
        }
        return frame(title, sections)
    }

    private func rights(of key: AppleIDKey) throws(CommandFailure) -> Markup {
        let answer: AppleIDRights = try ask("/v1/apple-ids/\(key.inPath)/entitlements")
        let page = newPage
        let items = answer.entitlements.map { answer -> Markup in
            "<li>\(page.inline(page.verdict(answer, of: key.text)))</li>\n"
        }
        return "<h2>\(AccountPhrase.rights.text(language))</h2>\n<ul class=\"tree\">\(items)</ul>\n"
    }

    /// A claim with all that can be decided about it.
    private func claim(_ name: String) throws(CommandFailure) -> ConsoleResponse {
        guard let number = Int64(name), let id = SoughtID(name) else { throw .noSuchPage }
        let found: FoundID = try ask("/v1/find/" + id.inPath)
        let accounts = found.meanings.filter { $0.kind == .claim }.flatMap(\.accounts)
        for account in accounts {
            let report = try report(on: account)
            guard let claim = report.claims.first(where: { $0.claim.number == number }) else {
                continue
            }
            if wantsJSON { return json(claim.json) }
            var page = newPage
            if let unit = unit(of: claim) { page.purchases[unit.unit] = unit }
            page.instant = report.frame.at
            page.add(claim)
            return frame(text(.claimNumber, name), page.markup)
        }
        return try subject(name)
    }

    private func refund(_ number: String) throws(CommandFailure) -> ConsoleResponse {
        let told = try tell(["refunds", "show", "--", number])
        if wantsJSON { return json(told.json) }
        let forms = [ActionForm(words: ["refunds", "answered", number])]
        let note: Markup =
            try tellsApple()
            ? "" : "<p class=\"care\">\(RefundPhrase.sendsNothing.text(language))</p>\n"
        return frame(
            text(.refundRequest, number),
            note + told.page.markup + steps(forms.compactMap(\.self)))
    }

    /// Whether a person does not have to.
    func tellsApple() throws(CommandFailure) -> Bool {
        let list: RefundRequestList = try ask("/v1/refunds/requests", [("limit", "1")])
        return list.sends
    }

    /// Lists, a page at a time.
    private func list(_ list: ConsoleList) throws(CommandFailure) -> ConsoleResponse {
        let option = list == .undelivered ? "--skip=" : "--after="
        let after = request.query["after"].map { [option + $0] } ?? []
        let told: Told
        if list == .findings {
            let received = try service.get(
                "/v1/findings".asking([("limit", "50"), ("after", request.query["after"])]))
            var page = newPage
            page.write(
                try Answered<FindingPage>(received: received).value,
                areAll: request.query["after"] == nil)
            told = Told(page: page, json: received)
        } else if list == .drift {
            told = try drift()
        } else {
            let limit = list.isPaged && list != .undelivered ? ["--limit=50"] : []
            told = try tell(list.words + (list.isPaged ? after : []) + limit + ["--"])
        }
        if wantsJSON { return json(told.json) }
        let next = (try? parseJSON(told.json, limits: JSONLimits(bytes: told.json.count)))?["next"]
        let place = next?.int64.map { "\($0)" } ?? next?.string
        let more: Markup =
            place.map {
                "<p><a rel=\"next\" href=\"\("/\(list.rawValue)".asking([("after", $0)]))\">\(text(.next))</a></p>\n"
            } ?? ""
        return frame(text(list.title), told.page.markup + more)
    }

    private func drift() throws(CommandFailure) -> Told {
        let status: StatusReport = try ask("/status")
        guard let run = status.reconciliation?.run else {
            var page = newPage
            page.add(ConsolePhrase.noReconciliation)
            return Told(page: page, json: Array("null".utf8))
        }
        let received = try service.get(
            "/v1/reconciliations/\(run)/drift".asking([
                ("limit", "50"), ("after", request.query["after"]),
            ]))
        var page = newPage
        page.write(try Answered<DriftPage>(received: received).value.drift)
        return Told(page: page, json: received)
    }

    /// Evidence that somebody has, to be handed in.
    func evidenceForm(_ written: String = "", for account: String = "") -> Markup {
        """
        <section><h2>\(text(.handIn))</h2>
        <form method="post" action="/evidence" class="fields">
        \(token)
        <p><label for="evidence">\(text(.evidenceLabel))</label><textarea id="evidence" name="evidence" \
        rows="4" required data-file>\(written)</textarea></p>
        <p><label for="account">\(text(.evidenceAccount))</label><input id="account" name="account" \
        value="\(account)" autocomplete="off"></p>
        <button name="step" value="show">\(text(.showEffect))</button>
        </form></section>

        """
    }

    /// The same, of which the effect is seen.
    private func evidenceForm(
        _ line: IngestLine, isNew: Bool, _ effect: Written<EffectAnswer>
    ) -> Markup {
        let account = (line.account ?? "").shown
        let note: Markup =
            isNew
            ? "<p role=\"status\" class=\"moment\">\(text(.wouldBeNew, account))</p>\n" : ""
        let hidden = [
            ("evidence", line.payload ?? ""), ("account", line.account ?? ""),
            ("if_revision", "\(effect.revision)"),
        ].map { name, value -> Markup in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        }
        let label = isNew ? text(.handInForNew, account) : text(.handIn)
        return """
            \(note)<form method="post" action="/evidence" class="fields">
            \(token)\(hidden)
            <button name="step" value="submit" class="doing">\(label)</button>
            </form>

            """
    }

    /// Shows what evidence would change, by a call that is taken back, or hands it in.
    func handIn(_ said: FormValues) throws(CommandFailure) -> ConsoleResponse {
        let written = said["evidence"] ?? ""
        let account = said.trimmed["account"] ?? ""
        do throws(CommandFailure) {
            // The customer asks for what it proves.
            let line = IngestLine(
                payload: written.filter { !$0.isWhitespace },
                account: account.isEmpty ? nil : account,
                moment: account.isEmpty ? nil : ClaimMoment.restore.rawValue)
            if said["step"] == "submit", let seen = said["if_revision"].flatMap({ Int64($0) }) {
                let done = try submitted(line, ifUnchangedSince: seen)
                var said = FormValues()
                said.add("account", account)
                if let undo = done.undo { said.add("undo", undo) }
                return frame(text(.evidence), donePage(done.page, said))
            }
            let (inside, isTaken) = try inspected(line.payload ?? "")
            guard isTaken else {
                return frame(
                    text(.evidence), inside.markup + evidenceForm(written, for: account))
            }
            let effect = try Answered<Written<EffectAnswer>>(
                received: service.ask("/v1/evidence?dry_run=true", line)
            ).value
            let isNew = try AccountID(account).map { id throws(CommandFailure) in
                try report(on: id).saysNothing
            }
            var page = newPage
            page.write(effect)
            return frame(
                text(.evidence),
                """
                <section class="effect" aria-label="\(text(.effect))">\(page.markup)</section>
                \(evidenceForm(line, isNew: isNew == true, effect))\
                <details><summary>\(text(.inside))</summary>\(inside.markup)</details>

                """)
        } catch {
            return frame(
                text(.evidence), alert(error) + evidenceForm(written, for: account),
                status: error.status)
        }
    }
}

/// Lists that have a page.
enum ConsoleList: String {
    case lost, claims, review, refunds, waiting, findings, undelivered, scheduled, drift

    /// The command that prints it.
    var words: [String] {
        switch self {
        case .lost: ["orders", "lost"]
        case .claims: ["claims", "list"]
        case .review: ["claims", "review"]
        case .refunds: ["refunds", "list"]
        case .waiting: ["evidence", "waiting"]
        case .undelivered: ["changes", "undelivered"]
        case .scheduled: ["policy", "scheduled"]
        case .findings, .drift: []
        }
    }

    var isPaged: Bool {
        switch self {
        case .lost, .review, .refunds, .waiting, .undelivered: true
        case .claims, .scheduled, .findings, .drift: false
        }
    }

    var title: ConsolePhrase {
        switch self {
        case .lost: .lostOrders
        case .claims: .claimsWaiting
        case .review: .claimsReview
        case .refunds: .refundRequests
        case .waiting: .evidence
        case .findings: .findings
        case .undelivered: .undelivered
        case .scheduled: .planned
        case .drift: .drift
        }
    }
}

extension ConsolePlace {
    /// Where a meaning of an id has its page.
    init?(_ meaning: FoundMeaning, of id: SoughtID) {
        switch meaning.kind {
        case .account:
            guard let account = AccountID(id.text) else { return nil }
            self = .account(account)
        case .order:
            guard let order = OrderID(id.text) else { return nil }
            self = .order(order)
        case .claim:
            guard let number = Int64(id.text) else { return nil }
            self = .claim(number)
        case .transaction, .lineage, .lineItem, .appleOrder:
            guard let transaction = TransactionID(id.text) else { return nil }
            self = .transaction(transaction)
        case .appleID:
            guard let key = AppleIDKey(id.text) else { return nil }
            self = .appleID(key)
        case .grant:
            guard let grant = GrantID(id.text) else { return nil }
            self = .grant(grant)
        case .block:
            guard let block = BlockID(id.text) else { return nil }
            self = .block(block)
        case .token, .merge, .ticket: return nil
        }
    }
}

extension ClaimAnswer {
    /// What a person may decide of it: the verbs of `usher claims`, and whether more has to be said.
    var rulings: [String] {
        switch outcome {
        case .waiting: ["approve", "refuse", "transfer"]
        case .alreadyOwned: ["transfer --change", "release"]
        case .accepted:
            ["transfer --change", "release"]
                + (decision.map { ["undo --decision \($0.sequence)"] } ?? [])
        case .approved: ["transfer --change", "release", "undo"]
        case .kept, .cooldown, .limit, .denied, .token, .ownedByOther: ["transfer"]
        case .unknownTransaction, .accountClosed: []
        }
    }
}
