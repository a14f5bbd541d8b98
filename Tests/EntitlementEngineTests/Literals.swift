internal import EntitlementModel

/// Ids in tests are written as the text that they are.
extension Identifier {
    init(stringLiteral text: String) {
        self.init(unchecked: text)
    }
}

extension AccountID: ExpressibleByStringLiteral {}
extension GrantID: ExpressibleByStringLiteral {}
extension BlockID: ExpressibleByStringLiteral {}
extension EntitlementName: ExpressibleByStringLiteral {}
extension CreditName: ExpressibleByStringLiteral {}
extension ProductID: ExpressibleByStringLiteral {}
extension TransactionID: ExpressibleByStringLiteral {}
