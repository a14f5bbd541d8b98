internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// Rights on the page: an overview whose cells lead to the rules that decide them.
extension PolicyPage {
    var accessBody: String {
        let access = tables.access
        guard !access.cells.isEmpty else { return quiet(.noRights) + openBody }
        let kinds = access.kinds.map(cellTable).joined()
        let deliveries = access.deliveries.map {
            item(access.rules[$0.rule], in: nil, meansMore: false)
        }
        let credits =
            deliveries.isEmpty
            ? ""
            : "<p>\(phrase(.deliveries))</p>\n"
                + "<ol class=\"rules\">\(deliveries.joined())</ol>\n"
        return quiet(.accessIntro) + overview + kinds + credits + rules + openBody
    }

    private var overview: String {
        let heads = EntitlementState.allCases.map { state in
            "<th scope=\"col\">\(stateWords(state))</th>"
        }
        let rows = tables.access.kinds.map { kind in
            let cells = EntitlementState.allCases.map { state in
                let cell = tables.access.cells.first { $0.kind == kind && $0.state == state }
                guard let cell else { return "<td class=\"none\">–</td>" }
                return "<td class=\"\(cell.verdict.rawValue)\"><a href=\"#\(id(of: kind, state))\">"
                    + verdict(cell.verdict) + "</a></td>"
            }
            return "<tr><th scope=\"row\">\(kindWords(kind))</th>\(cells.joined())</tr>\n"
        }
        return """
            <div class="scroll" role="region" tabindex="0" aria-labelledby="access-title">
            <table class="overview">
            <thead><tr><th scope="col">\(phrase(.kind))</th>\(heads.joined())</tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>
            </div>

            """
    }

    private func cellTable(_ kind: ProductKind) -> String {
        let rows = tables.access.runs(of: kind).map { run in
            let states = run.states.map { state in
                "<div id=\"\(id(of: kind, state))\">\(stateWords(state))</div>"
            }
            return """
                <tr role="row"><th role="rowheader" scope="row">\(states.joined())</th>\
                <td role="cell" class="\(run.verdict.rawValue)">\(verdict(run.verdict))</td>\
                <td role="cell">\
                \(chain(run.deciders, tables.access.rules, meansMore: false))</td></tr>

                """
        }
        let heads = [TablePhrase.state, .right, .deciding].map {
            "<th role=\"columnheader\" scope=\"col\">\(phrase($0))</th>"
        }
        return """
            <h3 id="kind-\(kind.rawValue)">\(kindWords(kind))</h3>
            <table class="cells" role="table" aria-labelledby="kind-\(kind.rawValue)">
            <thead role="rowgroup"><tr role="row">\(heads.joined())</tr></thead>
            <tbody role="rowgroup">
            \(rows.joined())</tbody>
            </table>

            """
    }

    /// Each rule of the policy once, with all of its conditions.
    private var rules: String {
        let idle = Set(tables.access.idle)
        let own = tables.access.rules.enumerated().filter { !$1.isBuiltIn }
        guard !own.isEmpty else { return "" }
        let items = own.map { index, rule in
            item(
                rule, in: nil, meansMore: false, id: Self.anchor(rule),
                note: idle.contains(index) ? "<b>\(phrase(.idle))</b>" : nil)
        }
        return "<h3>\(phrase(.rules))</h3>\n" + quiet(.rulesIntro)
            + "<ol class=\"rules\">\(items.joined(separator: "\n"))</ol>\n"
    }

    private var openBody: String {
        guard !tables.open.isEmpty else { return "" }
        let items = tables.open.map { right in
            let names = words.list(right.entitlements.map(\.text)).asProse
            let windows = words.clauses(right.windows.map(words.interval)).asProse
            let place = words.place(right.reference).asMarkup
            return "<li>\(written(right.reference.name))<br>\(names)<br>\(windows)<br>"
                + "<small class=\"code\">\(place)</small></li>"
        }
        return "<h3>\(phrase(.open))</h3>\n" + quiet(.openIntro)
            + "<ol class=\"rules\">\(items.joined(separator: "\n"))</ol>\n"
    }

    var refundsBody: String {
        let items = tables.refundAnswers.map { item($0, in: nil, meansMore: true) }
        return quiet(.refundsIntro)
            + "<ol class=\"rules\">\(items.joined(separator: "\n"))</ol>\n"
    }

    private func id(of kind: ProductKind, _ state: EntitlementState) -> String {
        "\(kind.rawValue)-\(state.rawValue)"
    }

    /// A sign, so that it is seen without colour as well, and the word.
    private func verdict(_ verdict: AccessTable.Verdict) -> String {
        let sign =
            switch verdict {
            case .grant: "✓"
            case .withhold: "✗"
            case .depends: "±"
            }
        return "<span aria-hidden=\"true\">\(sign)</span> \(words.verdict(verdict).asMarkup)"
    }

    /// The word of a policy, and below it the language's where they differ.
    private func stateWords(_ state: EntitlementState) -> String {
        both(state.rawValue, state.text(words.language))
    }

    private func kindWords(_ kind: ProductKind) -> String {
        both(kind.rawValue, kind.text(words.language))
    }

    private func both(_ code: String, _ text: String) -> String {
        let isSame = code.replacing("-", with: " ") == text.replacing("-", with: " ")
        return isSame ? code : "\(code)<br><small>\(text.asMarkup)</small>"
    }
}
