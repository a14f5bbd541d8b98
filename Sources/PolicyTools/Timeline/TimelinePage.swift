package import EntitlementAnswers
internal import EntitlementModel

extension TimelineReport {
    /// The timeline as one self-contained HTML page: the answers, the picture, and every stretch
    /// in tables; no script, no network, light and dark, readable by screen readers.
    package func page(_ options: PictureOptions) -> String {
        TimelinePage(self, options).text
    }
}

private struct TimelinePage {
    private let layout: ChartLayout
    private let picture: Markup
    private let language: Language

    init(_ report: TimelineReport, _ options: PictureOptions) {
        layout = ChartLayout(report: report, language: options.language)
        picture = SVGPicture(report, options).markup
        language = options.language
    }

    private var report: TimelineReport { layout.report }

    var text: String {
        let title = layout.title
        return Markup.page(
            title: title, style: PageStyle.rules, in: language,
            body: """
                <main>
                <h1>\(title)</h1>
                <p>\(facts(layout.basis))</p>
                \(answers)<figure>
                \(picture)<figcaption>\(ChartPhrase.explanation.text(language))</figcaption>
                </figure>
                \(stretches)\(orders)</main>

                """
        ).text
    }

    /// What the account may use at the instant that is asked about.
    private var answers: Markup {
        let rows = report.rights.compactMap { right -> [Cell]? in
            guard let answer = RightAnswer(right, at: report.frame.at) else { return nil }
            let stretch = answer.stretch
            let source = stretch.source.map(layout.text(of:)) ?? "–"
            let state = stretch.state?.text(language) ?? "–"
            return [
                .head(layout.name(of: right)), .verdict(stretch.decision, language),
                .text(answer.until?.brief ?? "–"), .text(source), .text(state),
                .text(stretch.ruleName(language)),
            ]
        }
        return table(
            ChartPhrase.rights, [.entitlement, .answer, .to, .source, .state, .rule], rows)
    }

    private var stretches: Markup {
        let units = report.units.map { unit -> Markup in
            let owned: Markup =
                unit.constantOwner == nil ? table(nil, [.from, .to, .account], owners(unit)) : ""
            return """
                <h3>\(whole(layout.products(of: unit), joinedBy: ChartSeparator.products))</h3>
                <p>\(facts(layout.details(of: unit)))</p>
                \(table(nil, [.from, .to, .state, .product, .transaction], states(unit)))\(owned)
                """
        }
        guard !units.isEmpty else { return "" }
        return "<h2>\(ChartPhrase.stretches.text(language))</h2>\n\(units)"
    }

    private var orders: Markup {
        let rows = report.orders.map { order -> [Cell] in
            [
                .head(order.id.text), .text(layout.name(of: order)),
                .text(order.transaction?.text ?? "–"),
                .facts(order.marks.map(layout.text(of:))),
            ]
        }
        return table(.orders, [.order, .product, .transaction, .course], rows)
    }

    private func states(_ unit: UnitAnswer) -> [[Cell]] {
        layout.states(of: unit).map { state, interval in
            from(interval) + [
                .state(state, layout.stateText(state)), .text(state.product.text),
                .text(state.transaction.text),
            ]
        }
    }

    private func owners(_ unit: UnitAnswer) -> [[Cell]] {
        unit.owners.map { from($0.interval) + [.text($0.account.text)] }
    }

    private func from(_ interval: Interval) -> [Cell] {
        [
            .text(interval.hasBeginning ? interval.start.brief : "–"),
            .text(interval.end?.brief ?? "–"),
        ]
    }
}

/// Facts, of which each stays on one line where it fits.
private func whole(_ parts: [String], joinedBy separator: String) -> Markup {
    parts.map { "<span>\($0)</span>" }.joined(separator: "\(separator)")
}

private func facts(_ parts: [String]) -> Markup {
    whole(parts, joinedBy: ChartSeparator.facts)
}

/// Tables.
extension TimelinePage {
    private enum Cell {
        case head(String)
        case text(String)
        case facts([String])
        case verdict(Bool, Language)
        case state(StateAnswer, String)

