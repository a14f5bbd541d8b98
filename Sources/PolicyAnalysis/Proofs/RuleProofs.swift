internal import EntitlementModel
internal import PolicyLoading

/// Whether each rule of a list can ever decide anything, and if not, why.
struct RuleProofs {
    private let policy: Policy
    private let catalogue: CellCatalogue
    private let table: CellTable

    init(_ policy: Policy, _ catalogue: CellCatalogue, _ table: CellTable) {
        self.policy = policy
        self.catalogue = catalogue
        self.table = table
    }

    /// What becomes of a rule.
    private enum Fate {
        case impossible
        /// It matches cases of these subjects, and decides none.
        case covered(by: [Int])
        /// Where it decides only what the catalogue lacks, with the subjects of which it decides
        /// none.
        case decides(covered: [Int])
    }

    var findings: [PolicyFinding] {
        let fates = fates
        return fates.indices.compactMap { rule in
            switch fates[rule] {
            case .decides(let covered): covered.isEmpty ? nil : overtaken(rule, in: covered)
            case .impossible: neverMatches(rule)
            case .covered(let subjects): unreachable(rule, in: subjects)
            }
        }
    }

    private var fates: [Fate] {
        let own = table.rules.filter { $0.index != nil }.count
        var fates = [Fate](repeating: .impossible, count: own)
        for (index, subject) in table.subjects.enumerated() {
            let regions = table.regions(of: subject)
            for (position, region) in regions.enumerated() where region.rule < own {
                if case .decides = fates[region.rule] { continue }
                let isStranger = !catalogue.ids.contains(subject.product)
                let exception = table.exception(of: region)
                switch table.open(
                    subject, in: region.when, beside: exception + regions[..<position])
                {
                case .found, .unknown:
                    if isStranger, case .covered(let subjects) = fates[region.rule] {
                        fates[region.rule] = .decides(covered: subjects)
                    } else {
                        fates[region.rule] = .decides(covered: [])
                    }
                case .none:
                    if case .none = table.open(subject, in: region.when, beside: exception) {
                        continue
                    }
                    guard case .covered(let subjects) = fates[region.rule] else {
                        fates[region.rule] = .covered(by: [index])
                        continue
                    }
                    fates[region.rule] = .covered(by: subjects + [index])
                }
            }
        }
        return fates
    }

    // MARK: Covered by earlier rules

    /// A rule that decides nothing of what is sold, because one rule before it has a pattern that
    /// takes in all of it.
    private func overtaken(_ rule: Int, in subjects: [Int]) -> PolicyFinding? {
        let cover = cover(of: rule, in: subjects)
        guard cover.count == 1, let earlier = cover.first,
            table.rules[earlier].effect != table.rules[rule].effect,
            table.rules[earlier].when.products?.contains(where: \.hasWildcard) ?? false,
            table.rules[rule].when.products == nil, table.rules[rule].when.kinds != nil
        else { return nil }
        return contradicting(rule, in: subjects, as: .exceptionBehindRule)
    }

    private func unreachable(_ rule: Int, in subjects: [Int]) -> PolicyFinding? {
        if let finding = contradicting(rule, in: subjects) { return finding }
        let cover = cover(of: rule, in: subjects)
        guard let first = subjects.first else { return nil }
        let subject = table.subjects[first]
        let own = region(rule, of: subject)
        let cell = own.flatMap {
            table.plainest(subject, in: $0.when, beside: table.exception(of: $0))
        }
        return finding(
            .unreachableRule, rule, by: cover,
            example: cell.map { table.example(subject, $0, rules: [rule] + cover) } ?? [])
    }

    /// The first rule of another effect that decides a case of this one.
    private func contradicting(
        _ rule: Int, in subjects: [Int], as id: DiagnosticID = .contradictingRule
    ) -> PolicyFinding? {
        for index in subjects {
            let subject = table.subjects[index]
            let regions = table.regions(of: subject)
            guard let position = regions.firstIndex(where: { $0.rule == rule }) else { continue }
            let own = regions[position]
            for (place, other) in regions[..<position].enumerated()
            where table.rules[other.rule].effect != table.rules[rule].effect {
                guard let common = table.space.layout.intersection(own.when, other.when),
                    let cell = table.plainest(
                        subject, in: common,
                        beside: table.exception(of: own) + table.exception(of: other)
                            + regions[..<place])
                else { continue }
                return finding(
                    id, rule, by: [other.rule],
                    example: table.example(subject, cell, rules: [rule, other.rule]))
            }
        }
        return nil
    }

