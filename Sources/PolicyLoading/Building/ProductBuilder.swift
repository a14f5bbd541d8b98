internal import EntitlementModel

/// One product, and what goes with its kind (spec 1.4, 1.7; `kind-rule` of spec 2.2).
extension PolicyBuilder {
    /// The product of one row of `products`.
    mutating func buildProduct(
        _ row: CheckedRow, _ section: CheckedSection, app: AppSettings
    ) -> Product {
        let kind = section.value("kind")?.word(ProductKind.self)
        var product = Product(id: ProductID(unchecked: row.name), kind: kind ?? .consumable)
        product.title = title(of: row)
        product.period = section.value("period")?.length
        product.duration = section.value("duration")?.length
        product.stacking = section.value("stacking")?.word(Stacking.self) ?? .extend
        product.stack = section.value("stack")?.text
        product.retiredAt = section.value("retired")?.date
        for price in section.value("price")?.rows ?? [] {
            product.prices[price.name] = price.value.number
        }
        product.group = buildGroupName(section)
        product.level = buildLevel(section)
        product.grants = buildGrants(row, section, kind: kind)
        if let kind { checkKind(kind, row, section) }
        return product
    }

    // MARK: Group and level

    private mutating func buildGroupName(_ section: CheckedSection) -> GroupName? {
        guard let value = section.value("group"), let name = value.text,
            checkReference(value, to: "groups", .unknownGroup)
        else { return nil }
        return GroupName(unchecked: name)
    }

    private mutating func buildLevel(_ section: CheckedSection) -> LevelName? {
        guard let field = section.fields["level"], let name = field.value.text else {
            return nil
        }
        guard let group = section.value("group") else {
            if !section.has("group") { problems.add(.levelWithoutGroup, at: field.keySpan) }
            return nil
        }
        guard let groupName = group.text, let levels = names.levels[groupName] else { return nil }
        guard levels.contains(name) else {
            problems.add(
                .levelNotInGroup, at: field.value.span, .written(name), .written(groupName),
                help: .meant(by: name, among: levels)
                    ?? names.levelHelp(name, of: groupName, among: levels))
            return nil
        }
        return LevelName(unchecked: name)
    }

    // MARK: Keys that go with a kind

    private mutating func checkKind(
        _ kind: ProductKind, _ row: CheckedRow, _ section: CheckedSection
    ) {
        let required = [ProductKind.autoRenewable: "period", .nonRenewing: "duration"][kind]
        for (key, owner) in Self.keysOfKinds where owner != kind {
            guard let field = section.fields[key] else { continue }
            problems.add(
                .notForKind, at: field.keySpan, .written(key), .written(kind.rawValue),
                .written(owner.rawValue),
                help: Self.isSwapped(key, required, section)
                    ? required.map(Help.insteadWrite) : nil)
        }
        let isSwapped = ["period", "duration"].contains { Self.isSwapped($0, required, section) }
        if let required, !section.has(required), !isSwapped {
            problems.add(
                .missingForKind, at: row.nameSpan, .written(kind.rawValue), .written(required),
                help: .writeEither(
                    (required == "period"
                        ? ["1w", "1mo", "2mo", "3mo", "6mo", "1y"] : ["30d", "3mo", "1y"])
                        .map { "\(required): \($0)" }))
        }
        if kind == .autoRenewable { checkSubscription(row, section) }
        if kind == .free { checkFree(section) }
    }

    /// Whether a length stands under the name that another kind has for it.
    private static func isSwapped(
        _ key: String, _ required: String?, _ section: CheckedSection
    ) -> Bool {
        guard let required, key != required, ["period", "duration"].contains(key) else {
            return false
        }
        return section.has(key) && !section.has(required)
    }

    private static let keysOfKinds: [(String, ProductKind)] = [
        ("group", .autoRenewable), ("level", .autoRenewable), ("period", .autoRenewable),
        ("duration", .nonRenewing), ("stacking", .nonRenewing), ("stack", .nonRenewing),
    ]

