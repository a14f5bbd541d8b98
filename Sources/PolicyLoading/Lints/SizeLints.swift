internal import EntitlementModel

/// Lengths and numbers that are legal and of another size than anybody means.
extension PolicyBuilder {
    private typealias Lengths = [(key: String, value: CheckedValue?, least: Int64, usual: String)]

    private static let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)

    mutating func checkSizes(_ products: [LintedProduct]) {
        checkShortSettings()
        checkShortConditions()
        checkShortProducts(products)
        checkProduction()
        checkAccounts()
    }

    // MARK: Accounts

    /// `qa-` names one account, and `qa-*` those that begin so.
    private mutating func checkAccounts() {
        for list in ["access", "account_switch", "refund_answers"] {
            for rule in ruleSections(list) {
                let places = ["when", "unless"].compactMap { rule.value($0)?.section }
                for value in places.flatMap({ $0.value("account")?.elements ?? [] }) {
                    guard let text = value.text, let last = text.last else { continue }
                    if "-_.:/@+".contains(last) {
                        problems.add(
                            .accountWithoutStar, at: value.span, .written(text),
                            help: .write("account: \"\(text)*\""))
                    } else if text.first == "@" {
                        problems.add(
                            .accountWithoutStar, at: value.span, .written(text),
                            help: .listAccounts)
                    }
                }
            }
        }
    }

    // MARK: Short

    private mutating func checkShort(_ lengths: Lengths) {
        for (key, value, least, usual) in lengths {
            guard let value, let length = value.length, let time = length.fixedMilliseconds,
                time > 0, time < least
            else { continue }
            addShort(key, value.span, length, usual)
        }
    }

    private mutating func addShort(
        _ key: String, _ span: SourceSpan, _ length: Period, _ usual: String
    ) {
        problems.add(
            .veryShort, at: span, .written(key), .written(length.text), .written(usual))
    }

    private mutating func checkShortSettings() {
        let orders = draft.section("orders")
        checkShort([
            ("leeway", draft.field("leeway")?.value, 5 * Self.minute, "1h"),
            ("pay_within", orders?.value("pay_within"), 5 * Self.minute, "30m"),
            ("match_window", orders?.value("match_window"), 30 * Self.minute, "24h"),
            (
                // A device presents what was signed when its period began, months ago.
                "max_signed_age", draft.section("trust")?.value("max_signed_age"),
                60 * Self.day, "400d"
            ),
        ])
    }

    private mutating func checkShortConditions() {
        for rule in ruleSections("access") where !isOfTests(rule) {
            for key in ["state_age", "unpaid_for"] {
                for value in rule.value("when")?.section?.value(key)?.elements ?? [] {
                    guard case .under(let length)? = value.age,
                        let time = length.fixedMilliseconds, time < Self.hour
                    else { continue }
                    addShort(key, value.span, length, "7d")
                }
            }
        }
        for rule in ruleSections("account_switch") where !isOfTests(rule) {
            guard let limits = rule.value("limits")?.section else { continue }
            let cooldown = limits.value("cooldown")
            // Of a few minutes it is said that months may be meant.
            if let length = cooldown?.length, !isMonthsInMinutes(length) {
                checkShort([("cooldown", cooldown, Self.hour, "7d")])
            }
            guard let value = limits.value("moves"), let moves = value.moves,
                let window = moves.window.fixedMilliseconds, window < Self.day,
                !isMonthsInMinutes(moves.window)
            else { continue }
            addShort("moves", value.span, moves.window, "365d")
        }
    }

    /// Whether it is about purchases of test environments, in which a month takes minutes.
    private func isOfTests(_ rule: CheckedSection) -> Bool {
        let environments = rule.value("when")?.section?.value("environment")?.elements
        return environments.map { !$0.compactMap(\.text).contains("production") } ?? false
    }

    private func isMonthsInMinutes(_ length: Period) -> Bool {
        length.unit == .minutes && [1, 2, 3, 4, 6, 9, 12, 18, 24].contains(length.count)
    }

    private mutating func checkShortProducts(_ products: [LintedProduct]) {
        for product in products {
            let grants = (product.section.value("grants")?.elements ?? []).compactMap {
                $0.section?.value("for")
            }
            let duration = product.section.value("duration")
            for (key, value) in [("duration", duration)] + grants.map({ ("for", $0) }) {
                guard let value, let length = value.length, !isMonthsInMinutes(length) else {
                    continue
                }
                checkShort([(key, value, 10 * Self.minute, "30d")])
            }
        }
    }

    // MARK: Ages

    /// An age that begins again with the next state, in a rule that is about both.
    mutating func checkAges() {
        for rule in ruleSections("access") {
            guard let when = rule.value("when")?.section, let age = when.value("state_age"),
                let name = rule.value("name")?.text, let written = age.elements.first?.age?.text
            else { continue }
            let states = Set(when.value("state")?.elements.compactMap(\.text) ?? [])
            guard age.elements.count == 1, states.isSuperset(of: ["grace", "billing-retry"]) else {
                continue
            }
            problems.add(
                .ageBeginsAgain, at: age.span, .written(name), .plain(written),
                help: .writeOrWaive("unpaid_for: \(written)"))
        }
    }

    // MARK: Environments

    /// Purchases that cost nothing are believed, and those that are paid for are not.
    private mutating func checkProduction() {
        guard let section = draft.section("environments"),
            let span = draft.field("environments")?
                .keySpan, !isTrusted(.production), isTrusted(.sandbox)
        else { return }
        problems.add(
            .productionRefused, at: section.value("production")?.span ?? span,
            help: .write("production: trusted"))
    }
}