        /// - Parameter label: what is above it, for a screen on which it is a line of its own.
        func markup(_ label: String) -> Markup {
            switch self {
            case .head(let text): "<th scope=\"row\" role=\"rowheader\">\(text)</th>"
            case .text(let text): cell(label, "<span>\(text)</span>")
            case .facts(let texts): cell(label, PolicyTools.facts(texts))
            case .verdict(let isGood, let language):
                cell(
                    label,
                    """
                    <span class="\(isGood ? "good" : "bad")">\
                    \((isGood ? ChartPhrase.yes : .no).text(language))</span>
                    """)
            case .state(let state, let text):
                cell(label, "<span><i class=\"\(Look(state).name)\"></i>\(text)</span>")
            }
        }

        private func cell(_ label: String, _ content: Markup) -> Markup {
            "<td role=\"cell\" data-label=\"\(label)\">\(content)</td>"
        }
    }

    private func table(
        _ title: ChartPhrase?, _ columns: [ChartPhrase], _ rows: [[Cell]]
    ) -> Markup {
        guard !rows.isEmpty else { return "" }
        let labels = columns.map { $0.text(language) }
        let title: Markup = title.map { "<h2>\($0.text(language))</h2>\n" } ?? ""
        let head: [Markup] = labels.map { "<th scope=\"col\" role=\"columnheader\">\($0)</th>" }
        let body = rows.map { row -> Markup in
            "<tr role=\"row\">\(zip(row, labels).map { $0.markup($1) })</tr>\n"
        }
        return """
            \(title)<table role="table">
            <thead role="rowgroup"><tr role="row">\(head)</tr></thead>
            <tbody role="rowgroup">
            \(body)</tbody>
            </table>

            """
    }
}

private enum PageStyle {
    private static let states = (EntitlementState.allCases.map { Look($0) } + [.renews]).map {
        look in
        look.fill.map { "i.\(look.name){background:\($0)}" } ?? ""
    }.joined()

    static let rules = """
        body{font:15px/1.5 system-ui,-apple-system,'Segoe UI','Noto Sans','Noto Sans CJK SC',\
        sans-serif;margin:0;color:#1f2328;background:#f6f8fa}\
        main{max-width:1180px;margin:0 auto;padding:2rem 1.5rem 4rem}\
        h1,h3,th{overflow-wrap:break-word}\
        p>span,h3>span,td>span{display:inline-block;max-width:100%;overflow-wrap:break-word}\
        h1{font-size:1.6rem;margin:0}h1+p,h3+p{margin:.2rem 0 1rem;color:#59636e}\
        h2{font-size:1.15rem;margin:2rem 0 .6rem}h3{font-size:1rem;margin:1.6rem 0 0}\
        figure{margin:2rem 0;overflow-x:auto}figcaption{color:#59636e;font-size:.85rem;\
        margin-top:.4rem}svg{width:100%;min-width:760px;height:auto;display:block}\
        table{border-collapse:collapse;background:#fff;border:1px solid #d8dee4;\
        margin-bottom:.8rem;font-variant-numeric:tabular-nums}\
        th,td{padding:.35rem .8rem;text-align:left;border-bottom:1px solid #e4e7eb}\
        thead th{color:#59636e;font-weight:600;font-size:.85rem}\
        .good{color:#1a6b3c;font-weight:600}.bad{color:#a33b34}\
        i{display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.5rem;\
        background:#98a2ad}\(states)\
        @media(max-width:900px){table,tbody,tr,th,td{display:block}\
        thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
        th,td{border:0;padding:.15rem .8rem}tr{border-bottom:1px solid #e4e7eb;padding:.4rem 0}\
        td::before{content:attr(data-label);display:inline-block;min-width:7rem;color:#59636e;\
        font-size:.85rem}main{padding:1.2rem .9rem 3rem}}\
        @media(prefers-color-scheme:dark){body{color:#e6e9ec;background:#0d0f12}\
        h1+p,h3+p,figcaption,thead th,td::before{color:#9aa4af}table{background:#15181c;\
        border-color:#2a2f36}th,td,tr{border-color:#2a2f36}.good{color:#6fd39b}.bad{color:#f0938b}}
        """
}