    private mutating func checkSubscription(_ row: CheckedRow, _ section: CheckedSection) {
        if let value = section.value("period"), let period = value.length,
            !Self.applesPeriods.contains(period), period.unit != .minutes
        {
            problems.add(.unusualPeriod, at: value.span, .written(period.text))
        }
        guard let group = section.value("group") else {
            // A level without its group has been reported.
            if !section.has("group"), !section.has("level") {
                problems.add(.subscriptionWithoutGroup, at: row.nameSpan, .written(row.name))
            }
            return
        }
        if !section.has("level"), let name = group.text, let levels = names.levels[name],
            levels.count > 1
        {
            problems.add(
                .levelMissing, at: group.span, .written(row.name), .written(name),
                .choice(levels))
        }
    }

    /// The renewal periods that App Store Connect offers.
    static let applesPeriods: Set<Period> = [
        Period(7, .days), Period(1, .weeks), Period(1, .months), Period(2, .months),
        Period(3, .months), Period(6, .months), Period(12, .months), Period(1, .years),
    ]

    private mutating func checkFree(_ section: CheckedSection) {
        if let price = section.fields["price"] {
            problems.add(.priceOfFree, at: price.keySpan)
        }
        guard let app = draft.section("app"), let kind = section.value("kind") else { return }
        if app.value("newsstand")?.boolean == false || !app.has("newsstand") {
            problems.add(.freeWithoutNewsstand, at: kind.span)
        }
    }

    // MARK: Grants

    private mutating func buildGrants(
        _ row: CheckedRow, _ section: CheckedSection, kind: ProductKind?
    ) -> [ProductGrant] {
        let value = section.value("grants")
        if value?.isBroken != true, value?.elements.isEmpty != false {
            problems.add(.grantsNothing, at: row.nameSpan, .written(row.name))
        }
        var seen: [String: SourceSpan] = [:]
        return (value?.elements ?? []).compactMap { element in
            let named = element.section?.value("credit") ?? element.section?.value("entitlement")
            if let name = element.text ?? named?.text {
                if let first = seen[name] {
                    problems.add(
                        .grantedTwice, at: element.span, .written(name),
                        related: [.init(note: .firstWritten, span: first)])
                } else {
                    seen[name] = element.span
                }
            }
            return buildGrant(element, kind: kind)
        }
    }

    private mutating func buildGrant(
        _ value: CheckedValue, kind: ProductKind?
    ) -> ProductGrant? {
        if let name = value.text {
            return buildEntitlementGrant(name, at: value, lasting: nil, kind: kind)
        }
        guard let section = value.section else { return nil }
        if let credit = section.value("credit") {
            return buildCreditGrant(credit, section, kind: kind)
        }
        guard let entitlement = section.value("entitlement"), let name = entitlement.text else {
            return nil
        }
        let lasting = section.fields["for"]
        if let lasting, let kind, kind != .consumable {
            problems.add(.forOnOtherKind, at: lasting.keySpan, .written(kind.rawValue))
        }
        // A broken `for` was written all the same.
        let isLasting = lasting != nil && lasting?.value.length == nil
        return buildEntitlementGrant(
            name, at: entitlement, lasting: lasting?.value.length, kind: isLasting ? nil : kind)
    }

    private mutating func buildEntitlementGrant(
        _ name: String, at value: CheckedValue, lasting: Period?, kind: ProductKind?
    ) -> ProductGrant? {
        let isCredit = names.all("credits").contains(name)
        guard !isCredit || names.mayHave(name, in: "entitlements") else {
            problems.add(
                .unknownEntitlement, at: value.span, .written(name),
                help: .writtenLike("grants: [{credit: \(name.inMessage), units: 100}]"))
            return nil
        }
        guard checkReference(value, to: "entitlements", .unknownEntitlement) else { return nil }
        if kind == .consumable, lasting == nil {
            problems.add(
                .lastingRight, at: value.span, .written(name), .plain(name))
        }
        return .entitlement(EntitlementName(unchecked: name), lasting: lasting)
    }

    private mutating func buildCreditGrant(
        _ credit: CheckedValue, _ section: CheckedSection, kind: ProductKind?
    ) -> ProductGrant? {
        guard let name = credit.text else { return nil }
        if let kind, kind != .consumable {
            problems.add(.creditFromOtherKind, at: credit.span, .written(kind.rawValue))
        }
        guard checkReference(credit, to: "credits", .unknownCredit),
            let units = section.value("units")?.number
        else { return nil }
        return .credit(CreditName(unchecked: name), units: units)
    }
}
