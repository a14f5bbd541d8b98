internal import EntitlementModel
internal import EntitlementSpecification

/// What is compared of an answer, as text: of a denial only what the text of the specification
/// decides.
func describe(_ right: SpecifiedRight) -> String {
    guard right.isComparable else { return "denied" }
    return [
        right.isGranted ? "granted" : "denied", right.state?.rawValue ?? "no state",
        "by \(describe(right.source))", "rule \(describe(right.rule))",
        "paid until \(right.paidUntil?.rfc3339 ?? "-")",
        "renews \(right.willRenew.map(String.init) ?? "-")",
    ].joined(separator: ", ")
}

func describe(_ span: RightSpan, like right: SpecifiedRight) -> String {
    guard span.isGranted || right.isComparable else { return "denied" }
    return [
        span.isGranted ? "granted" : "denied", span.state?.rawValue ?? "no state",
        "by \(describe(span.source))", "rule \(describe(span.rule))",
        "paid until \(span.paidUntil?.rfc3339 ?? "-")",
        "renews \(span.willRenew.map(String.init) ?? "-")",
    ].joined(separator: ", ")
}

/// Built-in rules are told apart by what they decide, not by their names.
private func describe(_ rule: RuleReference) -> String {
    rule.file == "built-in" ? "built-in" : "\(rule.name)"
}

func describe(_ source: RightSource?) -> String {
    switch source {
    case .purchase(let product, let transaction, let lineage):
        "\(product) \(transaction.transactionID) of \(OwnedUnit.lineage(lineage).text)"
    case .grant(let id): "grant \(id)"
    case nil: "nothing"
    }
}

func describe(_ state: EntitlementState?, _ reason: String?) -> String {
    (state?.rawValue ?? "none") + (reason.map { " (\($0))" } ?? "")
}

func describe(_ findings: Set<SpecifiedFinding>) -> String {
    findings.map { finding in
        let parts =
            [finding.kind.rawValue, finding.environment.rawValue]
            + finding.accounts.map(\.text) + finding.units.map(\.text)
            + (finding.product.map { [$0.text] } ?? [])
        return parts.joined(separator: " ")
    }.sorted().joined(separator: ", ")
}

extension SpecifiedRight {
    /// Several things bear on it, none of them grants, and no block stands in between.
    var isDeniedByItsSources: Bool {
        !isGranted && candidates > 1 && rule.name != "account is blocked"
    }

    /// A denial by one of several sources, or by none any more, is compared as a denial only.
    fileprivate var isComparable: Bool { isGranted || (candidates == 1 && source != nil) }
}
