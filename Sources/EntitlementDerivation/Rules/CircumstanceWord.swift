internal import EntitlementModel

/// A value of an enumeration that conditions compare, as one bit of a byte: by its place among
/// the cases. The eighth bit is for what no word names, or the eighth case where one names all.
protocol CircumstanceWord: CaseIterable, Equatable {}

extension CircumstanceWord {
    var bit: UInt64 {
        var bit: UInt64 = 0x01
        for word in Self.allCases {
            precondition(
                bit <= 0x80, "an enumeration that conditions compare has at most eight cases")
            if word == self { return bit }
            bit <<= 1
        }
        preconditionFailure("every case is one of all")
    }
}

extension ProductKind: CircumstanceWord {}
extension EntitlementState: CircumstanceWord {}
extension StoreEnvironment: CircumstanceWord {}
extension OwnershipWord: CircumstanceWord {}
extension OfferWord: CircumstanceWord {}
extension ExpiryReason: CircumstanceWord {}
extension AutoRenewWord: CircumstanceWord {}
extension RevocationWord: CircumstanceWord {}
