internal import EntitlementModel
internal import EntitlementServer
internal import PolicyTools

/// What has a page of its own in the console.
enum ConsolePlace: Hashable {
    case account(AccountID)
    case appleID(AppleIDKey)
    case transaction(TransactionID)
    case order(OrderID)
    case claim(Int64)
    case grant(GrantID)
    case block(BlockID)
    case refund(Int64)
    case spend(Int64)

    var path: String {
        switch self {
        case .account(let id): "/accounts/" + id.inPath
        case .appleID(let key): "/apple-ids/" + key.inPath
        case .transaction(let id): "/transactions/" + id.inPath
        case .order(let id): "/orders/" + id.inPath
        case .claim(let number): "/claims/\(number)"
        case .grant(let id): "/grants/" + id.inPath
        case .block(let id): "/blocks/" + id.inPath
        case .refund(let number): "/refunds/\(number)"
        case .spend(let number): "/do/credits/reverse?spend=\(number)"
        }
    }
}

/// Where the links of a page lead; its text has their numbers.
final class LinkTable {
    /// Whether whoever reads it may act.
    let hasActions: Bool
    private(set) var places: [ConsolePlace] = []
    /// No code of a colour is as large.
    static let first = 1_000

    subscript(number: Int) -> ConsolePlace? {
        places.indices.contains(number - Self.first) ? places[number - Self.first] : nil
    }

    init(hasActions: Bool) { self.hasActions = hasActions }

    func add(_ place: ConsolePlace) -> Int {
        places.append(place)
        return places.count - 1 + Self.first
    }
}

/// Names that lead to what they name.
extension Page {
    func name(_ account: AccountID) -> String { paint.link(account.text, .account(account)) }
    func name(_ order: OrderID) -> String { paint.link(order.text, .order(order)) }
    func name(_ key: AppleIDKey) -> String { paint.link(key.text, .appleID(key)) }
    func name(_ grant: GrantID) -> String { paint.link(grant.text, .grant(grant)) }
    func name(_ block: BlockID) -> String { paint.link(block.text, .block(block)) }
    func name(_ transaction: TransactionID) -> String {
        paint.link(transaction.text, .transaction(transaction))
    }
    func name(claim: LedgerSequence) -> String {
        paint.link("\(claim)", .claim(claim.number))
    }
    func names(_ accounts: [AccountID]) -> String { language.list(accounts.map { name($0) }) }
}

extension Page {
    /// For a browser.
    init(browserIn language: Language, withActions hasActions: Bool) {
        let links = LinkTable(hasActions: hasActions)
        self.init(
            language: language, paint: Paint(isOn: true, links: links), drawsBranches: false)
    }

    /// The page as HTML: the same texts, with links.
    var markup: Markup { blocks.map(markup(of:)).joined() }

    private func markup(of block: Block) -> Markup {
        switch block {
        case .heading(let text): "<h2>\(inline(text))</h2>\n"
        case .line(let text), .whole(let text): "<p>\(inline(text))</p>\n"
        case .drawn(let lines): "<pre tabindex=\"0\">\(lines.joined(separator: "\n"))</pre>\n"
        case .table(let rows, _, _): table(rows)
        case .tree(let branches): list(branches)
        }
    }

    private func table(_ rows: [[String]]) -> Markup {
        let columns = rows.map(\.count).max() ?? 0
        let rows = rows.map { row -> Markup in
            let cells = row.enumerated().map { index, cell -> Markup in
                let rest = columns - index
                let span: Markup =
                    index == row.count - 1 && rest > 1 ? " colspan=\"\(rest)\"" : ""
                return index == 0
                    ? "<th scope=\"row\"\(span)>\(inline(cell))</th>"
                    : "<td\(span)>\(inline(cell))</td>"
            }
            return "<tr>\(cells)</tr>\n"
        }
        return "<div class=\"wide\" tabindex=\"0\"><table>\(rows)</table></div>\n"
    }

    func list(_ branches: [Branch]) -> Markup {
        let items = branches.map { branch -> Markup in
            let below: Markup = branch.branches.isEmpty ? "" : list(branch.branches)
            let text = text(of: branch)
            return text.isEmpty ? "" : "<li>\(text)\(below)</li>\n"
        }
        return "<ul class=\"tree\">\(items)</ul>\n"
    }

    private func text(of branch: Branch) -> Markup {
        guard !branch.commands.isEmpty else { return inline(branch.text) }
        return branch.commands.map(step).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The link to what a command does; the command itself where the console does not do it.
    func step(_ command: String) -> Markup {
        let words = ShellCommand.words(of: command)
        if words.count == 4, words[1...2] == ["orders", "show"], let order = OrderID(words[3]) {
            return "<a class=\"step\" href=\"\(ConsolePlace.order(order).path)\">\(order.text)</a>"
        }
        if words.count > 2, words[1] == "show" || words[1] == "explain",
            let account = AccountID(words[2])
        {
            let path = ([ConsolePlace.account(account).path] + words.dropFirst(3).prefix(1))
                .joined(separator: "/explain/")
            return
                "<a class=\"step\" href=\"\(path)\">\(words.dropFirst(2).joined(separator: " "))</a>"
        }
        guard let form = ActionForm(words: words) else { return "<code>\(command.shown)</code>" }
        guard paint.links?.hasActions == true else { return "" }
        return "<a class=\"step\" href=\"\(form.path)\">\(form.linkLabel(in: language))</a>"
    }

    /// One line, with its colours and links.
    func inline(_ text: String) -> Markup {
        var markup: Markup = ""
        var ends: [Markup] = []
        var rest = text[...]
        while let mark = rest.firstMatch(of: /\u{1B}\[([0-9;]*)m/) {
            markup += prose(rest[..<mark.range.lowerBound], isLink: ends.last == "</a>")
            rest = rest[mark.range.upperBound...]
            let codes = mark.output.1.split(separator: ";").compactMap { Int($0) }
            if codes.count == 2, codes[0] == 4, let place = paint.links?[codes[1]] {
                markup += "<a href=\"\(place.path)\">"
                ends.append("</a>")
            } else if let code = codes.first, code != 0 {
                markup += "<span class=\"\(Paint.Tone(rawValue: "\(code)")?.name ?? "plain")\">"
                ends.append("</span>")
            } else if let end = ends.popLast() {
                markup += end
            }
        }
        markup += prose(rest, isLink: ends.last == "</a>")
        return markup + ends.reversed().joined()
    }
}

extension Page {
    /// Text, of which a day, or an instant to the minute, stays on one line.
    private func prose(_ text: Substring, isLink: Bool) -> Markup {
        var markup: Markup = ""
        var rest = text
        while !isLink, let instant = rest.firstMatch(of: /\d{4}-\d\d-\d\d(T[\d:.]+Z)?/) {
            let before = String(rest[..<instant.range.lowerBound]).shown
            let whole = String(instant.output.0)
            let time = instant.output.1.map { " " + $0.dropFirst().prefix(5) + " UTC" } ?? ""
            markup += """
                \(before)<time datetime="\(whole)">\(String(whole.prefix(10)) + time)</time>
                """
            rest = rest[instant.range.upperBound...]
        }
        return markup + "\(String(rest).shown)"
    }
}

extension Paint.Tone {
    /// Its class in a style sheet.
    fileprivate var name: String {
        switch self {
        case .good: "good"
        case .bad: "bad"
        case .care: "care"
        case .strong: "strong"
        case .faint: "faint"
        }
    }
}
