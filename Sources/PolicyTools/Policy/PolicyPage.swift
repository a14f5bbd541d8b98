package import EntitlementModel
internal import PolicyAnalysis
internal import PolicyLoading

extension PolicyTables {
    /// The tables as one self-contained HTML page: no script, no network; light and dark, from a
    /// phone to a wide screen and on paper; readable by screen readers and without colour.
    package func page(_ showing: PolicyShowing) -> String {
        PolicyPage(self, showing).text
    }

    /// The tables within a page of another look, which has `policyPartStyle` too.
    package func part(_ showing: PolicyShowing) -> Markup {
        let page = PolicyPage(self, showing)
        return "<div class=\"policy\">\(page.contents)\(page.sections)</div>\n"
    }
}

/// The look of `PolicyTables.part`, and of nothing else.
package func policyPartStyle(_ language: Language) -> String {
    let words = TableWords(language: language)
    let rules = PolicyPageStyle.rules + PolicyPage.givesLabel(words)
    return ".policy{\(rules.replacing(":root", with: "&"))nav{padding:0}}"
}

/// The tables as a page. Whatever somebody wrote becomes text here, never markup.
struct PolicyPage {
    let tables: PolicyTables
    let showing: PolicyShowing
    let words: TableWords

    init(_ tables: PolicyTables, _ showing: PolicyShowing) {
        self.tables = tables
        self.showing = showing
        words = TableWords(language: showing.language)
    }

    private var shown: [(part: PolicyPart, body: Markup)] {
        tables.parts(showing).map { (part: $0, body: body(of: $0)) }.filter { !$0.body.isEmpty }
    }

    var contents: Markup {
        let links: [Markup] = shown.map { section in
            "<li><a href=\"#\(section.part.rawValue)\">\(phrase(section.part.title))</a></li>"
        }
        return "\(head)\n<nav aria-label=\"\(phrase(.contents))\"><ul>\(links)</ul></nav>"
    }

    var sections: Markup { shown.map { section($0.part, $0.body) }.joined() }

    var text: String {
        let title = words.text(TablePhrase.title, tables.policy.app.bundleID.text)
        return Markup.page(
            title: title, style: PolicyPageStyle.rules + Self.givesLabel(words),
            in: showing.language,
            body: """
                <header>
                <h1>\(title)</h1>
                \(contents)
                </header>
                <main>
                \(sections)</main>

                """
        ).text
    }

    /// Where a row of products is a block, what it gives is told apart from its price by a word.
    static func givesLabel(_ words: TableWords) -> String {
        """
        @media(max-width:1000px){.products td:last-child::before{\
        content:"\(words.text(TablePhrase.gives)): ";color:var(--quiet)}}
        """
    }

    private var head: Markup {
        let digest = words.text(
            TablePhrase.digest, String(tables.policy.digest.hexadecimal.prefix(12)))
        var text: Markup = """
            <p class="quiet">\(words.productCount(tables.products)) · \
            <span class="code">\(digest)</span></p>
            """
        if !showing.scope.isEmpty {
            let scope = words.text(TablePhrase.scope, words.list(showing.scope.map(\.shown)))
            text += "<p>\(prose: scope)</p>"
        }
        if tables.products.count == 0 { text += "<p>\(phrase(.nothingFound))</p>" }
        return text
    }

    private func section(_ part: PolicyPart, _ body: Markup) -> Markup {
        """
        <section id="\(part.rawValue)" aria-labelledby="\(part.rawValue)-title">
        <h2 id="\(part.rawValue)-title">\(phrase(part.title))</h2>
        \(body)</section>

        """
    }

    private func body(of part: PolicyPart) -> Markup {
        switch part {
        case .access: accessBody
        case .app: appBody
        case .products: productsBody
        case .entitlements: entitlementsBody
        case .switches: switchesBody
        case .dates: datesBody
        case .refunds: refundsBody
        case .settings: settingsBody
        }
    }
}

/// Parts of markup.
extension PolicyPage {
    func phrase(_ phrase: TablePhrase) -> Markup { "\(words.text(phrase))" }

    func quiet(_ phrase: TablePhrase) -> Markup {
        "<p class=\"quiet\">\(self.phrase(phrase))</p>\n"
    }

    /// What somebody wrote, whichever way it is read.
    func written(_ text: String) -> Markup { "<bdi>\(prose: text.shown)</bdi>" }

    func code(_ text: String) -> Markup { "<code>\(text.shown)</code>" }

