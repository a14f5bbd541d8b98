internal import EntitlementModel

/// Names and titles against what stands next to them.
extension PolicyBuilder {
    /// A product that is called yearly and is sold by the month.
    mutating func checkPeriodNames(_ products: [LintedProduct]) {
        let swapped = checkSwappedTitles(products)
        // What the app is called is no length.
        let app = draft.section("app")?.value("bundle_id")?.text.map { WordsOfName($0).words }
        for product in products where !swapped.contains(product.product.id) {
            guard let (length, span) = product.length ?? product.lengthOfGrant,
                let claim = PeriodClaim.all(of: product).first(where: {
                    $0.period.asSold != length.asSold && !$0.isMonth(length)
                        && app?.contains($0.word) != true
                })
            else { continue }
            // Of a period that Apple does not sell that is said.
            if product.product.period == length, !Self.applesPeriods.contains(length) { continue }
            // Where the id or another title agrees with the length, the title is wrong.
            let agrees = PeriodClaim.all(of: product).contains {
                $0.period.asSold == length.asSold
            }
            problems.add(
                .periodAgainstName, at: span, .written(product.name), .written(claim.word),
                .written(length.text),
                help: agrees
                    ? .correctName(claim.word, length.text) : .writeOrRename(claim.period.text))
        }
    }

    /// Two products of one level of which each has the other's title.
    private mutating func checkSwappedTitles(_ products: [LintedProduct]) -> Set<ProductID> {
        var found: Set<ProductID> = []
        let puzzling = products.compactMap { product -> (LintedProduct, Period, Period)? in
            guard let length = product.length?.0.asSold,
                let claimed = PeriodClaim.byTitle(of: product)?.asSold, claimed != length
            else { return nil }
            return (product, length, claimed)
        }
        for (index, (product, length, claimed)) in puzzling.enumerated() {
            let other = puzzling[(index + 1)...].first { other in
                other.1 == claimed && other.2 == length
                    && other.0.product.group == product.product.group
                    && other.0.product.level == product.product.level
            }
            guard let (other, _, _) = other, let span = product.section.value("title")?.span else {
                continue
            }
            found.formUnion([product.product.id, other.product.id])
            problems.add(
                .periodAgainstName, at: span, .written(product.name),
                .written(product.product.title?.english ?? ""), .written(length.text),
                help: .titlesSwapped(other.name),
                related: [.init(note: .alsoHere, span: other.row.nameSpan)])
        }
        return found
    }

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
            help: .writeOrWaive("bundle_id: \(rest)"),
            related: [.init(note: .alsoHere, span: other.row.nameSpan)])
        return true
    }

    /// Titles and names of rules that are not what their author sees.
    mutating func checkTitles() {
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
                help: text.withoutOpenEnd.map { .writeEither([whole, $0]) } ?? .write(whole))
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
    mutating func checkNearDuplicates() {
        for table in ["entitlements", "credits", "products", "groups"] {
            let rows = draft.tables[table] ?? []
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
            let key = String(name.lowercased().filter { !"-_.".contains($0) })
            guard let (other, first) = seen[key] else {
                seen[key] = (name, span)
                continue
            }
            problems.add(
                .nearDuplicateName, at: span, .written(name), .written(other),
                related: [.init(note: .alsoHere, span: first)])
        }
    }
}

/// How long a product is sold for by its id or its titles.
private struct PeriodClaim {
    let word: String
    let period: Period

    /// 28 to 31 days, and a month.
    func isMonth(_ length: Period) -> Bool {
        let both = [period, length]
        return both.contains(Period(1, .months))
            && both.contains { $0.unit == .days && (28...31).contains($0.count) }
    }

    private static let sure: [String: Period] = [
        "yearly": Period(1, .years), "annual": Period(1, .years), "annually": Period(1, .years),
        "monthly": Period(1, .months), "weekly": Period(1, .weeks),
        "quarterly": Period(3, .months), "halfyearly": Period(6, .months),
    ]

    /// Only in ids: a title speaks of other years, too.
    private static let inIDs: [String: Period] = [
        "year": Period(1, .years), "month": Period(1, .months), "week": Period(1, .weeks),
        "quarter": Period(3, .months),
    ]

    private static let chinese: [String: Period] = [
        "年付": Period(1, .years), "包年": Period(1, .years), "年卡": Period(1, .years),
        "月付": Period(1, .months), "包月": Period(1, .months), "月卡": Period(1, .months),
        "季付": Period(3, .months), "包季": Period(3, .months), "季卡": Period(3, .months),
        "周付": Period(1, .weeks), "包周": Period(1, .weeks), "周卡": Period(1, .weeks),
    ]

    /// By the id and by each of the titles; what claims several things claims nothing.
    static func all(of product: LintedProduct) -> [PeriodClaim] {
        [inID(product), inTitle(product), inChineseTitle(product)].compactMap { claims in
            guard let first = claims.first, claims.allSatisfy({ $0.period == first.period }) else {
                return nil
            }
            return first
        }
    }

    /// What the title says, where it says one length.
    static func byTitle(of product: LintedProduct) -> Period? {
        let claims = Set(inTitle(product).map(\.period))
        return claims.count == 1 ? claims.first : nil
    }

    private static func inID(_ product: LintedProduct) -> [PeriodClaim] {
        var claims: [PeriodClaim] = []
        let words = Self.words(product.name)
        for (index, word) in words.enumerated() {
            // `6.month` is not one month.
            let isCounted = index > 0 && words[index - 1].allSatisfy(\.isNumber)
            let period = Self.sure[word] ?? (isCounted ? nil : Self.inIDs[word])
            if let period { claims.append(PeriodClaim(word: word, period: period)) }
        }
        return claims
    }

    private static func inTitle(_ product: LintedProduct) -> [PeriodClaim] {
        words(product.product.title?.english ?? "").compactMap { word in
            sure[word].map { PeriodClaim(word: word, period: $0) }
        } + named(product.product.title?.english)
    }

    /// `Three months of it`.
    private static func named(_ title: String?) -> [PeriodClaim] {
        // A school year has fewer months than a year.
        let isSchoolYear = title.map {
            NameText($0).hasAny(["school year", "academic year", "school years"])
        }
        // What is done once a week is paid for by the month.
        let isRhythm = title.map {
            NameText($0).hasAny(["once a", "twice a", "times a", "every", "each", "per"])
        }
        guard isSchoolYear != true, isRhythm != true else { return [] }
        let half = title.flatMap {
            NameText($0).first(of: ["half a year", "half year", "half yearly"])
        }
        if let half { return [PeriodClaim(word: half, period: Period(6, .months))] }
        return NamedLengths.all(in: title ?? "").map { PeriodClaim(word: $0.text, period: $0) }
    }

    private static func inChineseTitle(_ product: LintedProduct) -> [PeriodClaim] {
        let title = product.product.title?.chinese ?? ""
        let claims = chinese.sorted { $0.key < $1.key }.filter { title.contains($0.key) }
            .map { PeriodClaim(word: $0.key, period: $0.value) }
        return claims.isEmpty ? counted(title) : claims
    }

    /// `三个月`, `30 天`, `一年`.
    private static func counted(_ title: String) -> [PeriodClaim] {
        let years = [("一年", Int64(1)), ("两年", 2), ("三年", 3), ("半年", 0)].filter {
            title.contains($0.0) && !title.contains("第" + $0.0)
        }
        return NamedLengths.all(in: title).map { PeriodClaim(word: $0.text, period: $0) }
            + years.map { word, count in
                PeriodClaim(
                    word: word, period: count > 0 ? Period(count, .years) : Period(6, .months))
            }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
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
