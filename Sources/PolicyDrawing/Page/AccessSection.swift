internal import EntitlementModel
internal import PolicyAnalysis
internal import TimelineDrawing

/// Rights on the page: an overview whose cells lead to the rules that decide them.
extension PolicyPage {
    var accessBody: Markup {
        let access = tables.access
        guard !access.cells.isEmpty else { return quiet(.noRights) + openBody }
        let deliveries = access.deliveries.map {
            item(access.rules[$0.rule], in: nil, meansMore: false)
        }
        let credits: Markup =
            deliveries.isEmpty
            ? "" : "<p>\(phrase(.deliveries))</p>\n<ol class=\"rules\">\(deliveries)</ol>\n"
        return """
            \(quiet(.accessIntro))\(overview)\(access.kinds.map(cellTable))\(credits)\(rules)\
            \(openBody)
            """
    }

    private var overview: Markup {
        let heads: [Markup] = EntitlementState.allCases.map { state in
            "<th scope=\"col\">\(stateWords(state))</th>"
        }
        let rows = tables.access.kinds.map { kind -> Markup in
            let cells = EntitlementState.allCases.map { state -> Markup in
                let cell = tables.access.cells.first { $0.kind == kind && $0.state == state }
                guard let cell else { return "<td class=\"none\">–</td>" }
                return """
                    <td class="\(cell.verdict.rawValue)"><a href="#\(id(of: kind, state))">\
                    \(verdict(cell.verdict))</a></td>
                    """
            }
            return "<tr><th scope=\"row\">\(kindWords(kind))</th>\(cells)</tr>\n"
        }
        return """
            <div class="scroll" role="region" tabindex="0" aria-labelledby="access-title">
            <table class="overview">
            <thead><tr><th scope="col">\(phrase(.kind))</th>\(heads)</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </div>

            """
    }

    private func cellTable(_ kind: ProductKind) -> Markup {
        let rows = tables.access.runs(of: kind).map { run -> Markup in
            let states: [Markup] = run.states.map { state in
                "<div id=\"\(id(of: kind, state))\">\(stateWords(state))</div>"
            }
            return """
                <tr role="row"><th role="rowheader" scope="row">\(states)</th>\
                <td role="cell" class="\(run.verdict.rawValue)">\(verdict(run.verdict))</td>\
                <td role="cell">\
                \(chain(run.deciders, tables.access.rules, meansMore: false))</td></tr>

                """
        }
        let heads: [Markup] = [TablePhrase.state, .right, .deciding].map {
            "<th role=\"columnheader\" scope=\"col\">\(phrase($0))</th>"
        }
        return """
            <h3 id="kind-\(kind.rawValue)">\(kindWords(kind))</h3>
            <table class="cells" role="table" aria-labelledby="kind-\(kind.rawValue)">
            <thead role="rowgroup"><tr role="row">\(heads)</tr></thead>
            <tbody role="rowgroup">
            \(rows)</tbody>
            </table>

            """
    }

    /// Each rule of the policy once, with all of its conditions.
    private var rules: Markup {
        let idle = Set(tables.access.idle)
        let own = tables.access.rules.enumerated().filter { !$1.isBuiltIn }
        guard !own.isEmpty else { return "" }
        let items = own.map { index, rule in
            item(
                rule, in: nil, meansMore: false, id: Self.anchor(rule),
                note: idle.contains(index) ? "<b>\(phrase(.idle))</b>" : nil)
        }
        return list(items, .rules, .rulesIntro)
    }

    private var openBody: Markup {
        guard !tables.open.isEmpty else { return "" }
        let items = tables.open.map { right -> Markup in
            let names = words.list(right.entitlements.map(\.text))
            let windows = words.clauses(right.windows.map(words.interval))
            return """
                <li>\(written(right.reference.name))<br>\(prose: names)<br>\(prose: windows)<br>\
                <small class="code">\(words.place(right.reference))</small></li>
                """
        }
        return list(items, .open, .openIntro)
    }

    private func list(_ items: [Markup], _ title: TablePhrase, _ intro: TablePhrase) -> Markup {
        "<h3>\(phrase(title))</h3>\n\(quiet(intro))\(ruleList(items))"
    }

    private func ruleList(_ items: [Markup]) -> Markup {
        "<ol class=\"rules\">\(items.joined(separator: "\n"))</ol>\n"
    }

    var refundsBody: Markup {
        let items = tables.refundAnswers.map { item($0, in: nil, meansMore: true) }
        return quiet(.refundsIntro) + ruleList(items)
    }

    private func id(of kind: ProductKind, _ state: EntitlementState) -> String {
        "\(kind.rawValue)-\(state.rawValue)"
    }

    /// A sign, so that it is seen without colour as well, and the word.
    private func verdict(_ verdict: AccessTable.Verdict) -> Markup {
        let sign =
            switch verdict {
            case .grant: "✓"
            case .withhold: "✗"
            case .depends: "±"
            }
        return "<span aria-hidden=\"true\">\(sign)</span> \(words.verdict(verdict))"
    }

    /// The word of a policy, and below it the language's where they differ.
    private func stateWords(_ state: EntitlementState) -> Markup {
        both(state.rawValue, state.text(words.language))
    }

    private func kindWords(_ kind: ProductKind) -> Markup {
        both(kind.rawValue, kind.text(words.language))
    }

    private func both(_ code: String, _ text: String) -> Markup {
        let isSame = code.replacing("-", with: " ") == text.replacing("-", with: " ")
        return isSame ? "\(code)" : "\(code)<br><small>\(text)</small>"
    }
}
