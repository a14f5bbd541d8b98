internal import EntitlementModel

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
                    .word(CreditDefinition.OnRefund.self) ?? .debt)
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
                case .credit(let name, _): given.insert(name.text)
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
