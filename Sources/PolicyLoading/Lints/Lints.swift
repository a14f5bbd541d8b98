internal import EntitlementModel

/// What is allowed and most likely not meant: by money, and by what words mean (spec 2.2).
extension PolicyBuilder {
    /// To be asked only where there are no errors.
    mutating func lint(_ policy: Policy) {
        let products = products(policy)
        checkPeriodNames(products)
        checkMinutes(products)
        checkLeeway(policy)
        checkLimits()
        checkOrderWindows(policy)
        checkOpenWindows(besides: checkInstants())
        checkLastDays()
        let misplaced = checkGroupNames(products, policy)
        let swapped = checkSwapped(products)
        let puzzling = misplaced.union(swapped)
        checkLevels(products.filter { !puzzling.contains($0.product.id) }, policy)
        checkLevelNames(products, policy)
        checkKindNames(products, policy)
        checkRuleNames(products, policy)
        checkPrices(products, without: swapped)
        checkBundleID(products, policy)
        checkTitles()
        checkNearDuplicates()
        checkEffects(policy)
        checkContrasts(policy)
        checkConditions(policy)
        checkDates(products, policy)
        checkTitleTexts(policy)
        checkSpelling(products, policy)
        checkCosts(products, policy)
        checkGrantNames(products, policy)
        checkFree(products)
        checkSizes(products)
        checkRuleOrder()
        checkAgesOverStates()
        checkJoining()
        checkNotSold(products)
        checkRetiredTwins(products)
        checkRefunds()
        checkPatterns(products)
        fold(
            [.priceFarOff, .priceAgainstUnits, .priceAgainstPeriod, .levelAgainstPrice],
            behind: .pointForgotten)
        fold([.priceAgainstPeriod, .levelAgainstPrice], behind: .periodAgainstName)
        foldUnits(products)
        foldFarPrices()
    }

    /// Of units that are not those of the title that is said, and not that they are cheap.
    private mutating func foldUnits(_ products: [LintedProduct]) {
        let places = Set(
            problems.problems.filter { $0.id == .grantsAgainstTitle }.compactMap(\.span?.start))
        let wrong = products.filter { product in
            let grants = product.section.value("grants")
            let units = grants?.elements.compactMap { $0.section?.value("units")?.span.start } ?? []
            return (units + [grants?.span.start].compactMap { $0 }).contains(where: places.contains)
        }
        let names = Set(wrong.map { Fact.written($0.name) })
        problems.keep(0) { problem in
            ![.priceAgainstUnits, .unitsAgainstName].contains(problem.id)
                || !problem.facts.contains(where: names.contains)
        }
    }

    /// Of a price that is far from the others, that is said, and not what follows from it; which
    /// shows, where either of two may be wrong, which one is.
    private mutating func foldFarPrices() {
        let consequences: Set<DiagnosticID> = [
            .priceAgainstUnits, .priceAgainstPeriod, .levelAgainstPrice,
        ]
        for problem in problems.problems where problem.id == .priceFarOff {
            guard case .pointSlippedIn(let lines)? = problem.help else { continue }
            let others = problems.problems.filter {
                consequences.contains($0.id) && $0.facts.contains(problem.facts[1])
            }
            let odd = lines.filter { line in
                others.contains { $0.isAbout(currency: line.prefix { $0 != ":" }) }
            }
            if odd.count == 1 { problems.replaceHelp(of: problem, with: .pointSlipped(odd[0])) }
        }
        fold(consequences, behind: .priceFarOff, namedAt: 1)
    }

    /// Of a price without its decimal point, or a length that is not the name's, that is said, and
    /// not what the product differs from.
    ///
    /// - Parameter place: which of the facts is the product's name.
    private mutating func fold(
        _ consequences: Set<DiagnosticID>, behind cause: DiagnosticID, namedAt place: Int = 0
    ) {
        let names = problems.problems.filter { $0.id == cause }.map { $0.facts[place] }
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

    /// How long a consumable gives the only right that it gives for a time.
    var lengthOfGrant: (Period, SourceSpan)? {
        let values = (section.value("grants")?.elements ?? []).compactMap { grant in
            grant.section?.value("for")
        }
        guard values.count == 1, let length = values[0].length else { return nil }
        return (length, values[0].span)
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
