/// Something that a policy takes away, or may take away, from what another one gave (spec 2.6).
package struct PolicyLoss: Hashable, Sendable {
    /// Stable, for programs.
    package enum Kind: String, CaseIterable, Sendable {
        case environment
        case root
        case deniedKey = "denied-key"
        case signedAge = "signed-age"
        case app
        case list
        case rule
        case product
        case productKind = "product-kind"
        case grant
        case terms
        case credit
        case leeway
        case cell
    }

    package let kind: Kind
    /// Of what it is about: a product, then an entitlement, then states.
    package let names: [String]

    init(_ kind: Kind, _ names: String...) {
        self.init(kind, names: names)
    }

    package init(_ kind: Kind, names: [String]) {
        self.kind = kind
        self.names = names
    }

    /// What is lost, in one sentence.
    package func sentence(in language: MessageLanguage) -> String {
        let facts = names.prefix(2).map { Fact.written($0) } + [.choice(Array(names.dropFirst(2)))]
        return words.filled(with: facts, in: language)
    }

    private var words: Words {
        switch kind {
        case .environment: Words("evidence of {0} is refused", "拒绝 {0} 环境的凭证")
        case .root: Words("the root {1} of {0} is not trusted any more", "不再信任 {0} 的根证书 {1}")
        case .deniedKey: Words("what the key {0} signs is refused", "拒绝用密钥 {0} 签署的凭证")
        case .signedAge:
            Words("evidence may not be as old as before", "凭证签署的时限比以前更短")
        case .app:
            Words("{0} in 'app' is another one", "app 中的 {0} 已改变")
        case .list: Words("the list {0} has no rule any more", "列表 {0} 不再有任何规则")
        case .rule: Words("the list {0} has lost the rule {1}", "列表 {0} 少了规则 {1}")
        case .product: Words("the product {0} is gone", "产品 {0} 已不存在")
        case .productKind: Words("the product {0} is of another kind", "产品 {0} 的类型已改变")
        case .grant: Words("the product {0} no longer gives {1}", "产品 {0} 不再给予 {1}")
        case .terms: Words("the product {0} gives less: {1}", "产品 {0} 给予的变少：{1}")
        case .credit: Words("the credit {0} is gone", "点数 {0} 已不存在")
        case .leeway: Words("the leeway is shorter: {0}, not {1}", "宽限（leeway）变短：{0}，原为 {1}")
        case .cell:
            Words(
                "{0} may give {1} in fewer cases, in the states {2}",
                "{0} 给予 {1} 的情形可能变少，状态为 {2}")
        }
    }
}
