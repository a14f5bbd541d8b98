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
        if let exceptions = buildExceptions(row, section, kind: kind) {
            product.allExcept = exceptions
            let all = names.all("entitlements").sorted().map(EntitlementName.init(unchecked:))
            product.grants = all.filter { !exceptions.contains($0) }
                .map { .entitlement($0, lasting: nil) }
        } else {
            product.grants = buildGrants(row, section, kind: kind)
        }
        product.grants += buildCredits(section)
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
                help: .meant(by: name, among: levels) ?? .oneOf(levels))
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
            // One that is in 'grants' too has been reported.
            if key == "credits", !section.creditsGivenTwice.isEmpty { continue }
            problems.add(
                .notForKind, at: field.keySpan, .written(key), .written(kind.rawValue),
                .written(owner.rawValue), help: Self.sister(of: key, kind, field.value))
        }
        let sister = required == "period" ? "duration" : "period"
        if let required, !section.has(required), !section.has(sister) {
            problems.add(
                .missingForKind, at: row.nameSpan, .written(kind.rawValue), .written(required),
                help: .likeEither(
                    (required == "period"
                        ? ["1w", "1mo", "2mo", "3mo", "6mo", "1y"] : ["30d", "3mo", "1y"])
                        .map { "\(required): \($0)" }))
        }
        if kind == .autoRenewable { checkSubscription(row, section) }
        if kind == .free { checkFree(section) }
    }

    private static let keysOfKinds: [(String, ProductKind)] = [
        ("group", .autoRenewable), ("level", .autoRenewable), ("period", .autoRenewable),
        ("credits", .autoRenewable),
        ("duration", .nonRenewing), ("stacking", .nonRenewing), ("stack", .nonRenewing),
    ]

    /// How a kind writes what another one has the key for.
    private static func sister(
        of key: String, _ kind: ProductKind, _ value: CheckedValue
    ) -> Help? {
        switch (key, kind) {
        case ("credits", .consumable):
            let given = value.elements.first?.section
            let name = given?.value("credit")?.text ?? "coins"
            let units = given?.value("units")?.number ?? 100
            return .writtenLike("grants: [{credit: \(name.inMessage), units: \(units)}]")
        case ("period", .nonRenewing):
            return .writtenLike("duration: \(value.length?.text ?? "1mo")")
        case ("duration", .autoRenewable):
            return .writtenLike("period: \(value.length?.text ?? "1mo")")
        default: return nil
        }
    }

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

    /// What a product does not give of all entitlements; nil for one that has a list.
    private mutating func buildExceptions(
        _ row: CheckedRow, _ section: CheckedSection, kind: ProductKind?
    ) -> Set<EntitlementName>? {
        guard let value = section.value("grants"), value.text == "all" || value.section != nil
        else {
            return nil
        }
        let written = value.section?.value("all_except")
        var excepted: Set<EntitlementName> = []
        for element in written?.elements ?? [] {
            guard checkReference(element, to: "entitlements", .unknownEntitlement),
                let name = element.text
            else { continue }
            excepted.insert(EntitlementName(unchecked: name))
        }
        if kind == .consumable {
            problems.add(
                .lastingRight, at: value.span, .written("all"),
                help: .writtenLike("grants: [{entitlement: premium, for: 30d}]"))
        }
        if written?.isBroken != true, names.all("entitlements").count == excepted.count {
            problems.add(.grantsNothing, at: row.nameSpan, .written(row.name))
        }
        return excepted
    }

    private mutating func buildGrants(
        _ row: CheckedRow, _ section: CheckedSection, kind: ProductKind?
    ) -> [ProductGrant] {
        let value = section.value("grants")
        if value?.isBroken != true, value?.elements.isEmpty != false, !section.has("credits") {
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
            return buildGrant(element, of: row, section, kind: kind)
        }
    }

    private mutating func buildGrant(
        _ value: CheckedValue, of row: CheckedRow, _ product: CheckedSection, kind: ProductKind?
    ) -> ProductGrant? {
        if let name = value.text {
            return buildEntitlementGrant(name, at: value, lasting: nil, kind: kind)
        }
        guard let section = value.section else { return nil }
        if let credit = section.value("credit") {
            return buildCreditGrant(credit, section, of: row, product, kind: kind)
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
        if name == "all", !names.mayHave(name, in: "entitlements") {
            problems.add(.allWithOthers, at: value.span, .written(name))
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
        _ credit: CheckedValue, _ section: CheckedSection, of row: CheckedRow,
        _ product: CheckedSection, kind: ProductKind?
    ) -> ProductGrant? {
        guard let name = credit.text else { return nil }
        if let kind, kind != .consumable, !product.creditsGivenTwice.contains(name) {
            problems.add(.creditFromOtherKind, at: credit.span, .written(kind.rawValue))
        }
        guard checkReference(credit, to: "credits", .unknownCredit),
            let units = section.value("units")?.number
        else { return nil }
        let expiry = section.expiry
        if kind == .consumable, let value = section.value("expires"), let written = expiry.text {
            if expiry == .period {
                problems.add(
                    .notForKind, at: value.span, .written("expires: \(written)"),
                    .written(ProductKind.consumable.rawValue),
                    .written(ProductKind.autoRenewable.rawValue))
            } else {
                problems.add(
                    .creditExpires, at: value.span, .written(row.name), .written(written))
            }
        }
        return .credit(
            CreditName(unchecked: name), units: units, terms: CreditTerms(expires: expiry))
    }
}

/// What a subscription delivers for its paid periods (spec 1.7).
extension PolicyBuilder {
    fileprivate mutating func buildCredits(_ product: CheckedSection) -> [ProductGrant] {
        var seen: [String: SourceSpan] = [:]
        return (product.value("credits")?.elements ?? []).compactMap { element in
            guard let section = element.section, let credit = section.value("credit"),
                let name = credit.text
            else { return nil }
            if product.creditsGivenTwice.contains(name) {
                problems.add(.unitsAndCredits, at: credit.span, .written(name))
            } else if let first = seen[name] {
                problems.add(
                    .grantedTwice, at: element.span, .written(name),
                    related: [.init(note: .firstWritten, span: first)])
            }
            seen[name] = seen[name] ?? element.span
            guard checkReference(credit, to: "credits", .unknownCredit),
                let units = section.value("units")?.number
            else { return nil }
            checkEvery(section, period: product.value("period")?.length)
            return .credit(
                CreditName(unchecked: name), units: units,
                terms: CreditTerms(
                    every: section.value("every")?.length,
                    underOffer: unitsUnderOffers(section, of: units), expires: section.expiry))
        }
    }

    private mutating func checkEvery(_ section: CheckedSection, period: Period?) {
        guard let value = section.value("every"), let every = value.length else { return }
        if let length = every.fixedMilliseconds, length < 86_400_000 {
            problems.add(.everyTooShort, at: value.span, .written(every.text))
        } else if let period, period.isShorter(than: every) {
            problems.add(
                .everyBeyondPeriod, at: value.span, .written(every.text), .written(period.text))
        }
    }

    private mutating func unitsUnderOffers(
        _ section: CheckedSection, of usual: Int64
    ) -> [OfferWord: Int64] {
        let written = section.value("under_offer")?.section?.fields ?? [:]
        var found: [OfferWord: Int64] = [:]
        for offer in OfferWord.allCases {
            guard let value = written[offer.rawValue]?.value, let units = value.number else {
                continue
            }
            if units > usual {
                problems.add(
                    .offerGivesMore, at: value.span, .written(offer.rawValue), .number(units),
                    .number(usual))
            }
            found[offer] = units
        }
        return found
    }
}

extension CheckedSection {
    /// When units lapse, of what gives them.
    fileprivate var expiry: CreditTerms.Expiry {
        let value = value("expires")
        if let length = value?.length { return .after(length) }
        return value?.text == CatalogueGrammar.withPeriod ? .period : .never
    }

    /// Of a product, the credits that both 'grants' and 'credits' give.
    fileprivate var creditsGivenTwice: Set<String> {
        func names(_ key: String) -> Set<String> {
            Set(value(key)?.elements.compactMap { $0.section?.value("credit")?.text } ?? [])
        }
        return names("grants").intersection(names("credits"))
    }
}

/// Entitlements, credits, groups and products.
extension PolicyBuilder {
    /// Fills in what is sold and what it gives.
    mutating func buildCatalogue(_ policy: inout Policy) {
        for row in draft.tables["entitlements"] ?? [] {
            policy.entitlements[EntitlementName(unchecked: row.name)] = title(of: row)
        }
        for row in draft.tables["credits"] ?? [] {
            policy.credits[CreditName(unchecked: row.name)] = CreditDefinition(
                title: title(of: row) ?? Title(english: row.name),
                onRefund: row.value.section?.value("on_refund")?
                    .word(CreditDefinition.OnRefund.self) ?? .debt,
                warnBefore: row.value.section?.value("warn_before")?.length)
        }
        for row in draft.tables["groups"] ?? [] {
            policy.groups[GroupName(unchecked: row.name)] = buildGroup(row)
        }
        for row in draft.tables["products"] ?? [] {
            guard let section = row.value.section else { continue }
            let product = buildProduct(row, section, app: policy.app)
            policy.products[product.id] = product
        }
        checkStacks()
    }

    /// The title of a row in both languages; nil where it has none.
    mutating func title(of row: CheckedRow) -> Title? {
        guard let section = row.value.section else { return nil }
        guard let english = section.value("title")?.text else {
            // Where a title is required, its absence has been reported.
            if let chinese = section.fields["title_zh"], !section.has("title"),
                !isTitleRequired(row)
            {
                problems.add(.chineseTitleAlone, at: chinese.keySpan, .written(row.name))
            }
            return nil
        }
        return Title(english: english, chinese: section.value("title_zh")?.text)
    }

    private func isTitleRequired(_ row: CheckedRow) -> Bool {
        ["entitlements", "credits"].contains { table in
            draft.tables[table]?.contains { $0.nameSpan == row.nameSpan } == true
        }
    }

    private mutating func buildGroup(_ row: CheckedRow) -> SubscriptionGroup {
        let value = row.value.section?.value("levels")
        let levels = (value?.elements ?? []).compactMap(\.text)
        if let value, case .list(let elements) = value.content {
            if elements.isEmpty {
                problems.add(.groupWithoutLevels, at: value.span, .written(row.name))
            }
            var seen: [String: SourceSpan] = [:]
            for element in elements {
                guard let level = element.text else { continue }
                if let first = seen[level] {
                    problems.add(
                        .duplicateLevel, at: element.span, .written(level), .written(row.name),
                        related: [.init(note: .firstWritten, span: first)])
                } else {
                    seen[level] = element.span
                }
            }
        }
        return SubscriptionGroup(
            title: title(of: row), levels: levels.map { LevelName(unchecked: $0) })
    }

    /// Products of one stack must agree on how they lie in time.
    private mutating func checkStacks() {
        var first: [String: (stacking: Stacking, span: SourceSpan)] = [:]
        for row in draft.tables["products"] ?? [] {
            guard let section = row.value.section, let stack = section.value("stack"),
                let name = stack.text
            else { continue }
            let stacking = section.value("stacking")?.word(Stacking.self) ?? .extend
            guard let other = first[name] else {
                first[name] = (stacking, row.nameSpan)
                continue
            }
            if other.stacking != stacking {
                problems.add(
                    .stackingDiffers, at: stack.span, .written(name),
                    .written(stacking.rawValue), .written(other.stacking.rawValue),
                    related: [.init(note: .alsoHere, span: other.span)])
            }
        }
    }

    /// Warns of what is defined and leads nowhere. To be asked only where there are no errors:
    /// what could not be read may well have used it.
    mutating func checkUse(_ policy: Policy) {
        var given = Set(policy.openRights.flatMap { $0.entitlements.map(\.text) })
        for product in policy.products.values {
            for grant in product.grants {
                switch grant {
                case .entitlement(let name, _): given.insert(name.text)
                case .credit(let name, _, _): given.insert(name.text)
                }
            }
        }
        let groups = Set(policy.products.values.compactMap(\.group?.text))
        for table in ["entitlements", "credits"] {
            for row in draft.tables[table] ?? [] where !given.contains(row.name) {
                problems.add(.givenByNothing, at: row.nameSpan, .written(row.name))
            }
        }
        for row in draft.tables["groups"] ?? [] where !groups.contains(row.name) {
            problems.add(.unusedGroup, at: row.nameSpan, .written(row.name))
        }
    }
}
