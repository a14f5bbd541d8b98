internal import EntitlementModel

/// Names and texts that are not what their author sees.
extension PolicyBuilder {
    /// No product begins with the bundle id, and some begin as it does.
    mutating func checkBundleID(_ products: [LintedProduct], _ policy: Policy) {
        let bundle = policy.app.bundleID.text
        if checkTeam(bundle, products) { return }
        guard let span = draft.section("app")?.value("bundle_id")?.span,
            let root = bundle.split(separator: ".").first, bundle.contains("."),
            !products.contains(where: { $0.name.hasPrefix(bundle) }),
            !products.contains(where: { $0.name.isOfCompany(of: bundle) }),
            let other = products.first(where: { $0.name.hasPrefix(root + ".") })
        else { return }
        problems.add(
            .bundleIDUnused, at: span, .written(bundle), .written(other.name),
            related: [.init(note: .alsoHere, span: other.row.nameSpan)])
    }

    /// The App ID of Xcode, which begins with the team, in the place of the bundle id.
    private mutating func checkTeam(_ bundle: String, _ products: [LintedProduct]) -> Bool {
        guard let dot = bundle.firstIndex(of: "."),
            let span = draft.section("app")?.value("bundle_id")?.span
        else { return false }
        let rest = String(bundle[bundle.index(after: dot)...])
        guard let other = products.first(where: { $0.name.hasPrefix(rest + ".") }),
            !products.contains(where: { $0.name.hasPrefix(bundle) })
        else { return false }
        problems.add(
            .bundleIDUnused, at: span, .written(bundle), .written(other.name),
            help: .writtenLike("bundle_id: \(rest)"),
            related: [.init(note: .alsoHere, span: other.row.nameSpan)])
        return true
    }

    /// Titles and names of rules that are not what their author sees.
    mutating func checkTexts() {
        var lines: [String: SourceLines] = [:]
        for value in titles {
            guard let text = value.text else { continue }
            if let first = text.first, let last = text.last, text.count > 1,
                "“”„‟".contains(first), "“”„‟".contains(last)
            {
                let bare = String(text.dropFirst().dropLast())
                problems.add(
                    .curlyQuotes, at: value.span, .written(text), help: .write("\"\(bare)\""))
            }
            let source =
                lines[value.span.file]
                ?? SourceLines(texts.first { $0.path == value.span.file }?.text ?? "")
            lines[value.span.file] = source
            guard let lost = source.lostText(after: value.span) else { continue }
            let whole = "\"\(text) \(lost)\""
            problems.add(
                .lostHash, at: value.span, .written(text), .written(lost),
                help: text.withoutOpenEnd.map { .likeEither([whole, $0]) } ?? .writtenLike(whole))
        }
    }

    private var titles: [CheckedValue] {
        let tables = ["entitlements", "credits", "groups", "products"]
        let rows = tables.flatMap { draft.tables[$0] ?? [] }
        let titles = rows.flatMap { row in
            ["title", "title_zh"].compactMap { row.value.section?.value($0) }
        }
        let lists = ["access", "account_switch", "refund_answers"]
        return titles + lists.flatMap { ruleSections($0).compactMap { $0.value("name") } }
    }

    /// Names that differ only in how they are written.
    mutating func checkNearDuplicates(_ policy: Policy) {
        for table in ["entitlements", "credits", "products", "groups"] {
            let rows = (draft.tables[table] ?? []).filter { row in
                // What is not sold any more keeps its id, and its successor may be called after it.
                table != "products"
                    || ProductID(row.name).flatMap { policy.products[$0] }?.retiredAt == nil
            }
            checkNearDuplicates(rows.map { ($0.name, $0.nameSpan) })
            guard table == "groups" else { continue }
            for row in rows {
                let levels = row.value.section?.value("levels")?.elements ?? []
                checkNearDuplicates(
                    levels.compactMap { level in level.text.map { ($0, level.span) } })
            }
        }
    }

    private mutating func checkNearDuplicates(_ names: [(String, SourceSpan)]) {
        var seen: [String: (String, SourceSpan)] = [:]
        for (name, span) in names {
            guard let (other, first) = seen[name.withoutMarks] else {
                seen[name.withoutMarks] = (name, span)
                continue
            }
            problems.add(
                .nearDuplicateName, at: span, .written(name), .written(other),
                related: [.init(note: .alsoHere, span: first)])
        }
    }
}

extension SourceLines {
    /// What YAML took for a comment behind a text without quotes, although it begins like a
    /// number, as in `Episode #1`, or the text cannot end there, as in `Gold, # monthly`.
    fileprivate func lostText(after span: SourceSpan) -> String? {
        guard span.start.line == span.end.line else { return nil }
        let line = Array(line(span.end.line).unicodeScalars)
        let end = span.end.column - 1
        guard end > 0, end < line.count, line[end] == " ",
            !"\"'".unicodeScalars.contains(line[end - 1]),
            let hash = line[end...].firstIndex(where: { $0 != " " }), hash + 1 < line.count,
            line[hash] == "#"
        else { return nil }
        let isNumber = hash == end + 1 && line[hash + 1] != " " && line[hash + 1] != "#"
        var before = String.UnicodeScalarView()
        before.append(contentsOf: line[..<end])
        guard isNumber || String(before).withoutOpenEnd != nil else { return nil }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: line[hash...])
        // A second comment is one.
        var lost = String(text).split(separator: " #", maxSplits: 1).first ?? ""
        while lost.last?.isWhitespace == true { lost.removeLast() }
        return lost.allSatisfy({ $0 == "#" || $0 == " " }) ? nil : String(lost)
    }
}

extension String {
    /// In lower case, without hyphens, underscores and dots, other than between digits: `1.12` is
    /// another number than `11.2`.
    fileprivate var withoutMarks: String {
        let parts = lowercased().split { "-_.".contains($0) }
        return parts.dropFirst().reduce(into: String(parts.first ?? "")) { text, part in
            let isInNumber =
                text.last?.isNumber ?? false && part.first?.isNumber ?? false
            text += (isInNumber ? "." : "") + part
        }
    }

    /// What is before a sign or a word with which no text can end; nil where there is none.
    fileprivate var withoutOpenEnd: String? {
        var text = self[...]
        func removeSpaces() {
            while text.last == " " { text.removeLast() }
        }
        if let sign = text.last, ",;:&=(（【《，；：、".contains(sign) {
            text.removeLast()
        } else if let end = [" +", " -", " –", " —", " /", " and", " or", " the", " an"].first(
            where: { hasSuffix($0) })
        {
            text.removeLast(end.count)
        } else {
            return nil
        }
        removeSpaces()
        return text.isEmpty ? nil : String(text)
    }

    /// Whether a product id begins with the company's part of a bundle id, and the rest is no
    /// misspelling of the app's part.
    fileprivate func isOfCompany(of bundle: String) -> Bool {
        let parts = bundle.split(separator: ".").map(String.init)
        guard parts.count > 2, let app = parts.last else { return false }
        let company = parts.dropLast().joined(separator: ".") + "."
        guard hasPrefix(company) else { return false }
        let own = dropFirst(company.count).split(separator: ".").first.map(String.init) ?? ""
        return suggestion(for: own, among: [app]) == nil
    }
}
