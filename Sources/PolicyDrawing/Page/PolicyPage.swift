internal import EntitlementModel
package import PolicyAnalysis
internal import PolicyLoading
internal import TimelineDrawing

extension PolicyTables {
    /// The tables as one self-contained HTML page: no script, no network; light and dark, from a
    /// phone to a wide screen and on paper; readable by screen readers and without colour.
    package func page(_ showing: PolicyShowing) -> String {
        PolicyPage(self, showing).text
    }
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

    var text: String {
        let title = words.text(TablePhrase.title, tables.settings.app.bundleID.text)
        let sections = PolicyPart.allCases.filter(showing.parts.contains).map {
            (part: $0, body: body(of: $0))
        }.filter { !$0.body.isEmpty }
        let links: [Markup] = sections.map { section in
            "<li><a href=\"#\(section.part.rawValue)\">\(heading(of: section.part))</a></li>"
        }
        return Markup.page(
            title: title, style: PolicyPageStyle.rules + givesLabel, in: showing.language,
            body: """
                <header>
                <h1>\(title)</h1>
                \(head)
                <nav aria-label="\(phrase(.contents))"><ul>\(links)</ul></nav>
                </header>
                <main>
                \(sections.map { section($0.part, $0.body) })</main>

                """
        ).text
    }

    /// Where a row of products is a block, what it gives is told apart from its price by a word.
    private var givesLabel: String {
        """
        @media(max-width:1000px){.products td:last-child::before{\
        content:"\(phrase(.gives).text): ";color:var(--quiet)}}
        """
    }

    private var head: Markup {
        let digest = words.text(
            TablePhrase.digest, String(tables.digest.hexadecimal.prefix(12)))
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
        <h2 id="\(part.rawValue)-title">\(heading(of: part))</h2>
        \(body)</section>

        """
    }

    private func heading(of part: PolicyPart) -> Markup {
        switch part {
        case .access: phrase(.access)
        case .products: phrase(.products)
        case .entitlements: phrase(.entitlements)
        case .switches: phrase(.switches)
        case .dates: phrase(.dates)
        case .refunds: phrase(.refunds)
        case .settings: phrase(.settings)
        }
    }

    private func body(of part: PolicyPart) -> Markup {
        switch part {
        case .access: accessBody
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
        case .access(.grant, _): "good"
        case .access(.withhold, _): "bad"
        case .claim, .refund, .owns: "effect"
        }
    }
}
