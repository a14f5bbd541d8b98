internal import EntitlementModel
internal import PolicyLoading
internal import TestSupport
internal import Testing

@testable internal import EntitlementDerivation
@testable internal import PolicyAnalysis

/// Walks over the table of conditions: a field that something leaves out would make a right, a
/// proof or the guard of a policy folder wrong without a word.
@Suite("Every field of conditions", .timeLimit(.minutes(20)))
struct ConditionFieldTests {
    @Test("is one property of a condition, and every property is a field")
    func properties() {
        var labels: Set<String> = []
        for field in ConditionField.allCases {
            let condition = Condition(asking: field)
            let given = Mirror(reflecting: condition).children.filter {
                Mirror(reflecting: $0.value).children.first != nil
            }
            #expect(given.count == 1)
            labels.formUnion(given.compactMap(\.label))
            #expect(condition.fields == [field])
            #expect(condition[field] == field.sample)
            #expect(condition.without([field]) == Condition())
        }
        #expect(labels.count == ConditionField.allCases.count)
        #expect(labels.count == Mirror(reflecting: Condition()).children.count)
    }

    @Test("narrows a condition", arguments: ConditionField.allCases)
    func narrows(_ field: ConditionField) {
        let condition = Condition(asking: field)
        #expect(Condition().isImplied(by: condition) && !condition.isImplied(by: Condition()))
        #expect(condition.isImplied(by: condition))
        let others = ConditionField.allCases.filter { $0 != field }
        #expect(others.allSatisfy { !condition.isImplied(by: Condition(asking: $0)) })
    }

    @Test("is looked at by the derivation", arguments: ConditionField.allCases)
    func derivation(_ field: ConditionField) {
        let condition = Condition(asking: field)
        let product = Product.other
        if [.product, .group, .level, .entitlement].contains(field) {
            #expect(!condition.admits(product, EntitlementName(unchecked: "other")))
        } else if field.slot.lists != .claims {
            let unknown = Circumstances(
                purchased: .distantPast, firstPurchased: .distantPast, enteredAt: .distantPast)
            let compiled = CompiledCondition(condition, foldsAccounts: false)
            #expect(!compiled.holds(unknown, at: Instant(milliseconds: 0)))
        }
    }

    @Test("tells cases apart in the proofs", arguments: ConditionField.allCases)
    func proofs(_ field: ConditionField) {
        let condition = Condition(asking: field)
        let space = CellSpace([condition], foldsAccounts: false, hasNobody: true)
        if ConditionField.catalogued.contains(field) {
            #expect(
                !condition.admits(
                    .other, as: .nonRenewing, giving: EntitlementName(unchecked: "other")))
        } else {
            #expect(space.box(condition) != space.layout.full)
            #expect(CellAxis(field).map { CellAxis.all.contains($0) } == true)
        }
    }

    @Test(
        "is a loss where a grant asks for it only afterwards",
        arguments: ConditionField.allCases.filter {
            $0.slot.lists.contains(.access) || $0.slot.lists.contains(.appPurchase)
        })
    func guarded(_ field: ConditionField) {
        var old = History.random(seed: 1).firstPolicy.policy
        old.products = [Product.other.id: .other]
        var new = old
        old.accessRules = [.grant(when: Condition())]
        new.accessRules = [.grant(when: Condition(asking: field))]
        let losses = policyLosses(from: old, to: new, builtIns: [])
        #expect(losses.contains { $0.kind == .cell })
        let changes = cellChanges(from: old, to: new, builtIns: []).changes
        #expect(changes.contains { $0.lost != nil && $0.verdict == .narrower })
        let back = cellChanges(from: new, to: old, builtIns: []).changes
        #expect(back.contains { $0.gained != nil && $0.verdict == .wider })
    }
}

extension ConditionField {
    /// A value that little has.
    fileprivate var sample: ConditionValues {
        switch slot.form {
        case .words(let type, _): .names([type.words[0]])
        case .name, .productPattern, .accountPattern: .names(["x"])
        case .storefront: .names(["ISL"])
        case .age: .ages([.under(Period(1, .milliseconds))])
        case .count: .counts([.exactly(4)])
        case .date: .dates([.from(Instant(milliseconds: 4_000_000_000_000))])
        case .version: .versions(["9999"].compactMap { AppVersion($0) }.map { .from($0) })
        }
    }
}

extension Condition {
    fileprivate init(asking field: ConditionField) {
        self.init()
        self[field] = field.sample
    }
}

extension AccessRule {
    fileprivate static func grant(when condition: Condition) -> AccessRule {
        AccessRule(
            reference: RuleReference(name: "all", file: "rules.yaml", line: 1), when: condition,
            effect: .grant)
    }
}

extension Product {
    /// Of a kind that lasts for a time; in no group.
    fileprivate static let other: Product = {
        var product = Product(id: ProductID(unchecked: "other"), kind: .nonRenewing)
        product.grants = [.entitlement(EntitlementName(unchecked: "other"), lasting: nil)]
        product.duration = Period(1, .years)
        return product
    }()
}
