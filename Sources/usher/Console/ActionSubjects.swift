internal import EntitlementAnswers
internal import EntitlementEngine
internal import EntitlementModel
internal import PolicyTools

/// What is decided on, under the names that people have for it.
extension ConsoleCall {
    func report(on account: AccountID) throws(CommandFailure) -> AccountReport {
        try ask("/v1/accounts/" + account.inPath)
    }

    /// The purchase that a claim is on, as its owner's report shows it; nil where nobody has it.
    func unit(of claim: ClaimAnswer) -> UnitAnswer? {
        guard let decision = claim.decision else { return nil }
        for account in decision.ownersAfter + decision.ownersBefore {
            let units = (try? report(on: account))?.units ?? []
            if let unit = units.first(where: { $0.unit == decision.unit }) { return unit }
        }
        return nil
    }

    /// Who asks for what, and whose it is.
    func sentence(of claim: ClaimAnswer, on page: Page) -> String {
        guard let unit = unit(of: claim) else { return page.claim(claim).text }
        return text(
            .asksFor, page.name(claim: claim.claim), page.name(claim.account),
            page.purchase(unit, at: site.now()))
    }

    /// What an action is about, besides what it changes.
    func subject(of form: ActionForm) -> (title: String?, text: Markup) {
        // Its own links lead back here.
        var page = Page(browserIn: language, withActions: false)
        var title: String?
        do throws(CommandFailure) {
            switch form.verb {
            case ["claims", "give"]: break
            case ["merge"]:
                let reports = try ["from", "into"].compactMap { form.values[$0] }
                    .compactMap { AccountID($0) }.map { account throws(CommandFailure) in
                        try report(on: account)
                    }
                let keys = reports.map { Set($0.units.compactMap(\.appleID)) }
                if keys.count == 2, !keys.contains([]), keys[0].isDisjoint(with: keys[1]) {
                    page.add(ConsolePhrase.otherAppleIDs, as: .care)
                    for report in reports { try add(holdingsOf: report, to: &page) }
                }
            case ["refunds", "consent"]:
                guard let account = form.values["account"].flatMap({ AccountID($0) }) else { break }
                for request in try report(on: account).refundRequests {
                    page.write(refund: request)
                }
            case ["credits", "thaw"]:
                guard let account = form.values["account"].flatMap({ AccountID($0) }) else { break }
                page.table(
                    try report(on: account).balances
                        .filter { $0.isFrozen && $0.credit.text == form.values["credit"] }
                        .map(page.balance))
            case _ where form.verb[0] == "orders":
                title = order(of: form).map {
                    language.list([page.name($0.product), $0.account.text])
                }
            case _ where form.verb[0] == "claims" || ["revoke", "unblock"].contains(form.verb[0]):
                let name = ["claim", "grant", "block"].compactMap { form.values[$0] }.first
                guard let id = name.flatMap({ SoughtID($0) }) else { break }
                let found: FoundID = try ask("/v1/find/" + id.inPath)
                guard let account = found.meanings.flatMap(\.accounts).first else { break }
                let report = try report(on: account)
                if let claim = report.claims.first(where: { "\($0.claim)" == id.text }) {
                    title = unit(of: claim)?.words(in: language)
                    page.add(sentence(of: claim, on: page))
                } else {
                    title = account.text
                    page.tree(
                        report.blocks.filter { $0.id.text == id.text }.map(page.block)
                            + report.grants.filter { $0.id.text == id.text }.map(page.grant))
                }
            default: break
            }
        } catch {
            // What is wrong with it, the preview says.
        }
        return (title, page.markup)
    }

    /// What an account has bought, and who else has bought with the same Apple IDs.
    private func add(
        holdingsOf report: AccountReport, to page: inout Page
    ) throws(CommandFailure) {
        let account = report.frame.account
        var payers: [AppleIDKey: String] = [:]
        for key in Set(report.units.prefix(Self.listed).compactMap(\.appleID)) {
            let found: FoundID = try ask("/v1/find/" + key.inPath)
            let others = found.meanings.filter { $0.kind == .appleID }
                .flatMap { $0.accounts + $0.presentedBy }.filter { $0 != account }
            let also =
                others.isEmpty
                ? text(.onlyAccount) : text(.otherAccounts, page.names(Set(others).sorted()))
            payers[key] = language.list([
                AccountPhrase.appleID.text(language, page.name(key)), also,
            ])
        }
        let names = page
        page.add(page.name(account))
        page.tree(report.units, atMost: Self.listed) { unit in
            Page.Branch(
                names.purchase(unit, at: report.frame.at),
                unit.appleID.flatMap { payers[$0] }.map { [Page.Branch($0)] } ?? [])
        }
    }
}

extension Page {
    /// `No advertisements, bought 2026-01-21, owned by mei; it ended …`
    func purchase(_ unit: UnitAnswer, at instant: Instant) -> String {
        let owners = unit.owners.filter { $0.interval.contains(instant) }.map(\.account)
        let owned =
            owners.isEmpty
            ? AccountPhrase.ownedByNobody.text(language)
            : ConsolePhrase.ownedNow.text(language, names(owners))
        let parts = [
            language.list([unit.words(in: language), owned]), unit.ended(at: instant, language),
        ]
        return language.clauses(parts.compactMap(\.self))
    }
}
