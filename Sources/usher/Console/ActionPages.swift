internal import EntitlementAnswers
internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools

/// The page of a form: its effect first, then the reason; nothing is done before that is stated.
extension ConsoleCall {
    func action(_ verb: [String]) throws(CommandFailure) -> ConsoleResponse {
        guard let form = ActionForm(verb: verb, request.query.trimmed) else { throw .noSuchPage }
        try requireRole()
        return actionPage(form, key: site.random())
    }

    /// What was filled in, is done.
    func act(_ verb: [String], _ said: FormValues) throws(CommandFailure) -> ConsoleResponse {
        guard let form = ActionForm(verb: verb, said.trimmed) else { throw .noSuchPage }
        try requireRole()
        let key = said["key"] ?? ""
        do throws(CommandFailure) {
            guard let reason = said["reason"] else { throw .said(text(.reasonMissing)) }
            let command = try command(of: form, because: reason)
            // Afterwards an id may lead nowhere.
            let title = subject(of: form).title
            let page = try waiting(for: form) { () throws(CommandFailure) in
                try command.done(
                    ifUnchangedSince: said["if_revision"].flatMap { Int64($0) },
                    key: form.key("console-" + key), on: newPage)
            }
            return frame(
                form.heading(in: language, of: title), left(after: form) + donePage(page, said))
        } catch {
            return actionPage(form, key: key, reason: said["reason"] ?? "", failure: error)
        }
    }

    /// What a person has to do yet: nobody else tells Apple.
    private func left(after form: ActionForm) -> Markup {
        guard form.verb == ["refunds", "consent"], form.values["given"] != nil,
            let account = form.values["account"].flatMap({ AccountID($0) }),
            (try? tellsApple()) == false, let report = try? report(on: account)
        else { return "" }
        var page = newPage
        for request in report.refundRequests where request.state == .open {
            page.add(RefundPhrase.sendsNothing, as: .care)
            page.write(refund: request)
            page.write(answeringOf: request)
            page.tree(page.steps(ShellCommand("refunds answered", "\(request.request)")))
        }
        return page.markup
    }

    /// As long as the form takes: what is counted takes longer on a large ledger.
    private func waiting<Value>(
        for form: ActionForm, _ body: () throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        guard form.counts else { return try body() }
        return try ServiceCall.$secondsToWait.withValue(Self.secondsToCount) {
            Result { () throws(CommandFailure) in try body() }
        }.get()
    }

    /// Before anything is read for them.
    private func requireRole() throws(CommandFailure) {
        guard person.mayAct else {
            throw .serviceRejected(RejectedCall(code: ProblemCode.role.rawValue))
        }
    }

    /// The command of a form. A folder is one of those that the console was started with: whom a
    /// proxy names reads no other files of this process.
    private func command(
        of form: ActionForm, because reason: String
    ) throws(CommandFailure) -> any CallingCommand {
        var form = form
        if form.verb == ["policy", "schedule"], let name = form.values["folder"] {
            if let policies = site.policies {
                let parts = name.split(separator: "/", omittingEmptySubsequences: false)
                guard !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else {
                    throw .said(text(.notAFolder, policies.shown))
                }
                form.values.set("folder", policies + "/" + name)
            } else if site.isTeam {
                throw .said(text(.noFolders))
            }
        }
        return try form.command(because: reason, at: site.sockets, in: language)
    }

    func donePage(_ page: Page, _ said: FormValues) -> Markup {
        let undo: Markup =
            said["undo"].flatMap { ActionForm(line: $0) }.map { form in
                "<li><a class=\"step\" href=\"\(form.path)\">\(text(.undoThis))</a></li>"
            } ?? ""
        let named = said.all("about") + ["account", "from", "into"].flatMap(said.all)
        var accounts = Set(named.compactMap { AccountID($0) })
        if accounts.isEmpty,
            let id = ["block", "grant", "order", "request"].compactMap({ said[$0] }).first,
            let found: FoundID = try? ask("/v1/find/" + (SoughtID(id)?.inPath ?? "-"))
        {
            accounts.formUnion(found.meanings.flatMap(\.accounts))
        }
        return """
            <div role="status" class="done">\(page.markup)</div>
            <ul class="next">\
            \(undo)\
            \(accounts.sorted().map { "<li><a href=\"\(ConsolePlace.account($0).path)\">\($0.text)</a></li>" })\
            <li><a href="/">\(text(.home))</a></li></ul>

            """
    }

