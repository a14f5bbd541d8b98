internal import EntitlementModel

/// Products that do not give what their id or title says, and what is given for nothing.
extension PolicyBuilder {
    mutating func checkGrantNames(_ products: [LintedProduct], _ policy: Policy) {
        let rights = NamedRights(policy)
        let units = NamedUnits(policy)
        for product in products where !checkUnitsInTitle(product, units) {
            checkRights(product, rights, policy)
        }
    }

    // MARK: Rights

    /// `Gold with audiobooks` that gives no audiobooks.
    private mutating func checkRights(
        _ product: LintedProduct, _ rights: NamedRights, _ policy: Policy
    ) {
        let own = Set(product.product.entitlements)
        let bundle = policy.app.bundleID.text
        let id = String(product.name.dropFirst(product.name.hasPrefix(bundle) ? bundle.count : 0))
        let texts = [
            (product.section.value("title"), product.product.title?.english),
            (product.section.value("title_zh"), product.product.title?.chinese), (nil, id),
        ]
        for (value, text) in texts {
            guard let text else { continue }
            let named = rights.named(in: text)
            // 'Coach sessions' are a credit, although the coach is a right.
            guard
                let missing = named.first(where: {
                    !own.contains($0.name)
                        && !NameText(titles(of: product, policy)).contains($0.word + "*")
                }),
                // One word may name several rights.
                !named.contains(where: { own.contains($0.name) && $0.word == missing.word })
            else { continue }
            let span = product.section.value("grants")?.span ?? product.row.nameSpan
            if checkSiblings(product, id, rights) { return }
            let bare = grants(of: product).filter { !$0.contains(":") }
            let line = "grants: [\((bare + [missing.name.text]).joined(separator: ", "))]"
            problems.add(
                .grantsAgainstTitle, at: span, .written(value == nil ? product.name : text),
                .written(missing.word), .choice(grants(of: product)),
                help: bare.count == product.product.grants.count ? .writeOrRename(line) : nil,
                related: value.map { [.init(note: .alsoHere, span: $0.span)] } ?? [])
            return
        }
        _ = checkSiblings(product, id, rights)
    }

    /// `Portugal, for ever` that gives the maps of Spain.
    private mutating func checkSiblings(
        _ product: LintedProduct, _ id: String, _ rights: NamedRights
    ) -> Bool {
        let titles = [product.product.title?.english, product.product.title?.chinese, id]
        let text = titles.compactMap { $0 }.joined(separator: " ; ")
        let given = product.product.entitlements
        guard given.count == 1, product.product.grants.count == 1,
            let meant = rights.sibling(of: given[0], in: text)
        else { return false }
        let value = product.section.value("grants")
        problems.add(
            .grantsAgainstTitle, at: value?.span ?? product.row.nameSpan,
            .written(product.product.title?.english ?? product.name), .written(meant.word),
            .choice([given[0].text]), help: .writeOrRename("grants: [\(meant.name.text)]"),
            related: product.section.value("title").map {
                [.init(note: .alsoHere, span: $0.span)]
            } ?? [])
        return true
    }

    /// What the product gives is called, in English and in Chinese.
    private func titles(of product: LintedProduct, _ policy: Policy) -> String {
        let titles = product.product.grants.flatMap { grant -> [String?] in
            switch grant {
            case .entitlement(let name, _):
                let title = policy.entitlements[name]
                return [name.text, title?.english, title?.chinese]
            case .credit(let name, _):
                let title = policy.credits[name]?.title
                return [name.text, title?.english, title?.chinese]
            }
        }
        return titles.compactMap { $0 }.joined(separator: " ; ")
    }

    private func grants(of product: LintedProduct) -> [String] {
        product.product.grants.map { grant in
            switch grant {
            case .entitlement(let name, _): name.text
            case .credit(let name, let units): "\(name.text): \(units)"
            }
        }
    }

    // MARK: Units

    /// `100 coins` that gives another number, or something else.
    private mutating func checkUnitsInTitle(_ product: LintedProduct, _ units: NamedUnits) -> Bool {
        for (key, title) in [
            ("title", product.product.title?.english), ("title_zh", product.product.title?.chinese),
        ] {
            guard let title, let value = product.section.value(key) else { continue }
            let said = units.said(in: title)
            if said.contains(where: { addUnits($0, title, value, product) }) { return true }
        }
        return false
    }

    private mutating func addUnits(
        _ said: UnitsInTitle, _ title: String, _ value: CheckedValue, _ product: LintedProduct
    ) -> Bool {
        var given: [Int64] = []
        for case .credit(said.credit, let units) in product.product.grants { given.append(units) }
        let sum = said.numbers.reduce(0, +)
        guard !given.contains(where: { said.numbers.contains($0) || $0 == sum }) else {
            return false
        }
        let elements = product.section.value("grants")?.elements ?? []
        let units = elements.first {
            $0.section?.value("credit")?.text == said.credit.text
        }?.section?.value("units")
        let line =
            given.isEmpty
            ? "grants: [{credit: \(said.credit.text), units: \(said.numbers[0])}]"
            : "units: \(said.numbers[0])"
        problems.add(
            .grantsAgainstTitle,
            at: units?.span ?? product.section.value("grants")?.span ?? value.span,
            .written(title), .written(said.phrase), .choice(grants(of: product)),
            help: given.isEmpty && product.product.grants.contains(where: \.isEntitlement)
                ? .addToGrants("{credit: \(said.credit.text), units: \(said.numbers[0])}")
                : given.isEmpty && product.product.grants.count > 1 ? nil : .writeOrRename(line),
            related: [.init(note: .alsoHere, span: value.span)])
        return true
    }

    // MARK: For nothing

    /// What is sold, and what everybody has without paying.
    mutating func checkFree(_ products: [LintedProduct]) {
        var sold: [EntitlementName: LintedProduct] = [:]
        for product in products
        where product.product.kind != .free && product.product.retiredAt == nil {
            guard
                product.product.prices.isEmpty
                    || product.product.prices.values.contains(where: {
                        $0 > 0
                    })
            else { continue }
            for name in product.product.entitlements where sold[name] == nil {
                sold[name] = product
            }
        }
        for product in products where product.product.kind == .free {
            guard let name = product.product.entitlements.first(where: { sold[$0] != nil }),
                let other = sold[name]
            else { continue }
            let span = (product.section.value("grants")?.elements ?? []).first {
                $0.text == name.text
            }?.span
            problems.add(
                .freeGivesSold, at: span ?? product.row.nameSpan, .written(product.name),
                .written(name.text), .written(other.name),
                related: [.init(note: .alsoHere, span: other.row.nameSpan)])
        }
    }
}

extension ProductGrant {
    fileprivate var isEntitlement: Bool {
        if case .entitlement = self { true } else { false }
    }
}