    /// Earlier rules that cover the rule together, none of which can be left out.
    private func cover(of rule: Int, in subjects: [Int]) -> [Int] {
        var needed: Set<Int> = []
        for index in subjects {
            let subject = table.subjects[index]
            let regions = table.regions(of: subject)
            guard let position = regions.firstIndex(where: { $0.rule == rule }) else { continue }
            needed.formUnion(regions[..<position].map(\.rule))
        }
        for candidate in needed.sorted(by: >)
        where subjects.allSatisfy({ isCovered(rule, $0, by: needed.subtracting([candidate])) }) {
            needed.remove(candidate)
        }
        return needed.sorted()
    }

    private func isCovered(_ rule: Int, _ index: Int, by others: Set<Int>) -> Bool {
        let subject = table.subjects[index]
        guard let own = region(rule, of: subject) else { return true }
        let earlier = table.regions(of: subject).filter {
            $0.rule < rule && others.contains($0.rule)
        }
        let answer = table.open(
            subject, in: own.when, beside: table.exception(of: own) + earlier)
        if case .none = answer { return true }
        return false
    }

    private func region(_ rule: Int, of subject: CellSubject) -> CellRegion? {
        subject.candidates.first { $0.rule == rule }.map { table.region($0, of: subject) }
    }

    private func finding(
        _ id: DiagnosticID, _ rule: Int, by others: [Int], example: [ExamplePart]
    ) -> PolicyFinding {
        PolicyFinding(
            id, .rule(table.list, rule),
            facts: [
                .written(table.rules[rule].reference.name),
                .choice(others.map { table.rules[$0].reference.name }),
            ], related: others.prefix(3).map { .rule(table.list, $0) }, example: example)
    }

    // MARK: Conditions that exclude one another

    private func neverMatches(_ index: Int) -> PolicyFinding? {
        let rule = table.rules[index]
        var left = rule.parts
        for part in left where !isPossible(rule.keeping(left.filter { $0 != part })) {
            left.removeAll { $0 == part }
        }
        if left.count == 1, isReportedElsewhere(left[0], rule) { return nil }
        return PolicyFinding(
            .neverMatches, .rule(table.list, index),
            facts: [
                .written(rule.reference.name),
                .choice(left.sorted { $0.key < $1.key }.map(rule.written)),
            ])
    }

    /// Whether some case meets the rule, were it alone.
    private func isPossible(_ rule: CellRule) -> Bool {
        let alone = CellTable(list: table.list, rules: [rule], space: table.space, subjects: [])
        var builder = SubjectBuilder(catalogue, [rule], table.space) { subject in
            alone.regions(of: subject).contains { region in
                let answer = alone.open(
                    subject, in: region.when, beside: alone.exception(of: region))
                if case .none = answer { return false }
                return true
            }
        }
        switch table.list {
        case .access, .appPurchase: builder.addRights()
        case .accountSwitch:
            builder.addClaims([rule.index.map { policy.claimRules[$0].verb } ?? .keep])
        case .refundAnswers: builder.addRefunds()
        case .open: preconditionFailure("what is open has no conditions")
        }
        return builder.isDone
    }

    /// Whether the name is one that leads nowhere, which is said where it is defined.
    private func isReportedElsewhere(_ part: RulePart, _ rule: CellRule) -> Bool {
        let products = policy.products.values
        switch part {
        case .field(let field) where field == .product || field == .group:
            let named = rule.when.keeping { $0 == field }
            return !products.contains { named.admits($0.id, $0) }
        case .field(.entitlement), .only:
            let names = (rule.when.entitlements ?? []) + (rule.only ?? [])
            return !products.contains { $0.entitlements.contains(where: names.contains) }
        case .field, .unless: return false
        }
    }
}

/// What a rule's case depends on.
private enum RulePart: Hashable {
    case field(ConditionField)
    case only
    case unless

    var key: String {
        switch self {
        case .field(let field): field.rawValue
        case .only: "only"
        case .unless: "unless"
        }
    }
}

extension CellRule {
    fileprivate var parts: [RulePart] {
        when.fields.map { .field($0) } + (only == nil ? [] : [.only])
            + (unless == nil ? [] : [.unless])
    }

    /// The rule as it were with these parts alone.
    fileprivate func keeping(_ parts: [RulePart]) -> CellRule {
        CellRule(
            index: index, reference: reference, effect: effect,
            when: when.keeping { parts.contains(.field($0)) },
            unless: parts.contains(.unless) ? unless : nil,
            only: parts.contains(.only) ? only : nil)
    }

    /// `group: audio`, as a policy writes it.
    fileprivate func written(_ part: RulePart) -> String {
        switch part {
        case .field(let field): when.keeping { $0 == field }.described.joined()
        case .only: "only: [\((only ?? []).map(\.text).joined(separator: ", "))]"
        case .unless: "unless: {\((unless?.described ?? []).joined(separator: ", "))}"
        }
    }
}
