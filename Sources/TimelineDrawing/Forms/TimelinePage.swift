internal import EntitlementModel

extension AccountChart {
    /// The timeline as one self-contained HTML page: the answers, the picture, and every stretch
    /// in tables; no script, no network, light and dark, readable by screen readers.
    package func page(_ options: PictureOptions) -> String {
        TimelinePage(self, options).text
    }
}

private struct TimelinePage {
    private let layout: ChartLayout
    private let picture: String
    private let language: Language

    init(_ chart: AccountChart, _ options: PictureOptions) {
        layout = ChartLayout(chart: chart, language: options.language)
        picture = SVGPicture(chart, options).text
        language = options.language
    }

    private var chart: AccountChart { layout.chart }

    var text: String {
        let title = ChartPhrase.title.text(language, chart.account).asMarkup
        let basis = ChartPhrase.basis.text(language, "\(chart.revision)", chart.policy)
        return """
            <!doctype html>
            <html lang="\(language.tag)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>\(PageStyle.rules)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            <p>\(ChartPhrase.asOf.text(language, chart.at.brief).asMarkup) · \(basis.asMarkup)</p>
            \(answers)<figure>
            \(picture)<figcaption>\(ChartPhrase.explanation.text(language))</figcaption>
            </figure>
            \(stretches)\(orders)</main>
            </body>
            </html>

            """
    }

    /// What the account may use at the instant that is asked about.
    private var answers: String {
        let rows = chart.rights.compactMap { right -> [Cell]? in
            guard let answer = RightAnswer(right, at: chart.at) else { return nil }
            let stretch = answer.stretch
            let source = stretch.source.map(layout.text(of:)) ?? "–"
            let state = stretch.state?.text(language) ?? "–"
            return [
                .head(layout.name(of: right)), .verdict(stretch.isGranted, language),
                .text(answer.until?.brief ?? "–"), .text(source), .text(state),
                .text(stretch.ruleName(language)),
            ]
        }
        return table(
            ChartPhrase.rights, [.entitlement, .answer, .to, .source, .state, .rule], rows)
    }

    private var stretches: String {
        let units = chart.units.map { unit in
            let heading =
                "<h3>\(layout.title(of: unit).asMarkup)</h3>\n<p>\(layout.detail(of: unit).asMarkup)</p>\n"
            return heading + table(nil, [.from, .to, .state, .product, .transaction], states(unit))
                + (unit.constantOwner == nil
                    ? table(nil, [.from, .to, .account], owners(unit)) : "")
        }
        guard !units.isEmpty else { return "" }
        return "<h2>\(ChartPhrase.stretches.text(language))</h2>\n" + units.joined()
    }

    private var orders: String {
        let rows = chart.orders.map { order -> [Cell] in
            [
                .head(order.id), .text(layout.name(of: order)), .text(order.transaction ?? "–"),
                .text(order.marks.map(layout.text(of:)).joined(separator: " · ")),
            ]
        }
        return table(.orders, [.order, .product, .transaction, .course], rows)
    }

    private func states(_ unit: AccountChart.Unit) -> [[Cell]] {
        layout.states(of: unit).map { state, interval in
            from(interval) + [
                .state(state, layout.stateText(state)), .text(state.product),
                .text(state.transaction),
            ]
        }
    }

    private func owners(_ unit: AccountChart.Unit) -> [[Cell]] {
        unit.owners.map { from($0.interval) + [.text($0.account)] }
    }

    private func from(_ interval: Interval) -> [Cell] {
        [
            .text(interval.hasBeginning ? interval.start.brief : "–"),
            .text(interval.end?.brief ?? "–"),
        ]
    }
}

/// Tables.
extension TimelinePage {
    private enum Cell {
        case head(String)
        case text(String)
        case verdict(Bool, Language)
        case state(AccountChart.StateStretch, String)

        var markup: String {
            switch self {
            case .head(let text): "<th scope=\"row\">\(text.asMarkup)</th>"
            case .text(let text): "<td>\(text.asMarkup)</td>"
            case .verdict(let isGood, let language):
                "<td class=\"\(isGood ? "good" : "bad")\">"
                    + (isGood ? ChartPhrase.yes : .no).text(language) + "</td>"
            case .state(let state, let text):
                "<td><i class=\"\(Look(state).name)\"></i>\(text.asMarkup)</td>"
            }
        }
    }

    private func table(
        _ title: ChartPhrase?, _ heads: [ChartPhrase], _ rows: [[Cell]]
    ) -> String {
        guard !rows.isEmpty else { return "" }
        let title = title.map { "<h2>\($0.text(language))</h2>\n" } ?? ""
        let head = heads.map { "<th scope=\"col\">\($0.text(language))</th>" }.joined()
        let body = rows.map { "<tr>\($0.map(\.markup).joined())</tr>\n" }.joined()
        return title + "<table>\n<thead><tr>\(head)</tr></thead>\n<tbody>\n\(body)</tbody>\n"
            + "</table>\n"
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
        @media(prefers-color-scheme:dark){body{color:#e6e9ec;background:#0d0f12}\
        h1+p,h3+p,figcaption,thead th{color:#9aa4af}table{background:#15181c;\
        border-color:#2a2f36}th,td{border-color:#2a2f36}.good{color:#6fd39b}.bad{color:#f0938b}}
        """
}