    /// Rules in the order in which they are tried.
    func chain(_ deciders: [Decider], _ rules: [TableRule], meansMore: Bool) -> Markup {
        let items = deciders.map { decider in
            item(rules[decider.rule], in: decider, meansMore: meansMore)
        }
        return "<ol class=\"chain\">\(items)</ol>"
    }

    func item(
        _ rule: TableRule, in decider: Decider?, meansMore: Bool, id: String? = nil,
        note: Markup? = nil
    ) -> Markup {
        let effect = words.effect(rule)
        let name = written(rule.reference.name(in: words.language))
        let isLinked = decider != nil && rule.list == .access && !rule.isBuiltIn
        let link: Markup = isLinked ? "<a href=\"#\(Self.anchor(rule))\">\(name)</a>" : name
        let place = words.place(rule.reference)
        var lines: [Markup] = [
            """
            <b class="\(tone(rule))">\(effect.word)</b> \(link) \
            <small class="\(rule.isBuiltIn ? "tag" : "code")">\(place)</small>
            """
        ]
        if meansMore { lines.append("\(prose: effect.meaning)") }
        for detail in words.details(rule, in: decider) {
            lines.append("<small>\(prose: detail)</small>")
        }
        if let note { lines.append("<small>\(note)</small>") }
        let id: Markup = id.map { " id=\"\($0)\"" } ?? ""
        return "<li\(id)>\(lines.joined(separator: "<br>"))</li>"
    }

    static func anchor(_ rule: TableRule) -> String {
        "rule-\(rule.list.rawValue)-\((rule.index ?? -1) + 1)"
    }

    private func tone(_ rule: TableRule) -> String {
        switch rule.effect {
        case .access(.grant, _), .gives: "good"
        case .access(.withhold, _): "bad"
        case .claim, .refund, .owns: "effect"
        }
    }
}

/// The look of the page. Text is at least 4.5 to 1 against what is behind it, in light and dark.
enum PolicyPageStyle {
    static let rules = base + tables + parts + narrow + dark + paper

    private static let base = """
        :root{--ink:#1f2328;--quiet:#57606a;--page:#f6f8fa;--panel:#fff;--line:#d0d7de;\
        --link:#0b57b0;--good:#17633a;--good-back:#e8f5ec;--bad:#9a332c;--bad-back:#fbecea;\
        --care:#704c00;--care-back:#fff5d9;--tag:#eaeef2;--bar:#2f6fd0}\
        *{box-sizing:border-box}\
        body{font:16px/1.5 system-ui,-apple-system,'Segoe UI','Noto Sans','PingFang SC',\
        'Microsoft YaHei','Noto Sans CJK SC',sans-serif;margin:0;color:var(--ink);\
        background:var(--page);overflow-wrap:break-word}\
        code,.code{display:inline-block;max-width:100%}.whole{white-space:nowrap}\
        bdi,code,.code,h1,h2,h3,ol.chain,ul.dates,.settings td{overflow-wrap:anywhere}\
        header,main{max-width:1400px;margin:0 auto;padding:0 1.5rem}\
        header{padding-top:2rem}main{padding-bottom:4rem}\
        h1{font-size:1.7rem;line-height:1.25;margin:0}h2{font-size:1.35rem;margin:2.6rem 0 .4rem}\
        h3{font-size:1.08rem;margin:1.8rem 0 .5rem}\
        h4{font-size:.95rem;margin:1rem 0 .35rem;color:var(--quiet)}\
        p{margin:.3rem 0 .8rem}.quiet{color:var(--quiet)}\
        a{color:var(--link)}a:focus-visible,summary:focus-visible,.scroll:focus-visible{\
        outline:3px solid var(--link);outline-offset:2px;border-radius:3px}\
        :target{outline:2px solid var(--link);outline-offset:-2px}\
        code,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',\
        monospace;font-size:.84em}small{font-size:.86em}\
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:0;\
        margin:1rem 0}\
        nav a{display:inline-block;padding:.25rem 0}
        """

