internal import EntitlementModel

/// What is allowed and not meant, by comparing values with one another (spec 2.2).
extension PolicyBuilder {
    /// To be asked only where there are no errors.
    mutating func lint(_ policy: Policy) {
        let products = products(policy)
        checkMinutes(products)
        checkLeeway(policy)
        checkLimits()
        checkOrderWindows(policy)
        checkWarnings(policy)
        checkOpenWindows()
        checkAges()
        checkLevels(products, policy)
        checkPrices(products)
        checkEqualCosts(products, policy)
        checkZero(products)
        checkBundleID(products, policy)
        checkTexts()
        checkNearDuplicates(policy)
        checkFree(products)
        checkProduction()
        checkAccounts()
    }

    /// The products with what was written of them, in the order of their names.
    private func products(_ policy: Policy) -> [LintedProduct] {
        (draft.tables["products"] ?? []).compactMap { row in
            guard let section = row.value.section, let id = ProductID(row.name),
                let product = policy.products[id]
            else { return nil }
            return LintedProduct(product: product, row: row, section: section)
        }.sorted { $0.product.id < $1.product.id }
    }
}

/// A product, and where it is written.
struct LintedProduct {
    let product: Product
    let row: CheckedRow
    let section: CheckedSection

    var name: String { product.id.text }

    /// The length for which it is sold, with where that is written.
    var length: (Period, SourceSpan)? {
        for key in ["period", "duration"] {
            if let value = section.value(key), let length = value.length {
                return (length, value.span)
            }
        }
        return nil
    }

    /// Where the price in a currency is written.
    func priceSpan(_ currency: String) -> SourceSpan? {
        section.value("price")?.rows.first { $0.name == currency }?.value.span
    }
}

extension Period {
    /// The same text for lengths that are sold as one: `1y` and `12mo`, `1w` and `7d`.
    var asSold: Period {
        switch unit {
        case .years: Period(count * 12, .months)
        case .weeks: Period(count * 7, .days)
        case .milliseconds, .seconds, .minutes, .hours, .days, .months: self
        }
    }
}

/// Accounts, ages and environments that are legal and mean something else than they say.
extension PolicyBuilder {
    // MARK: Accounts

    /// `qa-` names one account, and `qa-*` those that begin so.
    mutating func checkAccounts() {
        for list in ["access", "account_switch", "refund_answers"] {
            for rule in ruleSections(list) {
                let places = ["when", "unless"].compactMap { rule.value($0)?.section }
                for value in places.flatMap({ $0.value("account")?.elements ?? [] }) {
                    guard let text = value.text, let last = text.last else { continue }
                    if "-_.:/@+".contains(last) {
                        problems.add(
                            .accountWithoutStar, at: value.span, .written(text),
                            help: .writtenLike("account: \"\(text)*\""))
                    }
                }
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
                help: .writtenLike("unpaid_for: \(written)"))
        }
    }

    // MARK: Environments

    /// Purchases that cost nothing are believed, and those that are paid for are not.
    mutating func checkProduction() {
        guard let section = draft.section("environments"),
            let span = draft.field("environments")?
                .keySpan, !isTrusted(.production), isTrusted(.sandbox)
        else { return }
        problems.add(
            .productionRefused, at: section.value("production")?.span ?? span,
            help: .writtenLike("production: trusted"))
    }
}
