internal import EntitlementModel

/// What `usher policy explain` says in Chinese.
extension PolicyExplanation.Subject {
    package var chinese: String {
        switch self {
        case .diagnostic: "诊断"
        case .finding: "待关注事项"
        case .key: "键"
        case .rule: "规则"
        case .product: "产品"
        case .entitlement: "权益"
        case .credit: "点数"
        case .group: "组"
        case .level: "级别"
        }
    }
}

extension PolicyExplanation.Label {
    package var chinese: String {
        switch self {
        case .severity: "级别"
        case .meaning: "含义"
        case .list: "列表"
        case .when: "条件"
        case .unless: "例外"
        case .then: "结果"
        case .only: "仅限"
        case .decides: "可以决定"
        case .before: "在它之前的规则"
        case .kind: "类型"
        case .title: "名称"
        case .group: "组与级别"
        case .gives: "给予"
        case .states: "各状态"
        case .rules: "提到它的规则"
        case .givenBy: "来自"
        case .openedBy: "向所有人开放"
        case .levels: "级别（从高到低）"
        case .products: "产品"
        case .section: "所在部分"
        case .words: "可写"
        case .ofGroup: "组"
        }
    }
}

extension ExplainPolicyPhrase {
    var chinese: String {
        switch self {
        case .after: "{0}，在 {1} 之后"
        case .nothing: "无：这些情形不会出现，或已由前面的规则全部决定"
        }
    }
}