    private static let tables = """
        table{border-collapse:collapse;width:100%;background:var(--panel);\
        border:1px solid var(--line);font-variant-numeric:tabular-nums}\
        th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;\
        border-bottom:1px solid var(--line)}\
        thead th{color:var(--quiet);font-size:.86rem;font-weight:600;background:var(--page)}\
        tbody th{font-weight:600}th small{font-weight:400;color:var(--quiet)}\
        .scroll{overflow-x:auto}.overview{min-width:44rem}\
        .overview th{white-space:nowrap}\
        .overview thead th:first-child{background:var(--page)}\
        .overview td a{color:inherit;text-underline-offset:3px}\
        .overview th:first-child{position:sticky;left:0;background:var(--panel);min-width:8.5rem}\
        td.grant,td.withhold,td.depends{font-weight:600;white-space:nowrap}\
        .grant,.good{color:var(--good)}td.grant{background:var(--good-back)}\
        .withhold,.bad{color:var(--bad)}td.withhold{background:var(--bad-back)}\
        .depends{color:var(--care)}td.depends{background:var(--care-back)}.none{color:var(--quiet)}\
        .cells th:first-child{width:10rem}.cells th div+div{margin-top:.3rem}\
        .cells td:nth-child(2){width:8rem}\
        .products th:first-child{width:38%}.products code{font-weight:400;color:var(--quiet)}\
        .length{white-space:nowrap}.price{white-space:nowrap;display:inline-block;margin-right:.8em}\
        .given th:first-child{width:32%}.given code{font-weight:400}\
        .claims{table-layout:fixed}.claims th:first-child{width:11rem}\
        .settings{max-width:48rem}.settings th{width:50%;font-weight:400;color:var(--quiet)}
        """

    private static let parts = """
        ol.chain{margin:0;padding-left:1.4rem}ol.chain li+li{margin-top:.45rem}\
        ol.chain small,ol.rules small{color:var(--quiet)}\
        ol.rules{padding-left:2rem}ol.rules li{margin:.6rem 0;max-width:60rem;padding:.1rem .3rem}\
        ul.plain{list-style:none;margin:0;padding:0}\
        .tag{background:var(--tag);border-radius:4px;padding:.05rem .4rem;font-weight:400}\
        ol.chain .tag{color:var(--ink);white-space:nowrap}table+p{margin-top:1.2rem}\
        summary{cursor:pointer;color:var(--link)}\
        .axis{position:relative;height:1.5rem;font-size:.82rem;color:var(--quiet)}\
        .axis span{position:absolute;white-space:nowrap;padding-left:.25rem}\
        .axis .mark{top:.5rem;padding:0;transform:translateX(-50%);color:var(--ink)}\
        ul.dates{list-style:none;margin:0;padding:0}ul.dates li{margin:0 0 1.1rem}\
        ul.dates small{color:var(--quiet)}ul.dates svg{display:block;width:100%;height:18px;\
        margin:.25rem 0;background:var(--panel);border:1px solid var(--line)}\
        svg path{fill:none;vector-effect:non-scaling-stroke}.bar{fill:var(--bar)}\
        .grid{stroke:var(--line)}.base{stroke:var(--line);stroke-dasharray:2 4}\
        .now{stroke:var(--ink);stroke-width:2;stroke-dasharray:4 2}
        """

    /// Where ids may not fit beside one another each row of a table is a block.
    private static let narrow =
        stacked(".claims,.cells,.products,.given", below: 1000)
        + stacked(".settings", below: 700)
            + """
            @media(max-width:1000px){.claims td::before{content:attr(data-label);display:block;\
            font-size:.86rem;font-weight:600;color:var(--quiet)}}\
            @media(max-width:700px){body{font-size:15px}header,main{padding-left:.9rem;\
            padding-right:.9rem}}
            """

    private static func stacked(_ tables: String, below width: Int) -> String {
        let these = ":is(\(tables))"
        return """
            @media(max-width:\(width)px){\(these) thead{position:absolute;width:1px;height:1px;\
            overflow:hidden;clip-path:inset(50%)}\
            \(these),\(these) :is(tbody,tr,th,td){display:block;width:auto!important}\
            \(these) :is(th,td){border:0;padding:.3rem .5rem}\
            \(these) tr{border-bottom:1px solid var(--line);padding:.4rem 0}}
            """
    }

    private static let dark = """
        @media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--quiet:#a3adb8;--page:#0d0f12;\
        --panel:#15181c;--line:#333a42;--link:#8ab8ff;--good:#74d69f;--good-back:#12251a;\
        --bad:#f39a92;--bad-back:#2a1716;--care:#e5bf6b;--care-back:#292111;--tag:#2a3037;\
        --bar:#4c8df0}}
        """

    private static let paper = """
        @media print{:root{--ink:#000;--quiet:#444;--page:#fff;--panel:#fff;--line:#999;\
        --link:#000;--good:#000;--good-back:#fff;--bad:#000;--bad-back:#fff;--care:#000;\
        --care-back:#fff;--tag:#fff;--bar:#555}body{font-size:10pt}nav{display:none}\
        tr,li{break-inside:avoid}h2,h3,h4{break-after:avoid}.overview{min-width:0}\
        .scroll{overflow:visible}::details-content{content-visibility:visible;block-size:auto}\
        a{text-decoration:none}}
        """
}