    private func actionPage(
        _ form: ActionForm, key: String, reason: String = "", failure: CommandFailure? = nil
    ) -> ConsoleResponse {
        var (failure, effect): (CommandFailure?, Written<EffectAnswer>?) = (failure, nil)
        if form.verb == ["policy", "reload"], failure == nil, let run = try? waitingPolicy() {
            guard let counted = run.effect else {
                return frame(form.heading(in: language), progress(of: run))
            }
            effect = counted
        }
        let isRepeated = failure != nil
        var status = failure?.status ?? 200
        var lacksDetails = !form.isFilled || form.values["change"] != nil
        // A service that is silent is not asked again.
        preview: if !lacksDetails, effect == nil, failure?.isOfService != true {
            do throws(CommandFailure) {
                effect = try waiting(for: form) { () throws(CommandFailure) in
                    try command(of: form, because: "-")
                        .previewed(key: form.key("console-" + key))
                }
            } catch {
                // Of a form that nobody has filled in yet, nothing is wrong.
                if !isRepeated { lacksDetails = true }
                if case .said = error, form.values["asked"] == nil { break preview }
                if error.isOfService { status = error.status }
                failure = failure ?? error
            }
        }
        let about = subject(of: form)
        let heading = form.heading(in: language, of: about.title)
        let typed: Markup = "<p class=\"quiet\"><code>\(form.line.shown)</code></p>\n"
        var body: Markup = "<p>\(form.title(in: language))</p>\n"
        body += about.text
        if let failure {
            body += isRepeated || failure.isOfService ? alert(failure) : note(failure)
        }
        if let effect {
            var page = newPage
            page.write(effect, wayBack: form.wayBack)
            body += """
                <section class="effect" aria-label="\(text(.effect))">
                \(page.markup)</section>

                """
        }
        body += payments(insteadOf: form)
        let hasDetails = !form.fields(in: language).isEmpty
        if lacksDetails {
            if hasDetails { body += asking(form) }
        } else {
            body += stating(form, effect, key: key, reason)
            // On a page of its own: what is done is what was shown.
            if hasDetails {
                let path = form.with("change", "true").path
                body += "<p><a href=\"\(path)\">\(text(.otherwise))</a></p>\n"
            }
        }
        if let swapped = form.swapped {
            body += "<p><a href=\"\(swapped.path)\">\(text(.otherWay))</a></p>\n"
        }
        return frame(heading, body + typed, status: status)
    }

    /// Of an order that would be settled without one: the payments that may be its own.
    private func payments(insteadOf form: ActionForm) -> Markup {
        guard form.verb == ["orders", "settle"], form.values["transaction"] == nil,
            let order = order(of: form), let payments = order.possiblePayments
        else { return "" }
        let page = newPage
        return """
            <div role="status" class="moment"><p>\(text(.settlesWithout))</p>
            \(page.list(page.possible(payments, for: order.id)))</div>

            """
    }

    func order(of form: ActionForm) -> OrderAnswer? {
        guard let id = form.values["order"].flatMap({ OrderID($0) }) else { return nil }
        return try? ask("/v1/orders/" + id.inPath)
    }

    /// What has to be said first.
    private func asking(_ form: ActionForm) -> Markup {
        let fields = form.fields(in: language).map { field in input(field, form) }
        return """
            <form method="get" action="\("/do/" + form.verb.joined(separator: "/"))" class="fields">
            \(fields)<input type="hidden" name="asked" value="true">
            <button>\(text(.showEffect))</button>
            </form>

            """
    }

    private func input(_ field: ActionForm.Field, _ form: ActionForm) -> Markup {
        let (name, value) = (field.name, form.values[field.name] ?? "")
        let required: Markup = field.parameter.isOptional ? "" : " required"
        let label: Markup = "<label for=\"f-\(name)\">\(field.label)</label>"
        if ActionForm.choices.contains(name) {
            return name == ActionForm.choices[0] ? choice(form) : ""
        }
        if field.parameter.kind == .flag {
            let checked: Markup = value.isEmpty ? "" : " checked"
            return """
                <p class="check"><input type="checkbox" id="f-\(name)" name="\(name)" \
                value="true"\(checked)>\(label)</p>

                """
        }
        if !field.parameter.values.isEmpty {
            let chosen = value.isEmpty ? field.parameter.standard ?? "" : value
            let options = field.parameter.values.map { option -> Markup in
                let selected: Markup = option == chosen ? " selected" : ""
                return "<option\(selected)>\(option)</option>"
            }
            return "<p>\(label)<select id=\"f-\(name)\" name=\"\(name)\">\(options)</select></p>\n"
        }
        let choices = choices(of: name, in: form)
        if !choices.isEmpty {
            // What was written and is none of them stays, so that it can be said that it is none.
            let others = [("", "")] + (value.isEmpty ? [] : [(value, value.shown)])
            let options =
                (others.filter { other in !choices.contains { $0.0 == other.0 } } + choices)
                .map { name, title -> Markup in
                    let selected: Markup = name == value ? " selected" : ""
                    return "<option value=\"\(name)\"\(selected)>\(title)</option>"
                }
            return """
                <p>\(label)<select id="f-\(name)" name="\(name)"\(required)>\(options)</select></p>

                """
        }
        // An instant that was written whole stays one.
        let isDay = field.parameter.valueName == "date" && (value.isEmpty || value.utf8.count == 10)
        let type: Markup = isDay ? " type=\"date\"" : ""
        let hint: Markup =
            isDay && name == "until" ? "<span class=\"quiet\">\(text(.dayBegins))</span>" : ""
        return """
            <p>\(label)<input id="f-\(name)" name="\(name)" value="\(value)" \
            autocomplete="off"\(type)\(required)>\(hint)</p>

            """
    }

