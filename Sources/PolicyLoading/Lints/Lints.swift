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
        checkOpenWindows()
        checkAges()
        let swapped = checkSwapped(products)
        checkLevels(products.filter { !swapped.contains($0.product.id) }, policy)
        checkPrices(products, without: swapped)
        checkEqualCosts(products, policy)
        checkZero(products)
        checkBundleID(products, policy)
        checkTexts()
        checkNearDuplicates(policy)
        checkFree(products)
        checkSizes(products)
        foldFarPrices()
    }

    /// Of a price that is far from the others, that is said, and not what follows from it; which
    /// shows, where either of two may be wrong, which one is.
    private mutating func foldFarPrices() {
        let consequences: Set<DiagnosticID> = [
            .priceAgainstUnits, .priceAgainstPeriod, .levelAgainstPrice,
        ]
        let far = problems.problems.filter { $0.id == .priceFarOff }
        for problem in far {
            guard case .pointSlippedIn(let lines)? = problem.help else { continue }
            let others = problems.problems.filter {
                consequences.contains($0.id) && $0.facts.contains(problem.facts[1])
            }
            let odd = lines.filter { line in
                others.contains { $0.isAbout(currency: line.prefix { $0 != ":" }) }
            }
            if odd.count == 1 { problems.replaceHelp(of: problem, with: .pointSlipped(odd[0])) }
        }
        let names = far.map { $0.facts[1] }
        problems.keep(0) { problem in
            !consequences.contains(problem.id) || !problem.facts.contains(where: names.contains)
        }
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

extension Problem {
    /// Whether an amount that it names is in that currency.
    fileprivate func isAbout(currency: Substring) -> Bool {
        facts.contains { fact in
            if case .plain(let text) = fact { text.hasSuffix(" " + currency) } else { false }
        }
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
        default: self
        }
    }
}