    /// Flags that exclude each other: one of them.
    private func choice(_ form: ActionForm) -> Markup {
        let chosen = ActionForm.choices.last { form.values[$0] != nil } ?? ActionForm.choices[0]
        let options = form.fields(in: language).filter { ActionForm.choices.contains($0.name) }
            .map { field -> Markup in
                let checked: Markup = field.name == chosen ? " checked" : ""
                return """
                    <label><input type="radio" name="choice" value="\(field.name)"\(checked)>\
                    \(field.label)</label>

                    """
            }
        return "<fieldset><legend>\(text(.oneOf))</legend>\n\(options)</fieldset>\n"
    }

    /// What there is of that kind, to choose from, each with what it is called.
    private func choices(of name: String, in form: ActionForm) -> [(String, String)] {
        if name == "transaction", form.verb == ["orders", "settle"] {
            return (order(of: form)?.possiblePayments ?? []).map { payment in
                let parts = [
                    payment.transaction.text, payment.price?.price.text, payment.purchasedAt.date,
                ]
                return (payment.transaction.text, language.list(parts.compactMap(\.self)))
            }
        }
        guard name == "entitlement" || name == "credit", let policy = try? policyInForce() else {
            return []
        }
        let titles =
            name == "entitlement"
            ? policy.entitlements.map { ($0.key.text, $0.value) }
            : policy.credits.map { ($0.key.text, $0.value.title) }
        return titles.sorted { $0.0 < $1.0 }.map { name, title in
            (name, Phrase.labelled.text(language, name, title.text(language)))
        }
    }

    /// The form that does it.
    private func stating(
        _ form: ActionForm, _ effect: Written<EffectAnswer>?, key: String, _ reason: String
    ) -> Markup {
        var hidden = form.values.pairs.filter { pair in
            form.fields(in: .english).contains { $0.name == pair.name }
        }
        hidden.append(("key", key))
        if let effect {
            hidden.append(("if_revision", "\(effect.revision)"))
            if let undo = effect.value.undo {
                hidden.append(("undo", undo.map(ShellCommand.quoted).joined(separator: " ")))
            }
            let accounts = Set(effect.value.changes.compactMap(\.account))
            hidden += accounts.sorted().prefix(8).map { ("about", $0.text) }
        } else {
            // As it was sent: it still depends on what was seen then.
            let seen = ["if_revision", "undo", "about"]
            hidden += form.values.pairs.filter { seen.contains($0.name) }
        }
        let inputs = hidden.map { pair -> Markup in
            "<input type=\"hidden\" name=\"\(pair.name)\" value=\"\(pair.value)\">"
        }
        // What cannot be taken back is what warns.
        let isTaking =
            effect.map { !$0.value.isNothing && $0.value.undo == nil } == true
            && form.wayBack == .noUndo
        return """
            <form method="post" action="\("/do/" + form.verb.joined(separator: "/"))" class="fields">
            \(token)\(inputs)
            <p><label for="reason">\(text(.reason))</label><textarea id="reason" name="reason" \
            rows="2" required maxlength="1024">\(reason)</textarea></p>
            <button class="\(isTaking ? "taking" : "doing")">\(form.label.text(language))</button>
            </form>

            """
    }

    /// What went wrong, where everybody finds it.
    func alert(_ failure: CommandFailure) -> Markup {
        "<div role=\"alert\" class=\"alert\">\(sentences(of: failure))</div>\n"
    }

    /// Why it could not be done, to somebody who has not tried to.
    private func note(_ failure: CommandFailure) -> Markup {
        "<div role=\"status\" class=\"moment\">\(sentences(of: failure))</div>\n"
    }

    private func sentences(of failure: CommandFailure) -> Markup {
        let sentence =
            site.isTeam && failure.status == 502
            ? text(.serviceGone) : failure.sentence(language)
        let lines = sentence.split(separator: "\n")
        return lines.map { "\(String($0))" as Markup }.joined(separator: "<br>")
    }
}
